/**
 * Comparison of a view with the order whose id it has. An order keeps its instrument, its side, its tag and its time of placing; its
 * quantity changes with a modification alone. A message that carries the contents of one order and the id of another is recognised by that.
 */
import { isLater, type OrderSnapshot } from '../../orders/model/order-snapshot';
import { identityOf, isMadeTag } from '../../orders/model/tags';

/** An order with what is known of it. */
export interface KnownOrder {
  /** The newest view of the order; undefined when only a checkpoint tells of it. */
  last: OrderSnapshot | undefined;
  /** True if a list has shown it as the order that it is: a list is believed rather than the first message about an order. */
  isListed?: boolean;
  /** Terms that its last message showed; undefined before it. Sources may write a tag, or a time, in different ways. */
  streamed?: { tags: readonly string[]; created: string; quantity: number };
}

/** Returns what a message shows of the terms that the next one is compared with. */
export function streamedTermsOf({ tags, quantity, times }: OrderSnapshot): KnownOrder['streamed'] {
  return { tags, quantity, created: times.created };
}

const SIDES: ReadonlySet<string> = new Set(['BUY', 'SELL']);
/** Sources may tell the placing of one order so far apart, nanoseconds. */
const MAX_PLACING_DIFFERENCE_NS = 5_000_000_000n;
/** The end of each sentence. */
const WRONG = 'something on the way gives wrong answers';

/** The known orders of an account, and the reasons for which a view cannot be of them. */
export class OrderIdentities {
  /** Ids of the orders by the tags that they were first seen with. */
  private readonly tagged = new Map<string, string>();

  constructor(private readonly knownOrders: ReadonlyMap<string, KnownOrder>) {}

  /** Notes an order that is seen for the first time. */
  note(order: OrderSnapshot): void {
    const tag = tagOf(order);
    if (tag !== '' && !this.tagged.has(tag)) this.tagged.set(tag, order.orderId);
  }

  /** Forgets an order that is still known. */
  forget(orderId: string): void {
    const last = this.knownOrders.get(orderId)?.last;
    const tag = last === undefined ? '' : tagOf(last);
    if (this.tagged.get(tag) === orderId) this.tagged.delete(tag);
  }

  /**
   * Returns why views cannot be of the orders whose ids they have, as a sentence; undefined if they can.
   * @param misread is called for an order that was known by messages alone, and is another one in the list, which is believed.
   */
  contradiction(views: readonly OrderSnapshot[], misread: (orderId: string) => void): string | undefined {
    for (const view of views) {
      if (view.kind === 'leg') continue;
      const order = this.knownOrders.get(view.orderId);
      if (order?.last === undefined) {
        const other = order === undefined && view.source === 'stream' ? this.underOtherId(view) : undefined;
        if (other !== undefined) return `Order ${other} is shown as order ${view.orderId}: ${WRONG}`;
        continue;
      }
      const isOther = isOfOther(view, order.last) || (view.source === 'stream' && this.isOfOtherMessage(view, order));
      if (view.source === 'orders' && !isOther) order.isListed = true;
      if (!isOther) continue;
      if (view.source === 'stream' || order.isListed === true || order.last.source === 'orders')
        return `Order ${view.orderId} is shown as ${named(view)}, and was ${named(order.last)} before: ${WRONG}`;
      misread(view.orderId);
    }
    return this.exchangedId(views);
  }

  /** Returns true if a message shows other terms than what is known of its order, without a modification. */
  private isOfOtherMessage(view: OrderSnapshot, { last, streamed }: KnownOrder): boolean {
    const { kind, quantity, tags, times } = view;
    if (last === undefined || kind !== last.kind) return false;
    const tag = tagOf(view);
    const owner = tag === tagOf(last) ? undefined : this.tagged.get(tag);
    if (areApart(tags, last.tags) && owner !== undefined && owner !== view.orderId) return true;
    if (streamed !== undefined) {
      if (areApart(tags, streamed.tags)) return true;
      if (![times.created, '0'].includes(streamed.created) && times.created !== '0') return true;
    }
    const isKnown = [0, last.quantity, streamed?.quantity].includes(quantity) || last.quantity === 0;
    return kind === 'order' && !isKnown && !isLater(times.modified, last.times.modified);
  }

