/** A market in virtual time whose prices are known in advance, its stream and its history, and everything that can go wrong between. */
import { barPrices } from '../../../../client/market/bar-prices';
import { NetworkError, ServiceError, type BrokerageError } from '../../../../client/base/errors';
import type { Clock } from '../../../../client/base/ports';
import type { CandleRequest } from '../../../../client/market/candles';
import type { CandleRow } from '../../../../client/market/candle-rows';
import type { HistoryBar } from '../../../../client/stream/market-data/price-history';
import type { MarketInstrument } from '../../../../client/stream/market-data/market-data';
import type { MarketDeps } from '../../../../client/stream/market-data/market-feed';
import { msToNanos } from '../../../../client/values/time';
import { createRandomSource, type RandomSource } from '../../../../sandbox/src/shared/random';
import { MarketLine } from './market-line';
import { knownPrice } from '../../../support/price';

export interface MarketFaults {
  /** Out of 1,000 frames. */
  duplicate: number;
  truncate: number;
  garbage: number;
  disconnect: number;
  invalidToken: number;
  halfOpen: number;
  stall: number;
  /** Out of 1,000 requests, or connections. */
  refuseConnection: number;
  failRequest: number;
  slowRequest: number;
  /** Out of 1,000 frames of prices and candles: one that cannot be true comes before it, or in place of a candle's. */
  impossible: number;
  /** Out of 1,000 subscriptions: one that is taken without an error and never ticks. */
  silent: number;
}

export const CALM: MarketFaults = {
  duplicate: 0,
  truncate: 0,
  garbage: 0,
  disconnect: 0,
  invalidToken: 0,
  halfOpen: 0,
  stall: 0,
  refuseConnection: 0,
  failRequest: 0,
  slowRequest: 0,
  impossible: 0,
  silent: 0,
};

const SECOND = 1_000;
const LENGTHS: Partial<Record<string, number>> = { '1s': SECOND, '1m': 60_000 };
/** A price lasts at least a second, so that the history of seconds shows each. */
const MIN_MS = 1_000;

/** A share whose price changes at known instants. */
export class SimulatedShare {
  readonly instrument: MarketInstrument;
  /** Ascending; the first holds from the beginning. */
  readonly changes: { at: number; price: number }[];

  constructor(
    readonly symbol: string,
    refId: number,
    begin: number,
    end: number,
    chance: RandomSource,
  ) {
    this.instrument = { refId, exchange: 'NSE', symbol, kind: 'STOCK' };
    this.changes = [{ at: begin, price: 100_000 }];
    const busy = [2_000, 4_000, 15_000][chance.between(0, 2)]!;
    for (let at = begin; at < end;) {
      at += MIN_MS + chance.between(0, busy);
      this.changes.push({ at, price: 100_000 + chance.between(-10, 10) * 100 });
    }
  }

  priceAt(at: number): number {
    return this.changes[this.indexAt(at)]!.price;
  }

  /** All prices that stood within [from, to), oldest first. */
  pricesIn(from: number, to: number): number[] {
    const prices: number[] = [];
    for (let index = this.indexAt(from); index < this.changes.length && this.changes[index]!.at < to; index++)
      prices.push(this.changes[index]!.price);
    return prices;
  }

