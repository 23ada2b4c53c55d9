import { chainKey, depthKey, greeksKey, LatestValues } from '../../../../client/stream/market-data/latest-values';
import type { MarketEvent, MarketInstrument } from '../../../../client/stream/market-data/market-data';
import { depthOutput } from '../../../../client/stream/market-data/market-output';
import { figuresOfChain } from '../../../../client/options/chain-figures';

type Depth = Parameters<LatestValues['takeDepth']>[0];
type Greeks = Parameters<LatestValues['takeGreeks']>[0];
type Chain = Parameters<LatestValues['takeChain']>[0];

const NOW = 1_795_165_546_000;
const instrument = { refId: 7, symbol: 'INFY', exchange: 'NSE', kind: 'STOCK' } as unknown as MarketInstrument;
const nanos = (seconds: number): string => `${NOW + seconds * 1_000}000000`;
const level = (price: number, quantity = 1) => ({ price, quantity, orders: 1 });
const book = (seconds: number, more: object = {}): Depth =>
  ({
    timestamp: '0',
    instruments: [
      {
        ...{ refId: 7, timestamp: nanos(seconds), ltp: 1_000, ltq: 2, volume: 30 + seconds },
        ...{ bids: [level(990)], asks: [level(1_010)], ...more },
      },
    ],
  }) as unknown as Depth;
const option = (refId: number, sp: number, more: object = {}) => ({
  ...{ refId, ts: nanos(0), sp, ls: 75, ltp: 10, ltpchg: 1, iv: 0.2, delta: 0.3, gamma: 4 },
  ...{ theta: 5, vega: 6, oi: 70, prevOi: 80, volume: 9, ...more },
});
const chain = (ce: object[], pe: object[]): Chain =>
  ({ exchange: 'NSE', asset: 'NIFTY', expiry: '20261124', atm: 100, currentprice: 101, ce, pe }) as unknown as Chain;

/** Values of the stream, and all that one listener of a key has heard. */
function heard(key: string, levels = 5) {
  const values = new LatestValues(() => NOW + 5_000);
  const events: MarketEvent[] = [];
  values.join(key, instrument, (event) => void events.push(event), levels);
  return { values, events };
}
const depthsOf = (events: MarketEvent[]) => events.map((event) => (event.kind === 'depth' ? event.depth : undefined));

it('an order book that was overtaken by a later one, or comes again after a new connection, is not passed on', () => {
  const { values, events } = heard(depthKey(7));
  for (const seconds of [0, 2, 1, 0, 2, 3]) values.takeDepth(book(seconds));
  expect(depthsOf(events).map((depth) => depth?.volume)).toEqual([30, 32, 32, 33]);
});

it('a time that is yet to come, and one that is not told, hide no later order book', () => {
  const { values, events } = heard(depthKey(7));
  for (const seconds of [0, 900, 1]) values.takeDepth(book(seconds));
  values.takeDepth(book(1, { timestamp: '0', volume: 1 }));
  values.takeDepth(book(2));
  expect(depthsOf(events).map((depth) => depth?.volume)).toEqual([30, 930, 31, 1, 32]);
});

it('Greeks and chains that were overtaken are not passed on', () => {
  const greeks = heard(greeksKey(7));
  for (const seconds of [1, 0, 2])
    greeks.values.takeGreeks({ instruments: [option(7, 100, { ts: nanos(seconds) })] } as unknown as Greeks);
  expect(greeks.events).toHaveLength(2);
  const whole = heard(chainKey('NSE', 'NIFTY', '20261124'));
  for (const seconds of [1, 0, 2]) whole.values.takeChain(chain([option(1, 100, { ts: nanos(seconds) })], []));
  expect(whole.events).toHaveLength(2);
});

it('lines that fill up a short book are no best bid, and the best price comes first', () => {
  const { values, events } = heard(depthKey(7));
  const none = level(0, 0);
  values.takeDepth(
    book(0, { bids: [none, level(980), level(990)], asks: [level(1_020), none, level(1_010), level(-5)] }),
  );
  const [event] = events as Extract<MarketEvent, { kind: 'depth' }>[];
  const item = depthOutput(event!, 0, { unit: 'paise', environment: 'sandbox', now: NOW } as never);
  expect(item).toMatchObject({ best_bid: 990, best_ask: 1_010, spread: 20, bid_quantity: 2, ask_quantity: 2 });
});

it.each([-1, -9_007_199_254_740_991, NaN])('a count of %p is none', (count) => {
  const depth = heard(depthKey(7));
  depth.values.takeDepth(book(0, { ltq: count, volume: count }));
  expect(depthsOf(depth.events)).toMatchObject([{ lastQuantity: null, volume: null }]);
  const greeks = heard(greeksKey(7));
  const none = { oi: count, prevOi: count, volume: count, iv: count };
  greeks.values.takeGreeks({ instruments: [option(7, 100, none)] } as unknown as Greeks);
  expect(greeks.events).toMatchObject([
    { option: { openInterest: null, previousOpenInterest: null, volume: null, iv: null } },
  ]);
});

it('an option that comes twice counts once in a chain', () => {
  const { values, events } = heard(chainKey('NSE', 'NIFTY', '20261124'));
  values.takeChain(chain([option(1, 100), option(1, 100), option(2, 200)], [option(3, 100)]));
  const [event] = events as Extract<MarketEvent, { kind: 'chain' }>[];
  expect(figuresOfChain(event!.chain)).toMatchObject({ callInterest: 140, putInterest: 70, putCallRatio: 0.5 });
});

it.each([
  ['two options of one strike', [option(1, 100), option(2, 100)], []],
  ['one option at two strikes', [option(1, 100), option(1, 200)], []],
  ['one option on both sides at two strikes', [option(1, 100)], [option(1, 200)]],
])('a chain with %s is not passed on', (_, calls, puts) => {
  const { values, events } = heard(chainKey('NSE', 'NIFTY', '20261124'));
  values.takeChain(chain(calls, puts));
  expect(events).toEqual([]);
});
