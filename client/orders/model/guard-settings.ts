/** Settings of the guards: limits that the user sets in the credential and in the node. The stricter one counts. */
import { InputError } from '../../base/errors';
import type { CredentialFields } from '../../session/settings';
import { plainDecimal, showValue, unfilledHint, wholeNumber } from '../../values/input';
import { rupeesToPaise } from '../../values/money';
import { readTimeOfDay } from '../../values/time';
import { PRODUCTS, type Product } from './order-terms';

/** Limits on orders; undefined means no limit. Money in paise. */
export interface Guards {
  /** True if orders may be placed, changed and cancelled on Live. */
  allowLiveOrders: boolean;
  /** Orders are checked and shown, never sent. */
  dryRun: boolean;
  /** Units. */
  maxQuantity?: number;
  maxOrderValue?: number;
  maxDayValue?: number;
  /** Orders of the account on one day. */
  maxDayOrders?: number;
  /** Hundredths of a percent. */
  maxPriceDistance?: number;
  allowedExchanges?: readonly string[];
  allowedProducts?: readonly Product[];
  /** Trading symbols or underlyings in capitals. */
  allowedInstruments?: readonly string[];
  marketHoursOnly: boolean;
  /** Time of the day (HH:MM, IST) from which orders are refused. */
  latestTime?: string;
  /** True if a sale of delivery shares without the holder's authorisation at the depository is refused. */
  refuseUnauthorisedSales?: boolean;
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
  latestTime: 'Latest Time',
  maxDayOrders: 'Most Orders a Day',
  refuseUnauthorisedSales: 'Refuse Unauthorised Sales',
} as const;

const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0 || value === '0';

type ListName = 'allowedExchanges' | 'allowedProducts' | 'allowedInstruments';

/** Returns a list of texts. @throws InputError for any other value, and for only blanks and commas: it must not allow all. */
function list(fields: CredentialFields, name: ListName): string[] | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return undefined;
  const entries: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  const words = entries.map((entry) => (typeof entry === 'string' ? entry.trim().toUpperCase() : undefined));
  const named = words.filter((word) => word !== '');
  if (named.length > 0 && named.every((word) => word !== undefined)) return named;
  throw new InputError(`${GUARD_NAMES[name]} must name what is allowed, but is ${showValue(value)}.`, {
    parameter: name,
    hint: 'Enter names, or leave it empty to allow all. Nothing was sent.',
  });
}

function hundredthsOfPercent(value: unknown): number {
  const digits = plainDecimal(value);
  if (digits === undefined || digits.negative || digits.fraction.length > 2) {
    throw new InputError(`${GUARD_NAMES.maxPriceDistance} must be a percentage with at most two decimals.`, {
      parameter: 'maxPriceDistance',
    });
  }
  return Number(digits.whole + digits.fraction.padEnd(2, '0'));
}

/** Returns a time of day, HH:MM. @throws InputError for anything else: no order may be sent later by mistake. */
function latestTimeIn(value: unknown): string {
  const time = readTimeOfDay(value);
  if (time !== undefined) return time;
  throw new InputError(
    `${GUARD_NAMES.latestTime} must be a time of the day (IST) such as 15:00, but is ${showValue(value)}.`,
    {
      parameter: 'latestTime',
      hint: unfilledHint(value, 'Enter hours and minutes, from 00:00 to 23:59, or remove it. Nothing was sent.'),
    },
  );
}

/** Default of Orders per Second: below the ten of the rules since April 2026, to leave room for other programs. */
const ORDERS_PER_SECOND = 8;
/** Limit of the service's test environment. */
const MAX_ORDERS_PER_SECOND = 100;

/**
 * Returns the number of orders that this process may send in a second.
 * @returns undefined if no limit is set and nobody counts: on Sandbox and UAT.
 * @throws InputError (parameter `ordersPerSecond`) for any other value: nothing may be sent faster by mistake.
 */
export function readOrdersPerSecond(fields: CredentialFields): number | undefined {
  const value = fields.ordersPerSecond;
  if (value === undefined || value === null || value === '')
    return fields.environment === 'live' ? ORDERS_PER_SECOND : undefined;
  return wholeNumber(value, 'ordersPerSecond', { label: 'Orders per Second', min: 1, max: MAX_ORDERS_PER_SECOND });
}

const SWITCH_NAMES = {
  dryRun: 'Dry Run',
  limitOrders: 'Limit Orders',
  refuseUnauthorisedSales: GUARD_NAMES.refuseUnauthorisedSales,
  marketHoursOnly: GUARD_NAMES.marketHoursOnly,
} as const;

/**
 * Returns the state of a switch that holds orders back.
 * @throws InputError for any value but on and off: a misspelling must not switch it off.
 */
