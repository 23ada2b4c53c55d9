import type { Clock, Moment } from '../../base/ports';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { istDate, istInstant } from '../../values/time';
import { NIGHT_MS, type DayPlacement } from './placed-today';
import { instanceOf, isOtherRun, machineTime, type MarketTime } from '../../market-clock';
import { basketIdOf } from '../model/basket-record';
import { orderIdOf } from '../model/order-record';
import { causeMarkOf, identityOf } from '../model/tags';
import { SentBySteps, type StepRun } from './sent-by-steps';

type AnyRecord = OrderRecord | BasketRecord;

/** Decimal text; '' when a record has none. An order may name its basket beside. */
const idIn = (record: AnyRecord): string =>
  ('order_id' in record ? orderIdOf(record as OrderRecord) : '') || basketIdOf(record as BasketRecord);

/** Knowledge about an order or a basket that was sent from this process. */
export interface Placement {
  state: 'unknown' | 'placed';
  tag: string;
  /** Kind of a placed order or basket, and its id as decimal text. */
  known?: Pick<DayPlacement, 'noun' | 'id'>;
  /** The record as last seen; undefined while the outcome is unknown. */
  record?: AnyRecord;
  /** Maximum cost, paise, for the day's limit until the list shows it. */
  value: number;
  /** Number of orders that it is: one for each leg of a basket. */
  orders: number;
  /** Time of sending by the market's clock, which determines its day: milliseconds since the epoch. */
  marketAt: number;
  /** The same on the monotonic clock, by which its age is measured. */
  moment: Moment;
  /** The run of the sandbox in which it was sent; undefined for any other service. */
  run: string | undefined;
  /** Time since which the lists lack it. */
  missingSince?: Moment;
}

/** Orders that were sent under one tag. */
export interface SentOrders {
  /** The part of its tag that is compared. */
  identity: string;
  /** Decimal text; undefined while it is unknown. */
  id: string | undefined;
  /** Number of orders; 0 for what an earlier process sent, which a list must show. */
  orders: number;
}

/** A tag that came back as another one. */
export interface ChangedTag {
  sent: string;
  shown: string;
  /** Id of the order or the basket that has it, decimal text. */
  id: string;
}

const DAY_MS = 24 * 3_600_000;
/** At most this many placements are kept; the oldest are evicted first. */
const MAX_PLACEMENTS = 50_000;
/** An order that is about to be sent is sent within a minute, or not at all. */
const RESERVED_MS = 60_000;
/** Time after which a list must show an order; ten seconds is the longest expected delay. */
const LISTED_MS = 12_000;
/** Time for which the lists must lack an order of unknown outcome before it counts as not placed. */
const LOST_MS = 120_000;
/** Orders appear in the list one or two seconds late (docs/service/order-life.md#acknowledgement-and-result); this covers it with room. */
export const LIST_DELAY_MS = 4_000;

/**
 * Placements of this process, by tag. One instance serves the whole process, so that a second try, a second delivery of an alert and a
 * second execution at the same moment find the first order instead of placing another.
 *
 * `scope` is the environment and the account (see `tradingScope`). Tags are compared by `identityOf`. Orders and baskets have separate
 * tags, so that none is mistaken for the other.
 */
export class PlacementRegistry {
  private readonly placementsByKey = new Map<string, Placement>();
  /** Tags of what was placed, by scope and id. */
  private readonly tagsOfIds = new Map<string, string>();
  private readonly sentBySteps = new SentBySteps(MAX_PLACEMENTS);
  private readonly reserved = new Map<string, { value: number; orders: number; until: Moment }>();
  private readonly lists = new Map<string, { at: Moment; records: Promise<AnyRecord[]> }>();
  /** The end of the last read of each list, and the read that comes after it where somebody waits for one. */
  private readonly reading = new Map<string, Promise<void>>();
  private readonly nextLists = new Map<string, Promise<AnyRecord[]>>();
  private readonly queues = new Map<string, Promise<unknown>>();
  private readonly besides = new Map<string, Set<Promise<unknown>>>();
  private readonly requests = new Set<Promise<unknown>>();
  private readonly changedTags = new Map<string, ChangedTag>();
  /** Ids of what has a changed tag; true once the user has seen it. */
  private readonly changedIds = new Map<string, boolean>();
  private readonly started: Moment;

