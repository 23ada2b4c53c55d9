/** One socket: what is sent when, what is handed over, and how it ends. */
import { monotonicBy } from '../../../../client/base/monotonic';
import { getEventListeners } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import {
  connectStream,
  StreamError,
  type StreamAccess,
  type StreamConnection,
} from '../../../../client/stream/connection/socket';
import { VirtualClock } from '../../../support/clock';
import { FOREVER } from '../listening';
import { ScriptedSocket } from '../scripted-socket';

/** One attempt, and what came of it. */
class Attempt {
  readonly clock = new VirtualClock();
  readonly frames: number[][] = [];
  readonly texts: string[] = [];
  /** The signals of all waits that were begun. */
  readonly waits: (AbortSignal | undefined)[] = [];
  readonly socket: ScriptedSocket;
  readonly connected: Promise<StreamConnection>;

  constructor(access: Partial<StreamAccess> = {}, signal = FOREVER, withTexts = true) {
    const made: ScriptedSocket[] = [];
    const clock = {
      now: () => this.clock.now(),
      ...monotonicBy(() => this.clock.elapsed),
      sleep: async (ms: number, until?: AbortSignal) => {
        this.waits.push(until);
        await this.clock.sleep(ms, until);
      },
    };
    this.connected = connectStream(
      { clock, makeSocket: (url) => made[made.push(new ScriptedSocket(url)) - 1]! },
      { url: 'wss://push.example.com/ws?v=2', token: 't/1', ...access },
      ['subscribe a', 'subscribe b'],
      (bytes) => this.frames.push([...bytes]),
      signal,
      withTexts ? (text) => this.texts.push(text) : undefined,
    );
    this.connected.catch(() => undefined);
    this.socket = made[0]!;
  }

  async open(): Promise<StreamConnection> {
    this.socket.opens();
    return await this.connected;
  }
}

/** Lets all that waits for nothing but its turn happen. */
const turns = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

describe('a socket', () => {
  test('is opened with the token, sends its commands when it is open, and hands over what comes', async () => {
    const attempt = new Attempt();
    const { socket, frames, texts } = attempt;
    expect([socket.url, socket.binaryType]).toEqual(['wss://push.example.com/ws?v=2&token=t%2F1', 'arraybuffer']);
    expect(socket.sent).toEqual([]);
    const connection = await attempt.open();
    connection.send('more');
    expect(socket.sent).toEqual(['subscribe a', 'subscribe b', 'more']);
    socket.says(Uint8Array.of(1, 2).buffer);
    socket.says(Buffer.from([3]));
    socket.says('too many subscriptions');
    socket.says('9'.repeat(60_000));
    expect([frames, texts, socket.readyState]).toEqual([
      [[1, 2], [3]],
      ['too many subscriptions', '9'.repeat(10_000)],
      1,
    ]);
    // Nothing goes on waiting for it to open.
    expect(attempt.waits.map((until) => until?.aborted)).toEqual([true]);
  });

  test('is given up where it does not open within 15 seconds', async () => {
    const { connected, clock, socket } = new Attempt();
    const start = clock.now();
    await expect(connected).rejects.toThrow(StreamError);
    expect([clock.now() - start, socket.readyState]).toEqual([15_000, 3]);
    socket.opens();
    await turns();
    expect(socket.sent).toEqual([]);
  });

  test.each<[string, (socket: ScriptedSocket) => void]>([
    ['closed', (socket) => socket.breaks()],
    ['refused', (socket) => socket.onerror?.({})],
  ])('is given up at once where it is %s before it opens, and says what a proxy needs', async (_, fail) => {
    const { connected, clock, socket } = new Attempt();
    const start = clock.now();
    fail(socket);
    await expect(connected).rejects.toMatchObject({
      message: 'The stream could not be opened',
      hint: expect.stringContaining('NODE_USE_ENV_PROXY=1') as unknown,
      maySent: false,
    });
    expect([clock.now() - start, socket.readyState]).toEqual([0, 3]);
  });

  test('is not made, or closed at once, where its owner has given up', async () => {
    const early = new Attempt({}, AbortSignal.abort(new Error('stopped')));
    await expect(early.connected).rejects.toThrow('stopped');
    expect(early.socket).toBeUndefined();
    const stopping = new AbortController();
    const { connected, socket, clock } = new Attempt({}, stopping.signal);
    const start = clock.now();
    stopping.abort(new Error('stopped'));
    await expect(connected).rejects.toThrow('stopped');
    expect([socket.readyState, clock.now() - start]).toEqual([3, 0]);
  });

  test.each<
    [string, string, (socket: ScriptedSocket, connection: StreamConnection, stopping: AbortController) => void]
  >([
    ['is closed', 'closed', (socket) => socket.breaks()],
    ['fails', 'closed', (socket) => socket.onerror?.({})],
    ['is told that the token is invalid', 'invalidToken', (socket) => socket.says('error: INVALID token')],
    ['is stopped', 'stopped', (_socket, connection) => connection.stop()],
    ['is given up', 'stopped', (_socket, _connection, stopping) => stopping.abort()],
  ])('ends once where it %s, hears nothing more, and leaves nothing behind', async (_, ending, end) => {
    const stopping = new AbortController();
    const attempt = new Attempt({}, stopping.signal);
    const connection = await attempt.open();
    expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(1);
    const { socket } = attempt;
    end(socket, connection, stopping);
    // An error that nobody hears may be reported elsewhere.
    expect([socket.readyState, typeof socket.onerror, socket.onopen]).toEqual([3, 'function', null]);
    socket.onerror?.({});
    socket.says(Uint8Array.of(1).buffer);
    socket.breaks();
    connection.stop();
    expect(await connection.ended).toBe(ending);
    expect([attempt.frames, attempt.texts, getEventListeners(stopping.signal, 'abort')]).toEqual([[], [], []]);
  });

  test('hears texts only where somebody wants them', async () => {
    const attempt = new Attempt({}, FOREVER, false);
    await attempt.open();
    expect(() => attempt.socket.says('hello')).not.toThrow();
    expect(attempt.socket.sent).toHaveLength(2);
  });
});

describe('the socket of a sandbox whose clock waits', () => {
  test('acknowledges each message when all that it has started is done', async () => {
    const done: ((runs: number) => void)[] = [];
    const attempt = new Attempt({ runsDone: async () => await new Promise((resolve) => done.push(resolve)) });
    const connection = await attempt.open();
    const { socket } = attempt;
    expect(socket.sent.splice(0)).toEqual(['subscribe t/1 sandbox_clock acknowledge', 'subscribe a', 'subscribe b']);
    socket.says(Uint8Array.of(1).buffer);
    socket.says('text');
    socket.says(Uint8Array.of(2));
    expect([done.length, socket.sent]).toEqual([3, []]);
    done[0]!(2);
    done[1]!(0);
    await turns();
    expect(socket.sent).toEqual(['acknowledge 2', 'acknowledge 0']);
    connection.stop();
    done[2]!(1);
    await turns();
    expect(socket.sent).toHaveLength(2);
  });

  test('acknowledges no refusal of its token', async () => {
    let requested = 0;
    const attempt = new Attempt({ runsDone: async () => await Promise.resolve((requested += 1)) });
    await attempt.open();
    attempt.socket.says('Invalid Token');
    expect(requested).toBe(0);
  });
});
