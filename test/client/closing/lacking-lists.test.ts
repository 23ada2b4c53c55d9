/** Lists of orders and of positions that both lack what was bought today: they agree, and are wrong. */
import { closePositions } from '../../../client/closing/close-positions';
import type { ClosingGoal, ClosingResult } from '../../../client/closing/closing-request';
import { ClosingOrderRegistry } from '../../../client/closing/closing-order-registry';
import { ShownPositions } from '../../../client/closing/shown-positions';
import type { ClosingContext } from '../../../client/closing/reconcile-position';
import { placeOrder } from '../../../client/orders/placing/place';
import { tagFrom } from '../../../client/orders/model/tags';
import type { Position } from '../../../client/portfolio/portfolio';
import { INFY, LIMIT_BUY, market, orderRequest } from '../orders/support';

const BOUGHT: Position = {
  segment: 'stock',
  ref_id: INFY.refId,
  symbol: 'INFY',
  exchange: 'NSE',
  product: 'ORDER_DELIVERY_TYPE_IDAY',
  order_side: 'BUY',
  qty: 10,
};

it.each<[string, ClosingGoal | undefined, number[]]>([
  ['a target buys nothing', { units: 14, countsOpen: false }, [10, 4]],
  ['a position does not count as closed', undefined, [10, 10]],
])('lists that lack it are not believed: %s', async (_, goal, quantities) => {
  const { time, model, context } = market({ life: () => [{ after: 50, status: 'FILLED' }], listDelay: () => 0 });
  await time.run(placeOrder(orderRequest('in', { terms: { ...LIMIT_BUY, product: 'IDAY' } }), context));
  await time.run(time.sleep(20_000));
  let isLying = true;
  const closing: ClosingContext = {
    ...context,
    orders: { ...context.orders, list: async (signal) => (isLying ? [] : await context.orders.list(signal)) },
    sentExits: new ClosingOrderRegistry(time.clock),
    shown: new ShownPositions(time.clock),
    positionLock: undefined,
    positions: async () => await Promise.resolve(isLying ? [] : [BOUGHT]),
  };
  const close = async (): Promise<ClosingResult> => {
    const [closed] = await time.run(
      closePositions(
        [
          {
            position: {
              refId: INFY.refId,
              symbol: 'INFY',
              exchange: 'NSE',
              segment: 'stock',
              product: 'IDAY',
              net: 10,
            },
            instrument: INFY,
            ...(goal === undefined ? {} : { goal }),
            request: (terms, part) =>
              orderRequest(tagFrom('', { kind: 'key', key: 'close', part, terms: {} }, 'sandbox/me'), { terms }),
            placed: () => undefined,
          },
        ],
        5_000,
        closing,
      ),
    );
    return closed!;
  };
  const { error, orders } = await close();
  expect(orders).toEqual([]);
  expect(error?.message).toBe(
    `INFY (Intraday) was not changed, because the list of orders lacks order ${model.journal[0]!.id}, which was placed today.`,
  );
  isLying = false;
  expect((await close()).error).toBeUndefined();
  expect(model.journal.map(({ body }) => body.order_qty)).toEqual(quantities);
});
