/** Address of a stream, as the REST service reports it (docs/service/login-and-session.md#user-info). */
import { endpoints } from '../../endpoints';
import { hostList, streamAddress } from '../../session/address';
import { jsonOf, type Transport } from '../../transport';
import { answeredAtIn } from '../../values/headers';
import { asRecord, recordIn, textIn } from '../../values/record';
import type { StreamAccess } from './socket';

/** Each stream's name in `/userinfo`, and its path where no address is given there (docs/service/login-and-session.md#user-info, docs/service/streams.md#market-data-commands). */
const STREAMS = {
  orders: { name: 'order_service_ws_url', usualPath: '/oms-socket-latest/ws' },
  market: { name: 'market_ws_url', usualPath: '/apibatch/ws' },
} as const;
export type StreamName = keyof typeof STREAMS;

/**
 * Returns the checked address of a stream, and the time in the service's reply. The request also shows if the session is valid.
 * @param furtherHosts the comma-separated list of hosts that the user allows.
 * @throws SessionError if the address must not get a token.
 */
export async function requestStreamAddress(
  transport: Transport,
  stream: StreamName,
  furtherHosts: string,
  signal: AbortSignal,
): Promise<Omit<StreamAccess, 'token'>> {
  const { name, usualPath } = STREAMS[stream];
  const reply = await transport.fetch(endpoints.userInfo, { signal });
  const address = textIn(recordIn(asRecord(jsonOf(endpoints.userInfo, reply)), 'env_info'), name).trim();
  const usual = `${transport.baseUrl.replace('http', 'ws')}${usualPath}`;
  const url = streamAddress(address === '' ? usual : address, transport.baseUrl, hostList(furtherHosts));
  const date = answeredAtIn(reply.headers);
  return date === undefined ? { url } : { url, aheadMs: date - transport.clock.now() };
}
