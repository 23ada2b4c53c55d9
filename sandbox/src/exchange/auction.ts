import { RANDOM_CLOSE } from './data/auctions';
import type { OrderBookSide } from './order-book-side';
import type { RandomSource } from '../shared/random';
import { effectiveOn } from '../shared/effective-date';
import { istDate } from '../shared/time';
import type { TradingPhase } from './trading-hours';
import type { QueueEntry } from './working-order';

/** Result of a call auction. */
export interface AuctionEquilibrium {
  /** Paise. */
  price: number;
  quantity: number;
}

/**
 * The price at which most can trade; of those the one that leaves least over, of those the one nearest to the
 * reference price (docs/service/exchange-rules.md#sessions, call auction). Undefined when nothing crosses.
 */
export function auctionEquilibrium(
  bids: OrderBookSide,
  asks: OrderBookSide,
  reference: number,
): AuctionEquilibrium | undefined {
  if (bids.best === undefined || asks.best === undefined || bids.best.price < asks.best.price) return undefined;
  const prices = new Set([...bids.levels, ...asks.levels].map(({ price }) => price));
  let equilibrium: (AuctionEquilibrium & { over: number }) | undefined;
  for (const price of prices) {
    const demand = quantityAt(bids, price);
    const supply = quantityAt(asks, price);
    const here = { price, quantity: Math.min(demand, supply), over: Math.abs(demand - supply) };
    if (equilibrium === undefined || ranksBefore(here, equilibrium, reference)) equilibrium = here;
  }
  return equilibrium;
}

/**
 * The price (paise, on tick) at which users' orders push an auction to where they still want to trade: the higher it is the
 * less they buy, and so the less they push it.
 * @param alone where others' orders meet by themselves
 * @param pushedBy where what users want at a price pushes it
 */
export function pushedPrice(alone: number, tick: number, pushedBy: (price: number) => number): number {
  const first = pushedBy(alone);
  if (first === alone) return alone;
  const way = Math.sign(first - alone);
  let [near, far] = [0, Math.round(Math.abs(first - alone) / tick)];
  while (far - near > 1) {
    const middle = (near + far) >> 1;
    const price = alone + way * middle * tick;
    if ((pushedBy(price) - price) * way >= 0) near = middle;
    else far = middle;
  }
  const last = alone + way * far * tick;
  return (pushedBy(last) - last) * way >= 0 ? last : alone + way * near * tick;
}

/** Trades an auction's quantity on one side at its one price, in priority. */
export function allotAuctionTrades(
  side: OrderBookSide,
  quantity: number,
  traded: (entry: QueueEntry, quantity: number) => void,
): void {
  let left = quantity;
  while (left > 0) {
    const entry = side.best!.first!;
    const hit = Math.min(left, entry.quantity);
    left -= hit;
    side.reduce(entry, hit);
    traded(entry, hit);
  }
}

/** The random closes of call auctions: each drawn once, the same for all instruments. */
export class AuctionCloses {
  private readonly drawn = new Map<number, number>();

  constructor(private readonly random: RandomSource) {}

  /** The instant (milliseconds) at which an auction really closes. */
  of({ phase, from, to }: TradingPhase): number {
    const known = this.drawn.get(to);
    if (known !== undefined) return known;
    const { withinMs } = effectiveOn(
      RANDOM_CLOSE.filter((row) => row.phase === phase),
      istDate(from),
    );
    const close = to - this.random.between(0, withinMs);
    this.drawn.set(to, close);
    return close;
  }

  state(): [end: number, close: number][] {
    return [...this.drawn];
  }

  restore(drawn: [end: number, close: number][]): void {
    for (const [end, close] of drawn) this.drawn.set(end, close);
  }
}

/** Quantity of a side that trades at a price or at a worse one for it. */
export function quantityAt(side: OrderBookSide, price: number): number {
  let sum = 0;
  for (const level of side.levels) {
    if (side.better(price, level.price)) break;
    sum += level.quantity;
  }
  return sum;
}

function ranksBefore(
  item: AuctionEquilibrium & { over: number },
  other: AuctionEquilibrium & { over: number },
  reference: number,
): boolean {
  if (item.quantity !== other.quantity) return item.quantity > other.quantity;
  if (item.over !== other.over) return item.over < other.over;
  const [near, far] = [Math.abs(item.price - reference), Math.abs(other.price - reference)];
  return near === far ? item.price > other.price : near < far;
}
