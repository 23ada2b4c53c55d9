/** One exit order for what is held, that rests at the exchange or with the service: for the day, or until a date. */
import { InputError, UnknownOutcomeError, type BrokerageError } from '../../../client/base/errors';
import { heldQuantities, requireKnownHeld, type HeldQuantity } from '../../../client/closing/held';
import { positionKey } from '../../../client/closing/positions';
import type { SendingTurn } from '../../../client/closing/sending-turn';
import { isOrderOf, unitsTowards } from '../../../client/closing/traded-quantity';
import { getLastPrice } from '../../../client/market/quotes';
import { checkExits, exitTerms, type ExitInput } from '../../../client/orders/model/exits';
import { hasEnded, orderIdOf, sideOf } from '../../../client/orders/model/order-record';
import { PRODUCTS, type OrderTerms, type TradedInstrument } from '../../../client/orders/model/order-terms';
import { byTags } from '../../../client/orders/api/find-by-tag';
import type { OrderRecord } from '../../../client/endpoints/orders';
import { givenPrice } from '../../../client/values/market-price';
import { productChoice } from '../../../client/values/labels';
import { showMoney, type MoneyUnit } from '../../../client/values/money';
import { priceUnitOf } from '../../shared/fields';
import { sentExits } from '../../shared/placements';
import { closingContext } from './closingContext';
import { readPositionsOf } from '../../../client/closing/shown-positions';
import { portfolioSource } from '../common/portfolioSource';
import type { ItemContext } from '../common/itemContext';
import { exitRoundingOf, goodTillOf, readExitInput } from './exitForm';
import type { OrderRequest, PlacementContext } from '../../../client/orders/account/placement-context';
import { showsAllKnown } from '../../../client/orders/account/whole-list-reader';

/** An item's request, before anything is fetched. */
export interface ProtectionInput {
  exits: ExitInput;
  /** YYYY-MM-DD; undefined for the day. */
  goodTill: string | undefined;
  products: readonly (typeof PRODUCTS)[number][];
  unit: MoneyUnit;
}

const BOTH =
  'Publish a workflow with the trigger "Order Exits", with Exits Of set to What I Hold: it keeps stop loss, target, trailing stop and exit time together. Nothing was sent.';

/** @throws InputError if there is not exactly one exit */
export function readProtection(item: ItemContext): ProtectionInput {
  const unit = priceUnitOf(item);
  const exits = readExitInput(item.group('exits'), { unit, rounding: exitRoundingOf(item) });
  if (exits === undefined)
    throw new InputError('No exit is given. Nothing was sent.', {
      parameter: 'exits',
      hint: 'Add Stop Loss or Target.',
    });
  if (exits.stop !== undefined && exits.target !== undefined)
    throw new InputError('One order can be a stop loss or a target: two orders could both sell what you hold once.', {
      parameter: 'target',
      hint: BOTH,
    });
  return {
    exits,
    unit,
    goodTill: goodTillOf(item.group('options')),
    products: item.group('filters').choices('products', PRODUCTS),
  };
}

/** The position to protect, and the order; `refusal` if it must not be placed now. */
export interface PositionProtection {
  held: HeldQuantity;
  terms: OrderTerms;
  refusal: BrokerageError | undefined;
}

/**
 * Returns the held quantity of the instrument.
 * @throws InputError if the list of positions lacks it without a reason; any error of the reads
 */
export async function readHeldQuantity(
  item: ItemContext,
  instrument: TradedInstrument,
  { products }: ProtectionInput,
): Promise<HeldQuantity[]> {
  const source = await portfolioSource(item);
  const holdings = instrument.derivative ? { holdings: [] } : await source.holdings();
  const isHolding = heldQuantities([instrument], { positions: [] }, holdings, products).length > 0;
  const positions = await readPositionsOf(instrument.refId, isHolding, await closingContext(item, false));
  requireKnownHeld(instrument, positions, holdings);
  return heldQuantities([instrument], { positions: [...positions] }, holdings, products).map(({ held }) => held);
}

/**
 * Returns a check that nothing has closed a part of a position since its orders were listed, before the position was read: what is held would be
 * another quantity, or nothing.
 */
export function noTradeSince(
  before: readonly OrderRecord[],
  { position, units }: HeldQuantity,
): NonNullable<OrderRequest['isUnchanged']> {
  const closedIn = (orders: readonly OrderRecord[]): number => unitsTowards(orders, position, -units);
  return (listed) => {
    const orders = listed as readonly OrderRecord[];
    const shown = new Set(orders.map(orderIdOf));
    // A list that lacks orders which it has shown may lack others.
    return before.every((order) => shown.has(orderIdOf(order))) && closedIn(orders) === closedIn(before);
  };
}

/**
 * The order that guards what is held.
 * @throws InputError if the exit is on the wrong side of the last price: it would close at once.
 */
