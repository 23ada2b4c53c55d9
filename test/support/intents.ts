import { deserialize, serialize } from 'node:v8';
import { createIntentOrders } from '../../sandbox/src/exchange/strategies/strategies';
import type { StrategyDeps } from '../../sandbox/src/exchange/strategies/strategy-engine';
import type {
  IntentChange,
  IntentEvent,
  IntentOrder,
  IntentOrders,
  StrategiesState,
  NewIntent,
} from '../../sandbox/src/exchange/strategies/types';
import type { StrategyExit, ExitSlot } from '../../sandbox/src/exchange/strategies/exit-types';
import { NO_LATENCY } from '../../sandbox/src/exchange/models/latency';
import { createRandomSource } from '../../sandbox/src/shared/random';
import { SHARE } from './still-market';
import { trading, type Trading } from './trading';

export interface Intending extends Omit<Trading, 'revived'> {
  intents: IntentOrders;
  strategyEvents: IntentEvent[];
  /** Places now and gives the order's id; a refusal fails the test. */
  enter(given?: Partial<NewIntent>): bigint;
  /** The text with which an order is refused. */
  refusal(given: Partial<NewIntent>): string;
  change(id: bigint, change: IntentChange): void;
  cancel(id: bigint, slot?: ExitSlot): void;
  get(id: bigint): IntentOrder;
  exit(id: bigint, slot: ExitSlot): StrategyExit;
  /** Event types of one order but its trades, in order. */
  life(id: bigint): string[];
  /** [of, side, price, quantity] of each fill of an order. */
  trades(id: bigint): [string, string, number, number][];
  /** Sets the share's price (paise) and lets a second pass. */
  price(price: number): void;
  /** The same, made again from its state through bytes. */
  revived(): Intending;
}

/** A limit order to buy 10 shares at ₹1,500, with what is given in its place. */
export function intent(given: Partial<NewIntent> = {}): NewIntent {
  const side = given.side ?? 'BUY';
  return {
    account: 'A',
    multi: false,
    legs: [{ refId: SHARE.refId, unit: side === 'BUY' ? 1 : -1 }],
    quantity: 10,
    side,
    product: 'CNC',
    priceType: 'LIMIT',
    validity: 'DAY',
    price: 150_000,
    goodTill: null,
    entry: { condition: null, time: null },
    exits: { stop: null, target: null, time: null },
    iceberg: null,
    tag: 'demo',
    echo: 'null',
    ...given,
  };
}

type Options = NonNullable<Parameters<typeof trading>[0]> & Pick<StrategyDeps, 'intradayStop'>;

/** Intent orders over an exchange on a still market, without latency unless they are given. */
export function intending(
  options: Options = {},
  from?: { t: Trading; state: StrategiesState; strategyEvents: IntentEvent[] },
): Intending {
  const t = from?.t ?? trading(options);
  const intents = createIntentOrders(
    {
      exchange: t.exchange,
      instrument: (refId, at) => t.market.universe(at).byRefId(refId),
      random: createRandomSource(3),
      startAt: t.now(),
      latency: options.latency ?? NO_LATENCY,
      ...(options.stepMs === undefined ? {} : { stepMs: options.stepMs }),
      ...(options.intradayStop === undefined ? {} : { intradayStop: options.intradayStop }),
    },
    from?.state,
  );
  const reported: IntentEvent[] = from?.strategyEvents ?? [];
  intents.onEvent((event) => reported.push(event));
  const throwIfRefused = (result: { ok: boolean; text?: string }): void => {
    if (!result.ok) throw new Error(`refused: ${result.text}`);
    t.exchange.advance(t.now());
  };
  return {
    ...t,
    intents,
    strategyEvents: reported,
    enter(given) {
      const placed = intents.place(intent(given), false, t.now());
      if (!placed.ok) throw new Error(`refused: ${placed.text}`);
      t.exchange.advance(t.now());
      return placed.intent.id;
    },
    refusal(given) {
      const placed = intents.place(intent(given), false, t.now());
      if (placed.ok) throw new Error('was not refused');
      return placed.text;
    },
    change: (id, change) => throwIfRefused(intents.modify(id, change, t.now())),
    cancel: (id, slot) => throwIfRefused(intents.cancel(id, slot ?? null, t.now())),
    get: (id) => intents.intent(id)!,
    exit: (id, slot) => intents.intent(id)!.exits.find((exit) => exit.slot === slot)!,
    life: (id) => reported.filter(({ intent: of, type }) => of.id === id && type !== 'trade').map(({ type }) => type),
    trades: (id) =>
      reported.flatMap((event) =>
        event.type === 'trade' && event.intent.id === id
          ? [[event.of, event.trade.side, event.trade.price, event.trade.quantity] as [string, string, number, number]]
          : [],
      ),
    price(price) {
      t.market.prices.set(SHARE.refId, price);
      t.pass(1000);
    },
    revived() {
      const state = deserialize(serialize(intents.state())) as StrategiesState;
      return intending(options, { t: t.revived(), state, strategyEvents: reported });
    },
  };
}
