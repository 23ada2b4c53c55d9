/** Shared parts of the emulators that close held positions. */
import type { ClosingContext } from '../closing/reconcile-position';
import type { Product } from '../orders/model/order-terms';
import { ClosingAttempts } from './closing-attempts';
import { EmulationClock } from './emulation-clock';
import { EmulationLoop, type HoldClock } from './emulation-loop';
import { ObservedTimes } from './observed-times';

/** Dependencies of such an emulator. */
export interface PositionEmulatorDeps<Exits, Event> {
  context: ClosingContext;
  exits: Exits;
  /** Products to include; all if empty. */
  products: readonly Product[];
  /** @throws BrokerageError if nothing may be sent now. */
  requireSending(): Promise<void>;
  notify(event: Event): void;
  /** Left out where no clock waits. */
  holdClock?: HoldClock;
}

/** Looks at the account again and again, and attempts to close what has reached an exit. */
export abstract class PositionEmulator<
  Deps extends Pick<PositionEmulatorDeps<unknown, never>, 'context' | 'holdClock'>,
> {
  protected readonly clock: EmulationClock;
  protected readonly loop: EmulationLoop;
  protected readonly attempts: ClosingAttempts;
  protected readonly observed: ObservedTimes;

  constructor(protected readonly deps: Deps) {
    const { transport, signal } = deps.context;
    this.clock = new EmulationClock(transport);
    this.loop = new EmulationLoop(transport.clock, signal, deps.holdClock);
    this.attempts = new ClosingAttempts(this.clock, signal);
    this.observed = new ObservedTimes(this.clock);
  }

  /** Wakes the emulator after a change: the account is read at once. */
  wake(): void {
    this.loop.wake();
  }
}
