/** Starts the workflow when a figure of a whole option chain does what it is waited for. */
import { attempt } from '../../../client/attempt';
import { underlyingSymbol } from '../../../client/instruments/underlying';
import { InputError } from '../../../client/base/errors';
import { figuresOfChain, rankOf, type ChainFigures } from '../../../client/options/chain-figures';
import { getIvHistory } from '../../../client/options/iv-history';
import {
  dayOf,
  firstTick,
  isAlertDone,
  judgedAmount,
  needsBase,
  takeTick,
  type InstrumentAlert,
} from '../../../client/stream/market-data/instrument-alerts';
import type { MarketChain, MarketEvent } from '../../../client/stream/market-data/market-data';
import { quantityText, rupeesText } from '../../../client/values/amounts';
import { paiseTo, type MoneyUnit } from '../../../client/values/money';
import { istDate, toIst } from '../../../client/values/time';
import { findInList } from '../../shared/lists';
import { findInstrument } from '../../shared/lookup';
import { reportMarket } from '../context/marketReports';
import type { TriggerContext } from '../context/triggerContext';
import type { TriggerService } from '../context/triggerService';
import { followChain, readChain, type ChainChoice } from './marketChain';
import { optionChainFields } from './optionChain.fields';
import {
  CHAIN_MONEY,
  CHAIN_SCALES,
  readOptionChainSettings,
  type ChainFigure,
  type OptionChainSettings,
} from './optionChain.settings';
import { chosenNames, optionName } from './parameters';
import { rememberAlerts, resumeStoredAlerts } from './storedAlerts';
import { alertSummary, hasLabels } from './summaries';
import type { Watch } from './watch';

/** Each change of the chain is wanted: milliseconds. */
const PACE_MS = 0;

export const optionChain: Watch = {
  start: async (context, open) => {
    const settings = readOptionChainSettings(context.n8n);
    const choice = readChain(context.n8n);
    const isRank = settings.figure === 'ivRank';
    if (isRank && choice.exchange === 'MCX')
      throw new InputError('IV Rank needs the closes of an index or a share, which MCX does not have.', {
        parameter: 'chainFigure',
        hint: 'Choose IV at the Money, or an underlying of NSE or BSE.',
      });
    const service = await open();
    const { environment } = service.connection;
    const market = service.transport.marketClock;
    const purpose = JSON.stringify([environment, choice, settings.figure, settings.condition, settings.rule]);
    const stored = resumeStoredAlerts(context, { purpose, now: market.now() });
    const history = isRank ? new IvDays(context, service, choice, settings.ivDays) : undefined;
    const take = (chain: MarketChain): void => {
      const figures = figuresOfChain(chain);
      const ivRank = history?.rankOf(chain, figures) ?? null;
      const value = judgedFigure(settings, figures, ivRank);
      if (value === null) return;
      const key = `${chain.asset}:${chain.expiry}`;
      const previousState = stored.alerts?.[key];
      if (isAlertDone(settings, previousState)) return;
      const judged = judgedAmount(value, previousState, market.now());
      const isOfDay = needsBase(settings, previousState, judged);
      const state =
        previousState === undefined ? firstTick(settings, judged, isOfDay ? value : null) : { ...previousState };
      const base = !isOfDay ? null : previousState?.day === dayOf(previousState, judged) ? previousState.base : value;
      const alert = previousState === undefined ? undefined : takeTick(settings, state, judged, base);
      stored.alerts = { [key]: state };
      if (alert === undefined) return;
      const hasSummary = hasLabels(context.n8n);
      const item = alertOutput(alert, chain, { settings, figures, ivRank, environment, hasSummary, at: judged.at });
      void context.emit([item], `alert:${stored.alertSince}:${key}:${alert.count}`);
    };
    const onEvent = (event: MarketEvent): void =>
      event.kind === 'chain' ? take(event.chain) : reportMarket(context, event);
    const leave = await followChain(context, service, choice, PACE_MS, onEvent);
    return {
      stop: async () => {
        leave();
        history?.close();
        rememberAlerts(context, stored);
        await Promise.resolve();
      },
    };
  },
  waitsFor: (n8n) =>
    `the option chain (${chosenNames(n8n, optionChainFields, 'chainFigure')}: ${chosenNames(n8n, optionChainFields, 'chainCondition')})`,
};

/** The figure as a whole number of parts of its unit; null while it is not known. */
function judgedFigure({ figure }: OptionChainSettings, figures: ChainFigures, ivRank: number | null): number | null {
  const value = {
    atmIv: figures.atmIv,
    callInterestChange: figures.largestCall?.change ?? null,
    callStrike: figures.largestCall?.strike ?? null,
    ivRank,
    maxPain: figures.maxPain,
    putCallRatio: figures.putCallRatio,
    putInterestChange: figures.largestPut?.change ?? null,
    putStrike: figures.largestPut?.strike ?? null,
    skew: figures.skew,
    straddlePrice: figures.straddlePrice,
  }[figure];
  if (value === null) return null;
  return CHAIN_MONEY.has(figure) ? value : Math.round(value * CHAIN_SCALES[figure]);
}

/** A judged number in the unit of its figure. */
function figureOutput({ figure, unit }: OptionChainSettings, judged: number): number | null {
  return CHAIN_MONEY.has(figure) ? paiseTo(unit, judged) : judged / CHAIN_SCALES[figure];
}

const rounded = (value: number | null, scale: number): number | null =>
  value === null ? null : Math.round(value * scale) / scale;

