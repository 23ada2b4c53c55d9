/** Makes one row a bar of the columns of a candle reply. */
import { candlePriceIn } from '../values/market-price';
import { isContradictory } from './bar-prices';
import type { MoneyUnit } from '../values/money';
import { IstFormatter, istDate } from '../values/time';
import type { CandleSeries } from './candle-reply';

/** One bar: `symbol`, `exchange`, `interval`, `readTime` (IST), `ts` (nanoseconds as text), then a value for each field. */
export type CandleRow = Record<string, string | number | null>;

/** Fields that are prices: in paise, and null for an invalid number of the service. */
export const PRICE_FIELDS: ReadonlySet<string> = new Set(['open', 'high', 'low', 'close', 'l1bid', 'l1ask']);

const BAR_PRICES = ['open', 'high', 'low', 'close'] as const;
/** Fields that count something: below 0 they are none. */
const COUNTS: ReadonlySet<string> = new Set([
  ...['tick_volume', 'cumulative_volume', 'cumulative_volume_premium', 'cumulative_oi'],
  ...['cumulative_call_oi', 'cumulative_put_oi', 'cumulative_fut_oi'],
]);

/** Properties of the request that its rows need. */
export interface RowsRequest {
  exchange: string;
  interval: string;
  fields: readonly string[];
  /** Milliseconds since the epoch; bars that start in [from, to). */
  from: number;
  to: number;
  /** True if the service has no data of the day before `from`: the volume of the first bar is then unknown. */
  isCut?: boolean;
  unit: MoneyUnit;
}

/** An instant as milliseconds and nanoseconds. */
interface Time {
  ms: number;
  nanos: number;
  /** IST date, YYYY-MM-DD. */
  date: string;
  text: string;
  ts: string;
}

/** Instants as rows show them. The symbols of a query have mostly the same bars: the text of each is made once. */
export class CandleTimes {
  private readonly formatter = new IstFormatter();
  private readonly byPosition: Time[] = [];

  /** @param position of the bar in its list: where another symbol will look for the same one. */
  at(position: number, ms: number, nanos: number): Time {
    const known = this.byPosition[position];
    if (known !== undefined && known.ms === ms && known.nanos === nanos) return known;
    const { formatter } = this;
    const made = {
      ms,
      nanos,
      date: formatter.dateOf(ms),
      text: formatter.textOf(ms),
      ts: `${ms}${nanos === 0 ? '000000' : String(nanos).padStart(6, '0')}`,
    };
    this.byPosition[position] = made;
    return made;
  }
}

/** Makes the rows of one symbol, window after window. */
export class RowBuilder {
  readonly rows: CandleRow[] = [];
  /** True if the service knew the symbol. */
  seen = false;
  private readonly template: CandleRow;
  private readonly withVolume: boolean;
  private readonly hasBarPrices: boolean;
  private lastMs = -Infinity;
  private lastNanos = 0;
  private volumeDate = '';
  /** The cumulative volume of the bar before, of `volumeDate`; undefined if it is unknown. */
  private volumeSoFar: number | undefined;
  /** The IST date on which the volume before the first bar is unknown; '' once there is a bar. */
  private unknownBefore = '';

  constructor(
    readonly symbol: string,
    private readonly request: RowsRequest,
    private readonly times: CandleTimes,
  ) {
    this.withVolume = request.fields.includes('cumulative_volume');
    this.hasBarPrices = BAR_PRICES.every((field) => request.fields.includes(field));
    this.template = { symbol, exchange: request.exchange, interval: request.interval, time: '', ts: '' };
    for (const field of request.fields) this.template[field] = null;
    if (this.withVolume) this.template.volume = null;
    if (request.isCut === true) this.unknownBefore = istDate(request.from);
  }

  /** Adds the bars of a window; windows come in the order of their times. */
  add(byField: ReadonlyMap<string, CandleSeries>): void {
    this.seen = true;
    const fields = this.request.fields.filter((field) => byField.has(field));
    const series = fields.map((field) => byField.get(field)!);
    const longest = series.reduce<CandleSeries | undefined>(
      (best, sery) => (best === undefined || sery.ms.length > best.ms.length ? sery : best),
      undefined,
    );
    if (longest === undefined) return;
    const scales = fields.map((field) => (this.request.unit === 'rupees' && PRICE_FIELDS.has(field) ? 100 : 1));
    if (isAscending(longest) && series.every((sery) => sameTimes(sery, longest))) {
      for (let at = 0; at < longest.ms.length; at++) {
        this.addRow(
          this.times.at(at, longest.ms[at]!, longest.nanos[at]!),
          fields,
          scales,
          (field) => series[field]!.values[at]!,
        );
      }
      return;
    }
    this.addMerged(fields, scales, series);
  }

