/** The sandbox as a separate process (built: npm run build), for the rows of the bench, and requests to it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createInterface } from 'node:readline';
import { Secret, TOTP } from 'otpauth';

const folder = path.join(__dirname, '..', '..', 'sandbox');
/** Connections that stay open and are used again. */
export const CONNECTIONS = 16;
const DEVICE = 'bench';
export const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** The sandbox's first account. */
const ACCOUNT = { phone: '9000000001', mpin: '1357', totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU' };

export interface Reply {
  status: number;
  body: Buffer;
}

/** Sends a request. @throws Error that names it, and whether its connection had been used before */
export function ask(url: string, method: string, headers: Record<string, string>, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const failed = (cause: Error): void =>
      reject(
        new Error(`${method} ${url} (connection ${request.reusedSocket ? 'used before' : 'new'}): ${cause.message}`, {
          cause,
        }),
      );
    const request = http.request(
      url,
      {
        agent,
        method,
        headers:
          body === undefined
            ? headers
            : { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(chunks) }));
        reply.on('error', failed);
      },
    );
    request.on('error', failed);
    request.end(body);
  });
}

export function json({ body }: Reply): unknown {
  return JSON.parse(body.toString());
}

export interface Running {
  child: ChildProcess;
  url: string;
  startMs: number;
  headers: Record<string, string>;
}

/** Starts it with the rate limit off and logs in. */
export async function sandbox(...options: string[]): Promise<Running> {
  const started = await startSandbox(...options);
  return { ...started, headers: await logIn(started.url) };
}

/** As `sandbox`, with `longestBusy` to ask of it. */
export async function watchedSandbox(...options: string[]): Promise<Running> {
  const started = await launch(['--import', pathToFileURL(path.join(__dirname, 'event-loop-busy.mjs')).href], options);
  return { ...started, headers: await logIn(started.url) };
}

/** The longest that its event loop was busy at a stretch since this was last asked, milliseconds of processor time. */
export async function longestBusy({ child }: Pick<Running, 'child'>): Promise<number> {
  child.send('busy');
  const [milliseconds] = (await once(child, 'message')) as [number];
  return milliseconds;
}

/** Starts it with the rate limit off. */
export const startSandbox = (...options: string[]): Promise<Omit<Running, 'headers'>> => launch([], options);

async function launch(flags: string[], options: string[]): Promise<Omit<Running, 'headers'>> {
  if (!existsSync(path.join(folder, 'dist', 'cli', 'main.js')))
    throw new Error('the sandbox is not built: npm run build');
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [
      '--no-warnings',
      // As bin/brokerage-sandbox.js starts itself where no channel is open.
      '--max-semi-space-size=8',
      '--heap-growing-percent=100',
      ...flags,
      path.join(folder, 'bin', 'brokerage-sandbox.js'),
      '--port',
      '0',
      '--rate-limit',
      'off',
      ...options,
    ],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /(http:\/\/[^/\s]+)/.exec(line)?.[1];
    if (url === undefined) continue;
    const startMs = performance.now() - began;
    return { child, url, startMs };
  }
  throw new Error('the sandbox did not start');
}

/**
 * Logs in by TOTP; returns the headers that every request needs.
 * @param at the sandbox's time, milliseconds since the epoch.
 */
export async function logIn(url: string, at = Date.now()): Promise<Record<string, string>> {
  const device = { 'x-device-id': DEVICE };
  const body = JSON.stringify({
    phone: ACCOUNT.phone,
    totp: new TOTP({ secret: Secret.fromBase32(ACCOUNT.totpSecret) }).generate({ timestamp: at }),
    otp: '',
  });
  const { auth_token } = json(await ask(`${url}/totp/login`, 'POST', device, body)) as { auth_token: string };
  const bearer = (token: string): Record<string, string> => ({ ...device, authorization: `Bearer ${token}` });
  const { session_token } = json(
    await ask(`${url}/verifypin`, 'POST', bearer(auth_token), JSON.stringify({ pin: ACCOUNT.mpin })),
  ) as { session_token: string };
  return bearer(session_token);
}

export async function stop({ child }: Pick<Running, 'child'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Sends `count` requests, one per connection at a time. */
export async function requests(count: number, send: (number: number) => Promise<Reply>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const { status } = await send(next++);
      if (status !== 200) throw new Error(`answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

/** @param at the sandbox's time, milliseconds since the epoch. */
export async function refIdOf(
  { url, headers }: Pick<Running, 'url' | 'headers'>,
  name: string,
  at = Date.now(),
): Promise<number> {
  const today = new Date(at + 19_800_000).toISOString().slice(0, 10);
  const { refdata } = json(await ask(`${url}/refdata/refdata/${today}`, 'GET', headers)) as {
    refdata: { plat_name: string; ref_id: number }[];
  };
  return refdata.find(({ plat_name }) => plat_name === name)!.ref_id;
}

export function orderBody(ref_id: number, side: 'BUY' | 'SELL' = 'BUY', tag = 'bench'): string {
  return JSON.stringify({
    ref_id,
    order_type: 'ORDER_TYPE_REGULAR',
    order_qty: 1,
    order_side: `ORDER_SIDE_${side}`,
    order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
    validity_type: 'DAY',
    price_type: 'MARKET',
    tag,
  });
}
