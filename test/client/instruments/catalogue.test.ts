import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  forgetInstruments,
  instrumentsOf,
  isOfEarlierDay,
  isTradingDayByMaster,
  newerInstruments,
  tradingDayOf,
} from '../../../client/instruments/catalogue';
import type { HttpStream } from '../../../client/base/ports';
import { createTransport } from '../../../client/transport';
import { VirtualClock } from '../../support/clock';
import { masterJson, masterRows } from '../../support/master';

const rows = [...masterRows(2_000, 'NSE', 30)];
const HOLIDAYS = new Set(['2026-11-21', '2026-11-22', '2026-11-24']);

/** As long as a whole market's, though most of it is blanks. */
const large = Buffer.concat([
  Buffer.from('{"exchange":"NSE","is_trading_on":true,"refdata":['),
  Buffer.alloc(40_000_000, ' '),
  Buffer.from(']}'),
]);

let server: Server;
let base: string;
let asked: string[] = [];
let broken = 0;
let empty = new Set<string>();
/** Days whose list has only shares and indices. */
let sharesOnly = new Set<string>();
/** Number of rows in the lists. */
let listed = rows.length;
let sent = 0;
/** Number of contracts in a long list that expired in November and were not removed; undefined for the usual list. */
let leftOver: number | undefined;

const contracts = [...masterRows(6_000, 'NSE', 30)].filter(({ expiry }) => expiry > 0).slice(0, 4_000);

