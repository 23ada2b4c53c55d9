import { ApiError } from '../web/errors';
import { bearerToken, clientIp, headerText, sessionUser } from '../web/authentication';
import { replySchemas } from '../web/reply-schemas';
import { SESSION_SECURITY } from '../web/schema';
import type { RouteContext } from '../web/route-context';
import { VERSION } from '../shared/version';

const TAGS = ['User'];

/** The user and where the streams are (docs/service/login-and-session.md#user-info). */
export function userRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);
  app.get(
    '/userinfo',
    {
      schema: {
        tags: TAGS,
        summary: 'The user, and the addresses of the streams',
        response: schemas.user,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = sessionUser(sandbox, request);
      const host = `ws://${request.headers.host}`;
      return {
        client_code: user.clientCode,
        email: user.email,
        env_info: {
          market_ws_url: `${host}/apibatch/ws`,
          order_service_ws_url: sandbox.dialect.order_service_ws_url === 'empty' ? '' : `${host}/stream`,
          user_ws_url: `${host}/ws`,
        },
        message: 'user info',
        name: user.name,
        phone: user.phone,
        userId: user.userId,
        version_info: { status: 'ACTIVE', version: VERSION },
      };
    },
  );

  app.post(
    '/logout',
    {
      schema: {
        tags: TAGS,
        summary: 'End the session, by its token or that of the login',
        response: schemas.message,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const token = bearerToken(request);
      const auth = sandbox.users.checkAuth(token, headerText(request, 'x-device-id'), sandbox.moment);
      sandbox.logins.logOut((auth.ok ? auth.user : sessionUser(sandbox, request)).phone);
      return { message: 'Logged out' };
    },
  );

  app.get(
    '/ipaddress/validate',
    {
      schema: {
        tags: TAGS,
        summary: 'Does this address match the registered ones',
        response: schemas.address,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = sessionUser(sandbox, request);
      const { primary, secondary } = user.login.staticIp;
      if (primary === '' && secondary === '') throw new ApiError(400, 'No IP addresses registered for user');
      const current = clientIp(request);
      return {
        is_matched: [primary, secondary].includes(current),
        current_ip_address: current,
        primary_ip_address: primary,
        secondary_ip_address: secondary,
      };
    },
  );
}
