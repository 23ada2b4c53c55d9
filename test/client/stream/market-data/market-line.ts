/** One socket of the simulated market-data stream. */
import { nanosOf } from '../../../../sandbox/src/stream/update-frame';
import { Messages } from '../../../../sandbox/src/stream/messages';
import { FaultySocket } from '../faulty-socket';
import type { MarketWorld, SimulatedShare } from './market-world';

/** Milliseconds between two prices for each second that a client asks for. */
const SLOWER = 4_000;
/** Frames without a valid price, of an instant. */
const NO_PRICES: readonly ((at: number) => object)[] = [
  () => ({ indexValue: 0 }),
  () => ({ indexValue: -100_400 }),
  () => ({ indexValue: 2 ** 31 - 1 }),
  (at) => ({ indexValue: 100_900, timestamp: nanosOf(at + 86_400_000) }),
  (at) => ({ indexValue: 100_900, timestamp: nanosOf(at - 86_400_000) }),
  () => ({ indexValue: 100_900, indexname: 'NIFTY' }),
];
/** Prices of one candle that contradict each other, and invalid ones. */
const CONTRADICTORY = { open: 100_000, high: 99_000, low: 101_000, close: 100_000 };
const NO_BARS: readonly object[] = [{ open: 0, high: 0, low: 0, close: 0 }, { low: -5 }, { high: 2 ** 31 - 1 }];
const messages = new Messages({ platformWord: 'plat', serviceWord: 'acme' });

export class MarketLine extends FaultySocket<MarketWorld> {
  private readonly ticks = new Set<string>();
  /** Prices are told so often at most, milliseconds; 0 for each change. */
  private paceMs = 0;
  /** Instant of the last reported price, by share. */
  private readonly reportedAt = new Map<string, number>();
  /** By share: when the candle began that was told last. */
  private readonly candles = new Map<string, number>();

  constructor(world: MarketWorld, url: string) {
    super(world, url, 60);
  }

  /** The price of a share has changed, or a candle begun. */
  changed(share: SimulatedShare): void {
    if (this.readyState !== 1) return;
    if (this.ticks.has(share.symbol)) this.tickInTime(share);
    if (this.candles.has(share.symbol)) this.candle(share);
  }

  protected forget(): void {
    this.world.forget(this);
  }

  protected command(text: string): void {
    // A sandbox's clock may be held; this one goes on.
    if (/^acknowledge \d+$|^subscribe \S+ sandbox_clock acknowledge$/.test(text)) return;
    const [, pacedToken, paced, seconds] = /^batch_subscribe (\S+) socket_interval (\w+) (\d+)s$/.exec(text) ?? [];
    if (pacedToken !== undefined) {
      if (paced !== 'index') throw new Error(`${paced} was slowed down`);
      // Prices stand for a second at least: a service that is slower than it says shows who relies on each.
      this.paceMs = Number(seconds) * SLOWER;
      return;
    }
    const [, verb, token, channel, json = ''] = /^batch_(\w+) (\S+) (\w+) (\S+)/.exec(text) ?? [];
    if (token !== `token-${this.world.token}`) return this.invalidate();
    const names = (JSON.parse(json) as { indexes: string[] }).indexes;
    if (verb === 'subscribe' && names.some((name) => this.world.refused.has(name)))
      return this.onmessage?.({ data: 'Subscription limit exceeded: 50001 of 50000' });
    for (const name of names) {
      const share = this.world.shareOf(name);
      if (verb === 'unsubscribe') {
        if (channel === 'index') this.ticks.delete(name);
        else this.candles.delete(name);
      } else if (channel === 'index' && this.world.hits(this.world.faults.silent)) continue;
      else if (channel === 'index') {
        this.ticks.add(name);
        this.tick(share);
      } else {
        this.candles.set(name, this.world.barAt(share, 60_000, this.world.clock.now()).at);
        this.candle(share);
      }
    }
  }

  /** Tells a price now, or when the pace allows it: that of then. */
  private tickInTime(share: SimulatedShare): void {
    const wait = (this.reportedAt.get(share.symbol) ?? 0) + this.paceMs - this.world.clock.now();
    if (wait <= 0) return this.tick(share);
    this.after(wait, () => this.ticks.has(share.symbol) && this.tick(share));
  }

  private tick(share: SimulatedShare): void {
    const at = this.world.clock.now();
    this.reportedAt.set(share.symbol, at);
    const tick = {
      indexname: share.symbol,
      timestamp: nanosOf(at),
      indexValue: share.priceAt(at),
      exchange: 'NSE',
      volume: at,
    };
    const send = (more: object): void =>
      this.transmit(
        messages.marketFrame('index', 'BatchWebSocketIndexMessage', {
          timestamp: nanosOf(at),
          instruments: [{ ...tick, ...more }],
        }),
      );
    if (this.world.hits(this.world.faults.impossible)) send(this.world.pick(NO_PRICES)(at));
    send({});
  }

  private candle(share: SimulatedShare): void {
    const now = this.world.clock.now();
    const since = this.candles.get(share.symbol) ?? now;
    const bars = this.world.bars(share, 60_000, since, now + 1);
    this.candles.set(share.symbol, bars.at(-1)?.at ?? since);
    const instruments = bars.map(({ at, open, high, low, close, volume }) => ({
      indexname: share.symbol,
      exchange: 'NSE',
      interval: 3,
      timestamp: nanosOf(now),
      open,
      high,
      low,
      close,
      bucketVolume: volume,
      bucketTimestamp: nanosOf(at),
    }));
    const send = (more: object): void =>
      this.transmit(
        messages.marketFrame('index_bucket', 'BatchWebSocketIndexBucketMessage', {
          timestamp: nanosOf(now),
          instruments: instruments.map((bar) => ({ ...bar, ...more })),
        }),
      );
    if (this.world.hits(this.world.faults.impossible)) {
      const isInPlace = this.world.hits(500);
      send(isInPlace ? CONTRADICTORY : this.world.pick([CONTRADICTORY, ...NO_BARS]));
      if (isInPlace) return;
    }
    send({});
  }
}
