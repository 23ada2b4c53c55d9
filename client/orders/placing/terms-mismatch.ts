/** Determines if a record matches the terms, or its tag was used for a different order. */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { InputError } from '../../base/errors';
import type { RecordNoun } from './outcome';
import type { OrderOrBasket } from './order-or-basket';
import type { PlacementRequest } from '../account/placement-context';
import { tagOf } from '../model/order-record';
import type { ChangedTag } from '../account/placement-registry';
import { termsMarkOf } from '../model/tags';

/**
 * Returns the difference, in words, that makes a record a different order or basket from the requested one; undefined if they are the same.
 * Under a key everything counts. A retry finds the same order even if a price or a quantity is different this time.
 */
export function termsMismatch<Terms, Rec extends OrderRecord | BasketRecord>(
  what: OrderOrBasket<Terms, Rec>,
  { tag, terms, keyed }: PlacementRequest<Terms>,
  record: Rec,
): string | undefined {
  const [mark, placed] = [termsMarkOf(tag), termsMarkOf(tagOf(record))];
  const isMarked = keyed && mark !== undefined && placed !== undefined;
  if (isMarked && mark === placed) return undefined;
  const all = what.differencesOf(terms, record);
  const counting = keyed ? all : all.filter(({ isOther }) => isOther);
  if (counting.length > 0) return inWords(counting.map((difference) => difference.what));
  return isMarked ? 'set of terms' : undefined;
}

/** The error of a tag that was used for something else. @param id of what it was used for. */
export function tagReusedError(keyed: boolean, noun: RecordNoun, id: string, difference: string): InputError {
  const other = `another ${noun} (${id}), with another ${difference}. Nothing was sent.`;
  return keyed
    ? new InputError(`The Idempotency Key was used today for ${other}`, {
        parameter: 'idempotencyKey',
        hint: `Use a key that is different for every cause of an order, such as the id of the alert. If that ${noun} was rejected and this one corrects it, give this one a new key.`,
      })
    : new InputError(`An earlier try of this execution placed ${other}`, {
        hint: `Look at that ${noun}. To place this one too, run the workflow again from the start instead of retrying the execution.`,
      });
}

/** The error of a tool that is asked in a retry for what an earlier try had it place. @param tag of what it placed. */
export function earlierTryError(noun: RecordNoun, tag: string): InputError {
  return new InputError(
    `An earlier try of this execution had this tool place the same ${noun}, with the tag ${tag}. Nothing was sent.`,
    { hint: `Look at that ${noun}. To place another one, run the workflow again from the start.` },
  );
}

/** The error of what is not sent, as the service changes the tags by which it would be found again. */
export function changedTagError({ sent, shown, id }: ChangedTag): InputError {
  return new InputError(
    `The service changed a tag: ${id} was sent with the tag ${sent}, and its list shows ${shown}. Orders with an Idempotency Key and retries are stopped, because they find what was placed by its tag. Nothing was sent.`,
    {
      hint: 'Tell your broker, and the makers of this node. Then run Session: Check by hand: it shows the tag, and orders with a key go on.',
    },
  );
}

/** "a", "a and b", "a, b and c". */
function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