/** Returns all figures of a chain under the names of the output. */
function figuresOutput(figures: ChainFigures, ivRank: number | null, unit: MoneyUnit): Record<string, unknown> {
  const { largestCall, largestPut } = figures;
  const largest = (largestInterest: typeof largestCall) =>
    largestInterest && {
      strike_price: paiseTo(unit, largestInterest.strike),
      open_interest: largestInterest.openInterest,
      open_interest_change: largestInterest.change,
    };
  return {
    put_call_ratio: rounded(figures.putCallRatio, 10_000),
    call_open_interest: figures.callInterest,
    put_open_interest: figures.putInterest,
    most_calls: largest(largestCall),
    most_puts: largest(largestPut),
    max_pain: paiseTo(unit, figures.maxPain),
    straddle_price: paiseTo(unit, figures.straddlePrice),
    iv_at_the_money: rounded(figures.atmIv, 100),
    ...(ivRank === null ? {} : { iv_rank: rounded(ivRank, 100) }),
    skew: rounded(figures.skew, 100),
  };
}

function alertOutput(
  { price: judged, from, count, base }: InstrumentAlert,
  chain: MarketChain,
  {
    settings,
    figures,
    ivRank,
    environment,
    hasSummary,
    at,
  }: {
    settings: OptionChainSettings;
    figures: ChainFigures;
    ivRank: number | null;
    environment: string;
    hasSummary: boolean;
    at: number;
  },
): Record<string, unknown> {
  const { rule, unit, figure, condition } = settings;
  const measured =
    rule.kind === 'moves'
      ? { moved_from: figureOutput(settings, from) }
      : rule.kind === 'movesFrom'
        ? { moved_from: figureOutput(settings, base ?? from) }
        : 'level' in rule
          ? { level: figureOutput(settings, rule.level) }
          : 'low' in rule
            ? { low: figureOutput(settings, rule.low), high: figureOutput(settings, rule.high) }
            : {};
  const text = (value: number): string => figureText(figure, value);
  const start = rule.kind === 'moves' ? from : rule.kind === 'movesFrom' ? (base ?? from) : undefined;
  const watched = optionName(optionChainFields, 'chainFigure', figure);
  const summary = alertSummary(
    {
      subject: `${watched} of ${chain.asset}, expiry ${chain.expiry},`,
      value: text(judged),
      moved: start === undefined ? undefined : `from ${text(start)}`,
      levels: ('level' in rule ? [rule.level] : 'low' in rule ? [rule.low, rule.high] : []).map(text),
    },
    { fields: optionChainFields, name: 'chainCondition', value: condition },
  );
  return {
    event: 'optionChainAlert',
    figure,
    condition,
    ...(hasSummary
      ? { figure_label: watched, condition_label: optionName(optionChainFields, 'chainCondition', condition), summary }
      : {}),
    value: figureOutput(settings, judged),
    ...measured,
    alert_number: count,
    asset: chain.asset,
    exchange: chain.exchange,
    expiry: chain.expiry,
    spot: paiseTo(unit, chain.spot),
    at_the_money: paiseTo(unit, chain.atTheMoney),
    ...figuresOutput(figures, ivRank, unit),
    event_time_ist: toIst(at),
    environment,
  };
}

/** Units of the figures that are neither money nor a ratio. */
const UNITS: Partial<Record<ChainFigure, string>> = {
  atmIv: '%',
  callInterestChange: ' units',
  ivRank: '%',
  putInterestChange: ' units',
  skew: ' percentage points',
};

/** Returns a figure with its unit, for a sentence: `₹270.60`, `12.04%`, `3,02,250 units`, `1.2004`. @param value in the unit in which it is judged */
export function figureText(figure: ChainFigure, value: number): string {
  if (CHAIN_MONEY.has(figure)) return rupeesText(value);
  const scale = CHAIN_SCALES[figure];
  const amount = value < 0 ? `−${-value / scale}` : String(value / scale);
  return `${scale === 1 ? quantityText(value) : amount}${UNITS[figure] ?? ''}`;
}

/** IV at the money on the days before, read again for each day and expiry; until then there is no rank. */
class IvDays {
  private readonly over = new AbortController();
  private readFor = '';
  private values: readonly number[] = [];

  constructor(
    private readonly context: TriggerContext,
    private readonly service: TriggerService,
    private readonly choice: ChainChoice,
    private readonly days: number,
  ) {}

  rankOf(chain: MarketChain, { atmIv }: ChainFigures): number | null {
    const day = `${istDate(this.service.transport.marketClock.now())} ${chain.expiry}`;
    if (this.readFor !== day) {
      this.readFor = day;
      this.values = [];
      void this.read(chain, day);
    }
    return atmIv === null ? null : rankOf(atmIv, this.values);
  }

  close(): void {
    this.over.abort();
  }

  private async read(chain: MarketChain, day: string): Promise<void> {
    const signal = AbortSignal.any([this.context.signal, this.over.signal]);
    const outcome = await attempt(this.history(chain, signal));
    if (signal.aborted || this.readFor !== day) return;
    if (outcome.ok) this.values = outcome.value;
    else this.context.warn('the IV of the days before could not be read, so there is no IV Rank today', outcome.error);
  }

  private async history({ expiry, calls, puts }: MarketChain, signal: AbortSignal): Promise<number[]> {
    const { service, choice, days } = this;
    const { exchange, underlying: written } = choice;
    const asset = await findInList(service, exchange, (list) => underlyingSymbol(list, written), signal);
    const underlying = await findInstrument(service, `${exchange}:${asset}`, 'underlying', 'Underlying', signal);
    const strikes = [...calls, ...puts].map(({ strike }) => strike);
    const { transport } = service;
    return await getIvHistory(transport, {
      underlying,
      expiry,
      strikes,
      days,
      now: transport.marketClock.now(),
      signal,
    });
  }
}
