import type { Market } from '../market/prices/types';
import type { NewOrder, Refusal } from '../shared/orders';
import type { RandomSource } from '../shared/random';
import type { MarketHalts } from './halt';
import type { FillModel } from './models/fill';
import type { OrderLatency } from './models/latency';
import type { PriceOverrides } from '../market/prices/price-overrides';

/**
 * Checks that the exchange asks for before it takes an order: whether cash, margin and holdings allow it. Prices are paise, instants
 * milliseconds. The accounts answer.
 */
export interface RiskEngine {
  /** Checks a new order and holds what it needs, at a reference price. A refused order holds nothing. */
  hold(orderId: bigint, order: NewOrder, referencePrice: number, at: number): { ok: true } | Refusal;
  /** Checks an order as it would be after a change and holds what it then needs. A refused change leaves it unchanged. */
  amend(orderId: bigint, order: NewOrder, referencePrice: number, at: number): { ok: true } | Refusal;
}

/** Dependencies of an exchange. */
export interface ExchangeDeps {
  market: Market;
  /** Store of moved prices, for whoever shows what is not the exchange's (candles, greeks); its own when left out. */
  priceOverrides?: PriceOverrides;
  /** Store of the halts, for whoever shows what did not trade in them; its own when left out. */
  halts?: MarketHalts;
  random: RandomSource;
  /** Without it every order is affordable. */
  risk?: RiskEngine;
  options: {
    hours: 'always' | 'exchange';
    latency?: OrderLatency;
    /** Model of the instant at which orders trade; by their place in the queue when left out. */
    fill?: FillModel;
    /** Length of a time step of others' liquidity, milliseconds; 1000 when left out. */
    stepMs?: number;
  };
  /** Instant at which virtual time begins, milliseconds since the epoch. */
  startAt: number;
}
