/**
 * Guards: limits that the person sets in the credential and in the node, checked before anything leaves. The stricter of
 * the two counts. A refusal names its guard.
 */
import { InputError } from '../errors';
import { ENVIRONMENT_NAMES, type CredentialFields, type Environment } from '../session/settings';
import { plainDecimal, shown, wholeNumber } from '../values/input';
import { rupeesToPaise, showMoney, type MoneyUnit } from '../values/money';
import { tradesNow } from './hours';
import {
  PRODUCTS,
  hasEnded,
  numberOf,
  statusOf,
  tagOf,
  type OrderRecord,
  type OrderTerms,
  type Product,
  type TradedInstrument,
} from './order';
import type { Placements } from './placements';
import { identityOf } from './tags';

/** What is undefined has no limit. Money in paise. */
export interface Guards {
  allowLiveOrders: boolean;
  /** Orders are checked and shown, never sent. */
  dryRun: boolean;
  maxQuantity?: number;
  maxOrderValue?: number;
  maxDayValue?: number;
  /** Hundredths of a percent. */
  maxPriceDistance?: number;
  allowedExchanges?: readonly string[];
  allowedProducts?: readonly Product[];
  /** Trading symbols or underlyings in capitals. */
  allowedInstruments?: readonly string[];
  marketHoursOnly: boolean;
}

/** The guards' names as the person sees them, by the internal names of their fields. */
export const GUARD_NAMES = {
  allowLiveOrders: 'Allow Live Orders',
  maxQuantity: 'Largest Quantity',
  maxOrderValue: 'Largest Order Value',
  maxDayValue: 'Largest Day Value',
  maxPriceDistance: 'Largest Distance From Last Price',
  allowedExchanges: 'Allowed Exchanges',
  allowedProducts: 'Allowed Products',
  allowedInstruments: 'Allowed Instruments',
  marketHoursOnly: 'Market Hours Only',
} as const;

type Guard = keyof typeof GUARD_NAMES;

const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0 || value === '0';

const list = (value: unknown): string[] | undefined => {
  const words = (Array.isArray(value) ? value.map(String) : String(value ?? '').split(','))
    .map((word) => word.trim().toUpperCase())
    .filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
};

function hundredthsOfPercent(value: unknown): number {
  const digits = plainDecimal(value);
  if (digits === undefined || digits.negative || digits.fraction.length > 2) {
    throw new InputError(`${GUARD_NAMES.maxPriceDistance} must be a percentage with at most two decimals.`, {
      parameter: 'maxPriceDistance',
    });
  }
  return Number(digits.whole + digits.fraction.padEnd(2, '0'));
}

const SWITCH_NAMES = {
  dryRun: 'Dry Run',
  limitOrders: 'Limit Orders',
  marketHoursOnly: GUARD_NAMES.marketHoursOnly,
} as const;

/**
 * A switch that keeps orders back.
 * @throws InputError for what is neither on nor off: it must not be off because somebody wrote it otherwise.
 */
export function readSwitch(fields: CredentialFields, name: keyof typeof SWITCH_NAMES): boolean {
  const value = fields[name];
  if (value === undefined || value === null || value === '' || value === false || value === 'false') return false;
  if (value === true || value === 'true') return true;
  throw new InputError(`${SWITCH_NAMES[name]} must be true or false, but is ${shown(value)}.`, {
    parameter: name,
    hint: 'Switch it on or off. Nothing was sent.',
  });
}

/**
 * The limits among some fields, whose names are those of the credential; what is 0, empty or missing has no limit.
 * @throws InputError that names the field whose value is no limit.
 */
export function readLimits(fields: CredentialFields): Partial<Guards> {
  const amount = (name: 'maxOrderValue' | 'maxDayValue'): Partial<Guards> =>
    isUnset(fields[name]) ? {} : { [name]: rupeesToPaise(fields[name], name, { label: GUARD_NAMES[name] }) };
  const exchanges = list(fields.allowedExchanges);
  const products = list(fields.allowedProducts);
  const instruments = list(fields.allowedInstruments);
  return {
    ...(isUnset(fields.maxQuantity)
      ? {}
      : { maxQuantity: wholeNumber(fields.maxQuantity, 'maxQuantity', { label: GUARD_NAMES.maxQuantity }) }),
    ...amount('maxOrderValue'),
    ...amount('maxDayValue'),
    ...(isUnset(fields.maxPriceDistance) ? {} : { maxPriceDistance: hundredthsOfPercent(fields.maxPriceDistance) }),
    ...(exchanges === undefined ? {} : { allowedExchanges: exchanges }),
    ...(products === undefined ? {} : { allowedProducts: PRODUCTS.filter((product) => products.includes(product)) }),
    ...(instruments === undefined ? {} : { allowedInstruments: instruments }),
    marketHoursOnly: readSwitch(fields, 'marketHoursOnly'),
  };
}

