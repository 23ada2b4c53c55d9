import { Type, type Static } from '@sinclair/typebox';
import type { Sandbox } from '../simulation/sandbox';
import { OTP_LIFE_MS, type User } from '../sessions/users';
import { istText } from '../shared/time';
import { ApiError } from '../web/errors';
import { authenticate, bearerToken, headerText } from '../web/authentication';
import { replySchemas } from '../web/reply-schemas';
import { optional, parameters } from '../web/schema';
import type { RouteContext } from '../web/route-context';

const TAGS = ['Login'];

const SendOtp = Type.Object({ phone: Type.String({ minLength: 1 }), skip_totp: optional(Type.Boolean()) });
const VerifyOtp = Type.Object({ phone: Type.String({ minLength: 1 }), otp: Type.String({ minLength: 1 }) });
const VerifyPin = Type.Object({ pin: Type.String({ minLength: 1 }) });
const TotpLogin = Type.Object({
  phone: Type.String({ minLength: 1 }),
  totp: Type.Union([Type.String(), Type.Integer()]),
  otp: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

const InstitutionalLogin = Type.Object({
  exchange_client_code: Type.String({ minLength: 1 }),
  client_code: Type.String({ minLength: 1 }),
  username: Type.String({ minLength: 1 }),
  password: Type.String({ minLength: 1 }),
});

const TEMP_TOKEN = 'The temp_token of the reply before';
const DEVICE = 'Needed: a text of your own, the same from here on';

const LoginReply = Type.Object({
  attempts_left: Type.Integer(),
  email: Type.String(),
  expiry: Type.Integer({ description: 'Seconds for which the OTP is good' }),
  flow: Type.String(),
  message: Type.String(),
  next: Type.String(),
  phone: Type.String(),
  temp_token: Type.String(),
});
const CodeReply = Type.Object({
  auth_token: Type.String(),
  flow: Type.String(),
  message: Type.String(),
  next: Type.String(),
});
const PinReply = Type.Object({
  email: Type.String(),
  message: Type.String(),
  next: Type.String(),
  phone: Type.String(),
  session_token: Type.String(),
  userId: Type.Integer(),
});

/** Login (docs/service/login-and-session.md#login-requests, docs/service/login-and-session.md#login-flow). */
export function loginRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);
  app.post(
    '/sendphoneotp',
    {
      schema: {
        tags: TAGS,
        summary: 'Ask for a one-time password',
        headers: parameters({ 'x-temp-token': `${TEMP_TOKEN}: then the one-time password is sent` }),
        body: SendOtp,
        response: { 200: LoginReply, ...schemas.error },
      },
    },
    async (request) => {
      const { phone, skip_totp } = request.body as Static<typeof SendOtp>;
      const user = known(sandbox, phone);
      const token = headerText(request, 'x-temp-token');
      if (token === '') {
        const next = firstNext(user, skip_totp === true);
        const sends = next === 'VERIFY_MOBILE' && sandbox.dialect.otp_first_call === 'sends';
        const temp_token = sends
          ? sandbox.logins.sendOtp(phone, sandbox.moment.machine)
          : sandbox.logins.begin(phone, sandbox.moment.machine);
        return loginReply(sandbox, user, temp_token, next, sends ? 'OTP sent to your phone' : 'Phone number accepted');
      }
      if (sandbox.users.tempOwner(token) !== user) throw unauthorized();
      if (skip_totp !== true) throw new ApiError(400, 'skip_totp must be true together with x-temp-token');
      const temp_token = sandbox.logins.sendOtp(phone, sandbox.moment.machine);
      return loginReply(sandbox, user, temp_token, 'VERIFY_MOBILE', 'OTP sent to your phone');
    },
  );

  /**
   * Returns the step after the first call (docs/service/login-and-session.md#when-the-otp-is-sent): a code of the authenticator app where
   * the account has TOTP and does not skip it, else the OTP, which that call has sent.
   */
  function firstNext(user: User, skipsTotp: boolean): string {
    if (sandbox.dialect.otp_first_next === 'VERIFY_TOTP') return 'VERIFY_TOTP';
    return user.login.totp.enabled && !skipsTotp ? 'VERIFY_TOTP' : 'VERIFY_MOBILE';
  }

  app.post(
    '/verifyphoneotp',
    {
      schema: {
        tags: TAGS,
        summary: 'Prove the one-time password',
        headers: parameters({ 'x-temp-token': `Needed: ${TEMP_TOKEN}`, 'x-device-id': DEVICE }),
        body: VerifyOtp,
        response: { '2xx': CodeReply, ...schemas.error },
      },
    },
    async (request, reply) => {
      const { phone, otp } = request.body as Static<typeof VerifyOtp>;
      const user = known(sandbox, phone);
      const deviceId = device(headerText(request, 'x-device-id'));
      if (sandbox.users.tempOwner(headerText(request, 'x-temp-token')) !== user) throw unauthorized();
      if (!sandbox.users.otpFits(user, otp, sandbox.moment)) throw wrongCode(sandbox, user, 'OTP');
      return reply
        .code(Number(sandbox.dialect.verify_status))
        .send(codeReply(sandbox.logins.codeAccepted(phone, deviceId, 'OTP', 0, sandbox.moment.machine)));
    },
  );

  app.post(
    '/totp/login',
    {
      schema: {
        tags: TAGS,
        summary: 'Log in with a time-based code',
        headers: parameters({ 'x-device-id': DEVICE }),
        body: TotpLogin,
        response: { '2xx': CodeReply, ...schemas.error },
      },
    },
    async (request, reply) => {
      const { phone, totp } = request.body as Static<typeof TotpLogin>;
      const user = known(sandbox, phone);
      const deviceId = device(headerText(request, 'x-device-id'));
      if (typeof totp === 'number' && sandbox.dialect.totp_number === 'refused') {
        throw new ApiError(400, 'json: cannot unmarshal number into field totp of type string');
      }
      if (typeof totp === 'string' && sandbox.dialect.totp_number === 'required') {
        throw new ApiError(400, 'json: cannot unmarshal string into field totp of type int');
      }
      if (!user.login.totp.enabled)
        throw new ApiError(400, 'TOTP is not enabled for this account: log in by OTP and enable it');
      const fits = sandbox.users.totpFits(user, String(totp).padStart(6, '0'), sandbox.moment);
      if (fits === undefined) throw wrongCode(sandbox, user, 'TOTP');
      if (fits.isUsed) throw new ApiError(401, 'This TOTP has been used: wait for the next one');
      return reply
        .code(Number(sandbox.dialect.verify_status))
        .send(codeReply(sandbox.logins.codeAccepted(phone, deviceId, 'TOTP', fits.step, sandbox.moment.machine)));
    },
  );

  app.post(
    '/login-insti',
    {
      schema: {
        tags: TAGS,
        summary: 'Log in as an institution (seen of the live service)',
        headers: parameters({ 'x-device-id': DEVICE }),
        body: InstitutionalLogin,
        response: { '2xx': CodeReply, ...schemas.error },
      },
    },
    async (request, reply) => {
      const body = request.body as Static<typeof InstitutionalLogin>;
      const user = sandbox.users.account(body.client_code);
      if (user?.institution === undefined)
        throw new ApiError(400, 'No institutional login exists for this client code');
      requireUnlocked(sandbox, user);
      const deviceId = device(headerText(request, 'x-device-id'));
      if (!sandbox.users.institutionFits(user, body.exchange_client_code, body.username, body.password))
        throw wrongCode(sandbox, user, 'username or password');
      return reply
        .code(Number(sandbox.dialect.verify_status))
        .send(codeReply(sandbox.logins.codeAccepted(user.phone, deviceId, 'PASSWORD', 0)));
    },
  );

  app.post(
    '/verifypin',
    {
      schema: {
        tags: TAGS,
        summary: 'Prove the MPIN: gives the session',
        headers: parameters({
          authorization: 'Needed: Bearer and the auth_token',
          'x-device-id': 'Needed: the one of the code',
        }),
        body: VerifyPin,
        response: { 200: PinReply, ...schemas.error },
      },
    },
    async (request) => {
      if (request.headers['x-temp-token'] !== undefined)
        throw new ApiError(400, 'x-temp-token must not be sent to /verifypin');
      const user = authenticate(
        sandbox.users.checkAuth(bearerToken(request), headerText(request, 'x-device-id'), sandbox.moment),
      );
      requireUnlocked(sandbox, user);
      const { pin } = request.body as Static<typeof VerifyPin>;
      if (!sandbox.users.mpinFits(user, pin)) throw wrongCode(sandbox, user, 'MPIN');
      return {
        email: user.email,
        message: 'Login successful',
        next: 'DASHBOARD',
        phone: user.phone,
        session_token: sandbox.logins.pinAccepted(user.phone, sandbox.moment.machine),
        userId: user.userId,
      };
    },
  );
}

