/** A sandbox with `--data` in which somebody has traded, for tests of what becomes of its folder. */
import { Sandbox, type SandboxOptions } from '../../../sandbox/src';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import type { NewOrder } from '../../../sandbox/src/shared/orders';
import { START } from '../support';

export const ACCOUNT = 'SBX001';
const STARTED_AT = Date.parse(START);
const SYMBOLS = ['INFY', 'SBIN', 'ITC'];

export type Draw = (most: number) => number;

/** Draws whole numbers from 0 to below `most`; the same seed draws the same. */
export function drawing(seed: number): Draw {
  let state = (seed * 2_654_435_761) % 2_147_483_647 || 1;
  return (most) => (state = (state * 48_271) % 2_147_483_647) % most;
}

/** Acknowledged terms of an order, by its id. */
export type Acknowledged = Map<string, { refId: number; quantity: number; tag: string }>;

/** Opens a sandbox with a manual clock. @throws OptionError as the sandbox does */
export function open(data: string, snapshotEvery: number, more: Partial<SandboxOptions> = {}): Sandbox {
  return new Sandbox(
    { ...DEFAULT_OPTIONS, seed: 5, clock: 'manual', start: START, data, snapshotEvery, ...more },
    () => STARTED_AT,
  );
}

/** Places an order as a client would, after some time. @throws StoreError where it cannot be stored */
export function place(sandbox: Sandbox, draw: Draw, tag: string, acknowledged: Acknowledged): void {
  sandbox.clock.set(sandbox.instant + draw(5_000));
  sandbox.now();
  const { world } = sandbox;
  const { refId, tickSize } = world.universe().bySymbol('NSE', SYMBOLS[draw(SYMBOLS.length)]!)!;
  const isMarket = draw(2) === 0;
  const quantity = 1 + draw(50);
  const order: NewOrder = {
    account: ACCOUNT,
    refId,
    kind: 'REGULAR',
    side: draw(3) === 0 ? 'SELL' : 'BUY',
    quantity,
    product: 'IDAY',
    validity: 'DAY',
    priceType: isMarket ? 'MARKET' : 'LIMIT',
    price: isMarket ? 0 : world.lastPrice(world.instrument(refId)!) - (5 - draw(10)) * tickSize,
    triggerPrice: 0,
    legSize: 0,
    tag,
    basketId: 0n,
    source: 'ORDER_SOURCE_NORMAL',
  };
  const placed = world.placeOrder(order);
  if (placed.ok) acknowledged.set(String(placed.order.id), { refId, quantity, tag });
}

/** The orders of the account, and its money, so many hours after the beginning. */
export function booksAfter(hours: number, sandbox: Sandbox): { orders: Acknowledged; states: unknown } {
  sandbox.clock.set(STARTED_AT + hours * 3_600_000);
  sandbox.now();
  const { world, instant } = sandbox;
  const orders = world.exchange.orders(ACCOUNT, instant);
  return {
    orders: new Map(orders.map(({ id, refId, quantity, tag }) => [String(id), { refId, quantity, tag }])),
    states: {
      orders: orders.map(({ id, status, filledQuantity, filledValue }) => [id, status, filledQuantity, filledValue]),
      cash: world.accounts.funds(ACCOUNT).cash,
    },
  };
}
