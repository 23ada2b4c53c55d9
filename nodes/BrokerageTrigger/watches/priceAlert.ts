/** Starts the workflow when a price does what it is waited for. */
import { instrumentName } from '../../../client/instruments/contract-name';
import type { MarketTime } from '../../../client/market-clock';
import { InputError } from '../../../client/base/errors';
import { DAY_LEVELS, getDayLevel, levelCountsFrom, type DayLevel } from '../../../client/market/day-levels';
import { getDayOpen, getExtremeSince, getPreviousClose } from '../../../client/market/day-prices';
import { isExtreme, turnLevel, type ExtremeRule } from '../../../client/stream/market-data/alert-rules';
import type { InstrumentAlert } from '../../../client/stream/market-data/instrument-alerts';
import type { MarketEvent, MarketTick } from '../../../client/stream/market-data/market-data';
import { priceTime } from '../../../client/stream/market-data/market-output';
import {
  PriceAlertMonitor,
  type PriceAlertMonitorOptions,
} from '../../../client/stream/market-data/price-alert-monitor';
import { percentText, rupeesText } from '../../../client/values/amounts';
import { paiseTo } from '../../../client/values/money';
import { istDate, istInstant, toIst } from '../../../client/values/time';
import { withTimeout } from '../../../client/abortable';
import { clock } from '../../host/clock';
import { reportMarket } from '../context/marketReports';
import type { TriggerService } from '../context/triggerService';
import { readHeldEntry } from './heldEntry';
import { watchedInstruments } from './instruments';
import { readAlertSettings, REPEAT_VERSION, type PriceAlertSettings } from './priceAlert.settings';
import { rememberAlerts, resumeStoredAlerts } from './storedAlerts';
import { alertSummary, hasLabels } from './summaries';
import type { Watch } from './watch';
import { chosenNames, optionName } from './parameters';
import { priceAlertFields } from './priceAlert.fields';

/** Milliseconds within which the stream brings the first price of an instrument that trades. */
const FIRST_PRICES_MS = 2_000;

export const priceAlert: Watch = {
  start: async (context, open) => {
    const settings = readAlertSettings(context.n8n);
    const service = await open();
    requirePast(settings, service);
    const instruments = await watchedInstruments(context, service);
    const { environment } = service.connection;
    const refId = instruments[0]?.refId ?? 0;
    const stored = resumeStoredAlerts(context, {
      purpose: JSON.stringify([environment, settings.rule]),
      older: { refId, purpose: JSON.stringify([environment, refId, settings.rule]) },
      now: service.transport.marketClock.now(),
    });
    const output = {
      settings,
      version: context.n8n.getNode().typeVersion,
      hasSummary: hasLabels(context.n8n),
      environment,
      market: service.transport.marketClock,
    };

    // A sandbox's clock waits for what an alert has started, and is told of its end on the same stream.
    const holdsClock = environment === 'sandbox';
    let leave = (): void => undefined;
    const watch = new PriceAlertMonitor({
      clock,
      settings,
      instruments,
      everyMs: settings.everyMs,
      states: stored.alerts ?? {},
      since: context.isAfresh ? undefined : stored.alertSince,
      base: baseOf(settings, service, context.signal),
      countsFrom: countsFromOf(settings),
      onAlert: (alert, tick) => {
        stored.alerts = watch.states;
        const key = `alert:${stored.alertSince}:${tick.instrument.refId}:${alert.count}`;
        void context.emit([alertOutput(alert, tick, output)], key);
        if (watch.subscriptions.length === 0 && !holdsClock) leave();
      },
      onUnknown: ({ symbol }, error) =>
        context.warn(
          levelFromOf(settings) === undefined
            ? `what a move of ${symbol} is measured from could not be read`
            : `the level of ${symbol} is not known, and there is no alert until it is`,
          error,
        ),
    });
    const listener = (event: MarketEvent): void =>
      event.kind === 'tick' ? watch.take(event.tick) : reportMarket(context, event);
    const { subscriptions } = watch;
    if (subscriptions.length > 0) leave = await service.market.subscribe(subscriptions, listener, context.signal);
    if (watch.subscriptions.length === 0 && !holdsClock) leave();
    // n8n stores what is remembered now, and then with each alert.
    await withTimeout(clock, FIRST_PRICES_MS, context.signal, async () => await watch.hasAll);
    stored.alerts = watch.states;
    return {
      stop: async () => {
        leave();
        stored.alerts = watch.states;
        rememberAlerts(context, stored);
        await Promise.resolve();
      },
    };
  },
  waitsFor: (n8n) => `the price condition "${chosenNames(n8n, priceAlertFields, 'condition')}"`,
};

