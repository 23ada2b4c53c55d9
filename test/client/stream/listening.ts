/** A listener that keeps what it is told, and worlds for it to live in. */
import type { FeedListener } from '../../../client/stream/connection/feed-contract';
import type { ConnectionEvent } from '../../../client/stream/reconciliation/types';
import { VirtualClock } from '../../support/clock';
import { MONDAY_TEN } from '../../support/still-market';
import { World } from './world';

export const MINUTE = 60_000;
export const OPTIONS = { environment: 'live', subscriptions: ['orders'], checkEveryMs: 20_000 } as const;

export const FOREVER = new AbortController().signal;

export interface Told {
  connection: ConnectionEvent[];
  outages: number[];
  ordersUnread: string[];
  badFrames: string[];
  unread: string[];
  fatal: Error[];
  updates: number;
}

export function listening(): { told: Told; listener: FeedListener } {
  const told: Told = {
    connection: [],
    outages: [],
    ordersUnread: [],
    badFrames: [],
    unread: [],
    fatal: [],
    updates: 0,
  };
  const listener: FeedListener = {
    onBegin: () => undefined,
    onUpdate: () => (told.updates += 1),
    onSettled: () => undefined,
    onDay: () => undefined,
    onPortfolio: () => undefined,
    onConnection: (event) => told.connection.push(event),
    onForgotten: () => undefined,
    onOutage: (_reason, downMs) => told.outages.push(downMs),
    onOrdersUnread: (reason) => told.ordersUnread.push(reason),
    onBadFrame: (cause) => told.badFrames.push(cause),
    onBasketsUnread: (reason) => told.unread.push(reason),
    onFatal: (error) => told.fatal.push(error),
  };
  return { told, listener };
}

/** A world whose exchange runs as long as the test does. */
export async function inWorld(
  use: (world: World, clock: VirtualClock) => Promise<void>,
  startAt = MONDAY_TEN,
): Promise<void> {
  const clock = new VirtualClock(startAt);
  const world = new World(clock, 5);
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
