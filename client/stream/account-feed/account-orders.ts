/**
 * The orders of one account, reconciled once for all triggers: every message of the stream and every comparison with the
 * day's lists passes one reconciler, and comes out with the events that it made.
 */
import type { Moment } from '../../base/ports';
import type { SvcToClientIntentUpdate } from '../../../proto/generated/messages';
import { msToNanos } from '../../values/time';
import { pauseUnlessAborted, withTimeout } from '../../abortable';
import { DayListReader, withoutUnconfirmed, type DayDeps, type DayLists } from './day-list-reader';
import { whyImpossible } from '../reconciliation/impossible-message';
import { readOrderMessage, type OrderMessage } from '../reconciliation/order-message';
import type { OrdersEvent } from '../reconciliation/orders-event';
import { OrderReconciler } from '../reconciliation/order-reconciler';
import type { ListedDay } from '../reconciliation/types';
import type { OrderSnapshot } from '../../orders/model/order-snapshot';

/** Milliseconds that the stream has to bring what the list shows already; less where something was clearly missed. */
const GRACE_MS = 5_000;
const LIST_LAG_GRACE_MS = 1_000;
/** Milliseconds that a message may be on its way over an open connection. Comparisons may follow each other sooner, after refused messages. */
const MAX_ON_THE_WAY_MS = 20_000;
/** Milliseconds that live events wait at most for the comparison at a reconnection; it then follows later. */
const HOLD_MS = 10_000;
/** With no live basket known, every eighth comparison reads the baskets all the same. */
const BASKETS_EVERY = 8;
const FORGET_AFTER_MS = 20 * 3_600_000;

/** Result of comparing the stream with the lists. */
export interface ListComparison {
  /** The stream is open, but did not bring what had happened. */
  isDeaf: boolean;
  /** To be called when the connection is kept. */
  keep(): void;
}

/** One for each feed. */
export class AccountOrders {
  /** Orders as seen by the stream and the comparisons. */
  readonly reconciler = new OrderReconciler();
  /** Number of events found by comparing since all was well. */
  missed = 0;
  private readonly reader: DayListReader;
  /** Messages that wait for the comparison at a (re)connection. */
  private held: OrderMessage[] | undefined;
  /** The baskets are to be read at the next comparison. */
  private basketsDue = true;
  /** Comparisons since the baskets were read. */
  private withoutBaskets = 0;
  /** Instant of the last {@link finishReading}. */
  private finishedAt: Moment | undefined;

  /**
   * @param followsBaskets whether baskets matter: they do where order updates are subscribed to.
   * @param emit is called for each event, in order.
   * @param leaps whether the service's clock may be set ahead, as that of a sandbox is.
   */
  constructor(
    private readonly deps: DayDeps,
    private readonly followsBaskets: boolean,
    private readonly emit: (event: OrdersEvent) => void,
    leaps = true,
  ) {
    this.reader = new DayListReader(
      deps,
      (reason) => emit({ type: 'basketsUnread', reason }),
      (reason) => emit({ type: 'oddOrder', reason }),
      (orders) => this.contradictionIn(orders),
      leaps,
    );
  }

  /** True if the day's orders have been read, so that `reconciler` has views of them. */
  get hasLooked(): boolean {
    return this.reader.lookedAt !== undefined;
  }

  /** The error of the last read of the day's orders; '' if it succeeded. */
  get problem(): string {
    return this.reader.problem;
  }

  /** See {@link DayListReader.instant}. */
  instant(at: Moment): string | undefined {
    return this.reader.instant(at);
  }

  /** Has the baskets read at the next comparison, for a trigger that has not seen them. */
  requestBaskets(): void {
    this.basketsDue = true;
  }

  /** The first look at the day, before anything else, so that little can have happened since the start. @throws BrokerageError */
  async look(signal: AbortSignal): Promise<void> {
    const day = await this.reader.look(this.followsBaskets, signal);
    this.reconciler.baseline(day.orders);
    this.reconciler.firstBaskets(day);
    this.emit({ type: 'started', day });
  }

  /** From now on messages wait for {@link catchUp}: a connection is being opened. */
  hold(): void {
    this.held = [];
  }

  /**
   * Takes one message of the stream.
   * @returns why it cannot be true of the order that it names, as a sentence, and it is not used; undefined if it can.
   */
  take(update: SvcToClientIntentUpdate): string | undefined {
    const message = readOrderMessage(update);
    if (message === undefined) return undefined;
    const contradiction = whyImpossible(message, this.reader.latest) ?? this.contradictionOf(message);
    if (contradiction !== undefined) return contradiction;
    if (this.held) this.held.push(message);
    else this.update(message);
    return undefined;
  }

  /** Says that what was sent before the last comparison has arrived, or never will. */
  finishReading(): void {
    this.finishedAt = this.deps.clock.moment();
    this.reconciler.confirmedOrders();
    this.emit({ type: 'confirmed' });
  }

