/** Today's placements of a node, in the data that n8n stores for it: a new process does not know them otherwise. */
import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { instanceOf, isOtherRun, type MarketTime } from '../../client/market-clock';
import {
  NIGHT_MS,
  type DayPlacement,
  type DayPlacements,
  type SentPlacement,
} from '../../client/orders/account/placed-today';
import { istDate } from '../../client/values/time';

/** Key in the static data of the node. */
const NAME = 'brokerage_placed_today';
/** Maximum number to remember, the newest. */
const MAX_PLACED = 300;
/** Account, order or basket, its id or "-" if its outcome is unknown, what of its tag is compared, when it was placed; of a sandbox its instance. */
const ENTRY = /^([0-9a-f]{8}) (order|basket) (\d{1,20}|-) (\S{0,64})(?: (\d{13}))?(?: ([0-9a-f]{16}))?$/;

/** In place of the id of what may not have been placed. */
const UNKNOWN = '-';

/** An account as its entries name it: nothing of it can be read there. */
const markOf = (scope: string): string => createHash('sha256').update(scope).digest('hex').slice(0, 8);

/** One stored entry; without `at` it is from the stored day beside it, as earlier versions wrote it. */
interface Entry extends SentPlacement {
  text: string;
  mark: string;
  /** As `nameOf` gives it. */
  name: string;
  /** Time of placing, by the market's clock, milliseconds since the epoch. */
  at: number | undefined;
  /** Its day in IST, YYYY-MM-DD; undefined without `at`. */
  day: string | undefined;
  /** The instance of a sandbox in which it was placed. */
  instance: string | undefined;
}

/** Identity of an entry within its account. */
const nameOf = ({ noun, id, identity }: SentPlacement): string => `${noun} ${id ?? UNKNOWN} ${identity}`;

function readEntry(text: string): Entry[] {
  const [, mark = '', noun, id, identity = '', at, instance] = ENTRY.exec(text) ?? [];
  if (id === undefined) return [];
  const placedAt = at === undefined ? undefined : Number(at);
  const day = placedAt === undefined ? undefined : istDate(placedAt);
  const placement = { noun: noun as DayPlacement['noun'], identity, ...(id === UNKNOWN ? {} : { id }) };
  return [{ ...placement, text, mark, name: nameOf(placement), at: placedAt, day, instance }];
}

/** Entries that were read, by their text: each order reads those of the day again. */
const readEntries = new Map<string, Entry[]>();
const MAX_READ = 2_000;

function entryOf(text: unknown): Entry[] {
  if (typeof text !== 'string') return [];
  const entries = readEntries.get(text);
  if (entries !== undefined) return entries;
  if (readEntries.size >= MAX_READ) readEntries.clear();
  const entry = readEntry(text);
  readEntries.set(text, entry);
  return entry;
}

const hasId = <T extends SentPlacement>(sent: T): sent is T & DayPlacement => sent.id !== undefined;

/**
 * Returns n8n's stored placements for the day of the market, and for the evening before. An entry that cannot be read, or of another
 * instance of a sandbox, is ignored.
 */
export function placedTodayOf(functions: IExecuteFunctions, market: MarketTime): DayPlacements {
  // Asked for when it is needed: n8n stores what was asked for.
  const stored = (): IDataObject => functions.getWorkflowStaticData('node');
  const instance = (): string | undefined => (market.run === undefined ? undefined : instanceOf(market.run));
  const entries = (): { today: Entry[]; night: Entry[] } => {
    const kept = stored()[NAME] as IDataObject | undefined;
    if (typeof kept !== 'object' || kept === null || !Array.isArray(kept.placed)) return { today: [], night: [] };
    const now = market.now();
    const day = istDate(now);
    const own = instance();
    const today: Entry[] = [];
    const night: Entry[] = [];
    // Each order of a step reads them all, so they are gone through once.
    for (const text of kept.placed)
      for (const entry of entryOf(text)) {
        if (isOtherRun(entry.instance, own)) continue;
        if ((entry.day ?? kept.day) === day) today.push(entry);
        else if (entry.at !== undefined && Math.abs(now - entry.at) < NIGHT_MS) night.push(entry);
      }
    return { today, night };
  };
  const store = (placed: readonly string[]): void => {
    stored()[NAME] = { day: istDate(market.now()), placed: placed.slice(-MAX_PLACED) };
  };
  const of = (scope: string, list: readonly Entry[]): Entry[] => {
    const mark = markOf(scope);
    return list.filter((entry) => entry.mark === mark);
  };
  return {
    all: (scope) =>
      of(scope, entries().today)
        .filter(hasId)
        .map(({ noun, id, identity }) => ({ noun, id, identity })),
    unlisted(scope) {
      const { today, night } = entries();
      const unlisted = [...night, ...today.filter((entry) => !hasId(entry))];
      return of(scope, unlisted).map(({ noun, id, identity }) => ({
        noun,
        identity,
        ...(id === undefined ? {} : { id }),
      }));
    },
    add(scope, sent) {
      const mark = markOf(scope);
      const own = instance();
      const when = `${market.now()}${own === undefined ? '' : ` ${own}`}`;
      const { today, night } = entries();
      // What has an id now was placed.
      const placed = new Set(sent.filter(hasId).map(({ noun, identity }) => nameOf({ noun, identity })));
      const before = [...night, ...today].filter((entry) => entry.mark !== mark || !placed.has(entry.name));
      const isKnown = (name: string): boolean => before.some((entry) => entry.name === name && entry.mark === mark);
      const added = sent
        .map(nameOf)
        .filter((name) => !isKnown(name))
        .map((name) => `${mark} ${name} ${when}`)
        .filter((entry) => ENTRY.test(entry));
      if (added.length > 0) store([...before.map(({ text }) => text), ...new Set(added)]);
    },
  };
}
