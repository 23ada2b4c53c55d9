import { InputError } from '../../../client/base/errors';
import {
  clockSkewProblem,
  mpinNotJudged,
  mpinUnanswered,
  notTheServiceProblem,
  otpNeeded,
  otpNotSent,
  otpSent,
  otpRefusedBefore,
  otpSentBefore,
  otpUnderWay,
  passwordNotJudged,
  passwordUnanswered,
  pastedTokenDead,
  problemOf,
  refusedByMovedClock,
  refusedCode,
  refusedMpin,
  refusedOtp,
  refusedPassword,
  sandboxNotRunning,
  unavailableProblem,
  unknownPhone,
  unknownStep,
  unreadableCode,
  type LoginRefusal,
} from '../../../client/session/login-errors';

const refusal = (status: number, text = ''): LoginRefusal => ({
  ok: false,
  status,
  text,
  words: text,
  isForeign: false,
  isOwnForm: true,
});

describe('a refusal that says nothing about what was entered', () => {
  it.each([300, 302, 399])('is a redirection, which is not followed (status %i)', (status) => {
    expect(unavailableProblem(refusal(status))?.message).toBe(
      'The service sends logins on to another address, which is not followed.',
    );
  });

  it.each([299, 400, 401, 422, 499])('is no other status (%i)', (status) => {
    expect(unavailableProblem(refusal(status))).toBeUndefined();
  });

  it('says what the service said, and that it gave no reason where it did not', () => {
    expect(unavailableProblem(refusal(500))?.message).toBe(
      'The service could not log in just now (status 500). The service gave no reason (status 500).',
    );
    expect(unavailableProblem(refusal(503, 'closed for the night'))?.message).toBe(
      'The service could not log in just now (status 503). The service said: "closed for the night".',
    );
  });
});

it('says what something else at the address answered, where it did', () => {
  const at = 'Something answers at https://proxy.example, but it is not the brokerage service.';
  expect(notTheServiceProblem('https://proxy.example').message).toBe(at);
  expect(notTheServiceProblem('https://proxy.example', refusal(404)).message).toBe(
    `${at} It answered with the status 404.`,
  );
  expect(notTheServiceProblem('https://proxy.example', refusal(403, 'blocked')).message).toBe(
    `${at} It answered with the status 403: "blocked".`,
  );
});

