import type { ExchangeEvent } from '../types';
import type { Refusal } from '../../shared/orders';
import { refuse } from '../rules';
import { newExit, isAlive, jumpCount, triggeredExit } from './exit-triggers';
import { exitsRefusal } from './exits-refusal';
import { sumEntryFills } from './exit-runner';
import type { StrategyExit, ExitSlot, ExitTerms } from './exit-types';
import type { StrategyParts } from './strategy-engine';
import { gainDirectionOf, exitsEntry, intentRefusal, type StrategyConditions } from './rules';
import type { IntentChange, IntentOrder, NewIntent, WorkingIntent, ChildOrder } from './types';

const ENTRY_FIELDS = ['quantity', 'price', 'goodTill', 'condition', 'entryTime'] as const;

/** Refuses a change (docs/service/intent-orders.md#modify-and-cancel): the entry changes while it orders, an exit until it is triggered. */
export function strategyChangeRefusal(
  working: WorkingIntent,
  change: IntentChange,
  moment: (requested: NewIntent) => StrategyConditions,
): Refusal | undefined {
  const { intent, stage } = working;
  const entry = ENTRY_FIELDS.some((name) => change[name] !== undefined);
  const keepsDate = stage === 'OVER' && ENTRY_FIELDS.every((name) => name === 'goodTill' || change[name] === undefined);
  if (entry && stage === 'OVER' && !keepsDate)
    return refuse('ENTRY_OVER', `the entry of order ${intent.id} is ${intent.status}: only its exits can be changed`);
  const started = change.condition !== undefined || change.entryTime !== undefined;
  if (started && intent.entryTriggered && (intent.entry.condition !== null || intent.entry.time !== null))
    return refuse('ENTRY_TRIGGERED', `the entry of order ${intent.id} has been triggered: entryConfig is behind it`);
  if (started && stage === 'WORKING')
    return refuse('ENTRY_SENT', `order ${intent.id} is at the exchange: it can't wait for a condition any more`);
  if (change.quantity !== undefined && intent.multi && stage === 'WORKING')
    return refuse('STRATEGY_ENTERING', `strategy ${intent.id} is being entered: its qty can't be changed`);
  const entering = working.children.filter(({ of }) => of === 'entry');
  if (change.quantity !== undefined && change.quantity !== intent.quantity && entering.length > 1)
    return refuse('SLICED', `order ${intent.id} was sliced: its qty can't be changed, cancel it and place another`);
  if (change.quantity !== undefined && change.quantity <= intent.filledQuantity)
    return refuse('BELOW_FILLED', `qty must be above the ${intent.filledQuantity} that are already filled`);
  if (triggeredExit(intent.exits) !== undefined && (change.stop ?? change.target ?? null) !== null)
    return refuse('EXIT_TRIGGERED', `an exit of order ${intent.id} has been triggered: it can't be changed any more`);
  return termsRefusal(working, change, moment);
}

/** The order as it would be must keep the rules of a new one; what is filled is measured against nothing any more. */
function termsRefusal(
  { intent }: WorkingIntent,
  change: IntentChange,
  moment: (requested: NewIntent) => StrategyConditions,
): Refusal | undefined {
  const requested = applied(intent, change);
  const now = change.quantity === undefined ? withoutLots(moment(requested)) : moment(requested);
  // An unchanged time may be in the past by now.
  const entry = { ...requested.entry, time: change.entryTime === undefined ? null : requested.entry.time };
  const time = change.exitTime === undefined ? null : requested.exits.time;
  const exits = intent.filledQuantity > 0 ? { stop: null, target: null, time } : { ...requested.exits, time };
  const wrong = intentRefusal({ ...requested, entry, exits }, now);
  if (wrong !== undefined || intent.filledQuantity === 0) return wrong;
  return exitsRefusal(requested.exits, exitsEntry(requested, now, undefined));
}

/** Leaves lots out of the rules: an unchanged quantity was taken before, perhaps with another lot (docs/service/intent-orders.md#modify-and-cancel). */
function withoutLots(moment: StrategyConditions): StrategyConditions {
  return {
    ...moment,
    instrument: (refId) => {
      const instrument = moment.instrument(refId);
      return instrument === undefined ? undefined : { ...instrument, lotSize: 1 };
    },
  };
}

/** The terms of an order with a change. */
function applied(intent: IntentOrder, change: IntentChange): NewIntent {
  const terms = termsOf(intent.exits);
  const pick = <T>(requested: T | undefined, now: T): T => (requested === undefined ? now : requested);
  return {
    account: intent.account,
    multi: intent.multi,
    legs: intent.legs.map(({ refId, unit }) => ({ refId, unit })),
    quantity: change.quantity ?? intent.quantity,
    side: intent.side,
    product: intent.product,
    priceType: intent.priceType,
    validity: intent.validity,
    price: change.price ?? intent.price,
    goodTill: change.goodTill ?? intent.goodTill,
    entry: {
      condition: pick(change.condition, intent.entry.condition),
      time: pick(change.entryTime, intent.entry.time),
    },
    exits: {
      stop: pick(change.stop, terms.stop),
      target: pick(change.target, terms.target),
      time: pick(change.exitTime, terms.time),
    },
    iceberg: intent.iceberg,
    tag: intent.tag,
    echo: intent.echo,
  };
}

