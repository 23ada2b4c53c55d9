/** Checks the guards, with facts of the service, before anything is sent. A refusal names its guard. */
import { isKnownContract, type KnownContract, whyUnvalued } from '../../values/contract-value';
import type { OrderRecord } from '../../endpoints/orders';
import { InputError } from '../../base/errors';
import { isTradingDayByMaster } from '../../instruments/catalogue';
import type { Exchange } from '../../instruments/instrument';
import type { NamedInstrument } from '../../instruments/symbol';
import { isKnownPrice, type MarketPrice, type NoPrice } from '../../values/market-price';
import { getCurrentPrice } from '../../market/quotes';
import { ENVIRONMENT_NAMES, type Environment } from '../../session/settings';
import { productChoice } from '../../values/labels';
import { showMoney, type MoneyUnit } from '../../values/money';
import { istDate, istTimeOfDay } from '../../values/time';
import { marketTime } from '../account/market-closed-advice';
import { ordersOfDay } from './day-orders';
import { dayCountOf, readDayLists, requireDayCount, type DayLists } from './day-count';
import { dayValueOf } from './day-value';
import type { Guards } from '../model/guard-settings';
import { CHANGE_DAY_GUARD, CHANGE_GUARD, guardError, type GuardName } from './guard-refusal';
import { isDeliverySale, readAuthorisation, requireAuthorised, type Authorisation } from './authorised-sales';
import { checkNet } from './net-guards';
import { hoursState } from '../../market/calendar/trading-hours';
import type { OrderTerms, TradedInstrument } from '../model/order-terms';
import type { PlacementContext, PlacementRequest } from '../account/placement-context';
import type { PlacementRegistry } from '../account/placement-registry';
import { basketIdOfLeg, orderIdOf, platNameOf, symbolOf } from '../model/order-record';
import {
  valueDependsOnLastPrice,
  reachablePrices,
  adverseDistance,
  worstValue,
  type NetTerms,
} from '../model/reachable-prices';

/** @throws InputError if orders may not be placed, changed or cancelled on this environment. */
export function requireOrdersAllowed(environment: Environment, guards: Pick<Guards, 'allowLiveOrders'>): void {
  if (environment !== 'live' || guards.allowLiveOrders) return;
  throw guardError(
    'allowLiveOrders',
    `orders on ${ENVIRONMENT_NAMES.live} are switched off.`,
    'Nothing was sent. To trade with real money, switch on "Allow Live Orders" in the credential.',
  );
}

/**
 * Permits unattended sending, by the current credential.
 * @throws InputError if its Dry Run is on, or as `requireOrdersAllowed`.
 */
export function requireSending(environment: Environment, guards: Pick<Guards, 'allowLiveOrders' | 'dryRun'>): void {
  requireOrdersAllowed(environment, guards);
  if (!guards.dryRun) return;
  throw new InputError('"Dry Run" is on in the credential.', {
    parameter: 'dryRun',
    hint: 'Nothing was sent. To send orders, switch "Dry Run" off in the credential.',
  });
}

/** Facts that guards need beside the order. A fact that costs a request is fetched only if a guard needs it. */
export interface GuardFacts {
  environment: Environment;
  /** The market's time, milliseconds since the epoch. */
  marketTime: () => Promise<number>;
  /** The unit in which refusals show amounts. */
  unit: MoneyUnit;
  lastPrice: () => Promise<MarketPrice | NoPrice>;
  /** For a new order: the holder's authorisation from its preview; undefined if unknown. */
  authorisation?: () => Promise<Authorisation | undefined>;
  day: {
    /** The orders of the day as the service lists them, the legs of baskets among them. */
    orders: () => Promise<readonly OrderRecord[]>;
    placements: PlacementRegistry;
    scope: string;
    /** Tag of the checked order. */
    tag: string;
  };
  /** Returns true if the exchange trades on the day of an instant. If left out, weekdays and known special sessions count. */
  isTradingDay?: (at: number) => Promise<boolean>;
}

/**
 * Checks an order against the guards.
 * @returns the value of the order in paise if a guard needed it, 0 otherwise.
 * @throws InputError that names the guard, before anything is sent.
 */
