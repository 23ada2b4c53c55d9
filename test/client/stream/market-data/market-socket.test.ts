/** The market-data socket, command by command: what is sent, what is told of it, and when it connects again. */
import { describe, expect, test } from '@jest/globals';
import { InputError, NetworkError, SessionError } from '../../../../client/base/errors';
import { StreamError } from '../../../../client/stream/connection/socket';
import { paceOf } from '../../../../client/stream/market-data/channel-throttling';
import type { MarketInstrument, MarketSubscription } from '../../../../client/stream/market-data/market-data';
import { Messages } from '../../../../sandbox/src/stream/messages';
import { SocketBench } from './socket-bench';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const INFY: MarketInstrument = { refId: 7, exchange: 'NSE', symbol: 'INFY', kind: 'STOCK' };
const TCS: MarketInstrument = { ...INFY, refId: 8, symbol: 'TCS' };
const CHAIN = { kind: 'chain', exchange: 'NSE', asset: 'NIFTY', expiry: '2026-11-24' } as const;
const SAID = 'Subscription limit exceeded: 50001 of 50000';
const messages = new Messages({ platformWord: 'plat', serviceWord: 'acme' });
const price = messages.marketFrame('index', 'BatchWebSocketIndexMessage', { timestamp: '1', instruments: [] });

const tick = (instrument: MarketInstrument, paceMs?: number): MarketSubscription => ({
  kind: 'tick',
  instrument,
  paceMs,
});
const depth = (instrument: MarketInstrument, levels: number) => ({ kind: 'depth', instrument, levels }) as const;
const subscribed = (...names: string[]): string => `batch_subscribe index ${JSON.stringify({ indexes: names })} NSE`;
const settings = (sent: readonly string[]): string[] => sent.filter((text) => text.includes('socket_interval'));

