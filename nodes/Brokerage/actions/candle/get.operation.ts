import type { INodeExecutionData } from 'n8n-workflow';
import { InputError } from '../../../../client/base/errors';
import { CANDLE_FIELDS, CANDLE_INTERVALS, getCandles, type CandleInterval } from '../../../../client/market/candles';
import { PRICE_FIELDS, type CandleRow } from '../../../../client/market/candle-rows';
import { csvBytes } from '../../../../client/values/csv-writer';
import { addDays, addMonths, istDate, istInstant, nanosToMs } from '../../../../client/values/time';
import { binaryField, collection, priceUnitField, priceUnitOf, sortByName } from '../../../shared/fields';
import { INTERVAL_NAMES, intervalOptions } from '../../../shared/intervals';
import { barEnd, type BarLength } from '../../../../client/indicators/history';
import type { Environment } from '../../../../client/session/settings';
import { instrumentField, moreInstrumentsField } from '../../../shared/instrumentField';
import type { ItemContext } from '../../common/itemContext';
import { marketDate } from '../../../shared/lookup';
import type { ItemOperation } from '../../common/operation';
import { isSince12 } from '../../common/version';
import { groupsOf, openBarField } from './fields';
import { findInstruments } from '../../common/itemInstrument';

const FIELD_NAMES: Record<string, string> = {
  open: 'Open',
  high: 'High',
  low: 'Low',
  close: 'Close',
  tick_volume: 'Tick Volume',
  cumulative_volume: 'Volume (Cumulative and per Bar)',
  cumulative_volume_premium: 'Premium Volume (Cumulative)',
  cumulative_oi: 'Open Interest',
  cumulative_call_oi: 'Open Interest of Calls',
  cumulative_put_oi: 'Open Interest of Puts',
  cumulative_fut_oi: 'Open Interest of Futures',
  l1bid: 'Best Bid',
  l1ask: 'Best Ask',
  theta: 'Theta',
  delta: 'Delta',
  gamma: 'Gamma',
  vega: 'Vega',
  iv_bid: 'Implied Volatility of the Bid',
  iv_ask: 'Implied Volatility of the Ask',
  iv_mid: 'Implied Volatility of the Middle',
  cumulative_volume_delta: 'Volume Delta (Cumulative)',
};
const DAYS = { today: 0, last7Days: 6, last30Days: 29, last365Days: 364 } as const;
const RANGES = ['custom', 'last30Days', 'last365Days', 'last7Days', 'today'] as const;

/** The range in milliseconds since the epoch. @throws InputError for what is no time, or in the wrong order. */
function rangeOf(item: ItemContext, now: number): { from: number; to: number } {
  const range = item.choice('range', RANGES);
  if (range !== 'custom') return { from: istInstant(addDays(istDate(now), -DAYS[range])), to: now };
  const from = item.dayOrInstant('from');
  const to = item.has('to') ? item.dayOrInstant('to') : now;
  if (from >= to)
    throw new InputError('The range ends before it begins.', {
      parameter: 'to',
      hint: 'Choose an end after the start. A day alone means its beginning.',
    });
  return { from, to };
}

const SECONDS: Partial<Record<CandleInterval, number>> = { '1s': 1_000, '10s': 10_000 };

/** Returns true if a bar is over at an instant, milliseconds. One without a time counts as over. */
function isOver(row: CandleRow, interval: CandleInterval, now: number, environment: Environment): boolean {
  const at = nanosToMs(row.ts);
  if (at === null) return true;
  const ms = SECONDS[interval];
  return now >= (ms === undefined ? barEnd(interval as BarLength, at, String(row.exchange), environment) : at + ms);
}

/** Returns the reason for a bar's missing prices. */
function unpricedIn(row: CandleRow): object {
  const missing = Object.keys(row).filter((field) => PRICE_FIELDS.has(field) && row[field] === null);
  const beside = missing.length < 4 ? '' : ', or prices that contradict each other';
  return missing.length === 0
    ? {}
    : { no_price_reason: `The service gives no price for ${missing.join(', ')}${beside}.` };
}

/** Returns the number of bars of a file that lack a price, if any: their cells are empty. */
function unpricedRows(rows: readonly CandleRow[]): object {
  const count = rows.filter((row) => Object.keys(unpricedIn(row)).length > 0).length;
  return count === 0
    ? {}
    : {
        rows_without_price: count,
        no_price_reason: `The service gives no price for some fields of ${count} of the bars: their cells are empty.`,
      };
}

/** The months that the service has of an interval (docs/service/limits.md#candle-windows). */
const monthsOf = (interval: CandleInterval): number => (['1d', '1w', '1mth'].includes(interval) ? 120 : 3);

/** @throws InputError for a start that is further back than the service goes; it names the first day that it has. */
function requireWithinHistory(from: number, today: string, interval: CandleInterval, parameter: string): void {
  const months = monthsOf(interval);
  const first = addMonths(today, -months);
  if (istDate(from) >= first) return;
  throw new InputError(
    `The service has bars of ${INTERVAL_NAMES[interval]} for the last ${months === 3 ? '3 months' : '10 years'} only, from ${first} on.`,
    {
      parameter,
      hint: months === 3 ? 'Choose a later start, or an interval of a day or more.' : 'Choose a later start.',
    },
  );
}

