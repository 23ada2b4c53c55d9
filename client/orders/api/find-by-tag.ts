/** Orders and baskets are found only by their tag (docs/service/differences.md#what-users-complain-about: a twin of symbol and quantity is another order). */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import type { Clock } from '../../base/ports';
import { tagOf } from '../model/order-record';
import { identityOf, isEchoOf, isMadeTag } from '../model/tags';

/**
 * Milliseconds before each read of a list: new orders appear in it one or two seconds late
 * (docs/service/order-life.md#acknowledgement-and-result). The last read is
 * twelve seconds after the first moment, and ten is the latest that a list is thought to be.
 */
const LOOKUP_PAUSES_MS: readonly number[] = [700, 1_300, 2_000, 3_000, 5_000];

/**
 * Returns the records placed with one of the tags, by that tag; the first listed one for each. A tag that the service changed counts if no
 * record has the tag itself.
 */
export function byTags<Rec extends OrderRecord | BasketRecord>(
  records: readonly Rec[],
  tags: readonly string[],
): Map<string, Rec> {
  const { byIdentity, others } = tagIndexOf(records);
  const requested = new Map(tags.map((tag) => [identityOf(tag), tag]));
  const recordsByTag = new Map<string, Rec>();
  for (const [identity, tag] of requested) {
    const record = byIdentity.get(identity);
    const taggedRecord = record ?? others.find((other) => isEchoOf(tagOf(other), tag));
    if (taggedRecord !== undefined) recordsByTag.set(tag, taggedRecord);
  }
  return recordsByTag;
}

/** The tags of a list. */
interface TagIndex<Rec> {
  /** The first record of each tag, by what of the tag is compared. */
  byIdentity: ReadonlyMap<string, Rec>;
  /** Records with a tag that we did not make. */
  others: readonly Rec[];
}

/** Indexes of lists as long as somebody has the list: a list of the day is looked through for each order that is placed. */
const indexes = new WeakMap<readonly object[], TagIndex<object>>();

function tagIndexOf<Rec extends OrderRecord | BasketRecord>(records: readonly Rec[]): TagIndex<Rec> {
  const cachedIndex = indexes.get(records) as TagIndex<Rec> | undefined;
  if (cachedIndex !== undefined) return cachedIndex;
  const byIdentity = new Map<string, Rec>();
  const others: Rec[] = [];
  for (const record of records) {
    const tag = tagOf(record);
    const identity = identityOf(tag);
    if (!byIdentity.has(identity)) byIdentity.set(identity, record);
    if (tag.trim() !== '' && !isMadeTag(tag)) others.push(record);
  }
  const index = { byIdentity, others };
  indexes.set(records, index);
  return index;
}

/** Result of a search for tags. */
export interface TagSearch<Rec> {
  /** Records by tag. */
  recordsByTag: Map<string, Rec>;
  /**
   * True if a complete list was read after the last moment at which it may lack a placed order: a missing order was not placed.
   */
  isWhole: boolean;
}

/**
 * Looks for tags in a list that is read again and again, with pauses, for twelve seconds at most. A failed read counts as an empty one.
 * @param tags if empty, nothing is read.
 * @param list returns the current list.
 * @param signal ends the search early, with the records found so far.
 * @param isComplete returns false for a list that lacks what is known to be placed; every list is thought complete if left out.
 * @returns the records found. A missing tag may still appear unless the search `isWhole`.
 */
export async function findByTags<Rec extends OrderRecord | BasketRecord>(
  clock: Clock,
  tags: readonly string[],
  list: (signal?: AbortSignal) => Promise<Rec[]>,
  signal?: AbortSignal,
  isComplete: (listed: readonly Rec[]) => boolean = () => true,
): Promise<TagSearch<Rec>> {
  const recordsByTag = new Map<string, Rec>();
  if (tags.length === 0) return { recordsByTag, isWhole: true };
  let isWhole = false;
  for (const [at, pause] of LOOKUP_PAUSES_MS.entries()) {
    const listed = await clock
      .sleep(pause, signal)
      .then(() => list(signal))
      .catch(() => undefined);
    if (signal?.aborted) break;
    for (const [tag, record] of byTags(listed ?? [], tags)) recordsByTag.set(tag, record);
    isWhole = listed !== undefined && at === LOOKUP_PAUSES_MS.length - 1 && isComplete(listed);
    if (recordsByTag.size === tags.length) break;
  }
  return { recordsByTag, isWhole };
}
