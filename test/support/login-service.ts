/**
 * The login of the service as a small honest model, written from the specification: one account, one living session at
 * a time. It checks TOTP codes with otpauth and counts everything that reaches it.
 */
import { TOTP } from 'otpauth';
import { NetworkError } from '../../client/base/errors';
import type { Http, WireRequest, WireResponse } from '../../client/base/ports';
import type { VirtualTime } from './virtual-time';

export const PHONE = '9000000001';
export const MPIN = '1357';
export const SECRET = 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU';
export const BASE = 'https://api.broker.example';

const HOUR = 3_600_000;

export interface LoginModelOptions {
  otpFirstNext?: string;
  /**
   * True if the first call sends the OTP where `next` is VERIFY_MOBILE (docs/service/login-and-session.md#when-the-otp-is-sent); `sends`
   * where not given.
   */
  otpFirstCall?: 'sends' | 'silent';
  /** True if the session token of the MPIN step is below `data` (docs/service/login-and-session.md#pin-reply). */
  tokenBelowData?: boolean;
  /** True if a refusal gives back what was sent. */
  echo?: boolean;
  verifyStatus?: number;
  /** A failure for a request that has not been processed yet, or will lose its reply. */
  fault?: (request: WireRequest) => 'before' | 'after' | number | undefined;
  /** Returns how long a request takes, milliseconds. */
  latency?: () => number;
}

export class LoginModel {
  /** The living session. */
  session: { token: string; until: number } | undefined;
  logins = 0;
  readonly codes: string[] = [];
  readonly otps: string[] = [];
  readonly pins: string[] = [];
  readonly requests: WireRequest[] = [];
  /** Text messages, newest last. */
  readonly inbox: string[] = [];
  mpin = MPIN;
  secret = SECRET;
  attemptsLeft = 4;
  private tempToken = '';
  private otp = '';
  private authTokens = new Map<string, number>();
  private made = 0;

  constructor(
    private readonly time: VirtualTime,
    private readonly options: LoginModelOptions = {},
  ) {}

  /** Ends the session, as a login elsewhere or the daily log-out does. */
  kill(): void {
    this.session = undefined;
  }

  /** Forgets the OTP that was sent last, as the service does when another client asks for one. */
  forgetOtp(): void {
    this.tempToken = '';
    this.otp = '';
  }

  private jwt(kind: string, lifeMs: number): string {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'HS256' })}.${part({ kind, n: ++this.made, exp: Math.floor((this.time.now() + lifeMs) / 1000) })}.${part({ s: this.made })}`;
  }

  http: Http = async (request, signal) => {
    const fault = this.options.fault?.(request);
    if (fault === 'before') {
      await this.time.sleep(50, signal);
      throw new NetworkError('The connection broke.', { maySent: true });
    }
    await this.time.sleep(this.options.latency?.() ?? 50, signal);
    this.requests.push(request);
    const reply = typeof fault === 'number' ? this.reply(fault, { error: 'fault' }) : this.answer(request);
    if (fault === 'after') throw new NetworkError('The connection broke.', { maySent: true });
    return reply;
  };

  private reply(status: number, body: object): WireResponse {
    return {
      status,
      headers: { date: new Date(this.time.now()).toUTCString() },
      body: Buffer.from(JSON.stringify(body)),
    };
  }

  private refuse(status: number, error: string, attempts = false): WireResponse {
    if (attempts) this.attemptsLeft -= 1;
    return this.reply(status, { error, ...(attempts ? { attempts_left: this.attemptsLeft } : {}) });
  }

  private bearer(request: WireRequest): string {
    const header = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
    return header.replace(/^Bearer /, '');
  }

  alive(request: WireRequest): boolean {
    return (
      this.session !== undefined && this.session.token === this.bearer(request) && this.session.until > this.time.now()
    );
  }

  private answer(request: WireRequest): WireResponse {
    const path = new URL(request.url).pathname;
    const body = JSON.parse(request.body ?? '{}') as Record<string, unknown>;
    if (path === '/sendphoneotp') return this.sendOtp(request, body);
    if (path === '/verifyphoneotp') return this.verifyOtp(request, body);
    if (path === '/totp/login') return this.totp(body);
    if (path === '/verifypin') return this.verifyPin(request, body);
    if (!this.alive(request)) return this.refuse(440, 'session expired');
    return this.reply(200, { env_info: { order_service_ws_url: 'wss://stream.broker.example/ws' } });
  }

  private sendOtp(request: WireRequest, body: Record<string, unknown>): WireResponse {
    const temp = request.headers['x-temp-token'];
    if (body.phone !== PHONE) return this.refuse(400, 'unknown phone');
    const next = temp === undefined ? (this.options.otpFirstNext ?? 'VERIFY_MOBILE') : 'VERIFY_MOBILE';
    if (temp !== undefined) {
      if (temp !== this.tempToken || body.skip_totp !== true) return this.refuse(401, 'unauthorized');
    } else if (body.skip_totp !== false) return this.refuse(400, 'skip_totp');
    if (temp !== undefined || (next === 'VERIFY_MOBILE' && this.options.otpFirstCall !== 'silent')) {
      this.otp = String(100_000 + this.inbox.length * 7919).slice(0, 6);
      this.inbox.push(this.otp);
    }
    this.tempToken = `temp-${++this.made}`;
    return this.reply(200, { attempts_left: this.attemptsLeft, next, temp_token: this.tempToken });
  }

  private verifyOtp(request: WireRequest, body: Record<string, unknown>): WireResponse {
    this.otps.push(String(body.otp));
    if (request.headers['x-temp-token'] !== this.tempToken || request.headers['x-device-id'] === undefined)
      return this.refuse(401, 'unauthorized');
    if (this.otp === '' || body.otp !== this.otp) return this.refuse(400, 'invalid otp', true);
    this.otp = '';
    return this.grant();
  }

  private totp(body: Record<string, unknown>): WireResponse {
    const code = String(body.totp);
    this.codes.push(code);
    if (body.phone !== PHONE) return this.refuse(400, 'phone number is not registered');
    if (typeof body.totp !== 'string' || body.otp !== '') return this.refuse(400, 'bad request');
    const delta = new TOTP({ secret: this.secret }).validate({ token: code, window: 0, timestamp: this.time.now() });
    return delta === null ? this.refuse(400, 'invalid totp', true) : this.grant();
  }

  private grant(): WireResponse {
    const auth = this.jwt('auth', 24 * HOUR);
    this.authTokens.set(auth, this.time.now() + 24 * HOUR);
    return this.reply(this.options.verifyStatus ?? 201, { auth_token: auth, flow: 'LOGIN', next: 'ENTER_MPIN' });
  }

  private verifyPin(request: WireRequest, body: Record<string, unknown>): WireResponse {
    if ((this.authTokens.get(this.bearer(request)) ?? 0) <= this.time.now()) return this.refuse(440, 'session expired');
    if (request.headers['x-temp-token'] !== undefined) return this.refuse(400, 'x-temp-token');
    this.pins.push(String(body.pin));
    if (body.pin !== this.mpin)
      return this.refuse(401, this.options.echo ? `wrong mpin ${String(body.pin)}` : 'wrong mpin', true);
    this.logins += 1;
    this.session = { token: this.jwt('session', 7 * HOUR), until: this.time.now() + 7 * HOUR };
    const session = { session_token: this.session.token, next: 'DASHBOARD', userId: 1 };
    return this.reply(200, this.options.tokenBelowData ? { data: session } : session);
  }
}
