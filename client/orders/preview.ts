/** What orders would need, without placing them (wire-facts §2: Margin). */
import { endpoints } from '../endpoints';
import { ServiceError, UnreadableReplyError } from '../errors';
import type { Transport } from '../transport';
import { asObject, type JsonObject } from '../values/json';
import { orderBody, type OrderTerms } from './order';

/**
 * Margin and charges of orders on one exchange, in paise. The service's refusal comes inside a 200, as `message` and
 * `code`; it is an error here.
 * @param withPortfolio whether what the account holds already is counted.
 * @throws ServiceError when the service refuses; see `Transport.call`.
 */
export async function previewOrders(
  transport: Transport,
  exchange: string,
  orders: readonly OrderTerms[],
  { withPortfolio, signal }: { withPortfolio: boolean; signal?: AbortSignal },
): Promise<JsonObject> {
  const reply = asObject(
    await transport.call(endpoints.marginRequired, {
      body: {
        with_portfolio: withPortfolio,
        with_legs: orders.length > 1,
        is_basket: false,
        order_req: {
          exchange,
          orders: orders.map((terms) => ({ ...orderBody(terms, ''), request_type: 'ORDER_REQUEST_NEW' as const })),
        },
      },
      signal,
    }),
  );
  if (reply === undefined)
    throw new UnreadableReplyError('The reply to POST /orders/v2/margin_required is not an object.');
  if (typeof reply.total_margin !== 'number') {
    const text = typeof reply.message === 'string' ? reply.message : '';
    throw new ServiceError(`The service could not work out the margin.${text === '' ? '' : ` It said: ${text}`}`, {
      status: 200,
      serviceText: text,
    });
  }
  return reply;
}
