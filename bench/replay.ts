/**
 * A day that the sandbox has recorded itself, minute candles of 500 shares and of the indices, replayed as fast as it goes with ten
 * working orders: alone, and with a listener that hears of all 500 shares each second.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Figure, MakeRow } from './row';
import { agent, ask, json, orderBody, requests, sandbox, startSandbox, stop, type Running } from './support/sandbox';

const SHARES = 500;
const WORKING = 10;
/** A Friday, on which equity trades for six hours and a quarter. */
const DATE = '2026-11-20';
const BEGIN = `${DATE}T09:15:00+05:30`;
const SESSION_SECONDS = 22_500;
/** Ticks a second of a processor's time in /proc. */
const TICKS = 100;

type ReplayTarget = Pick<Running, 'url' | 'headers'>;

const setClock = async ({ url }: Pick<Running, 'url'>, body: object): Promise<void> => {
  const { status, body: text } = await ask(`${url}/_sandbox/clock`, 'POST', {}, JSON.stringify(body));
  if (status !== 200) throw new Error(`the clock answered ${status}: ${text.toString()}`);
};

/** Records the day into a folder. @param until the time at which the recording ends */
async function record(folder: string, until: string): Promise<void> {
  const start = `${DATE}T09:00:00+05:30`;
  const running = await startSandbox(
    '--universe',
    'full',
    '--clock',
    'manual',
    '--hours',
    'exchange',
    '--start',
    start,
    '--record',
    folder,
  );
  await setClock(running, { set: `${DATE}T${until}:00+05:30` });
  await stop(running);
}

/** Returns the recorded shares in the order of the file: the most traded come first. */
function sharesOf(folder: string): string[] {
  const rows = readFileSync(path.join(folder, `${DATE}.csv`), 'utf8')
    .split('\n')
    .slice(1, -1)
    .map((row) => row.split(','));
  return [...new Set(rows.filter((cells) => cells[7] !== '').map((cells) => cells[2]!))];
}

async function refIdsOf({ url, headers }: ReplayTarget, symbols: readonly string[]): Promise<number[]> {
  const reply = json(await ask(`${url}/refdata/refdata/${DATE}?exchange=NSE`, 'GET', headers));
  const { refdata } = reply as { refdata: { plat_name: string; ref_id: number }[] };
  const byName = new Map(refdata.map(({ plat_name: name, ref_id }) => [name, ref_id]));
  return symbols.map((symbol) => byName.get(`STOCK_${symbol}.NSECM`)!);
}

/** Places orders that wait all day: to buy a tenth below the price. */
async function work({ url, headers }: ReplayTarget, refIds: readonly number[]): Promise<void> {
  await requests(refIds.length, async (place) => {
    const book = json(await ask(`${url}/orderbooks/${refIds[place]}?levels=1`, 'GET', headers)) as {
      orderBook: { ltp: number };
    };
    const price = Math.round((book.orderBook.ltp * 0.9) / 500) * 500;
    const body = { ...(JSON.parse(orderBody(refIds[place]!)) as object), price_type: 'LIMIT', order_price: price };
    return ask(`${url}/orders/v2/single`, 'POST', headers, JSON.stringify(body));
  });
}

/** Receives the prices of shares, in each second of the market. */
async function listen(
  { url, headers }: ReplayTarget,
  symbols: readonly string[],
  received: () => void,
): Promise<WebSocket> {
  const token = headers['authorization']!.slice('Bearer '.length);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/apibatch/ws?token=${token}`, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.on('message', received);
  socket.send(`batch_subscribe ${token} index ${JSON.stringify({ indexes: symbols })} NSE`);
  await once(socket, 'message');
  return socket;
}

/** Processor time that a process has had, seconds. */
function processorTime({ child }: Pick<Running, 'child'>): number {
  const cells = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(cells[11]) + Number(cells[12])) / TICKS;
}

/** The most memory that a process has had, MB. */
function mostMemory({ child }: Pick<Running, 'child'>): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;
}

/** Waits until the day is over: at the end of the recording the clock stops. */
async function dayIsOver({ url }: Pick<Running, 'url'>, end: number): Promise<void> {
  for (;;) {
    const { now } = json(await ask(`${url}/_sandbox/clock`, 'GET', {})) as { now: string };
    if (Date.parse(now) >= end) return;
    await pause(50);
  }
}

/** The day at full speed. */
async function replay(folder: string, listeners: 0 | 1, seconds: number): Promise<Figure[]> {
  const running = await sandbox(
    '--replay',
    folder,
    '--clock',
    'manual',
    '--universe',
    listeners === 1 ? 'demo' : 'full',
  );
  try {
    const symbols = sharesOf(folder);
    if (symbols.length !== SHARES) throw new Error(`${symbols.length} shares were recorded`);
    await setClock(running, { set: BEGIN });
    await work(running, await refIdsOf(running, symbols.slice(0, WORKING)));
    let frames = 0;
    const socket = listeners === 1 ? await listen(running, symbols, () => (frames += 1)) : undefined;
    frames = 0;
    const [began, before] = [performance.now(), processorTime(running)];
    await setClock(running, { mode: 'fastest' });
    await dayIsOver(running, Date.parse(BEGIN) + seconds * 1_000);
    const [wall, processor] = [(performance.now() - began) / 1_000, processorTime(running) - before];
    socket?.terminate();
    const what = listeners === 1 ? `beside a listener of ${SHARES} shares` : 'full universe, nobody listens';
    return [
      {
        name: `start, ${listeners === 1 ? 'demo' : 'full'} universe`,
        value: running.startMs,
        unit: 'ms',
        atMost: 5_000,
      },
      { name: `${what}: times real time`, value: seconds / wall, unit: '×', ...(listeners === 0 && { atLeast: 500 }) },
      { name: 'by its processor time', value: seconds / processor, unit: '×' },
      ...(listeners === 1 ? [{ name: 'frames heard', value: frames, unit: '' }] : []),
      { name: 'most memory', value: mostMemory(running), unit: 'MB', atMost: 400 },
    ];
  } finally {
    await stop(running);
  }
}

const make: MakeRow = ({ short }) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
  const [until, seconds] = short ? ['09:20', 300] : ['16:00', SESSION_SECONDS];
  return {
    title: 'Replay of a recorded day, as fast as it goes',
    work: `minute candles of ${SHARES} shares and the indices, recorded by the sandbox; ${WORKING} orders work all day`,
    sides: [],
    goals: [],
    figures: async () => {
      await record(folder, until);
      return [...(await replay(folder, 0, seconds)), ...(await replay(folder, 1, seconds / 10))];
    },
    close: () => {
      agent.destroy();
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
};

export default make;