describe('a connection', () => {
  test('is told when all that is wanted was sent over it; then what it brings', async () => {
    const bench = new SocketBench();
    const { socket, clock } = bench;
    expect([socket.hasSubscriptions, socket.isOpen, socket.holdsClock]).toEqual([false, false, false]);
    bench.subscribe(tick(INFY, 2_000), depth(INFY, 5), tick(TCS));
    socket.start();
    await clock.sleep(10);
    expect(bench.last.url).toBe('ws://127.0.0.1/?token=token');
    expect([socket.hasSubscriptions, socket.isOpen, socket.openedAt, socket.lastMessageAt]).toEqual([true, true, 0, 0]);
    expect(bench.reports.splice(0)).toEqual(['reached token', 'opened after 3']);
    expect(bench.sent()).toEqual([
      'batch_subscribe orderbook_depth 5',
      subscribed('INFY', 'TCS'),
      'batch_subscribe orderbook {"instruments":[7]}',
    ]);
    clock.set(SECOND);
    bench.last.says(price);
    clock.set(2 * SECOND);
    bench.last.says(price.subarray(0, 9));
    bench.last.says('Welcome');
    expect(bench.reports).toEqual(['ticks', expect.stringMatching(/^bad frame: [a-z ]+$/)]);
    expect([socket.openedAt, socket.lastMessageAt]).toEqual([0, 2 * SECOND]);
    clock.set(10 * SECOND - 1);
    expect(socket.takesAll()).toBe(false);
    clock.set(10 * SECOND);
    expect(socket.takesAll()).toBe(true);
    socket.stop();
  });

  test('waits with its clock for us where the sandbox does so', async () => {
    const bench = new SocketBench();
    await bench.open();
    expect(bench.socket.holdsClock).toBe(false);
    bench.access = async () =>
      await Promise.resolve({ url: 'ws://127.0.0.1/', token: 'token', runsDone: async () => await Promise.resolve(0) });
    bench.last.end();
    await bench.clock.sleep(SECOND);
    expect(bench.socket.holdsClock).toBe(true);
    bench.socket.stop();
  });

  test('is made again with all that is wanted after it was lost, under the token of then', async () => {
    const bench = new SocketBench();
    bench.subscribe(tick(INFY), depth(INFY, 5));
    await bench.open();
    bench.token = 'other';
    bench.last.end();
    await bench.clock.sleep(SECOND);
    expect(bench.reports).toEqual(['The stream was closed', 'reached other', 'opened after 3']);
    expect(bench.sent()).toEqual([
      'batch_subscribe orderbook_depth 5',
      subscribed('INFY'),
      'batch_subscribe orderbook {"instruments":[7]}',
    ]);
    expect([bench.socket.openedAt, bench.asked.length]).toEqual([510, 2]);
    bench.socket.stop();
  });

  test('asks for a token again where its token is refused', async () => {
    const bench = new SocketBench();
    await bench.open();
    bench.token = 'other';
    bench.last.says('Invalid Token');
    await bench.clock.sleep(SECOND);
    expect(bench.reports).toEqual(['The stream refused the session token', 'reached other', 'opened after 0']);
    expect(bench.asked).toHaveLength(2);
    bench.socket.stop();
  });

  test('is replaced where it was found to be of no use', async () => {
    const bench = new SocketBench();
    bench.socket.reconnect();
    await bench.open();
    bench.socket.reconnect();
    expect(bench.connections[0]!.isClosed).toBe(true);
    await Promise.resolve();
    expect(bench.socket.isOpen).toBe(false);
    await bench.clock.sleep(SECOND);
    expect([bench.reports[0], bench.socket.isOpen, bench.connections.length]).toEqual([
      'The stream was closed',
      true,
      2,
    ]);
    bench.socket.stop();
  });

  test('is tried again after pauses that double up to a minute, and soon after one that lasted a minute', async () => {
    const bench = new SocketBench();
    bench.opens = false;
    bench.socket.start();
    await bench.clock.sleep(4 * MINUTE);
    const pauses = (): number[] =>
      bench.asked.splice(0, bench.asked.length - 1).map((at, index, all) => (all[index + 1] ?? bench.asked[0]!) - at);
    expect(pauses()).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    bench.opens = true;
    const opened = bench.asked[0]! + MINUTE;
    await bench.clock.sleep(opened + MINUTE - 1 - bench.clock.now());
    bench.last.end();
    await bench.clock.sleep(2 * MINUTE);
    expect(pauses()).toEqual([MINUTE, 2 * MINUTE - 1]);
    // A minute later the next one has lasted a minute; the one after it lasts for half a second.
    bench.last.end();
    await bench.clock.sleep(SECOND);
    bench.last.end();
    await bench.clock.sleep(2 * SECOND);
    expect(pauses()).toEqual([MINUTE + 500, 1_500]);
    bench.socket.stop();
  });

  test('is lost each time where it could not be made; what is no error of the service is told without more', async () => {
    const bench = new SocketBench();
    const cut = new NetworkError('cut', { maySent: false });
    const failures: Error[] = [cut, new TypeError('a defect')];
    bench.access = async () => {
      await Promise.resolve();
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return { url: 'ws://127.0.0.1/', token: 'token' };
    };
    bench.opens = false;
    bench.socket.start();
    await bench.clock.sleep(2 * SECOND);
    expect(bench.reports).toEqual([cut, 'The connection failed', 'reached token', expect.any(StreamError)]);
    bench.socket.stop();
  });

  test.each([
    ['without a session', new SessionError('no session')],
    ['with an address that is none', new InputError('no address')],
  ])('is not tried again where nothing is possible without a login by hand: %s', async (_case, error) => {
    const bench = new SocketBench();
    bench.access = async () => await Promise.reject(error);
    bench.socket.start();
    await bench.clock.sleep(MINUTE);
    expect([bench.reports, bench.asked.length]).toEqual([['fatal', error], 1]);
  });

  test('says nothing more once it is stopped, and is the last one', async () => {
    const open = new SocketBench();
    await open.open();
    open.socket.stop();
    await open.clock.sleep(MINUTE);
    expect([open.reports, open.last.isClosed, open.asked.length]).toEqual([[], true, 1]);
    const failing = new SocketBench();
    failing.opens = false;
    failing.socket.start();
    await failing.clock.sleep(10);
    failing.socket.stop();
    await failing.clock.sleep(MINUTE);
    expect([failing.reports.length, failing.asked.length]).toEqual([2, 1]);
    const asking = new SocketBench();
    asking.access = async () => {
      await asking.clock.sleep(SECOND);
      throw new SessionError('no session');
    };
    asking.socket.start();
    asking.socket.stop();
    await asking.clock.sleep(MINUTE);
    expect([asking.reports, asking.asked.length]).toEqual([[], 1]);
  });
});

