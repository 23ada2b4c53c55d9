/** One listener of an alert, and prices for it: what the tests of alerts of an instrument share. */
import {
  firstTick,
  isNews,
  knownUntil,
  takeTick,
  type AlertSettings,
  type InstrumentState,
  type JudgedValue,
} from '../../../../client/stream/market-data/instrument-alerts';

export const MORNING = Date.parse('2026-11-23T09:15:00+05:30');
export const DAY = 86_400_000;
export const BASE = 1_000;

export const tick = (lastPrice: number, at: number, source: JudgedValue['source'] = 'stream'): JudgedValue => ({
  lastPrice,
  at,
  source,
  previousClose: null,
});

/** Prices, one each second. */
export const path = (prices: readonly number[]): JudgedValue[] =>
  prices.map((price, index) => tick(price, MORNING + index * 1_000));

/** A listener who hears one price after the other, and can be stopped. */
export class Listener {
  readonly alertedAt: number[] = [];
  state: InstrumentState | undefined;

  constructor(
    private readonly settings: AlertSettings,
    private readonly base: number | ((tick: JudgedValue) => number) = BASE,
  ) {}

  receive(ticks: readonly JudgedValue[]): this {
    for (const tick of ticks) {
      const base = typeof this.base === 'number' ? this.base : this.base(tick);
      if (this.state === undefined) this.state = firstTick(this.settings, tick, base);
      else if (isNews(this.state, tick) && takeTick(this.settings, this.state, tick, base))
        this.alertedAt.push(tick.at);
    }
    return this;
  }

  /** Goes on with what it had stored then, and hears what was since. */
  restart(stored: InstrumentState | undefined, ticks: readonly JudgedValue[]): void {
    this.state = JSON.parse(JSON.stringify(stored ?? null)) ?? undefined;
    const since = knownUntil(this.state) ?? -Infinity;
    this.receive(ticks.filter(({ at }) => at > since).map((tick) => ({ ...tick, source: 'history' as const })));
  }
}
