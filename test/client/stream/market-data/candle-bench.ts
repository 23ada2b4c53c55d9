/** A bench for closed candles: the test is the stream, the history and the clock. */
import type { BrokerageError } from '../../../../client/base/errors';
import type { CandleRow } from '../../../../client/market/candle-rows';
import type { CandleRequest } from '../../../../client/market/candles';
import { ClosedCandles } from '../../../../client/stream/market-data/closed-candles';
import type { MarketInstrument } from '../../../../client/stream/market-data/market-data';
import { ServiceClock } from '../../../../client/stream/market-data/service-clock';
import { msToNanos } from '../../../../client/values/time';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const INFY: MarketInstrument = { refId: 7, exchange: 'NSE', symbol: 'INFY', kind: 'STOCK' };
export const NIFTY: MarketInstrument = { refId: 8, exchange: 'NSE', symbol: 'NIFTY', kind: 'INDEX' };

/** Closed candles with a stream, a history and a clock that the test moves. */
export class CandleBench {
  readonly clock = new VirtualClock(MONDAY_TEN);
  readonly requests: CandleRequest[] = [];
  readonly failures: (BrokerageError | undefined)[] = [];
  answers = 0;
  /** Minutes after ten o'clock that the history holds, and what it throws instead. */
  history: number[] = [];
  error: Error | undefined;
  private readonly time = new ServiceClock(this.clock);
  private readonly closing = new AbortController();
  /** True where the service's clock waits, and what it waits for. */
  isWaitedFor = false;
  readonly held: Promise<unknown>[] = [];
  readonly candles = new ClosedCandles({
    clock: this.clock,
    environment: 'live',
    candles: async (request) => {
      this.requests.push(request);
      await Promise.resolve();
      if (this.error !== undefined) throw this.error;
      return { rows: request.symbols.flatMap((symbol) => this.history.map((minute) => row(symbol, minute))) };
    },
    time: this.time,
    signal: this.closing.signal,
    isWaitedFor: () => this.isWaitedFor,
    holdClock: (work) => this.held.push(work),
    answered: () => (this.answers += 1),
    failed: (error) => this.failures.push(error),
  });

  constructor(isKnown = true) {
    if (isKnown) this.time.onFrame(MONDAY_TEN);
  }

  close(): void {
    this.closing.abort(new Error('closed'));
  }

  /** Listens, and shows each candle as its minute, its close, and R where it was recovered. */
  listen(instrument = INFY, since?: number): string[] {
    const reported: string[] = [];
    this.candles.join(instrument, '1m', since, (event) => {
      if (event.kind !== 'candle') return;
      const { at: begin, close, recovered } = event.candle;
      reported.push(`${(begin - MONDAY_TEN) / MINUTE}:${close}${recovered ? ' R' : ''}`);
    });
    return reported;
  }

  /** A message shows the service's time, so many minutes after ten. */
  showTime(minute: number): void {
    this.time.onFrame(MONDAY_TEN + minute * MINUTE);
  }

  /** The stream tells of the candle that began so many minutes after ten. */
  sendCandle(minute: number, close = 100 + minute, more: object = {}): void {
    const bucket = {
      ...{ indexname: 'infy', exchange: 'NSE', interval: 'CANDLE_INTERVAL_1M', timestamp: '0', volume: 0 },
      ...{ open: 100, high: 999, low: 1, close, bucketVolume: 5, bucketTimestamp: at(minute), ...more },
    };
    this.candles.take([bucket as never]);
  }

  /** Runs one beat at this number of seconds after ten; resolves when the history has answered. */
  async tickAt(seconds: number, isHeard = true): Promise<void> {
    this.clock.set(MONDAY_TEN + seconds * SECOND);
    this.candles.tick(isHeard);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
}

export const at = (minute: number): string => msToNanos(MONDAY_TEN + minute * MINUTE);
const row = (symbol: string, minute: number): CandleRow => ({
  ...{ symbol, ts: at(minute), open: 100, high: 999, low: 1, close: 500 + minute, cumulative_volume: 7, volume: 7 },
});
