/** The next order that closes a position: at most as much as one order may hold, and found again where an earlier try placed it. */
import { BrokerageError, InputError } from '../base/errors';
import { byTags } from '../orders/api/find-by-tag';
import { maxPerOrder } from '../orders/model/freeze-quantity';
import { passGuards } from '../orders/guards/guards';
import { isUnreadable } from '../orders/model/record-units';
import { brokerageErrorOnly, placedAndUnreadable, type Outcome } from '../orders/placing/outcome';
import type { OrderRequest, PlacementContext } from '../orders/account/placement-context';
import type { TradedInstrument } from '../orders/model/order-terms';
import { orderIdOf, tagOf } from '../orders/model/order-record';
import { closingPartOf, requestFor, type CloseRequest } from './closing-request';

/** An order that is to close a position, or a part of it. */
export interface ClosingStep {
  request: OrderRequest;
  /**
   * True if more is left than one order may hold, or than whole lots. For an earlier order: true if further ones were to
   * follow.
   */
  isCut: boolean;
  /** The order that an earlier try placed in its place. */
  earlierOrder?: Extract<Outcome, { outcome: 'confirmed' }>;
}

/**
 * The whole lots of a number of units: a position from before a change of the lot need not have whole ones.
 * @throws InputError if it is less than a lot.
 */
function inWholeLots(net: number, { lotSize, symbol }: TradedInstrument): number {
  if (lotSize <= 1) return net;
  const whole = Math.trunc(net / lotSize) * lotSize;
  if (whole !== 0) return whole;
  throw new InputError(
    `${Math.abs(net)} of ${symbol} is less than its lot of ${lotSize}, and the exchange takes whole lots only. Nothing was sent for it.`,
    {
      hint: 'Its lot has changed since the position was opened. Ask your broker how to close the rest; it ends with the expiry of the contract.',
    },
  );
}

/**
 * Units, with the sign of `net`, that one order may close.
 * @throws InputError as `inWholeLots`; any error of the read by which the account's interface is found out.
 */
async function withinOneOrder(
  { instrument }: Pick<CloseRequest, 'instrument'>,
  net: number,
  { orders, signal }: Pick<PlacementContext, 'orders' | 'signal'>,
): Promise<number> {
  const whole = inWholeLots(net, instrument);
  const max = maxPerOrder(instrument);
  if (max === undefined || Math.abs(whole) <= max || (await orders.splits(signal))) return whole;
  return Math.sign(whole) * max;
}

/**
 * Returns the next order for the remaining units.
 * @param net units, with the sign of the excess.
 * @throws any error of the reads; InputError for a broken rule.
 */
export async function nextClosingOrder(
  input: CloseRequest,
  net: number,
  round: number,
  context: PlacementContext,
): Promise<ClosingStep> {
  const units = await withinOneOrder(input, net, context);
  const isCut = units !== net;
  const request = await requestFor(input, { net: units, round, isCut }, context);
  if (maxPerOrder(input.instrument) === undefined) return { request, isCut };
  // An earlier try may have seen more, or less, than one order may hold.
  const { tag } = input.request(request.terms, closingPartOf(input.position, round, !isCut));
  const record = byTags(await context.orders.list(context.signal, 'marked'), [tag]).get(tag);
  if (record !== undefined) {
    if (isUnreadable(record)) throw placedAndUnreadable('order', record);
    const shown = tagOf(record) || tag;
    const earlierOrder = {
      outcome: 'confirmed',
      tag: shown,
      id: orderIdOf(record),
      record,
      alreadyPlaced: true,
    } as const;
    return { request, isCut: !isCut, earlierOrder };
  }
  return { request: isCut ? await guarded(request, Math.abs(net), context) : request, isCut };
}

/** Returns a part of an order; refused if the guards refuse the whole order, since the part alone may pass. */
async function guarded(request: OrderRequest, quantity: number, context: PlacementContext): Promise<OrderRequest> {
  const parts = Math.ceil(quantity / request.terms.quantity);
  const refusal = await passGuards([{ ...request.terms, quantity }], { ...request, parts }, context).then(
    () => undefined,
    (error: unknown) => brokerageErrorOnly(error, context.signal),
  );
  context.placements.release(context.scope, request.tag);
  return refusal instanceof BrokerageError ? { ...request, refusal } : request;
}