  /**
   * Makes a registry. @param clock its current time counts as the start of the process.
   * @param marketOf the market's time of a scope: days are its days. The machine's if left out.
   */
  constructor(
    private readonly clock: Clock,
    private readonly marketOf: (scope: string) => MarketTime = () => machineTime(clock),
  ) {
    this.started = clock.moment();
  }

  private key(scope: string, tag: string): string {
    return `${scope}\n${identityOf(tag)}`;
  }

  /** Returns today's placement with a tag. As in the service's list, a tag is valid for one day, IST. */
  get(scope: string, tag: string): Placement | undefined {
    const placement = this.placementsByKey.get(this.key(scope, tag));
    if (placement === undefined || this.isOfAnotherInstance(scope, placement)) return undefined;
    const market = this.marketOf(scope);
    // Measured, as the wall clock may be set; a sandbox's clock is moved on purpose, in a backtest with the machine's.
    const isOnSandbox = market.run !== undefined;
    const ageMs = isOnSandbox ? market.now() - placement.marketAt : this.clock.since(placement.moment);
    return placement.marketAt >= todaySince(market) || ageMs < NIGHT_MS ? placement : undefined;
  }

  /**
   * Notes that a list, just read, does not show a placement.
   * @param isWhole whether the list shows everything that is known to be placed: another one proves nothing.
   * @returns true if it was never placed, as far as can be known: its outcome is unknown, and lists have lacked it for two minutes. Its age
   * alone proves nothing if no list could be read meanwhile.
   */
  isLost(placement: Placement, isWhole: boolean): boolean {
    if (!isWhole || placement.missingSince === undefined) placement.missingSince = this.clock.moment();
    return placement.state === 'unknown' && this.clock.since(placement.missingSince) >= LOST_MS;
  }

  /** Returns today's placements by a step of a workflow that another one called (see `causeMarkOf`). */
  underMark(scope: string, mark: string): Placement[] {
    return this.today(scope).filter(({ tag }) => causeMarkOf(tag) === mark);
  }

  /** Returns today's placements of a scope. */
  today(scope: string): Placement[] {
    return this.todayOf(scope).map(([, placement]) => placement);
  }

  /** Returns the placements of this process from today that are old enough for a list to show them. */
  listable(scope: string): DayPlacement[] {
    const { run } = this.marketOf(scope);
    const placements: DayPlacement[] = [];
    for (const [identity, { known, moment, run: placedIn }] of this.todayOf(scope))
      if (known !== undefined && this.clock.since(moment) >= LISTED_MS && !isOtherRun(placedIn, run))
        placements.push({ ...known, identity });
    return placements;
  }

  /** Returns true if this process has placed an order or a basket today, for any account. @param id decimal text. */
  hasPlaced(id: string): boolean {
    return [...this.placementsByKey].some(([key, placement]) => {
      const scope = key.slice(0, key.indexOf('\n'));
      return placement.known?.id === id && placement.marketAt >= todaySince(this.marketOf(scope));
    });
  }

  /** Notes that the service shows another tag than it was sent, by which nothing can be found for certain. */
  noteChangedTag(scope: string, changed: ChangedTag): void {
    if (this.changedIds.get(changed.id) === true) return;
    this.changedIds.set(changed.id, false);
    this.changedTags.set(scope, changed);
  }

  /** Returns a tag that the service changed, until the user has seen it. */
  changedTag(scope: string): ChangedTag | undefined {
    return this.changedTags.get(scope);
  }

  /** Returns true if the service made this tag from another. */
  isChangedTag(shown: string): boolean {
    return [...this.changedTags.values()].some((changed) => changed.shown === shown);
  }

  /** Records that the user has seen the changed tags of all accounts. @returns them */
  takeChangedTags(): ChangedTag[] {
    const changed = [...this.changedTags.values()];
    this.changedTags.clear();
    for (const id of this.changedIds.keys()) this.changedIds.set(id, true);
    return changed;
  }

  /** Returns the placements of a scope on this day of its market, with their identities; not those of an earlier instance of a sandbox. */
  private todayOf(scope: string): [identity: string, placement: Placement][] {
    const today = todaySince(this.marketOf(scope));
    return [...this.placementsByKey].flatMap(([key, placement]): [string, Placement][] =>
      placement.marketAt >= today && key.startsWith(`${scope}\n`) && !this.isOfAnotherInstance(scope, placement)
        ? [[key.slice(scope.length + 1), placement]]
        : [],
    );
  }