/** @throws InputError if prices are to count from a time that is yet to come. */
function requirePast({ rule }: PriceAlertSettings, { transport }: TriggerService): void {
  if (isExtreme(rule) && typeof rule.since === 'number' && rule.since > transport.marketClock.now())
    throw new InputError(`Since Time ${toIst(rule.since)} is in the future.`, {
      parameter: 'sinceTime',
      hint: 'Enter a day or a time in the past, or set Since to Publication.',
    });
}

/** Reads what a move is measured from, where the prices do not tell it. */
function baseOf(
  { rule }: PriceAlertSettings,
  service: TriggerService,
  signal: AbortSignal,
): PriceAlertMonitorOptions['base'] {
  const { transport } = service;
  const level = dayLevelOf(rule);
  return async (instrument, day, tick) => {
    if (level !== undefined)
      return await getDayLevel(transport, instrument, level, {
        day,
        now: transport.marketClock.now(),
        previousClose: tick.previousClose,
        hasTraded: tick.source !== 'rest',
        signal,
      });
    if (isExtreme(rule)) return await extremeOf(rule, instrument, day, service, signal);
    return rule.kind === 'movesFrom' && rule.from === 'open'
      ? await getDayOpen(transport, instrument, day, signal)
      : await getPreviousClose(transport, instrument, day, transport.marketClock.now(), signal);
  };
}

/** Returns the level of each day that a rule is about; undefined if it is about none. */
function dayLevelOf(rule: PriceAlertSettings['rule']): DayLevel | undefined {
  const name = rule.kind === 'movesFrom' ? DAY_LEVELS.find((level) => level === rule.from) : undefined;
  return name === undefined || rule.kind !== 'movesFrom' ? undefined : { name, span: rule.span ?? 0 };
}

function countsFromOf({ rule }: PriceAlertSettings): PriceAlertMonitorOptions['countsFrom'] {
  const level = dayLevelOf(rule);
  return level && ((instrument, day) => levelCountsFrom(level, instrument, day));
}

/** Returns the origin of the level that a price is to reach, in the market's data; undefined where the user has entered it, or there is none. */
function levelFromOf({ rule, condition }: Pick<PriceAlertSettings, 'rule' | 'condition'>): string | undefined {
  const isLevel = condition === 'crossesAbove' || condition === 'crossesBelow';
  return isLevel && rule.kind === 'movesFrom' ? rule.from : undefined;
}

/** The highest or lowest price before the watch began, or of a day, paise; null while there is none. @throws InputError if nothing is held */
async function extremeOf(
  rule: ExtremeRule,
  instrument: MarketTick['instrument'],
  day: string,
  service: TriggerService,
  signal: AbortSignal,
): Promise<number | null> {
  const { transport } = service;
  const now = transport.marketClock.now();
  const [which, farther] =
    rule.kind === 'fallsFromHighest' ? (['high', Math.max] as const) : (['low', Math.min] as const);
  if (rule.since === 'day') {
    const since = istInstant(day);
    return await getExtremeSince(transport, instrument, which, { since, now: since, signal });
  }
  const entry = rule.since === 'entry' ? await readHeldEntry(service, instrument, signal) : undefined;
  const since = entry?.since ?? (typeof rule.since === 'number' ? rule.since : now);
  const extreme = await getExtremeSince(transport, instrument, which, { since, now, signal });
  if (entry === undefined) return extreme;
  return extreme === null ? entry.price : farther(entry.price, extreme);
}

