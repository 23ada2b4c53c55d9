/** Starts the workflow when profit, loss or margin does what it is waited for. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { instrumentName } from '../../../client/instruments/contract-name';
import { InputError } from '../../../client/base/errors';
import {
  firstTick,
  judgedAmount,
  ALERT_REPEATS,
  takeTick,
  type AlertSettings,
  type InstrumentAlert,
} from '../../../client/stream/market-data/instrument-alerts';
import type { AlertRule } from '../../../client/stream/market-data/alert-rules';
import { oneOf } from '../../../client/values/input';
import { rupeesText } from '../../../client/values/amounts';
import { paiseTo, rupeesToPaise, type MoneyUnit } from '../../../client/values/money';
import { istDate, toIst } from '../../../client/values/time';
import { findInstrument } from '../../shared/lookup';
import { chosenNames, optionName, readGroup, parameterOf, unitOf } from './parameters';
import { portfolioAlertFields } from './portfolioAlert.fields';
import { openPortfolioMetric, type PortfolioMetric } from './portfolioMetric';
import { rememberAlerts, resumeStoredAlerts } from './storedAlerts';
import { alertSummary, hasLabels } from './summaries';
import type { Watch } from './watch';

const FIGURES: readonly PortfolioMetric[] = ['dayPnl', 'marginUsed', 'marginUsedPercent', 'positionPnl'];
const CONDITIONS = ['crossesAbove', 'crossesBelow', 'entersBand', 'leavesBand'] as const;

export interface PortfolioAlertSettings extends AlertSettings {
  figure: PortfolioMetric;
  rule: AlertRule;
  unit: MoneyUnit;
}

export const portfolioAlert: Watch = {
  start: async (context, open) => {
    const settings = readPortfolioAlert(context.n8n);
    const service = await open();
    const { environment } = service.connection;
    const market = service.transport.marketClock;
    const field = parameterOf(context.n8n, 'instrument', '');
    const instrument =
      settings.figure === 'positionPnl'
        ? await findInstrument(service, field, 'instrument', 'Instrument', context.signal)
        : undefined;
    const key = instrument === undefined ? settings.figure : `${settings.figure}:${instrument.refId}`;
    const purpose = JSON.stringify([service.scope, environment, key, settings.rule]);
    const stored = resumeStoredAlerts(context, { purpose, now: market.now() });
    const take = (amount: number): void => {
      const previousState = stored.alerts?.[key];
      const judged = judgedAmount(amount, previousState, market.now());
      const state = previousState === undefined ? firstTick(settings, judged, null) : { ...previousState };
      const alert = previousState === undefined ? undefined : takeTick(settings, state, judged, null);
      stored.alerts = { [key]: state };
      if (alert === undefined) return;
      const named = instrument && {
        symbol: instrument.symbol,
        exchange: instrument.exchange,
        ref_id: instrument.refId,
      };
      const output = alertOutput(alert, settings, named, {
        environment,
        at: judged.at,
        hasSummary: hasLabels(context.n8n),
      });
      void context.emit([output], `alert:${stored.alertSince}:${key}:${alert.count}`);
    };
    const close = await openPortfolioMetric(context, service, { figure: settings.figure, instrument }, take);
    return {
      stop: async () => {
        await close();
        rememberAlerts(context, stored);
      },
    };
  },
  waitsFor: (n8n) => `the portfolio condition "${chosenNames(n8n, portfolioAlertFields, 'amountCondition')}"`,
};

function alertOutput(
  { price: amount, count }: InstrumentAlert,
  { figure, rule, unit }: PortfolioAlertSettings,
  named: { symbol: string; exchange: string; ref_id: number } | undefined,
  { environment, at, hasSummary }: { environment: string; at: number; hasSummary: boolean },
): Record<string, unknown> {
  const watched = optionName(portfolioAlertFields, 'figure', figure);
  const [text, shown] =
    figure === 'marginUsedPercent'
      ? [(hundredths: number) => `${hundredths / 100} %`, (hundredths: number) => hundredths / 100]
      : [rupeesText, (paise: number) => paiseTo(unit, paise)];
  const summary = alertSummary(
    {
      subject: named === undefined ? watched : `${watched} (${instrumentName(named, istDate(at))})`,
      value: text(amount),
      levels: ('level' in rule ? [rule.level] : 'low' in rule ? [rule.low, rule.high] : []).map(text),
    },
    { fields: portfolioAlertFields, name: 'amountCondition', value: rule.kind },
  );
  return {
    event: 'portfolioAlert',
    figure,
    condition: rule.kind,
    ...(hasSummary
      ? {
          figure_label: watched,
          condition_label: optionName(portfolioAlertFields, 'amountCondition', rule.kind),
          summary,
        }
      : {}),
    ...named,
    amount: shown(amount),
    ...('level' in rule
      ? { level: shown(rule.level) }
      : 'low' in rule
        ? { low: shown(rule.low), high: shown(rule.high) }
        : {}),
    alert_number: count,
    event_time_ist: toIst(at),
    environment,
  };
}

/** @throws InputError that names the parameter. */
function readPortfolioAlert(n8n: ITriggerFunctions): PortfolioAlertSettings {
  const options = readGroup(n8n, 'options');
  const figure = oneOf(parameterOf(n8n, 'figure', 'dayPnl'), FIGURES, 'figure', 'Figure');
  return {
    figure,
    rule: readRule(n8n, rupeesToPaise(options.rearm ?? 0, 'rearm', { label: 'Re-Arm Distance' })),
    repeat: oneOf(parameterOf(n8n, 'repeatAmount', 'onceADay'), ALERT_REPEATS, 'repeatAmount', 'Alert'),
    isDaily: figure === 'dayPnl',
    unit: unitOf(options),
  };
}

function readRule(n8n: ITriggerFunctions, rearm: number): AlertRule {
  const kind = oneOf(parameterOf(n8n, 'amountCondition', 'crossesBelow'), CONDITIONS, 'amountCondition', 'Condition');
  const rupees = (name: string, label: string): number =>
    rupeesToPaise(parameterOf(n8n, name, 0), name, { label, allowNegative: true });
  if (kind === 'crossesAbove' || kind === 'crossesBelow') return { kind, level: rupees('amount', 'Amount'), rearm };
  const [low, high] = [rupees('lowAmount', 'Lower Amount'), rupees('highAmount', 'Higher Amount')];
  if (low >= high) throw new InputError('Lower Amount must be below Higher Amount.', { parameter: 'lowAmount' });
  if (kind === 'leavesBand' && 2 * rearm > high - low) {
    throw new InputError('Re-Arm Distance is so large that the amount could never be back in the band.', {
      parameter: 'rearm',
      hint: 'Choose less than half of the width of the band.',
    });
  }
  return { kind, low, high, rearm };
}
