/** Detects a change of a credential that allows no login. */
import { hashParts, readState, type CredentialFields } from './settings';

/** Fields that a login, or the lock of positions, writes or clears; another execution may do so meanwhile. */
const WRITTEN_BY_LOGINS = [
  'authToken',
  'loginClaim',
  'loginState',
  'mark',
  'otp',
  'positionLock',
  'sendOtpAgain',
  'sessionToken',
  'tempToken',
];

/** Content of a credential when no login was possible. */
export class CredentialChanges {
  private readonly entered: string;
  private readonly token: string;

  constructor(stored: CredentialFields) {
    this.entered = enteredIn(stored);
    this.token = readState(stored).sessionToken;
  }

  /** Returns true if the entered values have changed, or somebody has logged in. */
  isCorrectedBy(stored: CredentialFields): boolean {
    const { sessionToken } = readState(stored);
    return enteredIn(stored) !== this.entered || (sessionToken !== '' && sessionToken !== this.token);
  }
}

/** Returns the text of all values that the user entered, limits and hosts included. */
function enteredIn(fields: CredentialFields): string {
  const names = Object.keys(fields).filter((name) => !WRITTEN_BY_LOGINS.includes(name));
  return hashParts(names.sort().map((name) => `${name}=${JSON.stringify(fields[name])}`));
}
