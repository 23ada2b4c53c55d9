/** The reading side of the client against the sandbox over real HTTP: each was written from the specification on its own. */
import { monotonicBy } from '../../client/base/monotonic';
import { requirePrice } from '../../client/values/market-price';
import { isDeepStrictEqual } from 'node:util';
import { UnreadableReplyError } from '../../client/base/errors';
import { endpoints } from '../../client/endpoints';
import { forgetInstruments, instrumentsOf, tradingDayOf } from '../../client/instruments/catalogue';
import { listExpiries } from '../../client/instruments/expiries';
import { optionByOffset } from '../../client/instruments/option-by-offset';
import { EXCHANGES } from '../../client/instruments/instrument';
import { resolveText } from '../../client/instruments/resolve';
import { searchInstruments } from '../../client/instruments/search';
import { BHAVCOPY_TYPES, bhavcopyRows, openBhavcopy, type BhavcopyType } from '../../client/market/bhavcopy';
import { CANDLE_FIELDS, CANDLE_INTERVALS, getCandles } from '../../client/market/candles';
import { getOptionChain } from '../../client/market/option-chain';
import { getCurrentPrice, getOrderBook } from '../../client/market/quotes';
import { createTransport, type Transport } from '../../client/transport';
import { istDate } from '../../client/values/time';
import { DEVICE, START, logIn, start, type Bench } from '../sandbox/support';
import { http, httpStream } from '../support/fetch-http';
import { IS_WHOLE, share } from '../support/sample';

const NOW = Date.parse(START);
const TODAY = istDate(NOW);

let bench: Bench;
let transport: Transport;
let session: Record<string, string>;

beforeAll(async () => {
  bench = await start({ rateLimit: 'off' });
  session = await logIn(bench);
  transport = createTransport({
    http,
    httpStream,
    // A kept connection may end while the sandbox, in this same process, is busy for seconds: the read is repeated at once.
    clock: { now: () => NOW, ...monotonicBy(() => 0), sleep: () => Promise.resolve() },
    random: () => 0.5,
    baseUrl: bench.running.url,
    deviceId: DEVICE,
    authenticate: () => session,
  });
});
afterAll(() => bench.close());
beforeEach(() => forgetInstruments());

const nse = () => instrumentsOf(transport, 'NSE');
const dialect = async (name: string, value: string) => {
  const reply = await bench.http.put('/_sandbox/dialect', { [name]: value });
  expect(reply.status).toBe(200);
};

