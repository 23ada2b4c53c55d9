import fc from 'fast-check';
import { createAccounts } from '../../../sandbox/src/accounts/accounts';
import type { Accounts } from '../../../sandbox/src/accounts/types';
import { createRandomSource } from '../../../sandbox/src/shared/random';
import { createExchange } from '../../../sandbox/src/exchange/exchange';
import type { ExchangeEvent } from '../../../sandbox/src/exchange/types';
import type { NewOrder } from '../../../sandbox/src/shared/orders';
import { createMarket } from '../../../sandbox/src/market/prices/market';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { limitOrder } from '../../support/trading';
import type { Exchange } from '../../../sandbox/src/exchange/contract';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 3);
const at = (time: string): number => Date.parse(`2026-11-23T${time}+05:30`);
const market = createMarket({ seed: 11, universe: 'demo' });
const universe = market.universe(at('09:00:00'));
const future = universe.futures('NSE', 'NIFTY')[0]!;
const spot = market.price(universe.byRefId(future.underlyingRefId!)!, at('10:00:00'));
const calls = universe.options('NSE', 'NIFTY', universe.expiries('NSE', 'NIFTY')[0]!).ce;
const INSTRUMENTS: Instrument[] = [
  universe.bySymbol('NSE', 'INFY')!,
  future,
  calls.find(({ strikePrice }) => strikePrice >= spot)!,
];

interface MatchingEngine {
  exchange: Exchange;
  accounts: Accounts;
  events: ExchangeEvent[];
}

/** The whole of it: the simulated market, the exchange in its sessions, accounts that hold and book. */
function open(seed: number, startAt: number): MatchingEngine {
  const accounts: Accounts = createAccounts({
    calendar: market.calendar,
    instrument: (refId, instant) => market.universe(instant).byRefId(refId),
    listings: ({ refId }) => [refId],
    buyIn: () => {
      throw new Error('nothing is short here');
    },
    lastPrice: (instrument, instant) => exchange.lastPrice(instrument, instant),
    previousClose: (instrument, instant) => market.previousClose(instrument, instant),
  });
  const exchange: Exchange = createExchange({
    market,
    random: createRandomSource(seed),
    risk: accounts,
    options: { hours: 'exchange' },
    startAt,
  });
  const events: ExchangeEvent[] = [];
  exchange.onEvent((event) => {
    events.push(event);
    const instant = Number(event.at / 1_000_000n);
    if (event.type === 'trade') accounts.trade(event.trade, instant);
    accounts.orderChanged(event.order, instant);
  });
  for (const account of ['A', 'B']) accounts.open(account, { funds: 1_000_000_000, holdings: [] }, startAt);
  return { exchange, accounts, events };
}

const step = fc.record({
  wait: fc.integer({ min: 0, max: 900_000 }),
  instrument: fc.nat(2),
  away: fc.integer({ min: -15, max: 15 }),
  lots: fc.integer({ min: 1, max: 8 }),
  order: fc.record({
    account: fc.constantFrom('A', 'B'),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    validity: fc.constantFrom('DAY' as const, 'DAY' as const, 'IOC' as const),
    priceType: fc.constantFrom('LIMIT' as const, 'LIMIT' as const, 'MARKET' as const),
  }),
  then: fc.constantFrom('nothing', 'nothing', 'cancel', 'reprice'),
});

