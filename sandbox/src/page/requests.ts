import { ApiError } from '../web/errors';
import type { Instrument } from '../market/reference/types';
import type { Sandbox } from '../simulation/sandbox';
import type { User } from '../sessions/users';

/** A text of a query; empty when it is missing or repeated. */
export function queryText(query: unknown, name: string): string {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}

/** @throws ApiError 404 */
export function userOf(sandbox: Sandbox, phone: string): User {
  const user = sandbox.users.phone(phone);
  if (user === undefined) throw new ApiError(404, `No account has the phone number ${phone}`);
  return user;
}

/** @throws ApiError 404 */
export function instrumentOf(sandbox: Sandbox, refId: string | number): Instrument {
  const instrument = sandbox.world.instrument(Number(refId));
  if (instrument === undefined) throw new ApiError(404, `There is no instrument with ref_id ${refId}`);
  return instrument;
}
