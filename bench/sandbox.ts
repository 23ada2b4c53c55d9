/**
 * The sandbox as a process of its own (built: npm run build): the order path against a bare Fastify that sends the same
 * body back, and the figures of its start, memory, instrument master and stream.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import Fastify from 'fastify';
import { Secret, TOTP } from 'otpauth';
import { WebSocket } from 'ws';
import type { Figure, MakeRow } from './row';

const bin = path.join(__dirname, '..', 'sandbox', 'bin', 'brokerage-sandbox.js');
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
  const child = spawn(process.execPath, ['--no-warnings', bin, '--port', '0', '--rate-limit', 'off', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /Connect +(\S+)/.exec(line)?.[1];
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

/** Sends so many requests, with as many under way as there are connections. */
async function requests(count: number, send: () => Promise<Reply>): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { status } = await send();
      if (status !== 200) throw new Error(`answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
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

async function starts(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const universe of ['demo', 'full']) {
    const running = await sandbox('--universe', universe);
    figures.push({ name: `start, ${universe} universe`, value: running.startMs, unit: 'ms', atMost: 3_000 });
    if (universe === 'full') figures.push(...(await refdata(running)));
    await stop(running);
  }
  return figures;
}

async function refdata(running: Running): Promise<Figure[]> {
  const today = new Date(Date.now() + 19_800_000).toISOString().slice(0, 10);
  const began = performance.now();
  let bytes = 0;
  let rows = 0;
  for (const exchange of ['NSE', 'BSE', 'MCX']) {
    const { body } = await ask(`${running.url}/refdata/refdata/${today}?exchange=${exchange}`, 'GET', running.headers);
    bytes += body.length;
    rows += body.toString('latin1').split('"ref_id"').length - 1;
  }
  return [
    { name: 'instruments of the full universe', value: rows, unit: 'rows', atLeast: 150_000 },
    { name: 'their download', value: bytes / 1e6 / ((performance.now() - began) / 1000), unit: 'MB/s' },
    { name: 'resident with the full universe', value: memory(running), unit: 'MB', atMost: 400 },
  ];
}

/** Frames a second: orders are placed while time stands still, then it passes and every listener is told. */
async function frames(orders: number): Promise<Figure[]> {
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
  for (let count = 0; count < orders; count += 1) await ask(`${running.url}/orders/v2/single`, 'POST', running.headers, orderBody(refId));
  const began = performance.now();
  await ask(`${running.url}/_sandbox/clock`, 'POST', {}, JSON.stringify({ advance: 'PT10S' }));
  const { frames_sent } = json(await ask(`${running.url}/_sandbox/stats`, 'GET', {})) as { frames_sent: number };
  while (heard < frames_sent) await new Promise((resolve) => setImmediate(resolve));
  const value = heard / ((performance.now() - began) / 1000);
  for (const socket of sockets) socket.terminate();
  await stop(running);
  return [{ name: `frames to ${LISTENERS} listeners`, value, unit: '/s' }];
}

const make: MakeRow = async ({ short }) => {
  if (!existsSync(path.join(__dirname, '..', 'sandbox', 'dist', 'main.js'))) throw new Error('the sandbox is not built: npm run build');
  const orders = short ? 50 : 1_000;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
  const echo = Fastify({ logger: false });
  echo.post('/orders/v2/single', async (request) => request.body);
  const echoUrl = await echo.listen({ port: 0, host: '127.0.0.1' });
  const durable = await sandbox('--data', folder);
  const inMemory = await sandbox();
  const place = ({ url, headers }: Pick<Running, 'url' | 'headers'>, body: string) => () => ask(`${url}/orders/v2/single`, 'POST', headers, body);
  const body = orderBody(await refIdOf(durable, 'STOCK_INFY.NSECM'));
  return {
    title: 'placing an order in the sandbox',
    work: `${orders} × POST /orders/v2/single over ${CONNECTIONS} connections; the load runs on the same processors`,
    sides: [
      { name: 'with --data', role: 'ours', run: () => requests(orders, place(durable, body)) },
      { name: 'in memory', role: 'alternative', run: () => requests(orders, place(inMemory, body)) },
      { name: 'a bare Fastify', role: 'limit', run: () => requests(orders, place({ url: echoUrl, headers: durable.headers }, body)) },
    ],
    goals: [{ against: 'a bare Fastify', times: 2 }],
    figures: async () => {
      const resident = { name: 'resident after the orders', value: memory(durable), unit: 'MB' };
      durable.child.kill('SIGKILL');
      await once(durable.child, 'exit');
      const again = await sandbox('--data', folder);
      durable.child = again.child;
      return [resident, { name: 'start from the log of these orders', value: again.startMs, unit: 'ms' }, ...(await starts()), ...(await frames(short ? 20 : 200))];
    },
    close: async () => {
      await Promise.all([stop(durable), stop(inMemory), echo.close()]);
      agent.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export default make;