describe('what is wanted', () => {
  test('is subscribed to once, however many want it, and given back with the last of them', async () => {
    const bench = new SocketBench();
    await bench.open();
    const [first, second] = [bench.subscribe(tick(INFY), tick(TCS)), bench.subscribe(tick(INFY))];
    expect(bench.sent()).toEqual([subscribed('INFY', 'TCS')]);
    bench.socket.unsubscribe(first);
    expect(bench.sent()).toEqual(['batch_unsubscribe index {"indexes":["TCS"]} NSE']);
    expect(bench.socket.hasSubscriptions).toBe(true);
    bench.socket.unsubscribe(second);
    expect(bench.sent()).toEqual(['batch_unsubscribe index {"indexes":["INFY"]} NSE']);
    expect(bench.socket.hasSubscriptions).toBe(false);
    bench.subscribe(tick(INFY));
    expect(bench.sent()).toEqual([subscribed('INFY')]);
    bench.socket.stop();
  });

  test('may weigh 50,000; more is refused, and changes nothing', async () => {
    const bench = new SocketBench();
    await bench.open();
    const chains = Array.from({ length: 2_499 }, (_, at) => ({ ...CHAIN, asset: `A${at}` }));
    const candle = { kind: 'candle', instrument: INFY, interval: '5m' } as const;
    const all = bench.subscribe(...chains, depth(INFY, 20), depth(TCS, 20), tick(INFY), tick(TCS));
    bench.subscribe(candle, { ...candle, interval: '1m' }, { ...candle, interval: '3m' });
    bench.subscribe({ kind: 'greeks', instrument: INFY }, { kind: 'greeks', instrument: TCS });
    bench.sent();
    // What is wanted already weighs no more.
    bench.subscribe(...chains);
    expect(() => bench.subscribe(tick({ ...INFY, symbol: 'SBIN' }))).toThrow(
      expect.objectContaining({ message: expect.stringMatching('50001.*50000'), hint: expect.stringMatching(/\d/) }),
    );
    expect(bench.sent()).toEqual([]);
    bench.socket.unsubscribe(all);
    bench.sent();
    bench.subscribe(
      ...Array.from({ length: 10 }, (_, at) => tick({ ...INFY, symbol: `S${at}` })),
      tick(INFY),
      tick(TCS),
    );
    expect(() => bench.subscribe(tick({ ...INFY, symbol: 'SBIN' }))).toThrow(InputError);
    bench.socket.stop();
  });

  test('has as many levels of depth as the one who wants most', async () => {
    const bench = new SocketBench();
    await bench.open();
    const [few, more] = [bench.subscribe(depth(INFY, 3)), bench.subscribe(depth(INFY, 10))];
    expect(bench.sent()).toEqual([
      'batch_subscribe orderbook_depth 3',
      'batch_subscribe orderbook {"instruments":[7]}',
      'batch_subscribe orderbook_depth 10',
    ]);
    const [again, same] = [bench.subscribe(depth(INFY, 10)), bench.subscribe(depth(INFY, 3))];
    bench.socket.unsubscribe(few);
    bench.socket.unsubscribe(more);
    bench.subscribe(depth(INFY, 4));
    expect(bench.sent()).toEqual([]);
    bench.socket.unsubscribe(again);
    bench.socket.unsubscribe(same);
    bench.subscribe(depth(TCS, 2));
    expect(bench.sent()).toEqual([
      'batch_subscribe orderbook_depth 4',
      'batch_subscribe orderbook {"instruments":[8]}',
    ]);
    bench.socket.stop();
  });
});

describe('subscriptions that the service refuses', () => {
  const refused = async () => {
    const bench = new SocketBench();
    const demand = bench.subscribe(tick(INFY));
    const other = bench.subscribe(tick(TCS));
    await bench.open();
    bench.sent();
    bench.clock.set(SECOND);
    bench.last.says(`Error: ${SAID}!`);
    return { bench, demand, other };
  };

  test('are told once for each connection, in its words', async () => {
    const { bench } = await refused();
    bench.last.says('subscription limit exceeded');
    expect([bench.reports, bench.socket.refusal]).toEqual([[`refused: ${SAID}`], 'subscription limit exceeded']);
    bench.last.end();
    await bench.clock.sleep(SECOND);
    expect(bench.socket.refusal).toBeUndefined();
    bench.last.says(SAID);
    expect(bench.reports.slice(-1)).toEqual([`refused: ${SAID}`]);
    bench.socket.stop();
  });

  test('are asked for once more after ten minutes, again and again, until the service takes all', async () => {
    const { bench } = await refused();
    const { socket, clock } = bench;
    const at = (ms: number): boolean => {
      clock.set(ms);
      socket.resubscribe();
      return bench.sent().length > 0;
    };
    const requested = SECOND + 10 * MINUTE;
    expect([at(requested - 1), socket.takesAll(), at(requested), at(requested), socket.takesAll()]).toEqual([
      ...[false, false, true, false, false],
    ]);
    bench.last.says(SAID);
    clock.set(requested + 9 * MINUTE);
    expect(socket.takesAll()).toBe(false);
    expect([at(requested + 10 * MINUTE - 1), at(requested + 10 * MINUTE), at(requested + 20 * MINUTE)]).toEqual([
      ...[false, true, true],
    ]);
    clock.set(requested + 20 * MINUTE + 10 * SECOND - 1);
    expect([socket.takesAll(), socket.refusal]).toEqual([false, SAID]);
    clock.set(requested + 20 * MINUTE + 10 * SECOND);
    expect([socket.takesAll(), socket.refusal]).toEqual([true, undefined]);
    expect(at(requested + 50 * MINUTE)).toBe(false);
    bench.last.end();
    await Promise.resolve();
    expect(socket.takesAll()).toBe(false);
    socket.stop();
  });

  test('are asked for at once when something is given back for good', async () => {
    const { bench, demand, other } = await refused();
    const { socket } = bench;
    bench.subscribe(tick(INFY));
    socket.unsubscribe(demand);
    socket.resubscribe();
    expect(bench.sent()).toEqual([]);
    socket.unsubscribe(other);
    socket.resubscribe();
    socket.resubscribe();
    expect(bench.sent()).toEqual(['batch_unsubscribe index {"indexes":["TCS"]} NSE', subscribed('INFY')]);
    socket.stop();
  });
});

