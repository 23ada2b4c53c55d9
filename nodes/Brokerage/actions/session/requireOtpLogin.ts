import { InputError } from '../../../../client/base/errors';
import type { CredentialFields } from '../../../../client/session/settings';

/** @throws InputError if the credential does not log in by OTP. */
export function requireOtpLogin(credential: CredentialFields): void {
  if (credential.loginMethod === 'otp') return;
  throw new InputError('The credential does not log in by OTP.', {
    hint: 'Choose the login method "OTP to the Phone" in the credential, or leave this step out: other methods need no OTP.',
  });
}
