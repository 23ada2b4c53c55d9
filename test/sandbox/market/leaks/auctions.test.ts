import { createExchange } from '../../../../sandbox/src/exchange/exchange';
import { NO_LATENCY } from '../../../../sandbox/src/exchange/models/latency';
import type { ExchangeEvent } from '../../../../sandbox/src/exchange/types';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import { createRandomSource } from '../../../../sandbox/src/shared/random';
import { limitOrder } from '../../../support/trading';
import { expiry, ist, tradingDays } from './bots';
import { Bets } from './statistics';
import type { Exchange } from '../../../../sandbox/src/exchange/contract';

const market = createMarket({ seed: 5, universe: 'demo' });
const days = tradingDays(market, '2026-08-31', 51).filter((day) =>
  market.calendar.sessions('NSE', false, day).some(({ phase }) => phase === 'CLOSING_AUCTION'),
);
const universe = market.universe(ist('2026-09-28T12:00:00'));
const share = universe.bySymbol('NSE', 'RELIANCE')!;
const future = universe.futures('NSE', 'RELIANCE').at(-1)!;
/** Errors that a lucky bot may be away from nothing. */
const LUCK = 4;

function open(startAt: number): { exchange: Exchange; events: ExchangeEvent[] } {
  const exchange = createExchange({
    market,
    random: createRandomSource(3),
    options: { hours: 'exchange', latency: NO_LATENCY },
    startAt,
  });
  const events: ExchangeEvent[] = [];
  exchange.onEvent((event) => events.push(event));
  return { exchange, events };
}

function place(exchange: Exchange, at: number, price: number, quantity: number, side: 'BUY' | 'SELL' = 'BUY'): bigint {
  const placed = exchange.place(limitOrder({ refId: share.refId, price, quantity, side }), at);
  if (!placed.ok) throw new Error(placed.text);
  exchange.advance(at);
  return placed.order.id;
}

const onTick = (price: number) => Math.round(price / share.tickSize) * share.tickSize;

describe('Leak 3: an auction', () => {
  it('does not tell by its book what it will find to one who trades the future on it', () => {
    const bets = new Bets();
    for (const day of days) {
      const { exchange } = open(ist(`${day}T15:10:00`));
      const last = market.price(share, ist(`${day}T15:14:59`));
      place(exchange, ist(`${day}T15:16:00`), onTick(last * 0.98), 1);
      const { bids, asks } = exchange.bookSnapshot(share, ist(`${day}T15:16:00`), 5);
      const shown = (bids[0]!.price + asks[0]!.price) / 2;
      const then = market.price(future, ist(`${day}T15:16:00`));
      const end = market.price(future, ist(`${day}T15:35:00`));
      bets.add((Math.sign(shown - last) * (end - then)) / then);
    }
    expect(bets.count).toBe(50);
    expect(Math.abs(bets.score)).toBeLessThan(LUCK);
    expect(bets.right).toBeLessThan(40);
  });

  it('does not tell by its indicative price, which moves to the end', () => {
    const bets = new Bets();
    const moved = new Set<number>();
    for (const day of days) {
      const shown = market.indicativeClose(share, ist(`${day}T15:25:00`))!;
      const before = market.indicativeClose(share, ist(`${day}T15:20:00`))!;
      const end = market.price(share, ist(`${day}T15:35:00`));
      bets.add((Math.sign(shown - before) * (end - shown)) / shown);
      for (let s = 0; s < 60; s++) moved.add(market.indicativeClose(share, ist(`${day}T15:34:00`) + s * 1000)!);
    }
    expect(Math.abs(bets.score)).toBeLessThan(LUCK);
    expect(moved.size).toBeGreaterThan(300);
  });

  it('shows a price before the open that moves, around which orders are placed, and that ends at the open', () => {
    const day = days[3]!;
    const shown = Array.from({ length: 48 }, (_, i) =>
      market.auctionPrice(share, ist(`${day}T09:00:00`) + i * 10_000)!,
    );
    expect(new Set(shown).size).toBeGreaterThan(20);
    const open = market.price(share, ist(`${day}T09:08:00`));
    expect(Math.abs(shown.at(-1)! / open - 1)).toBeLessThan(0.004);
    expect(market.auctionPrice(share, ist(`${day}T09:08:00`))).toBeNull();
  });
});

describe('Leak 4: a contract that expires', () => {
  it('has nothing to earn once its settlement is known, and is worth that', () => {
    const bets = expiry(
      market,
      tradingDays(market, '2026-08-31', 22).filter((day) => new Date(day).getUTCDay() === 2),
    );
    expect(bets.count).toBeGreaterThan(1000);
    expect(bets.right).toBe(0);
  });
});

describe('Leak 6: an auction', () => {
  it.each([
    ['a closing auction', '15:10:00', '15:20:00', '15:35:00'],
    ['a pre-open', '08:55:00', '09:05:00', '09:08:00'],
  ])('trades at its price and no other: %s fills at the price that the market has then', (_what, from, when, ends) => {
    for (const day of days.slice(0, 12)) {
      const { exchange, events } = open(ist(`${day}T${from}`));
      const at = ist(`${day}T${when}`);
      const about = market.price(share, at);
      const ids = [
        place(exchange, at, onTick(about * 1.02), 40),
        place(exchange, at, onTick(about * 1.019), 7),
        place(exchange, at, onTick(about * 0.98), 30, 'SELL'),
        place(exchange, at, onTick(about * 0.97), 30),
      ];
      exchange.advance(ist(`${day}T${ends}`));
      const fills = events.flatMap((event) => (event.type === 'trade' ? [event] : []));
      const price = market.price(share, ist(`${day}T${ends}`));
      if (Math.abs(price / about - 1) > 0.018) continue;
      expect(fills.map(({ trade }) => trade.price)).toEqual(fills.map(() => price));
      expect(ids.slice(0, 3).map((id) => exchange.order(id)!.status)).toEqual(['FILLED', 'FILLED', 'FILLED']);
      expect(exchange.order(ids[3]!)!.filledQuantity).toBe(0);
    }
  });

  it("shows the user's order in its book, all through", () => {
    const day = days[1]!;
    const { exchange } = open(ist(`${day}T15:10:00`));
    const about = market.indicativeClose(share, ist(`${day}T15:20:00`))!;
    const price = onTick(about * 0.985);
    place(exchange, ist(`${day}T15:20:00`), price, 123);
    for (const time of ['15:20:01', '15:24:30', '15:29:59', '15:34:59']) {
      exchange.advance(ist(`${day}T${time}`));
      const { bids } = exchange.bookSnapshot(share, ist(`${day}T${time}`), 1000);
      expect(bids.find((level) => level.price === price)).toMatchObject({ quantity: 123, orders: 1 });
    }
  });

  it('lets nothing trade after the close', () => {
    for (const day of days.slice(0, 10)) {
      const at = (time: string) => ist(`${day}T${time}`);
      expect(market.volume(share, at('15:16:00'), at('15:35:00'))).toBe(0);
      expect(market.volume(share, at('15:35:00'), at('15:35:01'))).toBeGreaterThan(0);
      expect(market.volume(share, at('15:35:01'), at('23:00:00'))).toBe(0);
      expect(market.price(share, at('15:35:00'))).toBe(market.price(share, at('23:00:00')));
    }
  });
});