  private indexAt(at: number): number {
    let [low, high] = [0, this.changes.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.changes[middle]!.at <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

export class MarketWorld {
  readonly chance: RandomSource;
  readonly shares: SimulatedShare[];
  faults: MarketFaults = CALM;
  /** Symbols that the service refuses to subscribe to, as the account would want too much. */
  readonly refused = new Set<string>();
  token = 1;
  requests = 0;
  /** Milliseconds that the service's clock is ahead of the client's, which is set now and then. */
  ahead: number;
  private readonly sockets = new Set<MarketLine>();

  constructor(
    readonly clock: Clock,
    seed: number,
    readonly begin: number,
    end: number,
  ) {
    this.chance = createRandomSource(seed);
    this.ahead = this.hits(700) ? 0 : this.pick([-1, 1]) * this.chance.between(1, 90_000);
    this.shares = ['INFY', 'TCS', 'SBIN'].map(
      (symbol, at) => new SimulatedShare(symbol, 7001 + at, begin - 60_000, end, createRandomSource(seed * 31 + at)),
    );
  }

  /** Tells every change at its time, until all have happened. */
  async run(isOver: () => boolean): Promise<void> {
    const changes = this.shares
      .flatMap((share) => share.changes.map(({ at }) => ({ at, share })))
      .sort((a, b) => a.at - b.at);
    for (const { at, share } of changes) {
      if (at < this.clock.now()) continue;
      if (at > this.clock.now()) await this.clock.sleep(at - this.clock.now());
      if (isOver()) return;
      for (const socket of [...this.sockets]) socket.changed(share);
    }
  }

  /** True for `perMille` out of 1,000 draws. */
  hits(perMille: number): boolean {
    return perMille > 0 && this.chance.between(1, 1_000) <= perMille;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.chance.between(0, list.length - 1)] as T;
  }

  shareOf(symbol: string): SimulatedShare {
    return this.shares.find((share) => share.symbol === symbol) as SimulatedShare;
  }

  get openSockets(): number {
    return this.sockets.size;
  }

  forget(socket: MarketLine): void {
    this.sockets.delete(socket);
  }

  /** Closes every connection. */
  dropAll(): void {
    for (const socket of [...this.sockets]) socket.end(1006);
  }

  /** The bar that an instant is in, as far as it has come then. */
  barAt(share: SimulatedShare, lengthMs: number, now: number): HistoryBar {
    return this.bars(share, lengthMs, now, now + 1)[0] as HistoryBar;
  }

  /** Bars from the one that `from` is in up to `to`, as they stand now. */
  bars(share: SimulatedShare, lengthMs: number, from: number, to: number): HistoryBar[] {
    const now = this.clock.now();
    const bars: HistoryBar[] = [];
    for (let at = Math.floor(from / lengthMs) * lengthMs; at < Math.min(to, now + 1); at += lengthMs) {
      const prices = share.pricesIn(at, Math.min(at + lengthMs, now + 1));
      const [open, close] = [prices[0]!, prices.at(-1)!];
      const volume = Math.min(at + lengthMs, now + 1) - at;
      const [high, low] = [Math.max(...prices), Math.min(...prices)];
      bars.push({ at, ...barPrices({ open, high, low, close })!, volume });
    }
    return bars;
  }

  deps(): MarketDeps {
    return {
      clock: {
        now: () => this.clock.now() - this.ahead,
        moment: (ms) => this.clock.moment(ms),
        since: (moment) => this.clock.since(moment),
        sleep: async (ms, signal) => await this.clock.sleep(ms, signal),
      },
      random: () => this.chance.between(0, 999_999) / 1_000_000,
      makeSocket: (url) => {
        const socket = new MarketLine(this, url);
        this.sockets.add(socket);
        return socket;
      },
      access: async (signal) => {
        await this.request(signal);
        // As the header Date, which tells whole seconds.
        const date = Math.floor(this.clock.now() / SECOND) * SECOND;
        const aheadMs = date - (this.clock.now() - this.ahead);
        return { url: 'ws://127.0.0.1/market', token: `token-${this.token}`, aheadMs };
      },
      price: async ({ symbol }, signal) => {
        await this.request(signal);
        const price = this.shareOf(symbol).priceAt(this.clock.now());
        await this.clock.sleep(this.chance.between(1, 40), signal);
        return knownPrice(price);
      },
      candles: async (request) => ({ rows: await this.history(request) }),
    };
  }

  private async history({ symbols, interval, from, to, signal }: CandleRequest): Promise<CandleRow[]> {
    await this.request(signal);
    const length = LENGTHS[interval];
    if (length === undefined) throw new Error(`There is no history of ${interval}`);
    const rows = symbols.flatMap((symbol) =>
      this.bars(this.shareOf(symbol), length, from, to)
        .filter(({ at }) => at >= from)
        .map(({ at, ...bar }): CandleRow => ({ symbol, ts: msToNanos(at), ...bar })),
    );
    await this.clock.sleep(this.chance.between(1, 40), signal);
    return rows;
  }

  private async request(signal: AbortSignal | undefined): Promise<void> {
    this.requests += 1;
    const isSlow = this.hits(this.faults.slowRequest);
    await this.clock.sleep(isSlow ? this.chance.between(1_000, 9_000) : this.chance.between(1, 40), signal);
    if (this.hits(this.faults.failRequest)) throw this.failure();
  }

  private failure(): BrokerageError {
    return this.hits(500)
      ? new NetworkError('The service did not answer in time', { maySent: true })
      : new ServiceError('The service failed', { status: 500, serviceText: '' });
  }
}