/** @throws ApiError when no account has the phone, or its login is locked. */
function known(sandbox: Sandbox, phone: string): User {
  const user = sandbox.users.phone(phone);
  if (user === undefined) throw new ApiError(400, 'No account is registered with this phone number');
  requireUnlocked(sandbox, user);
  return user;
}

export function requireUnlocked(sandbox: Sandbox, user: User): void {
  if (!sandbox.users.locked(user, sandbox.instant)) return;
  throw new ApiError(403, `Too many wrong attempts: the login is locked until ${istText(user.login.lockedUntil)}`, '', {
    attempts_left: 0,
  });
}

function device(id: string): string {
  if (id === '') throw new ApiError(400, 'x-device-id header is missing');
  return id;
}

function unauthorized(): ApiError {
  return new ApiError(401, 'Unauthorized: x-temp-token is not the latest one');
}

/** Counts a wrong code; the refusal says how many attempts are left. */
export function wrongCode(
  sandbox: Sandbox,
  user: User,
  what: 'OTP' | 'TOTP' | 'MPIN' | 'username or password',
): ApiError {
  const left = sandbox.logins.codeRefused(user.phone, what);
  return new ApiError(
    401,
    left > 0 ? `Wrong or expired ${what}` : `Wrong or expired ${what}: the login is now locked`,
    '',
    { attempts_left: left },
  );
}

function loginReply(
  sandbox: Sandbox,
  user: User,
  temp_token: string,
  next: string,
  message: string,
): Static<typeof LoginReply> {
  return {
    attempts_left: sandbox.users.attemptsLeft(user),
    email: user.email,
    expiry: OTP_LIFE_MS / 1000,
    flow: 'LOGIN',
    message,
    next,
    phone: user.phone,
    temp_token,
  };
}

function codeReply(auth_token: string): Static<typeof CodeReply> {
  return { auth_token, flow: 'LOGIN', message: 'Enter your MPIN', next: 'ENTER_MPIN' };
}
