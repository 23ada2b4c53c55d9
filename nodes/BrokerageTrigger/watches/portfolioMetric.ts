/** A figure of the portfolio as it changes: read over REST, and moved by the prices of the stream in between. */
import { attempt } from '../../../client/attempt';
import { BrokerageError, SessionError } from '../../../client/base/errors';
import type { Instrument } from '../../../client/instruments/instrument';
import { LivePnl } from '../../../client/portfolio/live-pnl';
import { getFunds, getPositions, marginUsedPercent } from '../../../client/portfolio/portfolio';
import type { FeedEvent } from '../../../client/stream/account-feed/types';
import { OutageReporter } from '../../../client/stream/connection/outage-reporter';
import type { MarketEvent } from '../../../client/stream/market-data/market-data';
import { oncePerFrame } from '../../../client/stream/market-data/once-per-frame';
import { pauseUnlessAborted } from '../../../client/abortable';
import { accountOf } from '../../shared/accountApi';
import { instrumentOfRefId } from '../../shared/lookup';
import { clock } from '../../host/clock';
import { sharedFeeds } from '../../shared/feeds';
import { reportMarket } from '../context/marketReports';
import type { TriggerContext } from '../context/triggerContext';
import type { TriggerService } from '../context/triggerService';

/** The watched figure: paise, and for `marginUsedPercent` hundredths of a percent. */
export type PortfolioMetric = 'dayPnl' | 'marginUsed' | 'marginUsedPercent' | 'positionPnl';

/** Milliseconds between two readings: a fill may have been missed. */
const READS_EVERY_MS = 15_000;
/** Milliseconds from an order event to the reading: several come at once, and the service is a moment behind. */
const AFTER_ORDER_MS = 500;
const FEED = { subscriptions: ['orders', 'portfolio'], checkEveryMs: 30_000 } as const;

/**
 * Tells a figure at each reading and with each price that moves it.
 * @returns ends it. @throws BrokerageError if it cannot be read at the start.
 */
export async function openPortfolioMetric(
  context: TriggerContext,
  service: TriggerService,
  { figure, instrument }: { figure: PortfolioMetric; instrument: Instrument | undefined },
  take: (amount: number) => void,
): Promise<() => Promise<void>> {
  const over = new AbortController();
  const reader = new PortfolioMetricReader(context, service, { figure, instrument, over, take });
  await reader.read();
  const { leave } = await sharedFeeds.join(
    `${service.account}:portfolio`,
    service.deps,
    { ...FEED, environment: service.connection.environment },
    (event) => reader.onPortfolio(event),
    context.signal,
  );
  void reader.goOn();
  return async () => {
    over.abort();
    reader.close();
    await leave();
  };
}

interface ReaderOptions {
  figure: PortfolioMetric;
  instrument: Instrument | undefined;
  over: AbortController;
  take(amount: number): void;
}

class PortfolioMetricReader {
  private readonly pnl = new LivePnl();
  /** Ends the prices of each open position, by ref_id. */
  private readonly leaves = new Map<number, () => void>();
  private readonly signal: AbortSignal;
  private subscriptions = Promise.withResolvers<void>();
  /** Counts from the last reading. */
  private readonly unread = new OutageReporter(clock);
  /** The last sentence about what keeps the figure from being known; '' while it is known. */
  private lack = '';
  private source: 'stream' | 'rest' | undefined;
  private readonly reportFrame = oncePerFrame(
    () => {
      if (!this.signal.aborted) this.report();
    },
    (error) => this.failed(error),
  );

  constructor(
    private readonly context: TriggerContext,
    private readonly service: TriggerService,
    private readonly options: ReaderOptions,
  ) {
    this.unread.away();
    this.signal = AbortSignal.any([context.signal, options.over.signal]);
  }

  /** An order event asks for a reading; what the feed says of itself is told. */
  onPortfolio(event: FeedEvent): void {
    if (event.type === 'update' || event.type === 'day') this.subscriptions.resolve();
    this.context.report(event);
  }

