/** Earnings of a closed basket, read from the day's positions, in virtual time. */
import { earningsOf, readEarnings } from '../../../client/closing/basket-earnings';
import { ShownPositions, type PositionContext } from '../../../client/closing/shown-positions';
import { NetworkError } from '../../../client/base/errors';
import type { BasketRecord } from '../../../client/endpoints/baskets';
import type { Position } from '../../../client/portfolio/portfolio';
import { market } from '../orders/support';

const REF_ID = 4_711;
/** A short leg of 65 that was sold at ₹100. */
const CLOSED: BasketRecord = {
  basket_id: 1,
  basket_params: { order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY' },
  orders: [
    {
      ref_id: REF_ID,
      order_side: 'ORDER_SIDE_SELL',
      order_qty: 65,
      filled_qty: 65,
      avg_filled_price: 10_000,
    },
  ],
};
/** Bought back at ₹90. */
const position = (more: object = {}): Position => ({
  segment: 'closed',
  ref_id: REF_ID,
  product: 'ORDER_DELIVERY_TYPE_IDAY',
  qty: 0,
  buy_qty: 65,
  sell_qty: 65,
  avg_buy_price: 9_000,
  avg_sell_price: 10_000,
  ...more,
});

function reading(positions: () => Promise<readonly Position[]>, signal?: AbortSignal) {
  const { time, context } = market();
  const where: PositionContext = {
    ...context,
    shown: new ShownPositions(time.clock),
    positions,
    ...(signal === undefined ? {} : { signal }),
  };
  return time.run(readEarnings(CLOSED, undefined, where));
}

it('is worked out of the positions once they show the exit', async () => {
  let reads = 0;
  const late = () => Promise.resolve(++reads < 3 ? [position({ buy_qty: 0, avg_buy_price: 0 })] : [position()]);
  expect(await reading(late)).toMatchObject({ result: 65_000, legs: [{ entry: 10_000, exit: 9_000 }] });
  expect(reads).toBe(3);
});

it.each([
  ['something else has traded in the contract', position({ buy_qty: 130, sell_qty: 130 })],
  ['the exit has no price yet', position({ avg_buy_price: 0 })],
  ['the position is of another product', position({ product: 'ORDER_DELIVERY_TYPE_CNC' })],
])('is unknown where %s', (_, shown) => {
  expect(earningsOf(CLOSED, { closedBy: undefined, positions: [shown] })).toMatchObject({
    result: undefined,
    reason: expect.stringContaining(`ref_id ${REF_ID} was closed`) as string,
  });
});

it('is unknown, and no error, where the positions cannot be read', async () => {
  const unreadable = () => Promise.reject(new NetworkError('No connection.', { maySent: false }));
  expect(await reading(unreadable)).toMatchObject({ result: undefined });
});

it('is unknown, and no error, where the execution is stopped meanwhile: the basket is closed', async () => {
  const stop = new AbortController();
  const stopped = () => {
    stop.abort(new Error('stopped'));
    return Promise.resolve([]);
  };
  expect(await reading(stopped, stop.signal)).toMatchObject({ result: undefined });
});
