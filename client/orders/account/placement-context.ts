/** What placing is handed: what is wanted, and where it is placed. */
import { InputError, type BrokerageError } from '../../base/errors';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import type { Environment } from '../../session/settings';
import type { Transport } from '../../transport';
import type { MoneyUnit } from '../../values/money';
import type { BasketTerms } from '../model/basket-terms';
import type { Guards } from '../model/guard-settings';
import type { Hold, SharedLock } from './shared-lock';
import type { OrderApi, Tagged } from '../api/order-api';
import type { OrderTerms } from '../model/order-terms';
import type { PlacedToday } from './placed-today';
import type { PlacementRegistry } from './placement-registry';

/** Where orders are placed, changed and read: the account, the interface that it has, and what this process knows of it. */
export interface PlacementContext extends OrderApi {
  transport: Transport;
  /** One for the whole process. */
  placements: PlacementRegistry;
  /** What was placed today as n8n has stored it, beyond this process; left out where it stores nothing. */
  placedToday?: PlacedToday;
  /** Keeps two processes from placing one key at the same moment; left out where there is only this process. */
  keyLock?: SharedLock;
  /** The lock that the caller holds already, of whatever this process sends for it. */
  hold?: Hold;
  /** The same interface for what goes on by itself after an order step; that of the step where left out. */
  background?: OrderApi;
  /** Environment and account (see `tradingScope`): the same for everybody who trades for one account. */
  scope: string;
  /**
   * What tags belonged to before the service's client code told accounts apart (see `tradingScope`): on the day of the
   * update an order may stand under it. Left out where both are the same, and where nothing is placed.
   */
  formerScope?: string;
  environment: Environment;
  /**
   * Asked before a real order is sent: whether this machine may place orders (see `StaticIpChecks`). Left out where it need not be asked.
   * @throws InputError
   */
  requireAddress?: () => Promise<void>;
  /**
   * Refuses where trading was stopped (see `requireTrading` of client/orders/guards/kill-switch): asked right before each request that
   * places or modifies. Left out where positions are only closed.
   */
  requireTrading?: () => Promise<void>;
  /** Whether what is placed belongs to work that has the position of its instrument alone (see `positionName`). */
  hasPosition?: boolean;
  /** Whether what is placed only closes what is held, so that what may not be opened is not asked. */
  onlyCloses?: boolean;
  /** Fires when the execution is stopped. */
  signal?: AbortSignal;
}

/** What other executions of a workflow placed under one cause, as far as a retry may take it for its own. */
export interface SameCause {
  /** Ids of what this retry has found or placed in them: what is not among them, an earlier try placed. */
  takenIds: Set<string>;
  /** Whether the retry calls the workflow anew for all of its items: each finds what was placed for it. */
  isCalledAnew: boolean;
}

/** One order, or one basket, that is to be placed. The rules of its instrument are kept where it is. */
export interface PlacementRequest<Terms> extends Tagged<Terms> {
  /** Whether the tag comes from an Idempotency Key, which another process may have used. */
  keyed: boolean;
  /**
   * Whether another process may have tried the same before, in this execution or in the one of which it is a retry. What a
   * list that cannot be read would have shown is then unknown, as it is for a key.
   */
  isRepeat: boolean;
  /** Whether a person had the execution retried: another may be retrying it at the same moment, in another process. */
  isRetry?: boolean;
  /** In a retry: where other executions of the same workflow may have placed it, of the same cause (see `causeMarkOf`). */
  sameCause?: SameCause;
  /** All of them count. They are asked only when it was not placed before: an order that lives is never called refused. */
  guards: readonly Guards[];
  /** In which an error shows money. */
  unit: MoneyUnit;
  /** Why it must not be placed now; what was placed before is found all the same. */
  refusal?: BrokerageError;
  /**
   * Whether the day's list, read right before it is sent, shows only what was counted when it was decided on: it is refused where
   * somebody else has traded since (see `TradedMeanwhileError`).
   */
  isUnchanged?: (listed: readonly (OrderRecord | BasketRecord)[]) => boolean;
  /** The tag that a version before client codes gave it: what stands under it is the same order. */
  formerTag?: string;
  /** The tags under which an earlier try may have placed the same, where it cannot be told which one this is. */
  earlierTags?: Iterable<string>;
}

/** An order was not sent, as the list shows that somebody else has traded since it was decided on. */
export class TradedMeanwhileError extends InputError {}

/** What work on the position of an instrument has alone: closing and targets, and no order with a key meanwhile. */
export const positionName = (refId: number): string => `position ${refId}`;

/** One order that is to be placed. */
export type OrderRequest = PlacementRequest<OrderTerms>;
/** One basket that is to be placed. */
export type BasketRequest = PlacementRequest<BasketTerms>;
