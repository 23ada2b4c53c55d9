/** One socket of the simulated service, with the way between and all that can go wrong on it. */
import type { StreamSocket } from '../../../client/base/ports';
import type { World } from './world';

/** One socket, with the way between. */
export class Line implements StreamSocket {
  readyState = 0;
  binaryType = 'blob';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  private subscribed = false;
  private deaf = false;
  /** Nothing overtakes what was sent before. */
  private lastArrival = 0;
  private kept: Uint8Array | undefined;

  constructor(
    private readonly world: World,
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
    this.after(this.world.chance.between(1, 80), () => {
      if (text === `subscribe token-${this.world.token} direct_intent notification`) this.subscribed = true;
      else this.invalidate();
    });
  }

  close(): void {
    this.readyState = 3;
    this.world.forget(this);
  }

  deliver(frame: Uint8Array): void {
    if (!this.subscribed || this.deaf || this.readyState !== 1) return;
    const { world } = this;
    const { faults } = world;
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
    if (world.hits(faults.drop)) return;
    if (world.hits(faults.reorder) && this.kept === undefined) {
      this.kept = frame;
      // The next frame overtakes it. It is not late by minutes where none comes: the same connection brings both.
      this.after(world.chance.between(1_000, 8_000), () => this.release(frame));
      return;
    }
    const harmed = world.hits(faults.truncate)
      ? frame.subarray(0, Math.floor(frame.length / 2))
      : world.hits(faults.garbage)
        ? frame.map((byte, index) => byte ^ (index * 37 + 11))
        : frame;
    this.arrive(harmed);
    if (world.hits(faults.duplicate)) this.arrive(harmed);
    this.release(this.kept);
    if (harmed === frame) world.framesSent += 1;
  }

  private release(frame: Uint8Array | undefined): void {
    if (frame === undefined || this.kept !== frame) return;
    this.kept = undefined;
    this.arrive(frame);
  }

  private arrive(frame: Uint8Array): void {
    const { world } = this;
    this.lastArrival = Math.max(this.lastArrival, world.clock.now() + world.chance.between(1, 120));
    const copy = Uint8Array.from(frame);
    this.after(this.lastArrival - world.clock.now(), () => this.onmessage?.({ data: copy.buffer }));
  }

  invalidate(): void {
    this.onmessage?.({ data: 'Invalid Token' });
    this.end(1008);
  }

  end(code: number): void {
    if (this.readyState === 3) return;
    this.close();
    this.onclose?.({ code, reason: '' });
  }

  private after(ms: number, act: () => void): void {
    void this.world.clock.sleep(ms).then(() => {
      if (this.readyState !== 3) act();
    });
  }
}
