/**
 * The numbers of portfolio records. A service may write one as text; behind this file it is a number, or null where the text is no exact
 * number: an item never shows paise as rupees because they came as text. A quantity that cannot be read stays, and is refused where it counts.
 * An invalid mean price (0, below 0, 2^31 − 1) is null: nothing is worked out from it.
 */
import type { HoldingFields, HoldingStats, PositionFields, PositionStats } from '../endpoints/portfolio';
import type { Json, JsonObject } from '../values/json';
import { decimalFrom, wholeNumberFrom } from '../values/record';
import { spelledWord } from '../values/enums';
import { fillPriceIn } from '../values/market-price';

/** The fields of `T` that are numbers. */
type NumberField<T> = { [Key in keyof T]-?: NonNullable<T[Key]> extends number ? Key : never }[keyof T];

const NUMBER_FIELDS = [
  'ref_id',
  'strike_price',
  'lot_size',
  'qty_multiplier',
  'qty',
  'net_qty',
  'buy_qty',
  'sell_qty',
  'pledged_qty',
  't1_qty',
  'available_to_pledge',
  'avg_price',
  'avg_buy_price',
  'avg_sell_price',
  'prev_close',
  'ltp',
  'last_traded_price',
  'ltp_chg',
  'invested_value',
  'invested_amount',
  'current_value',
  'net_pnl',
  'net_pnl_chg',
  'day_pnl',
  'day_pnl_chg',
  'pnl',
  'pnl_chg',
  'total_pnl',
  'total_pnl_chg',
  'realised_pnl',
  'unrealised_pnl',
  'haircut',
  'margin_benefit',
] as const satisfies readonly (
  NumberField<HoldingFields> | NumberField<HoldingStats> | NumberField<PositionFields> | NumberField<PositionStats>
)[];
const NUMBERS: ReadonlySet<string> = new Set(NUMBER_FIELDS);

/** Quantities. One that is written and cannot be read stays: null would be none, and none is 0. */
const UNITS: ReadonlySet<string> = new Set([
  ...['qty', 'net_qty', 'buy_qty', 'sell_qty', 'pledged_qty', 't1_qty', 'available_to_pledge'],
]);

/** Prices beside the last one, which says why it is none. */
const PRICES: ReadonlySet<string> = new Set(['avg_price', 'avg_buy_price', 'avg_sell_price', 'prev_close']);

/** Fields of words: each is read in capitals and without blanks around it, as the specification writes it. */
const WORDS: ReadonlySet<string> = new Set(['exchange', 'order_side', 'product', 'derivative_type', 'option_type']);

/** A record, or totals, whose numbers are numbers or null, and whose words are spelled as specified; other fields stay unchanged. */
export function withNumbers<Rec extends JsonObject>(record: Rec): Rec {
  return spelled(withNumbersWhere(record, (name) => NUMBERS.has(name)));
}

function spelled<Rec extends JsonObject>(record: Rec): Rec {
  const words = Object.entries(record).flatMap(([name, value]): [string, string][] => {
    if (!WORDS.has(name) || typeof value !== 'string') return [];
    const word = spelledWord(value);
    return word === value ? [] : [[name, word]];
  });
  return words.length === 0 ? record : { ...record, ...Object.fromEntries(words) };
}

/** Names that are no amounts among the funds, whose other fields are all amounts. */
const OTHER_FUNDS = /(?:^|_)(?:code|id|name|date|time|at|message|currency)$/;

/** Text in place of an amount: digits, or a word for none. */
const AMOUNT_TEXT = /\p{N}|^\s*$|^-*(?:nan|infinity|n\/?a|null|none)?$/iu;

/** Funds whose amounts are numbers or null. */
export function fundsWithNumbers<Rec extends JsonObject>(funds: Rec): Rec {
  return withNumbersWhere(
    funds,
    (name, value) => typeof value === 'string' && AMOUNT_TEXT.test(value) && !OTHER_FUNDS.test(name),
  );
}

/** Returns the number of a field; null where there is none. */
function numberOf(name: string, value: Json): Json {
  const isMissing = value === null || (typeof value === 'string' && value.trim() === '');
  const number = decimalFrom(value) ?? (UNITS.has(name) ? wholeNumberFrom(value) : undefined);
  if (PRICES.has(name)) return fillPriceIn(number) ?? null;
  return number ?? (UNITS.has(name) && !isMissing ? value : null);
}

function withNumbersWhere<Rec extends JsonObject>(record: Rec, isNumber: (name: string, value: Json) => boolean): Rec {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, isNumber(name, value) ? numberOf(name, value) : value]),
  ) as Rec;
}
