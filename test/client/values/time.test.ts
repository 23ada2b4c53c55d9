import fc from 'fast-check';
import { DateTime } from 'luxon';
import { InputError } from '../../../client/base/errors';
import { type DATE_PRESETS, presetRange } from '../../../client/values/date-presets';
import {
  addDays,
  addMonths,
  compactDate,
  dateToNumber,
  IstFormatter,
  istDate,
  istInstant,
  istMinute,
  istTimeOfDay,
  monthNumber,
  monthWord,
  msToNanos,
  nanosToIst,
  nanosToMs,
  numberToDate,
  parseDate,
  parseDayOrInstant,
  parseInstant,
  parseTimeOrInstant,
  readTimeOfDay,
  showDate,
  toIst,
} from '../../../client/values/time';
import { refusal } from '../../support/refusal';

const IST = 'Asia/Kolkata';
const instants = fc.integer({ min: Date.parse('2000-01-01T00:00:00Z'), max: Date.parse('2099-12-30T00:00:00Z') });
const at = (text: string) => Date.parse(text);

describe('instants', () => {
  it('are shown in IST as luxon shows them', () => {
    fc.assert(
      fc.property(instants, (ms) => {
        const luxon = DateTime.fromMillis(ms, { zone: IST });
        expect(toIst(ms)).toBe(luxon.toISO());
        expect(istDate(ms)).toBe(luxon.toISODate());
        expect(istTimeOfDay(ms)).toBe(luxon.toFormat('HH:mm'));
        expect(istMinute(ms)).toEqual({ weekday: luxon.weekday % 7, minute: luxon.hour * 60 + luxon.minute });
        expect(nanosToMs(msToNanos(ms))).toBe(ms);
        expect(parseInstant(toIst(ms), 'from')).toBe(ms);
      }),
    );
  });

  it('are shown by the one for many in a row as by the one for a single one', () => {
    const formatter = new IstFormatter();
    const midnight = at('2026-11-21T00:00:00+05:30');
    for (const ms of [midnight, midnight - 1, midnight, midnight + 1, at('2026-11-21T13:05:09.042+05:30'), -1]) {
      expect(formatter.textOf(ms)).toBe(toIst(ms));
      expect(formatter.dateOf(ms)).toBe(istDate(ms));
    }
    expect(new IstFormatter().dateOf(midnight)).toBe('2026-11-21');
    fc.assert(fc.property(instants, (ms) => expect(formatter.textOf(ms)).toBe(toIst(ms))));
  });

  it('begin a day in IST, or are at a time of it', () => {
    expect(istInstant('2026-11-21')).toBe(at('2026-11-21T00:00:00+05:30'));
    expect(istInstant('2026-11-21', '09:15')).toBe(at('2026-11-21T09:15:00+05:30'));
  });

  it('are taken from nanoseconds as text or as an exact number, from 2000 until before 2100', () => {
    expect(nanosToMs('946684800000000000')).toBe(946_684_800_000);
    expect(nanosToMs('946684799999999999')).toBeNull();
    expect(nanosToMs('4102444799999999999')).toBe(4_102_444_799_999);
    expect(nanosToMs('4102444800000000000')).toBeNull();
    expect(nanosToMs('x1795751100123456789')).toBeNull();
    expect(nanosToMs('1795751100123456789x')).toBeNull();
    expect(nanosToMs(['1795751100123456789'])).toBeNull();
    // Beyond what a number holds exactly: its last digits are not those that were sent.
    expect(nanosToMs(1795751100123456789)).toBeNull();
    expect(msToNanos(5.9)).toBe('5000000');
  });

  it('keeps garbage of pending orders out', () => {
    for (const nanos of ['0', '-6795364578871345152', null, undefined, '', 'x', 12, '99999999999999999999', {}])
      expect(nanosToIst(nanos)).toBeNull();
    expect(nanosToIst('1795751100123456789')).toBe('2026-11-27T09:15:00.123+05:30');
  });

  it('takes a time without a zone as IST, and n8n’s own date objects', () => {
    expect(parseInstant('2026-11-21T09:15:00', 'from')).toBe(at('2026-11-21T09:15:00+05:30'));
    expect(parseInstant('2026-11-21 09:15', 'from')).toBe(at('2026-11-21T09:15:00+05:30'));
    expect(parseInstant('2026-11-21T09:15:00.5-0500', 'from')).toBe(at('2026-11-21T09:15:00.500-05:00'));
    expect(parseInstant('20261121', 'from')).toBe(at('2026-11-21T00:00:00+05:30'));
    expect(parseInstant(DateTime.fromISO('2026-11-21T09:15:00Z'), 'from')).toBe(at('2026-11-21T09:15:00Z'));
    expect(parseInstant(new Date(5), 'from')).toBe(5);
    expect(parseInstant('  2026-11-21T09:15:00z  ', 'from')).toBe(at('2026-11-21T09:15:00Z'));
    expect(parseInstant('2026-11-21T09:15:00.123456789', 'from')).toBe(at('2026-11-21T09:15:00.123+05:30'));
    expect(parseInstant(20261121, 'from')).toBe(at('2026-11-21T00:00:00+05:30'));
    expect(() => parseInstant({ toMillis: 5 }, 'from')).toThrow(InputError);
  });

  it('are the whole day at the end of a range where they show midnight, in whatever zone', () => {
    const zones = ['Asia/Singapore', 'Australia/Sydney', 'America/New_York', 'UTC', IST, 'Pacific/Chatham'];
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (zone, ms) => {
        const day = DateTime.fromMillis(ms, { zone }).startOf('day');
        // Where daylight saving begins at midnight, the day begins later.
        fc.pre(day.hour === 0);
        const expected = istInstant(day.toISODate()!);
        for (const value of [day, day.toJSDate(), day.toMillis(), day.toUTC().toISO()])
          expect([zone, parseDayOrInstant(value, 'from', 'From', zone)]).toEqual([zone, expected]);
        const later = day.plus({ hours: 9, minutes: 15 });
        expect(parseDayOrInstant(later, 'from', 'From', zone)).toBe(later.toMillis());
      }),
    );
    expect(parseDayOrInstant('2026-11-20', 'from', 'From', 'America/New_York')).toBe(istInstant('2026-11-20'));
    expect(parseDayOrInstant('2026-11-20T09:15:00', 'from', 'From', 'UTC')).toBe(istInstant('2026-11-20', '09:15'));
  });

  it('are refused with a sentence that names the day that the calendar lacks', () => {
    expect(refusal(() => parseInstant('20260231', 'from', 'From')).message).toBe(
      'From "20260231" is not a day of the calendar.',
    );
    expect(refusal(() => parseDate('tomorrow', 'from', 'From'))).toMatchObject({
      message: 'From must be a date such as 2026-11-21, but is "tomorrow".',
      parameter: 'from',
      hint: 'Dates are read as days in India (IST), written YYYY-MM-DD or YYYYMMDD.',
    });
    expect(refusal(() => parseDate(['2026-11-21'], 'from')).message).toBe(
      'from must be a date such as 2026-11-21, but is a list.',
    );
    expect(() => parseDate('2026-02-31T12:00', 'from')).toThrow(InputError);
  });
});

