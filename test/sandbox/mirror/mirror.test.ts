import { share } from '../../support/sample';
import { MARKET_ORDER, logIn } from '../support';
import { placed, startMirror, type MirrorBench } from './support';

interface Book {
  bid: { p: number; q: number; o: number }[];
  ask: { p: number; q: number; o: number }[];
  ltp: number;
  volume: number;
  prev_close: number;
}

/** Faults of the stream. `npm test` tries two of them here, and each in hour.test.ts. */
const STREAM_FAULTS: readonly [action: string, args?: object][] = [
  ['stall', { ms: 100 }],
  ['reorder'],
  ['duplicate_frame'],
  ['drop_frame'],
  ['garbage_frame'],
  ['truncate_frame'],
  ['disconnect', { code: 1012 }],
];

describe('A mirror of a live market', () => {
  let bench: MirrorBench;
  let infy: number;
  beforeEach(async () => {
    bench = await startMirror();
    infy = await refIdOf('STOCK_INFY.NSECM');
  });
  afterEach(() => bench.close());

  async function refIdOf(name: string): Promise<number> {
    const { http } = bench.live;
    const { data } = await http.get('/refdata/refdata/2026-11-23?exchange=NSE', { headers: bench.liveTrader });
    return (data.refdata as { ref_id: number; plat_name: string }[]).find((row) => row.plat_name === name)!.ref_id;
  }

  const mirrored = () => bench.mirror.running.sandbox.mirror!;
  const bookOf = async (side: 'live' | 'mirror', refId = infy): Promise<Book> => {
    const [{ http }, headers] = side === 'live' ? [bench.live, bench.liveTrader] : [bench.mirror, bench.trader];
    const { data, status } = await http.get(`/orderbooks/${refId}?levels=20`, { headers });
    expect({ status, data }).toMatchObject({ status: 200 });
    const { bid, ask, ltp, volume, prev_close } = data.orderBook as Book;
    return { bid, ask, ltp, volume, prev_close };
  };
  const place = async (more: object = {}) => await placed(bench, { ref_id: infy, ...more });
  const orderOf = async (id: string) => {
    const { data } = await bench.mirror.http.get('/orders', { headers: bench.trader });
    return (data as { order_id: string; order_status: string; filled_qty: number; avg_filled_price: number }[]).find(
      ({ order_id }) => order_id === id,
    )!;
  };
  const history = (side: 'live' | 'mirror' = 'mirror') => {
    const [{ http }, headers] = side === 'live' ? [bench.live, bench.liveTrader] : [bench.mirror, bench.trader];
    const query = [
      {
        exchange: 'NSE',
        type: 'STOCK',
        values: ['INFY'],
        fields: ['open', 'close'],
        startDate: '2026-11-20T03:45:00.000Z',
        endDate: '2026-11-20T10:00:00.000Z',
        interval: '5m',
        intraDay: false,
        realTime: false,
      },
    ];
    return http.post('/charts/timeseries', { query }, { headers });
  };
  /** True if something is so after one of so many attempts. */
  const within = async (attempts: number, holds: () => Promise<boolean>): Promise<boolean> => {
    for (let attempt = 0; attempt < attempts; attempt++) if (await holds()) return true;
    return false;
  };
  const isLive = () => bench.until(() => mirrored().status().state === 'live');

  it('has the instruments of the live side under its ref_ids', async () => {
    const masters = await Promise.all(
      [
        [bench.live, bench.liveTrader],
        [bench.mirror, bench.trader],
      ].map(async ([side, headers]) => {
        const { http } = side as MirrorBench['live'];
        const { data } = await http.get('/refdata/refdata/2026-11-23?exchange=NSE', { headers: headers as object });
        return (data.refdata as Record<string, unknown>[])
          .filter(({ derivative_type }) => derivative_type !== 'FUT' && derivative_type !== 'OPT')
          .sort((a, b) => Number(a['ref_id']) - Number(b['ref_id']));
      }),
    );
    expect(masters[1]!.length).toBeGreaterThan(500);
    expect(masters[1]).toEqual(masters[0]);
  });

  it('shows the book of the live side, at once and as it changes', async () => {
    await isLive();
    expect(await bookOf('mirror')).toEqual(await bookOf('live'));
    for (let round = 0; round < 20; round++) {
      const { frames } = mirrored().status();
      await bench.live.advance('PT1S');
      await bench.until(() => mirrored().status().frames > frames);
      await bench.mirror.advance('PT1S');
      expect(await bookOf('mirror')).toEqual(await bookOf('live'));
    }
  });

  it('fills a paper order against the live book, and the live side has never heard of it', async () => {
    await isLive();
    const { ask } = await bookOf('live');
    const id = await place();
    // The live side's time does not pass meanwhile, so that it is known which offer the order meets.
    await bench.mirror.advance('PT2S');
    expect(await orderOf(id)).toMatchObject({
      order_status: 'ORDER_STATUS_FILLED',
      filled_qty: 10,
      avg_filled_price: ask[0]!.p,
    });
    const [ours, theirs] = await Promise.all(
      [bench.mirror, bench.live].map(async ({ http }) => JSON.stringify((await http.get('/_sandbox/journal')).data)),
    );
    expect(ours).toContain('"order"');
    expect(theirs).not.toContain('"order"');
  });

  it('takes the first order in an instrument that nobody has asked for, however soon it arrives', async () => {
    const hasty = await startMirror({ start: '2026-11-23T10:00:00.050+05:30', latency: '0' });
    await hasty.until(() => hasty.mirror.running.sandbox.mirror!.status().state === 'live');
    const body = {
      ...MARKET_ORDER,
      ref_id: infy,
    };
    const headers = { headers: hasty.trader };
    expect((await hasty.mirror.http.post('/orders/v2/single', body, headers)).status).toBe(200);
    await hasty.mirror.advance('PT0.010S');
    const { data } = await hasty.mirror.http.get('/orders', headers);
    await hasty.close();
    expect(data).toMatchObject([{ order_status: 'ORDER_STATUS_FILLED' }]);
  });

  it('sends nothing but what reads: each request on the wire is one of these', async () => {
    await isLive();
    await place();
    await place({ price_type: 'LIMIT', order_price: (await bookOf('live')).bid[0]!.p });
    await bench.pass('PT2S');
    await bench.mirror.http.get('/optionchains/NIFTY/price?exchange=NSE', { headers: bench.trader });
    await history();
    await bench.mirror.http.get('/optionchains/NIFTY?exchange=NSE', { headers: bench.trader });
    await bench.mirror.http.get('/bhavcopy/nse/2026-11-20?format=csv&type=BhavcopyCM', { headers: bench.trader });
    const READS = [
      /^GET \/userinfo$/,
      /^GET \/refdata\/refdata\/\d{4}-\d\d-\d\d$/,
      /^GET \/orderbooks\/\d+$/,
      /^GET \/optionchains\/\w+\/price$/,
      /^GET \/optionchains\/\w+$/,
      /^GET \/bhavcopy\/nse\/\d{4}-\d\d-\d\d$/,
      /^POST \/charts\/timeseries\{/,
      /^GET \/apibatch\/ws$/,
    ];
    const sent = bench.wire.sent.map(({ method, path, body }) => `${method} ${path}${body}`);
    expect(sent.filter((line) => !READS.some((read) => read.test(line)))).toEqual([]);
    expect(sent.length).toBeGreaterThan(5);
  });

  it('says that it is behind when the live side is unplugged, trades nothing meanwhile, and comes back', async () => {
    await isLive();
    const before = await bookOf('mirror');
    const waiting = await place({ price_type: 'LIMIT', order_price: before.bid[9]!.p });
    await bench.pass('PT2S');
    expect(await orderOf(waiting)).toMatchObject({ order_status: 'ORDER_STATUS_OPEN' });
    bench.wire.unplug();
    await bench.until(() => mirrored().status().state === 'behind');
    expect(mirrored().status().text).toMatch(/^behind since 2026-11-23 10:00:0\d: .*Nothing trades/);
    // What the live side does meanwhile nobody here has seen.
    const { http } = bench.live;
    await http.post('/_sandbox/market', { ref_id: infy, price: Math.round((before.ltp * 0.98) / 10) * 10 });
    await bench.pass('PT1M');
    const refused = await place();
    await bench.pass('PT2S');
    expect(await orderOf(refused)).toMatchObject({ order_status: 'ORDER_STATUS_REJECTED' });
    expect(await orderOf(waiting)).toMatchObject({ order_status: 'ORDER_STATUS_OPEN' });
    bench.wire.plugIn();
    await isLive();
    const isFilled = async (): Promise<boolean> => {
      await bench.pass('PT1S');
      return (await orderOf(waiting)).order_status === 'ORDER_STATUS_FILLED';
    };
    await expect(within(60, isFilled)).resolves.toBe(true);
    // What the paper order took of the first offer stays taken while that offer is shown.
    const {
      ask: [first, ...others],
      ...live
    } = await bookOf('live');
    const { ask, ltp } = await bookOf('mirror');
    expect({ ask, ltp }).toEqual({ ask: [{ ...first, q: first!.q - 10 }, ...others], ltp: live.ltp });
  });

  it('shows the book of the live side again after each fault of the stream', async () => {
    await isLive();
    await bookOf('mirror');
    const { http } = bench.live;
    const isSame = async (): Promise<boolean> => {
      await bench.pass('PT1S');
      // How long it takes to come back is not what is tried here.
      await isLive();
      return JSON.stringify(await bookOf('mirror')) === JSON.stringify(await bookOf('live'));
    };
    for (const [action, args] of share(STREAM_FAULTS, 3, 1)) {
      const { unreadable } = mirrored().status();
      const fault = { match: { stream: true }, action, times: 3, ...(args && { args }) };
      expect((await http.post('/_sandbox/faults', fault)).status).toBe(200);
      for (let round = 0; round < 5; round++) await bench.pass('PT1S');
      expect([action, await within(60, isSame)]).toEqual([action, true]);
      expect([action, mirrored().status().unreadable > unreadable]).toEqual([action, /garbage|truncate/.test(action)]);
    }
  });

  it('answers with the candles, chains and end-of-day files of the live side, and keeps them', async () => {
    const [theirs, ours] = [await history('live'), await history()];
    expect(ours.status).toBe(200);
    expect(ours.data.result).toEqual(theirs.data.result);
    expect(ours.data.result[0].values[0].INFY.close.length).toBeGreaterThan(50);
    await history();
    expect(bench.wire.sent.filter(({ path }) => path === '/charts/timeseries')).toHaveLength(1);
    const chain = await bench.mirror.http.get('/optionchains/NIFTY?exchange=NSE', { headers: bench.trader });
    const same = await bench.live.http.get('/optionchains/NIFTY?exchange=NSE', { headers: bench.liveTrader });
    expect(chain.data).toEqual(same.data);
    const unnamed = await bench.mirror.http.get('/optionchains/NIFTY?exchange=NSE');
    expect(unnamed.status).toBe(401);
    bench.wire.unplug();
    const file = await bench.mirror.http.get('/bhavcopy/nse/2026-11-20?format=csv&type=BhavcopyCM', {
      headers: bench.trader,
    });
    expect(file.status).toBe(503);
    expect(JSON.stringify(file.data)).toContain('The live side does not answer');
  });

  it('has a chart of the live side’s candles before it began, which goes on with what it sees', async () => {
    await isLive();
    const { http } = bench.mirror;
    const chart = async (interval: string) =>
      (await http.get(`/_sandbox/page/bars?ref_id=${infy}&interval=${interval}`)).data as {
        at: number;
        close: number;
      }[];
    const ofLive = async (interval: string) =>
      (await bench.live.http.get(`/_sandbox/page/bars?ref_id=${infy}&interval=${interval}`)).data as unknown[];
    for (const interval of ['1m', '5m', '15m', '1d']) {
      const theirs = await ofLive(interval);
      expect(theirs.length).toBeGreaterThan(1);
      expect([interval, (await chart(interval)).slice(-theirs.length)]).toEqual([interval, theirs]);
    }
    await bookOf('mirror');
    const isGoingOn = async () => (await chart('1m')).at(-1)!.close === (await bookOf('live')).ltp;
    for (let second = 0; second < 10; second++) await bench.pass('PT1S');
    await bench.until(isGoingOn);
    bench.wire.unplug();
    await bench.until(() => mirrored().status().state !== 'live');
    expect((await chart('1m')).length).toBeGreaterThan(0);
  });

  it('has a page, reports and the other order interface as ever', async () => {
    await isLive();
    const { http } = bench.mirror;
    const quotes = () => http.get('/_sandbox/page/quotes?names=NSE:INFY,NSE:NIFTY');
    expect((await quotes()).data).toEqual([]);
    await bench.until(async () => ((await quotes()).data as unknown[]).length === 2);
    const { ltp, prev_close } = await bookOf('live');
    expect((await quotes()).data[0]).toMatchObject({ last_price: ltp, previous_close: prev_close });
    await place();
    await bench.pass('PT2S');
    const phone = '9000000001';
    for (const address of [
      '/_sandbox/page/status',
      `/_sandbox/page/market?ref_id=${infy}&phone=${phone}`,
      `/_sandbox/page/bars?ref_id=${infy}&interval=1m`,
      `/_sandbox/page/bars?ref_id=${infy}&interval=1d`,
      `/_sandbox/page/account?phone=${phone}`,
      '/_sandbox/page/journal',
      `/_sandbox/performance?phone=${phone}`,
    ])
      expect({ address, status: (await http.get(address)).status }).toEqual({ address, status: 200 });
    const headers = { headers: bench.trader };
    for (const address of ['/holdings', '/positions', '/sentinel/orders', '/funds'])
      expect({ address, status: (await http.get(address, headers)).status }).not.toMatchObject({ status: 500 });
  });

  it('lets nobody move prices', async () => {
    const { http } = bench.mirror;
    const reply = await http.post('/_sandbox/market', { ref_id: infy, price: 100_000 });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.data)).toContain('they cannot be moved here');
    expect((await http.post('/_sandbox/scenarios', { name: 'flash_crash' })).status).toBe(400);
    expect((await http.get('/_sandbox/mirror')).data).toMatchObject({ watched: 0, unreadable: 0 });
  });

  it('is behind soon when the live side falls silent with its connection open, and live again after that', async () => {
    await isLive();
    bench.wire.isFrozen = true;
    await bench.until(() => mirrored().status().state === 'behind');
    bench.wire.isFrozen = false;
    await isLive();
  });

  it('stops when another login takes its session, says so, and does not log in again', async () => {
    await isLive();
    await bench.live.advance('PT1M');
    await logIn(bench.live, 'another device');
    await bench.until(() => mirrored().status().state === 'displaced');
    expect(mirrored().status().text).toContain('another login has ended it');
    const page = (await bench.mirror.http.get('/_sandbox/page/status')).data;
    expect(page).toMatchObject({ mirror: { state: 'displaced' }, trouble: `Mirror: ${mirrored().status().text}.` });
    const count = bench.wire.sent.length;
    const id = await place();
    await bench.mirror.advance('PT1M');
    expect(await orderOf(id)).toMatchObject({ order_status: 'ORDER_STATUS_REJECTED' });
    expect(bench.wire.sent.length).toBe(count);
  });
});
