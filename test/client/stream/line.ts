/** One socket of the simulated stream of orders: its frames may also be lost, or overtake each other. */
import { FaultySocket } from './faulty-socket';
import type { SimulatedService } from './simulated-service';

export class Line extends FaultySocket<SimulatedService> {
  private subscribed = false;
  private kept: Uint8Array | undefined;

  constructor(world: SimulatedService, url: string) {
    super(world, url, 120);
  }

  deliver(frame: Uint8Array): void {
    if (this.subscribed && this.readyState === 1) this.transmit(frame);
  }

  protected command(text: string): void {
    if (text === `subscribe token-${this.world.token} direct_intent notification`) this.subscribed = true;
    else this.invalidate();
  }

  protected forget(): void {
    this.world.forget(this);
  }

  protected override carry(frame: Uint8Array): boolean {
    const { world } = this;
    if (world.hits(world.faults.drop)) return false;
    if (world.hits(world.faults.reorder) && this.kept === undefined) {
      this.kept = frame;
      // The next frame overtakes it. It is not late by minutes where none comes: the same connection brings both.
      this.after(world.chance.between(1_000, 8_000), () => this.release(frame));
      return false;
    }
    const isWhole = super.carry(frame);
    this.release(this.kept);
    if (isWhole) world.framesSent += 1;
    return isWhole;
  }

  private release(frame: Uint8Array | undefined): void {
    if (frame === undefined || this.kept !== frame) return;
    this.kept = undefined;
    this.arrive(frame);
  }
}
