import { istDate } from '../shared/time';
import type { Sandbox } from '../simulation/sandbox';

/** Names of the states of an account's sales for the control plane and the page, with the command that leads there. */
export const SALE_AUTHORISATIONS = { ddpi: 'ddpi', authorised_today: 'today', unauthorised: 'none' } as const;

/** True if an account's shares may be sold now, as the control plane and the page name it. */
export function salesOf(sandbox: Sandbox, account: string): keyof typeof SALE_AUTHORISATIONS {
  const date = sandbox.world.accounts.salesAuthorisedOn(account);
  if (date === undefined) return 'ddpi';
  return date === istDate(sandbox.instant) ? 'authorised_today' : 'unauthorised';
}
