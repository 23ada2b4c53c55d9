/** Actions of tests on a sandbox in their own process, without HTTP. */
import type { NewOrder } from '../../sandbox/src/shared/orders';
import type { Sandbox } from '../../sandbox/src/simulation/sandbox';

/** An order at the market for the day. @param order `quantity` in units */
export function marketOrder(order: Pick<NewOrder, 'account' | 'refId' | 'side' | 'quantity' | 'product'>): NewOrder {
  return {
    ...order,
    kind: 'REGULAR',
    validity: 'DAY',
    priceType: 'MARKET',
    price: 0,
    triggerPrice: 0,
    legSize: 0,
    tag: '',
    basketId: 0n,
    source: 'ORDER_SOURCE_NORMAL',
  };
}

/** Lets the sandbox's manual clock go to a time in IST; what is due on the way happens. @param time such as `09:30` */
export function goTo(sandbox: Sandbox, date: string, time: string): void {
  const at = Date.parse(`${date}T${time}:00+05:30`);
  do sandbox.clock.set(at);
  while (sandbox.now() < at);
  sandbox.changed();
}
