/**
 * Random round trips against an exchange in virtual time: any class of instrument, listing, size, kind of order and length.
 * Each fill is measured against the price that the market would have had without users, so that what is left is what the
 * exchange gave or took. A market that gives nothing away leaves every class with less than nothing.
 */
import { chargesOf, totalCharges } from '../../../../sandbox/src/accounts/charges';
import { NO_LATENCY } from '../../../../sandbox/src/exchange/models/latency';
import type { FillModel } from '../../../../sandbox/src/exchange/models/fill';
import type { ImpactModel } from '../../../../sandbox/src/exchange/models/impact';
import { TimeStepMarket } from '../../../../sandbox/src/exchange/time-step-market';
import { createExchange } from '../../../../sandbox/src/exchange/exchange';
import { MarketHalts } from '../../../../sandbox/src/exchange/halt';
import { withoutHaltedTrades } from '../../../../sandbox/src/exchange/halted-market';
import { createIntentOrders } from '../../../../sandbox/src/exchange/strategies/strategies';
import type { IntentOrders, NewIntent } from '../../../../sandbox/src/exchange/strategies/types';
import { PriceOverrides } from '../../../../sandbox/src/market/prices/price-overrides';
import type { Market } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import type { NewOrder, Side } from '../../../../sandbox/src/shared/orders';
import { createRandomSource, createUniform } from '../../../../sandbox/src/shared/random';
import { intent } from '../../../support/intents';
import { limitOrder } from '../../../support/trading';
import { ist } from './bots';
import { Bets } from './statistics';

const [SECOND, MINUTE] = [1_000, 60_000];
/** Account of the orders of `limitOrder`. */
const ACCOUNT = 'A';
/** Time in which a trip tries to end before the rest of it is given up, at the market's price. */
const PATIENCE = 10 * MINUTE;
/** Parts of a usual day's quantity; 0 means one lot. */
const SIZES = [0, 1e-4, 1e-3, 1e-2, 5e-2];
const HOLDS = [0, SECOND, 10 * SECOND, MINUTE, 10 * MINUTE];
const KINDS = ['market', 'limit', 'waiting', 'iceberg', 'pieces'] as const;
type Kind = (typeof KINDS)[number];

/** An exchange that is one trader's alone, and what this trader has paid and holds. */
export class Trader {
  /** Paise, and without what the market's price did meanwhile. */
  cash = 0;
  apart = 0;
  charges = 0;
  now: number;
  traded = 0;
  readonly exchange: ReturnType<typeof createExchange>;
  readonly intents: IntentOrders;
  private readonly held = new Map<number, number>();
  /** The market without users, with the prices that were moved by hand. */
  private readonly alone: TimeStepMarket;
  private readonly instruments = new Map<number, Instrument>();

  constructor(
    readonly market: Market,
    startAt: number,
    seed: number,
    { fill, impact }: { fill?: FillModel; impact?: ImpactModel } = {},
  ) {
    this.now = startAt;
    this.alone = new TimeStepMarket(market, new PriceOverrides(), SECOND);
    const halts = new MarketHalts();
    this.exchange = createExchange({
      market: withoutHaltedTrades(market, (instrument) => halts.of(instrument)),
      halts,
      priceOverrides: new PriceOverrides(impact?.curvesOf),
      random: createRandomSource(seed),
      options: { hours: 'exchange', latency: NO_LATENCY, ...(fill && { fill }) },
      startAt,
    });
    const instrument = (refId: number, at: number) => this.market.universe(at).byRefId(refId);
    const random = createRandomSource(seed + 1);
    this.intents = createIntentOrders({ exchange: this.exchange, instrument, random, startAt, latency: NO_LATENCY });
    this.exchange.onEvent((event) => {
      if (event.type !== 'trade') return;
      const { refId, side } = event.order;
      const { price, quantity, at } = event.trade;
      const traded = this.instruments.get(refId) ?? instrument(refId, startAt)!;
      this.book(traded, side, price, quantity, Number(at / 1_000_000n));
    });
  }

  /** Places one order now. @returns its id; undefined where it is refused */
  order(instrument: Instrument, side: Side, quantity: number, terms: Partial<NewOrder> = {}): bigint | undefined {
    this.instruments.set(instrument.refId, instrument);
    const market = { priceType: 'MARKET', price: 0, validity: 'IOC' } as const;
    const given = { refId: instrument.refId, side, quantity, product: 'IDAY' as const, ...market, ...terms };
    const placed = this.exchange.place(limitOrder(given), this.now);
    this.exchange.advance(this.now);
    return placed.ok ? placed.order.id : undefined;
  }

  /** Places an intent order now. @returns its id; undefined where it is refused */
  intend(given: Partial<NewIntent>): bigint | undefined {
    const placed = this.intents.place(intent({ ...given, account: ACCOUNT }), false, this.now);
    this.exchange.advance(this.now);
    return placed.ok ? placed.intent.id : undefined;
  }

