import { monotonicBy } from '../../client/base/monotonic';
import type { Clock } from '../../client/base/ports';
import { createLimiter } from '../../client/rate-limiter';

/** A clock that does not move by itself: it moves on by each sleep, and a test can set it to any time. */
class SettableClock implements Clock {
  at = 1_000_000;
  slept: number[] = [];
  private readonly measured = monotonicBy(() => this.at);
  readonly moment = this.measured.moment;
  readonly since = this.measured.since;
  /** Milliseconds that the wall clock was set ahead. */
  ahead = 0;
  now(): number {
    return this.at + this.ahead;
  }
  async sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    this.at += ms;
  }
}

const LIMIT = { count: 2, perMs: 1_000 };
const HOUR_MS = 3_600_000;

it("lets a window's requests out at once, and the next when the window has passed", async () => {
  const clock = new SettableClock();
  const limiter = createLimiter(LIMIT);
  for (let n = 0; n < 5; n++) await limiter.turn(clock);
  expect(clock.slept).toEqual([1_050, 1_050]);
});

it('a clock that was put back by hours holds nothing up, and the limit still holds', async () => {
  const clock = new SettableClock();
  const limiter = createLimiter(LIMIT);
  limiter.hold(clock, 500);
  for (let n = 0; n < 2; n++) await limiter.turn(clock);
  clock.ahead -= 5 * HOUR_MS;
  clock.slept = [];
  for (let n = 0; n < 3; n++) await limiter.turn(clock);
  expect(clock.slept).toEqual([1_050, 1_050]);
});

it('lets a request of several out when all have room, and one above the limit when nothing else counts', async () => {
  const clock = new SettableClock();
  const limiter = createLimiter({ count: 3, perMs: 1_000 });
  await limiter.turn(clock, undefined, 2);
  await limiter.turn(clock, undefined, 2);
  expect(clock.slept).toEqual([1_050]);
  await limiter.turn(clock);
  expect(clock.slept).toEqual([1_050]);
  await limiter.turn(clock, undefined, 9);
  expect(clock.slept).toEqual([1_050, 1_050]);
});
