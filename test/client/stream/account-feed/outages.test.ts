/** The feed over a service that does as the test says, to the millisecond: what it takes for an outage, and when it tries again. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError, ServiceError, SessionError } from '../../../../client/base/errors';
import { AccountFeed } from '../../../../client/stream/account-feed/account-feed';
import type { FeedDeps } from '../../../../client/stream/account-feed/types';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import { typeOf } from '../../../proto/support';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { MINUTE, FeedEvents } from '../listening';
import { ScriptedSocket } from '../scripted-socket';
import { wrap } from '../wire';

const SECOND = 1_000;
const CHECK_EVERY_MS = 20 * SECOND;
const noAnswer = (): Error => new NetworkError('No server', { maySent: false });

/** Does nothing until the signal fires; then fails with `error`, or the signal's reason. */
const hangs = async (signal: AbortSignal, error?: Error): Promise<never> =>
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(error ?? (signal.reason as Error))));

/** A service that answers at once, and a feed of it. */
class Service {
  readonly clock = new VirtualClock(MONDAY_TEN);
  readonly events = new FeedEvents();
  readonly sockets: ScriptedSocket[] = [];
  /** After how many milliseconds it was asked for access. */
  readonly asked: number[] = [];
  listed: Parameters<typeof readDayOrders>[0] = [];
  basketsAsked = 0;
  /** Behaviour of each new socket. */
  receive = (socket: ScriptedSocket): void => socket.opens();
  access: (signal: AbortSignal) => Promise<void> = async () => await Promise.resolve();
  orders: (signal: AbortSignal) => Promise<void> = async () => await Promise.resolve();
  readonly feed: AccountFeed;

  constructor(subscriptions: readonly ('orders' | 'portfolio')[] = ['orders']) {
    const deps: FeedDeps = {
      clock: this.clock,
      random: () => 0.999_999_9,
      makeSocket: (url) => {
        const socket = new ScriptedSocket(url);
        this.sockets.push(socket);
        queueMicrotask(() => this.receive(socket));
        return socket;
      },
      access: async (signal) => {
        this.asked.push(this.passed);
        await this.access(signal);
        return { url: 'ws://127.0.0.1/ws', token: `t${this.asked.length}` };
      },
      orders: async (signal) => {
        await this.orders(signal);
        return { orders: readDayOrders(this.listed), odd: [], ahead: { min: 0, max: 0 } };
      },
      baskets: async () => {
        this.basketsAsked += 1;
        return await Promise.resolve([]);
      },
    };
    this.feed = new AccountFeed(deps, { environment: 'live', subscriptions, checkEveryMs: CHECK_EVERY_MS });
  }

  get passed(): number {
    return this.clock.now() - MONDAY_TEN;
  }

  get socket(): ScriptedSocket {
    return this.sockets.at(-1)!;
  }

  /** The ends of connections and their beginnings, with their reasons. */
  get connection(): string[] {
    return this.events.connection.map(({ type, reason }) => `${type}: ${reason}`);
  }

  /** Starts the feed, lets a test use it, and stops it: that is nothing to tell of. */
  static async fed(
    use: (service: Service) => Promise<void>,
    ...[subscriptions]: ConstructorParameters<typeof Service>
  ): Promise<void> {
    const service = new Service(subscriptions);
    await service.feed.start(service.events.listener);
    let before = 0;
    try {
      await use(service);
      before = service.events.events.length;
    } finally {
      await service.feed.stop();
    }
    expect(service.events.events.slice(before)).toEqual([]);
    expect(service.socket.readyState).toBe(3);
  }
}

describe('at its start', () => {
  test('a feed tries a stream that does not open three times, and tells of nothing before it has begun', async () => {
    const never = new Service();
    never.receive = (socket) => socket.breaks();
    await expect(never.feed.start(never.events.listener)).rejects.toThrow('The stream could not be opened');
    expect([never.sockets.length, never.connection]).toEqual([3, []]);
    const late = new Service();
    late.receive = (socket) => (late.sockets.length < 3 ? socket.breaks() : socket.opens());
    await late.feed.start(late.events.listener);
    expect([late.sockets.length, late.connection]).toEqual([3, []]);
    await late.feed.stop();
  });

  test.each<[string, (socket: ScriptedSocket) => void]>([
    ['The stream was closed right after it was opened', (socket) => socket.breaks()],
    ['The stream refused the session token right after it was opened', (socket) => socket.says('Invalid Token')],
  ])('a feed says what became of its connection: %s', async (reason, end) => {
    const service = new Service();
    let listReads = 0;
    // The first look succeeds; the comparison is cut short.
    service.orders = async (signal) => (listReads++ === 0 ? undefined : await hangs(signal));
    service.receive = (socket) => {
      socket.opens();
      void service.clock.sleep(SECOND).then(() => end(socket));
    };
    await expect(service.feed.start(service.events.listener)).rejects.toThrow(reason);
    expect([service.sockets.length, service.connection]).toEqual([3, []]);
  });

  test('a feed that is stopped tells of nothing, whatever its requests end with', async () => {
    const service = new Service();
    service.access = async (signal) => await hangs(signal, new SessionError('There is no session.'));
    const started = service.feed.start(service.events.listener);
    await service.clock.sleep(SECOND);
    await service.feed.stop();
    await expect(started).rejects.toThrow('The trigger was stopped');
    expect(service.events.events.map(({ type }) => type)).toEqual(['started']);
  });
});

