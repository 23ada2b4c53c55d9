/** Frames of the market-data stream to alerts decided, against the decoder alone, ours and protobufjs. */
import { monotonicBy } from '../client/base/monotonic';
import path from 'node:path';
import protobuf from 'protobufjs';
import type { MarketInstrument } from '../client/stream/market-data/market-data';
import { readMarketFrame } from '../client/stream/market-data/market-frames';
import { PriceAlertMonitor } from '../client/stream/market-data/price-alert-monitor';
import { Messages } from '../sandbox/src/stream/messages';
import { nanosOf } from '../sandbox/src/stream/update-frame';
import { fedMarket } from '../test/support/fed-market';
import type { MakeRow } from './row';

const INSTRUMENTS = 500;
const AT = Date.UTC(2026, 10, 23, 4, 30, 0);
const LEVEL = 100_500;

function framesOf(count: number): Uint8Array[] {
  const messages = new Messages({ platformWord: 'plat', serviceWord: 'svc' });
  return Array.from({ length: count }, (_, frame) =>
    messages.marketFrame('index', 'BatchWebSocketIndexMessage', {
      timestamp: nanosOf(AT),
      instruments: Array.from({ length: INSTRUMENTS }, (_one, number) => ({
        indexname: `SHARE${number}`,
        timestamp: nanosOf(AT),
        indexValue: 100_000 + ((frame * 37 + number * 11) % 1_000),
        highIndexValue: 101_000,
        lowIndexValue: 99_000,
        volume: 1_000_000 + frame * 100 + number,
        changepercent: 0.25,
        tickVolume: 100 + frame,
        prevClose: 99_900,
        exchange: 'NSE',
        volumeOi: 0,
      })),
    }),
  );
}

/** Returns a decoder of the same frames that knows the .proto files only: plain values, 64-bit fields as numbers. */
function plainDecoder(): (frame: Uint8Array) => unknown {
  const root = protobuf.loadSync(path.join(__dirname, '..', 'proto', 'market.proto'));
  const envelope = root.lookupType('brokerage.stream.GenericData');
  const batch = root.lookupType('brokerage.stream.BatchWebSocketIndexMessage');
  return (frame) => {
    const { data } = envelope.decode(frame) as protobuf.Message & { data: { value: Uint8Array } };
    return batch.toObject(batch.decode(data.value), { longs: Number, defaults: true });
  };
}

const make: MakeRow = async ({ short }) => {
  const frames = framesOf(short ? 5 : 100);
  const ticks = frames.length * INSTRUMENTS;
  const clock = { now: () => AT, ...monotonicBy(() => 0), sleep: async () => await new Promise<void>(() => undefined) };
  const instruments = Array.from({ length: INSTRUMENTS }, (_, number): MarketInstrument => ({
    refId: 1 + number,
    exchange: 'NSE',
    symbol: `SHARE${number}`,
    kind: 'STOCK',
  }));
  let alerts = 0;
  const watch = new PriceAlertMonitor({
    clock,
    settings: { rule: { kind: 'crossesAbove', level: LEVEL, rearm: 0 }, repeat: 'always' },
    instruments,
    states: {},
    since: undefined,
    everyMs: 5_000,
    base: async () => await Promise.resolve(null),
    onAlert: () => void (alerts += 1),
    onUnknown: () => undefined,
  });
  const { feed, socket } = fedMarket(clock, 'sandbox');
  const leave = await feed.subscribe(
    watch.subscriptions,
    (event) => {
      if (event.kind === 'tick') watch.take(event.tick);
    },
    new AbortController().signal,
  );
  const ours = (): void => frames.forEach((frame) => socket.onmessage?.({ data: frame }));
  const decode = (): void => frames.forEach((frame) => readMarketFrame(frame));
  const plainly = plainDecoder();
  return {
    title: 'Market ticks to alerts decided',
    work: `${frames.length} frames of ${INSTRUMENTS} instruments, an alert on each`,
    sides: [
      { name: 'ours', role: 'ours', run: ours },
      { name: 'the decoder alone', role: 'limit', run: decode },
      {
        name: 'protobufjs decode + toObject alone',
        role: 'alternative',
        run: () => frames.forEach((frame) => plainly(frame)),
      },
    ],
    goals: [{ against: 'the decoder alone', times: 1.3 }],
    figures: () => {
      const from = performance.now();
      ours();
      const seconds = (performance.now() - from) / 1_000;
      if (alerts === 0) throw new Error('No price has crossed its level');
      return [{ name: 'ticks', value: Math.round(ticks / seconds), unit: '/s', atLeast: 200_000 }];
    },
    close: async () => {
      leave();
      await Promise.resolve();
    },
  };
};
export default make;