  /**
   * Compares with the day's orders at a (re)connection, then lets the messages go that waited for it; also where the
   * connection is over, as some of them are in no list.
   * @returns `isOver`: the signal fired before the orders were read. `isCompared`: the orders came in time; else the
   *   comparison is still to be made. `contradictions`: why messages are not used that waited, as the list has shown since.
   * @throws SessionError when there can be no session.
   */
  async catchUp(signal: AbortSignal): Promise<{ isOver: boolean; isCompared: boolean; contradictions: string[] }> {
    this.basketsDue = true;
    const day = await withTimeout(
      this.deps.clock,
      HOLD_MS,
      signal,
      async (either) => await this.reader.read(this.followsBaskets, either),
    );
    const held = this.held ?? [];
    this.held = undefined;
    // The list does not tell of a trigger: an order that it shows to have ended would end before its trigger came.
    const [triggers, others] = day
      ? [held.filter(isTrigger), held.filter((message) => !isTrigger(message))]
      : [[], held];
    for (const message of triggers) this.update(message);
    if (day) this.recover(withoutUnconfirmed(day));
    const isOver = signal.aborted && day === undefined;
    const contradictions = others.flatMap((message): string[] => {
      const contradiction = this.contradictionOf(message);
      if (contradiction !== undefined) return [contradiction];
      this.update(message);
      return [];
    });
    return { isOver, isCompared: day !== undefined, contradictions };
  }

  /**
   * Compares with the day's orders while the connection is open.
   * @param isFirst true for the first comparison since the connection was made, or since a message was refused: the stream has less time
   *   then.
   * @returns 'unreadable' if the orders could not be read ({@link problem} holds the reason), 'over' if the signal fired.
   * @throws SessionError if there can be no session.
   */
  async compare(isFirst: boolean, signal: AbortSignal): Promise<ListComparison | 'unreadable' | 'over'> {
    const due = this.basketsDue;
    const day = await this.reader.read(this.needsBaskets, signal);
    if (day === undefined) return 'unreadable';
    this.withoutBaskets = day.baskets ? 1 : this.withoutBaskets + 1;
    // Before the grace: what arrives meanwhile was sent before the comparison.
    if (this.finishedAt === undefined || this.deps.clock.since(this.finishedAt) >= MAX_ON_THE_WAY_MS)
      this.finishReading();
    const isAhead = this.reconciler.ahead(day.orders, day.baskets).length > 0;
    if (isAhead && !(await pauseUnlessAborted(this.deps.clock, isFirst ? LIST_LAG_GRACE_MS : GRACE_MS, signal)))
      return 'over';
    // The orders of baskets always: a trigger may wait for the stream where the account does not.
    const legs = day.orders.filter(({ kind }) => kind === 'leg');
    const behind = this.reconciler.ahead(day.orders);
    const missed = this.recover({
      orders: [...behind.filter(({ kind }) => kind === 'order'), ...legs],
      baskets: day.baskets,
    });
    return {
      // What baskets show that were not read since the connection was made may be from before it.
      isDeaf: !isFirst && (behind.length > 0 || (missed > 0 && !due)),
      keep: () => this.keep(day),
    };
  }

  /** Returns why a message cannot be of the order that it names, as a sentence. A modification may change the quantity. */
  private contradictionOf({ type, order }: OrderMessage): string | undefined {
    return this.reconciler.contradiction([type === 'modified' ? { ...order, quantity: 0 } : order]);
  }

  /** Returns why a list cannot be of this account, as a sentence. What messages told of orders that it shows as others is forgotten. */
  private contradictionIn(orders: readonly OrderSnapshot[]): string | undefined {
    const contradiction = this.reconciler.contradiction(orders);
    const orderIds = this.reconciler.takeMisread();
    if (orderIds.length > 0) this.emit({ type: 'forgotten', orderIds });
    return contradiction;
  }

  private get needsBaskets(): boolean {
    return (
      this.followsBaskets &&
      !this.reader.hasNoBaskets &&
      (this.basketsDue || this.reconciler.hasBaskets || this.withoutBaskets >= BASKETS_EVERY)
    );
  }

  private keep(day: DayLists): void {
    this.missed = 0;
    if (day.isWhole) this.basketsDue = false;
    const orderIds = this.reconciler.past(day.orders, msToNanos(this.reader.serviceNow - FORGET_AFTER_MS));
    if (orderIds.length === 0) return;
    this.reconciler.drop(orderIds);
    this.emit({ type: 'forgotten', orderIds });
  }

  private update(message: OrderMessage): void {
    this.emit({ type: 'update', message, events: this.reconciler.update(message) });
  }

  /** Returns the number of events that the day showed and the stream had not brought. */
  private recover(day: ListedDay): number {
    this.reconciler.firstBaskets(day);
    const events = this.reconciler.recover(day.orders, day.baskets);
    this.missed += events.length;
    if (day.orders.length > 0 || day.baskets) this.emit({ type: 'day', day, events });
    return events.length;
  }
}

/** Returns true if a message says that a stop-loss order was triggered. Those of baskets wait for the list of baskets. */
function isTrigger({ type, order }: OrderMessage): boolean {
  return type === 'entryTriggered' && order.kind === 'order';
}
