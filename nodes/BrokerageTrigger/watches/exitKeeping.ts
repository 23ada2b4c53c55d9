/** Shared parts of the two ways of keeping exits: the rule that one trigger keeps them, the placing of orders, and the events. */
import { attempt } from '../../../client/attempt';
import { InputError } from '../../../client/base/errors';
import type { ClosingContext } from '../../../client/closing/reconcile-position';
import { requireSending } from '../../../client/orders/guards/guards';
import { requireTrading } from '../../../client/orders/guards/kill-switch';
import { readGuards } from '../../../client/orders/model/guard-settings';
import type { Positions } from '../../../client/portfolio/portfolio';
import type { PlacementContext } from '../../../client/orders/account/placement-context';
import type { Transport } from '../../../client/transport';
import type { FeedEvent } from '../../../client/stream/account-feed/types';
import { storeOf } from '../../host/http';
import { accountOf } from '../../shared/accountApi';
import { sharedFeeds } from '../../shared/feeds';
import { accountScopes, placements, sentExits, shownPositions } from '../../shared/placements';
import { positionLockOf } from '../../shared/positionLocks';
import type { TriggerContext } from '../context/triggerContext';
import type { TriggerService } from '../context/triggerService';
import type { EmulatedExitPrices } from './emulatedExitPrices';
import type { RunningWatch } from './watch';

const FEED = { subscriptions: ['orders'], checkEveryMs: 30_000 } as const;

/** Positions whose exits a trigger keeps: its orders', all held ones', these refIds', or those of a strategy of these names. */
export type EmulatedPositions = 'orders' | 'all' | readonly number[] | { strategy: readonly string[] };

interface ExitClaim {
  scope: string;
  positions: EmulatedPositions;
}

/** The triggers of this process that keep exits. */
const claims = new Map<string, ExitClaim>();

function isStrategy(positions: EmulatedPositions): positions is { strategy: readonly string[] } {
  return typeof positions === 'object' && 'strategy' in positions;
}

function isShared(one: EmulatedPositions, other: EmulatedPositions): boolean {
  if (one === 'orders' || other === 'orders') return one === other;
  // Each leg may have exits beside those of its strategy.
  if (isStrategy(one) || isStrategy(other))
    return isStrategy(one) && isStrategy(other) && one.strategy.some((name) => other.strategy.includes(name));
  return one === 'all' || other === 'all' || one.some((refId) => other.includes(refId));
}

/** @returns gives it back. @throws InputError if another trigger of this process keeps a part of it */
export function claimExits(scope: string, positions: EmulatedPositions, trigger: string): () => void {
  for (const [other, emulator] of claims)
    if (other !== trigger && emulator.scope === scope && isShared(emulator.positions, positions))
      throw new InputError('Another trigger keeps these exits of this account already: unpublish one of the two.', {
        parameter: 'watch',
        hint: 'Of one instrument, and of the orders of one account, only one published trigger "Order Exits" may keep the exits.',
      });
  const own: ExitClaim = { scope, positions };
  claims.set(trigger, own);
  return () => {
    if (claims.get(trigger) === own) claims.delete(trigger);
  };
}

/** Returns the context in which a trigger places orders of the credential's account. @throws any error of reading the account. */
export async function placementContext(
  service: TriggerService,
  store: ReturnType<typeof storeOf>,
  signal: AbortSignal,
): Promise<PlacementContext> {
  const { credential, transport, orderingTransport } = service;
  const { orders, baskets } = accountOf({ credential, transport: orderingTransport });
  return {
    transport: orderingTransport,
    orders,
    baskets,
    background: accountOf(service),
    placements,
    scope: await accountScopes.of(credential, transport, signal),
    environment: service.connection.environment,
    requireTrading: async () => requireTrading(await store.readStored()),
    signal,
  };
}

/** The account's side of a trigger that closes positions. */
export interface ClosingAccount {
  context: ClosingContext;
  /** @throws BrokerageError if nothing may be sent now */
  requireSending(): Promise<void>;
}

/**
 * Returns the context in which a trigger closes positions.
 * @param positions reads them over a transport.
 * @throws any error of reading the account.
 */
export async function closingAccount(
  context: TriggerContext,
  service: TriggerService,
  positions: (transport: Transport) => Promise<Positions>,
  signal: AbortSignal,
): Promise<ClosingAccount> {
  const store = storeOf(context.n8n, context.secrets);
  return {
    context: {
      ...(await placementContext(service, store, signal)),
      sentExits,
      shown: shownPositions,
      positionLock: positionLockOf(context.n8n),
      positions: async () => (await positions(service.orderingTransport)).positions,
    },
    requireSending: async () => requireSending(service.connection.environment, readGuards(await store.readStored())),
  };
}

/** Exits of positions that are kept until the trigger stops. */
interface PositionEmulator {
  run(): Promise<void>;
  wake(): void;
}

/** Runs an emulator. @param end called after its last step. @returns what stops it */
export function runEmulator(
  context: TriggerContext,
  service: TriggerService,
  emulator: PositionEmulator,
  { prices, over, end }: { prices: EmulatedExitPrices; over: AbortController; end: () => void },
): RunningWatch {
  const running = emulator.run();
  void running.catch((error: unknown) => context.warn('it keeps no exits any more', error));
  const leaving = listenToOrders(context, service, () => emulator.wake(), over.signal);
  return {
    stop: async () => {
      over.abort(new Error('The trigger was stopped'));
      prices.close();
      await Promise.allSettled([running, leaving.then(async (leave) => await leave?.())]);
      end();
    },
  };
}

/** Hears of orders at once where the stream tells of them; without it the emulator reads the list. @returns how to leave it */
async function listenToOrders(
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
  const joined = await attempt(
    sharedFeeds.join(`${account}:orders:${FEED.checkEveryMs}`, deps, options, receive, signal),
  );
  if (joined.ok) return async () => void (await joined.value.leave());
  if (!signal.aborted)
    context.warn('it hears nothing of the stream, and reads the list of orders instead', joined.error);
  return undefined;
}
