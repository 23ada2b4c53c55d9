/**
 * Whatever the wall clock is set to, and whenever: each wait, pace, lock and batch lasts as long as it does otherwise. What is compared
 * is the same work without a step.
 */
import fc from 'fast-check';
import type { PlacementContext } from '../../client/orders/account/placement-context';
import { SharedLock } from '../../client/orders/account/shared-lock';
import { cancelOpenOrders } from '../../client/orders/changing/cancel-open';
import { fillPriceOf } from '../../client/orders/placing/fill-price';
import { placeOrder } from '../../client/orders/placing/place';
import { waitForStatus } from '../../client/orders/placing/wait-for-status';
import { createLimiter } from '../../client/rate-limiter';
import { followDailyTimes } from '../../client/market/calendar/daily-times';
import { OutageReporter } from '../../client/stream/connection/outage-reporter';
import { Outbox } from '../../client/stream/delivery/outbox';
import { Redelivery } from '../../client/stream/delivery/redelivery';
import { ConflatingOutbox } from '../../client/stream/market-data/conflating-outbox';
import { CancelledStops } from '../../client/exit-emulation/cancelled-stops';
import { OtpForms } from '../../client/session/otp-form';
import { ProcessedData } from '../support/processed-data';
import { SETTINGS, VirtualTime, seededRandom } from '../support/virtual-time';
import { INFY, market, orderRequest } from './orders/support';

const RUNS = Number(process.env['CLOCK_STEPS_RUNS'] ?? 25);
const OPEN = { life: () => [{ after: 100, status: 'OPEN' as const }] };

/** Work that is measured: what it gives must be the same over steps, and so must its length. */
interface Work {
  time: VirtualTime;
  run(): Promise<unknown>;
}

/** An order that stays open, and a context that follows it. */
const trading = (work: (id: string, context: PlacementContext, time: VirtualTime) => Promise<unknown>): Work => {
  const { time, context } = market(OPEN);
  return {
    time,
    run: async () => {
      const placed = await placeOrder(orderRequest('t'), context);
      if (placed.outcome !== 'confirmed') throw new Error(placed.outcome);
      return await work(String(placed.record.order_id), context, time);
    },
  };
};

const alone = (work: (time: VirtualTime) => Promise<unknown>): Work => {
  const time = new VirtualTime();
  return { time, run: async () => await work(time) };
};

/** Looks every half second until it is so; the time until then is what is compared. */
const until = async (time: VirtualTime, isSo: () => boolean): Promise<void> => {
  for (let attempts = 0; attempts < 4_000 && !isSo(); attempts++) await time.sleep(500);
};

