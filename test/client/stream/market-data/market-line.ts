/** One socket of the simulated market-data stream, with the way between and all that can go wrong on it. */
import type { StreamSocket } from '../../../../client/base/ports';
import { nanos } from '../../../../sandbox/src/stream/update-frame';
import { Messages } from '../../../../sandbox/src/stream/messages';
import type { MarketWorld, SimulatedShare } from './market-world';

const messages = new Messages({ platformWord: 'plat', serviceWord: 'acme' });

export class MarketLine implements StreamSocket {
  readyState = 0;
  binaryType = 'blob';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  private readonly ticks = new Set<string>();
  /** By share: when the candle began that was told last. */
  private readonly candles = new Map<string, number>();
  private deaf = false;
  /** Nothing overtakes what was sent before. */
  private lastArrival = 0;

  constructor(
    private readonly world: MarketWorld,
    url: string,
  ) {
    const refused = world.hits(world.faults.refuseConnection);
    const dead = new URL(url).searchParams.get('token') !== `token-${world.token}`;
    this.after(world.chance.between(1, 200), () => {
      if (refused) return this.end(1006);
      this.readyState = 1;
      this.onopen?.();
      if (dead) this.invalidate();
    });
  }

  send(text: string): void {
    this.after(this.world.chance.between(1, 80), () => this.command(text));
  }

  close(): void {
    this.readyState = 3;
    this.world.forget(this);
  }

  /** The price of a share has changed, or a candle begun. */
  changed(share: SimulatedShare): void {
    if (this.readyState !== 1) return;
    if (this.ticks.has(share.symbol)) this.tick(share);
    if (this.candles.has(share.symbol)) this.candle(share);
  }

  invalidate(): void {
    if (this.readyState === 3) return;
    this.onmessage?.({ data: 'Invalid Token' });
    this.end(1008);
  }

  end(code: number): void {
    if (this.readyState === 3) return;
    this.close();
    this.onclose?.({ code, reason: '' });
  }

  private command(text: string): void {
    const [, verb, token, channel, json = ''] = /^batch_(\w+) (\S+) (\w+) (\S+)/.exec(text) ?? [];
    if (token !== `token-${this.world.token}`) return this.invalidate();
    const names = (JSON.parse(json) as { indexes: string[] }).indexes;
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

  private tick(share: SimulatedShare): void {
    const at = this.world.clock.now();
    const tick = {
      indexname: share.symbol,
      timestamp: nanos(at),
      indexValue: share.priceAt(at),
      exchange: 'NSE',
      volume: at,
    };
    this.deliver(
      messages.marketFrame('index', 'BatchWebSocketIndexMessage', { timestamp: nanos(at), instruments: [tick] }),
    );
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
      timestamp: nanos(now),
      open,
      high,
      low,
      close,
      bucketVolume: volume,
      bucketTimestamp: nanos(at),
    }));
    this.deliver(
      messages.marketFrame('index_bucket', 'BatchWebSocketIndexBucketMessage', { timestamp: nanos(now), instruments }),
    );
  }

  private deliver(frame: Uint8Array): void {
    const { world } = this;
    const { faults } = world;
    if (this.deaf) return;
    if (world.hits(faults.disconnect)) return this.end(1011);
    if (world.hits(faults.invalidToken)) {
      world.token += 1;
      return this.invalidate();
    }
    if (world.hits(faults.halfOpen)) {
      this.deaf = true;
      return;
    }
    if (world.hits(faults.stall))
      this.lastArrival = Math.max(this.lastArrival, world.clock.now() + world.chance.between(1_000, 12_000));
    const harmed = world.hits(faults.truncate)
      ? frame.subarray(0, Math.floor(frame.length / 2))
      : world.hits(faults.garbage)
        ? frame.map((byte, index) => byte ^ (index * 37 + 11))
        : frame;
    this.arrive(harmed);
    if (world.hits(faults.duplicate)) this.arrive(harmed);
  }

  private arrive(frame: Uint8Array): void {
    const { world } = this;
    this.lastArrival = Math.max(this.lastArrival, world.clock.now() + world.chance.between(1, 60));
    const copy = Uint8Array.from(frame);
    this.after(this.lastArrival - world.clock.now(), () => this.onmessage?.({ data: copy.buffer }));
  }

  private after(ms: number, act: () => void): void {
    void this.world.clock.sleep(ms).then(() => {
      if (this.readyState !== 3) act();
    });
  }
}