/** The guards of a credential: its limits count while its switch "Limit Orders" is on. @throws InputError as `readLimits` */
export function readGuards(fields: CredentialFields): Guards {
  return {
    marketHoursOnly: false,
    ...(readSwitch(fields, 'limitOrders') ? readLimits(fields) : {}),
    allowLiveOrders: fields.allowLiveOrders === true,
    dryRun: readSwitch(fields, 'dryRun'),
  };
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function common<T extends string>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a.filter((one) => b.includes(one));
}

/**
 * Both sets of guards together: of each, the stricter. The Live switch is the credential's alone. Two lists of
 * instruments both count (see `checkGuards`), as an underlying in one may allow a contract of the other.
 */
export function withNodeGuards(credential: Guards, node: Partial<Guards>): Guards[] {
  const joined: Guards = {
    allowLiveOrders: credential.allowLiveOrders,
    dryRun: credential.dryRun || node.dryRun === true,
    maxQuantity: smaller(credential.maxQuantity, node.maxQuantity),
    maxOrderValue: smaller(credential.maxOrderValue, node.maxOrderValue),
    maxDayValue: smaller(credential.maxDayValue, node.maxDayValue),
    maxPriceDistance: smaller(credential.maxPriceDistance, node.maxPriceDistance),
    allowedExchanges: common(credential.allowedExchanges, node.allowedExchanges),
    allowedProducts: common(credential.allowedProducts, node.allowedProducts),
    allowedInstruments: credential.allowedInstruments ?? node.allowedInstruments,
    marketHoursOnly: credential.marketHoursOnly || node.marketHoursOnly === true,
  };
  const second = credential.allowedInstruments === undefined ? undefined : node.allowedInstruments;
  return second === undefined
    ? [joined]
    : [joined, { allowLiveOrders: true, dryRun: false, marketHoursOnly: false, allowedInstruments: second }];
}

function refuse(guard: Guard, what: string, hint: string): InputError {
  return new InputError(`Refused by the guard "${GUARD_NAMES[guard]}": ${what}`, { parameter: guard, hint });
}

const CHANGE_GUARD =
  'Nothing was sent. The guards are in the credential ("Limit Orders") and in the options of the node.';

/** Whether orders may be placed, changed or cancelled here at all. @throws InputError */
export function requireOrdersAllowed(environment: Environment, guards: Pick<Guards, 'allowLiveOrders'>): void {
  if (environment !== 'live' || guards.allowLiveOrders) return;
  throw refuse(
    'allowLiveOrders',
    `orders on ${ENVIRONMENT_NAMES.live} are switched off.`,
    'Nothing was sent. To trade with real money, switch on "Allow Live Orders" in the credential.',
  );
}

/** What the guards must know; what costs a request is asked for only when a guard needs it. */
export interface GuardFacts {
  environment: Environment;
  instrument: TradedInstrument;
  /** Milliseconds since the epoch. */
  now: number;
  unit: MoneyUnit;
  /** Paise. */
  lastPrice: () => Promise<number>;
  day: {
    /** The orders of the day as the service lists them. */
    orders: () => Promise<readonly OrderRecord[]>;
    placements: Placements;
    scope: string;
    /** Of the order that is checked. */
    tag: string;
  };
  /** Whether the exchange trades on this date; left out where nobody knows: then weekdays count. */
  isTradingDay?: () => Promise<boolean>;
}

/**
 * Checks an order against the guards.
 * @returns the value of the order in paise where a guard needed it, 0 otherwise.
 * @throws InputError that names the guard, before anything leaves.
 */
