/** From the size fields of an item to a quantity. */
import { InputError } from '../../../client/base/errors';
import { getLastPrice } from '../../../client/market/quotes';
import { expectedEntry } from '../../../client/orders/model/exits';
import type { OrderTerms } from '../../../client/orders/model/order-terms';
import { TooSmallError, unitsFor, type Sizing } from '../../../client/orders/model/position-sizing';
import { showValue } from '../../../client/values/input';
import { exactHundredths, exactPaise, type MoneyUnit } from '../../../client/values/money';
import { priceUnitOf } from '../../shared/fields';
import type { ItemContext } from '../common/itemContext';
import { portfolioSource } from '../common/portfolioSource';
import type { Service } from '../../shared/service';

const SIZE_BY = ['amount', 'funds', 'quantity', 'risk'] as const;
const MONEY_FIELD = { amount: 'sizeAmount', funds: 'sizePercent', risk: 'sizeRisk' } as const;
const SIZE_HINT = {
  amount: 'Enter the money that the order may cost, such as 5000.',
  funds: 'Enter the share of your funds in percent, such as 10.',
  risk: 'Enter the money that you may lose, such as 1000.',
} as const;
/** Advice where a percentage is entered for money or for a price. */
const PERCENT_HINT = {
  sizeAmount: 'For a percentage of your funds, set Size By to Percent of Funds.',
  sizeRisk:
    'For 1 % of your funds, put Portfolio: Get Funds before this step, and enter the expression {{ $json.net_margin_available * 0.01 }}.',
  stopPrice: 'For a percentage from the entry, leave it empty and add Stop Loss under Exits.',
} as const;
const HUNDREDTHS_OF_ALL = 10_000;

/** Amount that the user wants to spend or to risk. */
export interface SizeInput {
  by: keyof typeof MONEY_FIELD;
  /** Paise; of the funds hundredths of a percent. */
  value: number;
  /** Paise; undefined if the stop loss on the order counts. */
  stop: number | undefined;
}

/**
 * Returns the sizing of an order; undefined for one with a quantity.
 * @throws InputError for an amount, a share or a risk of 0, and for more than all of the funds.
 */
export function readSizeInput(item: ItemContext): SizeInput | undefined {
  const by = item.optionalChoice('sizeBy', SIZE_BY) ?? 'quantity';
  if (by === 'quantity') return undefined;
  const name = MONEY_FIELD[by];
  const [label, unit] = [item.label(name), priceUnitOf(item)];
  const value =
    by === 'funds'
      ? exactHundredths(item.raw(name), name, { label })
      : moneyOf(item, by === 'risk' ? 'sizeRisk' : 'sizeAmount', unit);
  if (value === 0)
    throw new InputError(`${label} must be above 0. Nothing was sent.`, { parameter: name, hint: SIZE_HINT[by] });
  if (by === 'funds' && value > HUNDREDTHS_OF_ALL)
    throw new InputError(`${label} must be 100 or less. Nothing was sent.`, { parameter: name });
  const stop = by === 'risk' && item.has('stopPrice') ? moneyOf(item, 'stopPrice', unit) : 0;
  return { by, value, stop: stop === 0 ? undefined : stop };
}

/** Returns a field of money, paise. @throws InputError as `exactPaise`; for a percentage with the way to it. */
function moneyOf(item: ItemContext, name: keyof typeof PERCENT_HINT, unit: MoneyUnit): number {
  const [value, label] = [item.raw(name), item.label(name)];
  if (typeof value === 'string' && value.trim().endsWith('%'))
    throw new InputError(`${label} takes ${unit}, but is ${showValue(value)}. Nothing was sent.`, {
      parameter: name,
      hint: PERCENT_HINT[name],
    });
  return exactPaise(value, unit, name, { label });
}

/**
 * The quantity that the size comes to, units.
 * @param terms the order, its exits among them; its quantity does not count.
 * @returns the error where it is less than one lot. @throws InputError for a risk without a stop.
 */
export async function sizedQuantity(
  item: ItemContext,
  { by, value, stop }: SizeInput,
  terms: OrderTerms,
  { transport }: Service,
): Promise<number | TooSmallError> {
  const { instrument, side, exits, kept } = terms;
  const at = by === 'risk' ? (stop ?? exits?.stop?.trigger ?? kept?.stop) : undefined;
  if (by === 'risk' && at === undefined)
    throw new InputError('A risk needs a stop. Nothing was sent.', {
      parameter: 'stopPrice',
      hint: 'Fill in Stop Price, or add Stop Loss under Exits.',
    });
  const need = {
    purpose: 'to size by',
    parameter: MONEY_FIELD[by],
    hint: 'Give a limit price, or a quantity.',
  };
  const entry = expectedEntry(terms) ?? (await getLastPrice(transport, instrument, need, item.run.signal));
  const money = by === 'funds' ? Math.floor((value * (await availableOf(item))) / HUNDREDTHS_OF_ALL) : value;
  const parameter = MONEY_FIELD[by];
  const stopped = at === undefined ? {} : { stop: at };
  return unitsOrTooSmall({
    money,
    entry,
    ...stopped,
    side,
    instrument,
    unit: priceUnitOf(item),
    parameter,
    label: item.label(parameter),
  });
}

function unitsOrTooSmall(sizing: Sizing): number | TooSmallError {
  try {
    return unitsFor(sizing);
  } catch (error) {
    return tooSmallOnly(error);
  }
}

function tooSmallOnly(error: unknown): TooSmallError {
  if (error instanceof TooSmallError) return error;
  throw error;
}

/** Paise that are available for orders. @throws InputError if the service does not say. */
async function availableOf(item: ItemContext): Promise<number> {
  const { net_margin_available: available } = await (await portfolioSource(item)).funds();
  if (typeof available === 'number') return Math.max(0, available);
  throw new InputError('The service does not say how much is available. Nothing was sent.', {
    parameter: 'sizePercent',
    hint: 'Look at Portfolio: Get Funds, or size by an amount.',
  });
}

/** Returns the item of an order that is skipped because it is too small; undefined for any other error, and if too small is an error. */
export function skippedFor(item: ItemContext, error: unknown): object | undefined {
  if (!(error instanceof TooSmallError) || item.optionalChoice('whenTooSmall', ['error', 'skip']) !== 'skip')
    return undefined;
  return { skipped: true, reason: error.message };
}
