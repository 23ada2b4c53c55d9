/** Times of the exchange as a sandbox tells them. */
import { describe, expect, test } from '@jest/globals';
import { InputError, NetworkError, SessionError } from '../../../../client/base/errors';
import { followSandboxTimes } from '../../../../client/stream/connection/sandbox-market-times';
import type { StreamAccess } from '../../../../client/stream/connection/socket';
import { VirtualClock } from '../../../support/clock';
import { ScriptedSocket } from '../scripted-socket';

/** A sandbox whose sockets open at once, and what its follower heard. */
class Bench {
  readonly clock = new VirtualClock();
  readonly sockets: ScriptedSocket[] = [];
  readonly heard: unknown[] = [];
  /** Number of times that it was asked for access. */
  asked = 0;
  /** Errors that requests for access throw, one after the other; without one, access is given. */
  readonly failures: Error[] = [];
  readonly stopping = new AbortController();

  constructor(private readonly more: Partial<StreamAccess> = {}) {}

  async follow(): Promise<void> {
    await followSandboxTimes(
      {
        clock: this.clock,
        random: () => 0.999_999_9,
        makeSocket: (url) => {
          const socket = new ScriptedSocket(url);
          this.sockets.push(socket);
          queueMicrotask(() => socket.opens());
          return socket;
        },
        access: async () => {
          this.asked += 1;
          const failure = this.failures.shift();
          if (failure) throw failure;
          return await Promise.resolve({ url: 'ws://127.0.0.1/ws', token: `t${this.asked}`, ...this.more });
        },
      },
      ['09:20:00', '15:10:00'],
      {
        reached: async (at) => await Promise.resolve(void this.heard.push(at)),
        lost: (reason) => this.heard.push(reason),
        fatal: (error) => this.heard.push(error),
      },
      this.stopping.signal,
    );
  }

  get socket(): ScriptedSocket {
    return this.sockets.at(-1)!;
  }

  /** Lets all happen that is due within a minute. */
  async minute(): Promise<void> {
    this.clock.sleeps.splice(0);
    await this.clock.sleep(60_000);
  }

  /** The pauses of the last minute: what else was waited for is that minute, and 15 seconds at most for a socket to open. */
  get pauses(): number[] {
    return this.clock.sleeps.filter((ms) => ms < 15_000);
  }
}

const LOST = 'The stream was closed';

describe('times that a sandbox tells', () => {
  test('are followed: each is heard, and nothing else that the sandbox says', async () => {
    const bench = new Bench();
    await bench.follow();
    expect(bench.socket.sent).toEqual(['subscribe t1 sandbox_clock 09:20:00,15:10:00']);
    for (const text of [
      'market_time 2020-03-13T09:20:00.000+05:30',
      'market_time soon',
      'hello',
      'the market_time 2020-03-13T09:20:00.000+05:30',
      'market_time 2020-03-13T09:20:00.000+05:30 again',
    ])
      bench.socket.says(text);
    bench.socket.says(Uint8Array.of(1).buffer);
    expect(bench.heard).toEqual([Date.parse('2020-03-13T03:50:00Z')]);
    expect(bench.socket.sent).toHaveLength(1);
  });

  test('are known before a clock that waits goes on, and acknowledged when their runs are done', async () => {
    let finish: (runs: number) => void = () => undefined;
    const bench = new Bench({ runsDone: async () => await new Promise((resolve) => (finish = resolve)) });
    await bench.follow();
    expect(bench.socket.sent.splice(0)).toEqual([
      'subscribe t1 sandbox_clock 09:20:00,15:10:00',
      'subscribe t1 sandbox_clock acknowledge',
    ]);
    bench.socket.says('market_time 2020-03-13T09:20:00.000+05:30');
    await new Promise((resolve) => setImmediate(resolve));
    expect(bench.socket.sent).toEqual([]);
    finish(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(bench.socket.sent).toEqual(['acknowledge 1']);
    // What is no time has started nothing, and the clock waits all the same.
    bench.socket.says('hello');
    finish(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(bench.socket.sent).toEqual(['acknowledge 1', 'acknowledge 0']);
  });

  test('are followed again when the connection is lost, more slowly each time that it cannot be made', async () => {
    const bench = new Bench();
    await bench.follow();
    bench.failures.push(new NetworkError('No server', { maySent: false }), new Error('failed'));
    bench.socket.breaks();
    await bench.minute();
    expect([bench.heard, bench.pauses]).toEqual([[LOST], [500, 1_000, 2_000]]);
    expect(bench.socket.sent).toEqual(['subscribe t4 sandbox_clock 09:20:00,15:10:00']);
    bench.socket.says('market_time 2020-03-13T15:10:00.000+05:30');
    bench.socket.breaks();
    await bench.minute();
    expect([bench.heard, bench.pauses]).toEqual([[LOST, Date.parse('2020-03-13T09:40:00Z'), LOST], [500]]);
    expect(bench.asked).toBe(5);
  });

  test('ask for a token again where the stream has called theirs invalid', async () => {
    const bench = new Bench();
    await bench.follow();
    bench.socket.says('Invalid Token');
    await bench.minute();
    expect(bench.socket.sent).toEqual(['subscribe t2 sandbox_clock 09:20:00,15:10:00']);
  });

  test.each([new SessionError('The MPIN was refused.'), new InputError('The address is empty.')])(
    'end where nothing is possible without a login by hand: %p',
    async (error) => {
      const bench = new Bench();
      await bench.follow();
      bench.failures.push(error);
      bench.socket.breaks();
      await bench.minute();
      expect([bench.heard, bench.asked]).toEqual([[LOST, error], 2]);
    },
  );

  test('do not begin where there is no connection, and say why', async () => {
    const bench = new Bench();
    bench.failures.push(new NetworkError('No server', { maySent: false }));
    await expect(bench.follow()).rejects.toThrow('No server');
    await bench.minute();
    expect([bench.heard, bench.asked]).toEqual([[], 1]);
  });

  test('are followed no longer by one who stops, in a connection or between two', async () => {
    const bench = new Bench();
    await bench.follow();
    bench.stopping.abort();
    await bench.minute();
    expect([bench.heard, bench.asked, bench.socket.readyState]).toEqual([[], 1, 3]);
    const other = new Bench();
    await other.follow();
    other.socket.breaks();
    await other.clock.sleep(400);
    other.stopping.abort();
    await other.minute();
    expect([other.heard, other.asked]).toEqual([[LOST], 1]);
  });
});
