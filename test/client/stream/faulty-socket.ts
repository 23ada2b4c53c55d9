/** One socket of a simulated service, with the way between and all that can go wrong on it. */
import type { StreamSocket } from '../../../client/base/ports';

/** Needs of a socket of the simulated service behind it; odds of faults are per mille. */
export interface ServiceBehind {
  readonly clock: { now(): number; sleep(ms: number): Promise<void> };
  readonly chance: { between(from: number, to: number): number };
  readonly faults: Readonly<
    Record<
      'refuseConnection' | 'disconnect' | 'invalidToken' | 'halfOpen' | 'stall' | 'truncate' | 'garbage' | 'duplicate',
      number
    >
  >;
  /** The number of the session token that counts. */
  token: number;
  hits(perMille: number): boolean;
}

export abstract class FaultySocket<Service extends ServiceBehind> implements StreamSocket {
  readyState = 0;
  binaryType = 'blob';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  private deaf = false;
  /** Nothing overtakes what was sent before. */
  private lastArrival = 0;

  /** @param slowestMs longest time of a frame on its way where nothing goes wrong */
  constructor(
    protected readonly world: Service,
    url: string,
    private readonly slowestMs: number,
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

  /** Carries out a command that arrives at the service. */
  protected abstract command(text: string): void;

  /** The service forgets the socket. */
  protected abstract forget(): void;

  send(text: string): void {
    this.after(this.world.chance.between(1, 80), () => this.command(text));
  }

  close(): void {
    this.readyState = 3;
    this.forget();
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

  /** Sends a frame, unless the connection breaks at it. */
  protected transmit(frame: Uint8Array): void {
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
    this.carry(frame);
  }

  /** Carries a frame over a connection that holds; it may be harmed, or come twice. Tells whether it came whole. */
  protected carry(frame: Uint8Array): boolean {
    const { world } = this;
    const { faults } = world;
    const harmed = world.hits(faults.truncate)
      ? frame.subarray(0, Math.floor(frame.length / 2))
      : world.hits(faults.garbage)
        ? frame.map((byte, index) => byte ^ (index * 37 + 11))
        : frame;
    this.arrive(harmed);
    if (world.hits(faults.duplicate)) this.arrive(harmed);
    return harmed === frame;
  }

  protected arrive(frame: Uint8Array): void {
    const { world } = this;
    this.lastArrival = Math.max(this.lastArrival, world.clock.now() + world.chance.between(1, this.slowestMs));
    const copy = Uint8Array.from(frame);
    this.after(this.lastArrival - world.clock.now(), () => this.onmessage?.({ data: copy.buffer }));
  }

  protected after(ms: number, act: () => void): void {
    void this.world.clock.sleep(ms).then(() => {
      if (this.readyState !== 3) act();
    });
  }
}