describe('a problem of a login', () => {
  const refused = { ...refusal(400, 'wrong'), attemptsLeft: 2 };
  const SAID = 'The service said: "wrong". Attempts left: 2.';
  const NEW_OTP =
    'Enter the OTP of the newest text message and save. For a new one, empty the OTP field, switch on "Send OTP Again" and save. (In a workflow, "Session: Request OTP" with "Send OTP Again" asks for it.)';
  const CODE_HINT =
    'Check the TOTP Secret and the phone in the credential, and that TOTP is switched on for this account.';

  it.each([
    [
      'too many requests',
      unavailableProblem(refusal(429, 'slow down')),
      'The service says that it gets too many requests from here, and did not log in.',
      'Wait a minute, then try again.',
      { final: false },
    ],
    [
      'a failure of the service',
      unavailableProblem(refusal(500)),
      'The service could not log in just now (status 500). The service gave no reason (status 500).',
      'Try again in a few minutes.',
      { final: false },
    ],
    [
      'a redirection',
      unavailableProblem(refusal(301)),
      'The service sends logins on to another address, which is not followed.',
      'Check the base address in the credential.',
      { final: false },
    ],
    ['a refused OTP', refusedOtp(refused), `The OTP was refused. ${SAID}`, NEW_OTP, { parameter: 'otp', final: false }],
    [
      'a refused OTP that is tried again',
      otpRefusedBefore(),
      'The OTP was refused, and the same one is not sent again.',
      NEW_OTP,
      { parameter: 'otp', final: false },
    ],
    [
      'an OTP that was sent before',
      otpSentBefore(),
      'This OTP was sent before and is not sent again.',
      NEW_OTP,
      { parameter: 'otp', final: false },
    ],
    [
      'an unknown step',
      unknownStep('VERIFY_FACE'),
      'The service asks for a login step that this version does not know: VERIFY_FACE.',
      "Sign in once with your broker's app; it may be waiting for something there. Then try again.",
      { final: false },
    ],
    [
      'a step without a name',
      unknownStep(''),
      'The service asks for a login step that this version does not know: none was named.',
      "Sign in once with your broker's app; it may be waiting for something there. Then try again.",
      { final: false },
    ],
    [
      'a clock ahead',
      clockSkewProblem(refused, 90),
      `The TOTP code was refused, and this computer's clock is 90 seconds ahead of the broker's. ${SAID}`,
      'Set the clock of the machine on which n8n runs: a code is valid for only 30 seconds.',
      { parameter: 'totpSecret', final: false },
    ],
    [
      'a clock behind',
      clockSkewProblem(refused, -90),
      `The TOTP code was refused, and this computer's clock is 90 seconds behind the broker's. ${SAID}`,
      'Set the clock of the machine on which n8n runs: a code is valid for only 30 seconds.',
      { parameter: 'totpSecret', final: false },
    ],
    [
      'another service',
      notTheServiceProblem('https://a.example'),
      'Something answers at https://a.example, but it is not the brokerage service.',
      'Check the environment and the base address in the credential. If they are right, something between n8n and the service answers, such as a proxy or a firewall.',
      { final: false },
    ],
    [
      'no sandbox',
      sandboxNotRunning('http://127.0.0.1:8787'),
      'The sandbox does not run at http://127.0.0.1:8787.',
      'Start it with "npx brokerage-sandbox", or enter the address that it prints in "Sandbox Base Address". (n8n in a container does not reach the machine at 127.0.0.1.)',
      { parameter: 'sandboxBaseUrl', final: false },
    ],
    [
      'an unknown phone',
      unknownPhone(refused),
      `The service does not know the phone. ${SAID}`,
      'Enter the phone that is registered with your broker in the credential.',
      { parameter: 'phone', final: false },
    ],
    [
      'a refused code',
      refusedCode(refused, false, ['text']),
      `The TOTP code was refused. ${SAID}`,
      CODE_HINT,
      { parameter: 'totpSecret', final: false },
    ],
    [
      'the last refused code',
      refusedCode(refused, true, ['text']),
      `The TOTP code was refused. ${SAID}`,
      `${CODE_HINT} No further attempt is made until the credential is changed.`,
      { parameter: 'totpSecret', final: true },
    ],
    [
      'a refused MPIN',
      refusedMpin(refused),
      `The MPIN was refused. ${SAID}`,
      'Correct the MPIN in the credential and save it. No further attempt is made until the credential is changed, so your account is not locked. (If the MPIN is already right, change the Device ID instead.)',
      { parameter: 'mpin', final: true },
    ],
    [
      'an MPIN of which nobody knows',
      mpinUnanswered(),
      'The MPIN was sent, but no answer came: it may have been refused, so it is not sent again without you.',
      'Check the MPIN in the credential and save it: this sends it once more.',
      { parameter: 'mpin', final: false },
    ],
    [
      'an OTP that nobody can enter',
      otpNeeded(),
      'The login has ended, and a new one needs an OTP that only you can enter.',
      'Open the credential, empty the OTP field and save it: an OTP is sent to your phone. Enter it and save again. (With the login method TOTP this is automatic.)',
      { parameter: 'otp', final: false },
    ],
    [
      'an OTP on its way',
      otpSent(3),
      'An OTP was sent to your phone. Enter it in the field "OTP" and save again.',
      'Attempts left: 3.',
      { parameter: 'otp', final: false, otpSent: true },
    ],
    [
      'an OTP on its way, of which no attempts are known',
      otpSent(),
      'An OTP was sent to your phone. Enter it in the field "OTP" and save again.',
      '',
      { parameter: 'otp', final: false, otpSent: true },
    ],
    [
      'an OTP that was sent before and is still good',
      otpUnderWay(Date.parse('2026-11-20T09:07:59+05:30')),
      'An OTP is already on its way to your phone: it was sent at 09:07 IST. Enter it in the field "OTP" and save again.',
      'If none comes, switch on "Send OTP Again" and save.',
      { parameter: 'otp', final: false, otpSent: true },
    ],
    [
      'no OTP',
      otpNotSent(refused),
      `The service did not send an OTP. ${SAID}`,
      'Check the phone number in the credential.',
      { parameter: 'phone', final: false },
    ],
    [
      'a dead pasted token',
      pastedTokenDead(),
      'The service no longer accepts the pasted session token.',
      'Log in again, paste the new session token into the credential and save it; or choose the login method TOTP, which is automatic.',
      { parameter: 'pastedToken', final: false },
    ],
    [
      'an error of ours',
      problemOf(new InputError('It is empty.', { hint: 'Fill it in.', parameter: 'mpin' })),
      'It is empty.',
      'Fill it in.',
      { parameter: 'mpin', final: false },
    ],
    [
      'an error of ours without a field',
      problemOf(new InputError('It is empty.')),
      'It is empty.',
      '',
      { final: false },
    ],
    [
      'an error of something else, whose words may hold anything',
      problemOf(new TypeError('1357')),
      'The login failed for a reason that is not known.',
      'TypeError',
      { final: false },
    ],
    ['what is no error', problemOf('1357'), 'The login failed for a reason that is not known.', '', { final: false }],
  ])('%s is told in plain words', (_what, problem, message, hint, more) => {
    expect(problem).toEqual({ message, hint, ...more });
  });
});