describe('a connection that is lost', () => {
  test('is made again at once where it had lasted a minute, else ever more slowly', async () => {
    await Service.fed(async (service) => {
      const gaps: number[] = [];
      for (const lasts of [30, 30, 30, 60, 30, 59.9]) {
        await service.clock.sleep(lasts * SECOND);
        const lostAt = service.passed;
        service.socket.breaks();
        await service.clock.sleep(5 * SECOND);
        gaps.push(service.asked.at(-1)! - lostAt);
      }
      // The seconds after it count to the next connection: the fourth lasted longest.
      expect(gaps).toEqual([500, 1_000, 2_000, 500, 1_000, 500]);
    });
  });

  test('tells why, and asks for a token again each time', async () => {
    await Service.fed(async (service) => {
      service.socket.says('Invalid Token');
      await service.clock.sleep(SECOND);
      service.socket.breaks();
      await service.clock.sleep(2 * SECOND);
      expect(service.asked).toHaveLength(3);
      const [refused, closed] = ['The stream refused the session token', 'The stream was closed'];
      expect(service.connection).toEqual([
        ...[`connectionLost: ${refused}`, `connectionRestored: ${refused}`],
        ...[`connectionLost: ${closed}`, `connectionRestored: ${closed}`],
      ]);
    });
  });

  test('is one outage again and again, until a connection lasts', async () => {
    await Service.fed(async (service) => {
      const flaps = async (minutes: number): Promise<void> => {
        for (let n = 0; n < 2 * minutes; n++) {
          service.socket.breaks();
          await service.clock.sleep(30 * SECOND);
        }
      };
      await flaps(4);
      expect(service.events.outages).toEqual([]);
      await flaps(4);
      expect(service.events.outages).toHaveLength(1);
      expect(service.events.outages[0]).toBeGreaterThanOrEqual(5 * MINUTE);
      expect(service.events.outages[0]).toBeLessThan(6 * MINUTE);
      await service.clock.sleep(2 * MINUTE);
      await flaps(4);
      expect(service.events.outages).toHaveLength(1);
      await flaps(4);
      expect(service.events.outages).toHaveLength(2);
    });
  });

  test('is one outage also where every attempt takes longer than a minute', async () => {
    await Service.fed(async (service) => {
      service.access = async () => {
        await service.clock.sleep(70 * SECOND);
        throw noAnswer();
      };
      service.socket.breaks();
      await service.clock.sleep(20 * MINUTE);
      expect(service.events.outages).toHaveLength(1);
      service.access = async () => await Promise.resolve();
      await service.clock.sleep(2 * MINUTE);
    });
  });

  test('is not restored where it ends before the orders are compared', async () => {
    await Service.fed(async (service) => {
      service.socket.breaks();
      service.orders = async (signal) => await hangs(signal);
      await service.clock.sleep(2 * SECOND);
      expect(service.sockets).toHaveLength(2);
      service.socket.breaks();
      await service.clock.sleep(500);
      expect(service.connection).toEqual(['connectionLost: The stream was closed']);
      service.orders = async () => await Promise.resolve();
      // The list comes in the moment in which the connection ends.
      service.receive = (socket) => {
        socket.opens();
        service.receive = (next) => next.opens();
        service.orders = async () => {
          socket.breaks();
          service.orders = async () => await Promise.resolve();
          await Promise.resolve();
        };
      };
      await service.clock.sleep(1_500);
      expect(service.connection).toHaveLength(1);
      await service.clock.sleep(10 * SECOND);
      expect(service.connection).toHaveLength(2);
    });
  });

  test('is told as a lost connection while something waits for the stream', async () => {
    await Service.fed(async (service) => {
      await service.clock.sleep(10 * SECOND);
      service.listed = [{ order_id: '5', order_status: 'ORDER_STATUS_OPEN' }];
      await service.clock.sleep(CHECK_EVERY_MS - 6 * SECOND);
      service.socket.breaks();
      await service.clock.sleep(2 * SECOND);
      expect(service.connection).toEqual([
        'connectionLost: The stream was closed',
        'connectionRestored: The stream was closed',
      ]);
    });
  });
});

test('an order that shows only seconds after the connection is not taken for one that the stream did not bring', async () => {
  await Service.fed(async (service) => {
    service.listed = [{ order_id: '5', order_status: 'ORDER_STATUS_OPEN' }];
    await service.clock.sleep(CHECK_EVERY_MS);
    expect(service.connection).toEqual([]);
    expect(service.events.of('day').at(-1)?.events).toHaveLength(1);
  });
});

