/** The day's list of intent orders: one list, of orders and strategies, of one account. */
import { endpoints } from '../../../endpoints';
import type { CallOptions, Transport } from '../../../transport';
import { asObject } from '../../../values/json';
import { listedIn, type ListedRecord } from './record';

/**
 * Requests the list, or some of it.
 * @param options `query`: the ids of some orders. @throws UnreadableReplyError if it cannot be read; see `Transport.call`
 */
export async function requestListed(
  transport: Transport,
  options: CallOptions<{ query?: { intentOrderId?: string } }>,
): Promise<ListedRecord[]> {
  const listed = listedIn(await transport.call(endpoints.intents, options));
  const codes = listed.map(({ record }) => {
    const { clientCode, client_code: code } = asObject(record) ?? {};
    return clientCode ?? code;
  });
  transport.account.require(codes, "list of the day's orders");
  return listed;
}
