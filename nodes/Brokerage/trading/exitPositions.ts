/** From the fields of an item to positions that are closed, and what became of each as items. */
import type { INodeExecutionData } from 'n8n-workflow';
import { averageFillText, closingEarnings, earningsText } from '../../../client/closing/average-fill';
import { closePositions } from '../../../client/closing/close-positions';
import {
  positionKey,
  whyNotClosable,
  type ClosablePosition,
  type HeldPosition,
  positionLabel,
} from '../../../client/closing/positions';
import { readAllHeld } from '../../../client/closing/shown-positions';
import { dryRunClosing } from '../../../client/closing/dry-run';
import { notReconciled, type ClosingContext } from '../../../client/closing/reconcile-position';
import type { ClosingResult, CloseRequest } from '../../../client/closing/closing-request';
import { InputError, UnknownOutcomeError, type BrokerageError } from '../../../client/base/errors';
import { instrumentName, withContractNames } from '../../../client/instruments/contract-name';
import type { Instrument } from '../../../client/instruments/instrument';
import { isDryRun } from '../../../client/orders/model/guard-settings';
import { requestOutput } from '../../../client/orders/api/order-api';
import { PRODUCTS } from '../../../client/orders/model/order-terms';
import { sideOf, statusOf } from '../../../client/orders/model/order-record';
import { quantityText } from '../../../client/values/amounts';
import { productLabel } from '../../../client/values/labels';
import { paiseTo, type MoneyUnit } from '../../../client/values/money';
import { priceUnitOf } from '../../shared/fields';
import type { ItemContext } from '../common/itemContext';
import { isSince12 } from '../common/version';
import { instrumentOfRefId, marketDate, tradedInstrument } from '../../shared/lookup';
import { failsIfIncomplete } from '../../shared/selection';
import { symbolFilterOf, type SymbolFilter } from '../../shared/symbolFilter';
import { closeDistanceOf } from './closePriceFields';
import { requireAllowed, waitMsOf } from './changeContext';
import { closingContext } from './closingContext';
import { identityFor, requireIdentity, type CausedContext } from './idempotency';
import { filledPriceOutput } from './orderOutput';
import { recordOutcome } from './placement';
import { guardsOf } from './safetyLimits';

/** A position with its instrument; undefined if no exchange has it today. */
interface FoundPosition {
  position: HeldPosition;
  instrument: Instrument | undefined;
}

/** Returns those positions that match the filters, each with its instrument. @param refId only of this instrument. */
async function matching(
  held: readonly HeldPosition[],
  item: ItemContext,
  isNamed: SymbolFilter,
  refId?: number,
): Promise<FoundPosition[]> {
  const filters = item.group('filters');
  const products = filters.choices('products', PRODUCTS);
  const segments = filters.choices('segments', ['future', 'option', 'stock'] as const);
  const service = await item.service();
  const positions: FoundPosition[] = [];
  for (const position of held) {
    if (refId !== undefined && position.refId !== refId) continue;
    if (products.length > 0 && !products.some((product) => product === position.product)) continue;
    if (segments.length > 0 && !segments.some((segment) => segment === position.segment)) continue;
    const instrument = await instrumentOfRefId(service, position.refId, position.exchange, item.run.signal);
    const names = [position.symbol, instrument?.symbol ?? '', instrument?.asset ?? ''].map((name) =>
      name.toUpperCase(),
    );
    if (!isNamed({ names, exchange: instrument?.exchange ?? position.exchange ?? '' })) continue;
    positions.push({ position, instrument });
  }
  return positions;
}

const nameOf = ({ position, instrument }: FoundPosition): string =>
  positionLabel({ ...position, symbol: position.symbol || (instrument?.symbol ?? '') });

/**
 * Closes the positions that an item means.
 * @param refId only of this instrument; left out for all.
 * @returns an item for each position.
 * @throws InputError, or UnknownOutcomeError, where something is left and the item wants an error for it.
 */
