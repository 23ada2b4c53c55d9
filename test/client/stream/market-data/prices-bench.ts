/** The prices of instruments, brought by hand on a clock that is set by hand, and a history that answers when it may. */
import type { CandleRow } from '../../../../client/market/candle-rows';
import type { MarketInstrument } from '../../../../client/stream/market-data/market-data';
import type { WatchedInstrument, PriceListener } from '../../../../client/stream/market-data/watched-instrument';
import { PriceDistributor } from '../../../../client/stream/market-data/price-distributor';
import { ServiceClock } from '../../../../client/stream/market-data/service-clock';
import { msToNanos } from '../../../../client/values/time';
import type { IndexTick } from '../../../../proto/generated/messages';
import { VirtualClock } from '../../../support/clock';

export const [A, B, C] = ['A', 'B', 'C'].map((symbol, at): MarketInstrument => ({
  refId: at + 1,
  exchange: 'NSE',
  symbol,
  kind: 'STOCK',
})) as [MarketInstrument, MarketInstrument, MarketInstrument];

/** Ten o'clock of a trading day. */
export const TEN = 1_795_408_200_000;

/** A price as the stream tells it. */
export const tickOf = (indexname: string, indexValue: number, at: number, exchange = 'NSE'): IndexTick => ({
  ...{ indexname, exchange, indexValue, timestamp: msToNanos(at), highIndexValue: 0, lowIndexValue: 0 },
  ...{ volume: 0, changepercent: 0, tickVolume: 0, prevClose: 0, volumeOi: 0, indicativeClosePrice: null },
});

/** A second of the history in which the price stood. */
export const second = (symbol: string, at: number, price: number): CandleRow => ({
  ...{ symbol, ts: msToNanos(TEN + at), open: price, high: price, low: price, close: price, volume: 1 },
});

export class PricesBench {
  readonly clock = new VirtualClock(TEN);
  readonly time = new ServiceClock(this.clock);
  readonly heard: string[] = [];
  /** Since when the history was asked for, of what, milliseconds after ten. */
  readonly asked: string[] = [];
  readonly closing = new AbortController();
  rows: CandleRow[] = [];
  error: Error | undefined;
  /** The history answers when this is resolved. */
  mayAnswer: Promise<void> = Promise.resolve();
  readonly prices = new PriceDistributor({
    clock: this.clock,
    time: this.time,
    signal: this.closing.signal,
    fatal: () => undefined,
    candles: async ({ symbols, from }) => {
      this.asked.push(`${symbols.join()} ${from - TEN}`);
      const { rows, error } = this;
      await this.mayAnswer;
      if (error !== undefined) throw error;
      return { rows };
    },
  });

  constructor(isKnown = true) {
    if (isKnown) this.time.onFrame(TEN);
  }

  /** @param since milliseconds after ten */
  join(instrument: MarketInstrument, since?: number, name = ''): PriceListener {
    return this.prices.join(instrument, { since: since === undefined ? undefined : TEN + since }, (event) => {
      if (event.kind === 'tick')
        this.heard.push(`${name}${event.tick.lastPrice}@${event.tick.at - TEN} ${event.tick.source}`);
      else if (event.kind === 'gap') this.heard.push(`gap ${event.from - TEN} to ${event.to - TEN}: ${event.reason}`);
    });
  }

  entry({ refId }: MarketInstrument): WatchedInstrument {
    return this.prices.entries.get(refId)!;
  }

  /** The stream brings a price, as of so many milliseconds after ten; what was heard when all is settled. */
  async bring(price: number, at: number, { symbol } = A): Promise<string[]> {
    this.prices.take([tickOf(symbol, price, TEN + at)]);
    return await this.takeMessages();
  }

  async at(ms: number): Promise<string[]> {
    this.clock.set(TEN + ms);
    this.prices.fillDue();
    return await this.takeMessages();
  }

  async takeMessages(): Promise<string[]> {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    return this.heard.splice(0);
  }
}