export async function protectionOf(
  held: HeldQuantity,
  instrument: TradedInstrument,
  { exits, goodTill, unit }: ProtectionInput,
  context: PlacementContext,
): Promise<PositionProtection> {
  const { position, units, price } = held;
  const direction = units > 0 ? 1 : -1;
  const { tickSize, symbol, lotSize } = instrument;
  if (lotSize > 1 && units % lotSize !== 0)
    throw new InputError(
      `${Math.abs(units)} of ${symbol} are not whole lots of ${lotSize}, and the exchange takes whole lots only. Nothing was sent.`,
      {
        parameter: 'instrument',
        hint: 'Its lot has changed since the position was opened. The trigger Order Exits guards what it has in whole lots.',
      },
    );
  const terms = exitTerms(exits, { entry: givenPrice(price), direction, tickSize, unit });
  const need = { purpose: 'to compare the exit with', parameter: 'exits', hint: 'Wait until it trades.' };
  const last = await getLastPrice(context.transport, instrument, need, context.signal);
  const { stop, target } = terms;
  const isReached =
    stop === undefined ? direction * (last - target!.trigger) >= 0 : direction * (stop.trigger - last) >= 0;
  if (isReached)
    throw new InputError(
      `The ${stop === undefined ? 'target' : 'stop loss'} ${showMoney(unit, (stop ?? target!).trigger)} of ${symbol} is reached already: the last price is ${showMoney(unit, last)}. Nothing was sent.`,
      {
        parameter: stop === undefined ? 'target' : 'stopLoss',
        hint: 'Choose it further away, or close with Portfolio: Exit Position.',
      },
    );
  checkExits(terms, { direction, unit });
  const order: OrderTerms = {
    instrument,
    side: direction === 1 ? 'SELL' : 'BUY',
    quantity: Math.abs(units),
    product: position.product,
    validity: goodTill === undefined ? 'DAY' : 'GTE',
    priceType: 'LIMIT',
    ...(goodTill === undefined ? {} : { goodTill }),
    ...(stop === undefined
      ? { kind: 'REGULAR', price: target!.limit }
      : { kind: 'STOPLOSS', triggerPrice: stop.trigger, price: stop.limit }),
  };
  return { held, terms: order, refusal: await alreadyGuarded(held, order, context) };
}

/**
 * Maximum delay of the list behind placements, milliseconds (docs/service/order-life.md#acknowledgement-and-result), and the time between
 * two reads.
 */
const LISTED_MS = 10_000;
const LOOKS_EVERY_MS = 500;

/**
 * The day's orders, once they show what this process placed to close the position, and the tag of an order whose outcome is unknown.
 * @throws any error of the reads
 */
async function listedOrders(
  { position }: HeldQuantity,
  context: PlacementContext,
): Promise<{ listed: OrderRecord[]; unknown: string | undefined }> {
  const { orders, placements, scope, signal, transport } = context;
  const began = transport.clock.moment();
  const sent = sentExits.tagsOf(scope, positionKey(position)).filter((tag) => placements.get(scope, tag) !== undefined);
  for (;;) {
    const listed = await orders.list(signal);
    const shown = byTags(listed, sent);
    if (sent.every((tag) => shown.has(tag)) || transport.clock.since(began) > LISTED_MS) {
      const isWhole = showsAllKnown(listed, context);
      const isUnknown = (tag: string): boolean => {
        const placement = placements.get(scope, tag);
        return !shown.has(tag) && placement?.state === 'unknown' && !placements.isLost(placement, isWhole);
      };
      return { listed, unknown: sent.find(isUnknown) };
    }
    await transport.clock.sleep(LOOKS_EVERY_MS, signal);
  }
}

/**
 * Returns the reason for which no other order may be placed: one that closes it is open already, and both together would close more than
 * there is.
 */
async function alreadyGuarded(
  held: HeldQuantity,
  { side, instrument }: OrderTerms,
  context: PlacementContext,
): Promise<BrokerageError | undefined> {
  const { position } = held;
  const { listed, unknown } = await listedOrders(held, context);
  if (unknown !== undefined)
    return new UnknownOutcomeError(
      `It is not known yet whether an earlier order guards ${instrument.symbol}, ${productChoice(position.product)}. Nothing was sent.`,
      {
        tag: unknown,
        hint: `Look for the tag ${unknown} in the order list or in your broker's app. If it is not there after two minutes, it was not placed: run it again then.`,
      },
    );
  const open = listed.find(
    // One whose side is not known may close it too.
    (order) => isOrderOf(order, position) && !hasEnded(order) && (sideOf(order) ?? side) === side,
  );
  if (open === undefined) return undefined;
  const name = `${instrument.symbol}, ${productChoice(position.product)}`;
  const does =
    sideOf(open) === undefined
      ? `is of ${name}, with a side that is not known here. It may close it already`
      : `already closes ${name}`;
  return new InputError(
    `Order ${orderIdOf(open)} ${does}: another one could close more than you hold. Nothing was sent.`,
    { parameter: 'exits', hint: 'Change that order with Order: Modify, or cancel it first.' },
  );
}

/** Notes what an error says may have been placed, as `recordSentTags`. */
export function recordUnknownOutcome(
  held: HeldQuantity,
  error: unknown,
  context: PlacementContext,
  turn: SendingTurn,
): void {
  if (error instanceof UnknownOutcomeError && error.tag !== '') recordSentTags(held, [error.tag], context, turn);
}

/** Notes what was placed, so that the next one, in any process of this n8n, waits until the list shows it. */
export function recordSentTags(
  { position }: HeldQuantity,
  tags: readonly string[],
  { scope }: PlacementContext,
  turn: SendingTurn,
): void {
  for (const tag of tags) {
    sentExits.add(scope, positionKey(position), tag, undefined);
    turn.sent(tag);
  }
}
