import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Sandbox } from '../../../sandbox/src';
import { bhavcopy } from '../../../sandbox/src/market/prices/bhavcopy';
import type { Market } from '../../../sandbox/src/market/prices/types';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { parseOptions } from '../../../sandbox/src/simulation/command-line';
import { readRecordings } from '../../../sandbox/src/simulation/recordings';
import { describeWith, SHARED_DATA } from '../../support/needs';
import { logIn, start, type Bench } from '../support';
import { share } from '../../support/sample';
import { zipOfFiles } from '../../support/zip';

const ist = (time: string): number => Date.parse(`${time}+05:30`);
const MINUTE = 60_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'replay-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, content: string | Buffer): void => writeFileSync(path.join(folder, name), content);
const DAY =
  'time,open,high,low,close,volume\n2020-03-13 09:15,600,601,599.5,600.5,10\n2020-03-13 09:16,600.5,602,600,601,20\n';

describe('A folder of recordings', () => {
  it('holds candles, compressed or not, and says what was not read', async () => {
    put('INFY.csv', DAY);
    put('TCS.csv.gz', gzipSync(DAY));
    put('README.md', 'mine');
    const { instruments, dates, notes } = await readRecordings(folder);
    expect([...instruments.keys()]).toEqual(['NSE INFY', 'NSE TCS']);
    expect(dates).toEqual(['2020-03-13']);
    expect(notes[0]).toBe('Not read, as they are neither CSV nor JSON nor Parquet: README.md.');
  });

  it('reads the daily set of NSE from its zip: prices of PD by its name, and nothing of the other files', async () => {
    const pd = [
      'MKT,SERIES,SYMBOL,SECURITY,PREV_CL_PR,OPEN_PRICE,HIGH_PRICE,LOW_PRICE,CLOSE_PRICE,NET_TRDVAL,NET_TRDQTY,IND_SEC,CORP_IND,TRADES,HI_52_WK,LO_52_WK',
      'Y, , ,Nifty 50,9360.55,9384.05,9523.30,9379.20,9509.75,351280718832.60,1758456434,Y, ,10664615,9532.60,7893.80',
      'N,EQ,INFY,INFOSYS LIMITED,954.80,961.00,986.60,961.00,983.30,5105249719.45,5219257,Y, ,76160,1279.30,901.00',
    ].join('\n');
    put(
      'PR250517.zip',
      zipOfFiles([
        ['Readme.txt', 'These files hold'],
        ['pr250517.csv', 'MKT,SECURITY\nN,INFOSYS'],
        ['Pd250517.csv', pd],
        ['an250517.txt', 'Announcements of the day'],
        ['bc250517.csv', 'SERIES,SYMBOL\nEQ,INFY'],
      ]),
    );
    const { instruments, dates, notes } = await readRecordings(folder);
    expect([...instruments.keys()].sort()).toEqual(['NSE INFY', 'NSE NIFTY']);
    expect(dates).toEqual(['2017-05-25']);
    expect(
      notes.filter((note) => note.includes("belongs to NSE's daily set")).map((note) => note.split(':')[0]),
    ).toEqual(['Readme.txt', 'pr250517.csv', 'an250517.txt', 'bc250517.csv']);
  });

  it('takes what replay.json says of a file', async () => {
    put('data.csv', DAY.replace('time', 'when'));
    put(
      'replay.json',
      JSON.stringify({
        all: { columns: { time: 'when' } },
        files: { 'data.csv': { symbol: 'INFY', prices: 'paise' } },
      }),
    );
    put(
      'data.csv',
      'when,open,high,low,close\n2020-03-13 09:15,60000,60100,59950,60050\n2020-03-13 09:16,60050,60100,59950,60050\n',
    );
    const [bar] = (await readRecordings(folder)).instruments.get('NSE INFY')!.days.values().next().value!.bars();
    expect(bar).toMatchObject({ from: 0, open: 60000, close: 60050 });
  });

  it.each([
    [{ 'INFY.csv': DAY, 'replay.json': '{' }, 'replay.json is not JSON'],
    [{ 'INFY.csv': DAY, 'replay.json': '{"every": {}}' }, 'replay.json, top: "every" is not known'],
    [{ 'INFY.csv': DAY, 'replay.json': '{"all": {"unit": "paise"}}' }, 'replay.json, "all": "unit" is not known'],
    [{ 'INFY.csv': DAY, 'replay.json': '{"all": {"timezone": "Mars"}}' }, '"zone" must be "IST"'],
    [
      { 'INFY.csv': DAY, 'replay.json': '{"files": {"X.csv": {}}}' },
      'there is no such file in the folder, which has INFY.csv',
    ],
    [{ 'a.txt.gz': 'no gzip' }, 'a.txt.gz, line 1: it cannot be unpacked'],
    [{ 'notes.md': '' }, 'holds no candles'],
    [{ 'INFY.csv': DAY, 'INFY_2.csv': DAY }, 'INFY_2.csv, line 2: NSE INFY on 2020-03-13 is in INFY.csv too'],
    [
      { 'INFY.csv': `${DAY}2020-03-13 09:15,600,601,599.5,600,10\n` },
      'INFY.csv, line 4: NSE INFY has another row of the same time at line 2',
    ],
    [
      { 'INFY.csv': `${DAY}2020-03-13 09:17,601,602,600,601,10\n2020-03-13 09:17:30,601,602,600,601,10\n` },
      'INFY.csv, line 5: 09:17:30 is no time of a bar of 1m among the others',
    ],
    [{ 'INFY.csv': DAY.replaceAll('09:1', '21:1') }, 'no row of NSE INFY is within a trading session'],
  ])('is refused where it is wrong: %j', async (files, says) => {
    for (const [name, content] of Object.entries(files)) put(name, content);
    await expect(readRecordings(folder)).rejects.toThrow(says);
  });

  it('is refused where there is none', async () => {
    await expect(readRecordings(path.join(folder, 'none'))).rejects.toThrow('there is no such folder');
    put('INFY.csv', DAY);
    await expect(readRecordings(path.join(folder, 'INFY.csv'))).rejects.toThrow('is a file: give the folder');
  });

  it('lists rows outside the session and on holidays, and does not trade them', async () => {
    put(
      'INFY.csv',
      `${DAY}2020-03-13 08:00,500,500,500,500,5\n2020-03-15 09:15,500,500,500,500,5\n2020-03-13 16:00,603,603,603,603,0\n`,
    );
    const { instruments, notes } = await readRecordings(folder);
    const [day] = instruments.get('NSE INFY')!.days.values();
    expect(day!.bars()).toHaveLength(2);
    expect(day!.officialClose).toBe(60300);
    expect(notes).toContain('NSE INFY: rows outside the session are not traded: 2 (the first in INFY.csv, line 4).');
    expect(notes).toContain(
      'NSE INFY: rows on days without trading are not traded: 1 (the first in INFY.csv, line 5).',
    );
  });
});

