/** Prices over REST by hand: a service that answers what a test sets, and what is told of it. */
import type { Clock } from '../../../../client/base/ports';
import { marketPriceIn } from '../../../../client/values/market-price';
import type { BrokerageError } from '../../../../client/base/errors';
import type { CandleRow } from '../../../../client/market/candle-rows';
import type { MarketEvent, MarketInstrument } from '../../../../client/stream/market-data/market-data';
import { PriceDistributor } from '../../../../client/stream/market-data/price-distributor';
import { RestFallback } from '../../../../client/stream/market-data/rest-fallback';
import { ServiceClock } from '../../../../client/stream/market-data/service-clock';
import { msToNanos } from '../../../../client/values/time';
import type { CandleRequest } from '../../../../client/market/candles';
import type { Environment } from '../../../../client/session/settings';
import { VirtualClock, momentAt } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';

export const SECOND = 1_000;
export const shareOf = (refId: number): MarketInstrument => ({
  refId,
  exchange: 'NSE',
  symbol: `S${refId}`,
  kind: 'STOCK',
});
export const S7 = shareOf(7);
export const S8 = shareOf(8);
/** A second of the history with one known price. */
export const second = (at: number, price: number, symbol = 'S7'): CandleRow => ({
  ...{ symbol, ts: msToNanos(MONDAY_TEN + at * SECOND), open: price, high: price, low: price, close: price },
  volume: 1,
});

/** Prices over REST by hand; each beat is so many seconds after it has begun, at ten o'clock. */
export class RestBench {
  readonly clock: VirtualClock;
  readonly events: MarketEvent[] = [];
  readonly asked: number[] = [];
  readonly histories: string[][] = [];
  /** From when on the histories were asked for, seconds after the begin. */
  readonly from: number[] = [];
  readonly failures: (BrokerageError | undefined)[] = [];
  answers = 0;
  silences = 0;
  /** Reply of the service. */
  last = 101_000;
  rows: CandleRow[] = [];
  historyError: Error | undefined;
  priceError: Error | undefined;
  /** Promise that the service's replies wait for. `priceTakesMs` is how long a price is on its way. */
  held: Promise<void> | undefined;
  priceTakesMs = 0;
  /** Milliseconds by which our clock is set ahead while the history is read. */
  historySetsClockMs = 0;
  streamHeardAt: number | undefined;
  readonly closing = new AbortController();
  private readonly begin: number;
  readonly prices: PriceDistributor;
  readonly rest: RestFallback;

  constructor(environment: Environment = 'sandbox', { begin = MONDAY_TEN, isTimeKnown = true } = {}) {
    const clock = new VirtualClock(begin);
    this.clock = clock;
    this.begin = begin;
    let setBy = 0;
    const ours: Clock = {
      now: () => clock.now() + setBy,
      moment: (ms) => clock.moment(ms),
      since: (moment) => clock.since(moment),
      sleep: async (ms, signal) => await clock.sleep(ms, signal),
    };
    const time = new ServiceClock(ours);
    const { signal } = this.closing;
    const candles = async ({ symbols, from }: CandleRequest): Promise<{ rows: CandleRow[] }> => {
      this.histories.push([...symbols]);
      this.from.push((from - begin) / SECOND);
      await this.held;
      setBy += this.historySetsClockMs;
      if (this.historyError !== undefined) throw this.historyError;
      return { rows: this.rows };
    };
    if (isTimeKnown) time.onFrame(begin);
    this.prices = new PriceDistributor({ clock: ours, candles, time, signal, fatal: () => undefined });
    this.rest = new RestFallback(
      {
        ...{ clock: ours, time, signal, candles, random: () => 1, environment },
        price: async ({ refId }) => {
          this.asked.push(refId);
          await this.held;
          clock.set(clock.now() + this.priceTakesMs);
          if (this.priceError !== undefined) throw this.priceError;
          return marketPriceIn(this.last);
        },
        notify: (_entry, event) => void this.events.push(event),
        answered: () => (this.answers += 1),
        failed: (error) => void this.failures.push(error),
        streamReceivedAt: () => (this.streamHeardAt === undefined ? undefined : momentAt(this.streamHeardAt)),
        streamIsSilent: () => (this.silences += 1),
      },
      this.prices,
    );
  }

  listen(...instruments: MarketInstrument[]): void {
    for (const instrument of instruments) this.prices.join(instrument, {}, (event) => void this.events.push(event));
  }

  /** The stream tells a price, as of so many seconds after the begin; it may come later. */
  receive(price: number, seconds: number, { symbol }: MarketInstrument = S7, later = seconds): void {
    this.clock.set(this.begin + later * SECOND);
    const at = this.begin + seconds * SECOND;
    this.prices.take([
      {
        ...{ indexname: symbol, exchange: 'NSE', timestamp: msToNanos(at), indexValue: price },
        ...{ highIndexValue: 0, lowIndexValue: 0, volume: 0, changepercent: 0, tickVolume: 0, prevClose: 0 },
        ...{ volumeOi: 0, indicativeClosePrice: null },
      },
    ]);
  }

  async beat(seconds: number, isAsking = true): Promise<void> {
    this.clock.set(this.begin + seconds * SECOND);
    this.rest.tick(isAsking);
    await this.flush();
  }

  /** Resolves when what was answered was taken. */
  async flush(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Reported events: prices with their source, anything else by its kind. */
  get shown(): string[] {
    return this.events.map((event) =>
      event.kind === 'tick' ? `${event.tick.lastPrice} ${event.tick.source}` : event.kind,
    );
  }
}
