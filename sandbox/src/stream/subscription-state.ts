import type { MarketChannel, MarketCommand, MarketSubscription } from './market-commands';

const USUAL_LEVELS = 20;
/** Weight of a subscription, and budget of a session (docs/service/streams.md#weights). */
export const CHANNEL_WEIGHTS: Record<MarketChannel, number> = {
  option: 20,
  orderbook: 5,
  index_bucket: 2,
  index: 1,
  greeks: 1,
};
export const SUBSCRIPTION_BUDGET = 50_000;
/** A channel that is told every minute or less often has no limit of subscriptions. */
const UNLIMITED_MS = 60_000;

/** Subscriptions of a connection, and the last message sent for each. */
export interface SubscriptionState {
  subscriptions: Map<string, MarketSubscription>;
  /** By subscription: what was told last, as text to compare with. */
  sent: Map<string, string>;
  /** By candle subscription: when the candle began that was told last, milliseconds. */
  candles: Map<string, number>;
  levels: number;
  /** Interval at which a channel is told, where that is not at every change; milliseconds. */
  paces: Map<MarketChannel, number>;
  /** Instant when a channel was told last, milliseconds. */
  sentAt: Map<MarketChannel, number>;
  postMarket: boolean;
}

/** Returns the subscriptions of a connection that has just been opened. */
export function newSubscriptionState(): SubscriptionState {
  return {
    subscriptions: new Map(),
    sent: new Map(),
    candles: new Map(),
    levels: USUAL_LEVELS,
    paces: new Map(),
    sentAt: new Map(),
    postMarket: false,
  };
}

/** Carries out a command that is about how a channel is told. */
export function applyCommand(
  requested: SubscriptionState,
  on: boolean,
  command: Exclude<MarketCommand, { kind: 'subscriptions' }>,
): void {
  if (command.kind === 'depth') requested.levels = on ? command.levels : USUAL_LEVELS;
  else if (command.kind === 'post_market') requested.postMarket = on && command.on;
  else if (on) requested.paces.set(command.channel, command.ms);
  else requested.paces.delete(command.channel);
}

/** Returns the weight of subscriptions; those that are told every minute or less often weigh nothing. */
export function weightOf({ paces }: SubscriptionState, subscriptions: Iterable<MarketSubscription>): number {
  let sum = 0;
  for (const { channel } of subscriptions)
    if ((paces.get(channel) ?? 0) < UNLIMITED_MS) sum += CHANNEL_WEIGHTS[channel];
  return sum;
}