const WORKS: Record<string, () => Work> = {
  'Wait For': () => trading(async (id, context) => (await waitForStatus(id, 'filled', 60_000, context)).timedOut),
  'the fill that a price is measured from': () =>
    trading(async (id, context) => await fillPriceOf(id, INFY, context.orders, context.transport).catch(String)),
  'Cancel All': () =>
    trading(async (_id, context) => (await cancelOpenOrders(() => true, 30_000, context)).map(({ result }) => result)),
  'the rate limit': () =>
    alone(async ({ clock }) => {
      const limiter = createLimiter({ count: 3, perMs: 1_000 });
      limiter.hold(clock, 700);
      for (let turn = 0; turn < 20; turn++) await limiter.turn(clock);
    }),
  'the lock that a dead worker left': () =>
    alone(async (time) => {
      const data = new ProcessedData(async () => await time.sleep(1));
      await data.add(['held', 'mark']);
      const lock = new SharedLock(data, time.clock, seededRandom(3));
      return await lock.hold(async ({ isSure }) => await Promise.resolve(isSure()));
    }),
  'the lock that a living worker keeps': () =>
    alone(async (time) => {
      const data = new ProcessedData(async () => await time.sleep(1));
      const [one, other] = [3, 4].map((seed) => new SharedLock(data, time.clock, seededRandom(seed)));
      const order: number[] = [];
      const first = one!.hold(async () => {
        await time.sleep(45_000);
        order.push(1);
      });
      await time.sleep(2_000);
      await other!.hold(async () => void (await Promise.resolve(order.push(2))));
      await first;
      return order;
    }),
  'a batch that waits to be full': () =>
    alone(async (time) => {
      let given = 0;
      const outbox = new Outbox({
        clock: time.clock,
        batches: { count: 5, waitMs: 8_000 },
        commit: () => undefined,
        deliver: () => void (given += 1),
        onLag: () => undefined,
      });
      outbox.add({ orderId: '1', after: '', event: {} as never });
      await until(time, () => given > 0);
      outbox.close();
    }),
  'the gap between two prices': () =>
    alone(async (time) => {
      const given: number[] = [];
      const outbox = new ConflatingOutbox<number>({
        clock: time.clock,
        gapMs: 5_000,
        deliver: (value) => void given.push(value),
      });
      for (let value = 0; value < 4; value++) outbox.offer('a', value);
      await until(time, () => given.length === 2);
      outbox.close();
      return given;
    }),
  'events that n8n is given again': () =>
    alone(async (time) => {
      const redelivery = new Redelivery(time.clock, 'a');
      redelivery.add('k', []);
      await time.sleep(200);
      await redelivery.lastIsStored();
    }),
  'an outage that a person hears of': () =>
    alone(async (time) => {
      const reporter = new OutageReporter(time.clock);
      reporter.away();
      await until(time, () => reporter.due() !== undefined);
    }),
  'an entry that is left alone': () =>
    alone(async (time) => {
      const stops = new CancelledStops();
      const order = (status: string): never =>
        ({
          id: '1',
          closing: new Map([[0, { order_id: '2', order_type: 'STOPLOSS', order_status: status }]]),
        }) as never;
      stops.isLately(order('OPEN'), time.clock);
      expect(stops.isLately(order('CANCELLED'), time.clock)).toBe(true);
      await until(time, () => !stops.isLately(order('CANCELLED'), time.clock));
    }),
  'the form of the first login': () =>
    alone(async (time) => {
      const forms = new OtpForms(time.clock);
      const settings = { method: 'otp', phone: '9', otp: '1', baseUrl: 'https://a.example' } as never;
      forms.remember(settings, { mark: 'm', sessionToken: 's', authToken: '', tempToken: '', loginState: '' });
      await until(time, () => forms.recall(settings, 'm') === undefined);
    }),
};

/**
 * Measures how long the work takes, and its result. @param steps instants at which the wall clock is set, and how far
 * ahead it is set then, milliseconds
 */
async function measured(make: () => Work, steps: readonly (readonly [after: number, ahead: number])[]) {
  const { time, run } = make();
  const since = time.now();
  for (const [after, ahead] of steps) void time.sleep(after).then(() => time.setClock(ahead));
  const gives = await time.run(run());
  return { gives, ms: time.now() - since };
}

const STEPS = fc.array(fc.tuple(fc.integer({ min: 0, max: 60_000 }), fc.constantFrom(...SETTINGS)), {
  minLength: 1,
  maxLength: 4,
});

it.each(Object.keys(WORKS))(
  '%s takes as long over a clock that is set',
  async (name) => {
    const make = WORKS[name]!;
    const { gives, ms } = await measured(make, []);
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const over = await measured(make, steps);
        expect(over.gives).toEqual(gives);
        expect(Math.abs(over.ms - ms)).toBeLessThanOrEqual(1);
      }),
      { numRuns: RUNS, seed: 45 },
    );
  },
  60_000,
);

it('times of the day go by the wall clock: one that was passed over comes soon after the clock is set to it', async () => {
  const time = new VirtualTime(Date.parse('2026-11-20T10:00:00+05:30'));
  const closing = new AbortController();
  const due: number[] = [];
  const following = followDailyTimes(
    {
      clock: time.clock,
      isTradingDay: async () => await Promise.resolve(true),
      due: (at) => void due.push(at),
      closed: () => undefined,
      passed: () => undefined,
      unknown: () => undefined,
    },
    ['15:10:00'],
    time.now(),
    closing.signal,
  );
  await time.run(time.sleep(60_000));
  time.setClock(Date.parse('2026-11-20T15:10:01+05:30') - time.now());
  await time.run(time.sleep(31_000));
  closing.abort(new Error('over'));
  await time.run(following);
  expect(due).toEqual([Date.parse('2026-11-20T15:10:00+05:30')]);
});
