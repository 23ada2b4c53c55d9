import { Type, type Static } from '@sinclair/typebox';
import { randomBytes } from 'node:crypto';
import { toDataURL } from 'qrcode';
import { newTotpSecret, totpUri } from '../sessions/one-time-codes';
import { ApiError } from '../web/errors';
import { sessionUser } from '../web/authentication';
import { requireUnlocked, wrongCode } from './login';
import { replySchemas } from '../web/reply-schemas';
import { SESSION_SECURITY } from '../web/schema';
import type { RouteContext } from '../web/route-context';

/** Name under which an authenticator app lists the account. */
const ISSUER = 'Brokerage Sandbox';
const TAGS = ['Login'];
const Enable = Type.Object({ mpin: Type.String({ minLength: 1 }), totp: Type.String({ minLength: 1 }) });
const Disable = Type.Object({ mpin: Type.String({ minLength: 1 }) });

/** TOTP setting (docs/service/login-and-session.md#login-requests, docs/service/login-and-session.md#totp-setting). */
export function totpRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);
  app.get(
    '/totp/generate-secret',
    {
      schema: {
        tags: TAGS,
        summary: 'A new TOTP secret, with its QR code',
        response: schemas.secret,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = sessionUser(sandbox, request);
      const secret = newTotpSecret(randomBytes(20));
      sandbox.logins.setTotpSecret(user.phone, secret);
      const qr_image = await toDataURL(totpUri(secret, user.phone, ISSUER), { type: 'image/png' });
      return { data: { secret_key: secret, qr_image }, message: 'Scan the code, then enable TOTP' };
    },
  );

  app.post(
    '/totp/enable',
    {
      schema: {
        tags: TAGS,
        summary: 'Enable TOTP',
        response: schemas.message,
        body: Enable,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = sessionUser(sandbox, request);
      const { mpin, totp } = request.body as Static<typeof Enable>;
      requireUnlocked(sandbox, user);
      const { secret, pending, enabled } = user.login.totp;
      if (enabled && pending === '') throw new ApiError(400, 'TOTP is enabled already');
      if (!sandbox.users.mpinFits(user, mpin)) throw wrongCode(sandbox, user, 'MPIN');
      const fits = sandbox.users.totpFits(user, totp, sandbox.moment, pending === '' ? secret : pending);
      if (fits === undefined) throw wrongCode(sandbox, user, 'TOTP');
      sandbox.logins.setTotp(user.phone, true, fits.step);
      return { message: 'TOTP enabled' };
    },
  );

  app.post(
    '/totp/disable',
    {
      schema: {
        tags: TAGS,
        summary: 'Disable TOTP',
        response: schemas.message,
        body: Disable,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = sessionUser(sandbox, request);
      requireUnlocked(sandbox, user);
      const { mpin } = request.body as Static<typeof Disable>;
      if (!user.login.totp.enabled) throw new ApiError(400, 'TOTP is not enabled');
      if (!sandbox.users.mpinFits(user, mpin)) throw wrongCode(sandbox, user, 'MPIN');
      sandbox.logins.setTotp(user.phone, false, 0);
      return { message: 'TOTP disabled' };
    },
  );
}
