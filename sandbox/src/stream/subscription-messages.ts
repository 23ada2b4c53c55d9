import type { Instrument } from '../market/reference/types';
import type { Sandbox } from '../simulation/sandbox';
import type { MarketSubscription } from './market-commands';
import { MarketMessages } from './market-messages';
import type { Messages } from './messages';
import type { SharedMessage } from './shared-messages';
import { nanosOf } from './update-frame';
import type { SubscriptionState } from './subscription-state';

/** Builds the current message of a subscription: what goes into a frame, and what tells whether it has changed. */
export class SubscriptionMessages {
  private readonly picture: MarketMessages;

  constructor(
    messages: Messages,
    private readonly sandbox: Sandbox,
  ) {
    this.picture = new MarketMessages(messages, sandbox);
  }

  /** Returns the current message of a subscription; undefined while it is silent. */
  at(
    state: SubscriptionState,
    one: Exclude<MarketSubscription, { channel: 'index_bucket' }>,
  ): SharedMessage | undefined {
    const { picture, sandbox } = this;
    if (one.channel === 'option') return this.chain(state, one);
    const instrument = 'refId' in one ? picture.byRefId(one.refId) : picture.instrument(one.exchange, one.name);
    if (instrument === undefined || !picture.isKnown(instrument) || !this.isShown(state, instrument)) return undefined;
    if (one.channel === 'index') {
      const tick = picture.tick(instrument, one.name);
      const isIndex = instrument.derivativeType === 'INDEX';
      return { isIndex, fingerprint: JSON.stringify(tick), message: { ...tick, timestamp: nanosOf(sandbox.instant) } };
    }
    if (one.channel === 'orderbook') {
      const book = picture.book(instrument, state.levels);
      const timestamp = picture.time(instrument.refId);
      return { isIndex: false, fingerprint: JSON.stringify(book), message: { ...book, timestamp } };
    }
    if (instrument.derivativeType !== 'OPT') return undefined;
    const greeks = picture.greeks(instrument);
    return {
      isIndex: false,
      fingerprint: JSON.stringify(greeks),
      message: { ...greeks, ts: picture.time(instrument.refId) },
    };
  }

  private chain(
    state: SubscriptionState,
    one: Extract<MarketSubscription, { channel: 'option' }>,
  ): SharedMessage | undefined {
    const chain = this.picture.chain(one.exchange, one.asset, one.expiry);
    if (chain === undefined || !this.isShown(state, chain.first)) return undefined;
    const timed = (legs: { refId: number }[]) => legs.map((leg) => ({ ...leg, ts: this.picture.time(leg.refId) }));
    const { message } = chain;
    return {
      isIndex: false,
      fingerprint: JSON.stringify(message),
      message: { ...message, ce: timed(message.ce), pe: timed(message.pe) },
    };
  }

  /** The candles that have changed since a connection was told of them last; undefined where none has. */
  candles(
    state: SubscriptionState,
    key: string,
    { exchange, name, interval }: Extract<MarketSubscription, { channel: 'index_bucket' }>,
  ): { isIndex: boolean; messages: object[] } | undefined {
    const { picture, sandbox } = this;
    const instrument = picture.instrument(exchange, name);
    if (instrument === undefined || !picture.isKnown(instrument) || !this.isShown(state, instrument)) return undefined;
    const buckets = picture.buckets(instrument, name, interval, state.candles.get(key));
    const last = buckets.at(-1);
    if (last === undefined) return undefined;
    state.candles.set(key, last.at);
    const reported = state.sent.get(key);
    const changed = buckets.filter(({ message }) => JSON.stringify(message) !== reported);
    state.sent.set(key, JSON.stringify(last.message));
    if (changed.length === 0) return undefined;
    const timestamp = nanosOf(sandbox.instant);
    const isIndex = instrument.derivativeType === 'INDEX';
    return { isIndex, messages: changed.map(({ message }) => ({ ...message, timestamp })) };
  }

  /** Outside of its sessions an instrument is silent, but for those who want the day's last picture. */
  private isShown(state: SubscriptionState, instrument: Instrument): boolean {
    return state.postMarket || this.picture.inSession(instrument);
  }
}