export async function checkGuards(terms: OrderTerms, guards: Guards, facts: GuardFacts): Promise<number> {
  const { instrument, unit } = facts;
  requireOrdersAllowed(facts.environment, guards);
  if (guards.allowedExchanges !== undefined && !guards.allowedExchanges.includes(instrument.exchange)) {
    throw refuse(
      'allowedExchanges',
      `${instrument.exchange} is not among ${guards.allowedExchanges.join(', ') || 'them'}.`,
      CHANGE_GUARD,
    );
  }
  if (guards.allowedProducts !== undefined && !guards.allowedProducts.includes(terms.product)) {
    throw refuse(
      'allowedProducts',
      `${terms.product} is not among ${guards.allowedProducts.join(', ') || 'them'}.`,
      CHANGE_GUARD,
    );
  }
  const names = [instrument.symbol.toUpperCase(), instrument.asset.toUpperCase()];
  if (guards.allowedInstruments !== undefined && !names.some((name) => guards.allowedInstruments?.includes(name))) {
    throw refuse('allowedInstruments', `${instrument.symbol} is not among them.`, CHANGE_GUARD);
  }
  if (guards.maxQuantity !== undefined && terms.quantity > guards.maxQuantity) {
    throw refuse('maxQuantity', `the quantity ${terms.quantity} is above ${guards.maxQuantity}.`, CHANGE_GUARD);
  }
  if (guards.marketHoursOnly) await requireMarketHours(facts);
  return await checkMoney(terms, guards, facts, unit);
}

async function requireMarketHours({ instrument, now, isTradingDay }: GuardFacts): Promise<void> {
  const state = tradesNow(instrument.exchange, instrument.derivative, now);
  if (state.open && (isTradingDay === undefined || (await isTradingDay()))) return;
  throw refuse(
    'marketHoursOnly',
    state.open ? `${instrument.exchange} does not trade today.` : `${instrument.exchange} trades ${state.hours}.`,
    CHANGE_GUARD,
  );
}

/** What did not trade yet has the price 0: measured by it, an order at the market would be worth nothing. */
async function lastPriceFor(guard: Guard, { lastPrice, instrument }: GuardFacts): Promise<number> {
  const last = await lastPrice();
  if (last > 0) return last;
  throw refuse(
    guard,
    `${instrument.symbol} has no last price to reckon with.`,
    `Give a limit price, or wait until it trades. ${CHANGE_GUARD}`,
  );
}

async function checkMoney(terms: OrderTerms, guards: Guards, facts: GuardFacts, unit: MoneyUnit): Promise<number> {
  const { maxPriceDistance, maxOrderValue, maxDayValue } = guards;
  if (maxPriceDistance !== undefined && terms.priceType === 'LIMIT' && terms.price !== undefined) {
    const last = await lastPriceFor('maxPriceDistance', facts);
    if (Math.abs(terms.price - last) * 10_000 > maxPriceDistance * last) {
      throw refuse(
        'maxPriceDistance',
        `the price ${showMoney(unit, terms.price)} is more than ${maxPriceDistance / 100} % from the last price ${showMoney(unit, last)}.`,
        CHANGE_GUARD,
      );
    }
  }
  if (maxOrderValue === undefined && maxDayValue === undefined) return 0;
  const value =
    terms.quantity *
    (terms.priceType === 'LIMIT' && terms.price !== undefined
      ? terms.price
      : await lastPriceFor(maxOrderValue === undefined ? 'maxDayValue' : 'maxOrderValue', facts));
  if (maxOrderValue !== undefined && value > maxOrderValue) {
    throw refuse(
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
      throw refuse(
        'maxDayValue',
        `with this order the day comes to ${showMoney(unit, before + value)}, above ${showMoney(unit, maxDayValue)}.`,
        CHANGE_GUARD,
      );
    }
    placements.reserve(scope, tag, value);
  }
  return value;
}

/**
 * Paise: what one order of the list counts for: what is filled, and what may still be.
 * @param sent what it was reckoned at when it was sent: an order at the market names no price until it is filled.
 */
function valueOf(order: OrderRecord, sent: number): number {
  const status = statusOf(order);
  if (status === 'REJECTED') return 0;
  const filled = numberOf(order.filled_qty);
  const average = numberOf(order.avg_filled_price);
  if (hasEnded(order)) return filled * average;
  const price = numberOf(order.order_price) || numberOf(order.LTP);
  if (price === 0) return Math.max(sent, filled * average);
  return filled * average + Math.max(0, numberOf(order.order_qty) - filled) * price;
}

/** Paise: the value of the day's orders, those included that this process has sent and the list does not show yet. */
export function dayValueOf(listed: readonly OrderRecord[], placements: Placements, scope: string): number {
  const sent = new Map(placements.values(scope));
  const shown = new Set<string>();
  let value = 0;
  for (const order of listed) {
    const identity = identityOf(tagOf(order));
    value += valueOf(order, sent.get(identity) ?? 0);
    shown.add(identity);
  }
  for (const [identity, one] of sent) if (!shown.has(identity)) value += one;
  return value;
}
