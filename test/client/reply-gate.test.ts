import {
  ForeignReplyError,
  MismatchedReplyError,
  ServiceError,
  SessionError,
  UnreadableReplyError,
} from '../../client/base/errors';
import { endpoints } from '../../client/endpoints';
import type { RequestParts } from '../../client/endpoints/endpoint';
import { getCandles } from '../../client/market/candles';
import { MarketClock } from '../../client/market-clock';
import { isForeign, isSessionEnded } from '../../client/reply-gate';
import { VirtualClock } from '../support/clock';
import { scriptedTransport, type ScriptedReply } from '../support/wire';

const PAGE = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking</body></html>';
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const reply = (status: number, text: string, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: Buffer.from(text),
});

const STATUSES = [200, 203, 302, 400, 401, 403, 404, 407, 408, 429, 440, 451, 499, 500, 502, 503, 511];

describe('who speaks', () => {
  it.each(STATUSES)('a page with the status %i is of somebody in between, whatever it calls itself', (status) => {
    for (const headers of [HTML, {}, { 'content-type': 'application/json' }])
      expect([isForeign(reply(status, PAGE, headers)), isSessionEnded(reply(status, PAGE, headers))]).toEqual([
        true,
        false,
      ]);
    expect(isForeign(reply(status, 'Denied', HTML))).toBe(true);
    for (const start of ['\ufeff<html>', '\n  <HTML lang="en">', '<!-- x --><p>', '<head>', '<center>'])
      expect(isForeign(reply(status, start))).toBe(true);
  });

  it.each([401, 440])('a %i is the service that ends a session, as JSON or with nothing in it', (status) => {
    for (const text of ['{"error":"Session expired"}', '{"message":"log in"}', '{}', ''])
      expect(isSessionEnded(reply(status, text))).toBe(true);
    for (const text of ['Unauthorized', '401', '[]', PAGE]) expect(isSessionEnded(reply(status, text))).toBe(false);
  });

  it.each([
    [407, '{"error":"x"}', {}],
    [511, '', {}],
    [302, '', { location: 'https://login.example' }],
    [401, '{"error":"x"}', { 'www-authenticate': 'Basic realm="proxy"' }],
    [401, '', { 'www-authenticate': 'Negotiate' }],
    [403, '{"error":"x"}', { 'proxy-authenticate': 'Basic' }],
  ])('a %i that wants something that the service has not is of somebody in between', (status, text, headers) => {
    expect(isForeign(reply(status, text, headers))).toBe(true);
  });

  it.each([
    [401, '{"error":"x"}', { 'www-authenticate': 'Bearer' }],
    [403, '{"error":"OMS v2 is not enabled"}', {}],
    [404, 'not found', {}],
    [500, '', {}],
    [200, 'SYMBOL,SERIES', {}],
    [200, '{"a":"<html>"}', {}],
  ])('a %i %s %j is let through', (status, text, headers) => {
    expect(isForeign(reply(status, text, headers))).toBe(false);
  });
});

const call = async (answer: ScriptedReply): Promise<unknown> =>
  await scriptedTransport(Array.from({ length: 5 }, () => answer))
    .transport.call<RequestParts, unknown>(endpoints.funds, {})
    .catch((error: unknown) => error);

it.each(STATUSES)(
  'a page with the status %i is an error that says who answered, on each way to the service',
  async (status) => {
    const answer = { status, text: PAGE, headers: { ...HTML, server: 'squid' } };
    const script = () => scriptedTransport(Array.from({ length: 5 }, () => answer)).transport;
    const failures = [
      await call(answer),
      await script()
        .fetch(endpoints.reportSummary)
        .catch((error: unknown) => error),
      await script()
        .stream(endpoints.refdata, { path: { date: '2026-11-20' } })
        .catch((error: unknown) => error),
    ];
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(ForeignReplyError);
      expect(failure).not.toBeInstanceOf(SessionError);
      expect(failure).not.toBeInstanceOf(ServiceError);
      expect(failure).toMatchObject({
        status,
        message: expect.stringMatching(
          /^Something between n8n and the service answered .* \(squid\).* with the status/,
        ),
        hint: expect.stringMatching(/base address/),
      });
    }
  },
);

