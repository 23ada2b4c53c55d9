/** Records of the newer portfolio paths under the names of the older ones (docs/service/portfolio.md#newer-names). */
import type { HoldingFields, PositionFields } from '../endpoints/portfolio';
import { asObject, type Json, type JsonObject } from '../values/json';
import { decimalFrom, objectFrom, wholeNumberFrom, type WireRecord } from '../values/record';
import { enumWord } from '../values/enums';

/** `netQuantity` is `net_quantity`. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type Names<T> = Readonly<Record<string, keyof T & string>>;

/** Names that are other words, after their spelling is that of the older paths. `displayName` is spelled so there too. */
const HOLDING_NAMES: Names<HoldingFields> = { quantity: 'qty', display_name: 'displayName' };
const POSITION_NAMES: Names<PositionFields> = {
  net_quantity: 'net_qty',
  buy_quantity: 'buy_qty',
  sell_quantity: 'sell_qty',
  last_traded_price: 'ltp',
};

function renamed<T>(record: JsonObject, names: Names<T>): WireRecord<T> {
  const fields = new Map<string, Json>();
  for (const [name, value] of Object.entries(record)) {
    const spelled = snake(name);
    const enumName = enumWord(names, spelled) ?? spelled;
    fields.set(enumName, agreedValue(fields.get(enumName) ?? null, value));
  }
  return objectFrom<T>(Object.fromEntries(fields));
}

/** The value of a field that a record may have under two names: of two numbers that differ, a text that is neither. */
function agreedValue(first: Json, second: Json): Json {
  if (first === null || second === null) return first ?? second;
  const [one, other] = [decimalFrom(first), decimalFrom(second)];
  return one === null || other === null || one === other ? first : `${one} or ${other}`;
}

/** The totals, or the funds, under the older names. */
export function totalsInOlderNames<T>(value: Json | undefined): WireRecord<T> {
  return renamed<T>(asObject(value) ?? {}, {});
}

/** A holding under the older names. */
export function holdingInOlderNames(record: JsonObject): WireRecord<HoldingFields> {
  return renamed(record, HOLDING_NAMES);
}

/** A position under the older names, with the unsigned `qty` and the words that it has there, and its signed `net_qty`. */
export function positionInOlderNames(record: JsonObject): WireRecord<PositionFields> {
  const position = renamed<PositionFields & { delivery_type?: string }>(record, POSITION_NAMES);
  const { net_qty: written } = position;
  const net = wholeNumberFrom(written);
  const { delivery_type: delivery, ...rest } = position;
  return {
    ...rest,
    // A signed quantity that cannot be read is refused where it counts, whatever the unsigned one is.
    ...(written === undefined || written === null ? {} : { qty: net === undefined ? written : Math.abs(net) }),
    ...(net === undefined || net === 0 ? {} : { order_side: net < 0 ? 'SELL' : 'BUY' }),
    ...(typeof delivery !== 'string'
      ? {}
      : { product: delivery.startsWith('ORDER_') ? delivery : `ORDER_DELIVERY_TYPE_${delivery}` }),
  };
}
