import { randomUUID } from 'crypto';
import { BrokerageError } from '../../client/base/errors';
import { Sessions } from '../../client/session/sessions';
import { readSettings, readState, type SessionState } from '../../client/session/settings';
import { authHeaders } from '../../client/session/auth-headers';
import { BASE, LoginModel, MPIN, PHONE, SECRET, type LoginModelOptions } from './login-service';
import { VirtualTime } from './virtual-time';

/** Fields that the user types for a login by TOTP, by OTP. */
export const TOTP_FIELDS = {
  environment: 'live',
  liveBaseUrl: BASE,
  deviceId: 'n8n',
  loginMethod: 'totp',
  phone: PHONE,
  mpin: MPIN,
  totpSecret: SECRET,
};
export const OTP_FIELDS = { ...TOTP_FIELDS, loginMethod: 'otp', totpSecret: '', otp: '' };

/** A credential as n8n keeps it: what a login returns is stored, and the next call starts from it. */
export class Stored {
  readonly time: VirtualTime;
  readonly service: LoginModel;
  sessions: Sessions;

  constructor(
    public fields: Record<string, unknown>,
    options: LoginModelOptions & { clockOffBy?: number } = {},
  ) {
    this.time = new VirtualTime();
    this.service = new LoginModel(this.time, options);
    this.clock = this.time.clockOffBy(options.clockOffBy ?? 0);
    this.sessions = new Sessions(this.clock, randomUUID);
  }
  private readonly clock;

  restart(): void {
    this.sessions = new Sessions(this.clock, randomUUID);
  }

  /** Saves the credential: n8n tests it. @returns what the person reads; '' when it works. */
  async save(changes: Record<string, unknown> = {}): Promise<string> {
    Object.assign(this.fields, changes);
    try {
      const settings = readSettings(this.fields);
      const outcome = await this.time.run(this.sessions.obtain(this.service.http, settings, readState(this.fields)));
      Object.assign(this.fields, outcome.state, settings.method === 'otp' ? { otp: '', sendOtpAgain: false } : {});
      const headers = authHeaders(this.fields, `${BASE}/userinfo`);
      const reply = await this.time.run(
        this.service.http({ method: 'GET', url: `${BASE}/userinfo`, headers, timeoutMs: 1000 }),
      );
      return reply.status === 200 ? '' : `status ${reply.status}`;
    } catch (error) {
      if (error instanceof BrokerageError) return `${error.message} ${error.hint}`;
      throw error;
    }
  }

  get state(): SessionState {
    return readState(this.fields);
  }
}
