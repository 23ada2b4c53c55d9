/**
 * Emulates stop loss and target of orders on an account whose service has no exits (the older interface). The stop loss rests at the
 * exchange; the target is watched. At the target, the stop loss is cancelled, its end is confirmed, and the remaining quantity is closed.
 * The emulator keeps no state beyond the day's orders: each step follows from a fresh list, and each order has a separate tag that is the
 * same in every process. Whatever happens to a reply, it never closes past flat and never twice.
 */
import { attempt } from '../attempt';
import { BrokerageError, InputError, UnreadableReplyError } from '../base/errors';
import type { OrderRecord } from '../endpoints/orders';
import type { MarketPrice } from '../values/market-price';
import { istDate, nanosToMs } from '../values/time';
import { cancelOpenOrders } from '../orders/changing/cancel-open';
import { directionOf, limitBeyond } from '../orders/model/exits';
import type { OrderTerms, TradedInstrument } from '../orders/model/order-terms';
import { placeOrder } from '../orders/placing/place';
import type { PlacementContext } from '../orders/account/placement-context';
import { showsAllKnown } from '../orders/account/whole-list-reader';
import { isUnreadable } from '../orders/model/record-units';
import { hasEnded, orderIdOf, readDayOrders, tagOf } from '../orders/model/order-record';
import {
  closingTags,
  isAtStop,
  isAtTarget,
  emulatedOrders,
  nextStep,
  type EmulatedOrder,
  type ExitStep,
} from './emulated-exits';
import { CancelledStops } from './cancelled-stops';
import { NO_GUARDS } from './close-held';
import { exitsInTag } from './exit-tag';
import { OrderIdentities, type KnownOrder } from '../stream/reconciliation/order-identity';
import { EmulationLoop, type HoldClock, type UnreadEvent } from './emulation-loop';

/** Time to follow a cancellation, milliseconds. */
const CANCEL_MS = 10_000;
/** Time after a step until the list is read again. */
const AFTER_STEP_MS = 1_000;
/** Interval between reads of the list without events. */
const READS_EVERY_MS = 5_000;
/** The list is read so often where no exits are kept. */
const IDLE_MS = 15_000;

/** Events of an exit emulator. */
export type ExitEmulatorEvent =
  | { what: 'stopPlaced' | 'targetReached'; order: EmulatedOrder; quantity: number; orderId?: string }
  | { what: 'ended'; order: EmulatedOrder; why: Extract<ExitStep, { do: 'end' }>['why'] }
  /** The day's orders cannot be read. */
  | UnreadEvent
  /** The step failed; it is tried again, unless `isFinal`. */
  | { what: 'failed'; order: EmulatedOrder; error: BrokerageError; isFinal: boolean };

/** Dependencies of an exit emulator. */
export interface ExitEmulatorDeps {
  /** The account in which orders are placed and read. */
  context: PlacementContext;
  /** @throws BrokerageError if nothing may be sent now, cancellations among it: it was switched off in the credential. */
  requireSending(): Promise<void>;
  /** The instrument of an order. @throws BrokerageError if unknown. */
  instrument(order: EmulatedOrder): Promise<TradedInstrument>;
  /**
   * The last price of an instrument from now on; it is called for each order again and again, and must not wait.
   * @param day YYYY-MM-DD, IST: a price of an earlier day is none.
   */
  price(instrument: TradedInstrument, day: string | undefined): MarketPrice | undefined;
  notify(event: ExitEmulatorEvent): void;
  /** Left out where no clock waits. */
  holdClock?: HoldClock;
}

/** Keeps the exits of one account. */
export class ExitEmulator {
  /** Entries whose target was reached; after a restart the price decides again. */
  private readonly closing = new Set<string>();
  private readonly ended = new Set<string>();
  private readonly cancelledStops = new CancelledStops();
  private readonly loop: EmulationLoop;

  constructor(private readonly deps: ExitEmulatorDeps) {
    this.loop = new EmulationLoop(deps.context.transport.clock, deps.context.signal, deps.holdClock);
  }

  /** True if the list that was read last shows all that is known to be placed. */
  private isListWhole = false;
  /** The entries that were kept when the list was read last. */
  private watched: readonly EmulatedOrder[] = [];
  private readonly tags = new Map<string, readonly string[]>();
  /** The entries as they were listed last, by their ids. */
  private readonly listed = new Map<string, KnownOrder>();
  private readonly identities = new OrderIdentities(this.listed);

