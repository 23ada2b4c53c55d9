import { MARKET_ORDER, logIn, start, type Bench } from '../support';
import { share } from '../../support/sample';

interface Point {
  ts: string;
  v: number;
}

describe('Market data', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  beforeAll(async () => {
    bench = await start({ start: '2026-11-23T11:00:30.000+05:30', rateLimit: 'off' });
    headers = await logIn(bench);
  });
  afterAll(() => bench.close());

  const get = (path: string) => bench.http.get(path, { headers });
  const price = async (symbol: string, exchange = 'NSE') =>
    (await get(`/optionchains/${symbol}/price?exchange=${exchange}`)).data;

  describe('Instruments', () => {
    it('gives the envelope and records with every field', async () => {
      const { data } = await get('/refdata/refdata/2026-11-23?exchange=NSE');
      expect(data).toMatchObject({ exchange: 'NSE', is_trading_on: true, message: expect.any(String) });
      expect(Object.keys(data.refdata[0]).sort()).toEqual(
        [
          'ref_id',
          'plat_id',
          'strike_price',
          'option_type',
          'token',
          'stock_name',
          'series',
          'plat_name',
          'lot_size',
          'asset',
          'expiry',
          'exchange',
          'derivative_type',
          'isin',
          'asset_type',
          'tick_size',
          'underlying_prev_close',
        ].sort(),
      );
      const ids = data.refdata.map(({ ref_id }: { ref_id: number }) => ref_id);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('takes NSE when the exchange is left out, and has BSE and MCX', async () => {
      expect((await get('/refdata/refdata/2026-11-23')).data.exchange).toBe('NSE');
      for (const exchange of ['BSE', 'MCX']) {
        const { data } = await get(`/refdata/refdata/2026-11-23?exchange=${exchange}`);
        expect(data.refdata.length).toBeGreaterThan(10);
        expect(data.refdata.every((row: { exchange: string }) => row.exchange === exchange)).toBe(true);
      }
    });

    it('says that a Sunday is no trading day, and refuses what is no date', async () => {
      expect((await get('/refdata/refdata/2026-11-22')).data.is_trading_on).toBe(false);
      expect((await get('/refdata/refdata/23-11-2026')).status).toBe(400);
      expect((await get('/refdata/refdata/2026-02-30')).status).toBe(400);
      for (const date of ['1999-12-31', '2050-01-03']) {
        const { status, data } = await get(`/refdata/refdata/${date}`);
        expect([status, data.error]).toEqual([400, expect.stringContaining('from 2010-06-01 to 2033-12-31')]);
      }
      expect((await get('/refdata/refdata/2026-11-23?exchange=NYSE')).status).toBe(400);
    });
  });

  describe('Market quote and current price', () => {
    it('agree with each other; bids fall, asks rise, none cross', async () => {
      const { data: master } = await get('/refdata/refdata/2026-11-23');
      const { ref_id } = master.refdata.find((row: { plat_name: string }) => row.plat_name === 'STOCK_INFY.NSECM');
      const { orderBook } = (await get(`/orderbooks/${ref_id}?levels=5`)).data;
      expect(Object.keys(orderBook).sort()).toEqual([
        'ask',
        'bid',
        'inst_id',
        'ltp',
        'ltq',
        'prev_close',
        'ref_id',
        'ts',
        'volume',
      ]);
      const bids = orderBook.bid.map(({ p }: { p: number }) => p);
      const asks = orderBook.ask.map(({ p }: { p: number }) => p);
      expect([bids.length, asks.length]).toEqual([5, 5]);
      expect(bids).toEqual([...bids].sort((a: number, b: number) => b - a));
      expect(asks).toEqual([...asks].sort((a: number, b: number) => a - b));
      expect(bids[0]).toBeLessThan(asks[0]);
      expect(orderBook.ts).toMatch(/^\d{19}$/);
      const current = await price('INFY');
      expect(current.price).toBe(orderBook.ltp);
      expect(current).toEqual({
        message: expect.any(String),
        exchange: 'NSE',
        price: expect.any(Number),
        prev_close: expect.any(Number),
        change: expect.any(Number),
      });
      expect(current.change).toBeCloseTo((100 * (current.price - current.prev_close)) / current.prev_close, 3);
      await bench.http.put('/_sandbox/dialect', { order_book_names: 'long' });
      const long = (await get(`/orderbooks/${ref_id}`)).data.orderBook;
      await bench.http.put('/_sandbox/dialect', { order_book_names: 'short' });
      expect(Object.keys(long).sort()).toEqual([
        'ask',
        'bid',
        'inst_id',
        'last_traded_price',
        'last_traded_quantity',
        'prev_close',
        'ref_id',
        'timestamp',
        'volume',
      ]);
      expect(Object.keys(long.bid[0]).sort()).toEqual(['num_orders', 'price', 'quantity']);
    });

    it('gives prices and candles of a future by its full name, as MCX calls them', async () => {
      const { refdata } = (await get('/refdata/refdata/2026-11-23?exchange=MCX')).data;
      const { plat_name, stock_name } = refdata.find(
        (row: { derivative_type: string }) => row.derivative_type === 'FUT',
      );
      expect(plat_name).toMatch(/^FUT_[A-Z]+_\d{8}$/);
      const byName = await price(plat_name, 'MCX');
      expect(byName).toMatchObject({ exchange: 'MCX', price: expect.any(Number) });
      expect(byName).toEqual(await price(stock_name, 'MCX'));
      const query = { exchange: 'MCX', type: 'FUT', values: [plat_name], fields: ['close'], interval: '1h' };
      const { data } = await bench.http.post(
        '/charts/timeseries',
        { query: [{ ...query, intraDay: true }] },
        { headers },
      );
      expect(data.result[0].values[0][plat_name].close.length).toBeGreaterThan(0);
    });

    it('answers 404 for a symbol of another exchange and for an unknown ref_id', async () => {
      expect((await get('/optionchains/CRUDEOIL26DECFUT/price')).status).toBe(404);
      const bare = await get('/optionchains/CRUDEOIL/price?exchange=MCX');
      expect([bare.status, bare.data.error]).toEqual([400, 'Invalid asset name']);
      expect((await get('/orderbooks/1')).status).toBe(404);
      expect((await get('/orderbooks/abc')).status).toBe(400);
    });

    it('is there no more of a contract that has expired, also for those who traded it', async () => {
      const own = await start({ start: '2026-11-23T11:00:30.000+05:30' });
      const mine = { headers: await logIn(own) };
      const { chain } = (await own.http.get('/optionchains/NIFTY', mine)).data;
      const [{ ref_id, ls }] = chain.ce.filter(({ sp }: { sp: number }) => sp === chain.atm);
      const order = {
        ...MARKET_ORDER,
        ref_id,
        order_qty: ls,
      };
      await own.http.post('/orders/v2/single', order, mine);
      await own.http.post('/_sandbox/clock', {
        set: `${String(chain.expiry).replace(/(....)(..)(..)/, '$1-$2-$3')}T23:59:00+05:30`,
      });
      const statuses = [];
      for (const minutes of [0, 2]) {
        await own.advance(`PT${minutes}M`);
        statuses.push((await own.http.get(`/orderbooks/${ref_id}`, { headers: await logIn(own) })).status);
        await own.advance('PT31S');
      }
      await own.close();
      expect(statuses).toEqual([200, 404]);
    });

    it('moves when the control plane moves it', async () => {
      const { data: master } = await get('/refdata/refdata/2026-11-23');
      const row = master.refdata.find((item: { plat_name: string }) => item.plat_name === 'STOCK_SBIN.NSECM');
      const target = Math.round(((await price('SBIN')).price * 1.02) / row.tick_size) * row.tick_size;
      await bench.http.post('/_sandbox/market', { ref_id: row.ref_id, price: target });
      expect((await price('SBIN')).price).toBe(target);
    });
  });

  describe('Option chain', () => {
    it('has both sides by strike, greeks that hang together, and all expiries', async () => {
      const { chain, message } = (await get('/optionchains/NIFTY?exchange=NSE')).data;
      expect(message).toBe('option chains');
      expect(chain.expiry).toBe(chain.all_expiries[0]);
      expect(Object.keys(chain.ce[0]).sort()).toEqual(
        [
          'ref_id',
          'inst_id',
          'ts',
          'sp',
          'ls',
          'ltp',
          'ltpchg',
          'iv',
          'delta',
          'gamma',
          'theta',
          'vega',
          'oi',
          'volume',
          'prev_oi',
        ].sort(),
      );
      expect(chain.ce.map(({ sp }: { sp: number }) => sp)).toContain(chain.atm);
      for (const leg of chain.ce) expect(leg.delta).toBeGreaterThanOrEqual(0);
      for (const leg of chain.pe) expect(leg.delta).toBeLessThanOrEqual(0);
      expect(chain.cp).toBe((await price('NIFTY')).price);
      expect((await get('/optionchains/NIFTY?expiry=20200101')).status).toBe(400);
      expect((await get('/optionchains/NOTHING')).status).toBe(404);
    });
  });

  describe('Historical candles', () => {
    const ask = (more: Record<string, unknown> = {}) =>
      bench.http.post(
        '/charts/timeseries',
        {
          query: [
            {
              exchange: 'NSE',
              type: 'STOCK',
              values: ['INFY'],
              fields: ['open', 'high', 'low', 'close', 'tick_volume', 'cumulative_volume'],
              startDate: '2026-11-20T03:45:00.000Z',
              endDate: '2026-11-23T05:30:30.000Z',
              interval: '15m',
              intraDay: false,
              realTime: false,
              ...more,
            },
          ],
        },
        { headers },
      );
    const values = async (more: Record<string, unknown>, symbol = 'INFY') =>
      (await ask(more)).data.result[0].values[0][symbol] as Record<string, Point[]>;

    it('are shaped as the specification says, and end with the current price', async () => {
      const { data } = await ask();
      expect(data).toMatchObject({ message: 'charts', market_time: expect.stringMatching(/Z$/) });
      expect(data.result[0]).toMatchObject({ exchange: 'NSE', type: 'STOCK' });
      const { open, high, low, close, tick_volume, cumulative_volume } = data.result[0].values[0].INFY as Record<
        string,
        Point[]
      >;
      expect(BigInt(open![0]!.ts)).toBe(BigInt(Date.parse('2026-11-20T03:45:00.000Z')) * 1_000_000n);
      expect(open!.length).toBe(close!.length);
      for (const [index, point] of high!.entries()) {
        expect(point.v).toBeGreaterThanOrEqual(Math.max(open![index]!.v, close![index]!.v, low![index]!.v));
      }
      expect(close!.at(-1)!.v).toBe((await price('INFY')).price);
      const today = BigInt(Date.parse('2026-11-23T00:00:00+05:30')) * 1_000_000n;
      const sum = tick_volume!.filter(({ ts }) => BigInt(ts) >= today).reduce((total, { v }) => total + v, 0);
      expect(cumulative_volume!.at(-1)!.v).toBe(sum);
    });

    it.each(share(['1s', '10s', '1m', '2m', '3m', '5m', '15m', '30m', '1h', '1d', '1w', '1mth'], 4, 2))(
      'take the interval %s',
      async (interval) => {
        const startDate = interval.endsWith('s') ? '2026-11-23T05:25:00.000Z' : '2026-11-20T00:00:00.000Z';
        const { status, data } = await ask({
          interval,
          startDate: interval === '1mth' ? '2026-09-01T00:00:00.000Z' : startDate,
        });
        expect(status).toBe(200);
        expect(data.result[0].values[0].INFY.close.length).toBeGreaterThan(0);
      },
    );

    it('give greeks, quotes and open interest of options, and the sums of a chain', async () => {
      const { chain } = (await get('/optionchains/NIFTY')).data;
      const { data: master } = await get('/refdata/refdata/2026-11-23');
      const names = new Map(
        master.refdata.map((row: { ref_id: number; plat_name: string }) => [row.ref_id, row.plat_name]),
      );
      expect(names.size).toBeGreaterThan(0);
      const option = bench.running.sandbox.world.universe().byRefId(chain.ce[Math.floor(chain.ce.length / 2)].ref_id)!;
      const fields = [
        'close',
        'cumulative_oi',
        'l1bid',
        'l1ask',
        'theta',
        'delta',
        'gamma',
        'vega',
        'iv_bid',
        'iv_ask',
        'iv_mid',
      ];
      const found = await values(
        { type: 'OPT', values: [option.symbol], fields, startDate: '2026-11-23T03:45:00.000Z' },
        option.symbol,
      );
      for (const field of fields) expect([field, found[field]!.length]).toEqual([field, found['close']!.length]);
      for (const [index, { v }] of found['iv_mid']!.entries()) {
        expect(v).toBeGreaterThanOrEqual(found['iv_bid']![index]!.v);
        expect(v).toBeLessThanOrEqual(found['iv_ask']![index]!.v);
      }
      const sums = await values(
        {
          type: 'CHAIN',
          values: ['NIFTY'],
          fields: ['close', 'cumulative_call_oi', 'cumulative_put_oi', 'cumulative_fut_oi'],
          interval: '1h',
          startDate: '2026-11-23T03:45:00.000Z',
        },
        'NIFTY',
      );
      let callInterest = 0;
      for (const expiry of chain.all_expiries) {
        const legs = (await get(`/optionchains/NIFTY?expiry=${expiry}`)).data.chain.ce as { oi: number }[];
        callInterest += legs.reduce((total, { oi }) => total + oi, 0);
      }
      expect(Math.abs(sums['cumulative_call_oi']!.at(-1)!.v - callInterest) / callInterest).toBeLessThan(0.01);
    });

    it('start today when intraDay is true', async () => {
      const { close } = await values({ intraDay: true, startDate: undefined, endDate: undefined });
      expect(BigInt(close![0]!.ts)).toBe(BigInt(Date.parse('2026-11-23T00:00:00+05:30')) * 1_000_000n);
    });

    it.each([
      ['older than three months below a day', { startDate: '2026-08-20T00:00:00.000Z' }, 'startDate'],
      ['older than ten years', { interval: '1d', startDate: '2016-11-01T00:00:00.000Z' }, 'startDate'],
      ['an unknown interval', { interval: '7m' }, 'interval'],
      ['the monthly interval of another dialect', { interval: '1mt' }, 'interval'],
      ['an unknown field', { fields: ['vwap'] }, 'fields'],
      ['eleven symbols', { values: Array.from({ length: 11 }, () => 'INFY') }, 'maximum 10 values'],
      ['a date that is none', { startDate: 'yesterday' }, 'startDate'],
    ])('refuse %s', async (_what, more, named) => {
      const { status, data } = await ask(more);
      expect(status).toBe(400);
      expect(data.error).toContain(named);
    });

    it('answer 404 for an unknown symbol or another type', async () => {
      expect((await ask({ values: ['NOTHING'] })).status).toBe(404);
      expect((await ask({ type: 'INDEX', fields: ['close'] })).status).toBe(404);
    });
  });

  it('counts history requests: 60 a minute, then 429, and again after a minute', async () => {
    const other = await start();
    const by = await logIn(other);
    const body = {
      query: [
        {
          exchange: 'NSE',
          type: 'STOCK',
          values: ['INFY'],
          fields: ['close'],
          startDate: '2026-11-20T00:00:00.000Z',
          endDate: '2026-11-21T00:00:00.000Z',
          interval: '1d',
        },
      ],
    };
    const statuses: number[] = [];
    for (let count = 0; count < 61; count += 1)
      statuses.push((await other.http.post('/charts/timeseries', body, { headers: by })).status);
    expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
    expect(statuses[60]).toBe(429);
    await other.advance('PT1M');
    expect((await other.http.post('/charts/timeseries', body, { headers: by })).status).toBe(200);
    await other.close();
  });
});
