import { logIn, type Bench } from '../support';
import { placed, startMirror, type MirrorBench } from './support';

const AFTERNOON = { start: '2026-11-23T14:50:00.000+05:30' };

describe('The day of a mirror', () => {
  let bench: MirrorBench;
  let infy: number;
  afterEach(() => bench.close());

  async function begin(...options: Parameters<typeof startMirror>): Promise<void> {
    bench = await startMirror(...options);
    const { data } = await bench.mirror.http.get('/refdata/refdata/2026-11-23?exchange=NSE', { headers: bench.trader });
    const rows = data.refdata as Record<string, unknown>[];
    infy = Number(rows.find((row) => row['stock_name'] === 'INFY')!['ref_id']);
    await bench.until(() => status().state === 'live');
  }

  const status = () => bench.mirror.running.sandbox.mirror!.status();
  const read = async (address: string, { http }: Bench = bench.mirror, headers = bench.trader) => {
    const { status: code, data } = await http.get(address, { headers });
    expect({ address, code }).toEqual({ address, code: 200 });
    return data;
  };
  const place = async (more: object): Promise<string> => {
    const id = await placed(bench, { ref_id: infy, ...more });
    await bench.mirror.advance('PT2S');
    return id;
  };
  const statusOf = async (id: string): Promise<string> =>
    ((await read('/orders')) as { order_id: string; order_status: string }[]).find(({ order_id }) => order_id === id)!
      .order_status;

  it('reads a live side that speaks the other dialect, under other words', async () => {
    const dialect = {
      order_book_names: 'long',
      verify_status: '200',
      empty_list: 'null',
      order_service_ws_url: 'empty',
    };
    await begin({}, { dialect, platformWord: 'acme', serviceWord: 'trade' } as Parameters<typeof startMirror>[1]);
    const ours = (await read(`/orderbooks/${infy}?levels=20`)).orderBook;
    const theirs = (await read(`/orderbooks/${infy}?levels=20`, bench.live, bench.liveTrader)).orderBook;
    const named = (side: { price: number; quantity: number; num_orders: number }[]) =>
      side.map(({ price, quantity, num_orders }) => ({ p: price, q: quantity, o: num_orders }));
    expect(ours).toMatchObject({
      ltp: theirs.last_traded_price,
      volume: theirs.volume,
      bid: named(theirs.bid),
      ask: named(theirs.ask),
    });
    expect(ours.bid.length).toBeGreaterThan(4);
    const { frames } = status();
    await bench.live.advance('PT1S');
    await bench.until(() => status().frames > frames);
    expect(status()).toMatchObject({ unreadable: 0, unseen: 0 });
  });

  it('ends when the market closes, though nobody hears the live side: orders expire, and nothing trades', async () => {
    await begin(AFTERNOON, AFTERNOON);
    const { ltp } = (await read(`/orderbooks/${infy}?levels=20`)).orderBook;
    const bought = await place({ order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY' });
    const waiting = await place({ price_type: 'LIMIT', order_price: Math.round((ltp * 0.97) / 100) * 100 });
    expect([await statusOf(bought), await statusOf(waiting)]).toEqual(['ORDER_STATUS_FILLED', 'ORDER_STATUS_OPEN']);
    bench.wire.unplug();
    await bench.until(() => status().state === 'behind');
    await bench.mirror.advance('PT100M');
    expect(await statusOf(waiting)).toBe('ORDER_STATUS_EXPIRED');
    expect(status()).toMatchObject({ state: 'behind', behind: 6_000 });
    const trades = ((await read('/_sandbox/journal?kind=trade')) as object[]).length;
    expect(trades).toBe(1);
    for (const address of ['/portfolio/positions', '/portfolio/holdings', '/portfolio/user_funds_and_margin'])
      await read(address);
  });

  it('stops when the session is over in the night, and says so', async () => {
    await begin(AFTERNOON, AFTERNOON);
    bench.wire.unplug();
    await bench.until(() => status().state === 'behind');
    await bench.pass('PT18H');
    bench.wire.plugIn();
    await bench.until(() => status().state === 'displaced');
    expect(status().text).toContain('its time is over');
    bench.trader = await logIn(bench.mirror);
    expect(await statusOf(await place({}))).toBe('ORDER_STATUS_REJECTED');
  });

  it('starts over with its accounts alone: the market goes on', async () => {
    await begin();
    await place({});
    expect((await bench.mirror.http.post('/_sandbox/reset', {})).status).toBe(200);
    bench.trader = await logIn(bench.mirror);
    expect(await read('/orders')).toEqual([]);
    expect(status().state).toBe('live');
    expect(await statusOf(await place({}))).toBe('ORDER_STATUS_FILLED');
  });
});
