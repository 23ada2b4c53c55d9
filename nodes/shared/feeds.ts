import { SharedAccountFeeds } from '../../client/stream/account-feed/shared-account-feeds';
import { SharedMarketData } from '../../client/stream/market-data/shared-market-data';
import { credentialKey, type CredentialFields } from '../../client/session/settings';

/** One for the process: triggers with one credential share a connection, and what waits for an order hears it too. */
export const sharedFeeds = new SharedAccountFeeds();

/** One for the process: all that use a credential share its market-data socket. */
export const sharedMarketData = new SharedMarketData();

/**
 * Returns the key of a credential, its account and its login: another credential gets nothing of a connection.
 * @throws InputError if it is not filled in as required.
 */
export function accountKey(credential: CredentialFields): string {
  return credentialKey(credential);
}