  /** Returns true if it was placed in a sandbox that has been reset, or replaced, since. */
  private isOfAnotherInstance(scope: string, { run }: Placement): boolean {
    const { run: now } = this.marketOf(scope);
    return run !== undefined && now !== undefined && instanceOf(run) !== instanceOf(now);
  }

  /** Yields identity of the tag and value (paise) of everything sent for a scope today, and of everything about to be sent. */
  *values(scope: string): Generator<[string, number]> {
    for (const [identity, { value }] of this.todayOf(scope)) yield [identity, value];
    for (const [identity, { value }] of this.reservedOf(scope)) yield [identity, value];
  }

  /** Yields everything sent for a scope today, and everything about to be sent, as orders. */
  *sentOrders(scope: string): Generator<SentOrders> {
    for (const [identity, { known, orders }] of this.todayOf(scope)) yield { identity, id: known?.id, orders };
    for (const [identity, { orders }] of this.reservedOf(scope)) yield { identity, id: undefined, orders };
  }

  private *reservedOf(scope: string): Generator<[identity: string, { value: number; orders: number }]> {
    for (const [key, one] of this.reserved)
      if (this.clock.since(one.until) < 0 && key.startsWith(`${scope}\n`)) yield [key.slice(scope.length + 1), one];
  }

  /**
   * Reserves a part of the day's limit for an order about to be sent, for a minute at most, so that two at the same moment cannot both
   * pass.
   * @param value paise. @param orders number of orders that it is.
   */
  reserve(scope: string, tag: string, value: number, orders = 1): void {
    this.reserved.set(this.key(scope, tag), { value, orders, until: this.clock.moment(RESERVED_MS) });
  }

  /** Releases the reservation of an order that is not sent after all. */
  release(scope: string, tag: string): void {
    this.reserved.delete(this.key(scope, tag));
  }

  /**
   * Notes that something is about to be sent. Whatever happens after this, it is not sent from here again.
   * @param value paise. @param orders number of orders that it is. @param step what sends it; left out if a key identifies it
   */
  sending(scope: string, tag: string, value: number, orders = 1, step?: StepRun): void {
    this.release(scope, tag);
    for (const [key, { moment }] of this.placementsByKey) {
      if (this.clock.since(moment) <= DAY_MS && this.placementsByKey.size < MAX_PLACEMENTS) break;
      this.placementsByKey.delete(key);
    }
    this.notPlaced(scope, tag);
    this.placementsByKey.set(this.key(scope, tag), { state: 'unknown', tag, value, orders, ...this.instant(scope) });
    if (step !== undefined) this.sentBySteps.add(this.key(scope, step.order), { run: step.run, tag });
  }

  /**
   * Returns the tag under which an earlier run of a step may have placed the same, while nobody knows whether it did: the run takes that order
   * up, and places no other one. undefined if there is none.
   * @param tag of the order in this run, which takes up the same one each time.
   */
  takeUp(scope: string, tag: string, { order, run }: StepRun): string | undefined {
    const isNew = this.get(scope, tag) === undefined;
    const isUnclear = (sent: string): boolean => isNew && this.get(scope, sent)?.state === 'unknown';
    return this.sentBySteps.takeUp(this.key(scope, tag), this.key(scope, order), run, isUnclear);
  }

  /** Sends a request that places, of any account: whoever stops trading waits until it is answered. */
  async whileSending<T>(send: () => Promise<T>): Promise<T> {
    const sent = send();
    this.requests.add(sent);
    try {
      return await sent;
    } finally {
      this.requests.delete(sent);
    }
  }

  /** Waits until the requests of this process that are in progress are answered. @returns whether there were any */
  async untilAnswered(): Promise<boolean> {
    const underWay = [...this.requests];
    await Promise.allSettled(underWay);
    return underWay.length > 0;
  }

  /** Returns true if an id is that of something that this process has placed under another tag today: no new order has it. */
  isOfOther(scope: string, tag: string, id: string): boolean {
    const known = this.tagsOfIds.get(`${scope}\n${id}`);
    return known !== undefined && identityOf(known) !== identityOf(tag) && this.get(scope, known)?.state === 'placed';
  }

