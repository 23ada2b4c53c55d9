/** Shared parts of the two ways of keeping exits: the rule that one trigger keeps them, the placing of orders, and the events. */
import { InputError } from '../../../client/base/errors';
import { requireTrading } from '../../../client/orders/guards/kill-switch';
import type { PlacementContext } from '../../../client/orders/account/placement-context';
import type { FeedEvent } from '../../../client/stream/account-feed/types';
import type { storeOf } from '../../host/http';
import { accountOf } from '../../shared/account';
import { sharedFeeds } from '../../shared/feeds';
import { accountScopes, placements } from '../../shared/placements';
import type { TriggerContext } from '../context/triggerContext';
import type { TriggerService } from '../context/triggerService';

const FEED = { subscriptions: ['orders'], checkEveryMs: 30_000 } as const;

/** Positions whose exits a trigger keeps: its orders', all held ones', these refIds', or those of a strategy of these names. */
export type KeptPositions = 'orders' | 'all' | readonly number[] | { strategy: readonly string[] };

interface Keeper {
  scope: string;
  kept: KeptPositions;
}

/** The triggers of this process that keep exits. */
const keepers = new Map<string, Keeper>();

function isStrategy(kept: KeptPositions): kept is { strategy: readonly string[] } {
  return typeof kept === 'object' && 'strategy' in kept;
}

function isShared(one: KeptPositions, other: KeptPositions): boolean {
  if (one === 'orders' || other === 'orders') return one === other;
  // Each leg may have exits beside those of its strategy.
  if (isStrategy(one) || isStrategy(other))
    return isStrategy(one) && isStrategy(other) && one.strategy.some((name) => other.strategy.includes(name));
  return one === 'all' || other === 'all' || one.some((refId) => other.includes(refId));
}

/** @returns gives it back. @throws InputError if another trigger of this process keeps a part of it */
export function claimExits(scope: string, kept: KeptPositions, trigger: string): () => void {
  for (const [other, keeper] of keepers)
    if (other !== trigger && keeper.scope === scope && isShared(keeper.kept, kept))
      throw new InputError('Another trigger keeps these exits of this account already.', {
        parameter: 'watch',
        hint: 'Of one instrument, and of the orders of one account, only one published trigger "Order Exits" may keep the exits. Unpublish one of the two.',
      });
  const own: Keeper = { scope, kept };
  keepers.set(trigger, own);
  return () => {
    if (keepers.get(trigger) === own) keepers.delete(trigger);
  };
}

/** Returns the context in which a trigger places orders of the credential's account. @throws any error of reading the account. */
export async function placementContext(
  service: TriggerService,
  store: ReturnType<typeof storeOf>,
  signal: AbortSignal,
): Promise<PlacementContext> {
  const { transport, orders, baskets } = accountOf(service);
  return {
    transport,
    orders,
    baskets,
    placements,
    scope: await accountScopes.of(service.credential, transport, signal),
    environment: service.connection.environment,
    requireTrading: async () => requireTrading(await store.readStored()),
    signal,
  };
}

/** Hears of orders at once where the stream tells of them; without it the keeper reads the list. @returns how to leave it */
export async function listenToOrders(
  context: TriggerContext,
  { account, deps, connection }: TriggerService,
  wake: () => void,
  signal: AbortSignal,
): Promise<(() => Promise<void>) | undefined> {
  const receive = (event: FeedEvent): void => {
    if (event.type === 'update') wake();
    context.report(event);
  };
  const options = { ...FEED, environment: connection.environment };
  const [joined] = await Promise.allSettled([
    sharedFeeds.join(`${account}:orders:${FEED.checkEveryMs}`, deps, options, receive, signal),
  ]);
  if (joined.status === 'fulfilled') return async () => void (await joined.value.leave());
  if (!signal.aborted)
    context.warn('it hears nothing of the stream, and reads the list of orders instead', joined.reason);
  return undefined;
}
