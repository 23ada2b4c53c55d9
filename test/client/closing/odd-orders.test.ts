/** Closing beside orders and baskets that contradict themselves. */
import { UnreadableReplyError } from '../../../client/base/errors';
import { cancelWaitingBaskets } from '../../../client/closing/exit-baskets';
import { whyNotClosable } from '../../../client/closing/positions';
import type { ClosingContext } from '../../../client/closing/reconcile-position';
import { readAllHeld } from '../../../client/closing/shown-positions';
import { refIdOf } from '../../../client/orders/model/order-record';
import { placeOrder } from '../../../client/orders/placing/place';
import { INFY, LIMIT_BUY, NIFTY_FUT, orderRequest } from '../orders/support';
import { bought, POSITION, shown } from './support';

/** Makes the list show the orders of one instrument so that they contradict themselves. */
function contradict(context: ClosingContext, oddRefId: number): void {
  const { list } = context.orders;
  const fields = { order_qty: null, filled_qty: null, unreadable_reason: 'Order 5 is shown with 9 filled of 1.' };
  context.orders = {
    ...context.orders,
    list: async (signal, odd) => {
      if (odd !== 'marked') throw new UnreadableReplyError('The list is refused.');
      return (await list(signal)).map((order) => (refIdOf(order) === oddRefId ? { ...order, ...fields } : order));
    },
  };
}

const OTHER = { ...POSITION, refId: NIFTY_FUT.refId, symbol: 'NIFTY26JANFUT', segment: 'future' as const };

it.each([
  ['the position', INFY.refId, []],
  ['another one', NIFTY_FUT.refId, [10]],
])(
  'closes what is certain, and names the other, beside an order of %s that contradicts itself',
  async (_, oddRefId, sold) => {
    const { time, close, sales, context } = await bought();
    const terms = { ...LIMIT_BUY, instrument: NIFTY_FUT, product: 'IDAY', quantity: NIFTY_FUT.lotSize } as const;
    await time.run(placeOrder(orderRequest('other', { terms }), context));
    await time.run(time.sleep(10_000));
    contradict(context, oddRefId);
    const began = time.clock.now();
    const { closed, error, left } = await close('ours');
    expect([sales(), closed]).toEqual([sold, sold.length === 0 ? 0 : 10]);
    const said = 'INFY (Intraday) was not changed, because order 5 is shown with 9 filled of 1.';
    expect([error?.message, left]).toEqual(sold.length === 0 ? [said, undefined] : [undefined, 0]);
    expect(time.clock.now() - began).toBeLessThan(10_000);
  },
);

it('names what only an order that contradicts itself may hold', async () => {
  const { time, context, show } = await bought();
  contradict(context, INFY.refId);
  show(shown(2, { ref_id: OTHER.refId, symbol: OTHER.symbol }));
  const [first, second, ...more] = await time.run(readAllHeld(context));
  expect([first, more]).toMatchObject([{ refId: OTHER.refId, net: 2 }, []]);
  expect(whyNotClosable(second!)).toBe('order 5 is shown with 9 filled of 1');
});

it('cancels no basket of which it is not known whether it has traded, and names it', async () => {
  const { time, context } = await bought();
  const basket = { basket_id: '6', basket_status: 'OPEN', orders: [], unreadable_reason: 'Leg 1 of basket 6 is odd.' };
  context.baskets = { ...context.baskets, list: () => Promise.resolve([basket]) };
  const [ended] = await time.run(cancelWaitingBaskets(1_000, context));
  expect(ended).toMatchObject({ basketId: '6', result: 'open' });
  expect(ended?.error?.message).toBe('Leg 1 of basket 6 is odd. It was not cancelled.');
});
