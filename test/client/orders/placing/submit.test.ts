/** Sending: what goes out again, what is held back, and what no other run may place at the same moment. */
import { NetworkError, InputError } from '../../../../client/base/errors';
import type { LockHold, SharedLock } from '../../../../client/orders/account/shared-lock';
import { positionName } from '../../../../client/orders/account/placement-context';
import { placeOrder, placeOrders } from '../../../../client/orders/placing/place';
import { INFY, market, posts, orderRequest } from '../support';

const TAGS = ['a', 'b', 'c'];

/** A lock that may be lost while it is held. */
const holding = (isSure: () => boolean): LockHold => ({ isSure, untilListed: () => undefined }) as unknown as LockHold;

/** A service that has too many requests so often. */
const busy = (times: number) => {
  let left = times;
  return market({ fault: ({ method }) => (method === 'POST' && left-- > 0 ? 429 : undefined) });
};

describe('after too many requests', () => {
  it('an order goes out again, and is placed once', async () => {
    const { time, model, context } = busy(1);
    expect(await time.run(placeOrder(orderRequest('a'), context))).toMatchObject({ outcome: 'confirmed' });
    expect(model.journal).toHaveLength(1);
  });

  it('does not go out again once trading is stopped', async () => {
    const { time, model, context } = busy(1);
    let asked = 0;
    const requireTrading = async (): Promise<void> => {
      if (++asked > 1) throw new InputError('Trading is stopped.');
    };
    const outcome = await time.run(placeOrder(orderRequest('a'), { ...context, requireTrading }));
    expect(outcome).toMatchObject({ outcome: 'rejected', error: { status: 429 } });
    expect(model.journal).toEqual([]);
  });

  it('does not go out again where another process may have taken the lock meanwhile', async () => {
    const { time, model, context } = busy(1);
    let asked = 0;
    const hold = holding(() => ++asked === 1);
    const outcome = await time.run(placeOrder(orderRequest('a', { keyed: true }), { ...context, hold }));
    expect(outcome.outcome).toBe('rejected');
    expect(model.journal).toEqual([]);
  });

  it('does not go out again once the execution is stopped', async () => {
    const stop = new AbortController();
    const { time, model, context } = busy(1);
    const orders = { ...context.orders };
    let lists = 0;
    orders.list = async (signal) => {
      const listed = await context.orders.list(signal);
      if (++lists > 1) stop.abort(new Error('stopped'));
      return listed;
    };
    await time.run(placeOrder(orderRequest('a'), { ...context, orders, signal: stop.signal }).catch(() => undefined));
    expect(model.journal).toEqual([]);
  });

  it('is placed after it was refused, as nothing of it is left', async () => {
    const { time, model, context } = busy(100);
    expect(await time.run(placeOrder(orderRequest('a'), context))).toMatchObject({ outcome: 'rejected' });
    expect(context.placements.get(context.scope, 'a')).toBeUndefined();
    expect(model.journal).toEqual([]);
  });
});

describe('orders in several requests', () => {
  const inParts = (options: Parameters<typeof market>[0], maxOrders: number) => {
    const { time, model, context } = market(options);
    const transport = { ...context.transport, maxOrders };
    return { time, model, context: { ...context, transport } };
  };

  it('go out in as many as the orders of a second need, and no more', async () => {
    for (const [maxOrders, requests] of [
      [1, 3],
      [2, 2],
      [3, 1],
    ] as const) {
      const { time, model, context } = inParts({}, maxOrders);
      const outcomes = await time.run(
        placeOrders(
          TAGS.map((tag) => orderRequest(tag)),
          context,
        ),
      );
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'confirmed']);
      expect([posts(model), model.journal.length]).toEqual([requests, 3]);
    }
  });

  it('stop after one of unknown outcome: the rest is not sent, and says so', async () => {
    const { time, model, context } = inParts(
      { listDelay: () => 600_000, fault: ({ method }) => (method === 'POST' ? 'no_reply' : undefined) },
      1,
    );
    const outcomes = await time.run(
      placeOrders(
        TAGS.map((tag) => orderRequest(tag)),
        context,
      ),
    );
    const held = { maySent: false, message: expect.stringContaining('not known whether those before it') as string };
    expect(outcomes).toMatchObject([
      { outcome: 'unknown' },
      { outcome: 'refused', error: { ...held, hint: expect.stringContaining('Look for those before it') as string } },
      { outcome: 'refused', error: held },
    ]);
    expect(model.journal.map(({ tag }) => tag)).toEqual(['a']);
  });

  it('go on after one that was refused: it left nothing that could be doubled', async () => {
    let posted = 0;
    const { time, model, context } = inParts({ refuse: () => (++posted === 1 ? 'ERR_MARGIN' : undefined) }, 1);
    const outcomes = await time.run(
      placeOrders(
        TAGS.map((tag) => orderRequest(tag)),
        context,
      ),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['rejected', 'confirmed', 'confirmed']);
    expect(model.journal.map(({ tag }) => tag)).toEqual(['b', 'c']);
  });

  it('are not sent where they wait for their turn when the execution is stopped, and those that left are told', async () => {
    const stop = new AbortController();
    const { time, model, context } = inParts({}, 1);
    let turns = 0;
    const orderTurn = async (orders: number, signal?: AbortSignal): Promise<void> => {
      if (++turns === 2) stop.abort(new Error('stopped'));
      await context.transport.orderTurn(orders, signal);
    };
    const transport = { ...context.transport, orderTurn };
    const outcomes = await time.run(
      placeOrders(
        TAGS.map((tag) => orderRequest(tag)),
        { ...context, transport, signal: stop.signal },
      ),
    );
    const unsentError = {
      maySent: false,
      message: expect.stringContaining('stopped before this order was sent') as string,
    };
    expect(outcomes).toMatchObject([
      { outcome: 'confirmed' },
      { outcome: 'refused', error: unsentError },
      { outcome: 'refused', error: unsentError },
    ]);
    expect(model.journal.map(({ tag }) => tag)).toEqual(['a']);
  });
});

