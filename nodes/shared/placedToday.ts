/** What was placed today at a node, in what n8n stores for it: a process that starts does not know it otherwise. */
import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { KnownToday, PlacedToday } from '../../client/orders/account/placed-today';
import { istDate } from '../../client/values/time';
import { isOtherRun, type MarketTime } from '../../client/market-clock';

/** Where it stands in the static data of the node. */
const NAME = 'brokerage_placed_today';
/** So many are remembered at most, the newest. */
const MAX_PLACED = 300;
/** Account, order or basket, its id, what of its tag is compared; of a sandbox the run in which it was placed. */
const ENTRY = /^([0-9a-f]{8}) (order|basket) (\d{1,20}) (\S{0,64})(?: ([0-9a-f]{16} \d{4}-\d\d-\d\d))?$/;

/** An account as its entries name it: nothing of it can be read there. */
const markOf = (scope: string): string => createHash('sha256').update(scope).digest('hex').slice(0, 8);

/** What n8n has stored for the day of the market; an entry that cannot be read, or of another run of a sandbox, counts as none. */
export function placedTodayOf(functions: IExecuteFunctions, market: MarketTime): PlacedToday {
  // Asked for when it is needed: n8n stores what was asked for.
  const stored = (): IDataObject => functions.getWorkflowStaticData('node');
  const entries = (): string[] => {
    const kept = stored()[NAME] as IDataObject | undefined;
    if (typeof kept !== 'object' || kept === null || kept.day !== istDate(market.now())) return [];
    return Array.isArray(kept.placed) ? kept.placed.filter((entry) => typeof entry === 'string') : [];
  };
  const store = (placed: readonly string[]): void => {
    stored()[NAME] = { day: istDate(market.now()), placed: placed.slice(-MAX_PLACED) };
  };
  return {
    all(scope) {
      return entries().flatMap((entry): KnownToday[] => {
        const [, mark, noun, id, identity = '', run] = ENTRY.exec(entry) ?? [];
        return mark === markOf(scope) && id !== undefined && !isOtherRun(run, market.run)
          ? [{ noun: noun as KnownToday['noun'], id, identity }]
          : [];
      });
    },
    add(scope, { noun, id, identity }) {
      const { run } = market;
      const entry = `${markOf(scope)} ${noun} ${id} ${identity}${run === undefined ? '' : ` ${run}`}`;
      const before = entries();
      if (!before.includes(entry) && ENTRY.test(entry)) store([...before, entry]);
    },
  };
}