describe('how far a clock is off', () => {
  it.each([
    [6, '6 seconds ahead of'],
    [119, '119 seconds ahead of'],
    [120, '2 minutes ahead of'],
    [-150, '3 minutes behind'],
    [7_199, '120 minutes ahead of'],
    [7_200, '2 hours ahead of'],
    [-19_800, '5.5 hours behind'],
  ])('is told in the unit that fits: %i seconds', (skew, skewText) => {
    expect(clockSkewProblem(refusal(400), skew).message).toContain(
      `this computer's clock is ${skewText} the broker's.`,
    );
  });

  it('is told of a sandbox that was moved, from its side: it takes codes of both clocks, so that the secret is wrong', () => {
    const [behind, ahead] = [
      refusedByMovedClock(refusal(400), 90, false),
      refusedByMovedClock(refusal(400), -7_200, true),
    ];
    expect(behind.message).toContain(
      "(The sandbox's clock is 90 seconds behind this machine's; it takes codes of both.)",
    );
    expect(ahead.message).toContain(
      "(The sandbox's clock is 2 hours ahead of this machine's; it takes codes of both.)",
    );
    expect([behind.parameter, behind.final, ahead.final]).toEqual(['totpSecret', false, true]);
    expect(behind.hint).not.toContain('No further attempt');
    expect(ahead.hint).toContain('No further attempt is made until the credential is changed.');
  });
});

it('a login that the service cannot read ends for good where it is final, and says so then alone', () => {
  const [first, last] = [unreadableCode(refusal(400), false), unreadableCode(refusal(400), true)];
  expect([first.final, last.final, first.parameter]).toEqual([false, true, 'loginMethod']);
  expect(first.hint.endsWith('choose the login method OTP or Session Token.')).toBe(true);
  expect(last.hint.endsWith('No further attempt is made until the credential is changed.')).toBe(true);
});

it('an OTP that was sent tells the attempts that are left, where the service does', () => {
  expect([otpSent(2).hint, otpSent(0).hint, otpSent().hint]).toEqual(['Attempts left: 2.', 'Attempts left: 0.', '']);
});

it('a password that was refused is final, one that nobody answered is not', () => {
  expect(refusedPassword(refusal(401))).toMatchObject({ parameter: 'password', final: true });
  expect(passwordUnanswered()).toMatchObject({ parameter: 'password', final: false });
  expect(passwordNotJudged('https://a.example', refusal(403)).hint).toMatch(
    /^The password was not refused: try again later\./,
  );
  expect(mpinNotJudged('https://a.example', refusal(403)).hint).toMatch(/^The MPIN was not refused: try again later\./);
});