export async function checkGuards(terms: OrderTerms, guards: Guards, facts: GuardFacts): Promise<number> {
  const { instrument } = terms;
  requireOrdersAllowed(facts.environment, guards);
  if (guards.allowedExchanges !== undefined && !guards.allowedExchanges.includes(instrument.exchange)) {
    throw guardError(
      'allowedExchanges',
      `${instrument.exchange} is not among ${guards.allowedExchanges.join(', ') || 'them'}.`,
      CHANGE_GUARD,
    );
  }
  if (guards.allowedProducts !== undefined && !guards.allowedProducts.includes(terms.product)) {
    throw guardError(
      'allowedProducts',
      `${productChoice(terms.product)} is not among ${guards.allowedProducts.map(productChoice).join(', ') || 'them'}.`,
      CHANGE_GUARD,
    );
  }
  const names = [instrument.symbol.toUpperCase(), instrument.asset.toUpperCase()];
  if (guards.allowedInstruments !== undefined && !names.some((name) => guards.allowedInstruments?.includes(name))) {
    throw guardError('allowedInstruments', `${instrument.symbol} is not among them.`, CHANGE_GUARD);
  }
  if (guards.maxQuantity !== undefined && terms.quantity > guards.maxQuantity) {
    throw guardError('maxQuantity', `the quantity ${terms.quantity} is above ${guards.maxQuantity}.`, CHANGE_GUARD);
  }
  if (guards.refuseUnauthorisedSales === true) requireAuthorised(terms, await facts.authorisation?.());
  if (guards.latestTime !== undefined) requireBefore(guards.latestTime, await facts.marketTime());
  if (guards.marketHoursOnly) await requireMarketHours(instrument, facts);
  return await checkMoney(terms, guards, facts);
}

/** @throws InputError if the market's time is at this time of the day (HH:MM, IST) or after it. */
function requireBefore(latest: string, now: number): void {
  const time = istTimeOfDay(now);
  if (time < latest) return;
  throw guardError(
    'latestTime',
    `it is ${time} IST, and no order is sent from ${latest} on.`,
    'Nothing was sent. The limit is under "Safety Limits" in the node.',
  );
}

async function requireMarketHours(instrument: TradedInstrument, facts: GuardFacts): Promise<void> {
  const now = await facts.marketTime();
  const { exchange, derivative, asset } = instrument;
  const { inHours, isUsualDay, hours } = hoursState(exchange, derivative, now, asset);
  if (!inHours)
    throw guardError(
      'marketHoursOnly',
      `${exchange} trades ${exchange === 'MCX' ? `${asset} ` : ''}${hours}.`,
      CHANGE_GUARD,
    );
  // A Saturday with a session that was announced since is known to the service alone.
  if (await (facts.isTradingDay?.(now) ?? isUsualDay)) return;
  throw guardError('marketHoursOnly', `${exchange} does not trade today.`, CHANGE_GUARD);
}

/** Measured by an invalid price, an order at the market would be worth nothing. */
async function lastPriceFor(
  guard: GuardName,
  { symbol }: TradedInstrument,
  facts: Pick<GuardFacts, 'lastPrice'>,
): Promise<MarketPrice> {
  const last = await facts.lastPrice();
  if (isKnownPrice(last)) return last;
  throw guardError(
    guard,
    `${symbol} has no last price to calculate with: ${last.none}.`,
    `Wait until it trades. ${CHANGE_GUARD}`,
  );
}

/** Requires a known contract: in an unknown unit an order may be worth a thousand times as much. */
function requireContract(guard: GuardName, instrument: TradedInstrument): KnownContract {
  if (isKnownContract(instrument)) return instrument;
  throw guardError(guard, whyUnvalued(instrument), `${CHANGE_GUARD} "Largest Quantity" works for every instrument.`);
}

/** Paise: the worst of what the order can lead to; see `worstValue`. */
async function valueOf(terms: OrderTerms, guard: GuardName, facts: GuardFacts): Promise<number> {
  const contract = requireContract(guard, terms.instrument);
  return worstValue(
    terms,
    contract,
    valueDependsOnLastPrice(terms) ? await lastPriceFor(guard, terms.instrument, facts) : 0,
  );
}

/** Checks the prices of an order. @throws InputError if one of its possible prices is too far on the side that costs money. */
async function requireNear(terms: OrderTerms, maxDistance: number, facts: GuardFacts): Promise<void> {
  const prices = reachablePrices(terms);
  if (prices.length === 0) return;
  const last = await lastPriceFor('maxPriceDistance', terms.instrument, facts);
  for (const reachable of prices) {
    if (adverseDistance(reachable, last) * 10_000 <= maxDistance * last) continue;
    const { unit } = facts;
    throw guardError(
      'maxPriceDistance',
      `${reachable.name} ${showMoney(unit, reachable.price)} is more than ${maxDistance / 100} % ${reachable.side === 'BUY' ? 'above' : 'below'} the last price ${showMoney(unit, last)}.`,
      CHANGE_GUARD,
    );
  }
}

