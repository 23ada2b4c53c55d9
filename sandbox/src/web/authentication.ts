import { unescape } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import type { User, SessionCheck } from '../sessions/users';
import type { Sandbox } from '../simulation/sandbox';
import { keepsMachineTime } from '../shared/machine-time';
import { ApiError } from './errors';

/** The value of a header that is sent once; '' when it is missing. */
export function headerText(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

/** The longest id or name that is read of what n8n tells, characters. */
const MAX_QUOTED_LENGTH = 200;

/** Returns a percent-encoded header of n8n's node; what is not rightly encoded is read as far as it can be. */
export function quotedHeader(request: FastifyRequest, name: string): string {
  return unescape(headerText(request, name)).slice(0, MAX_QUOTED_LENGTH);
}

export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headerText(request, 'authorization'))?.[1];
}

const SENTENCES: Record<Exclude<SessionCheck, { ok: true }>['why'], [status: number, text: string]> = {
  missing: [401, 'Authorization header with a Bearer token is missing'],
  unknown: [401, 'The token is not valid: log in'],
  device: [401, 'x-device-id is not the one of the login'],
  dead: [440, 'The session has expired or a newer login has ended it: log in again'],
};

/** Lets the user of a good check pass. @throws ApiError 401 or 440 */
export function authenticate(check: SessionCheck): User {
  if (check.ok) return check.user;
  const [status, text] = SENTENCES[check.why];
  throw new ApiError(status, text);
}

/**
 * The user of a request to a protected path (docs/service/login-and-session.md#authentication).
 * @throws ApiError 401 or 440; 400 in a replay for the run of a workflow that the machine's time has started
 */
export function sessionUser(sandbox: Sandbox, request: FastifyRequest): User {
  const schedule = quotedHeader(request, 'x-n8n-schedule');
  if (schedule !== '' && sandbox.recordings !== undefined)
    throw new ApiError(400, `This workflow ${keepsMachineTime(schedule)}`);
  return authenticate(
    sandbox.users.checkSession(bearerToken(request), headerText(request, 'x-device-id'), sandbox.moment),
  );
}

/**
 * The user of a request on a trading path, who is within the rate limit and may use the order system from here.
 * @param does true if it places, changes or cancels.
 * @throws ApiError 401, 403, 429 or 440
 */
export function tradingUser(sandbox: Sandbox, request: FastifyRequest, does: 'orders' | 'reads'): User {
  const user = sessionUser(sandbox, request);
  if (!sandbox.tradingLimit.allows(user.clientCode, sandbox.instant)) {
    throw new ApiError(429, `Too many requests: at most ${sandbox.tradingLimit.max} a second on trading paths`);
  }
  if (!user.login.mayUseOrderSystem || !speaks(sandbox, user, 'v2')) throw new ApiError(403, 'OMS v2 is not enabled');
  return fromItsAddress(sandbox, user, request, does);
}

/** The same on the trading paths of intent orders. @throws ApiError also 404, where the account has the older interface only */
export function intentTrader(sandbox: Sandbox, request: FastifyRequest, does: 'orders' | 'reads'): User {
  const user = intentReader(sandbox, request);
  if (!sandbox.tradingLimit.allows(user.clientCode, sandbox.instant)) {
    throw new ApiError(429, `Too many requests: at most ${sandbox.tradingLimit.max} a second on trading paths`);
  }
  if (!user.login.mayUseOrderSystem) throw new ApiError(403, 'The order system is not enabled for this account');
  return fromItsAddress(sandbox, user, request, does);
}

/** The user of a request to a path that only the intent interface has. @throws ApiError 401, 404 or 440 */
export function intentReader(sandbox: Sandbox, request: FastifyRequest): User {
  const user = sessionUser(sandbox, request);
  if (speaks(sandbox, user, 'intent')) return user;
  throw new ApiError(404, `There is no ${request.method} ${request.url.split('?', 1)[0]}`);
}

/** The user of a request to a path of the older portfolio. @throws ApiError 401, 403 or 440 */
export function v2Reader(sandbox: Sandbox, request: FastifyRequest): User {
  const user = sessionUser(sandbox, request);
  if (!speaks(sandbox, user, 'v2')) throw new ApiError(403, 'OMS v2 is not enabled');
  return user;
}

/** True if an account has an order interface: its own setting, or that of the sandbox. */
function speaks(sandbox: Sandbox, { login }: User, which: 'intent' | 'v2'): boolean {
  const has = login.orderInterface ?? sandbox.options.orderInterface;
  return has === 'both' || has === which;
}

/**
 * Lets the user through whose request comes from a registered address, or need not: the rules since 2026 ask it of all accounts,
 * and of orders alone.
 * @throws ApiError 403
 */
function fromItsAddress(sandbox: Sandbox, user: User, request: FastifyRequest, does: 'orders' | 'reads'): User {
  const { enabled, primary, secondary } = user.login.staticIp;
  const ruled = sandbox.options.rules !== 'off';
  if (ruled ? does === 'reads' : !enabled) return user;
  if (ruled && primary === '' && secondary === '') throw new ApiError(403, 'No IP addresses registered for user');
  if ([primary, secondary].includes(clientIp(request))) return user;
  throw new ApiError(403, 'The request does not come from the registered IP address');
}

/**
 * Counts orders against what an account may send to an exchange in a second, all its programs together; all of a request or none.
 * @param refIds of each order, or of each leg; a sliced order and an iceberg count as one.
 * @throws ApiError 429
 */
export function countOrders(sandbox: Sandbox, { clientCode }: User, refIds: readonly number[]): void {
  const exchanges = refIds.map((refId) => sandbox.world.instrument(refId)?.exchange);
  for (const exchange of new Set(exchanges)) {
    const count = exchanges.filter((item) => item === exchange).length;
    if (exchange === undefined || sandbox.orderLimit.allows(`${clientCode} ${exchange}`, sandbox.instant, count))
      continue;
    throw new ApiError(429, `Too many orders: at most ${sandbox.orderLimit.max} a second on ${exchange}`);
  }
}

/** The address a request comes from, IPv4 in its own form. */
export function clientIp(request: FastifyRequest): string {
  return request.ip.replace(/^::ffff:/, '');
}
