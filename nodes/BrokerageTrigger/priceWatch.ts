/** Starts the workflow when a price does what it is waited for. */
import { getCurrentPrice } from '../../client/market/quotes';
import { firstState, nextState, type Alert, type AlertState } from '../../client/stream/market-data/price-alerts';
import { watchPrice } from '../../client/stream/market-data/price-polling';
import { paiseTo } from '../../client/values/money';
import { toIst } from '../../client/values/time';
import { findInstrument } from '../Brokerage/actions/lookup';
import { clock } from '../shared/clock';
import type { TriggerService } from './service';
import { readAlertSettings, type AlertSettings } from './settings';
import type { Running, Stage } from './triggerContext';

/** What is stored between two activations. */
interface Stored {
  alert?: AlertState;
  /** Stands for the instrument and the condition that the state belongs to. */
  alertFor?: string;
  /** When the alerts began to be counted, milliseconds since the epoch. */
  alertSince?: number;
}

/** What the alerts of triggers that have ended in this process remembered, by trigger: n8n stores it only with an alert. */
const remembered = new Map<string, Stored>();

/** @throws BrokerageError when the instrument is not found or its price cannot be had. */
export async function watchForPrice(stage: Stage, open: () => Promise<TriggerService>): Promise<Running> {
  const settings = readAlertSettings(stage.context);
  const service = await open();
  const { symbol, exchange, refId } = await findInstrument(
    service,
    stage.context.getNodeParameter('instrument'),
    'instrument',
    'Instrument',
    stage.signal,
  );
  const stored: Stored = stage.manual ? {} : stage.context.getWorkflowStaticData('node');
  const purpose = JSON.stringify([service.connection.environment, refId, settings.rule]);
  const past = remembered.get(stage.id);
  if (!stage.manual && past !== undefined && isNewer(past, stored)) Object.assign(stored, past);
  if (stage.isAfresh || stored.alertFor !== purpose) {
    delete stored.alert;
    stored.alertSince = clock.now();
  }
  stored.alertFor = purpose;
  if (settings.once && (stored.alert?.count ?? 0) > 0) return { stop: async () => undefined };

  const done = new AbortController();
  const take = (price: number): void => {
    if (done.signal.aborted) return;
    const { state, alert } = stored.alert
      ? nextState(settings.rule, stored.alert, price)
      : { state: firstState(settings.rule, price), alert: undefined };
    if (JSON.stringify(state) !== JSON.stringify(stored.alert)) stored.alert = state;
    if (alert)
      stage.emit(
        [alertOutput(alert, settings, { symbol, exchange, refId, environment: service.connection.environment })],
        `alert:${stored.alertSince}:${alert.count}`,
      );
    if (settings.once && state.count > 0) done.abort();
  };
  await watchPrice(
    {
      clock,
      random: Math.random,
      environment: service.connection.environment,
      everyMs: settings.everyMs,
      price: async (signal) => (await getCurrentPrice(service.transport, symbol, exchange, signal)).price,
      onPrice: take,
      onOutage: stage.outage,
      onFatal: stage.fatal,
    },
    AbortSignal.any([stage.signal, done.signal]),
  );
  return {
    stop: async () => {
      done.abort();
      const { alert, alertFor, alertSince } = stored;
      if (!stage.manual) remembered.set(stage.id, { alert, alertFor, alertSince });
    },
  };
}

/** Whether what this process remembers is of the same alerts as what n8n has stored, or n8n has stored none, and not older. */
function isNewer(past: Stored, stored: Stored): boolean {
  return (
    stored.alertSince === undefined ||
    (past.alertSince === stored.alertSince && (past.alert?.count ?? 0) >= (stored.alert?.count ?? 0))
  );
}

function alertOutput(
  { price, from, count }: Alert,
  { rule, unit }: AlertSettings,
  instrument: { symbol: string; exchange: string; refId: number; environment: string },
): Record<string, unknown> {
  return {
    event: 'priceAlert',
    condition: rule.kind,
    symbol: instrument.symbol,
    exchange: instrument.exchange,
    price: paiseTo(unit, price),
    ...(rule.kind === 'moves'
      ? { moved_from: paiseTo(unit, from), change_percent: Math.round(((price - from) / from) * 10_000) / 100 }
      : 'level' in rule
        ? { level: paiseTo(unit, rule.level) }
        : { low: paiseTo(unit, rule.low), high: paiseTo(unit, rule.high) }),
    alert_number: count,
    event_time_ist: toIst(clock.now()),
    ref_id: instrument.refId,
    environment: instrument.environment,
  };
}
