/** The refusal of a guard: an error that names it as the person sees it. */
import { InputError } from '../../base/errors';
import { GUARD_NAMES } from '../model/guard-settings';

export type GuardName = keyof typeof GUARD_NAMES;

/** Hint about the place of the guards' settings. */
export const CHANGE_GUARD =
  'Nothing was sent. The limits are under "Limit Orders" in the credential, and under "Safety Limits" in the node.';

/** Hint of a guard that adds up the day: whoever sees it may have placed little of it. */
export const CHANGE_DAY_GUARD = `${CHANGE_GUARD} All orders of the account count today, yours and those of other workflows, too.`;

/** The error of a guard that refuses. Its parameter is the guard's field. */
export function guardError(guard: GuardName, what: string, hint: string): InputError {
  return new InputError(`Refused by the guard "${GUARD_NAMES[guard]}": ${what}`, { parameter: guard, hint });
}