  /** Returns the known order that a message with an unknown id is of, by the tag that this package made; undefined if there is none. */
  private underOtherId(view: OrderSnapshot): string | undefined {
    const orderId = isMadeTag(view.tags[0] ?? '') ? this.tagged.get(tagOf(view)) : undefined;
    const last = orderId === undefined ? undefined : this.knownOrders.get(orderId)?.last;
    if (last?.kind !== view.kind || isOfOther(view, last)) return undefined;
    const [created, before] = [view.times.created, last.times.created];
    const gap = created === '0' || before === '0' ? 0n : BigInt(created) - BigInt(before);
    return gap <= MAX_PLACING_DIFFERENCE_NS && gap >= -MAX_PLACING_DIFFERENCE_NS ? orderId : undefined;
  }

  /** Returns a sentence about an order that a list shows under another id than before; undefined if there is none. */
  private exchangedId(views: readonly OrderSnapshot[]): string | undefined {
    const unknown = views.filter(
      ({ kind, source, orderId }) => kind === 'order' && source === 'orders' && !this.knownOrders.has(orderId),
    );
    if (unknown.length === 0) return undefined;
    const listed = new Set(views.map(({ orderId }) => orderId));
    const missing = new Map<string, string>();
    for (const [orderId, { last, isListed }] of this.knownOrders)
      if (last?.kind === 'order' && (isListed === true || last.source === 'orders') && !listed.has(orderId))
        missing.set(placingOf(last), orderId);
    for (const view of unknown) {
      const before = view.times.created === '0' ? undefined : missing.get(placingOf(view));
      if (before !== undefined)
        return `Order ${before} is no longer in the list, which shows it as ${view.orderId}: ${WRONG}`;
    }
    return undefined;
  }
}

/** Returns true if two views are of different instruments, of different sides, or have different tags that this package made. */
function isOfOther(view: OrderSnapshot, knownOrder: OrderSnapshot): boolean {
  if (areApart(refIdsOf(view), refIdsOf(knownOrder))) return true;
  if (view.kind !== knownOrder.kind) return false;
  if (SIDES.has(view.side) && SIDES.has(knownOrder.side) && view.side !== knownOrder.side) return true;
  const [[tag = ''], [before = '']] = [view.tags, knownOrder.tags];
  return tag !== before && isMadeTag(tag) && isMadeTag(before) && identityOf(tag) !== identityOf(before);
}

/** The part of an order's first tag by which it is found; '' if it has none. */
const tagOf = ({ kind, tags: [tag = ''] }: OrderSnapshot): string => (kind === 'leg' ? '' : identityOf(tag));

/** The known instruments of an order, or of the legs of a strategy. */
function refIdsOf({ kind, instrument, legs }: OrderSnapshot): number[] {
  const refIds = kind === 'strategy' ? legs.map(({ refId }) => refId) : [instrument.refId];
  return refIds.filter((refId) => refId > 0);
}

const areApart = <T>(some: readonly T[], others: readonly T[]): boolean =>
  some.length > 0 && others.length > 0 && !some.some((item) => others.includes(item));

/** Returns what an order keeps from its placing on, but for its id. */
const placingOf = ({ times, instrument, side, tags }: OrderSnapshot): string =>
  [times.created, instrument.refId, side, ...tags].join(' ');

/** Side, instrument, quantity and tag of an order in words. */
function named({ side, quantity, instrument: { symbol, refId }, tags: [tag = ''] }: OrderSnapshot): string {
  const parts = [side, quantity === 0 ? '' : String(quantity), symbol.slice(0, 40), `(ref_id ${refId})`];
  return [...parts, tag === '' ? '' : `with the tag ${tag.slice(0, 40)}`].filter((text) => text !== '').join(' ');
}