export function readSwitch(fields: CredentialFields, name: keyof typeof SWITCH_NAMES): boolean {
  const value = fields[name];
  if (value === undefined || value === null || value === '' || value === false || value === 'false') return false;
  if (value === true || value === 'true') return true;
  throw new InputError(`${SWITCH_NAMES[name]} must be true or false, but is ${showValue(value)}.`, {
    parameter: name,
    hint: 'Switch it on or off. Nothing was sent.',
  });
}

/**
 * Returns the limits among some fields, whose names are those of the credential; 0, empty or missing means no limit.
 * @throws InputError that names the field with an invalid limit.
 */
export function readLimits(fields: CredentialFields): Partial<Guards> {
  const amount = (name: 'maxOrderValue' | 'maxDayValue'): Partial<Guards> =>
    isUnset(fields[name]) ? {} : { [name]: rupeesToPaise(fields[name], name, { label: GUARD_NAMES[name] }) };
  const count = (name: 'maxQuantity' | 'maxDayOrders'): Partial<Guards> =>
    isUnset(fields[name]) ? {} : { [name]: wholeNumber(fields[name], name, { label: GUARD_NAMES[name] }) };
  const exchanges = list(fields, 'allowedExchanges');
  const products = list(fields, 'allowedProducts');
  const instruments = list(fields, 'allowedInstruments');
  return {
    ...count('maxQuantity'),
    ...count('maxDayOrders'),
    ...amount('maxOrderValue'),
    ...amount('maxDayValue'),
    ...(isUnset(fields.maxPriceDistance) ? {} : { maxPriceDistance: hundredthsOfPercent(fields.maxPriceDistance) }),
    ...(exchanges === undefined ? {} : { allowedExchanges: exchanges }),
    ...(products === undefined ? {} : { allowedProducts: PRODUCTS.filter((product) => products.includes(product)) }),
    ...(instruments === undefined ? {} : { allowedInstruments: instruments }),
    marketHoursOnly: readSwitch(fields, 'marketHoursOnly'),
    ...(isUnset(fields.latestTime) ? {} : { latestTime: latestTimeIn(fields.latestTime) }),
  };
}

/** The guards of a credential: its limits count while its switch "Limit Orders" is on. @throws InputError as `readLimits` */
export function readGuards(fields: CredentialFields): Guards {
  return {
    marketHoursOnly: false,
    ...(readSwitch(fields, 'limitOrders') ? readLimits(fields) : {}),
    allowLiveOrders: fields.allowLiveOrders === true,
    dryRun: readSwitch(fields, 'dryRun'),
    // On where nothing says otherwise: credentials that were saved before have no such field.
    refuseUnauthorisedSales: isUnset(fields.refuseUnauthorisedSales) || readSwitch(fields, 'refuseUnauthorisedSales'),
  };
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function common<T extends string>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a.filter((item) => b.includes(item));
}

/**
 * Both sets of guards together: of each, the stricter. The Live switch is the credential's alone; a dry run needs none.
 * Two lists of instruments both count, as an underlying in one may allow a contract of the other: then there are two sets,
 * and an order must pass both.
 */
export function withNodeGuards(credential: Guards, node: Partial<Guards>): Guards[] {
  const dryRun = credential.dryRun || node.dryRun === true;
  const joined: Guards = {
    allowLiveOrders: credential.allowLiveOrders || dryRun,
    dryRun,
    maxQuantity: smaller(credential.maxQuantity, node.maxQuantity),
    maxOrderValue: smaller(credential.maxOrderValue, node.maxOrderValue),
    maxDayValue: smaller(credential.maxDayValue, node.maxDayValue),
    maxPriceDistance: smaller(credential.maxPriceDistance, node.maxPriceDistance),
    allowedExchanges: common(credential.allowedExchanges, node.allowedExchanges),
    allowedProducts: common(credential.allowedProducts, node.allowedProducts),
    allowedInstruments: credential.allowedInstruments ?? node.allowedInstruments,
    marketHoursOnly: credential.marketHoursOnly || node.marketHoursOnly === true,
    latestTime: node.latestTime,
    maxDayOrders: node.maxDayOrders,
    refuseUnauthorisedSales: credential.refuseUnauthorisedSales,
  };
  const second = credential.allowedInstruments === undefined ? undefined : node.allowedInstruments;
  return second === undefined
    ? [joined]
    : [joined, { allowLiveOrders: true, dryRun: false, marketHoursOnly: false, allowedInstruments: second }];
}

/** Returns the guards of orders that only close: the number of the day's orders never keeps a position open. */
export function closingGuards(guards: readonly Guards[]): Guards[] {
  return guards.map((settings) => ({ ...settings, maxDayOrders: undefined }));
}

/** Returns true if orders are only shown: a dry run is allowed on Live, with its switch off. */
export function isDryRun(guards: readonly Guards[]): boolean {
  return guards.some(({ dryRun }) => dryRun);
}
