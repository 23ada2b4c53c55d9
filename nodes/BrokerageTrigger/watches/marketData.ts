/** Starts the workflow with market data: prices, candles, market depth, Greeks, a whole option chain. */
import { ConflatingOutbox } from '../../../client/stream/market-data/conflating-outbox';
import { paceOf } from '../../../client/stream/market-data/channel-throttling';
import type {
  ClosedCandle,
  MarketEvent,
  MarketInstrument,
  MarketSubscription,
} from '../../../client/stream/market-data/market-data';
import {
  figuresOfCandle,
  figuresOfDepth,
  figuresOfOption,
  figuresOfTick,
  isWithin,
  type FigureLimit,
} from '../../../client/stream/market-data/market-filter';
import {
  candleOutput,
  chainOutput,
  depthOutput,
  greeksOutput,
  tickOutput,
  type MarketOutputOptions,
} from '../../../client/stream/market-data/market-output';
import { nanosToMs } from '../../../client/values/time';
import { clock } from '../../host/clock';
import { reportMarket } from '../context/marketReports';
import type { TriggerContext } from '../context/triggerContext';
import { followChain, readChain } from './marketChain';
import { watchedInstruments } from './instruments';
import { readMarketSettings, type MarketSettings } from './marketData.settings';
import type { RunningWatch, Watch } from './watch';
import { chosenNames } from './parameters';
import { marketDataFields } from './marketData.fields';

/** State between two activations. */
interface Stored {
  /** Identifies the interval and the environment of the candles. */
  candlesFor?: string;
  /** Start of the last delivered candle, milliseconds since the epoch, by ref_id. */
  candles?: Record<string, number>;
}

/** States of triggers that have ended in this process, by trigger: n8n stores them only with a run. */
const remembered = new Map<string, Stored>();

export const marketData: Watch = {
  start: async (context, open) => {
    const settings = readMarketSettings(context.n8n);
    const chain = settings.kind === 'chain' ? readChain(context.n8n) : undefined;
    const service = await open();
    const isSandbox = service.connection.environment === 'sandbox';
    const outputs = (): MarketOutputOptions => ({
      unit: settings.unit,
      environment: service.connection.environment,
      now: service.transport.marketClock.now(),
    });
    const outbox = new ConflatingOutbox<Newest>({
      clock,
      gapMs: settings.everyMs,
      deliver: (make, skipped) => context.start(make(skipped, outputs())),
    });
    const candles = new Candles(context, settings, outputs);
    const listener = (event: MarketEvent): void => {
      reportMarket(context, event);
      if (event.kind === 'candle') return candles.take(event.candle);
      const update = updateOf(event, settings.limits);
      // A sandbox's clock may go faster than ours: the gap between two updates is one of the market.
      if (update !== undefined) outbox.offer(update.key, update.make, isSandbox ? update.at : undefined);
    };
    const leave =
      chain === undefined
        ? await service.market.subscribe(
            (await watchedInstruments(context, service)).map((watchedInstrument) =>
              subscriptionOf(watchedInstrument, settings, candles),
            ),
            listener,
            context.signal,
          )
        : await followChain(context, service, chain, paceOf(settings.everyMs, settings.limits), listener);
    return {
      stop: async () => {
        leave();
        outbox.close();
        candles.keep();
        await Promise.resolve();
      },
    } satisfies RunningWatch;
  },
  waitsFor: (n8n) => `market data (${chosenNames(n8n, marketDataFields, 'marketData')})`,
};

/** Makes the item of an update when it is given. */
type Newest = (skipped: number, options: MarketOutputOptions) => Record<string, unknown>;

function subscriptionOf(instrument: MarketInstrument, settings: MarketSettings, candles: Candles): MarketSubscription {
  const { kind, interval, levels } = settings;
  const paceMs = paceOf(settings.everyMs, settings.limits);
  switch (kind) {
    case 'candle':
      return { kind, instrument, interval, since: candles.since(instrument) };
    case 'depth':
      return { kind, instrument, levels, paceMs };
    case 'greeks':
      return { kind, instrument, paceMs };
    default:
      return { kind: 'tick', instrument, paceMs };
  }
}

interface Update {
  /** The subject. */
  key: string;
  make: Newest;
  /** Its time, milliseconds on the service's clock; undefined where none is told. */
  at: number | undefined;
}

/** Returns an update; undefined if it is not wanted. */
function updateOf(event: MarketEvent, limits: readonly FigureLimit[]): Update | undefined {
  switch (event.kind) {
    case 'tick': {
      const { tick } = event;
      // What was while nobody listened is no update.
      if (tick.source === 'history' || !isWithin(limits, figuresOfTick(tick))) return undefined;
      return {
        key: String(tick.instrument.refId),
        make: (skipped, options) => tickOutput(tick, skipped, options),
        at: tick.at,
      };
    }
    case 'depth':
      if (!isWithin(limits, figuresOfDepth(event))) return undefined;
      return {
        key: String(event.instrument.refId),
        make: (skipped, options) => depthOutput(event, skipped, options),
        at: nanosToMs(event.depth.time ?? '') ?? undefined,
      };
    case 'greeks':
      if (!isWithin(limits, figuresOfOption(event.option))) return undefined;
      return {
        key: String(event.instrument.refId),
        make: (skipped, options) => greeksOutput(event, skipped, options),
        at: event.option.at,
      };
    case 'chain': {
      const requested = (options: typeof event.chain.calls) =>
        options.filter((option) => isWithin(limits, figuresOfOption(option)));
      const chain = { ...event.chain, calls: requested(event.chain.calls), puts: requested(event.chain.puts) };
      if (chain.calls.length + chain.puts.length === 0) return undefined;
      return {
        key: chain.asset,
        make: (skipped, options) => chainOutput(chain, skipped, options),
        at: Math.max(...[...chain.calls, ...chain.puts].map(({ at }) => at)),
      };
    }
    default:
      return undefined;
  }
}

/** Candles: each is given once, and none is left out. */
class Candles {
  private readonly stored: Stored;

  constructor(
    private readonly context: TriggerContext,
    private readonly settings: MarketSettings,
    private readonly outputs: () => MarketOutputOptions,
  ) {
    this.stored = context.manual ? {} : context.n8n.getWorkflowStaticData('node');
    const past = context.manual ? undefined : remembered.get(context.id);
    const purpose = `${outputs().environment} ${settings.interval}`;
    if (context.isAfresh || (past ?? this.stored).candlesFor !== purpose) this.stored.candles = {};
    else if (past?.candles !== undefined) this.stored.candles = past.candles;
    this.stored.candlesFor = purpose;
  }

  since({ refId }: MarketInstrument): number | undefined {
    return this.stored.candles?.[String(refId)];
  }

  take(candle: ClosedCandle): void {
    const { refId } = candle.instrument;
    if (candle.at <= (this.since(candle.instrument) ?? -Infinity)) return;
    this.stored.candles = { ...this.stored.candles, [String(refId)]: candle.at };
    if (!isWithin(this.settings.limits, figuresOfCandle(candle))) return;
    const key = `candle:${refId}:${candle.interval}:${candle.at}`;
    void this.context.emit([candleOutput(candle, this.outputs())], key);
  }

  keep(): void {
    const { candles, candlesFor } = this.stored;
    if (!this.context.manual) remembered.set(this.context.id, { candles, candlesFor });
  }
}