test('baskets are asked for at the next comparison when a trigger wants them', async () => {
  await Service.fed(async (service) => {
    await service.clock.sleep(10 * SECOND);
    const before = service.basketsAsked;
    await service.clock.sleep(2 * CHECK_EVERY_MS);
    expect(service.basketsAsked).toBe(before);
    service.feed.requestBaskets();
    await service.clock.sleep(2 * CHECK_EVERY_MS);
    expect(service.basketsAsked).toBe(before + 1);
  });
});

test('the portfolio is handed on as it comes', async () => {
  await Service.fed(
    async ({ socket, events: reported, clock }) => {
      const type = typeOf('PortfolioResponse');
      const message = type.encode(type.fromObject({ positionResponse: { clientCode: 'C1' } })).finish();
      socket.says(Uint8Array.from(wrap('PortfolioResponse', message)).buffer);
      await clock.sleep(1);
      expect(reported.of('portfolio').map(({ portfolio }) => portfolio.positionResponse?.clientCode)).toEqual(['C1']);
    },
    ['portfolio'],
  );
});

describe("a day's orders that cannot be read", () => {
  const unread = async (): Promise<never> => await Promise.reject(noAnswer());

  test('are told of once after five minutes where the service can be reached, and once more after they could be', async () => {
    await Service.fed(async (service) => {
      for (const times of [1, 2]) {
        await service.clock.sleep(CHECK_EVERY_MS);
        service.orders = unread;
        await service.clock.sleep(5 * MINUTE - CHECK_EVERY_MS);
        expect(service.events.ordersUnread).toHaveLength(times - 1);
        await service.clock.sleep(5 * MINUTE);
        expect(service.events.ordersUnread).toHaveLength(times);
        service.orders = async () => await Promise.resolve();
        await service.clock.sleep(CHECK_EVERY_MS);
      }
      expect(service.events.of('ordersUnread')[0]).toMatchObject({ reason: 'No server', forMs: 5 * MINUTE });
      expect([service.connection, service.events.outages]).toEqual([[], []]);
    });
  });

  test.each<[string, Error]>([
    ['the service answers, if only that it fails', new ServiceError('failed', { status: 500, serviceText: '' })],
    ['the stream has brought something in the last minute', new NetworkError('Cut', { maySent: false })],
  ])('are no lost connection while %s', async (_, error) => {
    await Service.fed(async (service) => {
      const isCut = error instanceof NetworkError;
      await service.clock.sleep(3 * SECOND);
      service.orders = unread;
      service.access = async () => await Promise.reject(error);
      for (let n = 0; n < 6; n++) {
        await service.clock.sleep(CHECK_EVERY_MS);
        if (isCut) service.socket.says(Uint8Array.from(wrap('Unknown', new Uint8Array())).buffer);
      }
      expect(service.connection).toEqual([]);
      await service.clock.sleep(MINUTE + CHECK_EVERY_MS);
      expect(service.connection).toEqual(isCut ? ['connectionLost: Cut'] : []);
    });
  });

  test('are a lost connection after a minute where nothing else can be read, and an outage, until they can be', async () => {
    await Service.fed(async (service) => {
      service.orders = unread;
      service.access = async () => await Promise.reject(noAnswer());
      await service.clock.sleep(MINUTE + CHECK_EVERY_MS);
      expect(service.connection).toEqual(['connectionLost: No server']);
      expect(service.events.connection[0]!.at - MONDAY_TEN).toBeGreaterThanOrEqual(MINUTE);
      await service.clock.sleep(9 * MINUTE);
      expect([service.events.outages.length, service.events.ordersUnread, service.sockets.length]).toEqual([1, [], 1]);
      service.access = async () => await Promise.resolve();
      service.orders = async () => await Promise.resolve();
      await service.clock.sleep(CHECK_EVERY_MS + SECOND);
      expect(service.connection).toEqual(['connectionLost: No server', 'connectionRestored: No server']);
      expect(service.sockets.map(({ readyState }) => readyState)).toEqual([3, 1]);
    });
  });

  test('end the feed where there is no session any more', async () => {
    await Service.fed(async (service) => {
      await service.clock.sleep(3 * SECOND);
      service.orders = unread;
      service.access = async () => await Promise.reject(new SessionError('The MPIN was refused.'));
      await service.clock.sleep(CHECK_EVERY_MS);
      expect(service.events.fatal.map(({ message }) => message)).toEqual(['The MPIN was refused.']);
      expect(service.socket.readyState).toBe(3);
      const { length } = service.asked;
      await service.clock.sleep(5 * MINUTE);
      expect(service.asked).toHaveLength(length);
    });
  });

  test('are no matter where the connection ends while it is asked why', async () => {
    await Service.fed(async (service) => {
      await service.clock.sleep(3 * SECOND);
      service.orders = unread;
      service.access = async (signal) => await hangs(signal, new SessionError('There is no session.'));
      await service.clock.sleep(CHECK_EVERY_MS);
      service.orders = service.access = async () => await Promise.resolve();
      service.socket.breaks();
      await service.clock.sleep(SECOND);
      expect([service.events.fatal, service.connection[0]]).toEqual([[], 'connectionLost: The stream was closed']);
    });
  });
});
