import type { INodeProperties } from 'n8n-workflow';
import {
  heldPositions,
  positionKey,
  whyNotClosable,
  type ClosablePosition,
} from '../../../../client/closing/positions';
import { requireKnownHeld, unitsInHoldings } from '../../../../client/closing/held';
import { readPositions } from '../../../../client/closing/shown-positions';
import { notReconciled } from '../../../../client/closing/reconcile-position';
import { checkTarget, dryRunTarget, setTarget, type TargetRequest } from '../../../../client/closing/target-position';
import type { ClosingResult } from '../../../../client/closing/closing-request';
import { InputError } from '../../../../client/base/errors';
import { instrumentName, withContractNames } from '../../../../client/instruments/contract-name';
import type { TradedInstrument } from '../../../../client/orders/model/order-terms';
import { isDryRun } from '../../../../client/orders/model/guard-settings';
import { requestOutput } from '../../../../client/orders/api/order-api';
import { sideOf, statusOf } from '../../../../client/orders/model/order-record';
import { quantityText } from '../../../../client/values/amounts';
import { productLabel } from '../../../../client/values/labels';
import type { MoneyUnit } from '../../../../client/values/money';
import { closeAtFields, closeDistanceOf } from '../../trading/closePriceFields';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import { instrumentField } from '../../../shared/instrumentField';
import { marketDate, tradedInstrument } from '../../../shared/lookup';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';
import { portfolioSource } from '../../common/portfolioSource';
import { LABELS_VERSION } from '../../../shared/itemLabels';
import { isSince12 } from '../../common/version';
import { failsIfIncomplete, whenLeftField } from '../../../shared/selection';
import { requireAllowed, waitMsOf } from '../../trading/changeContext';
import { closingContext } from '../../trading/closingContext';
import {
  idempotencyKeyField,
  moneyNotice,
  productFields,
  quantityUnitField,
  tagField,
  waitSecondsField,
} from '../../trading/orderFields';
import { identityFor, requireIdentity } from '../../trading/idempotency';
import { filledPriceOutput } from '../../trading/orderOutput';
import { recordOutcome } from '../../trading/placement';
import { withSessionLot } from '../../trading/sessionLot';
import { agentLimitsNotice, placingGuardsOf, placingSafetyField } from '../../trading/safetyLimits';
import { productFor, signedUnitsOf } from '../../trading/orderForm';
import { instrumentOf } from '../../common/itemInstrument';

const targetField: INodeProperties = {
  displayName: 'Target Position',
  name: 'target',
  type: 'number',
  default: 0,
  required: true,
  description:
    'What to hold in the end: 100 for bought, -50 for sold short, 0 for none. In units, or in lots if Quantity In is set to Lots. Shares that are in your holdings already, such as what you bought before today, do not count.',
};

/** Of a share for delivery only: what was bought on an earlier day is a holding, and no position. */
const holdingsField: INodeProperties = {
  displayName: 'Holdings',
  name: 'holdings',
  type: 'options',
  options: [
    {
      name: 'Leave Out',
      value: 'leave',
      description: 'They do not count: a target of 100 buys 100 more, whatever your holdings have',
    },
    {
      name: 'Refuse If There Are Any',
      value: 'refuse',
      description: 'Nothing is sent if your holdings have the share already. A target of 0 is not refused.',
    },
  ],
  default: 'refuse',
  displayOptions: { show: { '@version': [{ _cnd: { gte: LABELS_VERSION } }] } },
  description:
    'What to do if your holdings have shares of the instrument, and Product is Delivery. The target is that of the position: what you bought on an earlier day is a holding, and does not count.',
};

const openOrdersField: INodeProperties = {
  displayName: 'Open Orders',
  name: 'openOrders',
  type: 'options',
  options: [
    {
      name: 'Cancel First',
      value: 'cancel',
      description: 'Every open order on the position is cancelled, with its stop loss and target',
    },
    {
      name: 'Count as Filled',
      value: 'count',
      description: 'An order that waits for a price or a time, or has exits, is an error',
    },
  ],
  default: 'count',
  description: 'What to do with open orders on this instrument and product',
};

