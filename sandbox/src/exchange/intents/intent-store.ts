import type { ExitSlot } from '../exits/types';
import type { Stamps } from '../id-generator';
import { istDay, millis } from '../../shared/time';
import { isAlive } from '../exits/triggers';
import type { IntentEvent, IntentOrder, IntentStatus } from './types';

/** Where the small numbers begin. */
const FIRST_SMALL_ID = 9_945;

/** An order that an intent order has at the exchange. */
export interface Child {
  orderId: bigint;
  /** Index of its leg. */
  leg: number;
  of: 'entry' | ExitSlot;
  placed: number;
  /** What it may still fill. */
  left: number;
  cancelling: boolean;
}

/** How far an entry has come. WAITING: for its conditions or a session; WORKING: its orders are on their way. */
export type Stage = 'RECEIVED' | 'WAITING' | 'WORKING' | 'OVER';

/** How the last order of an entry ended that was not filled. */
export interface EntryEnd {
  type: 'rejected' | 'cancelled' | 'expired' | 'unsolicited_cancel';
  reason: string;
}

/** An intent order with what only the core knows of it. */
export interface LiveIntent {
  intent: IntentOrder;
  stage: Stage;
  children: Child[];
  /** When the session ends in which it works, milliseconds; null until its first one begins. */
  closesAt: number | null;
  /** When its list begins to show it, milliseconds. */
  visibleAt: number;
  /** The rest of the entry is to be taken back; why. */
  cancelling: string | null;
  lastEnd: EntryEnd | null;
  /** Best price since the first fill; null before. */
  best: number | null;
  /** A cancel is refused before, milliseconds: a modification is at the exchange. */
  busyUntil: number;
  changing: boolean;
  /** No order is placed before, milliseconds. */
  retryAt: number;
}

type Happening = IntentEvent extends infer E
  ? E extends IntentEvent
    ? Omit<E, 'seq' | 'at' | 'intent'>
    : never
  : never;
type Stamp = 'acceptedAt' | 'sentAt' | 'filledAt' | 'cancelledAt' | 'rejectedAt' | 'modifiedAt';

/** All intent orders, and the one place where their events are made. */
export class IntentStore {
  private readonly lives = new Map<bigint, LiveIntent>();
  private readonly byAccount = new Map<string, LiveIntent[]>();
  private readonly listeners: ((event: IntentEvent) => void)[] = [];
  private seq = 0;
  private smallIds = FIRST_SMALL_ID;

  constructor(private readonly stamps: Stamps) {}

  newId(small: boolean): bigint {
    if (!small) return this.stamps.id();
    this.smallIds += 1;
    return BigInt(this.smallIds);
  }

  time(at: number): bigint {
    return this.stamps.time(at);
  }

  add(live: LiveIntent): void {
    this.file(live);
    this.publish(live, { type: 'received' }, live.intent.createdAt);
  }

  get(id: bigint): LiveIntent | undefined {
    return this.lives.get(id);
  }

  /** Orders of an account, oldest first. */
  of(account: string): readonly LiveIntent[] {
    return this.byAccount.get(account) ?? [];
  }

  /** Forgets orders that were over before the day of an instant began. */
  forgetBefore(at: number): void {
    for (const [account, lives] of this.byAccount) {
      const kept = lives.filter((live) => !isPast(live, at));
      for (const live of lives) if (isPast(live, at)) this.lives.delete(live.intent.id);
      this.byAccount.set(account, kept);
    }
  }

  onEvent(listener: (event: IntentEvent) => void): void {
    this.listeners.push(listener);
  }

  /** Something happened: stamps it, changes the status where one is given, and tells. */
  tell(
    live: LiveIntent,
    happening: Happening,
    at: number,
    change: { status?: IntentStatus; stamp?: Stamp; reason?: string } = {},
  ): void {
    const { intent } = live;
    const time = this.stamps.time(at);
    if (change.status !== undefined) intent.status = change.status;
    if (change.stamp !== undefined) intent[change.stamp] = time;
    if (change.reason !== undefined) intent.reason = change.reason;
    intent.updatedAt = time;
    this.publish(live, happening, time);
  }

  state(): { seq: number; smallIds: number; lives: LiveIntent[] } {
    const { seq, smallIds } = this;
    return { seq, smallIds, lives: [...this.lives.values()].map(copyOfLive) };
  }

  restore({ seq, smallIds, lives }: ReturnType<IntentStore['state']>): void {
    this.seq = seq;
    this.smallIds = smallIds;
    for (const live of lives) this.file(copyOfLive(live));
  }

  private file(live: LiveIntent): void {
    this.lives.set(live.intent.id, live);
    const lives = this.byAccount.get(live.intent.account);
    if (lives === undefined) this.byAccount.set(live.intent.account, [live]);
    else lives.push(live);
  }

  private publish({ intent }: LiveIntent, happening: Happening, at: bigint): void {
    this.seq += 1;
    const event: IntentEvent = { ...happening, seq: this.seq, at, intent: copyOf(intent) };
    for (const listener of this.listeners) listener(event);
  }
}

/** Whether nothing more can happen to an order: its entry is over and no exit lives. */
export function isFinished({ stage, intent, children }: LiveIntent): boolean {
  return stage === 'OVER' && children.length === 0 && !intent.exits.some(isAlive);
}

/** Whether an order was over before the day of an instant began. */
export function isPast(live: LiveIntent, at: number): boolean {
  return isFinished(live) && istDay(millis(live.intent.updatedAt)) < istDay(at);
}

function copyOfLive(live: LiveIntent): LiveIntent {
  return { ...live, intent: copyOf(live.intent), children: live.children.map((child) => ({ ...child })) };
}

/** A snapshot that later changes leave alone. */
export function copyOf(intent: IntentOrder): IntentOrder {
  return {
    ...intent,
    legs: intent.legs.map((leg) => ({ ...leg, exchangeOrderIds: [...leg.exchangeOrderIds] })),
    exits: intent.exits.map((one) => ({ ...one, asked: { ...one.asked } })),
  };
}
