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
  /** True unless it is closed, or listed with no units. */
  isOpen: boolean;
  /** Units; negative where it is sold, 0 where they or the direction are not known: then its profit is that of the reading. */
  quantity: number;
  symbol: string;
  /** Undefined where nothing tells what it is worth: then its profit is that of the reading. */
  contract: KnownContract | undefined;
  /** The last price that the reading reckoned with; undefined if it tells none. */
  lastPrice: MarketPrice | undefined;
  /** True if the service calculated its profit with an invalid price: the profit is then invalid too. */
  isUnpriced: boolean;
  /** Undefined if the reading tells none. */
  pnl: number | undefined;
}

export class LivePnl {
  private positions: ReadPosition[] = [];
  /** Undefined if the reading tells neither it nor all of its parts. */
  private total: number | undefined = 0;
  private readonly prices = new Map<number, MarketPrice>();

  /** Takes a reading; the newest prices stay. */
  read({ positions, stats }: Positions): void {
    this.positions = positions.flatMap((position) => {
      const { ref_id: refId, ltp, pnl, exchange, symbol } = position;
      if (typeof refId !== 'number') return [];
      const net = position.segment === 'closed' ? 0 : netQuantityOf(position);
      return [
        {
          refId,
          exchange: typeof exchange === 'string' ? exchange : '',
          isOpen: net !== 0,
          quantity: net ?? 0,
          contract: contractIn(position),
          symbol: typeof symbol === 'string' ? symbol : `ref_id ${refId}`,
          lastPrice: knownMarketPrice(ltp),
          isUnpriced: whyUnpriced(position) !== undefined,
          pnl: typeof pnl === 'number' ? pnl : undefined,
        },
      ];
    });
    const { total_pnl: reported } = stats;
    this.total = typeof reported === 'number' ? reported : sumOf(this.positions);
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

  /**
   * Names of the positions that keep a profit from being calculated: those that are open without a last price, or else those whose profit
   * the service does not tell.
   * @param refId undefined for the profit of all.
   */
  missing(refId?: number): { what: 'last price' | 'profit'; symbols: string[] } {
    const own = refId === undefined ? this.positions : this.positions.filter((position) => position.refId === refId);
    const namesOf = (positions: readonly ReadPosition[]): string[] => positions.map(({ symbol }) => symbol);
    const unpriced = own.filter(isWithoutPrice);
    if (unpriced.length > 0) return { what: 'last price', symbols: namesOf(unpriced) };
    const isReported = refId === undefined && this.total !== undefined;
    return { what: 'profit', symbols: isReported ? [] : namesOf(own.filter(({ pnl }) => pnl === undefined)) };
  }

  /**
   * Profit of all positions, closed ones of the day included; undefined while an open one has no price, and where the reading does not tell
   * it. It is that of the reading until each open position has a newer price: a reading may hold old ones, and a sum of old and new ones would
   * be a profit that never was.
   */
  get all(): number | undefined {
    if (this.total === undefined || this.positions.some(isWithoutPrice)) return undefined;
    const isMoved = this.positions.every(({ refId, quantity }) => quantity === 0 || this.prices.has(refId));
    const moved = isMoved ? this.positions.reduce((sum, position) => sum + this.movedBy(position), 0) : 0;
    return Math.round(this.total + moved);
  }

  /** Profit of one instrument's positions; undefined if there is none, no price of it, or the reading does not tell it. */
  of(refId: number): number | undefined {
    const own = this.positions.filter((position) => position.refId === refId);
    const reported = sumOf(own);
    if (own.length === 0 || reported === undefined || own.some(isWithoutPrice)) return undefined;
    return Math.round(own.reduce((sum, readPosition) => sum + this.movedBy(readPosition), reported));
  }

  private movedBy({ refId, quantity, lastPrice, contract }: ReadPosition): number {
    if (quantity === 0 || lastPrice === undefined || contract === undefined) return 0;
    return contractValue(contract, (this.prices.get(refId) ?? lastPrice) - lastPrice, quantity);
  }
}

const isWithoutPrice = ({ isOpen, isUnpriced }: ReadPosition): boolean => isOpen && isUnpriced;

/** Returns the profit of positions as the reading tells it; undefined if it does not tell that of each. */
function sumOf(positions: readonly ReadPosition[]): number | undefined {
  return positions.reduce<number | undefined>(
    (sum, { pnl }) => (sum === undefined || pnl === undefined ? undefined : sum + pnl),
    0,
  );
}