  /** An order has changed: the list is read at once. */
  wake(): void {
    this.loop.wake();
  }

  /** Takes a new last price of an instrument: if it decides something, the list is read at once. */
  onPrice(refId: number, price: MarketPrice): void {
    const decides = (keptOrder: EmulatedOrder): boolean =>
      keptOrder.refId === refId &&
      keptOrder.left > 0 &&
      keptOrder.whyUnclear === undefined &&
      !this.closing.has(keptOrder.id) &&
      (isAtTarget(keptOrder, price) || isAtStop(keptOrder, price));
    if (this.watched.some(decides)) this.wake();
  }

  private readonly tagsOf = (entryId: string): readonly string[] => {
    const tags = this.tags.get(entryId) ?? closingTags(entryId, this.deps.context.scope);
    this.tags.set(entryId, tags);
    return tags;
  };

  /** Keeps exits until the signal of the context fires; only rejects with errors from outside of the client. */
  async run(): Promise<void> {
    const { clock } = this.deps.context.transport;
    const { signal, placements } = this.deps.context;
    // What a process before this one placed at its very end must be listed before anything is placed.
    await clock.sleep(placements.untilListed(), signal).catch(() => undefined);
    await this.loop.run(
      () => this.cycle(),
      (isBusy) => (isBusy === true ? AFTER_STEP_MS : this.watched.length > 0 ? READS_EVERY_MS : IDLE_MS),
      (isBusy) => isBusy,
    );
  }

  /** One look at the day's orders, and one step for each entry. @returns whether anything was done. @throws any error of the read */
  async cycle(): Promise<boolean> {
    const { context, notify } = this.deps;
    const { signal } = context;
    const { orders } = context.background ?? context;
    const listed = await this.loop.read(async () => this.asBefore(await orders.list(signal, 'marked')), notify);
    this.isListWhole = showsAllKnown(listed, context);
    const all = emulatedOrders(listed, this.tagsOf).filter(({ id }) => !this.ended.has(id));
    this.watched = all;
    let isBusy = false;
    for (const emulated of all) {
      signal?.throwIfAborted();
      const step = await attempt(this.keep(emulated));
      if (step.ok) isBusy ||= step.value;
      else if (signal?.aborted || !(step.error instanceof BrokerageError)) throw step.error;
      else this.fails(emulated, step.error, false);
    }
    return isBusy;
  }

  /**
   * Returns a list whose entries are those that they were: under another id one would get a second stop loss.
   * @throws UnreadableReplyError if an entry is listed under another id, or as another order
   */
  private asBefore(orders: readonly OrderRecord[]): readonly OrderRecord[] {
    const isEntry = (order: OrderRecord): boolean => exitsInTag(tagOf(order)) !== undefined;
    const entries = readDayOrders(orders.filter((order) => isEntry(order) && !isUnreadable(order)));
    const contradiction = this.identities.contradiction(entries, (orderId) => this.listed.delete(orderId));
    if (contradiction !== undefined)
      throw new UnreadableReplyError(`${contradiction}.`, {
        hint: 'No exits are placed until the list shows what it showed before.',
      });
    for (const last of entries) this.listed.set(last.orderId, { last, isListed: true });
    return orders;
  }

  /** @returns whether anything was done */
  private async keep(emulated: EmulatedOrder): Promise<boolean> {
    const isLeftAlone = this.cancelledStops.isLately(emulated, this.deps.context.transport.clock);
    if (emulated.whyUnclear !== undefined) {
      this.fails(emulated, leftAlone(emulated.id, emulated.whyUnclear), false);
      return false;
    }
    const number = this.nextNumber(emulated);
    if (number === undefined) return false;
    const instrument = emulated.left > 0 ? await this.deps.instrument(emulated) : undefined;
    const price = instrument && this.deps.price(instrument, dayOf(emulated.entry));
    if (price !== undefined && isAtTarget(emulated, price) && !this.closing.has(emulated.id)) {
      // Without its stop loss it must be possible to close it.
      await this.deps.requireSending();
      await this.deps.context.requireTrading?.();
      this.closing.add(emulated.id);
      this.deps.notify({ what: 'targetReached', order: emulated, quantity: emulated.left });
    }
    const step = nextStep(emulated, this.closing.has(emulated.id), price);
    switch (step.do) {
      case 'wait':
        return false;
      case 'end':
        this.ended.add(emulated.id);
        this.deps.notify({ what: 'ended', order: emulated, why: step.why });
        return false;
      case 'giveUp':
        this.fails(
          emulated,
          new InputError(`The exits of order ${emulated.id} are refused again and again.`, { hint: GIVEN_UP }),
          true,
        );
        return false;
      case 'cancel':
        await this.cancel(emulated, step.orders);
        return true;
      case 'stop':
      case 'close':
        return !isLeftAlone && (await this.place(emulated, number, step, instrument!));
    }
  }

