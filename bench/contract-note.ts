/** The contract note of a day with 30,000 trades: what it takes of memory, and for how long another request waits beside it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figure, MakeRow } from './row';
import {
  agent,
  ask,
  json,
  longestBusy,
  orderBody,
  requests,
  sandbox,
  stop,
  watchedSandbox,
  type Running,
} from './support/sandbox';

const SHARES = ['RELIANCE.NSECM', 'INFY.NSECM', 'TCS.NSECM', 'ITC.NSECM', 'SBIN.NSECM'];
const OPTIONS = ['--hours', 'always', '--data'];
const EVERY_MS = 5;
const CODE_MS = 30_000;

const today = (): string => new Date(Date.now() + 19_800_000).toISOString().slice(0, 10);

/** Buys and sells one share after the other, so many times. */
async function trade({ url, headers }: Running, trades: number): Promise<void> {
  const { refdata } = json(await ask(`${url}/refdata/refdata/${today()}`, 'GET', headers)) as {
    refdata: { plat_name: string; ref_id: number }[];
  };
  const ids = SHARES.map((share) => refdata.find(({ plat_name: name }) => name === `STOCK_${share}`)!.ref_id);
  await requests(trades, (n) => {
    const body = orderBody(ids[(n >> 1) % ids.length]!, n % 2 === 0 ? 'BUY' : 'SELL');
    return ask(`${url}/orders/v2/single`, 'POST', headers, body);
  });
}

const status = ({ child }: Running, name: string): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;

/** Asks for a small answer again and again until `over`; returns the longest that one took, milliseconds. */
async function longestWait({ url, headers }: Running, over: Promise<unknown>): Promise<number> {
  let isOver = false;
  void over.finally(() => (isOver = true));
  let longest = 0;
  while (!isOver) {
    const began = performance.now();
    await ask(`${url}/userinfo`, 'GET', headers);
    longest = Math.max(longest, performance.now() - began);
    await pause(EVERY_MS);
  }
  return longest;
}

const FORMATS = { JSON: 'view', EXCEL: 'workbook with a password', PDF: 'PDF with a password' } as const;

async function note(folder: string, format: keyof typeof FORMATS): Promise<Figure[]> {
  // A code is taken once.
  await pause(CODE_MS - (Date.now() % CODE_MS));
  const running = await watchedSandbox(...OPTIONS, folder);
  try {
    const { url, headers } = running;
    const at = `${today()}T00:00:00+05:30`;
    const get = (): Promise<{ status: number; body: Buffer }> =>
      ask(
        `${url}/report/contract_note`,
        'POST',
        headers,
        JSON.stringify({
          action_type: format === 'JSON' ? 'VIEW' : 'DOWNLOAD',
          export_format: format,
          from_date: at,
          to_date: at,
        }),
      );
    await pause(1_000);
    await longestWait(running, pause(1_000));
    writeFileSync(`/proc/${running.child.pid}/clear_refs`, '5');
    const before = status(running, 'VmRSS');
    await longestBusy(running);
    const began = performance.now();
    const asked = get();
    const wait = await longestWait(running, asked);
    const ms = performance.now() - began;
    const busy = await longestBusy(running);
    const { status: code, body } = await asked;
    if (code !== 200) throw new Error(`answered ${code}: ${body.toString().slice(0, 300)}`);
    const peakMemory = status(running, 'VmHWM');
    const name = FORMATS[format];
    return [
      { name: `${name}, ${(body.length / 1e6).toFixed(1)} MB: time`, value: ms, unit: 'ms' },
      { name: `${name}: most memory of the sandbox`, value: peakMemory, unit: 'MB', atMost: 270 },
      { name: `${name}: how much it grew`, value: peakMemory - before, unit: 'MB' },
      { name: `${name}: longest busy at a stretch`, value: busy, unit: 'ms', atMost: 50 },
      { name: `${name}: longest wait of another request`, value: wait, unit: 'ms' },
    ];
  } finally {
    await stop(running);
  }
}

const make: MakeRow = ({ short }) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
  const trades = short ? 500 : 30_000;
  return {
    title: 'A long contract note',
    work: `${trades} trades of a day`,
    sides: [],
    goals: [],
    figures: async () => {
      const running = await sandbox(...OPTIONS, folder);
      await trade(running, trades);
      await stop(running);
      const figures: Figure[] = [];
      for (const format of Object.keys(FORMATS) as (keyof typeof FORMATS)[])
        figures.push(...(await note(folder, format)));
      return figures;
    },
    close: () => {
      agent.destroy();
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  };
};

export default make;
