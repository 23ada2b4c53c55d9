/**
 * How fast the sandbox is: `npm run bench sandbox` (the sandbox must be built). Every figure is of this machine now; the
 * order path is measured against a bare Fastify that sends the same body back, in the same run.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Secret, TOTP } from 'otpauth';
import { WebSocket } from 'ws';

/** This file and whatever runs it lie one folder below the root. */
const root = path.join(path.dirname(process.argv[1]!), '..');
const built = createRequire(path.join(root, 'sandbox', 'package.json'));
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const CONNECTIONS = 16;
const LISTENERS = 100;
const DEVICE = 'bench';
const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });

interface Reply {
  status: number;
  body: Buffer;
}

function ask(url: string, method: string, headers: Record<string, string>, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent, method, headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(chunks) }));
      reply.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

interface Running {
  child: ChildProcess;
  url: string;
  startMs: number;
  headers: Record<string, string>;
}

async function sandbox(...options: string[]): Promise<Running> {
  const began = performance.now();
  const bin = path.join(root, 'sandbox', 'bin', 'brokerage-sandbox.js');
  const child = spawn(process.execPath, ['--no-warnings', bin, '--port', '0', '--rate-limit', 'off', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /Address +(\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    const startMs = performance.now() - began;
    return { child, url, startMs, headers: await logIn(url) };
  }
  throw new Error('the sandbox did not start: build it first');
}

async function logIn(url: string): Promise<Record<string, string>> {
  const secret = Secret.fromBase32('KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU');
  const device = { 'x-device-id': DEVICE };
  const body = JSON.stringify({ phone: '9000000001', totp: new TOTP({ secret }).generate(), otp: '' });
  const { auth_token } = json(await ask(`${url}/totp/login`, 'POST', device, body)) as { auth_token: string };
  const bearer = (token: string): Record<string, string> => ({ ...device, authorization: `Bearer ${token}` });
  const { session_token } = json(await ask(`${url}/verifypin`, 'POST', bearer(auth_token), JSON.stringify({ pin: '1357' }))) as { session_token: string };
  return bearer(session_token);
}

function json({ body }: Reply): unknown {
  return JSON.parse(body.toString());
}

async function stop({ child }: Pick<Running, 'child'>): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Resident memory of a process, MB. */
function memory({ child }: Running): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** Requests a second, with as many under way as there are connections. */
async function rate(request: () => Promise<Reply>): Promise<number> {
  for (let count = 0; count < 200; count += 1) await request();
  const until = performance.now() + SECONDS * 1000;
  let done = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < until) {
      const { status } = await request();
      if (status !== 200) throw new Error(`answered ${status}`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  return done / SECONDS;
}

async function refIdOf({ url, headers }: Running, name: string): Promise<number> {
  const today = new Date(Date.now() + 19_800_000).toISOString().slice(0, 10);
  const { refdata } = json(await ask(`${url}/refdata/refdata/${today}`, 'GET', headers)) as { refdata: { plat_name: string; ref_id: number }[] };
  return refdata.find(({ plat_name }) => plat_name === name)!.ref_id;
}

function orderBody(ref_id: number): string {
  return JSON.stringify({
    ref_id,
    order_type: 'ORDER_TYPE_REGULAR',
    order_qty: 1,
    order_side: 'ORDER_SIDE_BUY',
    order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
    validity_type: 'DAY',
    price_type: 'MARKET',
    tag: 'bench',
  });
}

const show = (what: string, figure: string): void => console.log(`${what.padEnd(62)} ${figure}`);
const whole = (figure: number): string => Math.round(figure).toLocaleString('en-IN');

async function starts(): Promise<void> {
  for (const universe of ['demo', 'full']) {
    const running = await sandbox('--universe', universe);
    show(`start, ${universe} universe`, `${whole(running.startMs)} ms, ${memory(running)} MB resident`);
    if (universe === 'full') await refdata(running);
    await stop(running);
  }
}

async function refdata(running: Running): Promise<void> {
  const today = new Date(Date.now() + 19_800_000).toISOString().slice(0, 10);
  for (const pass of ['first', 'second']) {
    const began = performance.now();
    let bytes = 0;
    let rows = 0;
    for (const exchange of ['NSE', 'BSE', 'MCX']) {
      const { body } = await ask(`${running.url}/refdata/refdata/${today}?exchange=${exchange}`, 'GET', running.headers);
      bytes += body.length;
      rows += body.toString('latin1').split('"ref_id"').length - 1;
    }
    const seconds = (performance.now() - began) / 1000;
    show(`refdata, full universe, ${pass} download`, `${whole(rows)} rows, ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s, ${memory(running)} MB resident`);
  }
}

async function orders(): Promise<void> {
  const echo = built('fastify')({ logger: false });
  echo.post('/orders/v2/single', async (request: { body: unknown }) => request.body);
  const echoUrl: string = await echo.listen({ port: 0, host: '127.0.0.1' });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
  const running = await sandbox('--data', folder);
  const inMemory = await sandbox();
  const of = async ({ url, headers }: Pick<Running, 'url' | 'headers'>, refId: number): Promise<number> =>
    await rate(() => ask(`${url}/orders/v2/single`, 'POST', headers, orderBody(refId)));
  const bare = await of({ url: echoUrl, headers: running.headers }, 1);
  show('POST, bare Fastify that sends the body back', `${whole(bare)}/s`);
  for (const [what, one] of [['in memory', inMemory], ['with --data', running]] as const) {
    const placed = await of(one, await refIdOf(one, 'STOCK_INFY.NSECM'));
    show(`POST /orders/v2/single, ${what}`, `${whole(placed)}/s, ${((100 * placed) / bare).toFixed(0)} % of bare, ${memory(one)} MB resident`);
  }
  const began = performance.now();
  const { child } = running;
  child.kill('SIGKILL');
  await once(child, 'exit');
  const again = await sandbox('--data', folder);
  show('start from the log of that run', `${whole(performance.now() - began)} ms`);
  await Promise.all([stop(again), stop(inMemory), echo.close()]);
  rmSync(folder, { recursive: true, force: true });
}

async function frames(): Promise<void> {
  const running = await sandbox('--clock', 'manual');
  const token = running.headers['authorization']!.slice('Bearer '.length);
  let heard = 0;
  const sockets = await Promise.all(
    Array.from({ length: LISTENERS }, async () => {
      const socket = new WebSocket(`${running.url.replace('http', 'ws')}/stream?token=${token}`, { perMessageDeflate: false });
      socket.on('message', () => (heard += 1));
      await once(socket, 'open');
      socket.send(`subscribe ${token} direct_intent notification`);
      return socket;
    }),
  );
  const refId = await refIdOf(running, 'STOCK_INFY.NSECM');
  const sent = async (): Promise<number> => (json(await ask(`${running.url}/_sandbox/stats`, 'GET', {})) as { frames_sent: number }).frames_sent;
  for (let count = 0; count < 200; count += 1) await ask(`${running.url}/orders/v2/single`, 'POST', running.headers, orderBody(refId));
  const began = performance.now();
  await ask(`${running.url}/_sandbox/clock`, 'POST', {}, JSON.stringify({ advance: 'PT10S' }));
  const all = await sent();
  while (heard < all) await new Promise((resolve) => setImmediate(resolve));
  show(`frames to ${LISTENERS} listeners`, `${whole(heard / ((performance.now() - began) / 1000))}/s (${whole(heard)} frames)`);
  for (const socket of sockets) socket.terminate();
  await stop(running);
}

function candles(): void {
  const { createMarket } = built('./dist/market/market.js');
  const market = createMarket({ seed: 1, universe: 'demo' });
  const to = Date.parse('2026-11-20T15:30:00+05:30');
  const instrument = market.universe(to).bySymbol('NSE', 'INFY');
  const began = performance.now();
  const bars: unknown[] = market.bars(instrument, '1m', to - 90 * 86_400_000, to);
  show('candles of a minute over three months', `${whole(bars.length / ((performance.now() - began) / 1000))}/s (${whole(bars.length)} candles)`);
}

async function main(): Promise<void> {
  console.log(`Node ${process.version}, ${os.cpus().length} cores, ${os.cpus()[0]?.model}; ${SECONDS} s each, ${CONNECTIONS} connections\n`);
  await starts();
  await orders();
  await frames();
  candles();
  agent.destroy();
}

void main();
