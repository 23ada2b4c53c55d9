/** The stop of all trading (Session: Stop Trading): a field of the credential, which the user sees and clears. */
import { InputError } from '../../base/errors';
import type { CredentialFields } from '../../session/settings';

/** Display name of the credential's field. */
export const TRADING_STOPPED = 'Trading Stopped';

/** Returns true if trading is stopped. Any value that is not clearly off counts as stopped. */
export function isTradingStopped({ tradingStopped }: CredentialFields): boolean {
  return ![undefined, null, false, '', 'false'].some((off) => tradingStopped === off);
}

/**
 * Requires that trading is not stopped. @param stored the credential as stored now: another process may have stopped trading a moment ago.
 * @throws InputError if trading is stopped, with the way to resume it.
 */
export function requireTrading(stored: CredentialFields): void {
  if (!isTradingStopped(stored)) return;
  throw new InputError('Trading with this credential is stopped. Nothing was sent.', {
    parameter: 'tradingStopped',
    hint: `To trade again, open the credential, switch "${TRADING_STOPPED}" off and save it. Cancelling orders and exiting positions still work.`,
  });
}