function outputOf(
  {
    request,
    orders,
    cancelled,
    wouldSend,
    wouldSendOrders,
    before,
    left,
    error,
  }: ClosingResult & { request: TargetRequest },
  dryRunOnly: boolean,
  unit: MoneyUnit,
): object {
  const { instrument, position, goal } = request;
  return {
    ...(dryRunOnly ? { dry_run: true } : {}),
    symbol: instrument.symbol,
    exchange: instrument.exchange,
    product: position.product,
    ref_id: instrument.refId,
    target_qty: goal.units,
    held_qty: before?.held ?? null,
    open_qty: before?.open ?? null,
    ...(dryRunOnly
      ? {
          would_send: wouldSend === undefined ? null : requestOutput(wouldSend),
          ...(wouldSendOrders === undefined || wouldSendOrders === 1 ? {} : { would_send_orders: wouldSendOrders }),
        }
      : {
          result: resultOf({ orders, error }),
          missing_qty: left === undefined ? null : left === 0 ? 0 : -left,
          orders: orders.map(({ orderId, tag, quantity, filled, alreadyPlaced, record }) => ({
            order_id: orderId,
            order_status: statusOf(record),
            order_side: sideOf(record) ?? null,
            order_qty: quantity,
            filled_qty: filled,
            ...filledPriceOutput(record, unit),
            tag,
            already_placed: alreadyPlaced,
          })),
          cancelled_orders: cancelled.map(({ orderId, result }) => ({ order_id: orderId, result })),
        }),
    ...(error === undefined ? {} : { error_message: error.message, advice: error.hint }),
  };
}

const RESULTS = {
  reached: 'Target reached',
  partly_reached: 'Target partly reached',
  not_reached: 'Target not reached',
};

function resultOf({ orders, error }: Pick<ClosingResult, 'orders' | 'error'>): keyof typeof RESULTS {
  if (error === undefined) return 'reached';
  return orders.some(({ filled }) => filled > 0) ? 'partly_reached' : 'not_reached';
}

/** Returns the product in the words of the panel, and a sentence for a message: `Target reached: INFY (Intraday), target 10, 0 missing.` */
function wordsOf(
  { request, left, orders, error }: ClosingResult & { request: TargetRequest },
  dryRunOnly: boolean,
  today: string,
  own = 0,
): object {
  const { instrument, position, goal } = request;
  const product = productLabel({ product: position.product, derivative_type: instrument.derivative ? 'FUT' : '' });
  const name = `${instrumentName(instrument, today)} (${product})`;
  const beside = own === 0 ? '' : ` ${quantityText(own)} in your holdings do not count.`;
  if (dryRunOnly)
    return { product_label: product, summary: `Would set: ${name} to ${quantityText(goal.units)}.${beside}` };
  const missing = left === undefined ? 'what is missing is not known' : `${quantityText(Math.abs(left))} missing`;
  const why = error === undefined ? '' : ` ${withContractNames(error.message, today)}`;
  return {
    product_label: product,
    summary: `${RESULTS[resultOf({ orders, error })]}: ${name}, target ${quantityText(goal.units)}, ${missing}.${why}${beside}`,
  };
}

/**
 * Returns the shares that the holdings have beside a delivery position, or undefined where they are not asked for: for a target of 0, which
 * sells no holding, and for anything else than a share for delivery.
 * @param net units of the position
 * @throws InputError (parameter `holdings`) if there are some, unless they are to be left out: nothing was sent. Any error of the read.
 */
