/** Earnings of a closed basket, as fields of an item and in its sentence. */
import type { BasketEarnings, LegEarnings } from '../../../client/closing/basket-earnings';
import { instrumentName } from '../../../client/instruments/contract-name';
import { signedRupees } from '../../../client/values/amounts';
import type { Json, JsonObject } from '../../../client/values/json';
import { paiseTo, type MoneyUnit } from '../../../client/values/money';

function legOutput({ symbol, side, quantity, entry, exit, result }: LegEarnings, unit: MoneyUnit): JsonObject {
  const shown = (paise: number | undefined): number | null => (paise === undefined ? null : paiseTo(unit, paise));
  return {
    symbol,
    side: side ?? null,
    quantity,
    entry_price: shown(entry),
    exit_price: shown(exit),
    result: shown(result),
  };
}

/** Returns the sentence: `Result +₹1,200.00 before charges: …CE +₹900.00, …PE +₹300.00.` */
function earningsText({ legs, result, reason }: BasketEarnings, day: string): string {
  const legResults = legs.flatMap(({ symbol, result: earned }) =>
    earned === undefined ? [] : [`${instrumentName({ symbol }, day)} ${signedRupees(earned)}`],
  );
  if (result === undefined) {
    const otherLegsText = legResults.length === 0 ? '' : ` Of the other legs: ${legResults.join(', ')} before charges.`;
    return `What it earned is not known. ${reason}${otherLegsText}`;
  }
  return `Result ${signedRupees(result)} before charges: ${legResults.join(', ')}.`;
}

/**
 * Returns the fields of an item about what a closed basket has earned; none for one that never entered.
 * @param summary the sentence about the basket, where the item has one: the result is added to it. @param day of the closing, YYYY-MM-DD
 */
export function earningsOutput(
  earned: BasketEarnings | undefined,
  summary: Json | undefined,
  unit: MoneyUnit,
  day: string,
): JsonObject {
  if (earned === undefined) return {};
  return {
    ...(typeof summary === 'string' ? { summary: `${summary} ${earningsText(earned, day)}` } : {}),
    realised_result: earned.result === undefined ? null : paiseTo(unit, earned.result),
    ...(earned.reason === undefined ? {} : { no_result_reason: earned.reason }),
    leg_results: earned.legs.map((leg) => legOutput(leg, unit)),
  };
}
