import { deserialize, serialize } from 'node:v8';
import { createRandomSource } from '../../sandbox/src/shared/random';
import { NO_LATENCY } from '../../sandbox/src/exchange/models/latency';
import type { ExchangeDeps } from '../../sandbox/src/exchange/deps';
import { createExchange } from '../../sandbox/src/exchange/exchange';
import type { ExchangeState } from '../../sandbox/src/exchange/state';
import type { ExchangeEvent } from '../../sandbox/src/exchange/types';
import type { NewOrder, Order, Refusal } from '../../sandbox/src/shared/orders';
import { MONDAY_TEN, SHARE, stillMarket, type StillMarket } from './still-market';
import type { Exchange } from '../../sandbox/src/exchange/contract';

export interface Trading {
  market: StillMarket;
  exchange: Exchange;
  events: ExchangeEvent[];
  /** Places now and gives the order's id; a refusal fails the test. */
  place(order?: Partial<NewOrder>): bigint;
  refused(order: Partial<NewOrder>): Refusal;
  /** Lets milliseconds pass. */
  pass(ms: number): void;
  now(): number;
  order(id: bigint): Order;
  /** Event types of one order, in order. */
  story(id: bigint): string[];
  /** The same exchange, made again from its state through bytes; the events seen so far are kept. */
  revived(): Trading;
  /** [price, quantity] of each fill of an order. */
  fills(id: bigint): [number, number][];
}

type TradingOptions = Partial<ExchangeDeps['options']> & {
  seed?: number;
  startAt?: number;
  market?: StillMarket;
  risk?: ExchangeDeps['risk'];
};

/** An exchange on a still market, without latency unless they are given. */
export function trading(
  options: TradingOptions = {},
  from?: { state: ExchangeState; events: ExchangeEvent[]; now: number },
): Trading {
  const { seed = 1, startAt = MONDAY_TEN, market = stillMarket(), risk, ...rest } = options;
  const exchange = createExchange(
    {
      market,
      random: createRandomSource(seed),
      risk,
      options: { hours: 'always', latency: NO_LATENCY, ...rest },
      startAt,
    },
    from?.state,
  );
  const events: ExchangeEvent[] = [...(from?.events ?? [])];
  exchange.onEvent((event) => events.push(event));
  let now = from?.now ?? startAt;
  const attempt = (order: Partial<NewOrder>): ReturnType<Exchange['place']> => exchange.place(limitOrder(order), now);
  return {
    market,
    exchange,
    events,
    place(order = {}) {
      const placed = attempt(order);
      if (!placed.ok) throw new Error(`refused: ${placed.text}`);
      exchange.advance(now);
      return placed.order.id;
    },
    refused(order) {
      const placed = attempt(order);
      if (placed.ok) throw new Error('was not refused');
      return placed;
    },
    pass(ms) {
      now += ms;
      exchange.advance(now);
    },
    now: () => now,
    revived: () =>
      trading(
        { ...options, market },
        { state: deserialize(serialize(exchange.state())) as ExchangeState, events, now },
      ),
    order: (id) => exchange.order(id)!,
    story: (id) => events.filter(({ order }) => order.id === id).map(({ type }) => type),
    fills: (id) =>
      events.flatMap((event) =>
        event.type === 'trade' && event.order.id === id
          ? [[event.trade.price, event.trade.quantity] as [number, number]]
          : [],
      ),
  };
}

/** A limit order to buy 10 shares at ₹1,500, with what is given in its place. */
export function limitOrder(given: Partial<NewOrder> = {}): NewOrder {
  return {
    account: 'A',
    refId: SHARE.refId,
    kind: 'REGULAR',
    side: 'BUY',
    quantity: 10,
    product: 'CNC',
    validity: 'DAY',
    priceType: 'LIMIT',
    price: 150_000,
    triggerPrice: 0,
    legSize: 0,
    tag: '',
    basketId: 0n,
    source: 'NORMAL',
    ...given,
  };
}
