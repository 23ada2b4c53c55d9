/** Which channels the service is asked to tell less often, and when it must tell every change again. */
import { describe, expect, test } from '@jest/globals';
import type { StreamSocket } from '../../../../client/base/ports';
import { paceOf } from '../../../../client/stream/market-data/channel-paces';
import { demandOf, type Demand } from '../../../../client/stream/market-data/demand';
import type { MarketInstrument, MarketWant } from '../../../../client/stream/market-data/market-data';
import { MarketSocket } from '../../../../client/stream/market-data/market-socket';
import { VirtualClock } from '../../../support/clock';

const INFY: MarketInstrument = { refId: 7, exchange: 'NSE', symbol: 'INFY', kind: 'STOCK' };
const CHAIN = { kind: 'chain', exchange: 'NSE', asset: 'NIFTY', expiry: '2026-11-24' } as const;

/** A market-data socket, and what it sends over each of its connections, without the token. */
function socketOf() {
  const clock = new VirtualClock(0);
  const connections: string[][] = [];
  const ignored = (): void => undefined;
  const socket = new MarketSocket(
    {
      clock,
      random: () => 0,
      access: async () => await Promise.resolve({ url: 'ws://127.0.0.1/', token: 'token' }),
      makeSocket: () => {
        const sent: string[] = [];
        connections.push(sent);
        const made: StreamSocket = {
          ...{ readyState: 1, binaryType: 'arraybuffer', onopen: null, onmessage: null, onerror: null, onclose: null },
          send: (text) => sent.push(String(text).replace('token ', '')),
          close: () => undefined,
        };
        queueMicrotask(() => made.onopen?.());
        return made;
      },
    },
    {
      ...{ reached: ignored, opened: ignored, lost: ignored, frame: ignored },
      ...{ refused: ignored, badFrame: ignored, fatal: ignored },
    },
  );
  const want = (...wants: MarketWant[]): Demand => {
    const demand = demandOf(wants);
    socket.want(demand);
    return demand;
  };
  const open = async (): Promise<void> => {
    socket.start();
    await clock.sleep(10);
  };
  return { clock, socket, connections, want, open };
}

describe('a channel', () => {
  test('is slowed down before its first subscription, to what everyone is content with', async () => {
    const { want, open, connections, socket } = socketOf();
    want({ ...CHAIN, paceMs: 12_000 }, { kind: 'depth', instrument: INFY, levels: 20, paceMs: 60_000 });
    want({ kind: 'depth', instrument: { ...INFY, refId: 8 }, levels: 20, paceMs: 6_000 });
    await open();
    expect(connections[0]!.slice(0, 2)).toEqual([
      'batch_subscribe socket_interval option 10s',
      'batch_subscribe socket_interval orderbook 5s',
    ]);
    want({ kind: 'tick', instrument: INFY, paceMs: 60_000 });
    // Prices must come in time, or they count as silent.
    expect(connections[0]!.slice(-2)).toEqual([
      'batch_subscribe socket_interval index 1s',
      'batch_subscribe index {"indexes":["INFY"]} NSE',
    ]);
    socket.stop();
  });

  test('tells each change to alerts, to candles, and to whoever wants more than a second', async () => {
    const { want, open, connections, socket } = socketOf();
    want({ kind: 'tick', instrument: INFY, paceMs: 60_000 }, { kind: 'candle', instrument: INFY, interval: '1m' });
    want({ kind: 'tick', instrument: INFY }, { kind: 'greeks', instrument: INFY, paceMs: 900 });
    await open();
    expect(connections[0]!.filter((text) => text.includes('socket_interval'))).toEqual([]);
    socket.stop();
  });

  test('that was slowed down tells each change again by another connection, as soon as somebody wants it', async () => {
    const { want, open, connections, clock, socket } = socketOf();
    const slow = want({ kind: 'tick', instrument: INFY, paceMs: 2_000 });
    await open();
    const alert = want({ kind: 'tick', instrument: INFY });
    await clock.sleep(60_000);
    expect(connections.map((sent) => sent.filter((text) => text.includes('socket_interval')).length)).toEqual([1, 0]);
    expect(connections[1]).toEqual(['batch_subscribe index {"indexes":["INFY"]} NSE']);
    // Once it tells each change, it goes on so: no connection is made for less.
    socket.unwant(alert);
    want({ kind: 'tick', instrument: { ...INFY, symbol: 'TCS' }, paceMs: 2_000 });
    socket.unwant(slow);
    await clock.sleep(60_000);
    expect([connections.length, connections[1]!.some((text) => text.includes('socket_interval'))]).toEqual([2, false]);
    socket.stop();
  });
});

describe('what starts a workflow', () => {
  test('may be older than the newest by a fifth of its gap; a filter waits for each change', () => {
    expect([paceOf(10_000, []), paceOf(10_000, [{ figure: 'price', min: 1, max: 2 }])]).toEqual([2_000, 0]);
  });
});
