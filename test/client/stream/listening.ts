/** A listener that keeps what it is told, and worlds for it to live in. */
import type { FeedEvent, FeedListener } from '../../../client/stream/account-feed/types';
import { VirtualClock } from '../../support/clock';
import { MONDAY_TEN } from '../../support/still-market';
import { SimulatedService } from './simulated-service';

export const MINUTE = 60_000;
export const OPTIONS = { environment: 'live', subscriptions: ['orders'], checkEveryMs: 20_000 } as const;

export const FOREVER = new AbortController().signal;

/** All events of a feed, each kind on its own. */
export class FeedEvents {
  readonly events: FeedEvent[] = [];

  readonly listener: FeedListener = (event) => void this.events.push(event);

  of<T extends FeedEvent['type']>(...types: T[]): Extract<FeedEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<FeedEvent, { type: T }> => types.includes(event.type as T));
  }

  get connection(): Extract<FeedEvent, { type: 'connectionLost' | 'connectionRestored' }>[] {
    return this.of('connectionLost', 'connectionRestored');
  }

  get outages(): number[] {
    return this.of('outage').map(({ downMs }) => downMs);
  }

  get ordersUnread(): string[] {
    return this.of('ordersUnread').map(({ reason }) => reason);
  }

  get basketsUnread(): string[] {
    return this.of('basketsUnread').map(({ reason }) => reason);
  }

  get badFrames(): string[] {
    return this.of('badFrame').map(({ cause }) => cause);
  }

  get fatal(): Error[] {
    return this.of('fatal').map(({ error }) => error);
  }

  /** Number of messages about orders. */
  get updates(): number {
    return this.of('update').length;
  }
}

/** A world whose exchange runs as long as the test does. */
export async function inWorld(
  use: (world: SimulatedService, clock: VirtualClock) => Promise<void>,
  startAt = MONDAY_TEN,
): Promise<void> {
  const clock = new VirtualClock(startAt);
  const world = new SimulatedService(clock, 5);
  let on = true;
  const running = (async () => {
    while (on) await world.runUntil(clock.now() + 500);
  })();
  try {
    await use(world, clock);
  } finally {
    on = false;
    await running;
  }
}