describe('dates', () => {
  it.each([
    ['2026-11-21', '2026-11-21'],
    ['20261121', '2026-11-21'],
    [20261121, '2026-11-21'],
    [' 2024-02-29 ', '2024-02-29'],
    ['2026-11-21T00:00:00', '2026-11-21'],
    ['2026-11-20T18:30:00.000Z', '2026-11-21'],
    ['2026-11-20T18:29:59.999Z', '2026-11-20'],
    ['2026-11-21T02:00:00+09:00', '2026-11-21'],
    [Date.parse('2026-11-20T20:00:00Z'), '2026-11-21'],
    [Date.parse('2026-11-20T20:00:00Z') / 1_000, '2026-11-21'],
    [new Date('2026-11-20T20:00:00Z'), '2026-11-21'],
    [DateTime.fromISO('2026-11-20T23:00:00', { zone: 'America/New_York' }), '2026-11-20'],
  ])('%p is %s', (value, date) => {
    expect(parseDate(value, 'date')).toBe(date);
  });

  it.each(['2026-02-31', '20260231', '2025-02-29', '2026-13-01', '2026-00-10', 20261301])(
    '%p is no day of the calendar',
    (value) => {
      expect(() => parseDate(value, 'date')).toThrow(/not a day of the calendar/);
    },
  );

  it.each([
    '',
    null,
    undefined,
    NaN,
    'tomorrow',
    '21-11-2026',
    '2026-1121',
    '2026-11-21x',
    '1e7',
    '2026-02-31T00:00:00',
    '2026-11-21T25:00:00',
    new Date(NaN),
    {},
    -20261121,
  ])('refuses %p', (value) => {
    expect(() => parseDate(value, 'date')).toThrow(InputError);
  });

  it('are the day that the user sees, in every zone, whatever hands them over', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    fc.assert(
      fc.property(instants, zones, (ms, zone) => {
        const day = DateTime.fromMillis(ms, { zone }).startOf('day');
        // Where clocks are put ahead at midnight the day begins later, and an instant alone cannot tell it.
        fc.pre(day.hour === 0 && day.minute === 0 && day.second === 0);
        const date = day.toISODate();
        const isUtc = day.offset === 0;
        const ways: unknown[] = [day, date, Number(date?.replaceAll('-', '')), day.toJSDate(), day.toMillis()];
        if (!isUtc) ways.push(day.toISO());
        for (const way of ways) expect([zone, parseDate(way, 'date', 'Date', zone)]).toEqual([zone, date]);
      }),
      { numRuns: 300 },
    );
  });

  it('are counted as luxon counts them', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -500, max: 500 }), (ms, count) => {
        const day = DateTime.fromISO(istDate(ms), { zone: 'utc' });
        expect(addDays(istDate(ms), count)).toBe(day.plus({ days: count }).toISODate());
        expect(addMonths(istDate(ms), count)).toBe(day.plus({ months: count }).toISODate());
      }),
    );
  });

  it('come from YYYYMMDD numbers only where there is one', () => {
    expect(numberToDate(20261126)).toBe('2026-11-26');
    expect(numberToDate(0)).toBeNull();
    expect(numberToDate(20260231)).toBeNull();
    expect(numberToDate(120261126)).toBeNull();
    expect(numberToDate(202611261)).toBeNull();
  });
});