async function ownShares(
  item: ItemContext,
  { refId, symbol, derivative }: TradedInstrument,
  { goal, position: { product } }: TargetRequest,
  net: number,
): Promise<number | undefined> {
  if (!isSince12(item) || derivative || product !== 'CNC' || goal.units === 0) return undefined;
  const leavesOut = item.choice('holdings', ['leave', 'refuse'] as const) === 'leave';
  const { holdings } = await portfolioSource(item);
  const listed = await holdings();
  requireKnownHeld({ refId, symbol }, [], listed);
  const own = unitsInHoldings({ refId }, listed, Math.max(0, net));
  if (own > 0 && !leavesOut)
    throw new InputError(
      `Your holdings have ${quantityText(own)} ${symbol} already, and a target position does not count them. Nothing was sent.`,
      {
        parameter: 'holdings',
        hint: `To trade ${quantityText(goal.units)} beside them, set Holdings to Leave Out. To trade what is missing, use Get Holdings and Place an order. With the product Intraday holdings do not matter.`,
      },
    );
  return own;
}

export const setTargetPosition: ItemOperation = {
  name: 'Set Target Position',
  action: 'Set a target position',
  description:
    'Buy or sell what is missing to hold a target, such as 100, 0 or -50. Open orders count. Running it again, or twice at once, never overshoots. On Live this trades real money.',
  properties: [
    moneyNotice,
    agentLimitsNotice,
    instrumentField,
    targetField,
    quantityUnitField,
    ...productFields,
    holdingsField,
    openOrdersField,
    ...closeAtFields('Trade At', 'How far above the last price it may buy, or below it sell, such as 0.5'),
    collection('Options', 'options', [idempotencyKeyField, priceUnitField, tagField, waitSecondsField, whenLeftField]),
    placingSafetyField,
  ],
  async execute(item) {
    requireIdentity(item);
    const unit = priceUnitOf(item);
    const waitMs = waitMsOf(item);
    const slack = closeDistanceOf(item);
    const stops = failsIfIncomplete(item);
    const countsOpen = item.choice('openOrders', ['cancel', 'count'] as const) === 'count';
    const isFlat = item.whole('target', { min: -Number.MAX_SAFE_INTEGER }) === 0;
    const service = await item.service();
    const guards = placingGuardsOf(item, service);
    const dryRunOnly = isDryRun(guards);
    if (!dryRunOnly) requireAllowed(service);
    const listed = await instrumentOf(item, service);
    // To close is never refused for a lot: the position may be of the one before.
    const found = isFlat ? listed : await withSessionLot(listed, item, service);
    const instrument = tradedInstrument(found, 'instrument');
    const product = productFor(item, instrument);
    const goal = { units: signedUnitsOf(item, 'target', instrument.lotSize), countsOpen };
    const { refId, symbol, exchange } = instrument;
    const segment = found.kind === 'OPT' ? 'option' : instrument.derivative ? 'future' : 'stock';
    const none: ClosablePosition = { refId, symbol, exchange, segment, product, net: 0 };
    const requested = { target: goal.units, refId, product };
    const input: TargetRequest = {
      position: none,
      instrument,
      goal,
      ...(slack === undefined ? {} : { slack }),
      request: (terms, part) => ({ terms, guards, unit, ...identityFor(item, requested, 'order', context, part) }),
      placed: (outcome) => recordOutcome(item, outcome),
    };
    checkTarget(input);
    const context = await closingContext(item, goal.units === 0);
    const positions = await readPositions(context);
    requireKnownHeld(instrument, positions, { holdings: [] });
    const held = heldPositions(positions).find((heldPosition) => positionKey(heldPosition) === positionKey(none));
    const why = held === undefined ? undefined : whyNotClosable(held);
    if (why !== undefined) throw notReconciled(none, why);
    const own = await ownShares(item, instrument, input, held?.net ?? 0);
    const closed = dryRunOnly ? await dryRunTarget(input, context) : await setTarget(input, waitMs, context);
    const { error } = closed;
    if (stops && error !== undefined) throw error;
    return [
      item.output({
        ...outputOf({ ...closed, request: input }, dryRunOnly, unit),
        ...(own === undefined ? {} : { holdings_qty: own }),
        ...(isSince12(item)
          ? wordsOf({ ...closed, request: input }, dryRunOnly, marketDate(context.transport), own)
          : {}),
        environment: context.environment,
      }),
    ];
  },
};
