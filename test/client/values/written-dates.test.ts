/** Dates as sheets, e-mails, feeds and programs write them: each means one day, or is refused with what it is. */
import { parseDate, parseInstant } from '../../../client/values/time';
import { refusal } from '../../support/refusal';

const ZONES = ['Asia/Kolkata', 'America/New_York', 'Asia/Tokyo'];

it.each([
  '20 Nov 2026',
  '20-Nov-2026',
  '20NOV2026',
  '20 November, 2026',
  'Nov 20, 2026',
  'November 20 2026',
  'Fri Nov 20 2026',
  'Friday, 20 Nov 2026',
  '2026/11/20',
  '2026.11.20',
])('%s is that day in every zone', (text) => {
  for (const zone of ZONES) expect(parseDate(text, 'on', 'Date', zone)).toBe('2026-11-20');
  expect(new Date(parseInstant(text, 'at')).toISOString()).toBe('2026-11-19T18:30:00.000Z');
});

it.each([
  ['Fri Nov 20 2026 09:15:00 GMT+0530 (India Standard Time)', '2026-11-20T03:45:00.000Z'],
  ['Fri, 20 Nov 2026 03:45:00 GMT', '2026-11-20T03:45:00.000Z'],
  ['Fri, 20 Nov 2026 09:15:00 +0530', '2026-11-20T03:45:00.000Z'],
  ['20-Nov-2026 09:15', '2026-11-20T03:45:00.000Z'],
  ['2026/11/20 09:15:30', '2026-11-20T03:45:30.000Z'],
  ['2026-11-20 09:15:00 IST', '2026-11-20T03:45:00.000Z'],
])('%s is that instant', (text, instant) => {
  expect(new Date(parseInstant(text, 'at')).toISOString()).toBe(instant);
  expect(parseDate(text, 'on')).toBe('2026-11-20');
});

it.each([
  '05/11/2026',
  '20/11/2026',
  '11-20-2026',
  '31 Feb 2026',
  '32 Nov 2026',
  '20 Novak 2026',
  '20 Nov',
  'Nov 2026',
  '20 Nov 26',
])('%s is refused, as it may mean another day or none', (text) => {
  expect(refusal(() => parseDate(text, 'on', 'Date')).parameter).toBe('on');
  expect(refusal(() => parseInstant(text, 'at', 'Date')).parameter).toBe('at');
});

it.each([46_346, '46346', 46_346.385, '46346.385416667'])('%s is told to be a day of a spreadsheet', (value) => {
  expect(refusal(() => parseDate(value, 'on', 'Date')).hint).toContain(
    'counts days as a spreadsheet does, as of 2026-11-20',
  );
});
