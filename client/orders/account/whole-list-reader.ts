/**
 * Checks that the day's list shows every known placement of today. A list that lacks one is empty, cut or late, so other orders that it
 * lacks may exist.
 */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { NetworkError } from '../../base/errors';
import type { DayPlacement } from './placed-today';
import type { PlacementContext } from './placement-context';
import { orderIdOf, tagOf } from '../model/order-record';
import { identityOf } from '../model/tags';
import { knownToday } from './known-today';

/** Milliseconds before each further read of a list that lacks something: ten seconds is the latest that one is thought to be. */
const PAUSES_MS: readonly number[] = [1_000, 1_000, 2_000, 2_000, 3_000, 3_000];

/** The kind of the records of a list, and their ids as decimal text. */
export interface ListedKind<Rec> {
  noun: DayPlacement['noun'];
  idOf(record: Rec): string;
}

const ORDERS: ListedKind<OrderRecord> = { noun: 'order', idOf: orderIdOf };

/** Reads a list that holds what is known of the day. */
export class WholeListReader<Rec extends OrderRecord | BasketRecord> {
  constructor(
    private readonly what: ListedKind<Rec>,
    private readonly context: PlacementContext,
  ) {}

  /**
   * @param read asks the service.
   * @throws what `read` throws; NetworkError where the list still lacks something after twelve seconds; the signal's reason.
   */
  async read(read: () => Promise<Rec[]>): Promise<Rec[]> {
    const { transport, signal } = this.context;
    let listed = await read();
    let missing = missingIn(listed, this.what, this.context);
    for (const pause of PAUSES_MS) {
      if (missing.length === 0) return listed;
      await transport.clock.sleep(pause, signal);
      listed = await read();
      missing = missingIn(listed, this.what, this.context);
    }
    if (missing.length === 0) return listed;
    const { noun, id } = missing[0]!;
    throw new NetworkError(`The list lacks ${noun} ${id}, which was placed today: it does not show the whole day.`, {
      maySent: false,
    });
  }
}

/** Returns the known orders of today that a list of orders lacks. */
export const missingOrders = (orders: readonly OrderRecord[], context: PlacementContext): DayPlacement[] =>
  missingIn(orders, ORDERS, context);

/** Returns true if a list of orders lacks none of the known placements of today. */
export const showsAllKnown = (orders: readonly OrderRecord[], context: PlacementContext): boolean =>
  missingOrders(orders, context).length === 0;

/** Returns the known placements of today that a list lacks: one that lacks any proves no absence. */
export function missingIn<Rec extends OrderRecord | BasketRecord>(
  listed: readonly Rec[],
  { noun, idOf }: ListedKind<Rec>,
  context: PlacementContext,
): DayPlacement[] {
  const placementsToday = knownToday(context, noun);
  if (placementsToday.length === 0) return [];
  const ids = new Set(listed.map((record) => idOf(record)));
  const identities = new Set(listed.map((record) => identityOf(tagOf(record))));
  return placementsToday.filter(({ id, identity }) => !ids.has(id) && (identity === '' || !identities.has(identity)));
}
