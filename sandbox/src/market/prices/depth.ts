import { exponentialOf, hashInteger, subKey, uniformOf } from '../../shared/random';
import type { MarketDepth, DepthLevel } from './types';
import type { Instrument } from '../reference/types';

const { abs, floor, max, min, round, sqrt } = Math;

/** The liquidity that others show: the same at the same price for some seconds, so that queues can be stood in. */

/** Levels keep their quantity for this long, milliseconds. */
const STEP = 5000;
/** Share of prices at which somebody offers, where much is traded and where little is. */
const LIQUID = 0.8;
const THIN = 0.4;
/** No level is further from the best than this many ticks for each level that was asked for. */
const FURTHEST = 8;

/** Width of the book of a share with little trade: so much of the price, where a million rupees are traded in a usual minute. */
const WIDTH = 0.0003;
/** It grows as the root of what is traded shrinks, up to this. */
const WIDEST = 0.02;
/** A million rupees, paise. */
const MILLION = 1e8;

export interface BookLiquidity {
  key: number;
  /** Quantity of a usual minute. */
  perMinute: number;
  /** Paise. */
  tick: number;
  /** Lowest and highest price allowed. */
  lower: number;
  upper: number;
  /** Maximum quantity at the best price: as much as can be taken before the price moves. */
  atBest: number;
  /** Distance from the price (paise) of others' orders on either side: as one lot pushes it, and as a step of time takes off it. */
  room: number;
  /**
   * True if the value of an option is above its price, which is on a tick: nobody offers it for less, or bids more. By chance where it
   * is left out.
   */
  isAbove?: boolean | undefined;
  /** True if it may be worth nothing, so that nobody bids while its price is one tick. */
  worthless: boolean;
}

/** Returns the level at a price; it does not depend on where the market is. */
function level(price: number, liquidity: BookLiquidity, lot: number, step: number): DepthLevel {
  const key = subKey(subKey(liquidity.key, step), price);
  const usual = (liquidity.perMinute / lot) * 0.6;
  const lots = max(round(usual * (0.2 + exponentialOf(key))), 1);
  const orders = 1 + floor(min(lots - 1, 40) * uniformOf(hashInteger(key)));
  return { price, quantity: lots * lot, orders };
}

/** Returns a level with at most the quantity of the best price. */
function atBest({ price, quantity, orders }: DepthLevel, liquidity: BookLiquidity, lot: number): DepthLevel {
  const maxQuantity = max(floor(liquidity.atBest / lot), 1) * lot;
  return quantity <= maxQuantity
    ? { price, quantity, orders }
    : { price, quantity: maxQuantity, orders: min(orders, maxQuantity / lot) };
}

/** Number of ticks beyond the first bid and ask of a share usually that are apart. */
function ticksApart(price: number, { perMinute, tick }: BookLiquidity): number {
  const width = min(WIDTH * sqrt(MILLION / (perMinute * price)), WIDEST);
  return (width * price) / tick - 1;
}

/**
 * Book around a price. The price is the best bid or the best ask, as if the last trade had just hit it; both are further away
 * where one lot is much.
 */
export function depthAround(
  instrument: Instrument,
  at: number,
  around: number,
  levels: number,
  liquidity: BookLiquidity,
): MarketDepth {
  const { tick, key } = liquidity;
  // A price that was moved out of the day's band has a book all the same.
  const inside = around >= liquidity.lower && around <= liquidity.upper;
  const { lower, upper } = inside ? liquidity : { lower: 0, upper: Infinity };
  const lot = instrument.lotSize;
  const second = floor(at / 1000);
  const step = floor(at / STEP);
  const chance = subKey(subKey(key, 11), second);
  const thin = liquidity.perMinute / lot < 3;
  const undesired = liquidity.worthless && around <= tick;
  const hitBid = (liquidity.isAbove ?? (chance & 1) === 0) && !undesired;
  const isShare = instrument.derivativeType === 'STOCK';
  const usual = max(thin ? 2 : 0.4, isShare ? ticksApart(around, liquidity) : 0);
  // Both sides of a share are within its band.
  const limit = isShare ? max(floor((hitBid ? upper - around : around - lower) / tick), 1) : Infinity;
  const spread = tick * min(1 + floor(exponentialOf(chance) * usual), limit);
  const room = tick * (inside ? min(round(liquidity.room / tick), limit - 1) : 0);
  const bid = (hitBid ? around : around - spread) - room;
  const ask = (hitBid ? around + spread : around) + room;
  const occupied = (price: number): boolean => uniformOf(subKey(subKey(key, step + 1), price)) < (thin ? THIN : LIQUID);
  const side = (best: number, direction: 1 | -1): DepthLevel[] => {
    const bookLevels: DepthLevel[] = [];
    for (
      let price = best;
      bookLevels.length < levels && price >= max(lower, tick) && price <= upper;
      price += direction * tick
    ) {
      if (abs(price - best) > levels * FURTHEST * tick) break;
      if (price === best) bookLevels.push(atBest(level(price, liquidity, lot, step), liquidity, lot));
      else if (occupied(price)) bookLevels.push(level(price, liquidity, lot, step));
    }
    return bookLevels;
  };
  // At the end of its band a price is held by those who want to trade beyond it: nobody offers there.
  return {
    bids: inside && around === liquidity.lower ? [] : side(bid, -1),
    asks: inside && around === liquidity.upper ? [] : side(ask, 1),
  };
}
