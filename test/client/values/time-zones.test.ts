/** The day and the instant that a value means in a workflow of another time zone: a row for each way in which it comes. */
import { DateTime } from 'luxon';
import { InputError } from '../../../client/base/errors';
import { istInstant, parseDate, parseDayOrInstant, parseInstant } from '../../../client/values/time';
import { refusal } from '../../support/refusal';

/** Midnight of 21 November in Auckland is 16:30 of the 20th in India. */
const AUCKLAND = 'Pacific/Auckland';
const MIDNIGHT = Date.parse('2026-11-20T11:00:00Z');
const luxon = (text: string, zone = AUCKLAND) => DateTime.fromISO(text, { zone });

/** Ways in which an instant comes that has no zone. */
const INSTANTS: [string, (ms: number) => unknown][] = [
  ['a Date', (ms) => new Date(ms)],
  ['milliseconds', (ms) => ms],
  ['milliseconds as text', (ms) => ` ${ms} `],
  ['a time in UTC', (ms) => new Date(ms).toISOString()],
  ['a time in UTC in small letters', (ms) => ` ${new Date(ms).toISOString().toLowerCase()} `],
  ['a time with the offset +00:00', (ms) => new Date(ms).toISOString().replace('Z', '+00:00')],
  ['a time with the offset -0000', (ms) => new Date(ms).toISOString().replace('Z', '-0000')],
];

describe.each(INSTANTS)('%s', (_, write) => {
  test('is the day in the zone where it is its midnight, and the IST day otherwise', () => {
    const dayOf = (ms: number, zone = AUCKLAND) => parseDate(write(ms), 'date', 'Date', zone);
    expect(dayOf(MIDNIGHT)).toBe('2026-11-21');
    for (const later of [1, 999, 1_000, 60_000, 3_600_000, -1]) expect(dayOf(MIDNIGHT + later)).toBe('2026-11-20');
    expect(dayOf(MIDNIGHT, 'UTC')).toBe('2026-11-20');
    expect(dayOf(MIDNIGHT, 'Nowhere/At-All')).toBe('2026-11-20');
    expect(parseDate(write(Date.parse('2026-11-20T18:30:00Z')), 'date')).toBe('2026-11-21');
  });

  test('is the beginning of the IST day at the end of a range, where it is a midnight of the zone', () => {
    const instantOf = (ms: number, zone = AUCKLAND) => parseDayOrInstant(write(ms), 'from', 'From', zone);
    expect(instantOf(MIDNIGHT)).toBe(istInstant('2026-11-21'));
    for (const later of [1, 999, 1_000, 60_000, 3_600_000, -1])
      expect(instantOf(MIDNIGHT + later)).toBe(MIDNIGHT + later);
    expect(instantOf(MIDNIGHT, 'UTC')).toBe(MIDNIGHT);
    expect(instantOf(MIDNIGHT, 'Nowhere/At-All')).toBe(MIDNIGHT);
  });

  test('is itself where an instant is asked for', () => {
    for (const ms of [MIDNIGHT, MIDNIGHT + 1]) expect(parseInstant(write(ms), 'at')).toBe(ms);
  });
});

test.each([
  [MIDNIGHT / 1_000, MIDNIGHT],
  [String(MIDNIGHT / 1_000), MIDNIGHT],
  [1_000_000_000, 1_000_000_000_000],
  [4_102_444_799, 4_102_444_799_000],
  [100_000_000_000, 100_000_000_000],
  [946_684_800_000, 946_684_800_000],
  [4_102_444_799_999, 4_102_444_799_999],
])('%j is an epoch', (value, ms) => {
  expect(parseInstant(value, 'at')).toBe(ms);
});

test.each([
  999_999_999,
  10_000_000_000,
  17_954_082_010,
  4_102_444_800,
  4_102_444_800_000,
  17_954_082_010_000,
  1795408201.5,
  'x1795408201',
  '1795408201x',
  'x1795408201000',
  '1795408201000x',
  new Date(NaN),
  new Date(4_102_444_800_000),
  new Date(-4_102_444_800_000),
])('%p is neither an epoch nor a date', (value) => {
  expect(() => parseDate(value, 'at')).toThrow(InputError);
  expect(() => parseInstant(value, 'at')).toThrow(InputError);
  expect(() => parseDayOrInstant(value, 'at', 'At', 'UTC')).toThrow(InputError);
});

