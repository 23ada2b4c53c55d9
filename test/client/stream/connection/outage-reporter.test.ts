/** Reports of an outage: when the user is told, to the millisecond, and that they are told once. */
import fc from 'fast-check';
import {
  OUTAGE_AFTER_MS,
  OutageReporter,
  type OutageOptions,
} from '../../../../client/stream/connection/outage-reporter';
import { VirtualClock, momentAt } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';

const DAY_MS = 86_400_000;

function begun(options?: OutageOptions, start = MONDAY_TEN) {
  const clock = new VirtualClock(start);
  return { reporter: new OutageReporter(clock, options), at: (ms: number) => clock.set(start + ms) };
}

it('an outage is told after five minutes, once until the stream is back', () => {
  const { reporter, at } = begun();
  expect([reporter.due(), reporter.awaySince]).toEqual([undefined, undefined]);
  reporter.away();
  at(OUTAGE_AFTER_MS - 1);
  reporter.away();
  expect(reporter.due()).toBeUndefined();
  at(OUTAGE_AFTER_MS);
  expect([reporter.due(), reporter.due()]).toEqual([OUTAGE_AFTER_MS, undefined]);
  reporter.back();
  expect(reporter.due()).toBeUndefined();
  reporter.away();
  at(2 * OUTAGE_AFTER_MS);
  expect(reporter.due()).toBe(OUTAGE_AFTER_MS);
});

it('an outage is told only while a market of the environment is open, where it matters only then', () => {
  const sunday = begun({ environment: 'live' }, MONDAY_TEN - DAY_MS);
  sunday.reporter.away();
  sunday.at(OUTAGE_AFTER_MS);
  expect(sunday.reporter.due()).toBeUndefined();
  sunday.at(DAY_MS);
  expect(sunday.reporter.due()).toBe(DAY_MS);
  const always = begun({}, MONDAY_TEN - DAY_MS);
  always.reporter.away();
  always.at(OUTAGE_AFTER_MS);
  expect(always.reporter.due()).toBe(OUTAGE_AFTER_MS);
});

it('an outage counts from another time where that is set, and stays told', () => {
  const { reporter, at } = begun({ afterMs: 10 });
  reporter.back(momentAt(MONDAY_TEN));
  at(5);
  reporter.countFrom(momentAt(MONDAY_TEN + 5));
  at(14);
  expect(reporter.due()).toBeUndefined();
  at(15);
  expect(reporter.due()).toBe(10);
  reporter.countFrom(momentAt(MONDAY_TEN));
  expect(reporter.due()).toBeUndefined();
});

it('an outage is told exactly once, whenever it is asked', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('away', 'back'), fc.nat({ max: 20 })), { maxLength: 40 }),
      (steps) => {
        const { reporter, at } = begun({ afterMs: 10 });
        let now = 0;
        let since: number | undefined;
        let isReported = false;
        for (const [step, ms] of steps) {
          if (step === 'away') since ??= now;
          else [since, isReported] = [undefined, false];
          reporter[step]();
          now += ms;
          at(now);
          const isDue: boolean = since !== undefined && !isReported && now - since >= 10;
          expect(reporter.due()).toBe(isDue ? now - since! : undefined);
          isReported ||= isDue;
        }
      },
    ),
  );
});
