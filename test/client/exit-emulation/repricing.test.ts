/** Exits of a share over a split, a bonus issue or a demerger: nothing is sold because the price is another one overnight. */
import {
  canBeRepriced,
  goesOn,
  lastOfDay,
  repricingOf,
  type LastOfDay,
  type Repricing,
} from '../../../client/exit-emulation/repricing';

const at = (time: string): number => Date.parse(`${time}+05:30`);
const tick = (
  time: string,
  lastPrice: number,
  previousClose: number | null,
  source: 'stream' | 'rest' | 'history' = 'stream',
) => ({ at: at(time), lastPrice, previousClose, source }) as const;
/** A Friday's last price, before a bonus of 1 for 1. */
const FRIDAY: LastOfDay = { at: at('2026-11-20T15:29:50'), price: 280_000, previousClose: 275_000, average: 250_000 };
const HALVED: Repricing = { from: 280_000, to: 140_000, average: 250_000 };

test.each([
  ['a bonus of 1 for 1', tick('2026-11-23T09:15:00', 139_500, 140_000), HALVED],
  [
    'a bonus of 1 for 20, read over REST',
    tick('2026-11-23T09:15:00', 266_000, 266_650, 'rest'),
    { ...HALVED, to: 266_650 },
  ],
  ['a consolidation', tick('2026-11-23T09:15:00', 1_400_000, 1_400_000), { ...HALVED, to: 1_400_000 }],
  ['a crash', tick('2026-11-23T09:15:00', 200_000, 281_200), undefined],
  ['a close a little away from the last price', tick('2026-11-23T09:15:00', 280_000, 274_500), undefined],
  ['the night, with the previous close of Friday', tick('2026-11-23T08:30:00', 280_000, 275_000, 'rest'), undefined],
  ['the same day', tick('2026-11-20T15:30:00', 280_000, 140_000), undefined],
  ['a price of the history', tick('2026-11-23T09:15:00', 139_500, 140_000, 'history'), undefined],
  ['no previous close', tick('2026-11-23T09:15:00', 139_500, null), undefined],
  ['a day later: what Monday closed at is not known', tick('2026-11-25T09:15:00', 139_500, 140_000), undefined],
])('%s', (_, next, repricing) => expect(repricingOf(FRIDAY, next)).toEqual(repricing));

test('a day over a holiday is the next one', () => {
  const monday = { ...FRIDAY, at: at('2026-11-23T15:20:00') };
  expect(repricingOf(monday, tick('2026-11-25T09:15:00', 139_500, 140_000))).toEqual(HALVED);
  expect(repricingOf(undefined, tick('2026-11-25T09:15:00', 139_500, 140_000))).toBeUndefined();
});

test('a last price long before the close tells nothing', () => {
  const noon = { ...FRIDAY, at: at('2026-11-20T12:00:00') };
  expect(repricingOf(noon, tick('2026-11-23T09:15:00', 139_500, 140_000))).toBeUndefined();
});

test('the last price of a day stays until another previous close tells of the next one', () => {
  expect(lastOfDay(FRIDAY, tick('2026-11-23T08:30:00', 280_000, 275_005, 'rest'), 125_000)).toBe(FRIDAY);
  expect(lastOfDay(FRIDAY, tick('2026-11-20T15:29:55', 280_100, 275_000, 'rest'), undefined)).toEqual({
    at: at('2026-11-20T15:29:55'),
    price: 280_100,
    previousClose: 275_000,
  });
  expect(lastOfDay(FRIDAY, tick('2026-11-23T09:15:00', 139_500, 140_000), 125_000)?.average).toBe(125_000);
  expect(lastOfDay(FRIDAY, tick('2026-11-23T09:15:00', 139_500, null), 1)).toBe(FRIDAY);
  expect(lastOfDay(FRIDAY, tick('2026-11-23T09:15:00', 139_500, 140_000, 'history'), 1)).toBe(FRIDAY);
});

test.each([
  ['in percent, with the average halved', { stop: { percent: 5 } }, 125_000, true],
  ['in percent, with the average of before', { stop: { percent: 5 } }, 250_000, false],
  ['in points, with the average halved but for a fraction', { target: { points: 5_000 } }, 126_200, true],
  ['as a price', { stop: { price: 240_000 } }, 125_000, false],
  ['one of them as a price', { stop: { percent: 5 }, target: { price: 300_000 } }, 125_000, false],
  ['trailing alone', { trail: { points: 5_000 } }, 250_000, true],
  [
    'trailing after a gain, with the average of before',
    { trail: { points: 5_000 }, trailAfter: { percent: 3 } },
    250_000,
    false,
  ],
  ['in percent, without an average', { stop: { percent: 5 } }, undefined, false],
])('goes on or waits with exits %s', (_, exits, average, isGoingOn) => {
  expect(goesOn(exits as Parameters<typeof goesOn>[0], HALVED, average)).toBe(isGoingOn);
});

test.each([
  ['NSE', 'RELIANCE', true],
  ['NSE', 'RELIANCE26DECFUT', true],
  ['NSE', 'RELIANCE26DEC1500CE', false],
  ['MCX', 'GOLD26DECFUT', false],
])('%s %s can have one: %p', (exchange, symbol, can) => expect(canBeRepriced({ exchange, symbol })).toBe(can));