test.each([
  ['2026-11-21', '2026-11-21', istInstant('2026-11-21')],
  ['20261121', '2026-11-21', istInstant('2026-11-21')],
  [20261121, '2026-11-21', istInstant('2026-11-21')],
  ['2026-11-21T00:00', '2026-11-21', istInstant('2026-11-21')],
  ['2026-11-21 09:15:30', '2026-11-21', Date.parse('2026-11-21T09:15:30+05:30')],
  ['2026-11-21T09:15:30.5', '2026-11-21', Date.parse('2026-11-21T09:15:30.500+05:30')],
  ['2026-11-21t09:15:30,25', '2026-11-21', Date.parse('2026-11-21T09:15:30.250+05:30')],
  ['2026-11-21T00:00:00+13:00', '2026-11-21', MIDNIGHT],
  ['2026-11-21T00:00:00.000+1300', '2026-11-21', MIDNIGHT],
  ['2026-11-21T00:00:00 +13:00[Pacific/Auckland]', '2026-11-21', MIDNIGHT],
  ['2026-11-20T00:00:00-05:30', '2026-11-20', Date.parse('2026-11-20T05:30:00Z')],
])('a day that is written counts, whatever the zone of the workflow: %j', (value, date, ms) => {
  for (const zone of [AUCKLAND, 'UTC', 'America/New_York']) {
    expect(parseDate(value, 'date', 'Date', zone)).toBe(date);
    expect(parseDayOrInstant(value, 'date', 'Date', zone)).toBe(ms);
  }
  expect(parseInstant(value, 'date')).toBe(ms);
});

describe('a DateTime of luxon', () => {
  test('is the day in its own zone', () => {
    for (const time of ['00:00', '09:15', '23:59:59.999'])
      expect(parseDate(luxon(`2026-11-21T${time}`), 'date', 'Date', 'UTC')).toBe('2026-11-21');
  });

  test('is a whole day at the end of a range only at its own midnight', () => {
    const read = (value: DateTime, zone = 'UTC') => parseDayOrInstant(value, 'from', 'From', zone);
    expect(read(luxon('2026-11-21T00:00'))).toBe(istInstant('2026-11-21'));
    for (const time of ['00:00:00.001', '00:00:01', '00:01', '01:00']) {
      const value = luxon(`2026-11-21T${time}`);
      expect(read(value)).toBe(value.toMillis());
    }
    // It is midnight in the workflow's zone, and not in its own.
    const noon = luxon('2026-11-21T13:00');
    expect(read(noon)).toBe(noon.toMillis());
  });

  test('is an instant like any other where an instant is asked for', () => {
    expect(parseInstant(luxon('2026-11-21T00:00'), 'at')).toBe(MIDNIGHT);
  });

  test('a value without a day is refused as one, and stays an instant', () => {
    const value = {
      hour: 0,
      minute: 0,
      second: 0,
      millisecond: 0,
      toMillis: () => MIDNIGHT,
      toISODate: (): string | null => null,
    };
    expect(refusal(() => parseDate(value, 'date', 'Date')).message).toBe(
      'Date must be a date such as 2026-11-21, but is an object.',
    );
    expect(parseDayOrInstant(value, 'from', 'From', AUCKLAND)).toBe(MIDNIGHT);
  });
});

test.each<[unknown]>([
  [{ toMillis: () => MIDNIGHT }],
  [{ toISODate: () => '2026-11-21' }],
  [{ toMillis: MIDNIGHT, toISODate: () => '2026-11-21' }],
  [{ toMillis: () => MIDNIGHT, toISODate: '2026-11-21' }],
  [null],
  [undefined],
  [true],
  [['2026-11-21']],
  [['1795408201']],
])('%p is no time', (value) => {
  for (const read of [
    () => parseDate(value, 'at', 'At'),
    () => parseInstant(value, 'at', 'At'),
    () => parseDayOrInstant(value, 'at', 'At', 'UTC'),
  ])
    expect(refusal(read).message).toMatch(/^At must be a date such as 2026-11-21, but is /);
});

test.each([
  '2026-02-31T09:15',
  '2026-11-21T09',
  '2026-11-21T09:60',
  '2026-11-21T09:15:30.1234567890',
  '2026-11-21T09:15+5',
])('%j is no time of a day', (value) => {
  expect(refusal(() => parseInstant(value, 'at', 'At')).message).toBe(
    `At must be a date such as 2026-11-21, but is "${value}".`,
  );
});
