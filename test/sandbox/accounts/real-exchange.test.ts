import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';
import type { NewOrder, OrderStatus } from '../../../sandbox/src/shared/orders';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { IS_WHOLE } from '../../support/sample';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (IS_WHOLE ? 2 : 1));
const ACCOUNT = 'SBX001';
const OVER = new Set<OrderStatus>(['FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED']);
const START = '2026-11-18T09:20:00+05:30';

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      which: fc.nat({ max: 8 }),
      buy: fc.boolean(),
      lots: fc.integer({ min: 1, max: 60 }),
      iday: fc.boolean(),
      type: fc.constantFrom('market', 'limit', 'limit', 'ioc', 'stop', 'iceberg'),
      ticks: fc.integer({ min: -30, max: 30 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat({ max: 100 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('modify' as const),
      pick: fc.nat({ max: 100 }),
      by: fc.integer({ min: -20, max: 20 }),
      ticks: fc.integer({ min: -10, max: 10 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 400 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pledge' as const), quantity: fc.integer({ min: -40, max: 40 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      which: fc.nat({ max: 8 }),
      percent: fc.integer({ min: -3, max: 3 }),
    }),
  },
);

describe('the books beside the real exchange and market, over two days', () => {
  test('every invariant holds after every step; the night settles the rest', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.array(step, { minLength: 20, maxLength: 50 }),
        (seed, steps) => {
          let now = Date.parse(START);
          const sandbox = new Sandbox(
            { ...DEFAULT_OPTIONS, seed, hours: 'exchange', clock: 'manual', start: START },
            () => now,
          );
          const { world } = sandbox;
          const books = world.accounts;
          const instruments = chosen(sandbox);
          const placed: bigint[] = [];
          const to = (instant: number) => {
            now = instant;
            sandbox.clock.set(instant);
            sandbox.now();
          };
          const working = () => placed.filter((id) => !OVER.has(world.exchange.order(id)!.status));

          const check = () => {
            const funds = books.funds(ACCOUNT);
            expect(funds.cash).toBe(funds.opening + funds.added + funds.realised - funds.charges - funds.invested);
            expect(funds.available).toBe(
              funds.cash - funds.heldForOrders - funds.heldForPositions + funds.collateralUsed - funds.unrealisedLoss,
            );
            expect(books.ledger(ACCOUNT).at(-1)!.balance).toBe(funds.cash);
            expect(funds.heldForOrders).toBeGreaterThanOrEqual(0);
            if (working().length === 0) expect(funds.heldForOrders).toBe(0);
            for (const id of placed) {
              const order = world.exchange.order(id)!;
              const fills = books.trades(ACCOUNT).filter(({ trade }) => trade.orderId === id);
              expect(fills.reduce((sum, { trade }) => sum + trade.quantity, 0)).toBe(order.filledQuantity);
              expect(fills.reduce((sum, { trade }) => sum + trade.quantity * trade.price, 0)).toBe(order.filledValue);
            }
            for (const { quantity, t1Quantity, pledgedQuantity } of books.holdings(ACCOUNT)) {
              expect(
                Math.min(quantity, t1Quantity, pledgedQuantity, quantity - pledgedQuantity),
              ).toBeGreaterThanOrEqual(0);
            }
          };

          const run = (action: (typeof steps)[number]) => {
            if (action.kind === 'wait') return to(now + action.seconds * 1_000);
            if (action.kind === 'place') {
              const answer = world.placeOrder(
                orderOf(world.lastPrice(instruments[action.which]!), instruments[action.which]!, action),
              );
              if (answer.ok) placed.push(answer.order.id);
            } else if (action.kind === 'pledge' && action.quantity !== 0) {
              world.trade.pledge(ACCOUNT, instruments[0]!.refId, action.quantity);
            } else if (action.kind === 'move') {
              const { refId, tickSize } = instruments[action.which]!;
              const price =
                Math.round((world.lastPrice(instruments[action.which]!) * (100 + action.percent)) / 100 / tickSize) *
                tickSize;
              world.trade.movePrice(refId, Math.max(tickSize, price));
            } else if (action.kind === 'cancel' || action.kind === 'modify') {
              const open = working();
              const id = open[action.pick % Math.max(1, open.length)];
              if (id === undefined) return;
              const order = world.exchange.order(id)!;
              const { tickSize, lotSize } = world.instrument(order.refId)!;
              if (action.kind === 'cancel') world.cancelOrder(id);
              else
                world.modifyOrder(id, {
                  quantity: Math.max(lotSize, order.quantity + action.by * lotSize),
                  price: order.price + action.ticks * tickSize,
                });
            }
          };

          for (const action of steps) {
            run(action);
            check();
          }
          to(Date.parse('2026-11-18T15:35:30+05:30'));
          check();
          expect(books.squareOffs()).toEqual([]);
          to(Date.parse('2026-11-18T16:30:00+05:30'));
          expect(working()).toEqual([]);
          expect(books.funds(ACCOUNT).heldForOrders).toBe(0);

          const shares = new Map(
            books.holdings(ACCOUNT).map(({ refId, quantity, t1Quantity }) => [refId, quantity + t1Quantity]),
          );
          for (const { refId, product, openQuantity } of books.positions(ACCOUNT)) {
            if (product === 'CNC' && world.instrument(refId)!.derivativeType === 'STOCK')
              shares.set(refId, (shares.get(refId) ?? 0) + openQuantity);
          }
          to(Date.parse('2026-11-19T08:00:00+05:30'));
          expect(
            new Map(books.holdings(ACCOUNT).map(({ refId, quantity, t1Quantity }) => [refId, quantity + t1Quantity])),
          ).toEqual(new Map([...shares].filter(([, quantity]) => quantity !== 0)));
          const funds = books.funds(ACCOUNT);
          expect(funds).toMatchObject({ cash: funds.opening, charges: 0, realised: 0, invested: 0, heldForOrders: 0 });
        },
      ),
      { numRuns: RUNS, interruptAfterTimeLimit: 600_000 },
    );
  }, 600_000);
});

