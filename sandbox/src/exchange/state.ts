import type { MarketHaltState } from './halt';
import type { MatchingEngineState } from './matching-engine';
import type { PriceOverridesState } from '../market/prices/price-overrides';
import type { LatencyModelState } from './models/latency';
import type { OrderStoreState } from './order-store';
import type { ScheduledTask } from './schedule';
import type { IdGeneratorState } from './id-generator';
import type { OrderChange } from './types';

/** Something the exchange has to do at an instant. */
export type ExchangeTask =
  | { kind: 'send'; orderId: bigint }
  | { kind: 'arrive'; orderId: bigint }
  | { kind: 'cancel'; orderId: bigint }
  | { kind: 'modify'; orderId: bigint; change: OrderChange }
  | { kind: 'visit'; refId: number }
  | { kind: 'resume' }
  | { kind: 'look' }
  | { kind: 'day' };

/** An exchange as plain data. */
export interface ExchangeState {
  /** Milliseconds, like all instants here. */
  now: number;
  random: readonly number[];
  ids: IdGeneratorState;
  schedule: { seq: number; tasks: ScheduledTask<ExchangeTask>[] };
  store: OrderStoreState;
  engine: MatchingEngineState;
  latency: LatencyModelState;
  halts: MarketHaltState;
  auctionCloses: [end: number, close: number][];
  /** Prices moved by the control plane, pushed by users' trades, and these trades. */
  priceOverrides: PriceOverridesState;
}