describe('instruments', () => {
  it.each(share(EXCHANGES, 3, 0))('have every row of %s as JSON.parse reads it', async (exchange) => {
    const { body } = await transport.fetch(endpoints.refdata, { path: { date: TODAY }, query: { exchange } });
    const { refdata } = JSON.parse(Buffer.from(body).toString()) as { refdata: Record<string, string | number>[] };
    const store = await instrumentsOf(transport, exchange);
    expect(store.size).toBe(refdata.length);
    expect(store.isTradingOn).toBe(true);
    const wrong = refdata.filter((row) => {
      const instrument = store.instrument(store.rowOfRefId(row.ref_id as number));
      const reported = {
        symbol: row.stock_name,
        platName: row.plat_name,
        platId: row.plat_id,
        token: row.token,
        asset: row.asset,
        series: row.series,
        exchange,
        lotSize: row.lot_size,
        tickSize: row.tick_size,
        kind: row.derivative_type,
        strikePrice: row.derivative_type === 'OPT' ? row.strike_price : null,
        expiry: row.expiry === 0 ? null : String(row.expiry).replace(/(....)(..)(..)/, '$1-$2-$3'),
      };
      const { refId } = resolveText([store], instrument.symbol, { today: TODAY });
      return (
        !isDeepStrictEqual({ ...instrument, ...reported }, instrument) ||
        refId !== row.ref_id ||
        resolveText([store], instrument.platName, { today: TODAY }).refId !== refId
      );
    });
    expect(wrong).toEqual([]);
  });

  it('have symbols by which the service gives prices, of every kind', async () => {
    for (const exchange of EXCHANGES) {
      const store = await instrumentsOf(transport, exchange);
      for (const kind of ['STOCK', 'INDEX', 'FUT', 'OPT'] as const) {
        const row = Array.from({ length: store.size }, (_, at) => at).find((at) => store.kind(at) === kind);
        if (row === undefined) continue;
        const instrument = store.instrument(row);
        const { price } = await getCurrentPrice(transport, instrument);
        expect((await getOrderBook(transport, instrument.refId, 5)).lastPrice).toBe(price);
      }
    }
  });

  it('are found by typing and by distance from the money', async () => {
    const store = await nse();
    const first = (text: string) => searchInstruments([store], text, { today: TODAY, limit: 5 })[0]!;
    expect(store.symbol(first('nifty').row)).toBe('NIFTY');
    const [expiry] = listExpiries(store, 'NIFTY', TODAY);
    const { price } = await getCurrentPrice(transport, { symbol: 'NIFTY', exchange: 'NSE' });
    const option = optionByOffset(
      store,
      {
        underlying: 'NIFTY',
        expiry: 'nearest',
        optionType: 'CE',
        offset: 0,
        spot: requirePrice(price, { symbol: 'NIFTY' }),
      },
      NOW,
    );
    const chain = await getOptionChain(transport, { underlying: 'NIFTY', exchange: 'NSE', unit: 'paise' });
    expect(chain.expiry).toBe(expiry!.date);
    expect(option.expiry).toBe(chain.expiry);
    expect(option.strikePrice).toBe(chain.at_the_money);
    expect(chain.strikes.find(({ at_the_money }) => at_the_money)?.ce?.ref_id).toBe(option.refId);
    expect(chain.expiries).toEqual(
      listExpiries(store, 'NIFTY', TODAY)
        .filter(({ options }) => options)
        .map(({ date }) => date),
    );
  });

  it('know trading days', async () => {
    expect(await tradingDayOf(transport, 'NSE', '2026-11-22')).toMatchObject({
      isTradingDay: false,
      previous: '2026-11-20',
      next: '2026-11-23',
    });
  });
});

describe('order books', () => {
  it.each(['short', 'long'])('are read under their %s names', async (names) => {
    await dialect('order_book_names', names);
    const { refId } = resolveText([await nse()], 'INFY', { today: TODAY });
    const book = await getOrderBook(transport, refId, 5);
    expect(book.bids).toHaveLength(5);
    expect(book.asks[0]!.price).toBeGreaterThan(book.bids[0]!.price);
    expect(book.time).toMatch(/^\d{19}$/);
    await dialect('order_book_names', 'short');
  });
});

