/** Filter of events that start a trigger's workflow. An empty list means all. */
import { contractValue, isKnownContract } from '../../values/contract-value';
import { userTagOf } from '../../orders/model/tags';
import { tradedInstrument } from '../reconciliation/order-event';
import {
  END_EVENTS,
  type OrderEventType,
  type OrderInstrument,
  type OrderSnapshot,
} from '../../orders/model/order-snapshot';
import { type OrderEvent } from '../reconciliation/types';

export interface EventFilter {
  /** No other type is wanted. */
  types: readonly OrderEventType[];
  /** In capitals: reference ids, symbols (with or without their exchange, as NSE:INFY), underlyings or names. */
  instruments: readonly string[];
  /** BUY, SELL. */
  sides: readonly string[];
  /** CNC, IDAY. */
  products: readonly string[];
  /** The whole of a tag, or the person's part of one that was made by {@link intentTag}. */
  tags: readonly string[];
  /** As `tags`: events of these orders are left out. */
  tagsLeftOut: readonly string[];
  /** Only how an order ended. */
  onlyEnds: boolean;
  /** Of the fill where there is one, of the order otherwise. */
  minQuantity: number;
  /**
   * Paise; as `minQuantity`. An event without a price, such as a rejected order at the market, passes, and so does a commodity of unknown
   * unit.
   */
  minValue: number;
  /** True if events found by comparing count too. */
  recovered: boolean;
}

/** Returns true if a trigger wants an event. All parts of its filter must match. */
export function passesFilter(filter: EventFilter, event: OrderEvent): boolean {
  const { order, fill } = event;
  const types = [event.type, ...event.maybe];
  const quantity = fill?.quantity ?? order.quantity;
  // The price of a basket is negative where more is sold than bought.
  const price = Math.abs(fill?.price || order.averagePrice || order.price);
  const { contract } = tradedInstrument(event);
  return (
    (filter.recovered || !event.recovered) &&
    types.some((type) => filter.types.includes(type)) &&
    (!filter.onlyEnds || types.some((type) => END_EVENTS.includes(type))) &&
    holdsOne(filter.instruments, () => instrumentsOf(event).flatMap(namesOf)) &&
    holdsOne(filter.sides, () => [order.side]) &&
    holdsOne(filter.products, () => [order.product]) &&
    holdsOne(filter.tags.map(tagWord), () => tagWordsOf(order)) &&
    (filter.tagsLeftOut.length === 0 || !holdsOne(filter.tagsLeftOut.map(tagWord), () => tagWordsOf(order))) &&
    quantity >= filter.minQuantity &&
    (filter.minValue === 0 ||
      price === 0 ||
      !isKnownContract(contract) ||
      contractValue(contract, price, quantity) >= filter.minValue)
  );
}

/** Returns the instruments of an event: the traded one, or all legs of a basket if the event is about the basket. */
function instrumentsOf(event: OrderEvent): OrderInstrument[] {
  const legs = event.fill ? [] : event.order.legs.flatMap(({ instrument }) => instrument ?? []);
  return [tradedInstrument(event), ...legs];
}

function namesOf({ refId, exchange, symbol, asset, platName, displayName }: OrderInstrument): string[] {
  return [
    String(refId),
    ...namesWith(exchange, [symbol, asset]),
    ...[platName, displayName].map((name) => name.toUpperCase()),
  ];
}

/** Names in capitals, alone and behind their exchange. */
export function namesWith(exchange: string, names: readonly string[]): string[] {
  return names
    .filter((name) => name !== '')
    .flatMap((name) => [name.toUpperCase(), `${exchange}:${name}`.toUpperCase()]);
}

/** The stream gives tags out with hyphens for everything that is no letter or digit. */
function tagWord(tag: string): string {
  return tag.replace(/[^A-Za-z0-9]+/g, '-');
}

/** The tags of an order, each as a whole and the person's part of it. */
function tagWordsOf({ tags }: OrderSnapshot): string[] {
  return tags.flatMap((tag) => [tag, userTagOf(tag)]).map(tagWord);
}

function holdsOne<T>(requested: readonly T[], present: () => readonly T[]): boolean {
  return requested.length === 0 || present().some((item) => requested.includes(item));
}
