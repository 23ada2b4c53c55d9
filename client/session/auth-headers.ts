/** Headers that identify the sender of a request to the service (docs/service/login-and-session.md#authentication). */
import { InputError, SessionError } from '../base/errors';
import { headerValue } from './address';
import { storedProblem } from './login-state';
import { readConnection, readState, type CredentialFields } from './settings';

/**
 * The headers that sign a request with the stored session.
 * @param url the absolute address that the request goes to.
 * @throws SessionError that says why there is no session; InputError when the address is not the environment's own,
 *   so that a session never goes elsewhere.
 */
export function authHeaders(fields: CredentialFields, url: string): Record<string, string> {
  const { baseUrl, deviceId } = readConnection(fields);
  const { sessionToken, loginState } = readState(fields);
  if (sessionToken === '') {
    const problem = storedProblem(loginState);
    throw new SessionError(problem?.message ?? 'n8n is not logged in with this credential yet.', {
      hint: problem?.hint ?? 'Open the credential and save it: that logs in.',
      ...(problem?.parameter === undefined ? {} : { parameter: problem.parameter }),
    });
  }
  if (!URL.canParse(url) || new URL(url).origin !== new URL(baseUrl).origin) {
    throw new InputError('A request to another address than that of the credential was not sent.', {
      hint: 'The session of this credential goes to the base address of its environment only.',
    });
  }
  return {
    Authorization: `Bearer ${headerValue(sessionToken, 'sessionToken', 'The session token')}`,
    'x-device-id': deviceId,
  };
}