it('an order is not sent under a lock that another process may hold by now', async () => {
  const { time, model, context } = market();
  const hold = holding(() => false);
  const keyed = await time.run(placeOrder(orderRequest('k', { keyed: true }), { ...context, hold }));
  expect(keyed).toMatchObject({ outcome: 'unknown', tag: 'k' });
  const other = await time.run(placeOrder(orderRequest('a'), { ...context, hold }));
  expect(other).toMatchObject({ outcome: 'refused', error: { maySent: false } });
  expect(posts(model)).toBe(0);
  expect([...context.placements.values(context.scope)]).toEqual([]);
});

describe('the lock of several processes', () => {
  const locked = () => {
    let holds = 0;
    const hold = async (work: (hold: LockHold) => Promise<void>): Promise<void> => {
      holds++;
      await work(holding(() => true));
    };
    return { keyLock: { hold } as unknown as SharedLock, holds: () => holds };
  };

  it.each([
    ['with a key', { keyed: true }, 1],
    ['of a retry', { isRepeat: true, isRetry: true }, 1],
    ['of an execution that somebody may be retrying', { isRepeat: true, mayBeRetried: true }, 1],
    ['of an execution of its own', {}, 0],
  ])('is taken for an order %s, or not', async (_, changes, times) => {
    const { time, context } = market();
    const { keyLock, holds } = locked();
    await time.run(placeOrder(orderRequest('a', changes), { ...context, keyLock }));
    expect(holds()).toBe(times);
  });

  it('is not taken for what this process placed before, nor where the caller holds it', async () => {
    const { time, model, context } = market();
    const { keyLock, holds } = locked();
    await time.run(placeOrder(orderRequest('a', { keyed: true }), context));
    await time.run(placeOrder(orderRequest('a', { keyed: true }), { ...context, keyLock }));
    const hold = holding(() => true);
    await time.run(placeOrder(orderRequest('b', { keyed: true }), { ...context, keyLock, hold }));
    expect([holds(), posts(model)]).toEqual([0, 2]);
  });

  it('leaves, where it cannot be had, an order with a key unknown and unsent', async () => {
    const { time, model, context } = market();
    const error = new NetworkError('The lock cannot be read.', { maySent: false });
    const keyLock = { hold: async () => await Promise.reject(error) } as unknown as SharedLock;
    expect(await time.run(placeOrder(orderRequest('k', { keyed: true }), { ...context, keyLock }))).toMatchObject({
      outcome: 'unknown',
      error: { cause: error },
    });
    expect(posts(model)).toBe(0);
  });

  it('passes on a fault of the work under it: it is no fault of the lock', async () => {
    const { time, context } = market();
    const { keyLock } = locked();
    const requireAddress = async (): Promise<void> => await Promise.reject(new TypeError('broken'));
    const placing = placeOrder(orderRequest('k', { keyed: true }), { ...context, keyLock, requireAddress });
    await expect(time.run(placing)).rejects.toThrow('broken');
  });
});

describe('while a position is closed', () => {
  /** Places an order while such work on INFY goes on. @returns whether it had to wait for its end */
  const waits = async (changes: Parameters<typeof orderRequest>[1], hasPosition?: boolean): Promise<boolean> => {
    const { time, context } = market();
    let isClosing = true;
    const closing = context.placements.alone(context.scope, [positionName(INFY.refId)], async () => {
      await time.sleep(60_000);
      isClosing = false;
    });
    let hasWaited = false;
    const placing = placeOrder(orderRequest('a', changes), { ...context, hasPosition }).then(() => {
      hasWaited = !isClosing;
    });
    await time.run(Promise.all([closing, placing]));
    return hasWaited;
  };

  it('an order of its instrument with a key waits, as the work counts open orders', async () => {
    expect(await waits({ keyed: true })).toBe(true);
  });

  it('an order without a key, and the order of the work itself, do not wait', async () => {
    expect(await waits({})).toBe(false);
    expect(await waits({ keyed: true }, true)).toBe(false);
  });
});
