/** A plain client of the sandbox, none of ours: logs in and places orders with fetch and otpauth. */
import { Secret, TOTP } from 'otpauth';
import { ACCOUNT } from './world.mjs';

/**
 * Logs in by TOTP.
 * @returns {Promise<((method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<any>) & {token: string,
 * device: string}>} one request of
 *   the service; and what another client of the same session needs
 */
export async function logIn(url, { phone, mpin, totpSecret } = ACCOUNT) {
  const device = 'plain-client';
  const send = async (method, path, body, token, headers) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'x-device-id': device,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text.replace(/(?<=[:[,]\s*)\d{16,}(?=[,\]}\s])/g, '"$&"'));
  };
  const totp = new TOTP({ secret: Secret.fromBase32(totpSecret) }).generate();
  const { auth_token: authToken } = await send('POST', '/totp/login', { phone, totp, otp: '' });
  const { session_token: token } = await send('POST', '/verifypin', { pin: mpin }, authToken);
  return Object.assign((method, path, body, headers) => send(method, path, body, token, headers), { token, device });
}
