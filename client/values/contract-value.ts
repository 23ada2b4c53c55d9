/**
 * Value of a contract: the one place that combines a price with a quantity. A rupee of price is worth `lotMultiplier` rupees on one lot,
 * which is not the lot's quantity if the exchange quotes in another unit than it trades in (a lot of GOLD is 1 kg, and its price is that of
 * 10 g). Lint forbids every other product of a price and a quantity in client and nodes. Prices and money are paise.
 */
import type { Json } from './json';

/** Properties of an instrument that determine its value. */
export interface Contract {
  /** Units. */
  lotSize: number;
  /** Worth in rupees of a rupee of price on one lot; null if nothing tells it: then it has no value. */
  lotMultiplier: number | null;
}

/** A contract of known value. */
export interface KnownContract extends Contract {
  lotMultiplier: number;
}

/** Rupees that a rupee of price is worth on one lot, by MCX's own contract specifications. */
const MCX_MULTIPLIERS: Readonly<Record<string, number>> = {
  ALUMINI: 1_000,
  ALUMINIUM: 5_000,
  CARDAMOM: 100,
  COPPER: 2_500,
  COTTON: 25,
  COTTONOIL: 500,
  CRUDEOIL: 100,
  CRUDEOILM: 10,
  ELECDMBL: 50,
  GOLD: 100,
  GOLDGUINEA: 1,
  GOLDM: 10,
  GOLDPETAL: 1,
  GOLDTEN: 1,
  KAPAS: 200,
  LEAD: 5_000,
  LEADMINI: 1_000,
  MCXBULLDEX: 30,
  MCXMETLDEX: 40,
  MENTHAOIL: 360,
  NATGASMINI: 250,
  NATURALGAS: 1_250,
  NICKEL: 250,
  SILVER: 30,
  SILVER100: 10,
  SILVERM: 5,
  SILVERMIC: 1,
  STEELREBAR: 5,
  ZINC: 5_000,
  ZINCMINI: 1_000,
};

/** The contract of shares, which are counted in pieces. */
export const ONE_SHARE: KnownContract = { lotSize: 1, lotMultiplier: 1 };

/** Returns true if a trading symbol is that of a contract on a commodity: GOLD26DECFUT. */
export function isCommoditySymbol(symbol: string): boolean {
  const [, asset = ''] = /^([A-Z]{4,12})\d/.exec(symbol) ?? [];
  return Object.hasOwn(MCX_MULTIPLIERS, asset);
}

/** Fields of a row, a record or a frame about a contract. */
export interface ReportedContract {
  exchange: string;
  /** The underlying; '' where it is not told. */
  asset: string;
  /** Units; 0 if unknown. */
  lotSize: number;
  assetType?: string;
  /** `qty_multiplier` of the row, where it has one: the sandbox tells it, the live service does not. */
  qtyMultiplier?: Json;
}

/**
 * The contract that is told. Shares, and derivatives on them and on indices, are worth their units. Of a commodity it counts what the
 * row tells; where it tells nothing, lot and unit of the exchange must agree: in which unit the live service counts the others is not
 * known, and half a guess would be wrong by 8 to 5,000 times.
 */
export function contractOf({ exchange, asset, lotSize, assetType = '', qtyMultiplier }: ReportedContract): Contract {
  const lot = Math.max(1, lotSize);
  if (typeof qtyMultiplier === 'number' && Number.isSafeInteger(qtyMultiplier) && qtyMultiplier > 0)
    return { lotSize: lot, lotMultiplier: qtyMultiplier };
  if (exchange !== 'MCX' && !assetType.startsWith('COM')) return { lotSize: lot, lotMultiplier: lot };
  const known = Object.hasOwn(MCX_MULTIPLIERS, asset) ? MCX_MULTIPLIERS[asset] : undefined;
  return { lotSize: lot, lotMultiplier: known === lot ? known : null };
}

export function isKnownContract<T extends Contract>(contract: T): contract is T & KnownContract {
  return contract.lotMultiplier !== null;
}

/** Returns the reason for a missing value of a contract, for the user. */
export function whyUnvalued({ lotSize, symbol, asset }: Contract & { symbol: string; asset: string }): string {
  const known = Object.hasOwn(MCX_MULTIPLIERS, asset) ? MCX_MULTIPLIERS[asset] : undefined;
  const exchange =
    known === undefined
      ? 'its unit is not known'
      : `at the exchange a rupee of price is worth ₹${known.toLocaleString('en-IN')} on one lot`;
  return `what ${symbol} is worth cannot be told: the service gives a lot of ${lotSize}, ${exchange}, and nothing says in which unit the quantity is counted.`;
}

/**
 * Sums prices over a quantity: paise × units, no money. Average prices are worked out of it; money is `contractValue`.
 * @param quantity units, signed or not
 */
export function priceSum(price: number, quantity: number): number {
  return price * quantity;
}

/** Value (paise) of a quantity at a price, or of a change of price; signed as the two are. Exact for whole lots. */
export function contractValue({ lotSize, lotMultiplier }: KnownContract, price: number, quantity: number): number {
  const sum = priceSum(price, quantity);
  return lotSize === lotMultiplier ? sum : (sum / lotSize) * lotMultiplier;
}
