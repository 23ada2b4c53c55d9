import { rmSync } from 'node:fs';
import path from 'node:path';
import type { SandboxOptions } from '../../../sandbox/src';
import { MARKET_ORDER, logIn, start, type Bench } from '../support';
import { FakeLive, OTHER_SHARE, SHARE, type FakeBook } from './fake-live';
import { credentialFile, untilChange } from './support';

const BOOK: FakeBook = {
  refId: SHARE,
  ltp: 100_000,
  bids: [
    { price: 99_990, quantity: 50 },
    { price: 99_980, quantity: 500 },
  ],
  asks: [
    { price: 100_010, quantity: 20 },
    { price: 100_020, quantity: 30 },
    { price: 100_050, quantity: 1_000 },
  ],
};

describe('A mirror of a live side that says whatever it likes', () => {
  let live: FakeLive;
  let mirror: Bench;
  let trader: Record<string, string>;
  let until: (holds: () => boolean | Promise<boolean>) => Promise<void>;
  let file: string;

  /** Starts it, and waits until it hears the live side and has been asked for the share. */
  async function begin(master?: unknown[], options: Partial<SandboxOptions> = {}): Promise<void> {
    live = new FakeLive(master);
    file = credentialFile({ address: await live.listen(), token: 'a.b.c', device_id: 'd' });
    mirror = await start({ hours: 'exchange', rateLimit: 'off', mirror: file, ...options });
    trader = await logIn(mirror);
    until = untilChange(mirror);
    await until(() => status().state === 'live');
    await quote();
  }
  afterEach(async () => {
    await mirror.close();
    await live.close();
    rmSync(path.dirname(file), { recursive: true });
  });

  const status = () => mirror.running.sandbox.mirror!.status();
  const quote = async (refId = SHARE) => await mirror.http.get(`/orderbooks/${refId}?levels=20`, { headers: trader });
  const reported = async (books: FakeBook[], sent?: number): Promise<void> => {
    const { frames, unreadable } = status();
    live.sendBooks(books, sent);
    await until(() => status().frames + status().unreadable > frames + unreadable);
    await mirror.advance('PT0.100S');
  };
  const place = async (more: object = {}): Promise<string> => {
    const body = {
      ...MARKET_ORDER,
      ref_id: SHARE,
      order_qty: 40,
      ...more,
    };
    const reply = await mirror.http.post('/orders/v2/single', body, { headers: trader });
    expect({ status: reply.status, data: reply.data }).toMatchObject({ status: 200 });
    await mirror.advance('PT2S');
    return String(reply.data.order_id);
  };
  const orderOf = async (id: string) => {
    const { data } = await mirror.http.get('/orders', { headers: trader });
    return (data as { order_id: string; order_status: string; filled_qty: number; avg_filled_price: number }[]).find(
      ({ order_id }) => order_id === id,
    )!;
  };

  it('walks through the depth with a large order, and finds that quantity gone until it is shown again', async () => {
    await begin();
    await reported([BOOK]);
    const first = await place();
    // 20 at the best offer, 20 at the next one.
    expect(await orderOf(first)).toMatchObject({ filled_qty: 40, avg_filled_price: 100_015 });
    await reported([{ ...BOOK, volume: 1_001 }]);
    expect(await orderOf(await place({ order_qty: 20 }))).toMatchObject({ filled_qty: 20, avg_filled_price: 100_035 });
    await reported([{ ...BOOK, asks: [{ price: 100_030, quantity: 500 }] }]);
    await reported([BOOK]);
    expect(await orderOf(await place({ order_qty: 20 }))).toMatchObject({ avg_filled_price: 100_010 });
  });

  it('waits in the queue behind earlier orders at its price', async () => {
    await begin();
    await reported([BOOK]);
    const id = await place({ price_type: 'LIMIT', order_price: 99_990, order_qty: 10 });
    await reported([{ ...BOOK, ltp: 99_990, volume: 1_045 }]);
    expect(await orderOf(id)).toMatchObject({ order_status: 'ORDER_STATUS_OPEN', filled_qty: 0 });
    await reported([{ ...BOOK, ltp: 99_990, volume: 1_056, bids: [{ price: 99_990, quantity: 5 }] }]);
    expect(await orderOf(id)).toMatchObject({ filled_qty: 6 });
  });

  it.each<[string, Partial<FakeBook>]>([
    ['a negative price', { ltp: -100_000 }],
    ['a negative volume', { volume: -1 }],
    ['a negative quantity', { asks: [{ price: 100_010, quantity: -5 }] }],
    ['a negative offer', { asks: [{ price: -1, quantity: 5 }] }],
    ['a price beyond all numbers', { ltp: 2 ** 60 }],
  ])('takes %s for nonsense: the instrument is not known until it tells sense again', async (_what, wrong) => {
    await begin();
    await reported([BOOK]);
    await reported([{ ...BOOK, ...wrong }]);
    expect(status().unreadable).toBe(1);
    const id = await place();
    expect(await orderOf(id)).toMatchObject({ order_status: 'ORDER_STATUS_REJECTED', filled_qty: 0 });
    expect((await quote()).data.orderBook.ltp).toBe(100_000);
    await reported([BOOK]);
    expect(await orderOf(await place())).toMatchObject({ order_status: 'ORDER_STATUS_FILLED' });
  });

  it('shows a book that reaches itself without depth, as nobody could have traded with it', async () => {
    await begin();
    await reported([{ ...BOOK, bids: [{ price: 100_100, quantity: 50 }] }]);
    expect((await quote()).data.orderBook).toMatchObject({ ltp: 100_000, bid: [], ask: [] });
  });

  it('sorts levels that come in any order', async () => {
    await begin();
    await reported([{ ...BOOK, asks: [...BOOK.asks!].reverse() }]);
    expect((await quote()).data.orderBook.ask.map(({ p }: { p: number }) => p)).toEqual([100_010, 100_020, 100_050]);
  });

  it('takes the close of the day before as the price of what has not traded today', async () => {
    await begin();
    await reported([{ ...BOOK, ltp: 0, volume: 0 }]);
    expect((await quote()).data.orderBook).toMatchObject({ ltp: 100_000, volume: 0 });
  });

  it('leaves out instruments that nobody asked for, and frames that are none', async () => {
    await begin();
    await reported([
      { ...BOOK, refId: OTHER_SHARE },
      { ...BOOK, refId: 999_999 },
    ]);
    live.send(Buffer.from([255, 1, 2, 3]));
    await until(() => status().unreadable === 1);
    live.send('a text that means nothing');
    await reported([BOOK]);
    expect(status()).toMatchObject({ state: 'live', watched: 1, unseen: 0 });
    expect(mirror.running.sandbox.mirror!.hasSeen(OTHER_SHARE)).toBe(false);
    expect((await quote(999_999)).status).toBe(404);
  });

  it('has a separate clock: hours of difference are no delay, but what comes later than others is behind', async () => {
    await begin();
    const theirs = 1_000_000_000;
    await reported([BOOK], theirs);
    await reported([{ ...BOOK, ltp: 100_005 }], theirs - 3_000);
    expect(status()).toMatchObject({ state: 'live', behind: 3 });
    expect((await mirror.http.get('/_sandbox/page/status')).data.mirror).toEqual({
      of: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      state: 'live',
      behind: 3,
    });
    live.sendBooks([{ ...BOOK, ltp: 1 }], theirs - 6_000);
    await until(() => status().state === 'behind');
    expect(status().text).toContain('comes late');
    expect(await orderOf(await place())).toMatchObject({ order_status: 'ORDER_STATUS_REJECTED' });
    await until(() => status().state === 'live');
    expect((await quote()).data.orderBook.ltp).not.toBe(1);
  });

  it('goes on when the clock of the live side is set back', async () => {
    await begin();
    await reported([BOOK], 1_000_000_000);
    const [back, frames] = ['900000000000000', status().frames];
    live.sendBooks([{ ...BOOK, ltp: 100_005, timestamp: back }], 1_000_000_000);
    await until(() => status().frames > frames);
    await mirror.advance('PT0.100S');
    expect((await quote()).data.orderBook.ltp).toBe(100_005);
  });

  it('takes a missing end-of-day file for a missing file, though the service says 440, and an expired session for one', async () => {
    await begin();
    const day = '2026-11-20';
    live.answers = {
      [`GET /bhavcopy/nse/${day}`]: { status: 440, body: { error: 'not yet generated' } },
      'GET /optionchains/ALPHA': { status: 440, body: {} },
    };
    const ask = (address: string) => mirror.http.get(address, { headers: trader });
    const none = await ask(`/bhavcopy/nse/${day}?format=csv&type=BhavcopyCM`);
    expect({ status: none.status, state: status().state }).toEqual({ status: 440, state: 'live' });
    const dead = await ask('/optionchains/ALPHA?exchange=NSE');
    expect({ status: dead.status, state: status().state }).toEqual({ status: 503, state: 'displaced' });
    const count = live.asked.length;
    await ask('/optionchains/ALPHA?exchange=NSE');
    expect(live.asked).toHaveLength(count);
  });

  it.each([
    ['no JSON', '<html>'],
    ['a list', []],
    ['a book of nulls', { orderBook: { ltp: null, volume: null, bid: [null], ask: 7 } }],
    ['a book of texts', { orderBook: { ltp: 'x', volume: '', bid: 'none', ask: {} } }],
  ])('takes %s for no book, and hears the stream', async (_what, body) => {
    await begin();
    live.answers = { [`GET /orderbooks/${OTHER_SHARE}`]: { body } };
    await quote(OTHER_SHARE);
    await reported([{ ...BOOK, refId: OTHER_SHARE }]);
    expect((await quote(OTHER_SHARE)).data.orderBook.ltp).toBe(100_000);
  });

  it('takes rows of the master that are no instruments for none', async () => {
    const good = { ref_id: SHARE, exchange: 'NSE', derivative_type: 'STOCK', stock_name: 'ALPHA', lot_size: 1 };
    await begin([null, 7, 'x', [], {}, { ...good, ref_id: 5 }, { ...good, tick_size: 5, ref_id: '101' }]);
    const { data } = await mirror.http.get('/refdata/refdata/2026-11-23?exchange=NSE', { headers: trader });
    expect((data.refdata as { ref_id: number }[]).map(({ ref_id }) => ref_id)).toEqual([SHARE]);
  });
});