export async function exitPositions(item: ItemContext, refId?: number): Promise<INodeExecutionData[]> {
  requireIdentity(item);
  const unit = priceUnitOf(item);
  const waitMs = waitMsOf(item);
  const slack = closeDistanceOf(item);
  const label = item.group('filters').optionalText('tag');
  const stops = failsIfIncomplete(item);
  const service = await item.service();
  const guards = guardsOf(item, service);
  const dryRunOnly = isDryRun(guards);
  if (!dryRunOnly) requireAllowed(service);
  // What is there may be closed while trading is stopped, too.
  const context: ClosingContext & CausedContext = { ...(await closingContext(item, true)), requireTrading: undefined };
  const others: { one: FoundPosition; reason: string }[] = [];
  const requestsFor = (entries: readonly FoundPosition[]): CloseRequest[] => {
    const requests: CloseRequest[] = [];
    for (const entry of entries) {
      const { position, instrument } = entry;
      const reason = whyNotClosable(position) ?? (instrument === undefined ? 'no exchange lists it today' : undefined);
      if (reason !== undefined || instrument === undefined) {
        others.push({ one: entry, reason: reason ?? '' });
        continue;
      }
      const requested = { close: position.refId, product: position.product, label: label ?? '' };
      requests.push({
        position: position as ClosablePosition,
        instrument: tradedInstrument(instrument, 'instrument'),
        ...(slack === undefined ? {} : { slack }),
        ...(label === undefined ? {} : { label }),
        request: (terms, part) => ({
          terms,
          guards,
          unit,
          ...identityFor(item, requested, 'order', context, part, label),
        }),
        placed: (outcome) => recordOutcome(item, outcome),
      });
    }
    return requests;
  };
  const { environment, scope, shown, transport } = context;
  const start = transport.clock.moment();
  const held = await readAllHeld(context);
  const isNamed = await symbolFilterOf(item.group('filters'), 'symbols', await item.service(), {
    signal: item.run.signal,
    shown: held.map(({ symbol }) => symbol.toUpperCase()),
  });
  const positions = await matching(held, item, isNamed, refId);
  const requests = requestsFor(positions);
  const closed = dryRunOnly ? await dryRunClosing(requests, context) : await closePositions(requests, waitMs, context);
  if (!dryRunOnly) {
    // What only a later list showed.
    const heldKeys = new Set(held.map(positionKey));
    const later = shown
      .since(scope, start, transport.marketClock.now())
      .filter((position) => !heldKeys.has(positionKey(position)));
    const foundLater = await matching(later, item, isNamed, refId);
    positions.push(...foundLater);
    closed.push(...(await closePositions(requestsFor(foundLater), waitMs, context)));
  }
  const concerned = label !== undefined && isSince12(item) ? closed.filter(isConcerned) : closed;
  // A tag means what its orders have: shares that were sold from the holdings are none of it.
  const isReported = ({ one }: { one: FoundPosition }): boolean =>
    label === undefined || !isSince12(item) || !isNothingOpen(one);
  const today = marketDate(transport);
  const items = [
    ...concerned.map((closed) =>
      item.output({
        ...closedOutput(closed, dryRunOnly, unit, isSince12(item)),
        ...(isSince12(item) ? closedWords(closed, dryRunOnly, unit, today) : {}),
        environment,
      }),
    ),
    ...others.filter(isReported).map(({ one: found, reason }) =>
      item.output({
        ...skippedOutput(found, reason),
        ...(isSince12(item) ? skippedWords(found, reason, today) : {}),
        environment,
      }),
    ),
  ];
  const errors = closed.flatMap(({ error, request: { position, instrument } }) =>
    error === undefined ? [] : [{ name: nameOf({ position, instrument: undefined }) || instrument.symbol, error }],
  );
  for (const { one: found, reason } of others)
    if (!isNothingOpen(found))
      errors.push({ name: nameOf(found), error: notReconciled(found.position as ClosablePosition, reason) });
  if (stops && errors.length > 0) throw leftOver(errors, positions.length);
  return items;
}

/** Returns false for a position in which orders with the tag have nothing: it stays unchanged, and "Closed" would be wrong. */
const isConcerned = ({ orders, cancelled, baskets, wouldSend, error }: ClosingResult): boolean =>
  error !== undefined || wouldSend !== undefined || orders.length + cancelled.length + baskets.length > 0;

/** Shares that were sold from the holdings: a position of the list, but nothing to close. */
const isNothingOpen = ({ position: { segment, product, net } }: FoundPosition): boolean =>
  segment === 'stock' && product === 'CNC' && net !== undefined && net < 0;

/** Returns one error for all positions that are not completely closed. */
function leftOver(errors: readonly { name: string; error: BrokerageError }[], of: number): BrokerageError {
  const unknown = errors.map(({ error }) => error).find((error) => error instanceof UnknownOutcomeError);
  const reported = errors.map(({ name, error }) =>
    error.message.startsWith(name) ? error.message : `${name}: ${error.message}`,
  );
  const message = `${errors.length} of ${of} positions ${errors.length === 1 ? 'is' : 'are'} not closed for certain. ${reported.join(' ')}`;
  const hint = [...new Set(errors.map(({ error }) => error.hint).filter((name) => name !== ''))].join(' ');
  return unknown === undefined
    ? new InputError(message, { hint })
    : new UnknownOutcomeError(message, { tag: unknown.tag, hint, cause: unknown });
}

function skippedOutput({ position, instrument }: FoundPosition, reason: string): object {
  const { product, exchange, net, refId, symbol } = position;
  return {
    symbol: symbol || (instrument?.symbol ?? null),
    exchange,
    product,
    ref_id: refId,
    net_qty: net ?? null,
    result: 'skipped',
    reason,
    closed_qty: 0,
    left_qty: net ?? null,
    orders: [],
    cancelled_orders: [],
    exited_baskets: [],
  };
}