function rowsOf(date: string) {
  if (leftOver !== undefined)
    return contracts.map((row, at) => ({ ...row, expiry: at < leftOver! ? 20_261_124 : 20_270_330 }));
  if (empty.has(date)) return [];
  return sharesOnly.has(date) ? rows.filter(({ expiry }) => expiry === 0) : rows.slice(0, listed);
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://x');
    const date = url.pathname.split('/').at(-1)!;
    asked.push(`${url.searchParams.get('exchange')} ${date}`);
    const json = url.pathname.startsWith('/large')
      ? large
      : masterJson(rowsOf(date), {
          exchange: url.searchParams.get('exchange') ?? 'NSE',
          isTradingOn: !HOLIDAYS.has(date),
        });
    if (broken-- > 0) {
      response.write(json.subarray(0, json.length / 2));
      return void response.socket?.end();
    }
    let at = 0;
    const more = () => {
      while (at < json.length && !response.destroyed) {
        const chunk = json.subarray(at, (at += 16_384));
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

beforeEach(() => {
  forgetInstruments();
  asked = [];
  broken = 0;
  sent = 0;
  empty = new Set();
  sharesOnly = new Set();
  listed = rows.length;
  leftOver = undefined;
});

const httpStream: HttpStream = async ({ url, headers }, signal) => {
  const response = await fetch(url, { headers, signal });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    chunks: response.body as AsyncIterable<Uint8Array>,
  };
};

function transportAt(clock: VirtualClock, path = '') {
  return createTransport({
    http: () => Promise.reject(new Error('only streams are asked for here')),
    httpStream,
    clock,
    random: () => 0.5,
    baseUrl: `${base}${path}`,
    deviceId: 'd',
  });
}

it('fetches once for everybody, and again on the next day', async () => {
  const clock = new VirtualClock(Date.parse('2026-11-20T23:00:00+05:30'));
  const stores = await Promise.all(Array.from({ length: 20 }, () => instrumentsOf(transportAt(clock), 'NSE')));
  expect(asked).toEqual(['NSE 2026-11-20']);
  expect(new Set(stores).size).toBe(1);
  expect(stores[0]!.size).toBe(2_000);
  clock.set(Date.parse('2026-11-21T00:00:01+05:30'));
  expect(await instrumentsOf(transportAt(clock), 'NSE')).not.toBe(stores[0]);
  expect(asked).toEqual(['NSE 2026-11-20', 'NSE 2026-11-21']);
});

it('refuses a list whose contracts expired long before the day that was asked for, and names both days', async () => {
  await expect(
    instrumentsOf(transportAt(new VirtualClock(Date.parse('2027-01-04T10:00:00+05:30'))), 'NSE'),
  ).rejects.toThrow(
    'The service answered with the instrument master of 2026-11-24 or before, but n8n asked for that of 2027-01-04: the day is different',
  );
  // What has expired within a week may be kept.
  const soon = new VirtualClock(Date.parse('2026-11-30T10:00:00+05:30'));
  expect((await instrumentsOf(transportAt(soon), 'NSE')).size).toBe(2_000);
  // So may a few that nobody removed.
  listed = 230;
  const few = rows.slice(0, listed).filter(({ expiry }) => expiry > 0 && expiry < 20_261_201).length;
  expect(few).toBeGreaterThan(0);
  expect(few).toBeLessThanOrEqual(50);
  const later = new VirtualClock(Date.parse('2026-12-02T10:00:00+05:30'));
  expect((await instrumentsOf(transportAt(later, '/few'), 'NSE')).size).toBe(listed);
});

it.each([
  [80, true],
  [81, false],
])('takes a list of 4,000 contracts of which %i expired long ago: %s', async (count, isTaken) => {
  leftOver = count;
  const asking = instrumentsOf(transportAt(new VirtualClock(Date.parse('2027-01-04T10:00:00+05:30'))), 'NSE');
  const taken = await asking.then(
    (store) => store.size === 4_000,
    (error: Error) => !error.message.includes('the day is different'),
  );
  expect(taken).toBe(isTaken);
});

it('keeps environments and exchanges apart, and a limited number of them', async () => {
  const clock = new VirtualClock();
  for (let at = 0; at < 7; at++) await instrumentsOf(transportAt(clock, `/e${at}`), 'BSE');
  expect(asked).toHaveLength(7);
  await instrumentsOf(transportAt(clock, '/e6'), 'BSE');
  expect(asked).toHaveLength(7);
  await instrumentsOf(transportAt(clock, '/e0'), 'BSE');
  expect(asked).toHaveLength(8);
});

it('does not keep a download that broke off', async () => {
  const clock = new VirtualClock();
  broken = 1;
  await expect(
    Promise.all([instrumentsOf(transportAt(clock), 'NSE'), instrumentsOf(transportAt(clock), 'NSE')]),
  ).rejects.toThrow();
  expect((await instrumentsOf(transportAt(clock), 'NSE')).size).toBe(2_000);
});

it('lets one caller give up while the others get theirs', async () => {
  const clock = new VirtualClock();
  const controller = new AbortController();
  const given = instrumentsOf(transportAt(clock), 'NSE', controller.signal);
  const kept = instrumentsOf(transportAt(clock), 'NSE');
  controller.abort(new Error('given up'));
  await expect(given).rejects.toThrow('given up');
  expect((await kept).size).toBe(2_000);
});

it('takes the last day that has instruments', async () => {
  empty = new Set(['2026-11-21', '2026-11-22']);
  const clock = new VirtualClock(Date.parse('2026-11-22T12:00:00+05:30'));
  expect((await instrumentsOf(transportAt(clock), 'NSE')).date).toBe('2026-11-20');
});

it('asks again for the master of today where that of an earlier day had to serve, for all at once', async () => {
  empty = new Set(['2026-11-23']);
  const clock = new VirtualClock(Date.parse('2026-11-23T08:45:00+05:30'));
  const get = async () => await instrumentsOf(transportAt(clock), 'NSE');
  expect((await get()).date).toBe('2026-11-22');
  expect((await get()).date).toBe('2026-11-22');
  expect(asked).toEqual(['NSE 2026-11-23', 'NSE 2026-11-22']);
  clock.set(Date.parse('2026-11-23T08:56:00+05:30'));
  expect((await get()).date).toBe('2026-11-22');
  expect(asked).toHaveLength(3);
  empty.clear();
  clock.set(Date.parse('2026-11-23T09:10:00+05:30'));
  const both = await Promise.all([get(), get()]);
  expect(both.map(({ date }) => date)).toEqual(['2026-11-23', '2026-11-23']);
  expect(asked).toHaveLength(4);
  clock.set(Date.parse('2026-11-23T15:00:00+05:30'));
  await get();
  expect(asked).toHaveLength(4);
});

it('fetches again in the morning what was fetched at night: it may have been the list of the day before', async () => {
  const clock = new VirtualClock(Date.parse('2026-11-23T00:30:00+05:30'));
  const get = async () => await instrumentsOf(transportAt(clock), 'NSE');
  const atNight = await get();
  await isTradingDayByMaster(transportAt(clock), 'NSE', '2026-11-24');
  clock.set(Date.parse('2026-11-23T08:29:59+05:30'));
  expect(await get()).toBe(atNight);
  clock.set(Date.parse('2026-11-23T08:30:00+05:30'));
  expect(await get()).not.toBe(atNight);
  await isTradingDayByMaster(transportAt(clock), 'NSE', '2026-11-24');
  expect(asked).toEqual(['NSE 2026-11-23', 'NSE 2026-11-24', 'NSE 2026-11-23', 'NSE 2026-11-24']);
});

describe('a list in which something is missing', () => {
  const MORNING = Date.parse('2026-11-20T09:30:00+05:30');

  it('is asked for again after a minute, once for all who miss something', async () => {
    const clock = new VirtualClock(MORNING);
    listed = 1_999;
    const first = await instrumentsOf(transportAt(clock), 'NSE');
    listed = 2_000;
    expect(await newerInstruments(transportAt(clock), 'NSE', first)).toBeUndefined();
    clock.set(MORNING + 59_999);
    expect(await newerInstruments(transportAt(clock), 'NSE', first)).toBeUndefined();
    expect(asked).toHaveLength(1);
    clock.set(MORNING + 60_000);
    const all = await Promise.all(Array.from({ length: 50 }, () => newerInstruments(transportAt(clock), 'NSE', first)));
    expect(asked).toHaveLength(2);
    expect(new Set(all).size).toBe(1);
    expect(all[0]!.size).toBe(2_000);
    expect(await instrumentsOf(transportAt(clock), 'NSE')).toBe(all[0]);
    // Who still has the list of before gets the newer one without a request.
    expect(await newerInstruments(transportAt(clock), 'NSE', first)).toBe(all[0]);
    expect(asked).toHaveLength(2);
  });

  it('is asked for at most once a minute, however often and whatever is missing', async () => {
    const clock = new VirtualClock(MORNING);
    const transport = transportAt(clock);
    for (let second = 0; second < 600; second += 5) {
      clock.set(MORNING + second * 1_000);
      await newerInstruments(transport, 'NSE', await instrumentsOf(transport, 'NSE'));
    }
    expect(asked).toHaveLength(10);
  });

  it('serves on while the newer one comes, and where it does not come', async () => {
    const clock = new VirtualClock(MORNING);
    const transport = transportAt(clock);
    const first = await instrumentsOf(transport, 'NSE');
    clock.set(MORNING + 60_000);
    broken = 1;
    const missing = newerInstruments(transport, 'NSE', first);
    expect(await instrumentsOf(transport, 'NSE')).toBe(first);
    expect(await missing).toBeUndefined();
    empty = new Set(['2026-11-20']);
    clock.set(MORNING + 120_000);
    expect(await newerInstruments(transport, 'NSE', first)).toBeUndefined();
    expect(await instrumentsOf(transport, 'NSE')).toBe(first);
    expect(asked).toHaveLength(3);
  });
});

it('takes a list without derivatives on a trading day for one that is not made yet: that of the day before serves', async () => {
  sharesOnly = new Set(['2026-11-20']);
  const clock = new VirtualClock(Date.parse('2026-11-20T08:40:00+05:30'));
  const transport = transportAt(clock);
  const early = await instrumentsOf(transport, 'NSE');
  expect([early.date, early.hasDerivatives, isOfEarlierDay(transport, 'NSE', early)]).toEqual([
    '2026-11-19',
    true,
    true,
  ]);
  sharesOnly.clear();
  clock.set(Date.parse('2026-11-20T08:40:59+05:30'));
  expect(await instrumentsOf(transport, 'NSE')).toBe(early);
  clock.set(Date.parse('2026-11-20T08:41:00+05:30'));
  const whole = await instrumentsOf(transport, 'NSE');
  expect([whole.date, isOfEarlierDay(transport, 'NSE', whole)]).toEqual(['2026-11-20', false]);
});

it('accepts a list without derivatives on a day without trading, and of an exchange that has none', async () => {
  sharesOnly = new Set(['2026-11-19', '2026-11-20', '2026-11-21']);
  const weekend = new VirtualClock(Date.parse('2026-11-21T10:00:00+05:30'));
  const ofSaturday = await instrumentsOf(transportAt(weekend), 'NSE');
  expect(ofSaturday.date).toBe('2026-11-21');
  expect(isOfEarlierDay(transportAt(weekend), 'NSE', ofSaturday)).toBe(false);
  const clock = new VirtualClock(Date.parse('2026-11-20T10:00:00+05:30'));
  expect((await instrumentsOf(transportAt(clock, '/shares'), 'NSE')).date).toBe('2026-11-20');
});

describe('trading days', () => {
  it('are told by is_trading_on, without fetching the rest, once a day', async () => {
    const clock = new VirtualClock();
    expect(await isTradingDayByMaster(transportAt(clock, '/large'), 'NSE', '2026-11-20')).toBe(true);
    expect(sent).toBeLessThan(large.length / 2);
    expect(await isTradingDayByMaster(transportAt(clock), 'NSE', '2026-11-21')).toBe(false);
    expect(await isTradingDayByMaster(transportAt(clock), 'NSE', '2026-11-21')).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it('come with the one before and the one after', async () => {
    const clock = new VirtualClock();
    expect(await tradingDayOf(transportAt(clock), 'NSE', '2026-11-22')).toEqual({
      date: '2026-11-22',
      exchange: 'NSE',
      isTradingDay: false,
      previous: '2026-11-20',
      next: '2026-11-23',
    });
    expect((await tradingDayOf(transportAt(clock), 'NSE', '2026-11-23')).next).toBe('2026-11-25');
  });
});
