/**
 * Update intervals of the channels (docs/service/streams.md#market-data-commands: `socket_interval`). A setting belongs to a channel and a
 * connection, so a channel is slowed down only if all of its subscribers accept that. The interval is set before the channel's first
 * subscription. Only a new connection removes it, since a new connection certainly sends every change.
 */
import type { FigureLimit } from './market-filter';
import type { MarketChannel } from './channels';
import { ReferenceCounts } from './reference-counts';
import type { MarketSubscription } from './market-data';

type Kind = MarketChannel['channel'];

/** A subscriber's accepted interval between updates of a channel, milliseconds; 0 for each change. */
export interface ChannelPace {
  channel: Kind;
  paceMs: number;
}

const SECOND = 1_000;
/** Intervals of a slowed channel, the slowest first. Minutes would look like silence to a check of the stream. */
const STEPS = [
  [30 * SECOND, '30s'],
  [10 * SECOND, '10s'],
  [5 * SECOND, '5s'],
  [SECOND, '1s'],
] as const;
/** The slowest of each channel: of prices the stream must bring the last one in time, or it counts as silent; candles need each change. */
const SLOWEST: Record<Kind, number> = {
  index: SECOND,
  index_bucket: 0,
  orderbook: 30 * SECOND,
  greeks: 30 * SECOND,
  option: 30 * SECOND,
};
/** Maximum age of the data that starts a workflow, as a part of the shortest time between two runs. */
const PART_OF_GAP = 5;

/**
 * Returns the interval between updates that is short enough for a workflow, milliseconds: 0, each change, if a filter waits for one of
 * them.
 * @param gapMs shortest time between two runs.
 */
export function paceOf(gapMs: number, limits: readonly FigureLimit[]): number {
  return limits.length === 0 ? gapMs / PART_OF_GAP : 0;
}

/** Returns the interval that a subscription requests of its channel. */
export function requestedPace(subscription: MarketSubscription, { channel }: MarketChannel): ChannelPace {
  return { channel, paceMs: subscription.paceMs ?? 0 };
}

export class ChannelPaces {
  /** By channel: how many want each pace. */
  private readonly requested = new Map<Kind, ReferenceCounts<number>>();
  /** Intervals that are set on the connection, by channel; 0 for each change. */
  private readonly set = new Map<Kind, number>();

  add(paces: readonly ChannelPace[]): void {
    for (const { channel, paceMs } of paces) {
      const counts = this.requested.get(channel) ?? new ReferenceCounts<number>();
      this.requested.set(channel, counts);
      counts.add(paceMs);
    }
  }

  /** Takes back what was added before. */
  remove(paces: readonly ChannelPace[]): void {
    for (const { channel, paceMs } of paces) {
      const counts = this.requested.get(channel)!;
      counts.remove(paceMs);
      if (counts.keys.length === 0) this.requested.delete(channel);
    }
  }

  /** Another connection is open, on which nothing is set. */
  renew(): void {
    this.set.clear();
  }

  /** True if the connection updates a channel less often than a subscriber wants it. */
  get isTooSlow(): boolean {
    return [...this.set].some(([channel, ms]) => ms > (this.stepOf(channel)?.[0] ?? 0));
  }

  /** Returns the commands to send before the first subscriptions of their channels. */
  commands(token: string): string[] {
    const fresh = [...this.requested.keys()].filter((channel) => !this.set.has(channel));
    return fresh.flatMap((channel) => {
      const step = this.stepOf(channel);
      this.set.set(channel, step?.[0] ?? 0);
      return step === undefined ? [] : [`batch_subscribe ${token} socket_interval ${channel} ${step[1]}`];
    });
  }

  /** Returns the interval that all subscribers of a channel accept, the channel's slowest if it has none; undefined for each change. */
  private stepOf(channel: Kind): (typeof STEPS)[number] | undefined {
    const max = Math.min(SLOWEST[channel], ...(this.requested.get(channel)?.keys ?? []));
    return STEPS.find(([ms]) => ms <= max);
  }
}