test('a whole day on the simulated market crosses no book, keeps limits and bands, sums fills to positions, and holds nothing', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.array(step, { minLength: 10, maxLength: 40 }), (seed, steps) => {
      let now = at('08:59:00');
      const { exchange, accounts, events } = open(seed, now);
      for (const { wait, instrument: index, away, lots, order, then } of steps) {
        now += wait;
        exchange.advance(now);
        const instrument = INSTRUMENTS[index]!;
        const price = exchange.lastPrice(instrument, now) + away * instrument.tickSize;
        const requested: NewOrder = limitOrder({
          ...order,
          refId: instrument.refId,
          product: 'IDAY',
          quantity: lots * instrument.lotSize * (index === 0 ? 20 : 1),
          price: Math.max(price, instrument.tickSize),
        });
        const placed = exchange.place(requested, now);
        if (!placed.ok) throw new Error(placed.text);
        if (then === 'cancel') exchange.cancel(placed.order.id, now + 100);
        if (then === 'reprice')
          exchange.modify(placed.order.id, { price: requested.price + instrument.tickSize }, now + 100);
        for (const instrument of INSTRUMENTS) {
          const { bids, asks } = exchange.bookSnapshot(instrument, now, 20);
          const continuous = exchange.isOpen(instrument, now);
          if (continuous && bids[0] && asks[0]) expect(bids[0].price).toBeLessThan(asks[0].price);
        }
      }
      exchange.advance(at('23:59:59'));
      const sums = new Map<string, number>();
      for (const event of events) {
        if (event.type !== 'trade') continue;
        const { trade, order } = event;
        const better = order.side === 'BUY' ? order.price - trade.price : trade.price - order.price;
        if (order.priceType === 'LIMIT') expect(better).toBeGreaterThanOrEqual(0);
        expect(trade.quantity % INSTRUMENTS.find(({ refId }) => refId === trade.refId)!.lotSize).toBe(0);
        const key = `${trade.account} ${trade.refId}`;
        sums.set(key, (sums.get(key) ?? 0) + (trade.side === 'BUY' ? 1 : -1) * trade.quantity);
      }
      for (const account of ['A', 'B']) {
        for (const { refId, quantity } of accounts.positions(account))
          expect(quantity).toBe(sums.get(`${account} ${refId}`) ?? 0);
        const funds = accounts.funds(account);
        expect(funds.cash).toBe(funds.opening + funds.added + funds.realised - funds.charges - funds.invested);
        expect(funds.heldForOrders).toBe(0);
      }
    }),
    { numRuns: RUNS },
  );
});

describe('Sessions, on the simulated market', () => {
  const share = INSTRUMENTS[0]!;
  const plain = [...universe.all('NSE')].find(
    (instrument) =>
      instrument.derivativeType === 'STOCK' &&
      instrument.series === 'EQ' &&
      !instrument.closingAuction &&
      market.price(instrument, at('15:00:00')) > 10_000,
  )!;
  const crude = universe.futures('MCX', 'CRUDEOIL')[0]!;
  const ending = (events: ExchangeEvent[], id: bigint): [string, string] => {
    const last = events.filter(({ order }) => order.id === id).at(-1)!;
    return [last.type, new Date(Number(last.at / 1_000_000n) + 19_800_000).toISOString().slice(11, 16)];
  };
  const placeAt = (
    floor: MatchingEngine,
    time: string,
    instrument: Instrument,
    percent: number,
    given: Partial<NewOrder> = {},
  ): bigint => {
    floor.exchange.advance(at(time));
    const { tickSize, lotSize } = instrument;
    const price =
      Math.round((floor.exchange.lastPrice(instrument, at(time)) * (100 + percent)) / 100 / tickSize) * tickSize;
    const placed = floor.exchange.place(
      limitOrder({ refId: instrument.refId, product: 'IDAY', quantity: lotSize, price, ...given }),
      at(time),
    );
    if (!placed.ok) throw new Error(placed.text);
    return placed.order.id;
  };

  test('a share with derivatives closes by auction: nothing trades from 15:15 until its random close, then all at one price', () => {
    const floor = open(3, at('15:00:00'));
    const carried = placeAt(floor, '15:10:00', share, -6);
    const buyer = placeAt(floor, '15:16:00', share, 3);
    const dreamer = placeAt(floor, '15:20:00', share, -3);
    floor.exchange.advance(at('15:32:59'));
    expect(
      floor.events.filter(({ type, at: when }) => type === 'trade' && when > BigInt(at('15:15:00')) * 1_000_000n),
    ).toEqual([]);
    floor.exchange.advance(at('15:40:00'));
    expect(ending(floor.events, buyer)).toEqual(['trade', expect.stringMatching(/15:3[345]/)]);
    expect(ending(floor.events, dreamer)).toEqual(['expired', '15:35']);
    expect(ending(floor.events, carried)).toEqual(['expired', '15:35']);
    const trade = floor.events.find((event) => event.type === 'trade' && event.order.id === buyer)!;
    const close = market.price(share, at('15:36:00'));
    expect(Math.abs((trade as { trade: { price: number } }).trade.price - close)).toBeLessThan(close * 0.01);
  });

  test.each([
    ['a share without derivatives', '15:30', '15:29:59', plain],
    ['a future', '15:40', '15:39:59', future],
    ['a commodity future, while the US are off daylight saving', '23:55', '23:54:59', crude],
  ])('%s trades until %s', (_name, close, before, instrument) => {
    const floor = open(4, at('15:00:00'));
    const id = placeAt(floor, before, instrument, -1.5);
    floor.exchange.advance(at(before) + 2000);
    expect(ending(floor.events, id)).toEqual(['expired', close]);
  });
});
