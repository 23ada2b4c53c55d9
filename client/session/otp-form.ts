/**
 * n8n's form, left open after the first save, saves what it knew before over what was stored: the tokens are gone, and the mark of the
 * credential too. Nothing tells such a save from a second credential that somebody else made with the same phone and address.
 * So it is given what cannot serve anybody else, and a login only where it shows all that the login was made with.
 */
import type { Clock, Moment } from '../base/ports';
import { accountOf, fingerprintLogin, hashParts, type LoginSettings, type SessionState } from './settings';

/** Time to wait for a form. */
const KEPT_MS = 600_000;

interface OpenForm {
  state: SessionState;
  /** Digest of the OTP that the login was made with; undefined if it was made without one. */
  otp: string | undefined;
  at: Moment;
}

const digestOf = ({ otp }: LoginSettings): string | undefined => (otp === '' ? undefined : hashParts([otp]));

/** Results of the last logins of this process, for a form that has lost them. */
export class OtpForms {
  /** By all that was entered, and by account: a corrected MPIN belongs to the same account. */
  private readonly forms = new Map<string, OpenForm>();

  constructor(private readonly clock: Clock) {}

  /** Keeps what a login came to. */
  remember(settings: LoginSettings, state: SessionState): void {
    for (const [key, { at }] of this.forms) if (this.clock.since(at) >= KEPT_MS) this.forms.delete(key);
    for (const key of [fingerprintLogin(settings), accountOf(settings)])
      this.forms.set(key, { state, otp: digestOf(settings) ?? this.forms.get(key)?.otp, at: this.clock.moment() });
  }

  /**
   * Returns the state from which a save without a mark may continue. Sent and refused codes are no secret, nor is a pending OTP, which only
   * the owner of the phone can enter. A login requires the same OTP again, or with TOTP and a pasted token the same secrets.
   * @returns undefined if nothing is known.
   */
  recall(settings: LoginSettings, mark: string): SessionState | undefined {
    const same = this.forms.get(fingerprintLogin(settings));
    const openForm = same ?? this.forms.get(accountOf(settings));
    if (openForm === undefined || this.clock.since(openForm.at) >= KEPT_MS) return undefined;
    const shown =
      settings.method === 'otp'
        ? openForm.otp !== undefined && openForm.otp === digestOf(settings)
        : same !== undefined;
    // One guess: whoever enters another OTP has not made this login.
    if (settings.method === 'otp' && settings.otp !== '' && !shown) openForm.otp = undefined;
    return shown ? { ...openForm.state, mark } : { ...openForm.state, mark, sessionToken: '', authToken: '' };
  }
}