/** Returns the product in the words of the panel, and a sentence for a message. */
function skippedWords({ position, instrument }: FoundPosition, reason: string, today: string): object {
  const product = productLabel({ product: position.product, derivative_type: instrument?.derivativeType ?? '' });
  const shown = instrument ?? { symbol: position.symbol, refId: position.refId };
  const name = `${instrumentName(shown, today)} (${product})`;
  return { product_label: product, summary: `Left as it is: ${name}, because ${reason}.` };
}

const RESULTS = { closed: 'Closed', partly_closed: 'Partly closed', not_closed: 'Not closed' } as const;

function resultOf({ closed, error }: Pick<ClosingResult, 'closed' | 'error'>): keyof typeof RESULTS {
  return error !== undefined ? (closed > 0 ? 'partly_closed' : 'not_closed') : 'closed';
}

/** Returns what closing has earned, the product in the words of the panel, and a sentence: `Closed: INFY (Delivery), sold 10 at ₹1,502.30, 0 left, result +₹20.00 before charges.` */
function closedWords(closing: ClosingResult, dryRunOnly: boolean, unit: MoneyUnit, today: string): object {
  const { orders, closed, left, error } = closing;
  const { position, instrument } = closing.request;
  const product = productLabel({
    product: position.product,
    derivative_type: instrument.derivative ? 'FUT' : '',
  });
  const name = `${instrumentName(instrument, today)} (${product})`;
  const rest = left === undefined ? 'what is left is not known' : `${quantityText(left)} left`;
  const earned = earnedBy(closing);
  const result = earningsText(earned);
  const traded = `${position.net < 0 ? 'bought back' : 'sold'} ${quantityText(closed)}${averageFillText(orders)}, ${rest}${result === undefined ? '' : `, ${result}`}`;
  const summary = dryRunOnly
    ? `Would close: ${name}, ${quantityText(Math.abs(position.net))} ${position.net < 0 ? 'sold short' : 'held'}.`
    : `${RESULTS[resultOf({ closed, error })]}: ${name}, ${traded}.${error === undefined ? '' : ` ${withContractNames(error.message, today)}`}`;
  if (dryRunOnly) return { product_label: product, summary };
  const shown = (paise: number | undefined): number | null => paiseTo(unit, paise ?? null);
  return {
    average_price: shown(position.average),
    realised_result: shown(earned),
    product_label: product,
    summary,
  };
}

/** Returns what closing a position has earned, paise, before charges. Of a part of it, which a tag means, the average price is not told. */
function earnedBy({ request: { position, instrument, label }, orders, closed }: ClosingResult): number | undefined {
  if (label !== undefined && closed !== Math.abs(position.net)) return undefined;
  return closingEarnings({ orders, closed, instrument }, position.average, position.net < 0 ? -1 : 1);
}

/** Returns the result for one position. */
function closedOutput(
  {
    request: { position, instrument },
    cancelled,
    baskets,
    orders,
    wouldSend,
    wouldSendOrders,
    closed,
    left,
    error,
  }: ClosingResult,
  dryRunOnly: boolean,
  unit: MoneyUnit,
  hasSide: boolean,
): object {
  const result = resultOf({ closed, error });
  return {
    ...(dryRunOnly ? { dry_run: true } : {}),
    symbol: instrument.symbol,
    exchange: instrument.exchange,
    product: position.product,
    ref_id: instrument.refId,
    net_qty: position.net,
    ...(dryRunOnly
      ? {
          would_cancel: cancelled.map(({ orderId }) => orderId),
          would_exit_baskets: baskets.map(({ basketId }) => basketId),
          would_send: wouldSend === undefined ? null : requestOutput(wouldSend),
          ...(wouldSendOrders === undefined || wouldSendOrders === 1 ? {} : { would_send_orders: wouldSendOrders }),
        }
      : {
          result,
          closed_qty: closed,
          left_qty: left ?? null,
          orders: orders.map(({ orderId, tag, quantity, filled, alreadyPlaced, record }) => ({
            order_id: orderId,
            order_status: statusOf(record),
            ...(hasSide ? { order_side: sideOf(record) ?? (position.net < 0 ? 'BUY' : 'SELL') } : {}),
            order_qty: quantity,
            filled_qty: filled,
            ...filledPriceOutput(record, unit),
            tag,
            already_placed: alreadyPlaced,
          })),
          cancelled_orders: cancelled.map(({ orderId, result: end }) => ({ order_id: orderId, result: end })),
          exited_baskets: baskets.map(({ basketId, result: end }) => ({ basket_id: basketId, result: end })),
        }),
    ...(error === undefined ? {} : { error_message: error.message, advice: error.hint }),
  };
}
