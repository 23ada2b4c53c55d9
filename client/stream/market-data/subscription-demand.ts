/** Total demand of one listener's subscriptions on the socket. */
import { requestedPace, type ChannelPace } from './channel-throttling';
import { channelOf, type MarketChannel } from './channels';
import type { MarketSubscription } from './market-data';

export interface SubscriptionDemand {
  readonly channels: readonly MarketChannel[];
  /** Levels of depth, for each channel of that kind. */
  readonly levels: readonly number[];
  /** Accepted interval of each channel. */
  readonly paces: readonly ChannelPace[];
}

export function demandOf(subscriptions: readonly MarketSubscription[]): SubscriptionDemand {
  const channels = subscriptions.map(channelOf);
  return {
    channels,
    levels: subscriptions.flatMap((subscription) => (subscription.kind === 'depth' ? [subscription.levels] : [])),
    paces: subscriptions.map((subscription, at) => requestedPace(subscription, channels[at]!)),
  };
}