  /** Fields that do not have the same times, or times out of order or twice: joined by time. Of two values for one time neither counts. */
  private addMerged(fields: readonly string[], scales: readonly number[], series: readonly CandleSeries[]): void {
    const bars = new Map<string, { ms: number; nanos: number; values: number[] }>();
    series.forEach((sery, field) => {
      for (let at = 0; at < sery.ms.length; at++) {
        const key = `${sery.ms[at]}.${sery.nanos[at]}`;
        const bar = bars.get(key) ?? { ms: sery.ms[at]!, nanos: sery.nanos[at]!, values: [] };
        const [value, before] = [sery.values[at]!, bar.values[field]];
        bar.values[field] = before === undefined || before === value ? value : NaN;
        bars.set(key, bar);
      }
    });
    const sorted = [...bars.values()].sort((a, b) => a.ms - b.ms || a.nanos - b.nanos);
    sorted.forEach(({ ms, nanos, values }, at) =>
      this.addRow(this.times.at(at, ms, nanos), fields, scales, (field) => values[field] ?? NaN),
    );
  }

  private addRow(
    { ms, nanos, date, text, ts }: Time,
    fields: readonly string[],
    scales: readonly number[],
    value: (field: number) => number,
  ): void {
    // A bar on the border of two windows comes twice.
    if (ms < this.lastMs || (ms === this.lastMs && nanos <= this.lastNanos)) return;
    this.lastMs = ms;
    this.lastNanos = nanos;
    const row = { ...this.template };
    for (let at = 0; at < fields.length; at++) {
      const raw = value(at);
      const field = fields[at]!;
      const isNone = PRICE_FIELDS.has(field)
        ? candlePriceIn(raw) === undefined
        : Number.isNaN(raw) || (raw < 0 && COUNTS.has(field));
      row[fields[at]!] = isNone ? null : scales[at] === 1 ? raw : raw / scales[at]!;
    }
    if (this.hasBarPrices) clearContradiction(row);
    if (this.withVolume) row.volume = this.volumeOf(row.cumulative_volume, date);
    if (ms < this.request.from || ms >= this.request.to) return;
    row.time = text;
    row.ts = ts;
    this.rows.push(row);
  }

  /**
   * Returns the volume traded within the bar: its cumulative volume less that of the bar before it on the same day
   * (docs/service/market-data.md#cumulative-volume). Null where one of the two is unknown, and where the counter falls, which contradicts
   * itself: the bar would have the volume of the whole day, or that of two bars.
   */
  private volumeOf(cumulative: CandleRow[string] | undefined, date: string): number | null {
    const ofMorning = date === this.unknownBefore ? undefined : 0;
    const before = date === this.volumeDate ? this.volumeSoFar : ofMorning;
    this.unknownBefore = '';
    this.volumeDate = date;
    const isCounted = typeof cumulative === 'number' && cumulative >= (before ?? 0);
    this.volumeSoFar = isCounted ? cumulative : undefined;
    return isCounted && before !== undefined ? cumulative - before : null;
  }
}

/** Takes the prices of a row away if they contradict each other. */
function clearContradiction(row: CandleRow): void {
  const { open, high, low, close } = row;
  if (typeof open !== 'number' || typeof high !== 'number' || typeof low !== 'number' || typeof close !== 'number')
    return;
  if (isContradictory({ open, high, low, close })) for (const field of BAR_PRICES) row[field] = null;
}

function isAscending({ ms, nanos }: CandleSeries): boolean {
  for (let at = 1; at < ms.length; at++)
    if (ms[at]! < ms[at - 1]! || (ms[at] === ms[at - 1] && nanos[at]! <= nanos[at - 1]!)) return false;
  return true;
}

function sameTimes(a: CandleSeries, b: CandleSeries): boolean {
  if (a.ms === b.ms) return true;
  if (a.ms.length !== b.ms.length) return false;
  for (let at = 0; at < a.ms.length; at++) if (a.ms[at] !== b.ms[at] || a.nanos[at] !== b.nanos[at]) return false;
  return true;
}