describe('--replay', () => {
  it('begins on its first day, or the first from a date on, in the exchanges’ hours', async () => {
    put('INFY.csv', `${DAY}2020-03-16 09:15,600,601,599.5,600.5,10\n`);
    const sandbox = (from?: string) => Sandbox.open({ ...DEFAULT_OPTIONS, clock: 'manual', replay: folder, from });
    expect((await sandbox()).now()).toBe(ist('2020-03-13T09:00:00'));
    expect((await sandbox('2020-03-14')).now()).toBe(ist('2020-03-16T09:00:00'));
    expect((await sandbox()).options.hours).toBe('exchange');
    await expect(sandbox('2020-03-17')).rejects.toThrow(
      '--from 2020-03-17 is after the recording, which has 2020-03-13 to 2020-03-16',
    );
  });

  it('returns sessions that are valid by the clock of a program beside it, too, and at the end of the recording', async () => {
    put('INFY.csv', `${DAY}2020-03-16 09:15,600,601,599.5,600.5,10\n`);
    const bench = await start({ start: undefined, replay: folder });
    const headers = await logIn(bench);
    const claims = Buffer.from(headers['authorization']!.split('.')[1]!, 'base64url').toString();
    expect((JSON.parse(claims) as { exp: number }).exp * 1_000).toBeGreaterThan(Date.now() + 24 * 60 * MINUTE);
    await bench.http.post('/_sandbox/clock', { set: '2020-03-16T16:00:00+05:30' });
    expect((await bench.http.get('/orders', { headers })).status).toBe(200);
    await bench.close();
  });

  it.each([
    ['--from 2020-03-13', 'give --replay FOLDER too'],
    ['--replay x --from 13.3.2020', '--from must be a date such as'],
    ['--replay x --from 2020-03-13 --start 2020-03-13T09:00:00+05:30', '--from and --start'],
    ['--replay x --hours always', '--replay keeps the hours of the exchanges'],
    ['--replay=', '--replay must not be empty'],
  ])('is refused with %s', (args, says) => {
    expect(() => parseOptions(args.split(' '))).toThrow(says);
  });

  it('goes on with its data only while the files are the same', async () => {
    put('INFY.csv', DAY);
    const sandbox = (replay: string | undefined, name: string) => {
      const data = path.join(folder, name);
      mkdirSync(data, { recursive: true });
      return Sandbox.open({ ...DEFAULT_OPTIONS, hours: 'exchange', clock: 'manual', replay, data });
    };
    for (const name of ['one', 'other']) {
      (await sandbox(folder, name)).close();
      (await sandbox(folder, name)).close();
    }
    await expect(sandbox(undefined, 'one')).rejects.toThrow('with another --replay');
    put('INFY.csv', DAY.replace('600.5,10', '600,10'));
    await expect(sandbox(folder, 'other')).rejects.toThrow('or its files have changed');
  });
});

