/**
 * The turn to send on a position, over all processes of an n8n. Their lock takes two seconds: it is asked for as soon as something is to be
 * sent, and waited for right before that, so that it is had while the position is reconciled.
 */
import type { LockHold, ReadTags, SharedLock } from '../orders/account/shared-lock';
import { positionName, type PlacementContext } from '../orders/account/placement-context';
import { tagOf } from '../orders/model/order-record';

/** The turn of one closing. */
export class SendingTurn {
  private held: Promise<LockHold> | undefined;
  private hold: LockHold | undefined;
  private end: () => void = () => undefined;
  private readonly ended = new Promise<void>((resolve) => (this.end = resolve));

  /**
   * @param lock left out where there is only this process.
   * @param read reads the list of the day.
   */
  constructor(
    private readonly lock: SharedLock | undefined,
    private readonly read: ReadTags,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Asks for it, where that has not been done. */
  ask(): void {
    const { lock, signal } = this;
    if (lock === undefined || this.held !== undefined) return;
    this.held = new Promise((resolve, reject) => {
      const holding = lock.hold(async (hold) => {
        resolve(hold);
        await this.ended;
      }, signal);
      holding.catch(reject);
    });
    // It may be asked for in vain.
    this.held.catch(() => undefined);
  }

  /** Waits for it. @throws NetworkError when the lock could not be had; the signal's reason. Nothing may be sent then. */
  async take(): Promise<LockHold | undefined> {
    this.ask();
    this.hold = await this.held;
    return this.hold;
  }

  /** Something was sent: nobody else has a turn before the day's list shows it. */
  sent(tag: string): void {
    this.hold?.untilListed('order', [tag], this.read);
  }

  /** Nothing more is to be sent. */
  over(): void {
    this.end();
  }
}

/** Does something with positions that nothing else of this process does meanwhile, once the list shows all that was placed before. */
export async function aloneInProcess<T>(
  refIds: readonly number[],
  { placements, scope, transport, signal }: PlacementContext,
  work: () => Promise<T>,
): Promise<T> {
  return await placements.alone(scope, refIds.map(positionName), async () => {
    signal?.throwIfAborted();
    if (placements.untilListed() > 0) await transport.clock.sleep(placements.untilListed(), signal);
    return await work();
  });
}

/**
 * Does something with the position of an instrument while no other process of this n8n does, once the list shows all that was placed before.
 * @param lock of the positions; undefined for none: nothing is sent, or there is only this process.
 * @param work places with the context that it gets, and says what was sent.
 */
export async function aloneOnPosition<T, Context extends PlacementContext>(
  refId: number,
  context: Context,
  lock: SharedLock | undefined,
  work: (context: Context, turn: SendingTurn) => Promise<T>,
): Promise<T> {
  const { orders, signal } = context;
  const turn = new SendingTurn(lock, async () => (await orders.list(undefined, 'marked')).map(tagOf), signal);
  return await aloneInProcess([refId], context, async () => {
    const hold = await turn.take();
    return await work(hold === undefined ? context : { ...context, hold }, turn);
  }).finally(() => turn.over());
}