describe('a channel', () => {
  test('is slowed down before its first subscription, to what everyone is content with', async () => {
    const bench = new SocketBench();
    bench.subscribe({ ...CHAIN, paceMs: 12_000 }, { kind: 'depth', instrument: INFY, levels: 20, paceMs: 60_000 });
    bench.subscribe({ kind: 'depth', instrument: TCS, levels: 20, paceMs: 6_000 });
    await bench.open();
    expect(bench.sent().slice(0, 2)).toEqual([
      'batch_subscribe socket_interval option 10s',
      'batch_subscribe socket_interval orderbook 5s',
    ]);
    bench.subscribe(tick(INFY, 60_000));
    // Prices must come in time, or they count as silent.
    expect(bench.sent()).toEqual(['batch_subscribe socket_interval index 1s', subscribed('INFY')]);
    bench.socket.stop();
  });

  test('tells each change to alerts, to candles, and to whoever wants more than a second', async () => {
    const bench = new SocketBench();
    bench.subscribe(tick(INFY, 60_000), { kind: 'candle', instrument: INFY, interval: '1m' });
    bench.subscribe(tick(INFY), { kind: 'greeks', instrument: INFY, paceMs: 900 });
    await bench.open();
    expect(settings(bench.sent())).toEqual([]);
    bench.socket.stop();
  });

  test('tells each change again by another connection after it was slowed down, as soon as somebody wants it', async () => {
    const bench = new SocketBench();
    const { clock, socket, connections } = bench;
    const slow = bench.subscribe(tick(INFY, 2_000));
    await bench.open();
    const alert = bench.subscribe(tick(INFY));
    await clock.sleep(MINUTE);
    expect(connections.map(({ sent }) => settings(sent).length)).toEqual([1, 0]);
    expect(bench.sent()).toEqual([subscribed('INFY')]);
    // Once it tells each change, it goes on so: no connection is made for less.
    socket.unsubscribe(alert);
    bench.subscribe(tick(TCS, 2_000));
    socket.unsubscribe(slow);
    await clock.sleep(MINUTE);
    expect([connections.length, settings(bench.sent())]).toEqual([2, []]);
    socket.stop();
  });
});

describe('the pace of a channel', () => {
  test('is set again on each connection, for those who want it then', async () => {
    const bench = new SocketBench();
    const slow = { ...depth(INFY, 20), paceMs: 60_000 };
    const quick = { ...slow, paceMs: 5_000 };
    const [first, second, third] = [bench.subscribe(slow), bench.subscribe(quick), bench.subscribe(quick)];
    await bench.open();
    const settingsAfter = async (): Promise<string[]> => {
      bench.sent();
      bench.last.end();
      await bench.clock.sleep(MINUTE);
      return settings(bench.sent());
    };
    expect(settings(bench.last.sent)).toEqual(['batch_subscribe socket_interval orderbook 5s']);
    expect(await settingsAfter()).toEqual(['batch_subscribe socket_interval orderbook 5s']);
    bench.socket.unsubscribe(second);
    expect(await settingsAfter()).toEqual(['batch_subscribe socket_interval orderbook 5s']);
    bench.socket.unsubscribe(third);
    expect(await settingsAfter()).toEqual(['batch_subscribe socket_interval orderbook 30s']);
    bench.socket.unsubscribe(first);
    expect(await settingsAfter()).toEqual([]);
    // What nobody wants is not too slow for anybody.
    const [connections, tcs] = [bench.connections.length, bench.subscribe(tick(TCS, 2_000))];
    bench.socket.unsubscribe(tcs);
    bench.subscribe({ kind: 'greeks', instrument: INFY });
    await bench.clock.sleep(MINUTE);
    expect(bench.connections).toHaveLength(connections);
    bench.socket.stop();
  });
});

describe('a subscription that starts a workflow', () => {
  test('may be older than the newest by a fifth of its gap; a filter waits for each change', () => {
    expect([paceOf(10_000, []), paceOf(10_000, [{ figure: 'price', min: 1, max: 2 }])]).toEqual([2_000, 0]);
  });
});