describeWith(SHARED_DATA, 'Real indices, minute by minute', (data) => {
  const history = path.join(data, 'history');
  const name = (symbol: string, month: string) => `minute_${symbol}_${month}.txt.gz`;
  /** Rows of the file, read apart from the sandbox's own reader: by the beginning of their minute. */
  const rowsOf = (symbol: string, month: string) =>
    gunzipSync(readFileSync(path.join(history, name(symbol, month))))
      .toString()
      .trim()
      .split('\n')
      .map((line) => {
        const [, date, clock, ...prices] = line.split(',') as [string, string, string, ...string[]];
        const at = ist(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${clock}:00`) - MINUTE;
        const [open, high, low, close] = prices.slice(0, 4).map((price) => Math.round(Number(price) * 100));
        return { at, open, high, low, close };
      })
      .filter(({ at }) => {
        const minute = ((at + 19_800_000) / MINUTE) % 1440;
        return minute >= 555 && minute < 930;
      });
  let bench: Bench;
  const replay = async (from: string) => {
    for (const symbol of ['NIFTY', 'BANKNIFTY']) {
      const file = name(symbol, from.slice(0, 7));
      copyFileSync(path.join(history, file), path.join(folder, file));
    }
    bench = await start({ start: undefined, replay: folder, from });
  };
  afterEach(() => bench.close());

  it.each(share(['2020-03', '2021-01'], 2, 1))('%s has each minute within a session to the paisa', async (month) => {
    await replay(`${month}-01`);
    const { market } = bench.running.sandbox.world;
    for (const symbol of ['NIFTY', 'BANKNIFTY']) {
      const instrument = market.universe(ist(`${month}-13T12:00:00`)).bySymbol('NSE', symbol)!;
      const bars = market.bars(instrument, '1m', ist(`${month}-01T00:00:00`), ist(`${month}-31T23:00:00`));
      expect(bars.length).toBeGreaterThan(7_000);
      expect(bars.map(({ at, open, high, low, close }) => ({ at, open, high, low, close }))).toEqual(
        rowsOf(symbol, month),
      );
    }
  });

  const halts: readonly [date: string, from: string, to: string][] = [
    ['2020-03-13', '09:22', '10:21'],
    ['2020-03-23', '09:59', '10:57'],
  ];
  it.each(share(halts, 2, 1))('derivatives do not trade on %s from %s to %s', async (date, from, to) => {
    await replay(date);
    const { market } = bench.running.sandbox.world;
    const [halted, on] = [ist(`${date}T${from}:00`), ist(`${date}T${to}:00`)];
    const future = market.universe(halted).futures('NSE', 'NIFTY')[0]!;
    const traded = market.bars(future, '1m', ist(`${date}T00:00:00`), ist(`${date}T23:00:00`)).map(({ at }) => at);
    expect(traded.filter((at) => at >= halted && at < on)).toEqual([]);
    expect(traded).toEqual(expect.arrayContaining([halted - MINUTE, on]));
  });

  it('halts on the 13th, and its gap is traded as a gap', async () => {
    await replay('2020-03-13');
    const headers = await logIn(bench);
    const { sandbox } = bench.running;
    const future = sandbox.world.universe().futures('NSE', 'NIFTY')[0]!;
    const order = () =>
      sandbox.world.placeOrder({
        account: sandbox.users.all()[0]!.clientCode,
        refId: future.refId,
        kind: 'REGULAR',
        side: 'SELL',
        quantity: future.lotSize,
        product: 'CNC',
        validity: 'DAY',
        priceType: 'LIMIT',
        price: 8_800_00,
        triggerPrice: 0,
        legSize: 0,
        tag: '',
        basketId: 0n,
        source: 'API',
      });
    const to = async (clock: string) => {
      await bench.http.post('/_sandbox/clock', { set: `2020-03-13T${clock}+05:30` });
    };
    await to('09:21:50');
    expect(sandbox.world.phase()).toBe('OPEN');
    // The halt is ten seconds away, and nobody is told.
    expect((await bench.http.get('/_sandbox/page/status')).data.reason).toBe('until 15:30');
    const taken = order();
    if (!taken.ok) throw new Error(taken.text);
    await to('09:30:00');
    expect(sandbox.world.phase()).toBe('CLOSED');
    const { data } = await bench.http.get('/optionchains/NIFTY/price?exchange=NSE', { headers });
    expect(data.price).toBe(862_405);
    await to('10:22:10');
    expect(sandbox.world.phase()).toBe('OPEN');
    const sold = sandbox.world.exchange.order(taken.order.id)!;
    // The first minute after the halt went from 8639.50 to 9087.45: what waited at 8800 was sold there or better.
    expect(sold.status).toBe('FILLED');
    expect(sold.filledValue / sold.quantity).toBeGreaterThanOrEqual(8_800_00);
  });
});

describeWith(SHARED_DATA, 'Real bhavcopies', (data) => {
  const BHAVCOPIES = [
    ['BhavCopy_NSE_CM_0_0_0_20250829_F_0000.csv', '2025-08-29', 7, 8, [14, 15, 16, 17, 24]],
    ['cm01APR2021bhav.csv', '2021-04-01', 0, 1, [2, 3, 4, 5, 8]],
  ] as const;
  it.each(share(BHAVCOPIES, 2, 0))(
    '%s has its days to the paisa, and so do the files of the evening',
    async (file, date, symbol, series, at) => {
      copyFileSync(path.join(data, 'bhavcopy', file), path.join(folder, file));
      const sandbox = await Sandbox.open({ ...DEFAULT_OPTIONS, clock: 'manual', replay: folder });
      const { market } = sandbox.world;
      const day = ist(`${date}T00:00:00`);
      const universe = market.universe(day);
      const shares = readFileSync(path.join(folder, file), 'utf8')
        .split('\n')
        .map((line) => line.split(','))
        .filter((cells) => cells[series] === 'EQ' && universe.bySymbol('NSE', cells[symbol]!) !== undefined)
        .filter((_cells, i) => i % 5 === 0);
      expect(shares.length).toBeGreaterThan(60);
      const evening = readBhavcopy(market, Number(date.replaceAll('-', '')));
      for (const cells of shares) {
        const recorded = at.map((place) => Number(cells[place]));
        const [bar] = market.bars(universe.bySymbol('NSE', cells[symbol]!)!, '1d', day, day + 1440 * MINUTE);
        const { open, high, low, close, volume } = bar!;
        expect([cells[symbol], open / 100, high / 100, low / 100, close / 100, volume]).toEqual([
          cells[symbol],
          ...recorded,
        ]);
        expect([cells[symbol], ...evening.get(cells[symbol]!)!]).toEqual([cells[symbol], ...recorded]);
      }
      sandbox.close();
    },
  );

  /** Open, high, low, close and volume of all shares in the file that the sandbox makes of a day. */
  function readBhavcopy(market: Market, date: number): Map<string, number[]> {
    const { columns, rows } = bhavcopy(market, 'BhavcopyCM', date)!;
    const places = ['OpnPric', 'HghPric', 'LwPric', 'ClsPric', 'TtlTradgVol'].map((name) => columns.indexOf(name));
    const symbol = columns.indexOf('TckrSymb');
    return new Map([...rows].map((cells) => [cells[symbol]!, places.map((place) => Number(cells[place]))]));
  }
});
