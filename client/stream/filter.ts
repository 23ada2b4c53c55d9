/** Which events a trigger gives out. Empty lists mean all. */
import { tradedInstrument } from './event';
import type { OrderEvent, OrderEventType } from './types';

export interface EventFilter {
  types: readonly OrderEventType[];
  /** Reference ids, as text, and symbols or platform names in capitals. */
  instruments: readonly string[];
  /** BUY, SELL. */
  sides: readonly string[];
  /** CNC, IDAY. */
  products: readonly string[];
  tags: readonly string[];
  /** Only how an order ended. */
  onlyEnds: boolean;
  /** Of the fill where there is one, of the order otherwise. */
  minQuantity: number;
  /** Paise; as `minQuantity`. */
  minValue: number;
  /** Whether events found by comparing are given out too. */
  recovered: boolean;
}

const ENDS: readonly OrderEventType[] = ['executed', 'cancelled', 'unsolicitedCancel', 'expired', 'rejected'];

export function isWanted(filter: EventFilter, event: OrderEvent): boolean {
  const { order, fill } = event;
  const types = [event.type, ...event.maybe];
  const { refId, symbol, platName, displayName } = tradedInstrument(event);
  const quantity = fill?.quantity ?? order.quantity;
  const price = fill?.price || order.averagePrice || order.price;
  return (
    (filter.recovered || !event.recovered) &&
    holdsOne(filter.types, types) &&
    (!filter.onlyEnds || types.some((type) => ENDS.includes(type))) &&
    holdsOne(filter.instruments, [String(refId), ...[symbol, platName, displayName].map((name) => name.toUpperCase())]) &&
    holdsOne(filter.sides, [order.side]) &&
    holdsOne(filter.products, [order.product]) &&
    holdsOne(filter.tags.map(tagWord), order.tags.map(tagWord)) &&
    quantity >= filter.minQuantity &&
    (filter.minValue === 0 || quantity * price >= filter.minValue)
  );
}

/** The stream gives tags out with hyphens for everything that is no letter or digit. */
function tagWord(tag: string): string {
  return tag.replace(/[^A-Za-z0-9]+/g, '-');
}

function holdsOne<T>(wanted: readonly T[], present: readonly T[]): boolean {
  return wanted.length === 0 || present.some((one) => wanted.includes(one));
}