/** Shares, a future and options of the account's first day. */
function chosen({ world }: Sandbox): Instrument[] {
  const universe = world.universe();
  const nse = (symbol: string) => universe.bySymbol('NSE', symbol)!;
  const expiry = universe.expiries('NSE', 'NIFTY').find((expiry) => expiry > 20261119)!;
  const { ce, pe } = universe.options('NSE', 'NIFTY', expiry);
  const spot = world.lastPrice(nse('NIFTY'));
  const above = ce.filter(({ strikePrice }) => strikePrice > spot);
  const below = pe.filter(({ strikePrice }) => strikePrice < spot);
  return [
    nse('INFY'),
    nse('ITC'),
    nse('TCS'),
    nse('SBIN'),
    nse('NIFTY26NOVFUT'),
    above[0]!,
    above[4]!,
    below.at(-1)!,
    nse('RELIANCE'),
  ];
}

function orderOf(
  last: number,
  instrument: Instrument,
  action: { buy: boolean; lots: number; iday: boolean; type: string; ticks: number },
): NewOrder {
  const { refId, tickSize, lotSize, derivativeType } = instrument;
  const quantity = (derivativeType === 'STOCK' ? action.lots * 5 : Math.ceil(action.lots / 10)) * lotSize;
  const price = Math.max(tickSize, (Math.round(last / tickSize) + action.ticks) * tickSize);
  const trigger = Math.max(tickSize, price - (action.buy ? 2 : -2) * tickSize);
  return {
    account: ACCOUNT,
    refId,
    side: action.buy ? 'BUY' : 'SELL',
    quantity,
    product: action.iday ? 'IDAY' : 'CNC',
    kind: action.type === 'stop' ? 'STOPLOSS' : action.type === 'iceberg' ? 'ICEBERG' : 'REGULAR',
    validity: action.type === 'ioc' ? 'IOC' : 'DAY',
    priceType: action.type === 'market' ? 'MARKET' : 'LIMIT',
    price: action.type === 'market' ? 0 : price,
    triggerPrice: action.type === 'stop' ? trigger : 0,
    legSize: action.type === 'iceberg' ? lotSize : 0,
    tag: '',
    basketId: 0n,
    source: 'ORDER_SOURCE_NORMAL',
  };
}
