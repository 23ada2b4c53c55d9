/**
 * Measures the sandbox with the full universe: the longest time for which each of its largest replies occupies the event loop, 20,000
 * orders with 100 listeners, and the time to recover after a kill.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import { percentile, type Figure, type MakeRow } from './row';
import {
  agent,
  ask,
  longestBusy,
  orderBody,
  refIdOf,
  requests,
  stop,
  watchedSandbox,
  type Running,
} from './support/sandbox';

const LISTENERS = 100;
const BUSY_MS = 50;
const DAY_MS = 86_400_000;
const BHAVCOPIES = ['BhavcopyFO', 'BhavcopyCM', 'BhavcopySec', 'FO', 'OP', 'PD', 'PR'];

/** Resident memory of a process, MB. */
function resident({ child }: Running): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** The largest replies that there are, by a name. `today` and the day of the files are YYYY-MM-DD. */
function largeRequests(today: string, fileDay: string): [name: string, path: string][] {
  const compact = fileDay.replaceAll('-', '');
  const files = BHAVCOPIES.flatMap((type) =>
    ['csv', 'json'].map((format): [string, string] => [
      `${type} as ${format}`,
      `/bhavcopy/nse/${compact}?format=${format}&type=${type}${compact}`,
    ]),
  );
  const masters = ['NSE', 'BSE', 'MCX'].map((exchange): [string, string] => [
    `instrument master of ${exchange}`,
    `/refdata/refdata/${today}?exchange=${exchange}`,
  ]);
  return [
    ...masters,
    ...files,
    ['option chain of NIFTY', '/optionchains/NIFTY?exchange=NSE'],
    ['search of the page', '/_sandbox/page/instruments?q=steel'],
    ['OpenAPI document', '/_sandbox/openapi.json'],
  ];
}

/** Candles by interval, type and symbol, of the longest span that is usual. */
const CANDLES: [type: string, values: string[], fields: string[], interval: string, days: number][] = [
  ['STOCK', ['INFY', 'TCS', 'SBIN', 'ITC', 'RELIANCE'], ['open', 'high', 'low', 'close', 'tick_volume'], '1m', 30],
  ['INDEX', ['NIFTY'], ['close'], '1s', 1],
  ['STOCK', ['INFY'], ['close', 'cumulative_volume'], '1d', 3_600],
  ['CHAIN', ['NIFTY'], ['cumulative_oi'], '1h', 1],
];

function candlesBody([type, values, fields, interval, days]: (typeof CANDLES)[number]): string {
  const endDate = new Date();
  const startDate = new Date(endDate.getTime() - days * DAY_MS);
  const query = [{ exchange: 'NSE', type, values, fields, interval, startDate, endDate, intraDay: false }];
  return JSON.stringify({ query });
}

/** The last day before an instant that has end-of-day files. */
async function lastFileDay({ url, headers }: Running, from: number): Promise<string> {
  for (let at = from - DAY_MS; ; at -= DAY_MS) {
    const day = istDay(at);
    const compact = day.replaceAll('-', '');
    const reply = await ask(`${url}/bhavcopy/nse/${compact}?format=csv&type=FO${compact}`, 'GET', headers);
    if (reply.status === 200) return day;
  }
}

const istDay = (at: number): string => new Date(at + 19_800_000).toISOString().slice(0, 10);

/** Returns the result of some work on a sandbox. The sandbox is stopped whatever happens. */
async function on<T>(options: string[], work: (running: Running) => Promise<T>): Promise<T> {
  const running = await watchedSandbox('--universe', ...options);
  try {
    return await work(running);
  } finally {
    await stop(running);
  }
}

async function largestReplies(running: Running): Promise<Figure[]> {
  const now = Date.now();
  const figures: Figure[] = [];
  for (const [name, address] of largeRequests(istDay(now), await lastFileDay(running, now))) {
    await longestBusy(running);
    const { status } = await ask(running.url + address, 'GET', running.headers);
    if (status !== 200) throw new Error(`${address} answered ${status}`);
    figures.push({ name: `${name}: busy`, value: await longestBusy(running), unit: 'ms', atMost: BUSY_MS });
  }
  for (const requested of CANDLES) {
    await longestBusy(running);
    const { status } = await ask(`${running.url}/charts/timeseries`, 'POST', running.headers, candlesBody(requested));
    if (status !== 200) throw new Error(`candles answered ${status}`);
    const name = `candles of ${requested[3]}, ${requested[0]} ${requested[1].join(' ')}: busy`;
    figures.push({ name, value: await longestBusy(running), unit: 'ms', atMost: BUSY_MS });
  }
  return figures;
}

async function listen({ url, headers }: Running): Promise<WebSocket> {
  const token = headers['authorization']!.slice('Bearer '.length);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/stream?token=${token}`, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.send(`subscribe ${token} direct_intent notification`);
  return socket;
}

/** Places so many orders with 100 listeners, and kills the sandbox. */
async function load(running: Running, orders: number): Promise<Figure[]> {
  const { url, headers } = running;
  const refId = await refIdOf(running, 'STOCK_INFY.NSECM');
  const sockets = await Promise.all(Array.from({ length: LISTENERS }, () => listen(running)));
  const body = orderBody(refId);
  const latencies: number[] = [];
  await longestBusy(running);
  await requests(orders, async () => {
    const began = performance.now();
    const reply = await ask(`${url}/orders/v2/single`, 'POST', headers, body);
    latencies.push(performance.now() - began);
    return reply;
  });
  const busy = await longestBusy(running);
  const memory = resident(running);
  const began = performance.now();
  const list = await ask(`${url}/orders`, 'GET', headers);
  const listed = performance.now() - began;
  const listBusy = await longestBusy(running);
  for (const socket of sockets) socket.terminate();
  running.child.kill('SIGKILL');
  await once(running.child, 'exit');
  return [
    { name: `order with ${LISTENERS} listeners, median`, value: percentile(latencies, 50), unit: 'ms' },
    { name: 'the same, 99th percentile', value: percentile(latencies, 99), unit: 'ms', atMost: 50 },
    { name: 'longest busy at a stretch', value: busy, unit: 'ms', atMost: BUSY_MS },
    { name: `resident after ${orders} orders`, value: memory, unit: 'MB', atMost: 400 },
    { name: `GET /orders, ${(list.body.length / 1e6).toFixed(0)} MB`, value: listed, unit: 'ms', atMost: 250 },
    { name: 'its longest busy at a stretch', value: listBusy, unit: 'ms', atMost: BUSY_MS },
  ];
}

/** The figures of the load, and how soon the sandbox is back after the kill. */
async function loadAndKill(orders: number): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
  try {
    const figures = await on(['full', '--data', folder], (running) => load(running, orders));
    const startMs = await on(['full', '--data', folder], (again) => Promise.resolve(again.startMs));
    return [...figures, { name: 'start after a kill', value: startMs, unit: 'ms', atMost: 2_000 }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const make: MakeRow = ({ short }) => ({
  title: 'the sandbox stays responsive',
  work: `the largest replies of the full universe; ${short ? 200 : 20_000} orders with ${LISTENERS} listeners`,
  sides: [],
  goals: [],
  figures: async () => [
    ...(await on([short ? 'demo' : 'full'], largestReplies)),
    ...(await loadAndKill(short ? 200 : 20_000)),
  ],
  close: () => {
    agent.destroy();
    return Promise.resolve();
  },
});

export default make;