async function checkMoney(terms: OrderTerms, guards: Guards, facts: GuardFacts): Promise<number> {
  const { unit } = facts;
  const { maxPriceDistance, maxOrderValue, maxDayValue } = guards;
  if (maxPriceDistance !== undefined) await requireNear(terms, maxPriceDistance, facts);
  if (maxOrderValue === undefined && maxDayValue === undefined) return 0;
  const value = await valueOf(terms, maxOrderValue === undefined ? 'maxDayValue' : 'maxOrderValue', facts);
  if (maxOrderValue !== undefined && value > maxOrderValue) {
    throw guardError(
      'maxOrderValue',
      `the order is worth ${showMoney(unit, value)}, above ${showMoney(unit, maxOrderValue)}.`,
      CHANGE_GUARD,
    );
  }
  if (maxDayValue !== undefined) {
    const { orders, placements, scope, tag } = facts.day;
    const listed = await orders();
    // From here to the reservation nothing is awaited: two orders at the same moment do not both fit.
    const before = dayValueOf(listed, placements, scope);
    if (before + value > maxDayValue) {
      throw guardError(
        'maxDayValue',
        `with this order the day comes to ${showMoney(unit, before + value)}, above ${showMoney(unit, maxDayValue)}.`,
        CHANGE_DAY_GUARD,
      );
    }
    placements.reserve(scope, tag, value);
  }
  return value;
}

/** Subject of a check: an order, or a basket's order for each leg. */
type Checked = Pick<PlacementRequest<unknown>, 'tag' | 'guards' | 'unit'> & {
  /** Returns true for the order of the day that is being changed: its current state does not count beside the new one. */
  replaces?: (order: OrderRecord) => boolean;
  /** The net prices of a basket, whose legs the orders are. */
  net?: NetTerms;
  /** Number of orders that are placed for them, if they are placed in parts; one for each if left out. */
  parts?: number;
};

/** The last price of an instrument, which may be none. */
async function priceOf(
  instrument: NamedInstrument,
  { transport, signal }: PlacementContext,
): Promise<MarketPrice | NoPrice> {
  return (await getCurrentPrice(transport, instrument, signal)).price;
}

/** The state of an order that counts for nothing, while its tag still shows that it is listed. */
const WORTHLESS = { order_status: 'ORDER_STATUS_CANCELLED', filled_qty: 0 } as const;

/** The orders of the day for orders of an exchange, but for the one that is replaced. */
async function dayOf(
  exchange: string,
  replaces: Checked['replaces'],
  context: PlacementContext,
): Promise<OrderRecord[]> {
  const lastPrice = async (order: OrderRecord, own: string): Promise<MarketPrice> => {
    const symbol = symbolOf(order);
    const named = { symbol, exchange: own || exchange, platName: platNameOf(order) };
    const price = symbol === '' ? { none: 'its record names no instrument' } : await priceOf(named, context);
    if (isKnownPrice(price)) return price;
    const basketId = basketIdOfLeg(order);
    throw guardError(
      'maxDayValue',
      `${basketId === '' ? `order ${orderIdOf(order)}` : `a leg of basket ${basketId}`} has no last price to calculate with: ${price.none}.`,
      `Wait until it trades, or cancel that ${basketId === '' ? 'order' : 'basket'}. ${CHANGE_GUARD}`,
    );
  };
  const all = await ordersOfDay(context, lastPrice);
  return all.map((order) => (replaces?.(order) === true ? { ...order, ...WORTHLESS } : order));
}

/**
 * Returns the facts about one order, as the service shows them. @param isNew true for a new, separate order. @param tag under which it is
 * held in the limit of the day.
 */
