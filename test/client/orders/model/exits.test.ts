/** Exits are rounded on the side that is safe for the owner, whatever the tick, the side and the way in which they are given. */
import fc from 'fast-check';
import { directionOf, exitTerms, limitBeyond } from '../../../../client/orders/model/exits';
import type { PriceDistance } from '../../../../client/orders/model/tick';
import type { NetPrice } from '../../../../client/values/market-price';

const TICKS = [1, 5, 10, 25, 100];
const HUNDREDTHS = 10_000;
/** A distance, and where exactly it is for a gain (1) or a loss (-1): twice the paise, so that halves are whole. */
const distances = fc.oneof(
  fc.integer({ min: 1, max: 3_000 }).map((percent): PriceDistance => ({ percent })),
  fc.integer({ min: 1, max: 40_000 }).map((points): PriceDistance => ({ points })),
  fc.integer({ min: 1, max: 400_000 }).map((price): PriceDistance => ({ price })),
);
const cases = fc.record({
  tickSize: fc.constantFrom(...TICKS),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  // A strategy that receives premium has a price below 0.
  entry: fc.integer({ min: -300_000, max: 300_000 }).filter((entry) => entry !== 0),
  stop: distances,
  stopLimit: distances,
  target: distances,
  targetLimit: distances,
});

/** The exact place, in ten-thousandths of a paisa: whole numbers. */
function exact(distance: PriceDistance, entry: number, direction: number, away: number): number {
  if ('price' in distance) return distance.price * HUNDREDTHS;
  if ('points' in distance) return (entry + direction * away * distance.points) * HUNDREDTHS;
  return entry * HUNDREDTHS + direction * away * Math.abs(entry) * distance.percent;
}

it('a stop is triggered no later, its limit is no nearer, a target is no further than what was asked for', () => {
  fc.assert(
    fc.property(cases, ({ tickSize, side, entry, ...request }) => {
      const direction = directionOf(side);
      const { stop, target } = exitTerms(request, { entry: entry as NetPrice, direction, tickSize });
      /** Gain of the owner at a price over the exact distance that was asked for, ten-thousandths of a paisa. */
      const better = (price: number, distance: PriceDistance, away: number): number =>
        direction * (price * HUNDREDTHS - exact(distance, entry, direction, away));
      const oneTick = tickSize * HUNDREDTHS;
      for (const price of [stop!.trigger, stop!.limit, target!.trigger, target!.limit])
        expect(Math.abs(price % tickSize)).toBe(0);
      const off = {
        trigger: better(stop!.trigger, request.stop, -1),
        limit: better(stop!.limit, request.stopLimit, -1),
        target: better(target!.trigger, request.target, 1),
        targetLimit: better(target!.limit, request.targetLimit, 1),
      };
      // Towards the entry for the trigger of a stop; away from it for its limit, so that it trades; a target towards it.
      expect(off.trigger).toBeGreaterThanOrEqual(0);
      expect(off.trigger).toBeLessThan(oneTick);
      for (const value of [off.limit, off.target, off.targetLimit]) {
        expect(value).toBeLessThanOrEqual(0);
        expect(value).toBeGreaterThan(-oneTick);
      }
    }),
    { numRuns: 500 },
  );
});

it('a limit that nobody gave is at least a tick and at least one percent beyond the trigger, and less than a tick more', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TICKS),
      fc.integer({ min: -60_000, max: 60_000 }),
      fc.constantFrom(1 as const, -1 as const),
      (tick, steps, direction) => {
        const trigger = steps * tick;
        const beyond = direction * (trigger - limitBeyond(trigger, direction, tick));
        const least = Math.max(tick * 100, Math.abs(trigger));
        expect(beyond * 100).toBeGreaterThanOrEqual(least);
        expect(beyond * 100).toBeLessThan(least + tick * 100);
      },
    ),
  );
});

it('a trailing jump is whole ticks, at least one, and never longer than what was asked for unless that is below a tick', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 1, max: 5_000 }), ({ tickSize, side, entry, stop }, points) => {
      const { stop: made } = exitTerms(
        { stop, jump: { points } },
        { entry: entry as NetPrice, direction: directionOf(side), tickSize },
      );
      expect(made!.jump! % tickSize).toBe(0);
      expect(made!.jump).toBeGreaterThanOrEqual(tickSize);
      expect(made!.jump).toBeLessThanOrEqual(Math.max(points, tickSize));
    }),
  );
});
