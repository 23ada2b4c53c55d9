/** Channels of the market-data stream, their weights, and the commands for them (docs/service/streams.md#market-data-commands). */

import { priceName } from '../../instruments/symbol';
import { compactDate } from '../../values/time';
import type { MarketSubscription } from './market-data';

/** One subscription. Its name in a command is what prices call the instrument, or its ref_id. */
export type MarketChannel =
  | { channel: 'index'; exchange: string; name: string }
  | { channel: 'index_bucket'; exchange: string; name: string; interval: string }
  | { channel: 'orderbook' | 'greeks'; refId: number }
  /** `expiry` is YYYYMMDD. */
  | { channel: 'option'; exchange: string; asset: string; expiry: string };

const WEIGHTS: Record<MarketChannel['channel'], number> = {
  option: 20,
  orderbook: 5,
  index_bucket: 2,
  index: 1,
  greeks: 1,
};
/** Maximum total weight of a session's subscriptions. */
export const SUBSCRIPTION_BUDGET = 50_000;
/** Maximum number of names in one command: a command of the largest size is a frame of a few kilobytes. */
const NAMES_PER_COMMAND = 500;

export function weightOf({ channel }: MarketChannel): number {
  return WEIGHTS[channel];
}

/** The subscription that brings what is wanted. */
export function channelOf(subscription: MarketSubscription): MarketChannel {
  switch (subscription.kind) {
    case 'tick':
      return { channel: 'index', exchange: subscription.instrument.exchange, name: priceName(subscription.instrument) };
    case 'candle':
      return {
        channel: 'index_bucket',
        exchange: subscription.instrument.exchange,
        name: priceName(subscription.instrument),
        interval: subscription.interval,
      };
    case 'depth':
      return { channel: 'orderbook', refId: subscription.instrument.refId };
    case 'greeks':
      return { channel: 'greeks', refId: subscription.instrument.refId };
    case 'chain':
      return {
        channel: 'option',
        exchange: subscription.exchange,
        asset: subscription.asset,
        expiry: compactDate(subscription.expiry),
      };
  }
}

/** Returns the identity of a subscription. */
export function channelKey(channel: MarketChannel): string {
  return Object.values(channel).join(' ');
}

/** The commands that subscribe to all of them, or end that; as few as possible. */
export function channelCommands(
  verb: 'batch_subscribe' | 'batch_unsubscribe',
  token: string,
  channels: readonly MarketChannel[],
): string[] {
  const groups = new Map<string, { channel: MarketChannel; all: MarketChannel[] }>();
  for (const channel of channels) {
    const key = channel.channel + tailOf(channel);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { channel, all: [channel] });
    else group.all.push(channel);
  }
  const texts: string[] = [];
  for (const { channel, all } of groups.values()) {
    for (let at = 0; at < all.length; at += NAMES_PER_COMMAND) {
      const json = JSON.stringify(listOf(channel.channel, all.slice(at, at + NAMES_PER_COMMAND)));
      texts.push(`${verb} ${token} ${channel.channel} ${json}${tailOf(channel)}`);
    }
  }
  return texts;
}

/** Returns the text after the list. */
function tailOf(channel: MarketChannel): string {
  if (channel.channel === 'index') return ` ${channel.exchange}`;
  return channel.channel === 'index_bucket' ? ` ${channel.interval} ${channel.exchange}` : '';
}

/** The list of a command, of channels of one kind. */
function listOf(kind: MarketChannel['channel'], channels: readonly MarketChannel[]): object {
  const entries = channels.map(entryOf);
  if (kind === 'option') return entries;
  return kind === 'orderbook' || kind === 'greeks' ? { instruments: entries } : { indexes: entries };
}

function entryOf(channel: MarketChannel): string | number | object {
  if ('refId' in channel) return channel.refId;
  if (channel.channel !== 'option') return channel.name;
  return { exchange: channel.exchange, asset: channel.asset, expiry: channel.expiry };
}
