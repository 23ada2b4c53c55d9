/** Faults of the model of the service: what can go wrong with a request, and the replies that come then. */
import type { WireResponse } from '../../client/base/ports';

/**
 * Fault of a request. `lost`: it never arrives. `no_reply`: processed, then the connection breaks. `late`: processed,
 * and the reply takes longer than the client waits. `refused`: no connection. `cut`: processed, and the reply is cut
 * off. `partial`: processed, and the reply lacks one of several orders. `reversed`: its lists are reversed. `unpriced`:
 * what has filled is told without its price. `other`: one order is told as another one. A number: this status instead,
 * not processed; `{status, processed}`: processed all the same, or not, with a body and headers of somebody else where
 * they are there.
 */
export type Fault =
  | 'lost'
  | 'no_reply'
  | 'late'
  | 'refused'
  | 'cut'
  | 'partial'
  | 'reversed'
  | 'unpriced'
  | 'other'
  | number
  | { status: number; processed: boolean; text?: string; headers?: Record<string, string> };

/** Every fault of a request that is for one order. */
export const FAULTS: readonly Fault[] = [
  'lost',
  'no_reply',
  'late',
  'refused',
  'cut',
  429,
  500,
  503,
  408,
  { status: 500, processed: true },
  { status: 502, processed: true },
  { status: 408, processed: true },
  { status: 202, processed: true, text: '{"message":"Accepted"}' },
  { status: 200, processed: true },
];

/** Faults in the meaning of an answer, whatever was asked: the request is processed. */
export const MEANING_FAULTS = ['reversed', 'unpriced', 'other'] as const;
type MeaningFault = (typeof MEANING_FAULTS)[number];

/** Statuses by which something between a client and the service answers in its place; 429 may be the service's. */
const GATEWAY_STATUSES: readonly number[] = [302, 401, 403, 404, 407, 409, 410, 422, 425, 429, 440, 451, 499];
/**
 * Bodies of a gateway's replies: an error in the service's form that gives no reason, in another form, a page, and
 * nothing.
 */
const GATEWAY_BODIES: readonly { text: string; headers?: Record<string, string> }[] = [
  { text: '{"error":"fault","svc_error_code":""}' },
  { text: '{"message":"Forbidden"}' },
  { text: '<html><title>Just a moment...</title></html>', headers: { 'content-type': 'text/html; charset=utf-8' } },
  { text: '<!DOCTYPE html><p>Denied', headers: { 'retry-after': '3' } },
  { text: '' },
];

/** Statuses 400 whose words do not say what is wrong with an order: it came twice, or something in between gave up. */
const VAGUE_400: readonly string[] = [
  'duplicate order, the tag is already in use',
  'upstream did not respond',
  'The request could not be processed in time',
  'fault',
];

/** Every such answer, to what was taken and to what was not. */
export const GATEWAY_FAULTS: readonly Extract<Fault, object>[] = [
  ...GATEWAY_STATUSES.flatMap((status) => GATEWAY_BODIES.map((body) => ({ status, ...body }))),
  ...VAGUE_400.map((error) => ({ status: 400, text: JSON.stringify({ error }) })),
].flatMap((answer) => [true, false].map((processed) => ({ processed, ...answer })));

/** Answers to an order that was taken which say nothing of it: a page that is a success, and the reply to another order. */
export const ODD_SUCCESSES: readonly Extract<Fault, object>[] = [
  { status: 200, processed: true, text: '<html>Welcome</html>' },
  { status: 201, processed: true, text: '{"order_id":1763712345678900999,"ref_id":1,"order_qty":10,"tag":"other"}' },
  {
    status: 201,
    processed: true,
    text: '{"orders":[{"intentOrderId":99,"refId":1,"orderQty":10,"stratTags":["other"]}]}',
  },
  { status: 200, processed: true, text: '{"order_id":1763712345678900998,"basket_id":77}' },
];

/** Each 429, in the service's form and in others, to what was taken and to what was not. */
export const BUSY_FAULTS = GATEWAY_FAULTS.filter(({ status }) => status === 429);

/** Pages in place of the answer to a read. */
export const PAGE_FAULTS: readonly Extract<Fault, object>[] = [200, 401, 403, 404, 407, 440, 511].map((status) => ({
  status,
  processed: false,
  text: '<html>Sign in</html>',
  headers: { 'content-type': 'text/html' },
}));

/** The reply that a fault gives in place of the service's. */
export function replyInstead(fault: Extract<Fault, object>): WireResponse {
  const { status, text = '{"error":"fault after the work"}', headers = {} } = fault;
  return { status, headers, body: Buffer.from(text) };
}

const PRICES = ['avg_filled_price', 'filledPrice'];

/** An answer with another meaning. */
export function distort(fault: MeaningFault, value: unknown): unknown {
  if (Array.isArray(value)) {
    const inner = value.map((item) => (fault === 'other' ? item : distort(fault, item)));
    return fault === 'reversed' ? inner.reverse() : inner;
  }
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Record<string, unknown>;
  if (fault === 'other') return 'order_id' in record ? { ...record, order_id: '1763712345678900997' } : record;
  return Object.fromEntries(
    Object.entries(record).map(([name, item]) => [
      name,
      fault === 'unpriced' && PRICES.includes(name) ? 0 : distort(fault, item),
    ]),
  );
}

/** An answer that lacks one of several orders. */
export function withoutFirst(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(1);
  const { orders } = value as { orders?: unknown };
  return Array.isArray(orders) ? { ...(value as object), orders: orders.slice(1) } : {};
}
