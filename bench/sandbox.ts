/**
 * Measures the sandbox as a separate process (built: npm run build): the order path against a bare Fastify that sends the same body back,
 * and the figures of its start, memory, instrument master and stream.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { WebSocket } from 'ws';
import type { Figure, MakeRow } from './row';
import {
  agent,
  ask,
  CONNECTIONS,
  json,
  orderBody,
  refIdOf,
  requests,
  sandbox,
  stop,
  type Running,
} from './support/sandbox';

const LISTENERS = 100;
const CANDLE_DAYS = 28;
const DAY_MS = 86_400_000;

/** Resident memory of a process, MB. */
function memory({ child }: Running): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

async function starts(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const universe of ['demo', 'full']) {
    const running = await sandbox('--universe', universe);
    figures.push({ name: `start, ${universe} universe`, value: running.startMs, unit: 'ms', atMost: 3_000 });
    if (universe === 'full') figures.push(...(await refdata(running)), await candles(running));
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

/** Candles a second: opening price to volume of every minute of some weeks, for five shares in one request. */
async function candles({ url, headers }: Running): Promise<Figure> {
  const endDate = new Date();
  const query = {
    exchange: 'NSE',
    type: 'STOCK',
    values: ['INFY', 'TCS', 'SBIN', 'ITC', 'RELIANCE'],
    fields: ['open', 'high', 'low', 'close', 'cumulative_volume'],
    startDate: new Date(endDate.getTime() - CANDLE_DAYS * DAY_MS).toISOString(),
    endDate: endDate.toISOString(),
    interval: '1m',
    intraDay: false,
    realTime: false,
  };
  const began = performance.now();
  const { status, body } = await ask(`${url}/charts/timeseries`, 'POST', headers, JSON.stringify({ query: [query] }));
  if (status !== 200) throw new Error(`the sandbox answered ${status}: ${body.toString().slice(0, 200)}`);
  const points = body.toString('latin1').split('"ts"').length - 1;
  return {
    name: 'candles of a minute',
    value: points / query.fields.length / ((performance.now() - began) / 1000),
    unit: '/s',
  };
}

/** Measures frames a second: orders are placed while time is stopped, then it passes and every listener receives them. */
async function frames(orders: number): Promise<Figure[]> {
  const running = await sandbox('--clock', 'manual');
  const token = running.headers['authorization']!.slice('Bearer '.length);
  let received = 0;
  const sockets = await Promise.all(
    Array.from({ length: LISTENERS }, async () => {
      const socket = new WebSocket(`${running.url.replace('http', 'ws')}/stream?token=${token}`, {
        perMessageDeflate: false,
      });
      socket.on('message', () => (received += 1));
      await once(socket, 'open');
      socket.send(`subscribe ${token} direct_intent notification`);
      return socket;
    }),
  );
  const refId = await refIdOf(running, 'STOCK_INFY.NSECM');
  for (let count = 0; count < orders; count += 1)
    await ask(`${running.url}/orders/v2/single`, 'POST', running.headers, orderBody(refId));
  const began = performance.now();
  await ask(`${running.url}/_sandbox/clock`, 'POST', {}, JSON.stringify({ advance: 'PT10S' }));
  const { frames_sent } = json(await ask(`${running.url}/_sandbox/stats`, 'GET', {})) as { frames_sent: number };
  while (received < frames_sent) await new Promise((resolve) => setImmediate(resolve));
  const value = received / ((performance.now() - began) / 1000);
  for (const socket of sockets) socket.terminate();
  await stop(running);
  return [{ name: `frames to ${LISTENERS} listeners`, value, unit: '/s' }];
}

const make: MakeRow = async ({ short }) => {
  const orders = short ? 50 : 1_000;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
  const echo = Fastify({ logger: false });
  echo.post('/orders/v2/single', async (request) => request.body);
  const echoUrl = await echo.listen({ port: 0, host: '127.0.0.1' });
  const durable = await sandbox('--data', folder);
  const inMemory = await sandbox();
  const place =
    ({ url, headers }: Pick<Running, 'url' | 'headers'>, body: string) =>
    () =>
      ask(`${url}/orders/v2/single`, 'POST', headers, body);
  const body = orderBody(await refIdOf(durable, 'STOCK_INFY.NSECM'));
  return {
    title: 'placing an order in the sandbox',
    work: `${orders} × POST /orders/v2/single over ${CONNECTIONS} connections; the load runs on the same processors`,
    sides: [
      { name: 'with --data', role: 'ours', run: () => requests(orders, place(durable, body)) },
      { name: 'in memory', role: 'alternative', run: () => requests(orders, place(inMemory, body)) },
      {
        name: 'a bare Fastify',
        role: 'limit',
        run: () => requests(orders, place({ url: echoUrl, headers: durable.headers }, body)),
      },
    ],
    goals: [{ against: 'a bare Fastify', times: 2 }],
    figures: async () => {
      const resident = { name: 'resident after the orders', value: memory(durable), unit: 'MB' };
      durable.child.kill('SIGKILL');
      await once(durable.child, 'exit');
      const again = await sandbox('--data', folder);
      durable.child = again.child;
      return [
        resident,
        { name: 'start from the log of these orders', value: again.startMs, unit: 'ms' },
        ...(await starts()),
        ...(await frames(short ? 20 : 200)),
      ];
    },
    close: async () => {
      await Promise.all([stop(durable), stop(inMemory), echo.close()]);
      agent.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export default make;
