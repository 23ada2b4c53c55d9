/** Frames that no service should send: whatever they are, the prices, candles and depth that come after them are told. */
import { describe, expect, test } from '@jest/globals';
import type { MarketEvent, MarketSubscription } from '../../../../client/stream/market-data/market-data';
import { readMarketFrame } from '../../../../client/stream/market-data/market-frames';
import { decodeAny } from '../../../../proto/generated/messages';
import { Messages } from '../../../../sandbox/src/stream/messages';
import { nanosOf } from '../../../../sandbox/src/stream/update-frame';
import { MONDAY_TEN } from '../../../support/still-market';
import { FeedBench, INFY as SHARE, ticks, type TickValues } from './feed-bench';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const YEAR = 365 * 24 * 60 * MINUTE;
const messages = new Messages({ platformWord: 'plat', serviceWord: 'acme' });

/** A listener, on a clock that goes only by hand; `bring` hands it a frame and returns what it told of that frame. */
async function listening(subscriptions: readonly MarketSubscription[], environment: 'live' | 'sandbox' = 'live') {
  const bench = new FeedBench(environment);
  const { events, leave: close } = await bench.listen(...subscriptions);
  const bring = (frame: Uint8Array | string): MarketEvent[] => {
    bench.last.says(frame);
    return events.splice(0);
  };
  const confirmed = async (): Promise<MarketEvent[]> => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    return events.splice(0);
  };
  return { clock: bench.clock, bring, settled: confirmed, close };
}

function candle(at: number, price: number, frameAt: number): Uint8Array {
  return messages.marketFrame('index_bucket', 'BatchWebSocketIndexBucketMessage', {
    timestamp: nanosOf(frameAt),
    instruments: [
      {
        ...{
          indexname: 'INFY',
          exchange: 'NSE',
          interval: 3,
          timestamp: nanosOf(frameAt),
          bucketTimestamp: nanosOf(at),
        },
        ...{ open: price, high: price, low: price, close: price, bucketVolume: 10 },
      },
    ],
  });
}

/** Events in short. */
function describeEvents(events: readonly MarketEvent[]): string {
  return events
    .map((event) => {
      if (event.kind === 'tick') return `${event.tick.lastPrice}@${(event.tick.at - MONDAY_TEN) / SECOND}`;
      if (event.kind === 'candle') return `${event.candle.close}@${(event.candle.at - MONDAY_TEN) / SECOND}`;
      return event.kind === 'badFrame' ? `bad: ${event.cause}` : event.kind;
    })
    .join(' ');
}

describe('a price', () => {
  const subscription: MarketSubscription = { kind: 'tick', instrument: SHARE };

  test.each([
    ['its own time', (at: number): TickValues => ({ price: 102, at, frameAt: MONDAY_TEN })],
    ['and its frame have a time', (at: number): TickValues => ({ price: 102, at })],
  ])('is none where it is of a year ahead, and hides none after it: %s to come', async (_, tick) => {
    const { clock, bring, settled: confirmed, close } = await listening([subscription]);
    expect(describeEvents(bring(ticks({ price: 101 })))).toBe('101@0');
    clock.set(MONDAY_TEN + SECOND);
    expect(describeEvents(bring(ticks(tick(MONDAY_TEN + YEAR))))).toBe('');
    clock.set(MONDAY_TEN + 2 * SECOND);
    bring(ticks({ price: 103, at: MONDAY_TEN + 2 * SECOND }));
    // The history is read for what the price between may have been.
    expect(describeEvents(await confirmed())).toBe('103@2');
    close();
  });

  test('is of the later time where a sandbox has leapt', async () => {
    const { bring, close } = await listening([subscription], 'sandbox');
    bring(ticks({ price: 101 }));
    expect(describeEvents(bring(ticks({ price: 102, at: MONDAY_TEN + 600 * SECOND })))).toBe('102@600');
    close();
  });

  test.each([
    ['of long ago', { price: 102, at: MONDAY_TEN - YEAR }],
    ['below 0', { price: -5, at: MONDAY_TEN + 1 }],
    ['of 0', { price: 0, at: MONDAY_TEN + 1 }],
    ['of an instrument that nobody asked for', { price: 102, name: 'TCS' }],
    ['without a name', { price: 102, name: '' }],
    ['of a name that every object has', { price: 102, name: 'constructor' }],
  ] satisfies [string, TickValues][])('is none where it is %s', async (_, tick) => {
    const { bring, close } = await listening([subscription]);
    bring(ticks({ price: 101 }));
    expect(describeEvents(bring(ticks(tick)))).toBe('');
    expect(describeEvents(bring(ticks({ price: 103, at: MONDAY_TEN + SECOND })))).toBe('103@1');
    close();
  });
});

