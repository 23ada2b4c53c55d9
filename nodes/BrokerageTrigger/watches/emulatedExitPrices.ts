/** The prices of the instruments whose exits are kept: of the stream, or over REST where it brings nothing. */
import { attempt } from '../../../client/attempt';
import type { Moment } from '../../../client/base/ports';
import type { Instrument } from '../../../client/instruments/instrument';
import type { MarketData, MarketEvent, MarketTick } from '../../../client/stream/market-data/market-data';
import { knownMarketPrice, type MarketPrice } from '../../../client/values/market-price';
import { clock } from '../../host/clock';
import { reportMarket } from '../context/marketReports';
import type { TriggerContext } from '../context/triggerContext';

/** Milliseconds until prices that could not be had are asked for again. */
const TRIES_AGAIN_MS = 20_000;

interface Subscription {
  price?: MarketPrice;
  /** Time of the price on the exchange's clock, milliseconds. */
  at?: number;
  /** Ends it; undefined before it has begun. */
  end?: () => void;
  /** Time of the failure, milliseconds. */
  failedAt?: Moment;
}

/** Each instrument is subscribed to when its price is asked for first. */
export class EmulatedExitPrices {
  private readonly subscriptions = new Map<number, Subscription>();

  /** @param onPrice takes each price, those of the past too. */
  constructor(
    private readonly context: TriggerContext,
    private readonly market: MarketData,
    private readonly signal: AbortSignal,
    private readonly onPrice: (tick: MarketTick) => void,
  ) {}

  /** The last price of an instrument; undefined before there is one, and where it is of a day before `day` (YYYY-MM-DD, IST). */
  of(instrument: Instrument | undefined, day?: string): MarketPrice | undefined {
    if (instrument === undefined) return undefined;
    void this.follow(instrument);
    const { price, at } = this.subscriptions.get(instrument.refId) ?? {};
    return knownMarketPrice(price, at === undefined ? undefined : { at, day });
  }

  /** Resolves when it hears of an instrument, or cannot; what failed is tried again after a while. */
  async follow(instrument: Instrument): Promise<void> {
    const subscription = this.subscriptions.get(instrument.refId);
    const isDue = subscription?.failedAt === undefined || clock.since(subscription.failedAt) > TRIES_AGAIN_MS;
    if (subscription === undefined || (subscription.failedAt !== undefined && isDue)) await this.subscribe(instrument);
  }

  /**
   * Follows these instruments, and no others any more.
   * @param isKept true for one that is followed on though it is not among them.
   */
  async followAll(instruments: readonly Instrument[], isKept: (refId: number) => boolean): Promise<void> {
    await Promise.all(instruments.map((instrument) => this.follow(instrument)));
    const refIds = new Set(instruments.map(({ refId }) => refId));
    for (const [refId, { end }] of this.subscriptions) {
      if (refIds.has(refId) || isKept(refId) || end === undefined) continue;
      end();
      this.subscriptions.delete(refId);
    }
  }

  /** Ends all of them. */
  close(): void {
    for (const { end } of this.subscriptions.values()) end?.();
    this.subscriptions.clear();
  }

  private async subscribe(instrument: Instrument): Promise<void> {
    const { refId, symbol } = instrument;
    const made: Subscription = {};
    this.subscriptions.set(refId, made);
    const listener = (event: MarketEvent): void => {
      if (event.kind !== 'tick') return reportMarket(this.context, event);
      // What was so while nothing was heard is past.
      if (event.tick.source !== 'history') {
        made.price = event.tick.lastPrice;
        made.at = event.tick.at;
      }
      this.onPrice(event.tick);
    };
    const begun = await attempt(this.market.subscribe([{ kind: 'tick', instrument }], listener, this.signal));
    if (begun.ok) {
      made.end = begun.value;
      if (this.signal.aborted) begun.value();
      return;
    }
    made.failedAt = clock.moment();
    if (!this.signal.aborted)
      this.context.warn(`the price of ${symbol} cannot be read; its exits are not watched until then`, begun.error);
  }
}
