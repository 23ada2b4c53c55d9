/** An account that has bought ten of a share, and its positions as the service shows them. */
import { closePositions } from '../../../client/closing/close-positions';
import type { ClosablePosition } from '../../../client/closing/positions';
import { ClosingOrderRegistry } from '../../../client/closing/closing-order-registry';
import { ShownPositions } from '../../../client/closing/shown-positions';
import type { ClosingContext } from '../../../client/closing/reconcile-position';
import type { ClosingResult } from '../../../client/closing/closing-request';
import { placeOrder } from '../../../client/orders/placing/place';
import { tagFrom } from '../../../client/orders/model/tags';
import type { Position } from '../../../client/portfolio/portfolio';
import type { OrderModelOptions } from '../../support/order-service';
import { INFY, LIMIT_BUY, market, NIFTY_FUT, orderRequest } from '../orders/support';

export const POSITION: ClosablePosition = {
  refId: INFY.refId,
  symbol: 'INFY',
  exchange: 'NSE',
  segment: 'stock',
  product: 'IDAY',
  net: 10,
};
export const shown = (qty: number, more: object = {}): Position => ({
  segment: qty === 0 ? 'closed' : 'stock',
  ref_id: INFY.refId,
  symbol: 'INFY',
  exchange: 'NSE',
  product: 'ORDER_DELIVERY_TYPE_IDAY',
  order_side: qty === 0 ? 'C' : qty > 0 ? 'BUY' : 'SELL',
  qty: Math.abs(qty),
  ...more,
});

/** An account that has bought ten of a share, and the service's view of them. */
export async function bought(options: OrderModelOptions = {}, keyed = true) {
  const { time, model, context } = market({ life: () => [{ after: 50, status: 'FILLED' }], ...options });
  let positions: Position[] = [shown(10)];
  const closing: ClosingContext = {
    ...context,
    sentExits: new ClosingOrderRegistry(time.clock),
    shown: new ShownPositions(time.clock),
    positionLock: undefined,
    positions: () => Promise.resolve(positions),
  };
  await time.run(placeOrder(orderRequest('in', { terms: { ...LIMIT_BUY, product: 'IDAY' } }), context));
  await time.run(time.sleep(10_000));
  const close = async (key: string, position: ClosablePosition = POSITION): Promise<ClosingResult> => {
    const [closed] = await time.run(
      closePositions(
        [
          {
            position,
            instrument: position.refId === INFY.refId ? INFY : NIFTY_FUT,
            request: (terms, part) =>
              orderRequest(tagFrom('', { kind: 'key', key, part, terms: { close: position.refId } }, 'sandbox/me'), {
                terms,
                keyed,
              }),
            placed: () => undefined,
          },
        ],
        5_000,
        closing,
      ),
    );
    return closed!;
  };
  const sales = (): unknown[] =>
    model.journal.filter(({ body }) => body.order_side === 'ORDER_SIDE_SELL').map(({ body }) => body.order_qty);
  return { time, model, close, sales, context: closing, show: (...now: Position[]) => void (positions = now) };
}
