/** Today's placements of a node, in the data that n8n stores for it: a new process does not know them otherwise. */
import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { instanceOf, isOtherRun, type MarketTime } from '../../client/market-clock';
import { NIGHT_MS, type DayPlacement, type DayPlacements } from '../../client/orders/account/placed-today';
import { istDate } from '../../client/values/time';

/** Key in the static data of the node. */
const NAME = 'brokerage_placed_today';
/** Maximum number to remember, the newest. */
const MAX_PLACED = 300;
/** Account, order or basket, its id, what of its tag is compared, when it was placed; of a sandbox its instance. */
const ENTRY = /^([0-9a-f]{8}) (order|basket) (\d{1,20}) (\S{0,64})(?: (\d{13}))?(?: ([0-9a-f]{16}))?$/;

/** An account as its entries name it: nothing of it can be read there. */
const markOf = (scope: string): string => createHash('sha256').update(scope).digest('hex').slice(0, 8);

/** One stored entry; without `at` it is from the stored day beside it, as earlier versions wrote it. */
interface Entry extends DayPlacement {
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
const nameOf = ({ noun, id, identity }: DayPlacement): string => `${noun} ${id} ${identity}`;

function readEntry(text: string): Entry[] {
  const [, mark = '', noun, id, identity = '', at, instance] = ENTRY.exec(text) ?? [];
  if (id === undefined) return [];
  const placedAt = at === undefined ? undefined : Number(at);
  const day = placedAt === undefined ? undefined : istDate(placedAt);
  const placement = { noun: noun as DayPlacement['noun'], id, identity };
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

const toDayPlacement = ({ noun, id, identity }: Entry): DayPlacement => ({ noun, id, identity });

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
  const of = (scope: string, list: readonly Entry[]): DayPlacement[] => {
    const mark = markOf(scope);
    return list.filter((entry) => entry.mark === mark).map(toDayPlacement);
  };
  return {
    all: (scope) => of(scope, entries().today),
    lastNight: (scope) => of(scope, entries().night),
    add(scope, placed) {
      const mark = markOf(scope);
      const own = instance();
      const when = `${market.now()}${own === undefined ? '' : ` ${own}`}`;
      const { today, night } = entries();
      const before = [...night, ...today];
      const isKnown = (name: string): boolean => before.some((entry) => entry.name === name && entry.mark === mark);
      const added = placed
        .map(nameOf)
        .filter((name) => !isKnown(name))
        .map((name) => `${mark} ${name} ${when}`)
        .filter((entry) => ENTRY.test(entry));
      if (added.length > 0) store([...before.map(({ text }) => text), ...new Set(added)]);
    },
  };
}