  /** Ends all orders that work or wait, and lets a second pass. */
  cancelAll(): void {
    for (const { id } of this.intents.intents(ACCOUNT, this.now)) this.intents.cancel(id, null, this.now);
    for (const { id } of this.exchange.orders(ACCOUNT, this.now)) this.exchange.cancel(id, this.now);
    this.pass(SECOND);
  }

  /** Orders of any size, cut at the freeze quantity, all at once. */
  trade(instrument: Instrument, side: Side, quantity: number, terms: Partial<NewOrder> = {}): void {
    const largest =
      instrument.freezeQty > 0 ? Math.floor(instrument.freezeQty / instrument.lotSize) * instrument.lotSize : quantity;
    for (let left = quantity, n = 0; left > 0 && n < 60; left -= largest, n++)
      this.order(instrument, side, Math.min(left, largest), terms);
  }

  /** Moves a price by hand, as the control plane does; an index that moves by a tenth halts the market. */
  move({ refId }: Instrument, price: number): void {
    this.exchange.movePrice(refId, price, this.now);
    this.alone.move(this.market.universe(this.now).byRefId(refId)!, price, this.now);
  }

  pass(ms: number): void {
    this.now += ms;
    this.exchange.advance(this.now);
  }

  holding({ refId }: Instrument): number {
    return this.held.get(refId) ?? 0;
  }

  price(instrument: Instrument): number {
    return this.exchange.lastPrice(instrument, this.now);
  }

  /** Bid and ask; undefined where a side is empty. */
  quote(instrument: Instrument): { bid: number; ask: number } | undefined {
    const { bids, asks } = this.exchange.bookSnapshot(instrument, this.now, 1);
    return bids[0] && asks[0] && { bid: bids[0].price, ask: asks[0].price };
  }

  /** Sells or buys back all that is held of an instrument, second by second; what cannot be is given up at the market's price. */
  close(instrument: Instrument, everyMs = SECOND): void {
    const until = this.now + PATIENCE;
    while (this.holding(instrument) !== 0 && this.now < until) {
      const held = this.holding(instrument);
      this.trade(instrument, held > 0 ? 'SELL' : 'BUY', Math.abs(held));
      if (this.holding(instrument) !== 0) this.pass(everyMs);
    }
    this.giveUp(instrument);
  }

  /** Ends what is held at the price that the market would have without users. */
  giveUp(instrument: Instrument): void {
    const held = this.holding(instrument);
    if (held === 0) return;
    const fair = this.alone.price(instrument, this.now);
    this.book(instrument, held > 0 ? 'SELL' : 'BUY', fair, Math.abs(held), this.now);
  }

  /** @param at when it traded, in milliseconds: an order that waits trades before the time that has passed for the trader */
  private book(instrument: Instrument, side: Side, price: number, quantity: number, at: number): void {
    const sign = side === 'BUY' ? 1 : -1;
    const { refId, lotMultiplier, lotSize } = instrument;
    const units = (quantity * (instrument.exchange === 'MCX' ? lotMultiplier : lotSize)) / lotSize;
    const date = new Date(at + 19_800_000).toISOString().slice(0, 10);
    this.held.set(refId, (this.held.get(refId) ?? 0) + sign * quantity);
    this.cash -= sign * price * units;
    this.apart -= sign * (price - this.alone.price(instrument, at)) * units;
    this.charges += totalCharges(chargesOf(instrument, 'IDAY', side, Math.round(price * units), date));
    this.traded += quantity;
  }
}

/** Name of a class of instruments in the table. */
export function classOf({ exchange, derivativeType, assetType, isin }: Instrument): string {
  if (derivativeType === 'STOCK') return isin.startsWith('INF') ? `${exchange} fund` : `${exchange} share`;
  const of = assetType === 'INDEX_FO' ? 'index' : assetType === 'STOCK_FO' ? 'share' : 'commodity';
  return `${exchange} ${of} ${derivativeType === 'FUT' ? 'future' : 'option'}`;
}

/** Results of the trips of a class. */
export interface TripRow {
  name: string;
  trips: number;
  /** Rupees a trip before charges, and its standard error. */
  rupees: number;
  rupeesError: number;
  /** The same in spreads of the moment at which the trip began. */
  spreads: number;
  spreadsError: number;
  /** Rupees a trip after charges. */
  net: number;
  netError: number;
}

/** Trips of many kinds, collected by class. */
export class TripTable {
  private readonly rows = new Map<string, { rupees: Bets; spreads: Bets; net: Bets }>();

  add(name: string, { rupees, spreads, net }: { rupees: number; spreads: number; net: number }): void {
    const row = this.rows.get(name) ?? { rupees: new Bets(), spreads: new Bets(), net: new Bets() };
    this.rows.set(name, row);
    row.rupees.add(rupees);
    row.spreads.add(spreads);
    row.net.add(net);
  }

