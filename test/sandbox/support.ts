import axios, { type AxiosInstance } from 'axios';
import { Agent } from 'node:http';
import { TOTP, Secret } from 'otpauth';
import { startSandbox, type RunningSandbox, type SandboxOptions } from '../../sandbox/src';

export const FIRST = { phone: '9000000001', mpin: '1357', secret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU' };
export const SECOND = { phone: '9000000002', mpin: '2468' };
export const DEVICE = 'device-of-a-test';
/** A Monday, before noon, in the middle of the exchanges' sessions. */
export const START = '2026-11-23T10:00:00.000+05:30';

/** One share at the market, for delivery, for the day; the instrument is missing. */
export const MARKET_ORDER = {
  order_type: 'ORDER_TYPE_REGULAR',
  order_qty: 1,
  order_side: 'ORDER_SIDE_BUY',
  order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
  validity_type: 'DAY',
  price_type: 'MARKET',
} as const;

/** A running sandbox and a client of it that returns replies of every status. */
export interface Bench {
  running: RunningSandbox;
  http: AxiosInstance;
  /** Lets time pass on both clocks, the sandbox's and the machine's (manual clock). */
  advance(duration: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a sandbox whose clock is manual, unless the options say otherwise; the machine's begins at the same time, and
 * goes on.
 */
export async function start(given: Partial<SandboxOptions> = {}): Promise<Bench> {
  const options: Partial<SandboxOptions> = { clock: 'manual', start: START, seed: 7, ...given };
  let ahead = Date.parse(options.start ?? START) - Date.now();
  const running = await startSandbox(options, () => Date.now() + ahead);
  const http = axios.create({
    baseURL: running.url,
    validateStatus: () => true,
    // A connection that is kept can be closed by the server while the next request is on its way, on a busy machine.
    httpAgent: new Agent({ keepAlive: false }),
    transformResponse: [(text: string) => text],
  });
  http.interceptors.response.use((response) => {
    const type = String(response.headers['content-type'] ?? '');
    response.data = type.includes('json') && response.data !== '' ? readJson(response.data as string) : response.data;
    return response;
  });
  return {
    running,
    http,
    async advance(duration) {
      const before = running.sandbox.instant;
      const reply = await http.post('/_sandbox/clock', { advance: duration });
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.data));
      ahead += running.sandbox.instant - before;
    },
    close: () => running.close(),
  };
}

/** JSON in which an integer beyond 2^53 comes out as its text; written apart from the sandbox's own reader. */
export function readJson(text: string): unknown {
  // A master of megabytes holds none: to search it takes less time than to write it again.
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(
    text.replace(
      /("(?:[^"\\]|\\.)*")|(?<![\d.eE-])(-?\d{16,})(?![\d.eE])/g,
      (_all, quoted: string | undefined, digits: string) => quoted ?? `"${digits}"`,
    ),
  );
}

/** The code that an authenticator app shows at the sandbox's time. */
export function totpAt(secret: string, at: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
}

export async function now(http: AxiosInstance): Promise<number> {
  return Date.parse(((await http.get('/_sandbox/clock')).data as { now: string }).now);
}

/** Logs the first account in by TOTP. @returns the headers of its session */
export async function logIn({ http }: Bench, device = DEVICE): Promise<Record<string, string>> {
  const totp = totpAt(FIRST.secret, await now(http));
  const code = await http.post(
    '/totp/login',
    { phone: FIRST.phone, totp, otp: '' },
    { headers: { 'x-device-id': device } },
  );
  return await pin(http, String(code.data.auth_token), FIRST.mpin, device);
}

/** The PIN step. */
export async function pin(
  http: AxiosInstance,
  authToken: string,
  mpin: string,
  device = DEVICE,
): Promise<Record<string, string>> {
  const reply = await http.post(
    '/verifypin',
    { pin: mpin },
    { headers: { 'x-device-id': device, authorization: `Bearer ${authToken}` } },
  );
  if (reply.status !== 200) throw new Error(`verifypin: ${reply.status} ${JSON.stringify(reply.data)}`);
  return { authorization: `Bearer ${reply.data.session_token}`, 'x-device-id': device };
}

/** Logs the second account in by OTP. */
export async function logInByOtp({ http }: Bench, device = DEVICE): Promise<Record<string, string>> {
  const { phone, mpin } = SECOND;
  const first = await http.post('/sendphoneotp', { phone, skip_totp: false });
  const second = await http.post(
    '/sendphoneotp',
    { phone, skip_totp: true },
    { headers: { 'x-temp-token': first.data.temp_token } },
  );
  const otp = await lastOtp(http, phone);
  const verified = await http.post(
    '/verifyphoneotp',
    { phone, otp },
    { headers: { 'x-temp-token': second.data.temp_token, 'x-device-id': device } },
  );
  return await pin(http, String(verified.data.auth_token), mpin, device);
}

export async function lastOtp(http: AxiosInstance, phone: string): Promise<string> {
  const inbox = (await http.get('/_sandbox/inbox', { params: { phone } })).data as { text: string }[];
  return /\d{6}/.exec(inbox[0]?.text ?? '')![0];
}