/** The exits that wait, as terms. */
function termsOf(exits: readonly StrategyExit[]): ExitTerms {
  const waiting = (slot: ExitSlot): StrategyExit | undefined =>
    exits.find((exit) => exit.slot === slot && exit.status === 'OPEN');
  const [stop, target, time] = [waiting('stop'), waiting('target'), waiting('time')];
  return {
    stop: stop === undefined ? null : { trigger: stop.trigger, limit: stop.limit, jump: stop.jump || null },
    target: target === undefined ? null : { trigger: target.trigger, limit: target.limit },
    time: time?.at ?? null,
  };
}

/** Carries changes out: at the exchange where the entry works there, else on the order itself. */
export class EntryChanges {
  constructor(private readonly parts: StrategyParts) {}

  carryOut(working: WorkingIntent, change: IntentChange, at: number): void {
    const { intent } = working;
    working.changing = false;
    const over = working.stage === 'OVER' && (change.price !== undefined || change.quantity !== undefined);
    if (over) return this.refused(working, `it is ${intent.status}`, at);
    const { price, quantity, ...rest } = change;
    const figures = {
      ...(price === undefined || price === intent.price ? {} : { price }),
      ...(quantity === undefined || quantity === intent.quantity ? {} : { quantity }),
    };
    applyChange(working, rest);
    if (Object.keys(figures).length === 0) return this.done(working, at);
    const entering = working.children.filter(({ of }) => of === 'entry');
    if (intent.multi || entering.length === 0) {
      applyChange(working, figures);
      return this.done(working, at);
    }
    for (const { orderId, placed, left } of entering) {
      // What earlier orders of it filled is not this one's.
      const elsewhere = intent.filledQuantity - (placed - left);
      const own = figures.quantity === undefined ? {} : { quantity: figures.quantity - elsewhere };
      const result = this.parts.exchange.modify(orderId, { ...figures, ...own }, at);
      if (!result.ok) return this.refused(working, result.text, at);
    }
  }

  /** The exchange has changed an order of the entry, or refused to. */
  answered(
    working: WorkingIntent,
    child: ChildOrder,
    event: Extract<ExchangeEvent, { type: 'modified' | 'modify_rejected' }>,
    at: number,
  ): void {
    if (event.type === 'modify_rejected') return this.refused(working, event.reason, at);
    const { intent } = working;
    const { quantity, filledQuantity, price } = event.order;
    const left = quantity - filledQuantity;
    applyChange(working, { price, quantity: intent.quantity + left - child.left });
    Object.assign(child, { left, placed: quantity });
    this.done(working, at);
  }

  private done(working: WorkingIntent, at: number): void {
    this.parts.store.emit(working, { type: 'modified' }, at, { stamp: 'modifiedAt' });
  }

  private refused(working: WorkingIntent, reason: string, at: number): void {
    this.parts.store.emit(working, { type: 'modify_rejected', reason }, at);
  }
}

/** Puts a change into effect. */
function applyChange(working: WorkingIntent, change: IntentChange): void {
  const { intent } = working;
  const { quantity, price, goodTill, condition, entryTime } = change;
  if (quantity !== undefined) {
    intent.quantity = quantity;
    for (const leg of intent.legs) leg.quantity = quantity * Math.abs(leg.unit);
  }
  if (price !== undefined) intent.price = price;
  if (goodTill !== undefined) intent.goodTill = goodTill;
  intent.entry = {
    condition: condition === undefined ? intent.entry.condition : condition,
    time: entryTime === undefined ? intent.entry.time : entryTime,
  };
  const { stop, target, exitTime } = change;
  if (stop !== undefined) put(working, 'stop', stop && newExit('stop', stop.trigger, stop.limit, stop.jump ?? 0, 0));
  if (target !== undefined) put(working, 'target', target && newExit('target', target.trigger, target.limit, 0, 0));
  if (exitTime !== undefined) put(working, 'time', exitTime === null ? null : newExit('time', 0, 0, 0, exitTime));
}

/** Puts an exit in the place of the one that waits, or takes that off. */
function put(working: WorkingIntent, slot: ExitSlot, requested: StrategyExit | null): void {
  const { intent, best } = working;
  const at = intent.exits.findIndex((exit) => exit.slot === slot);
  const now = intent.exits[at];
  if (now !== undefined && (!isAlive(now) ? requested === null : now.status !== 'OPEN')) return;
  if (requested === null) {
    if (now !== undefined) now.status = 'CANCELLED';
    return;
  }
  if (best !== null)
    requested.jumpsBefore = jumpCount(requested.jump, gainDirectionOf(intent), best, sumEntryFills(working));
  if (at < 0) intent.exits.push(requested);
  else intent.exits[at] = requested;
}
