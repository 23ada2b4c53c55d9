import { SharedFeeds } from '../../client/stream/connection/shared-feeds';
import { fingerprint, readSettings, type CredentialFields } from '../../client/session/settings';

/** One for the process: triggers on one account share a connection, and what waits for an order hears it too. */
export const sharedFeeds = new SharedFeeds();

/** Stands for the account of a credential and its login. @throws InputError when it is not filled in as it must be. */
export function accountKey(credential: CredentialFields): string {
  return fingerprint(readSettings({ ...credential, otp: '' }));
}