/** Names of what a move is measured from, in the item. */
const MEASURED_FROM: Readonly<Record<string, string>> & Readonly<Record<'highest' | 'lowest', string>> = {
  highest: 'Highest price',
  lowest: 'Lowest price',
  open: "Day's open",
  previousClose: 'Previous close',
  price: 'Price that you entered',
} as const;
const EXTREMES = { fallsFromHighest: 'highest', risesFromLowest: 'lowest' } as const;

/** Returns the origin of a level in the words of the panel: `Moving Average, 20 days`. */
function levelWords(rule: PriceAlertSettings['rule']): string {
  if (rule.kind !== 'movesFrom') return '';
  const label = optionName(priceAlertFields, 'levelFrom', rule.from);
  if (rule.span === undefined) return label;
  const unit = rule.from === 'movingAverage' ? 'day' : 'minute';
  return `${label}, ${rule.span} ${unit}${rule.span === 1 ? '' : 's'}`;
}

function alertOutput(
  { price, from, count, base }: InstrumentAlert,
  tick: MarketTick,
  {
    settings: { rule, condition, unit },
    version,
    hasSummary,
    environment,
    market,
  }: { settings: PriceAlertSettings; version: number; hasSummary: boolean; environment: string; market: MarketTime },
): Record<string, unknown> {
  const moved = (start: number) => ({
    moved_from: paiseTo(unit, start),
    change_percent: Math.round(((price - start) / start) * 10_000) / 100,
  });
  const labelled = (label: string) => (hasSummary ? { measured_from_label: label } : {});
  const { instrument, source } = tick;
  const isRecovered = source === 'history';
  const levelFrom = levelFromOf({ rule, condition });
  const start =
    rule.kind === 'moves' || isExtreme(rule)
      ? from
      : rule.kind === 'movesFrom' && levelFrom === undefined
        ? (base ?? from)
        : undefined;
  const summary = alertSummary(
    {
      subject: instrumentName(instrument, istDate(market.now())),
      value: rupeesText(price),
      moved: start === undefined ? undefined : `${percentText(moved(start).change_percent)} from ${rupeesText(start)}`,
      levels:
        levelFrom === undefined
          ? ('level' in rule ? [rule.level] : 'low' in rule ? [rule.low, rule.high] : []).map(rupeesText)
          : [`${rupeesText(base ?? from)}, ${levelWords(rule)}`],
    },
    { fields: priceAlertFields, name: 'condition', value: condition },
  );
  return {
    event: 'priceAlert',
    condition,
    ...(hasSummary ? { condition_label: optionName(priceAlertFields, 'condition', condition), summary } : {}),
    symbol: instrument.symbol,
    exchange: instrument.exchange,
    price: paiseTo(unit, price),
    ...(rule.kind === 'moves'
      ? moved(from)
      : levelFrom !== undefined
        ? {
            level: paiseTo(unit, base ?? from),
            level_from: levelFrom,
            level_from_label: levelWords(rule),
          }
        : rule.kind === 'movesFrom'
          ? { measured_from: rule.from, ...labelled(MEASURED_FROM[rule.from] ?? rule.from), ...moved(base ?? from) }
          : isExtreme(rule)
            ? {
                measured_from: EXTREMES[rule.kind],
                ...labelled(MEASURED_FROM[EXTREMES[rule.kind]]),
                ...moved(from),
                level: paiseTo(unit, turnLevel(rule, from)),
              }
            : 'level' in rule
              ? { level: paiseTo(unit, rule.level) }
              : { low: paiseTo(unit, rule.low), high: paiseTo(unit, rule.high) }),
    alert_number: count,
    event_time_ist: toIst(market.now()),
    ...(version < REPEAT_VERSION && !isRecovered
      ? {}
      : { recovered: isRecovered, price_time_ist: priceTime(tick), price_source: source }),
    ref_id: instrument.refId,
    environment,
  };
}