  get found(): TripRow[] {
    return [...this.rows]
      .map(([name, { rupees, spreads, net }]) => ({
        name,
        trips: rupees.count,
        rupees: rupees.mean,
        rupeesError: rupees.error,
        spreads: spreads.mean,
        spreadsError: spreads.error,
        net: net.mean,
        netError: net.error,
      }))
      .sort((a, b) => a.name.localeCompare(b.name));
  }
}

/** Instruments by class, as they trade on a day. */
function byClass(market: Market, day: string): Map<string, Instrument[]> {
  const found = new Map<string, Instrument[]>();
  for (const instrument of market.universe(ist(`${day}T12:00:00`)).all()) {
    if (instrument.derivativeType === 'INDEX') continue;
    const name = classOf(instrument);
    found.set(name, [...(found.get(name) ?? []), instrument]);
  }
  return found;
}

/**
 * Adds a number of random trips on the days of a market to a table. @param seed decides what the trips are, not the
 * market
 */
export function randomTrips(
  market: Market,
  days: readonly string[],
  count: number,
  seed: number,
  table: TripTable,
): void {
  const chance = createUniform(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;
  const known = new Map<string, Map<string, Instrument[]>>();
  for (let n = 0; n < count; n++) {
    const day = pick(days);
    if (!known.has(day)) known.set(day, byClass(market, day));
    const [name, instruments] = pick([...known.get(day)!]);
    const instrument = pick(instruments);
    const at = ist(`${day}T09:20:00`) + Math.floor((chance() * 5 * 3_600_000) / SECOND) * SECOND;
    const trip = { side: pick(['BUY', 'SELL'] as const), size: pick(SIZES), hold: pick(HOLDS), kind: pick(KINDS) };
    const outcome = roundTrip(new Trader(market, at, seed + n), instrument, trip);
    if (outcome === undefined) continue;
    table.add(name, outcome);
    table.add(`all, ${trip.kind}`, outcome);
    table.add(`all, ${trip.size === 0 ? 'one lot' : `${trip.size * 100} % of a day`}`, outcome);
  }
}

/** One round trip; undefined where nothing was traded. */
function roundTrip(
  trader: Trader,
  instrument: Instrument,
  { side, size, hold, kind }: { side: Side; size: number; hold: number; kind: Kind },
): { rupees: number; spreads: number; net: number } | undefined {
  const { lotSize } = instrument;
  const quantity =
    Math.max(1, Math.round((size * trader.market.liquidity(instrument, trader.now).volume) / lotSize)) * lotSize;
  const quote = trader.quote(instrument);
  if (quote === undefined) return undefined;
  const spread = quote.ask - quote.bid;
  enter(trader, instrument, side, quantity, kind);
  trader.pass(hold);
  trader.close(instrument);
  if (trader.traded === 0) return undefined;
  const units = (trader.traded / 2) * (instrument.exchange === 'MCX' ? instrument.lotMultiplier / lotSize : 1);
  return {
    rupees: trader.apart / 100,
    spreads: trader.apart / (spread * units),
    net: (trader.apart - trader.charges) / 100,
  };
}

/** Begins a trip. */
function enter(trader: Trader, instrument: Instrument, side: Side, quantity: number, kind: Kind): void {
  const { lotSize, tickSize } = instrument;
  const { bid, ask } = trader.quote(instrument)!;
  const away = side === 'BUY' ? 1 : -1;
  const limit = { priceType: 'LIMIT', validity: 'DAY' } as const;
  if (kind === 'market') return trader.trade(instrument, side, quantity);
  if (kind === 'limit') {
    const price = (side === 'BUY' ? ask : bid) + 5 * away * tickSize;
    return trader.trade(instrument, side, quantity, { ...limit, validity: 'IOC', price: Math.max(price, tickSize) });
  }
  if (kind === 'pieces') {
    const piece = Math.max(1, Math.round(quantity / 20 / lotSize)) * lotSize;
    for (let left = quantity; left > 0; left -= piece) {
      trader.trade(instrument, side, Math.min(left, piece));
      trader.pass(SECOND);
    }
    return;
  }
  const piece = Math.min(quantity, Math.max(lotSize, Math.floor(instrument.freezeQty / lotSize) * lotSize));
  const price = side === 'BUY' ? bid : ask;
  const iceberg =
    kind === 'iceberg' && piece > lotSize
      ? ({ kind: 'ICEBERG', legSize: Math.ceil(piece / 5 / lotSize) * lotSize } as const)
      : {};
  const id = trader.order(instrument, side, piece, { ...limit, ...iceberg, price });
  trader.pass(2 * MINUTE);
  if (id !== undefined) trader.exchange.cancel(id, trader.now);
  trader.pass(SECOND);
}
