import {
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { appendOwn, writeWhole } from '../../../sandbox/src/store/folder';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'recorder-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const at = (time: string): number => Date.parse(`${time}+05:30`);
/** The Sunday of Diwali, whose session lasts an hour. */
const DAY = { from: at('2026-11-08T00:00:00'), to: at('2026-11-09T00:00:00') };

function minutesOf(sandbox: Sandbox, exchange: 'NSE' | 'BSE', symbol: string) {
  const instrument = sandbox.world.market.universe(DAY.from).bySymbol(exchange, symbol)!;
  return sandbox.world.market
    .bars(instrument, '1m', DAY.from, DAY.to, DAY.to)
    .map(({ at: begin, open, high, low, close, volume }) => [begin, open, high, low, close, volume]);
}

it('records a day that is replayed with the same candles and volumes, a pushed price included', async () => {
  const start = '2026-11-08T17:45:00+05:30';
  const first = new Sandbox({ ...DEFAULT_OPTIONS, clock: 'manual', hours: 'exchange', start, record: folder });
  const infy = first.world.universe().bySymbol('NSE', 'INFY')!;
  first.clock.set(at('2026-11-08T18:20:00'));
  first.now();
  first.world.trade.movePrice(infy.refId, Math.round((first.world.lastPrice(infy) * 1.02) / 10) * 10);
  first.clock.set(at('2026-11-09T01:00:00'));
  first.now();
  first.close();
  expect(readdirSync(folder)).toEqual(['2026-11-08.csv']);
  const again = await Sandbox.open({ ...DEFAULT_OPTIONS, seed: 77, clock: 'manual', replay: folder });
  expect(again.recordings!.instruments.size).toBeGreaterThan(100);
  for (const symbol of ['INFY', 'TCS']) {
    const minutes = minutesOf(first, 'NSE', symbol);
    expect(minutes.length).toBeGreaterThan(55);
    expect(minutesOf(again, 'NSE', symbol)).toEqual(minutes);
  }
  for (const [exchange, symbol] of [
    ['NSE', 'NIFTY'],
    ['BSE', 'SENSEX'],
  ] as const) {
    const prices = (sandbox: Sandbox) => minutesOf(sandbox, exchange, symbol).map((minute) => minute.slice(0, 5));
    expect(prices(again)).toEqual(prices(first));
  }
  again.close();
});

it('writes the bars of a day that is not over, and nothing of the future', () => {
  const start = '2026-11-20T09:00:00+05:30';
  const sandbox = new Sandbox({ ...DEFAULT_OPTIONS, clock: 'manual', hours: 'exchange', start, record: folder });
  sandbox.clock.set(at('2026-11-20T09:17:30'));
  sandbox.now();
  sandbox.close();
  const lines = readFileSync(path.join(folder, '2026-11-20.csv'), 'utf8').split('\n');
  const times = lines.filter((line) => line.includes(',INFY,')).map((line) => line.slice(11, 16));
  expect(times).toEqual(['09:15', '09:16', '09:17']);
});

it('writes nothing of a day without trading, and refuses a folder that cannot be used', () => {
  const sunday = { ...DEFAULT_OPTIONS, clock: 'manual', start: '2026-11-22T10:00:00+05:30', record: folder } as const;
  new Sandbox(sunday).close();
  expect(readdirSync(folder)).toEqual([]);
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  expect(() => new Sandbox({ ...sunday, record: path.join(file, 'below') })).toThrow(/--record .* cannot be used/);
  expect(existsSync(path.join(folder, '2026-11-22.csv'))).toBe(false);
});

describe('A folder of --record that holds links', () => {
  let other: string;
  let elsewhere: string;
  beforeEach(() => {
    other = mkdtempSync(path.join(tmpdir(), 'recorder-other-'));
    elsewhere = path.join(other, 'precious');
    writeFileSync(elsewhere, 'precious');
  });
  afterEach(() => rmSync(other, { recursive: true }));

  it.each(['day.csv', 'day.csv.part'])('leaves alone what the link %s leads to', (name) => {
    symlinkSync(elsewhere, path.join(folder, name));
    writeWhole(path.join(folder, 'day.csv'), 'rows');
    expect(readFileSync(path.join(folder, 'day.csv'), 'utf8')).toBe('rows');
    expect(readFileSync(elsewhere, 'utf8')).toBe('precious');
    expect(readdirSync(folder)).toEqual(['day.csv']);
  });

  it.each([
    ['link', symlinkSync, 'ELOOP'],
    ['hard link', linkSync, 'EMLINK'],
  ])('writes nothing at the end of a file that is a %s', (_kind, link, code) => {
    const file = path.join(folder, 'ticks.csv');
    link(elsewhere, file);
    expect(() => appendOwn(file, Buffer.from('heading'), Buffer.from('row'))).toThrow(
      expect.objectContaining({ code }),
    );
    expect(readFileSync(elsewhere, 'utf8')).toBe('precious');
  });

  it('puts the heading at the beginning of a file that it makes, and rows after it', () => {
    const file = path.join(folder, 'ticks.csv');
    for (const row of ['one ', 'two ']) appendOwn(file, Buffer.from('heading '), Buffer.from(row));
    expect(readFileSync(file, 'utf8')).toBe('heading one two ');
  });
});