describe('candles', () => {
  const from = Date.parse('2026-11-19T00:00:00+05:30');

  /** A day of seconds takes the sandbox seconds to make. */
  const intervals = CANDLE_INTERVALS.filter((interval) => IS_WHOLE || interval !== '1s');
  it.each(share(intervals, 3, 1))('have whole bars of every %s', async (interval) => {
    const begin =
      interval === '1s'
        ? NOW - 60_000
        : interval.endsWith('d') || interval === '1w' || interval === '1mth'
          ? Date.parse('2026-06-01T00:00:00+05:30')
          : from;
    const { rows, missing } = await getCandles(transport, {
      exchange: 'NSE',
      type: 'STOCK',
      symbols: ['INFY', 'RELIANCE'],
      fields: ['open', 'high', 'low', 'close', 'cumulative_volume', 'tick_volume'],
      interval,
      from: begin,
      to: NOW,
      unit: 'rupees',
    });
    expect(missing).toEqual([]);
    expect(new Set(rows.map(({ symbol }) => symbol))).toEqual(new Set(['INFY', 'RELIANCE']));
    // There are tens of thousands: to expect something of each takes longer than to make and to read them all.
    const isWhole = (row: (typeof rows)[number]): boolean =>
      Math.max(row.open as number, row.close as number) <= (row.high as number) &&
      Math.min(row.open as number, row.close as number) >= (row.low as number) &&
      row.volume === row.tick_volume &&
      Date.parse(row.time as string) === Number((row.ts as string).slice(0, 13));
    expect(rows.filter((row) => !isWhole(row))).toEqual([]);
  });

  it('spell the month either way', async () => {
    await dialect('monthly_interval', '1mt');
    const ask = () =>
      getCandles(transport, {
        exchange: 'NSE',
        type: 'STOCK',
        symbols: ['INFY'],
        fields: ['close'],
        interval: '1mth',
        from: Date.parse('2026-01-01T00:00:00+05:30'),
        to: NOW,
        unit: 'paise',
      });
    expect((await ask()).rows.length).toBeGreaterThanOrEqual(10);
    await dialect('monthly_interval', '1mth');
    expect((await ask()).rows.length).toBeGreaterThanOrEqual(10);
  });

  it('have every field of an option', async () => {
    const store = await nse();
    const chain = await getOptionChain(transport, { underlying: 'NIFTY', exchange: 'NSE', unit: 'paise' });
    const refId = chain.strikes.find(({ at_the_money }) => at_the_money)!.ce!.ref_id;
    const { symbol } = store.instrument(store.rowOfRefId(refId));
    const { rows } = await getCandles(transport, {
      exchange: 'NSE',
      type: 'OPT',
      symbols: [symbol],
      fields: CANDLE_FIELDS,
      interval: '1m',
      from: NOW - 600_000,
      to: NOW,
      unit: 'rupees',
    });
    expect(rows).toHaveLength(10);
    for (const field of ['open', 'l1bid', 'delta', 'iv_mid', 'cumulative_oi'] as const)
      expect(typeof rows[0]![field]).toBe('number');
  });
});

/** Those with derivatives take the sandbox seconds to make: with TEST_ALL=1 they are tested too. */
const types: BhavcopyType[] = IS_WHOLE ? [...BHAVCOPY_TYPES] : ['BhavcopyCM', 'BhavcopySec'];

describe('end-of-day files', () => {
  it.each(types)('have typed rows on the latest day for the type %s', async (type) => {
    const file = await openBhavcopy(transport, { type, date: 'latest', format: 'csv' });
    expect(file.date).toBe('2026-11-20');
    let rows = 0;
    for await (const batch of bhavcopyRows(file)) rows += batch.length;
    expect(rows).toBeGreaterThan(0);
  });

  it('are told apart from an expired session where they do not exist, and log nobody out', async () => {
    const logins = async () => ((await bench.http.get('/_sandbox/stats')).data as { logins: number }).logins;
    const before = await logins();
    const open = (date: string) => openBhavcopy(transport, { type: 'BhavcopyCM', date, format: 'csv' });
    await expect(open('2026-11-22')).rejects.toThrow(/not a trading day/);
    await expect(open(TODAY)).rejects.toThrow(/not been generated yet/);
    expect(await logins()).toBe(before);
    await expect(getCurrentPrice(transport, { symbol: 'INFY', exchange: 'NSE' })).resolves.toBeDefined();
  });
});

it('the client never takes an error for something empty', async () => {
  await bench.http.post('/_sandbox/faults', { match: { path: '/refdata/*' }, action: 'truncate', times: 1 });
  await expect(nse()).rejects.toThrow();
  await bench.http.post('/_sandbox/faults', { match: { path: '/charts/timeseries' }, action: 'malformed', times: 1 });
  await expect(
    getCandles(transport, {
      exchange: 'NSE',
      type: 'STOCK',
      symbols: ['INFY'],
      fields: ['close'],
      interval: '1d',
      from: NOW - 10 * 86_400_000,
      to: NOW,
      unit: 'paise',
    }),
  ).rejects.toThrow(UnreadableReplyError);
  await bench.http.delete('/_sandbox/faults');
});
