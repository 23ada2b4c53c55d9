/** Starts the workflow when a price does what it is waited for. */
import type { MarketTime } from '../../../client/market-clock';
import { getDayOpen, getPreviousClose } from '../../../client/market/day-prices';
import type { InstrumentAlert } from '../../../client/stream/market-data/instrument-alerts';
import type { MarketEvent, MarketTick } from '../../../client/stream/market-data/market-data';
import { PriceAlertMonitor } from '../../../client/stream/market-data/price-alert-monitor';
import { resumeAlerts, type StoredAlerts } from '../../../client/stream/market-data/alert-store';
import { paiseTo } from '../../../client/values/money';
import { toIst } from '../../../client/values/time';
import { within } from '../../../client/abortable';
import { clock } from '../../host/clock';
import { reportMarket } from '../context/marketReports';
import type { TriggerContext } from '../context/triggerContext';
import type { TriggerService } from '../context/triggerService';
import { watchedInstruments } from './instruments';
import { readAlertSettings, REPEAT_VERSION, type PriceAlertSettings } from './priceAlert.settings';
import type { Watch } from './watch';
import { chosenNames } from './parameters';
import { priceAlertFields } from './priceAlert.fields';

/** Milliseconds within which the stream brings the first price of an instrument that trades. */
const FIRST_PRICES_MS = 2_000;

/** What the alerts of triggers that have ended in this process remembered, by trigger: n8n stores it only with an alert. */
const remembered = new Map<string, StoredAlerts>();

export const priceAlert: Watch = {
  start: async (context, open) => {
    const settings = readAlertSettings(context.n8n);
    const service = await open();
    const instruments = await watchedInstruments(context, service);
    const stored = resumed(context, settings, service, instruments[0]?.refId ?? 0);
    const output = {
      settings,
      version: context.n8n.getNode().typeVersion,
      environment: service.connection.environment,
      market: service.transport.marketClock,
    };

    // A sandbox's clock waits for what an alert has started, and is told of its end on the same stream.
    const holdsClock = service.connection.environment === 'sandbox';
    let leave = (): void => undefined;
    const watch = new PriceAlertMonitor({
      clock,
      settings,
      instruments,
      everyMs: settings.everyMs,
      states: stored.alerts ?? {},
      since: context.isAfresh ? undefined : stored.alertSince,
      base: baseOf(settings, service, context.signal),
      onAlert: (alert, tick) => {
        stored.alerts = watch.states;
        const key = `alert:${stored.alertSince}:${tick.instrument.refId}:${alert.count}`;
        void context.emit([alertOutput(alert, tick, output)], key);
        if (watch.subscriptions.length === 0 && !holdsClock) leave();
      },
      onUnknown: ({ symbol }, error) =>
        context.warn(`what a move of ${symbol} is measured from could not be read`, error),
    });
    const listener = (event: MarketEvent): void =>
      event.kind === 'tick' ? watch.take(event.tick) : reportMarket(context, event);
    const { subscriptions } = watch;
    if (subscriptions.length > 0) leave = await service.market.subscribe(subscriptions, listener, context.signal);
    if (watch.subscriptions.length === 0 && !holdsClock) leave();
    // n8n stores what is remembered now, and then with each alert.
    await within(clock, FIRST_PRICES_MS, context.signal, async () => await watch.hasAll);
    stored.alerts = watch.states;
    return {
      stop: async () => {
        leave();
        stored.alerts = watch.states;
        const { alerts, alertFor, alertSince } = stored;
        if (!context.manual) remembered.set(context.id, { alerts, alertFor, alertSince });
        await Promise.resolve();
      },
    };
  },
  waitsFor: (n8n) => `the price condition "${chosenNames(n8n, priceAlertFields, 'condition')}"`,
};

/** What is stored of the alerts, made ready to go on from. */
function resumed(
  context: TriggerContext,
  { rule }: PriceAlertSettings,
  { connection: { environment }, transport }: TriggerService,
  refId: number,
): StoredAlerts {
  const stored: StoredAlerts = context.manual ? {} : context.n8n.getWorkflowStaticData('node');
  resumeAlerts(stored, {
    purpose: JSON.stringify([environment, rule]),
    older: { refId, purpose: JSON.stringify([environment, refId, rule]) },
    past: context.manual ? undefined : remembered.get(context.id),
    isAfresh: context.isAfresh,
    now: transport.marketClock.now(),
  });
  return stored;
}

/** Reads what a move is measured from, where the prices do not tell it. */
function baseOf(
  { rule }: PriceAlertSettings,
  { transport }: TriggerService,
  signal: AbortSignal,
): (instrument: MarketTick['instrument'], day: string) => Promise<number | null> {
  return async (instrument, day) =>
    rule.kind === 'movesFrom' && rule.from === 'open'
      ? await getDayOpen(transport, instrument, day, signal)
      : await getPreviousClose(transport, instrument, day, transport.marketClock.now(), signal);
}

function alertOutput(
  { price, from, count, base }: InstrumentAlert,
  { instrument, at, source }: MarketTick,
  {
    settings: { rule, unit },
    version,
    environment,
    market,
  }: { settings: PriceAlertSettings; version: number; environment: string; market: MarketTime },
): Record<string, unknown> {
  const moved = (start: number) => ({
    moved_from: paiseTo(unit, start),
    change_percent: Math.round(((price - start) / start) * 10_000) / 100,
  });
  const isRecovered = source === 'history';
  return {
    event: 'priceAlert',
    condition: rule.kind === 'movesFrom' ? 'moves' : rule.kind,
    symbol: instrument.symbol,
    exchange: instrument.exchange,
    price: paiseTo(unit, price),
    ...(rule.kind === 'moves'
      ? moved(from)
      : rule.kind === 'movesFrom'
        ? { measured_from: rule.from, ...moved(base ?? from) }
        : 'level' in rule
          ? { level: paiseTo(unit, rule.level) }
          : { low: paiseTo(unit, rule.low), high: paiseTo(unit, rule.high) }),
    alert_number: count,
    event_time_ist: toIst(market.now()),
    ...(version < REPEAT_VERSION && !isRecovered
      ? {}
      : { recovered: isRecovered, price_time_ist: toIst(at), price_source: source }),
    ref_id: instrument.refId,
    environment,
  };
}