  /** Notes that the service has the order with a tag, or had it before. */
  placed(scope: string, tag: string, record: AnyRecord, known?: Placement['known']): void {
    const before = this.get(scope, tag);
    if (this.tagsOfIds.size >= MAX_PLACEMENTS) this.tagsOfIds.clear();
    this.tagsOfIds.set(`${scope}\n${idIn(record)}`, tag);
    this.placementsByKey.set(this.key(scope, tag), {
      state: 'placed',
      tag,
      record,
      ...(known === undefined ? {} : { known }),
      value: before?.value ?? 0,
      orders: before?.orders ?? 0,
      ...this.instant(scope),
      ...(before === undefined ? {} : { marketAt: before.marketAt, moment: before.moment }),
    });
  }

  private instant(scope: string): Pick<Placement, 'marketAt' | 'moment' | 'run'> {
    const market = this.marketOf(scope);
    return { marketAt: market.now(), moment: this.clock.moment(), run: market.run };
  }

  /** Forgets a tag with which certainly nothing was placed. */
  notPlaced(scope: string, tag: string): void {
    this.placementsByKey.delete(this.key(scope, tag));
  }

  /** Milliseconds until a list is sure to show what a process before this one placed at its very end. */
  untilListed(): number {
    return Math.max(0, LIST_DELAY_MS - this.clock.since(this.started));
  }

  /**
   * A list of the day for the look before sending. One that was asked for a moment ago serves everybody: new orders appear
   * in it later than that anyway, and what this process sent it knows itself.
   * @param name of the list: lists of one name hold records of one kind.
   * @param read asks the service.
   * @param servesMs how long a list serves, milliseconds; 0 for one that is read after this call and not before, as
   *   another process may have placed something since.
   * @throws what `read` throws.
   */
  async dayList<Rec extends AnyRecord>(name: string, read: () => Promise<Rec[]>, servesMs: number): Promise<Rec[]> {
    const recent = this.lists.get(name);
    if (servesMs > 0 && recent !== undefined && this.clock.since(recent.at) <= servesMs)
      return (await recent.records) as Rec[];
    if (servesMs > 0) return (await this.readList(name, read)) as Rec[];
    // All callers during a read share the next one.
    const underWay = this.reading.get(name);
    const next = this.nextLists.get(name) ?? this.readAfter(underWay, name, read);
    this.nextLists.set(name, next);
    return (await next) as Rec[];
  }

  private async readAfter(
    underWay: Promise<unknown> | undefined,
    name: string,
    read: () => Promise<AnyRecord[]>,
  ): Promise<AnyRecord[]> {
    await underWay;
    this.nextLists.delete(name);
    return await this.readList(name, read);
  }

  private async readList(name: string, read: () => Promise<AnyRecord[]>): Promise<AnyRecord[]> {
    const records = read();
    this.lists.set(name, { at: this.clock.moment(), records });
    const ended = records.then(
      () => undefined,
      () => void this.lists.delete(name),
    );
    this.reading.set(name, ended);
    return await records;
  }

  /**
   * Does the work after all other work for one of the tags, so that no two try the same thing at the same moment.
   * @returns what the work returns. @throws what it throws.
   */
  async alone<T>(scope: string, tags: readonly string[], work: () => Promise<T>): Promise<T> {
    const keys = [...new Set(tags)].map((tag) => this.key(scope, tag));
    const before = Promise.all(keys.flatMap((key) => [this.queues.get(key), ...(this.besides.get(key) ?? [])]));
    const mine = before.then(work);
    const confirmed = mine.then(
      () => undefined,
      () => undefined,
    );
    for (const key of keys) this.queues.set(key, confirmed);
    try {
      return await mine;
    } finally {
      for (const key of keys) if (this.queues.get(key) === confirmed) this.queues.delete(key);
    }
  }

  /**
   * Does the work beside other such work, and not while work `alone` is done for one of the names, which waits for it.
   * @returns what the work returns. @throws what it throws.
   */
  async beside<T>(scope: string, names: readonly string[], work: () => Promise<T>): Promise<T> {
    const keys = [...new Set(names)].map((name) => this.key(scope, name));
    const mine = Promise.all(keys.map((key) => this.queues.get(key))).then(work);
    const ended = mine.then(
      () => undefined,
      () => undefined,
    );
    for (const key of keys) this.besides.set(key, (this.besides.get(key) ?? new Set()).add(ended));
    try {
      return await mine;
    } finally {
      for (const key of keys) {
        const others = this.besides.get(key);
        others?.delete(ended);
        if (others?.size === 0) this.besides.delete(key);
      }
    }
  }
}

/** Returns the start of the day by the market's clock: milliseconds since the epoch. */
const todaySince = (market: MarketTime): number => istInstant(istDate(market.now()), '00:00');