function factsOf(
  terms: OrderTerms,
  isNew: boolean,
  tag: string,
  unit: MoneyUnit,
  requested: Pick<GuardFacts, 'marketTime'> & Pick<GuardFacts['day'], 'orders'>,
  context: PlacementContext,
): GuardFacts {
  const { transport, placements, scope, environment, signal } = context;
  const { instrument } = terms;
  const { exchange } = instrument;
  const { marketTime: timeOf, orders } = requested;
  return {
    environment,
    marketTime: timeOf,
    unit,
    lastPrice: async () => await priceOf(instrument, context),
    ...(isNew && isDeliverySale(terms) ? { authorisation: async () => await readAuthorisation(terms, context) } : {}),
    day: { orders, placements, scope, tag },
    isTradingDay: async (at) => await isTradingDayByMaster(transport, exchange as Exchange, istDate(at), signal),
  };
}

/**
 * Checks orders that are placed together under one tag against all their guards. Reserves their value in the limit of the day, under this
 * tag, until it is sent or released.
 * @returns their value in paise if a guard needed it, 0 otherwise.
 * @throws InputError that names the guard, before anything is sent; any error of a read. Nothing is reserved then.
 */
export async function passGuards(
  orders: readonly OrderTerms[],
  checked: Checked,
  context: PlacementContext,
): Promise<number> {
  const { placements, scope } = context;
  const held = orders.map((_, index) => `${checked.tag} ${index}`);
  const release = (): void => held.forEach((tag) => placements.release(scope, tag));
  let day: Promise<OrderRecord[]> | undefined;
  let time: Promise<number> | undefined;
  const readTime = async (): Promise<number> => (await marketTime(context)) ?? context.transport.clock.now();
  const timeOf = async (): Promise<number> => await (time ??= readTime());
  // The legs of a basket are counted against one day: what this process sends meanwhile is known without the list.
  const readDay = (): Promise<OrderRecord[]> =>
    (day ??= dayOf(orders[0]!.instrument.exchange, checked.replaces, context));
  let sum = 0;
  try {
    for (const [index, terms] of orders.entries()) {
      const isNew = checked.replaces === undefined && checked.net === undefined;
      const facts = factsOf(terms, isNew, held[index]!, checked.unit, { orders: readDay, marketTime: timeOf }, context);
      let value = 0;
      for (const guards of checked.guards) value = Math.max(value, await checkGuards(terms, guards, facts));
      sum += value;
    }
    if (checked.net !== undefined)
      sum = Math.max(sum, await passNetGuards(checked.net, checked, sum, readDay, context));
  } finally {
    release();
  }
  const counted = await dayToCount(checked, context);
  // From here to the reservation nothing is awaited: two orders at the same moment do not both fit.
  if (counted !== undefined)
    requireDayCount(
      checked.guards,
      dayCountOf(counted.lists, placements.sentOrders(scope), counted.day),
      checked.parts ?? orders.length,
    );
  placements.reserve(scope, checked.tag, sum, orders.length);
  return sum;
}

/** Returns the lists and the date of the market's day, where a guard counts the day's orders and new ones come. @throws as `readDayLists` */
async function dayToCount(
  { guards, replaces }: Checked,
  context: PlacementContext,
): Promise<{ lists: DayLists; day: string } | undefined> {
  if (replaces !== undefined || guards.every(({ maxDayOrders }) => maxDayOrders === undefined)) return undefined;
  const lists = await readDayLists(context);
  return { lists, day: istDate((await marketTime(context)) ?? context.transport.clock.now()) };
}

/**
 * Checks a basket as a whole, after its legs, which are held in the limit of the day with their own values.
 * @param ofLegs what the legs are worth together, paise
 * @returns what the basket is worth by its net prices, paise
 * @throws InputError that names the guard
 */
async function passNetGuards(
  net: NetTerms,
  { guards, unit }: Checked,
  ofLegs: number,
  readDay: () => Promise<OrderRecord[]>,
  context: PlacementContext,
): Promise<number> {
  const { placements, scope } = context;
  const lastOf = async (instrument: TradedInstrument): Promise<number> =>
    await lastPriceFor('maxPriceDistance', instrument, { lastPrice: async () => await priceOf(instrument, context) });
  let worst = 0;
  for (const limits of guards) worst = Math.max(worst, await checkNet(net, limits, unit, lastOf));
  const beyond = worst - ofLegs;
  for (const { maxDayValue } of guards) {
    if (maxDayValue === undefined || beyond <= 0) continue;
    const day = dayValueOf(await readDay(), placements, scope) + beyond;
    if (day > maxDayValue)
      throw guardError(
        'maxDayValue',
        `with this basket the day comes to ${showMoney(unit, day)}, above ${showMoney(unit, maxDayValue)}.`,
        CHANGE_DAY_GUARD,
      );
  }
  return worst;
}
