/** Words on purchases after which nothing was sold, as a monthly plan makes them: what is held is judged against what was paid. */
import { mulDiv, percent, rupees } from '../../shared/money';
import { sum } from './statistics';
import type { RoundTrip } from './types';

const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;
/** Over fewer days a return of a year would say nothing. */
const MIN_DAYS = 90;

/** Money paid (below 0) or held at the end (above 0), in paise. */
export interface CashFlow {
  at: number;
  amount: number;
}

/**
 * Internal rate of return of a year of payments and what they are worth, each counted by its day (XIRR).
 * @param flows payments below 0, and one worth above 0 that is not before any of them
 * @returns a fraction such as 0.12; undefined where no rate from −99 % to 1,000 % a year fits
 */
export function yearlyReturn(flows: readonly CashFlow[]): number | undefined {
  const end = Math.max(...flows.map(({ at }) => at));
  const worth = (rate: number): number =>
    sum(flows.map(({ at, amount }) => amount * (1 + rate) ** ((end - at) / DAY_MS / YEAR_DAYS)));
  let [low, high] = [-0.99, 10];
  // Payments grow by the rate, and the worth at the end does not: the higher the rate, the less is left.
  if (worth(low) < 0 || worth(high) > 0) return undefined;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (worth(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const costOf = ({ entryValue, costs }: RoundTrip): number => entryValue + costs;

const withSign = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value)} %`;

/** Worth of the same money, had it bought each instrument once, with the first purchase of it. */
function worthOfOnePurchase(trips: readonly RoundTrip[]): number {
  const byKey = Map.groupBy(trips, ({ key }) => key);
  return sum(
    [...byKey.values()].map((group) => {
      const first = group[0]!;
      return mulDiv(first.exitValue, sum(group.map(costOf)), costOf(first));
    }),
  );
}

/**
 * In plain words: what is held against what was paid for it, against buying once at the start, and as a return of a year.
 * @param trips what is open, oldest first: purchases of shares and funds that are kept
 * @param end the instant at which they are valued
 */
export function heldVerdict(trips: readonly RoundTrip[], end: number): string {
  const paid = sum(trips.map(costOf));
  const value = sum(trips.map(({ exitValue }) => exitValue));
  const purchases = trips.length === 1 ? '1 purchase' : `${trips.length} purchases`;
  const worth = `Nothing was sold, so what is held is judged: ₹${rupees(paid)} paid in ${purchases}, costs included, are worth ₹${rupees(value)} (${withSign(percent(value - paid, paid))})`;
  const flows = [...trips.map((trip) => ({ at: trip.entryAt, amount: -costOf(trip) })), { at: end, amount: value }];
  const days = (end - trips[0]!.entryAt) / DAY_MS;
  const rate = days < MIN_DAYS ? undefined : yearlyReturn(flows);
  const yearly =
    rate === undefined
      ? ''
      : `, which is ${withSign(Math.round(rate * 10_000) / 100)} a year, each purchase counted from its day (XIRR)`;
  const once =
    trips.length === 1
      ? ''
      : ` The same money, put in at once with the first purchase, would be worth ₹${rupees(worthOfOnePurchase(trips))}.`;
  return `${worth}${yearly}.${once} Other years would have ended otherwise: of what comes it says nothing.`;
}
