/** Trading that was stopped (Session: Stop Trading): a field of the credential, which a person sees and clears. */
import { InputError } from '../../base/errors';
import type { CredentialFields } from '../../session/settings';

/** What the field is called in the credential. */
export const TRADING_STOPPED = 'Trading Stopped';

/** Whether trading is stopped. Whatever is not clearly off counts as stopped. */
export function isTradingStopped({ tradingStopped }: CredentialFields): boolean {
  return ![undefined, null, false, '', 'false'].some((off) => tradingStopped === off);
}

/**
 * @param stored the credential as it is stored now: another process may have stopped trading a moment ago.
 * @throws InputError where trading is stopped; it says how to go on.
 */
export function requireTrading(stored: CredentialFields): void {
  if (!isTradingStopped(stored)) return;
  throw new InputError('Trading with this credential is stopped. Nothing was sent.', {
    parameter: 'tradingStopped',
    hint: `To trade again, open the credential, switch "${TRADING_STOPPED}" off and save it. Cancelling orders and exiting positions still work.`,
  });
}
