import { Type, type Static } from '@sinclair/typebox';
import { randomBytes } from 'node:crypto';
import { toDataURL } from 'qrcode';
import { newTotpSecret, totpUri } from '../sessions/one-time-codes';
import { ApiError } from '../web/errors';
import { session } from '../web/authentication';
import { requireUnlocked, wrongCode } from './login';
import { replySchemas } from '../web/reply-schemas';
import { PROTECTED } from '../web/schema';
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
        security: PROTECTED,
      },
    },
    async (request) => {
      const person = session(sandbox, request);
      const secret = newTotpSecret(randomBytes(20));
      sandbox.logins.setTotpSecret(person.phone, secret);
      const qr_image = await toDataURL(totpUri(secret, person.phone, ISSUER), { type: 'image/png' });
      return { data: { secret_key: secret, qr_image }, message: 'Scan the code, then enable TOTP' };
    },
  );

  app.post(
    '/totp/enable',
    { schema: { tags: TAGS, summary: 'Enable TOTP', response: schemas.message, body: Enable, security: PROTECTED } },
    async (request) => {
      const person = session(sandbox, request);
      const { mpin, totp } = request.body as Static<typeof Enable>;
      requireUnlocked(sandbox, person);
      const { secret, pending, enabled } = person.login.totp;
      if (enabled && pending === '') throw new ApiError(400, 'TOTP is enabled already');
      if (!sandbox.people.mpinFits(person, mpin)) throw wrongCode(sandbox, person, 'MPIN');
      const fits = sandbox.people.totpFits(person, totp, sandbox.moment, pending === '' ? secret : pending);
      if (fits === undefined) throw wrongCode(sandbox, person, 'TOTP');
      sandbox.logins.setTotp(person.phone, true, fits.step);
      return { message: 'TOTP enabled' };
    },
  );

  app.post(
    '/totp/disable',
    { schema: { tags: TAGS, summary: 'Disable TOTP', response: schemas.message, body: Disable, security: PROTECTED } },
    async (request) => {
      const person = session(sandbox, request);
      requireUnlocked(sandbox, person);
      const { mpin } = request.body as Static<typeof Disable>;
      if (!person.login.totp.enabled) throw new ApiError(400, 'TOTP is not enabled');
      if (!sandbox.people.mpinFits(person, mpin)) throw wrongCode(sandbox, person, 'MPIN');
      sandbox.logins.setTotp(person.phone, false, 0);
      return { message: 'TOTP disabled' };
    },
  );
}
