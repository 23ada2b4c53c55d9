/** Records of the newer portfolio paths under the names of the older ones (intent orders, section 4). */
import { asObject, type Json, type JsonObject } from '../values/json';
import { saidOf } from '../values/words';

/** `netQuantity` is `net_quantity`. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Names that are other words, after their spelling is that of the older paths. `displayName` is spelled so there too. */
const HOLDING_NAMES: Readonly<Record<string, string>> = { quantity: 'qty', display_name: 'displayName' };
const POSITION_NAMES: Readonly<Record<string, string>> = {
  net_quantity: 'net_qty',
  buy_quantity: 'buy_qty',
  sell_quantity: 'sell_qty',
  last_traded_price: 'ltp',
};

function renamed(record: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const spelled = snake(name);
      return [saidOf(names, spelled) ?? spelled, value];
    }),
  );
}

/** The totals, or the funds, under the older names. */
export function totalsOf(value: Json | undefined): JsonObject {
  return renamed(asObject(value) ?? {}, {});
}

/** A holding under the older names. */
export function holdingOf(record: JsonObject): JsonObject {
  return renamed(record, HOLDING_NAMES);
}

/** A position under the older names, with the unsigned `qty` and the words that it has there, and its signed `net_qty`. */
export function positionOf(record: JsonObject): JsonObject {
  const position = renamed(record, POSITION_NAMES);
  const net = typeof position.net_qty === 'number' ? position.net_qty : undefined;
  const { delivery_type: delivery, ...rest } = position;
  return {
    ...rest,
    ...(net === undefined ? {} : { qty: Math.abs(net) }),
    ...(net === undefined || net === 0 ? {} : { order_side: net < 0 ? 'SELL' : 'BUY' }),
    ...(typeof delivery !== 'string'
      ? {}
      : { product: delivery.startsWith('ORDER_') ? delivery : `ORDER_DELIVERY_TYPE_${delivery}` }),
  };
}
