/** What all wants of one listener ask of the socket. */
import { paceWanted, type ChannelPace } from './channel-throttling';
import { channelOf, type Channel } from './channels';
import type { MarketWant } from './market-data';

export interface Demand {
  readonly channels: readonly Channel[];
  /** Levels of depth, for each channel of that kind. */
  readonly levels: readonly number[];
  /** How often each channel is wanted. */
  readonly paces: readonly ChannelPace[];
}

export function demandOf(wants: readonly MarketWant[]): Demand {
  const channels = wants.map(channelOf);
  return {
    channels,
    levels: wants.flatMap((want) => (want.kind === 'depth' ? [want.levels] : [])),
    paces: wants.map((want, at) => paceWanted(want, channels[at]!)),
  };
}
