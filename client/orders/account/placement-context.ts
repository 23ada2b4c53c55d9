/** Inputs of placing: the orders, and the account in which to place them. */
import { InputError, type BrokerageError } from '../../base/errors';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import type { Environment } from '../../session/settings';
import type { Transport } from '../../transport';
import type { MoneyUnit } from '../../values/money';
import type { BasketTerms } from '../model/basket-terms';
import type { Guards } from '../model/guard-settings';
import type { LockHold, SharedLock } from './shared-lock';
import type { OrderApi, TaggedTerms } from '../api/order-api';
import type { OrderTerms } from '../model/order-terms';
import type { DayPlacements } from './placed-today';
import type { PlacementRegistry } from './placement-registry';
import type { StepRun } from './sent-by-steps';

/** The account in which orders are placed, changed and read: the interface that it has, and the knowledge of this process about it. */
export interface PlacementContext extends OrderApi {
  transport: Transport;
  /** One for the whole process. */
  placements: PlacementRegistry;
  /** Today's placements as n8n has stored them, beyond this process; left out if it stores nothing. */
  placedToday?: DayPlacements;
  /** Prevents two processes from placing one key at the same moment; left out if there is only this process. */
  keyLock?: SharedLock;
  /** The lock that the caller holds already, under which this process sends for it. */
  hold?: LockHold;
  /** The same interface for what goes on by itself after an order step; that of the step where left out. */
  background?: OrderApi;
  /** Environment and account (see `tradingScope`): the same for everybody who trades for one account. */
  scope: string;
  /**
   * The scope of tags before the service's client code separated accounts (see `tradingScope`): on the day of the update an order may have
   * it. Left out if both are the same, and if nothing is placed.
   */
  formerScope?: string;
  environment: Environment;
  /**
   * Checks, before a real order is sent, that this machine may place orders (see `StaticIpChecks`). Left out if no check is needed.
   * @throws InputError
   */
  requireAddress?: () => Promise<void>;
  /**
   * Refuses where trading was stopped (see `requireTrading` of client/orders/guards/kill-switch): asked right before each request that
   * places or modifies. Left out where positions are only closed.
   */
  requireTrading?: () => Promise<void>;
  /** True if the order is placed by work that has exclusive use of its instrument's position (see `positionName`). */
  hasPosition?: boolean;
  /** True if the order only closes a position, so that permission to open one is not checked. */
  onlyCloses?: boolean;
  /** Fires when the execution is stopped. */
  signal?: AbortSignal;
}

/** Orders that other executions of a workflow placed for one cause, as far as a retry may treat them as its own. */
export interface SameCause {
  /** Ids that this retry has found or placed in them: an earlier try placed all others. */
  takenIds: Set<string>;
  /** True if the retry calls the workflow again for all of its items: each finds its own order. */
  isCalledAnew: boolean;
}

/** Knowledge of one run of a step about the orders of the step; its items share it. */
export interface StepOrders {
  /** Of tags, what is compared: an order that this run sent, or that is exactly what its item asks for. That item has not moved. */
  own: Set<string>;
  /** The same of orders that cannot be of the item under whose tag they are. */
  foreign: Set<string>;
}

/** The place of a request among the items of its step, where another process may have run the step before. */
export interface SameStep {
  orders: StepOrders;
  /** The tags of the step's items, the own one among them, as far as an earlier try may have had items. */
  tags(): readonly string[];
  itemIndex: number;
  /** Number of items that the step has now. */
  itemCount: number;
}

/** One order, or one basket, to place. It keeps the rules of its instrument. */
export interface PlacementRequest<Terms> extends TaggedTerms<Terms> {
  /** True if the tag comes from an Idempotency Key, which another process may have used. */
  keyed: boolean;
  /**
   * True if another process may have tried the same before, in this execution or in the one that it retries. The content of an unreadable
   * list is then unknown, as for a key.
   */
  isRepeat: boolean;
  /** True if the user retried the execution: another process may be retrying it at the same moment. */
  isRetry?: boolean;
  /**
   * True if n8n may have given up the process that runs the execution: then somebody may be retrying it at this moment. A process that is
   * held up until then finds that out by itself.
   */
  mayBeRetried?: boolean;
  /** The run of the step that asks for it; left out with a key, and where every run of a step is another request. */
  step?: StepRun;
  /** Its place among the items of its step; left out where no process can have run the step before, and with a key. */
  sameStep?: SameStep;
  /** In a retry: other executions of the same workflow with the same cause that may have placed it (see `causeMarkOf`). */
  sameCause?: SameCause;
  /** All of them count. They are asked only when it was not placed before: an order that lives is never called refused. */
  guards: readonly Guards[];
  /** The unit in which errors show amounts. */
  unit: MoneyUnit;
  /** The reason for which it must not be placed now; earlier placements are found nevertheless. */
  refusal?: BrokerageError;
  /**
   * Returns true if the day's list, read right before sending, shows only the orders counted in the decision. Otherwise somebody else has
   * traded since, and the order is refused (see `TradedMeanwhileError`).
   */
  isUnchanged?: (listed: readonly (OrderRecord | BasketRecord)[]) => boolean;
  /** Returns the tag that a version before client codes gave it: an order under that tag is the same order. */
  formerTag?: () => string;
  /** The tags under which an earlier try may have placed the same, if the right one is unknown. */
  earlierTags?: Iterable<string>;
}

/** Whoever takes an execution over, or retries it as its process hangs, does so half a minute after that at the earliest: milliseconds. */
export const TAKEN_OVER_MS = 20_000;

/** An order was not sent, as the list shows that somebody else has traded since it was decided on. */
export class TradedMeanwhileError extends InputError {}

/** Name of the lock on an instrument's position: closing and targets hold it, and no order with a key is placed meanwhile. */
export const positionName = (refId: number): string => `position ${refId}`;

/** One order that is to be placed. */
export type OrderRequest = PlacementRequest<OrderTerms>;
/** One basket that is to be placed. */
export type BasketRequest = PlacementRequest<BasketTerms>;
