/** True if a credential with which no login was possible is worth another try. */
import { describe, expect, test } from '@jest/globals';
import { CredentialChanges } from '../../../client/session/credential-change';

const STORED = { phone: '9000000001', mpin: '1111', otp: '', sessionToken: 'dead', loginState: '{}', loginClaim: '' };

describe('a credential with which no login is possible', () => {
  const uncorrected = new CredentialChanges(STORED);
  test.each<[string, Record<string, unknown>, boolean]>([
    ['is as it was', {}, false],
    ['has another MPIN', { mpin: '1357' }, true],
    ['has a field that it did not have', { streamHosts: 'a.example' }, true],
    ['has a session of somebody who logged in', { sessionToken: 'new' }, true],
    ['has lost its session to a login that failed', { sessionToken: '', loginState: '{"problem":1}' }, false],
    ['holds the claim of another process', { loginClaim: 'a-1' }, false],
    ['had its OTP cleared', { otp: '1' }, false],
  ])('stays or is corrected where it %s', (_, more, isCorrected) =>
    expect(uncorrected.isCorrectedBy({ ...STORED, ...more })).toBe(isCorrected),
  );
});