  /** @throws BrokerageError */
  async read(): Promise<void> {
    const { transport, apiKind } = accountOf(this.service);
    const paths = await apiKind(this.signal);
    const { figure, take } = this.options;
    if (figure === 'marginUsed' || figure === 'marginUsedPercent') {
      const funds = await getFunds(transport, this.signal, paths);
      const percent = marginUsedPercent(funds);
      const used =
        figure === 'marginUsed' ? funds.total_margin_blocked : percent === null ? null : Math.round(percent * 100);
      if (typeof used === 'number') take(used);
      this.reportLack(
        typeof used === 'number' ? '' : 'the service does not tell the margin: the alert waits until it does',
      );
    } else {
      this.pnl.read(await getPositions(transport, this.signal, paths));
      this.report();
      await this.followPrices();
    }
    this.unread.back(clock.moment());
  }

  /** Reads again and again until it is over. */
  async goOn(): Promise<void> {
    for (;;) {
      const waiting = new AbortController();
      const either = AbortSignal.any([this.signal, waiting.signal]);
      await Promise.race([pauseUnlessAborted(clock, READS_EVERY_MS, either), this.subscriptions.promise]);
      waiting.abort();
      this.subscriptions = Promise.withResolvers<void>();
      if (!(await pauseUnlessAborted(clock, AFTER_ORDER_MS, this.signal))) return;
      const outcome = await attempt(this.read());
      if (!outcome.ok && !this.signal.aborted) this.failed(outcome.error);
    }
  }

  close(): void {
    for (const leave of this.leaves.values()) leave();
    this.leaves.clear();
  }

  private failed(error: unknown): void {
    if (error instanceof SessionError) return this.context.fatal(error);
    const downMs = this.unread.due();
    if (downMs === undefined) return;
    this.context.outage(error instanceof BrokerageError ? error.message : 'The portfolio could not be read', downMs);
  }

  private report(): void {
    const { instrument, take } = this.options;
    const amount = instrument === undefined ? this.pnl.all : this.pnl.of(instrument.refId);
    if (amount !== undefined) take(amount);
    const { what, symbols } = this.pnl.missing(instrument?.refId);
    this.reportLack(
      symbols.length === 0
        ? ''
        : `the service has no ${what} of ${symbols.join(', ')}: no profit is worked out until it has`,
    );
  }

  /** Says once what the service lacks for the figure. */
  private reportLack(lack: string): void {
    if (lack === this.lack) return;
    this.lack = lack;
    if (lack !== '') this.context.warn(lack);
  }

  /** Hears the prices of what is open now, and no others. */
  private async followPrices(): Promise<void> {
    const { instrument } = this.options;
    const open = this.pnl.open.filter(({ refId }) => instrument === undefined || refId === instrument.refId);
    for (const [refId, leave] of this.leaves) {
      if (open.some((item) => item.refId === refId)) continue;
      leave();
      this.leaves.delete(refId);
    }
    for (const { refId, exchange } of open) {
      if (this.leaves.has(refId)) continue;
      const heldInstrument = await instrumentOfRefId(this.service, refId, exchange, this.signal);
      if (heldInstrument === undefined) continue;
      const subscription = { kind: 'tick', instrument: heldInstrument } as const;
      const leave = await this.service.market.subscribe(
        [subscription],
        (event) => this.onMarketEvent(event),
        this.signal,
      );
      if (this.signal.aborted) leave();
      else this.leaves.set(refId, leave);
    }
  }

  private onMarketEvent(event: MarketEvent): void {
    // Each position hears where prices come from; the person needs to hear it once.
    if (event.kind !== 'source' || event.now !== this.source) reportMarket(this.context, event);
    if (event.kind === 'source') this.source = event.now;
    // Prices of the past are of different instants: their sum would be a profit that never was.
    if (event.kind !== 'tick' || event.tick.source === 'history') return;
    this.pnl.price(event.tick.instrument.refId, event.tick.lastPrice);
    this.reportFrame();
  }
}
