/** See docs/service/market-data.md#current-price, docs/service/market-data.md#market-depth. */
import { UnreadableReplyError } from '../../../client/base/errors';
import { bookFigures, getCurrentPrice, getOrderBook } from '../../../client/market/quotes';
import { scriptedTransport } from '../../support/wire';

it.each([
  [{ price: 0, prev_close: 149000, change: -0.67 }],
  [{ price: 150000, prev_close: 149000, change: 2147483647 }],
  [{ price: 150000, prev_close: 149000, change: -100 }],
])('has no change where the prices of %j are of another one', async (json) => {
  const { transport } = scriptedTransport([{ json }]);
  expect((await getCurrentPrice(transport, { symbol: 'X', exchange: 'NSE' })).change).toBeNull();
});

it('asks for a price with its exchange, and keeps the indicative close only where there is one', async () => {
  const { transport, requests } = scriptedTransport([
    {
      json: {
        message: 'ok',
        exchange: 'BSE',
        price: 150005,
        prev_close: 149000,
        change: 0.67,
        indicative_close_price: 150010,
      },
    },
    { json: { price: 150005 } },
    { json: { message: 'instrument not found' } },
  ]);
  expect(await getCurrentPrice(transport, { symbol: 'M&M', exchange: 'BSE' })).toEqual({
    exchange: 'BSE',
    price: 150005,
    prevClose: 149000,
    change: 0.67,
    indicativeClosePrice: 150010,
  });
  expect(requests[0]?.url).toContain('/optionchains/M%26M/price?exchange=BSE');
  expect(await getCurrentPrice(transport, { symbol: 'X', exchange: 'NSE' })).toEqual({
    exchange: 'NSE',
    price: 150005,
    prevClose: null,
    change: null,
  });
  expect((await getCurrentPrice(transport, { symbol: 'X', exchange: 'NSE' })).price).toEqual({
    none: 'the service gives none',
  });
});

it.each<[string, object, number | 'none']>([
  ['in rupees where its previous close is in paise', { price: 1500, prev_close: 149000, change: 0.67 }, 'none'],
  ['in paise where its previous close is in rupees', { price: 150000, prev_close: 1490, change: 0.67 }, 'none'],
  ['of a share that was listed anew', { price: 23625000, prev_close: 353, change: 6692534.56 }, 23625000],
  ['of an option that fell to a part', { price: 100, prev_close: 15000, change: -99.33 }, 100],
  ['with a change that is not told', { price: 1500, prev_close: 149000 }, 1500],
])('tells whether a price is used %s', async (_, json, price) => {
  const { transport } = scriptedTransport([{ json }]);
  const read = (await getCurrentPrice(transport, { symbol: 'X', exchange: 'NSE' })).price;
  if (typeof price === 'number') expect(read).toBe(price);
  else
    expect(read).toMatchObject({
      none: expect.stringMatching(
        /^the service gives ₹.+ with a previous close of ₹.+ and a change of \+0\.67%, of which one is wrong$/,
      ) as string,
    });
});

it('asks for a future of MCX by its full name, and for all else by the trading symbol', async () => {
  const { transport, requests } = scriptedTransport([{ json: { price: 1 } }, { json: { price: 2 } }]);
  await getCurrentPrice(transport, { symbol: 'CRUDEOIL26OCTFUT', exchange: 'MCX', platName: 'FUT_CRUDEOIL_20261019' });
  await getCurrentPrice(transport, { symbol: 'NIFTY26NOVFUT', exchange: 'NSE', platName: 'FUT_NIFTY_20261124' });
  expect(requests.map(({ url }) => url.split('/optionchains/')[1])).toEqual([
    'FUT_CRUDEOIL_20261019/price?exchange=MCX',
    'NIFTY26NOVFUT/price?exchange=NSE',
  ]);
});

const short =
  '{"orderBook":{"inst_id":1,"ref_id":7,"ts":1763712345678901234,"bid":[{"p":9995,"q":10,"o":1},{"p":10000,"q":20,"o":2}],"ask":[{"p":10010,"q":10,"o":1}],"ltp":10005,"ltq":1,"volume":99}}';
const long =
  '{"orderBook":{"ref_id":7,"timestamp":1763712345678901234,"bid":[{"price":9995,"quantity":10,"num_orders":1},{"price":10000,"quantity":20,"num_orders":2}],"ask":[{"price":10010,"quantity":10,"num_orders":1}],"last_traded_price":10005,"last_traded_quantity":1,"volume":99}}';

it.each([
  ['short', short],
  ['long', long],
])('reads the %s names of an order book, exact to the nanosecond and in order', async (_, text) => {
  const { transport } = scriptedTransport([{ text }]);
  const book = await getOrderBook(transport, 7, 5);
  expect(book).toEqual({
    refId: 7,
    time: '1763712345678901234',
    bids: [
      { price: 10000, quantity: 20, orders: 2 },
      { price: 9995, quantity: 10, orders: 1 },
    ],
    asks: [{ price: 10010, quantity: 10, orders: 1 }],
    lastPrice: 10005,
    lastQuantity: 1,
    volume: 99,
  });
  expect(bookFigures(book)).toEqual({ spread: 10, mid: 10005, bidQuantity: 30, askQuantity: 10, imbalance: 0.5 });
});

it('accepts an empty side, and takes a broken one for no order book', async () => {
  const { transport } = scriptedTransport([
    { json: { orderBook: { bid: null, ask: [] } } },
    { json: { orderBook: { bid: [{ q: 1 }], ask: [] } } },
    { json: {} },
  ]);
  const empty = await getOrderBook(transport, 7, 5);
  expect(bookFigures(empty)).toEqual({ spread: null, mid: null, bidQuantity: 0, askQuantity: 0, imbalance: null });
  await expect(getOrderBook(transport, 7, 5)).rejects.toThrow(UnreadableReplyError);
  await expect(getOrderBook(transport, 7, 5)).rejects.toThrow(UnreadableReplyError);
});

it('leaves out the lines that fill up a short order book', async () => {
  const nothing = { p: 0, q: 0, o: 0 };
  const bid = [{ p: 10000, q: 20, o: 2 }, nothing, nothing, { p: 9995, q: 0, o: 0 }];
  const ask = [nothing, { p: 10010, q: 10, o: 1 }, { p: 0, q: 7, o: 1 }];
  const { transport } = scriptedTransport([{ json: { orderBook: { ref_id: 7, bid, ask } } }]);
  const book = await getOrderBook(transport, 7, 5);
  expect([book.bids, book.asks]).toEqual([
    [{ price: 10000, quantity: 20, orders: 2 }],
    [{ price: 10010, quantity: 10, orders: 1 }],
  ]);
  expect(bookFigures(book)).toMatchObject({ spread: 10, mid: 10005 });
});

it.each([
  { p: -5, q: 10 },
  { p: 5, q: -10 },
])('takes no order book with a level below 0: %j', async (level) => {
  const { transport } = scriptedTransport([{ json: { orderBook: { ref_id: 7, bid: [level], ask: [] } } }]);
  await expect(getOrderBook(transport, 7, 5)).rejects.toThrow(/has an impossible level: -?10 at -?0.05 rupees/);
});
