/** Market data over connections that are made by hand: what the service answers is set by the test, and nothing else happens. */
import { monotonicBy } from '../../../../client/base/monotonic';
import { afterEach } from '@jest/globals';
import type { StreamAccess } from '../../../../client/stream/connection/socket';
import type {
  MarketEvent,
  MarketInstrument,
  MarketSubscription,
} from '../../../../client/stream/market-data/market-data';
import { MarketFeed, type MarketDeps } from '../../../../client/stream/market-data/market-feed';
import { Messages } from '../../../../sandbox/src/stream/messages';
import { nanosOf } from '../../../../sandbox/src/stream/update-frame';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { HandSocket } from './socket-bench';

export const INFY: MarketInstrument = { refId: 7001, exchange: 'NSE', symbol: 'INFY', kind: 'STOCK' };
export const TCS: MarketInstrument = { refId: 7002, exchange: 'NSE', symbol: 'TCS', kind: 'STOCK' };
const messages = new Messages({ platformWord: 'plat', serviceWord: 'acme' });

export const tickOf = (instrument: MarketInstrument): MarketSubscription => ({ kind: 'tick', instrument });
export const depthOf = (instrument: MarketInstrument): MarketSubscription => ({
  kind: 'depth',
  instrument,
  levels: 20,
});

/** Makes this many option chains. */
export const chains = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...({ kind: 'chain', exchange: 'NSE', asset: `A${at}`, expiry: '2026-11-24' } as const),
  }));

/** A reported price; times are milliseconds since the epoch. */
export interface TickValues {
  price: number;
  at?: number;
  frameAt?: number;
  name?: string;
}

/** A frame of prices. */
export function ticks(...list: readonly TickValues[]): Uint8Array {
  return messages.marketFrame('index', 'BatchWebSocketIndexMessage', {
    timestamp: nanosOf(list[0]?.frameAt ?? list[0]?.at ?? MONDAY_TEN),
    instruments: list.map(({ price, at = MONDAY_TEN, name = 'INFY' }) => ({
      indexname: name,
      exchange: 'NSE',
      timestamp: nanosOf(at),
      indexValue: price,
    })),
  });
}

/** Those of the test that runs. */
const services = new Set<FeedService>();
afterEach(() => {
  for (const service of services) service.end();
  services.clear();
});

/** The service for one who listens, whose answers can be changed at any time. */
export class FeedService {
  readonly connections: HandSocket[] = [];
  /** Instant when it was asked where to connect, milliseconds. */
  readonly asked: number[] = [];
  /** Number of prices that were asked for. */
  prices = 0;
  /** Number of histories that were asked for. */
  histories = 0;
  /** True if a connection opens at once, or is closed at once. */
  opens = true;
  access: () => Promise<StreamAccess> = async () =>
    await Promise.resolve({ url: 'ws://127.0.0.1/', token: 'token', aheadMs: 0 });
  price: MarketDeps['price'] = async () => await Promise.resolve({ none: 'nothing has traded' });
  candles: MarketDeps['candles'] = async () => await Promise.resolve({ rows: [] });

  private isOver = false;

  constructor(readonly clock = new VirtualClock(MONDAY_TEN)) {
    services.add(this);
  }

  /** Time ends for who still listens, as after a test that has failed. */
  end(): void {
    this.isOver = true;
  }

  get deps(): MarketDeps {
    return {
      clock: {
        now: () => this.clock.now(),
        ...monotonicBy(() => this.clock.elapsed),
        sleep: async (ms, signal) => {
          if (this.isOver) await new Promise(() => undefined);
          await this.clock.sleep(ms, signal);
        },
      },
      random: () => 1,
      makeSocket: (url) => {
        const made = new HandSocket(url, 'token');
        this.connections.push(made);
        queueMicrotask(() => (this.opens ? made.onopen?.() : made.end()));
        return made;
      },
      access: async () => {
        this.asked.push(this.clock.now());
        return await this.access();
      },
      price: async (instrument, signal) => {
        this.prices += 1;
        return await this.price(instrument, signal);
      },
      candles: async (request) => {
        this.histories += 1;
        return await this.candles(request);
      },
    };
  }

  /** The newest connection. */
  get last(): HandSocket {
    return this.connections.at(-1)!;
  }
}

/** One who listens. */
export class Listening {
  readonly events: MarketEvent[] = [];
  private readonly closing = new AbortController();
  leave: () => void = () => this.stop();

  /** @param market the market data of a credential */
  async begin(market: Pick<MarketFeed, 'subscribe'>, ...subscriptions: readonly MarketSubscription[]): Promise<this> {
    const leave = await market.subscribe(subscriptions, (event) => this.events.push(event), this.closing.signal);
    this.leave = leave;
    return this;
  }

  /** Gives up by the signal. */
  stop(): void {
    this.closing.abort(new Error('stopped'));
  }

  /** Returns the events since the last call: prices with their source, anything else by its kind and its text. */
  takeEvents(): string[] {
    return this.events.splice(0).map((event) => {
      switch (event.kind) {
        case 'tick':
          return `${event.tick.lastPrice} ${event.tick.source}`;
        case 'source':
          return `${event.now}: ${event.reason}`;
        case 'outage':
          return `outage: ${event.reason}`;
        case 'badFrame':
          return `bad: ${event.cause}`;
        case 'fatal':
          return `fatal: ${event.error.message}`;
        default:
          return event.kind;
      }
    });
  }
}

/** Market data of one credential with its service. */
export class FeedBench extends FeedService {
  /** Number of times that it was told that all is over. */
  ends = 0;
  readonly feed: MarketFeed;

  constructor(environment: 'live' | 'sandbox' = 'live', clock?: VirtualClock) {
    super(clock);
    this.feed = new MarketFeed(this.deps, environment, () => (this.ends += 1));
  }

  async listen(...subscriptions: readonly MarketSubscription[]): Promise<Listening> {
    return await new Listening().begin(this.feed, ...subscriptions);
  }
}