it('a refusal in the form of the service is known as such', async () => {
  expect(await call({ status: 400, json: { error: 'no' } })).toMatchObject({ isOwnForm: true });
  expect(await call({ status: 400, json: { message: 'no' } })).toMatchObject({ isOwnForm: false });
  expect(await call({ status: 400, text: 'no' })).toMatchObject({ isOwnForm: false });
});

describe('a reply about something else', () => {
  const chain = (more: object) => ({ json: { chain: { asset: 'NIFTY', exchange: 'NSE', expiry: 20261124, ...more } } });
  const ofChain = { path: { asset: 'NIFTY' }, query: { exchange: 'NSE', expiry: '20261124' } };
  it.each([
    [
      'an underlying',
      { asset: 'BANKNIFTY' },
      /of BANKNIFTY, but n8n asked for that of NIFTY: the underlying is different/,
    ],
    ['an exchange', { exchange: 'BSE' }, /of BSE, but n8n asked for that of NSE/],
    ['an expiry', { expiry: '20261201' }, /of 2026-12-01, but n8n asked for that of 2026-11-24/],
    ['no expiry', { expiry: null }, /of no expiry, but n8n asked for that of 2026-11-24/],
  ])('is an error that names both: %s of an option chain', async (_what, more, words) => {
    const { transport } = scriptedTransport([chain({}), chain({ asset: 'nifty' }), chain(more)]);
    await transport.call(endpoints.optionChain, ofChain);
    await transport.call(endpoints.optionChain, ofChain);
    const failure = await transport.call(endpoints.optionChain, ofChain).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MismatchedReplyError);
    expect(failure).toBeInstanceOf(UnreadableReplyError);
    expect(failure).toMatchObject({ message: expect.stringMatching(words) });
  });

  it('is an error: the instrument of an order book, the exchange of a price, the id of an order', async () => {
    const { transport } = scriptedTransport([
      { json: { orderBook: { ref_id: 8, bid: [], ask: [] } } },
      { json: { price: 100, exchange: 'BSE' } },
      { text: '{"order_id":1763712345678900002}' },
      { json: { message: 'ok' } },
    ]);
    await expect(transport.call(endpoints.orderBook, { path: { ref_id: 7 } })).rejects.toThrow(
      /of 8, but n8n asked for that of 7/,
    );
    const path = { instrument: 'INFY' };
    await expect(transport.call(endpoints.currentPrice, { path, query: { exchange: 'NSE' } })).rejects.toThrow(
      /price of BSE, but n8n asked for that of NSE/,
    );
    const order = { path: { order_id: '1763712345678900001' } };
    await expect(transport.call(endpoints.order, order)).rejects.toThrow(
      /8900002, but n8n asked for that of 1763712345678900001/,
    );
    await expect(transport.call(endpoints.order, order)).rejects.toThrow(/of no order, but n8n asked for that of/);
  });

  const from = Date.parse('2026-11-16T00:00:00+05:30');
  const bars = (gapMs: number, start = from + 9.25 * 3_600_000, count = 5) =>
    Array.from({ length: count }, (_, at) => ({ ts: `${start + at * gapMs}000000`, v: 100 }));
  const candles = async (
    result: object,
    { interval = '15m', type = 'STOCK' }: { interval?: '15m' | '1h' | '1d'; type?: 'STOCK' | 'INDEX' } = {},
  ) =>
    await getCandles(scriptedTransport([{ json: { result: [result] } }]).transport, {
      exchange: 'NSE',
      type,
      symbols: ['INFY'],
      fields: ['close'],
      interval,
      from,
      to: from + 5 * 86_400_000,
      unit: 'paise',
    });
  const own = { exchange: 'NSE', type: 'STOCK', values: [{ INFY: { close: bars(900_000) } }] };

  it.each([
    ['an exchange', { ...own, exchange: 'BSE' }, {}, /of BSE, but n8n asked for that of NSE/],
    ['a type', { ...own, type: 'FUT' }, {}, /of FUT, but n8n asked for that of STOCK/],
    ['a symbol', { ...own, values: [{ TCS: { close: bars(900_000) } }] }, {}, /of TCS, but n8n asked for that of INFY/],
    [
      'shorter bars',
      { ...own, values: [{ INFY: { close: bars(60_000) } }] },
      {},
      /of 60 seconds, but n8n asked for that of 15m/,
    ],
    ['shorter bars than days', own, { interval: '1d' }, /of 900 seconds, but n8n asked for that of 1d/],
    [
      'bars of days of an index',
      { type: 'INDEX', values: [{ INFY: { close: bars(86_400_000) } }] },
      { type: 'INDEX' },
      /of 86400 seconds, but n8n asked for that of 15m/,
    ],
    [
      'bars of days at midnight',
      { values: [{ INFY: { close: bars(86_400_000, from) } }] },
      {},
      /of 86400 seconds, but n8n asked for that of 15m/,
    ],
    [
      'another range',
      { values: [{ INFY: { close: bars(900_000, from - 30 * 86_400_000) } }] },
      {},
      /of 2026-10-17 to 2026-10-17, but n8n asked for that of 2026-11-16 to 2026-11-20/,
    ],
  ] as const)('is an error that names both: %s of candles', async (_what, result, changes, words) => {
    expect((await candles(own)).rows).toHaveLength(5);
    await expect(candles(result, changes)).rejects.toThrow(words);
  });

  it('bars that a session cuts short are not of another interval', async () => {
    const opened = from + 9.25 * 3_600_000;
    // A bar of what is traded before the open, then those of the day, the last of a quarter of an hour before the next session.
    const minutes = [-15, 0, 60, 120, 180, 240, 300, 360, 375];
    const close = minutes.map((minute) => ({ ts: `${opened + minute * 60_000}000000`, v: 100 }));
    expect((await candles({ values: [{ INFY: { close } }] }, { interval: '1h' })).rows).toHaveLength(minutes.length);
  });

  describe('the times of candles', () => {
    const MINUTE = 60_000;
    const HOUR = 60 * MINUTE;
    const DAY = 24 * HOUR;
    const TIMES_OF = { first: '2026-11-16', days: 5, now: '2026-11-20T18:00' };
    /** Bars of each trading day in the hours of the exchange, of each n-th minute, and moved. */
    const barsOf = (
      step: number,
      moved: number,
      { first, days } = TIMES_OF,
      hours: [string, string] = ['09:15', '15:30'],
    ) =>
      Array.from({ length: days }, (_, day) => Date.parse(`${first}T00:00+05:30`) + day * DAY)
        .filter((midnight) => ![0, 6].includes(new Date(midnight + 12 * HOUR).getUTCDay()))
        .flatMap((midnight) => {
          const [open, close] = hours.map((text) => Number(text.slice(0, 2)) * HOUR + Number(text.slice(3)) * MINUTE);
          return Array.from({ length: (close! - open!) / step }, (_, at) => midnight + open! + at * step + moved);
        });
    const read = async (
      times: readonly number[],
      more: { interval?: '1m' | '5m' | '1d'; exchange?: string; headers?: Record<string, string>; days?: number } = {},
      options: { marketClock?: MarketClock } = {},
    ) => {
      const { interval = '5m', exchange = 'NSE', days = TIMES_OF.days } = more;
      const begin = Date.parse(`${TIMES_OF.first}T00:00+05:30`);
      const close = times.map((ms) => ({ ts: `${ms}000000`, v: 100 }));
      const headers = { date: new Date(`${TIMES_OF.now}+05:30`).toUTCString(), ...more.headers };
      const text = JSON.stringify({ result: [{ exchange, type: 'STOCK', values: [{ INFY: { close } }] }] });
      const asked = { exchange, type: 'STOCK', symbols: ['INFY'], fields: ['close'], interval } as const;
      return await getCandles(scriptedTransport([{ text, headers }], options).transport, {
        ...{ ...asked, from: begin, to: begin + days * DAY, unit: 'paise' },
      });
    };
    const FIVE = 5 * MINUTE;

    it.each([
      ['UTC written as IST', barsOf(FIVE, -5.5 * HOUR), {}, /5:30 hours too early.*INFY/],
      ['IST written as UTC', barsOf(FIVE, 5.5 * HOUR), {}, /5:30 hours too late|still to come/],
      ['IST written as UTC, days ago', barsOf(FIVE, 5.5 * HOUR, { ...TIMES_OF, days: 3 }), {}, /5:30 hours too late/],
      [
        'UTC written as IST on MCX',
        barsOf(FIVE, -5.5 * HOUR, { ...TIMES_OF, days: 4 }, ['09:00', '23:55']),
        { exchange: 'MCX' },
        /5:30 hours too early/,
      ],
      [
        'UTC written as IST, of this morning alone',
        barsOf(FIVE, -5.5 * HOUR, { ...TIMES_OF, first: '2026-11-20', days: 1 }).slice(0, 20),
        {},
        /5:30 hours too early/,
      ],
      ['a time to come', barsOf(FIVE, 0), { headers: { date: 'Fri, 20 Nov 2026 04:30:00 GMT' } }, /still to come/],
      [
        'a day later',
        barsOf(DAY / 4, DAY, { ...TIMES_OF, days: 21 }, ['09:15', '15:15']),
        { days: 40, interval: '1d' },
        /to come|a day too late/,
      ],
    ] as const)('are refused where they prove that they are wrong: %s', async (_what, times, more, words) => {
      await expect(read(times, more)).rejects.toThrow(words);
    });

    it('show bars of days that are a day too late, or too early', async () => {
      const days = (moved: number) =>
        barsOf(6 * HOUR, moved, { ...TIMES_OF, first: '2026-10-26', days: 22 }, ['09:15', '15:15']);
      const headers = { date: 'Fri, 20 Nov 2026 12:30:00 GMT' };
      const readDays = async (moved: number) => {
        const close = days(moved).map((ms) => ({ ts: `${ms}000000`, v: 100 }));
        const text = JSON.stringify({ result: [{ exchange: 'NSE', type: 'STOCK', values: [{ INFY: { close } }] }] });
        const begin = Date.parse('2026-10-20T00:00+05:30');
        return await getCandles(scriptedTransport([{ text, headers }]).transport, {
          ...{ exchange: 'NSE', type: 'STOCK', symbols: ['INFY'], fields: ['close'], interval: '1d', unit: 'paise' },
          ...{ from: begin, to: begin + 31 * DAY },
        });
      };
      expect((await readDays(0)).rows.length).toBeGreaterThan(10);
      await expect(readDays(DAY)).rejects.toThrow(/a day too late/);
      await expect(readDays(-DAY)).rejects.toThrow(/a day too early/);
    });

    it.each([
      ['the hours', barsOf(FIVE, 0), {}],
      ['before the open and after the close', barsOf(FIVE, 0, TIMES_OF, ['09:00', '16:00']), {}],
      ['the evening of MCX', barsOf(FIVE, 0, TIMES_OF, ['09:00', '23:55']), { exchange: 'MCX', headers: { date: '' } }],
      ['around the clock', barsOf(FIVE, 0, TIMES_OF, ['00:00', '24:00']), { headers: { date: '' } }],
      ['a bar in the evening', [...barsOf(FIVE, 0), Date.parse('2026-11-20T17:45+05:30')], {}],
      ['the current bar, marked by its end', [Date.parse('2026-11-20T18:05+05:30')], {}],
      ['no clock', barsOf(FIVE, 0), { headers: { date: '' } }],
    ] as const)('are believed where they prove nothing: %s', async (_what, times, more) => {
      expect((await read(times, more)).rows.length).toBeGreaterThan(0);
    });

    it('are believed of a sandbox, which trades at any hour', async () => {
      const headers = { 'x-sandbox-run': '0123456789abcdef 2026-11-20' };
      const marketClock = new MarketClock(new VirtualClock());
      expect((await read(barsOf(FIVE, -5.5 * HOUR), { headers }, { marketClock })).rows.length).toBeGreaterThan(0);
    });

    it('show a longer interval, and nothing of what is seldom traded', async () => {
      await expect(read(barsOf(FIVE, 0), { interval: '1m' })).rejects.toThrow(
        /of 300 seconds, but n8n asked for that of 1m/,
      );
      const seldom = barsOf(FIVE, 0).map((at, index) => at + (index % 7 === 3 ? MINUTE : 0));
      expect((await read(seldom, { interval: '1m' })).rows).toHaveLength(seldom.length);
      const hourly = barsOf(HOUR, 0, TIMES_OF, ['09:45', '15:45']);
      expect((await read(hourly, { interval: '1m' })).rows).toHaveLength(hourly.length);
    });
  });

  it('a share that trades once a day is not one of another interval', async () => {
    expect((await candles({ values: [{ INFY: { close: bars(86_400_000) } }] })).rows).toHaveLength(5);
  });
});