describe('a candle', () => {
  test.each([
    ['that is yet to come', MONDAY_TEN + YEAR, 50],
    ['without a price', MONDAY_TEN + MINUTE, 0],
    ['of a price below 0', MONDAY_TEN + MINUTE, -7],
  ])('is none where it is %s, and hides none after it', async (_, at, price) => {
    const { clock, bring, close } = await listening([{ kind: 'candle', instrument: SHARE, interval: '1m' }]);
    bring(candle(MONDAY_TEN, 101, MONDAY_TEN));
    expect(describeEvents(bring(candle(at, price, MONDAY_TEN + SECOND)))).toBe('');
    clock.set(MONDAY_TEN + MINUTE);
    expect(describeEvents(bring(candle(MONDAY_TEN + MINUTE, 102, MONDAY_TEN + MINUTE)))).toBe('101@0');
    clock.set(MONDAY_TEN + 2 * MINUTE);
    expect(describeEvents(bring(candle(MONDAY_TEN + 2 * MINUTE, 103, MONDAY_TEN + 2 * MINUTE)))).toBe('102@60');
    close();
  });
});

describe('a frame', () => {
  const subscription: MarketSubscription = { kind: 'tick', instrument: SHARE };
  const good = ticks({ price: 101 });
  /** A length-delimited field. */
  const field = (number: number, bytes: Uint8Array): Buffer => {
    const length: number[] = [];
    for (let rest = bytes.length; ; rest = Math.floor(rest / 128)) {
      length.push(rest >= 128 ? (rest % 128) + 128 : rest);
      if (rest < 128) break;
    }
    return Buffer.concat([Buffer.from([number * 8 + 2, ...length]), bytes]);
  };
  const any = (name: string, value: Uint8Array): Buffer =>
    Buffer.concat([field(1, Buffer.from(name)), field(2, value)]);
  const deeper = any('type.acme.GenericData', good);

  test.each([
    ['that is cut', good.subarray(0, good.length - 3)],
    ['that is empty', new Uint8Array(0)],
    ['of a key without an instrument', field(1, Buffer.from('index'))],
    [
      'whose type is another one of ours',
      any('index', any('protos.a.b.BatchWebSocketOrderbookMessage', Buffer.alloc(3, 8))),
    ],
    ['of a megabyte of nothing', Buffer.alloc(1_000_000)],
    [
      'of a megabyte of empty parts',
      any('index', any('protos.a.b.BatchWebSocketIndexMessage', Buffer.alloc(1_000_000, '\x1a\0'))),
    ],
  ])('is reported once where it is %s, and hides none after it', async (_, frame) => {
    const { clock, bring, close } = await listening([subscription]);
    expect(describeEvents(bring(frame))).toMatch(/^bad: [a-z ]+$/);
    expect(describeEvents(bring(frame))).toBe('');
    clock.set(MONDAY_TEN + SECOND);
    expect(describeEvents(bring(ticks({ price: 103, at: MONDAY_TEN + SECOND })))).toBe('103@1');
    close();
  });

  test.each([
    ['of a type that we do not know', any('index', any('protos.a.b.SomethingNew', Buffer.from('x')))],
    ['that is a text', 'Welcome'],
  ])('passes by where it is %s', async (_, frame) => {
    const { bring, close } = await listening([subscription]);
    expect(describeEvents(bring(frame))).toBe('');
    expect(describeEvents(bring(good))).toBe('101@0');
    close();
  });

  test('is read at any nesting, in any order, and changes nothing when repeated', async () => {
    const { bring, close } = await listening([subscription]);
    const inner = decodeAny(decodeAny(good).value);
    const known = any(inner.typeUrl, inner.value);
    const all = [good, deeper, known, any('type.acme.GenericData', known), good, deeper];
    expect(all.map((frame) => describeEvents(bring(frame)))).toEqual(Array(6).fill('101@0'));
    expect(describeEvents(bring(ticks({ price: 102, at: MONDAY_TEN + 2_000 })))).toBe('102@2');
    expect(describeEvents(bring(good)) + describeEvents(bring(deeper))).toBe('');
    close();
  });

  test('tells of indexes what it tells of all else', async () => {
    const index = { refId: 26_000, exchange: 'NSE', symbol: 'NIFTY', kind: 'INDEX' } as const;
    const { clock, bring, close } = await listening([
      { kind: 'tick', instrument: index },
      { kind: 'candle', instrument: index, interval: '1m' },
    ]);
    const named = { indexname: 'NIFTY', exchange: 'NSE', timestamp: nanosOf(MONDAY_TEN) };
    const frameOf = (at: number): Uint8Array =>
      messages.marketFrame('index_bucket', 'BatchWebSocketIndexBucketMessage', {
        timestamp: nanosOf(at),
        indexes: [{ ...named, interval: 3, bucketTimestamp: nanosOf(at), open: 9, high: 9, low: 9, close: 9 }],
      });
    const prices = { timestamp: nanosOf(MONDAY_TEN), indexes: [{ ...named, indexValue: 9 }] };
    expect(describeEvents(bring(messages.marketFrame('index', 'BatchWebSocketIndexMessage', prices)))).toBe('9@0');
    expect(describeEvents(bring(frameOf(MONDAY_TEN)))).toBe('');
    clock.set(MONDAY_TEN + MINUTE);
    expect(describeEvents(bring(frameOf(MONDAY_TEN + MINUTE)))).toBe('9@0');
    close();
  });

  test('is read afresh, or into the one that is handed over', () => {
    const [first, second] = [readMarketFrame(good), readMarketFrame(ticks({ price: 102 }))];
    expect([first, second]).toMatchObject([
      { kind: 'ticks', batch: { instruments: [{ indexValue: 101 }] } },
      { batch: { instruments: [{ indexValue: 102 }] } },
    ]);
    if (first.kind !== 'ticks') throw new Error('No prices');
    expect(readMarketFrame(ticks({ price: 103 }), first.batch)).toEqual({ kind: 'ticks', batch: first.batch });
    expect(first.batch.instruments[0]?.indexValue).toBe(103);
  });

  test('reaches those who want it where it holds options or a chain', async () => {
    const chain = { kind: 'chain', exchange: 'NSE', asset: 'NIFTY', expiry: '2026-11-24' } as const;
    const { bring, close } = await listening([{ kind: 'greeks', instrument: SHARE }, chain]);
    const greeks = { timestamp: nanosOf(MONDAY_TEN), instruments: [{ refId: SHARE.refId, ltp: 100 }] };
    expect(bring(messages.marketFrame('greeks', 'BatchWebSocketGreeksMessage', greeks))).toMatchObject([
      { kind: 'greeks', option: { refId: SHARE.refId, lastPrice: 100 } },
    ]);
    const update = { exchange: 'NSE', asset: 'NIFTY', expiry: '20261124', ce: [], pe: [], currentprice: 2_400_000 };
    expect(bring(messages.marketFrame('option', 'WebSocketMsgOptionChainUpdate', update))).toMatchObject([
      { kind: 'chain', chain: { asset: 'NIFTY', expiry: '2026-11-24', spot: 2_400_000 } },
    ]);
    close();
  });

  test('has the depth of a thousand instruments in twenty levels', async () => {
    const { bring, close } = await listening([{ kind: 'depth', instrument: SHARE, levels: 20 }]);
    const levels = Array.from({ length: 20 }, (_, at) => ({ price: 100 - at, quantity: 1, orders: 1 }));
    const instruments = Array.from({ length: 1_000 }, (_, at) => ({
      ...{ refId: SHARE.refId + 999 - at, timestamp: nanosOf(MONDAY_TEN), bids: levels, asks: levels, ltp: 100 },
    }));
    const frame = messages.marketFrame('orderbook', 'BatchWebSocketOrderbookMessage', {
      timestamp: nanosOf(MONDAY_TEN),
      instruments,
    });
    expect(bring(frame)).toMatchObject([{ kind: 'depth', depth: { bids: { length: 20 } } }]);
    close();
  });
});