export const get: ItemOperation = {
  name: 'Get',
  action: 'Get candles',
  description:
    'Get historical candles (bars) of one or more instruments, as one item per bar or one CSV file. Any range works: long ones are read in parts and joined.',
  properties: [
    instrumentField,
    {
      displayName: 'Interval',
      name: 'interval',
      type: 'options',
      options: intervalOptions(CANDLE_INTERVALS),
      default: '1d',
      description: 'The length of one bar',
    },
    {
      displayName: 'Range',
      name: 'range',
      type: 'options',
      options: [
        { name: 'Custom', value: 'custom' },
        { name: 'Last 30 Days', value: 'last30Days' },
        { name: 'Last 365 Days', value: 'last365Days' },
        { name: 'Last 7 Days', value: 'last7Days' },
        { name: 'Today', value: 'today' },
      ],
      default: 'last30Days',
      description:
        'The days to get (IST). The service has 7 × 24 hours of bars below a minute, 3 months of other intraday bars, and up to 10 years of daily, weekly and monthly bars.',
    },
    {
      displayName: 'From',
      name: 'from',
      type: 'dateTime',
      default: '',
      required: true,
      displayOptions: { show: { range: ['custom'] } },
      description: 'The start, in IST unless you give a time zone',
    },
    {
      displayName: 'To',
      name: 'to',
      type: 'dateTime',
      default: '',
      displayOptions: { show: { range: ['custom'] } },
      description:
        'The end, in IST unless you give a time zone. Bars that start exactly then are left out. Empty means now.',
    },
    {
      displayName: 'Fields',
      name: 'fields',
      type: 'multiOptions',
      options: sortByName(CANDLE_FIELDS.map((value) => ({ name: FIELD_NAMES[value] ?? value, value }))),
      default: ['open', 'high', 'low', 'close', 'cumulative_volume'],
      description: 'What each bar holds. Greeks, volatility and open interest exist only for derivatives.',
    },
    {
      displayName: 'Output',
      name: 'output',
      type: 'options',
      options: [
        { name: 'CSV File', value: 'csv' },
        { name: 'Items', value: 'items', description: 'One item per bar' },
      ],
      default: 'items',
      description: 'Whether you get items or a file',
    },
    collection('Options', 'options', [
      {
        displayName: 'Add up the Option Chain',
        name: 'chain',
        type: 'boolean',
        default: true,
        description:
          'Whether to get totals over all options of the underlying, such as the open interest of all calls and puts',
      },
      openBarField,
      binaryField,
      moreInstrumentsField,
      priceUnitField,
    ]),
  ],
  nothing:
    'There is no closed bar in this range. "Include the Open Bar" under Options returns the one that is still forming.',
  concurrent: true,
  async execute(item) {
    const unit = priceUnitOf(item);
    const options = item.group('options');
    const interval = item.choice('interval', CANDLE_INTERVALS);
    const fields = item.choices('fields', CANDLE_FIELDS);
    if (fields.length === 0)
      throw new InputError('No field is chosen.', { parameter: 'fields', hint: 'Choose at least one, such as Close.' });
    const shape = item.choice('output', ['csv', 'items'] as const);
    const service = await item.service();
    const { marketClock } = service.transport;
    const range = rangeOf(item, marketClock.now());
    requireWithinHistory(
      range.from,
      marketDate(service.transport),
      interval,
      item.raw('range') === 'custom' ? 'from' : 'range',
    );
    const { signal } = item.run;
    const rows: CandleRow[] = [];
    const over = new Set<CandleRow>();
    const missing: string[] = [];
    let cut: { range_cut?: string } = {};
    const hasClosedColumn = isSince12(item);
    const withOpenBar = !hasClosedColumn || options.flag('openBar');
    const { environment } = service.connection;
    for (const group of groupsOf(await findInstruments(item, service), options.flag('chain'))) {
      const candles = await getCandles(service.transport, { ...group, ...range, fields, interval, unit, signal });
      const now = marketClock.now();
      for (const row of candles.rows) {
        const closed = isOver(row, interval, now, environment);
        if (closed || withOpenBar) rows.push(row);
        if (closed) over.add(row);
      }
      missing.push(...candles.missing);
      if (candles.rangeCut !== undefined) cut = { range_cut: candles.rangeCut };
    }
    if (missing.length > 0) {
      throw new InputError(`The service has no candles of ${missing.join(', ')}.`, {
        parameter: 'instrument',
        hint: 'Choose another range or interval, or leave it out.',
      });
    }
    if (shape === 'items')
      return rows.map((row): INodeExecutionData =>
        item.output({ ...row, ...(hasClosedColumn ? { closed: over.has(row) } : {}), ...unpricedIn(row), ...cut }),
      );
    const file = { bytes: csvBytes(rows), fileName: `candles_${interval}.csv`, mimeType: 'text/csv' };
    return [
      await item.file(
        { rows: rows.length, interval, file_name: file.fileName, ...unpricedRows(rows), ...cut },
        file,
        options.optionalText('binaryProperty') ?? 'data',
      ),
    ];
  },
};