  /**
   * The number of the next order that closes an entry; undefined while an earlier one may still be on its way. One that the
   * lists have lacked for two minutes was not placed.
   */
  private nextNumber({ id, closing }: EmulatedOrder): number | undefined {
    const { placements, scope } = this.deps.context;
    let next = 0;
    for (const [number, tag] of this.tagsOf(id).entries()) {
      const sent = placements.get(scope, tag);
      if (closing.has(number)) next = number + 1;
      else if (sent !== undefined) {
        if (!placements.isLost(sent, this.isListWhole)) return undefined;
        next = number + 1;
      }
    }
    return next;
  }

  private async cancel(emulated: EmulatedOrder, orders: readonly OrderRecord[]): Promise<void> {
    await this.deps.requireSending();
    const ids = new Set(orders.map(orderIdOf));
    this.cancelledStops.cancels(ids);
    const results = await cancelOpenOrders((order) => ids.has(orderIdOf(order)), CANCEL_MS, this.deps.context);
    const open = results.find(({ order, error }) => error !== undefined && (order === undefined || !hasEnded(order)));
    if (open?.error !== undefined) this.fails(emulated, open.error, false);
  }

  /** @returns whether it was placed */
  private async place(
    emulated: EmulatedOrder,
    number: number,
    step: Extract<ExitStep, { quantity: number }>,
    instrument: TradedInstrument,
  ): Promise<boolean> {
    const { context, requireSending, notify } = this.deps;
    await requireSending();
    const tag = this.tagsOf(emulated.id)[number]!;
    const terms = termsOf(emulated, step, instrument);
    const request = { terms, tag, keyed: false, isRepeat: true, guards: [NO_GUARDS], unit: 'rupees' as const };
    const outcome = await placeOrder(request, { ...context, onlyCloses: true });
    if ('error' in outcome) {
      this.fails(emulated, outcome.error, false);
      return false;
    }
    this.loop.forget(emulated.id);
    if (outcome.outcome === 'confirmed') this.cancelledStops.placed(outcome.id);
    if (outcome.outcome === 'confirmed' && step.do === 'stop' && !outcome.alreadyPlaced)
      notify({ what: 'stopPlaced', order: emulated, quantity: step.quantity, orderId: outcome.id });
    return true;
  }

  /** Tells an error once, until it is another one. */
  private fails(order: EmulatedOrder, error: BrokerageError, isFinal: boolean): void {
    if (this.loop.isNews(order.id, error, isFinal)) this.deps.notify({ what: 'failed', order, error, isFinal });
  }
}

/** Returns the error of an entry with an unknown rest. @param why in words that follow "because" */
function leftAlone(orderId: string, why: string): UnreadableReplyError {
  return new UnreadableReplyError(`Nothing was sent for the exits of order ${orderId}, because ${why}.`, {
    hint: 'A stop loss that was placed still rests at the exchange. The exits go on once the list shows it otherwise.',
  });
}

/** The day of an order, YYYY-MM-DD in IST; undefined if its record does not tell. */
function dayOf({ order_time: time }: OrderRecord): string | undefined {
  const at = nanosToMs(time);
  return at === null ? undefined : istDate(at);
}

/** The order of a step: a stop loss for the day, or what closes at the market at once. */
function termsOf(
  { side, product, exits }: EmulatedOrder,
  step: Extract<ExitStep, { quantity: number }>,
  instrument: TradedInstrument,
): OrderTerms {
  const base = {
    instrument,
    side: side === 'BUY' ? ('SELL' as const) : ('BUY' as const),
    quantity: step.quantity,
    product,
  };
  if (step.do === 'close') return { ...base, kind: 'REGULAR', validity: 'IOC', priceType: 'MARKET' };
  return {
    ...base,
    kind: 'STOPLOSS',
    validity: 'DAY',
    priceType: 'LIMIT',
    triggerPrice: exits.stop,
    price: limitBeyond(exits.stop, directionOf(side), instrument.tickSize),
  };
}

const GIVEN_UP =
  'Close the position yourself, or with Portfolio: Exit Position. The trigger does nothing for it any more.';
