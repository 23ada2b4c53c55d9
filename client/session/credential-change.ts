/** Whether a person has done something about a credential with which no login is possible. */
import { hash, readState, type CredentialFields } from './settings';

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

/** What a credential held when no login was possible. */
export class CredentialChanges {
  private readonly entered: string;
  private readonly token: string;

  constructor(stored: CredentialFields) {
    this.entered = enteredIn(stored);
    this.token = readState(stored).sessionToken;
  }

  /** Whether something else is entered now, or somebody has logged in. */
  isCorrectedBy(stored: CredentialFields): boolean {
    const { sessionToken } = readState(stored);
    return enteredIn(stored) !== this.entered || (sessionToken !== '' && sessionToken !== this.token);
  }
}

/** Stands for all that a person entered, limits and hosts included. */
function enteredIn(fields: CredentialFields): string {
  const names = Object.keys(fields).filter((name) => !WRITTEN_BY_LOGINS.includes(name));
  return hash(names.sort().map((name) => `${name}=${JSON.stringify(fields[name])}`));
}
