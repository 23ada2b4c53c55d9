/**
 * Profit and loss between two readings of the positions. It is linear in the prices: what a reading says, and for each open
 * position its quantity times what the price has moved since. Amounts are paise.
 */
import { contractValue, type KnownContract } from '../values/contract-value';
import { knownMarketPrice, type MarketPrice } from '../values/market-price';
import { netQuantityOf } from './net-quantity';
import { contractIn, whyUnpriced, type Positions } from './portfolio';

/** One position as read. */
interface ReadPosition {
  refId: number;
  exchange: string;
  /** Units; negative where it is sold, 0 where the direction is not known: then its profit is that of the reading. */
  quantity: number;
  symbol: string;
  /** Undefined where nothing tells what it is worth: then its profit is that of the reading. */
  contract: KnownContract | undefined;
  /** The last price that the reading reckoned with; undefined if it tells none. */
  lastPrice: MarketPrice | undefined;
  /** True if the service calculated its profit with an invalid price: the profit is then invalid too. */
  isUnpriced: boolean;
  pnl: number;
}

export class LivePnl {
  private positions: ReadPosition[] = [];
  private total = 0;
  private readonly prices = new Map<number, MarketPrice>();

  /** Takes a reading; the newest prices stay. */
  read({ positions, stats }: Positions): void {
    this.positions = positions.flatMap((position) => {
      const { ref_id: refId, ltp, pnl, exchange, symbol } = position;
      if (typeof refId !== 'number') return [];
      return [
        {
          refId,
          exchange: typeof exchange === 'string' ? exchange : '',
          quantity: position.segment === 'closed' ? 0 : (netQuantityOf(position) ?? 0),
          contract: contractIn(position),
          symbol: typeof symbol === 'string' ? symbol : `ref_id ${refId}`,
          lastPrice: knownMarketPrice(ltp),
          isUnpriced: whyUnpriced(position) !== undefined,
          pnl: typeof pnl === 'number' ? pnl : 0,
        },
      ];
    });
    const { total_pnl: reported } = stats;
    this.total = typeof reported === 'number' ? reported : this.positions.reduce((sum, { pnl }) => sum + pnl, 0);
  }

  /** Takes a price. */
  price(refId: number, lastPrice: MarketPrice): void {
    this.prices.set(refId, lastPrice);
  }

  /** The instruments of open positions: their prices move the profit. */
  get open(): { refId: number; exchange: string }[] {
    const open = this.positions.filter(({ quantity }) => quantity !== 0);
    return [...new Map(open.map(({ refId, exchange }) => [refId, { refId, exchange }])).values()];
  }

  /** Names of the open positions without a last price from the service; a profit that includes one of them is not calculated. */
  get unpriced(): string[] {
    return this.positions.filter(isWithoutPrice).map(({ symbol }) => symbol);
  }

  /**
   * Profit of all positions, closed ones of the day included; undefined while an open one has no price. It is that of the reading until each
   * open position has a newer price: a reading may hold old ones, and a sum of old and new ones would be a profit that never was.
   */
  get all(): number | undefined {
    if (this.positions.some(isWithoutPrice)) return undefined;
    const isMoved = this.positions.every(({ refId, quantity }) => quantity === 0 || this.prices.has(refId));
    const moved = isMoved ? this.positions.reduce((sum, position) => sum + this.movedBy(position), 0) : 0;
    return Math.round(this.total + moved);
  }

  /** Profit of one instrument's positions; undefined if there is none, or no price of it. */
  of(refId: number): number | undefined {
    const own = this.positions.filter((position) => position.refId === refId);
    if (own.length === 0 || own.some(isWithoutPrice)) return undefined;
    return Math.round(own.reduce((sum, readPosition) => sum + readPosition.pnl + this.movedBy(readPosition), 0));
  }

  private movedBy({ refId, quantity, lastPrice, contract }: ReadPosition): number {
    if (quantity === 0 || lastPrice === undefined || contract === undefined) return 0;
    return contractValue(contract, (this.prices.get(refId) ?? lastPrice) - lastPrice, quantity);
  }
}

const isWithoutPrice = ({ quantity, isUnpriced }: ReadPosition): boolean => quantity !== 0 && isUnpriced;
