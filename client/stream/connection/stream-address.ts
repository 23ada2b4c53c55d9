/** Where the stream is, as the REST service tells it (specification: User info). */
import { endpoints } from '../../endpoints';
import { hostList, streamAddress } from '../../session/address';
import type { Transport } from '../../transport';
import type { Json } from '../../values/json';

/** Where the stream is when `/userinfo` gives no address (wire-facts §2). */
const USUAL_PATH = '/oms-socket-latest/ws';

/**
 * The checked address of the stream. Asking for it also shows whether the session lives.
 * @param furtherHosts the comma-separated list of hosts that the person allows.
 * @throws SessionError when the address must not get a token.
 */
export async function askStreamAddress(
  transport: Transport,
  furtherHosts: string,
  signal: AbortSignal,
): Promise<string> {
  const given = orderServiceUrl(await transport.call(endpoints.userInfo, { signal }));
  const usual = `${transport.baseUrl.replace(/^http/, 'ws')}${USUAL_PATH}`;
  return streamAddress(given === '' ? usual : given, transport.baseUrl, hostList(furtherHosts));
}

function orderServiceUrl(reply: Json): string {
  const inner = (value: Json | undefined, key: string): Json | undefined =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value[key] : undefined;
  const url = inner(inner(reply, 'env_info'), 'order_service_ws_url');
  return typeof url === 'string' ? url.trim() : '';
}