it('dates and months have the words of the exchanges', () => {
  expect([compactDate('2026-11-26'), dateToNumber('2026-11-26'), showDate('2026-11-06')]).toEqual([
    '20261126',
    20261126,
    '6 Nov 2026',
  ]);
  expect(['Nov', 'NOVEMBER', 'jan', 'Dec', 'x', ''].map(monthNumber)).toEqual([11, 11, 1, 12, 0, 0]);
  expect([20261126, 20260126, 20261226, 0, 20261326].map(monthWord)).toEqual(['NOV', 'JAN', 'DEC', '', '']);
});

describe('presets', () => {
  const on = (preset: (typeof DATE_PRESETS)[number], date: string) => presetRange(preset, at(`${date}T00:10:00+05:30`));

  it('follow the Indian day, month and financial year', () => {
    expect(on('today', '2026-04-01')).toEqual({ from: '2026-04-01', to: '2026-04-01' });
    expect(on('yesterday', '2026-03-01')).toEqual({ from: '2026-02-28', to: '2026-02-28' });
    expect(on('last7Days', '2026-03-03')).toEqual({ from: '2026-02-25', to: '2026-03-03' });
    expect(on('last30Days', '2026-03-15')).toEqual({ from: '2026-02-14', to: '2026-03-15' });
    expect(on('thisMonth', '2026-11-21')).toEqual({ from: '2026-11-01', to: '2026-11-21' });
    expect(on('lastMonth', '2024-03-31')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
    expect(on('lastMonth', '2026-01-15')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
    expect(on('thisFinancialYear', '2026-03-31')).toEqual({ from: '2025-04-01', to: '2026-03-31' });
    expect(on('thisFinancialYear', '2026-04-01')).toEqual({ from: '2026-04-01', to: '2026-04-01' });
    expect(on('lastFinancialYear', '2026-04-01')).toEqual({ from: '2025-04-01', to: '2026-03-31' });
    expect(on('lastFinancialYear', '2026-03-31')).toEqual({ from: '2024-04-01', to: '2025-03-31' });
  });
});

it.each<[value: unknown, time: string | undefined]>([
  ['9:15', '09:15'],
  [' 15:05 ', '15:05'],
  ['15:05:00', '15:05'],
  ['3:05 PM', '15:05'],
  ['3:05pm', '15:05'],
  ['09:15 a.m.', '09:15'],
  ['12:05 AM', '00:05'],
  ['12:30 PM', '12:30'],
  ['15:05 IST', '15:05'],
  ['3:05 PM IST', '15:05'],
  ...[
    '15.05',
    '1505',
    '25:00',
    '15:60',
    '15:05:30',
    '13:05 PM',
    '0:05 AM',
    '15:05 UTC',
    '15:05 P',
    'now',
    905,
    null,
  ].map((value): [unknown, undefined] => [value, undefined]),
])('the time of day %j is %j', (value, time) => {
  expect(readTimeOfDay(value)).toBe(time);
});

it.each<[value: unknown, read: object]>([
  ['3:10 pm', { daily: '15:10' }],
  ['2026-12-24 15:10', { at: Date.parse('2026-12-24T15:10:00+05:30') }],
  ['2026-12-24', { at: Date.parse('2026-12-24T00:00:00+05:30') }],
  [1795408200, { at: 1795408200000 }],
])('a time of the day, or of another day, is read from %j', (value, read) => {
  expect(parseTimeOrInstant(value, 'exitTime', 'Exit Time')).toEqual(read);
});

it.each(['15.10', '1510', '25:10', 'at the close', 1510, 15.1])(
  '%j is no time of the day, and the error asks for one',
  (value) => {
    const error = refusal(() => parseTimeOrInstant(value, 'exitTime', 'Exit Time'));
    expect(error.message).toBe(
      `Exit Time must be a time of the day (IST) such as 15:05, but is ${JSON.stringify(value)}.`,
    );
    expect(error.hint).toContain('such as 15:05 or 3:05 PM');
  },
);
