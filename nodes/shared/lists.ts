/** The lists of instruments as operations and triggers use them: what is missing in one has it asked for again. */
import { InputError, NotListedError } from '../../client/base/errors';
import { instrumentsOf, isOfEarlierDay, newerInstruments } from '../../client/instruments/catalogue';
import type { Exchange } from '../../client/instruments/instrument';
import { searchInstruments, type SearchHit, type SearchOptions } from '../../client/instruments/search';
import type { InstrumentStore } from '../../client/instruments/store';
import { showDate } from '../../client/values/time';
import type { Service } from './service';

/** A shorter text is no name yet. */
const MIN_SEARCHED_AGAIN = 3;

/** Services for fetching lists. */
type ListService = Pick<Service, 'transport' | 'notify'>;

/** The list of an exchange today; where that of an earlier day serves, the service tells so. @throws as `instrumentsOf` */
export async function listOf(
  { transport, notify }: ListService,
  exchange: Exchange,
  signal?: AbortSignal,
): Promise<InstrumentStore> {
  const store = await instrumentsOf(transport, exchange, signal);
  if (isOfEarlierDay(transport, exchange, store))
    notify?.(
      `The service has no instrument list of ${exchange} for today yet: that of ${showDate(store.date)} is used. What is listed today is not in it.`,
    );
  return store;
}

/** As `listOf`, of several exchanges in their order. */
export async function listsOf(
  service: ListService,
  exchanges: readonly Exchange[],
  signal?: AbortSignal,
): Promise<InstrumentStore[]> {
  return await Promise.all(exchanges.map((exchange) => listOf(service, exchange, signal)));
}

/**
 * Lists newer than some in which something is missing, asked for at most once a minute.
 * @param exchanges of the lists, in their order
 * @returns undefined if there is none
 */
export async function newerLists(
  { transport }: ListService,
  exchanges: readonly Exchange[],
  lists: readonly InstrumentStore[],
  signal?: AbortSignal,
): Promise<InstrumentStore[] | undefined> {
  const newer = await Promise.all(
    exchanges.map((exchange, at) => newerInstruments(transport, exchange, lists[at]!, signal)),
  );
  return newer.some((list) => list !== undefined) ? newer.map((list, at) => list ?? lists[at]!) : undefined;
}

/**
 * Returns the result of a search in the lists of some exchanges; if it is not listed, in newer ones.
 * @throws NotListedError as `find` does, if the newest lists do not have it; any other error of `find`
 */
export async function findInLists<T>(
  service: ListService,
  exchanges: readonly Exchange[],
  find: (lists: InstrumentStore[]) => T,
  signal?: AbortSignal,
): Promise<T> {
  const lists = await listsOf(service, exchanges, signal);
  const first = foundOrMissing(() => find(lists), NotListedError);
  if ('found' in first) return first.found;
  const newer = await newerLists(service, exchanges, lists, signal);
  if (newer === undefined) throw first.missing;
  return find(newer);
}

/** As `findInLists`, in the list of one exchange. */
export async function findInList<T>(
  service: ListService,
  exchange: Exchange,
  find: (list: InstrumentStore) => T,
  signal?: AbortSignal,
): Promise<T> {
  return await findInLists(service, [exchange], ([list]) => find(list!), signal);
}

/** Returns the results of a search; if there are none, in newer lists. @throws as `search` */
export async function searchLists(
  service: ListService,
  exchanges: readonly Exchange[],
  text: string,
  options: SearchOptions,
  signal?: AbortSignal,
): Promise<SearchHit[]> {
  const lists = await listsOf(service, exchanges, signal);
  const hits = searchInstruments(lists, text, options);
  if (hits.length > 0 || text.trim().length < MIN_SEARCHED_AGAIN) return hits;
  const newer = await newerLists(service, exchanges, lists, signal);
  return newer === undefined ? [] : searchInstruments(newer, text, options);
}

/** Has the list of an exchange asked for again where a chain shows an option that is not in it. @returns the list that then is the newest */
export async function listContaining(
  service: ListService,
  exchange: Exchange,
  list: InstrumentStore,
  refIds: Iterable<number>,
  signal?: AbortSignal,
): Promise<InstrumentStore> {
  for (const refId of refIds)
    if (list.rowOfRefId(refId) < 0) return (await newerInstruments(service.transport, exchange, list, signal)) ?? list;
  return list;
}

/** Returns the result of a lookup, or its error of a kind. Any other error is thrown. */
export function foundOrMissing<T, E extends InputError>(
  find: () => T,
  kind: new (...values: ConstructorParameters<typeof InputError>) => E,
): { found: T } | { missing: E } {
  try {
    return { found: find() };
  } catch (error) {
    return { missing: onlyOf(kind, error) };
  }
}

function onlyOf<E>(kind: new (...values: ConstructorParameters<typeof InputError>) => E, error: unknown): E {
  if (!(error instanceof kind)) throw error;
  return error;
}
