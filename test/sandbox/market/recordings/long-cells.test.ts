import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';
import { readCandles } from '../../../../sandbox/src/market/recordings/csv';
import { parseTime } from '../../../../sandbox/src/market/recordings/parse-time';

it.each([
  ['2026-11-20 09:15:00', undefined],
  ['2026-11-20T09:15:00+05:30', undefined],
  ['20-Nov-2026   09:15', undefined],
  ['20-OCT-2026 09:15:00 IST', undefined],
  ['2026-11-20', '09:15:00 IST'],
  ['20261120 0915', undefined],
])('reads %j with %j as a time', (text, clock) => {
  const day = text.includes('OCT') ? '2026-10-20' : '2026-11-20';
  expect(parseTime(text, clock, 330)).toEqual({ at: Date.parse(`${day}T09:15:00+05:30`), dateOnly: false });
});

it.each([' ', 'T', '0', '09:15 ', '2026-11-20 '])('takes a long text of %j for no time', (part) => {
  expect(parseTime(part.repeat(20_000), undefined, 330)).toBeUndefined();
  expect(parseTime('2026-11-20', part.repeat(20_000), 330)).toBeUndefined();
});

it.each([
  ['heading', 1, (cell: string) => `time,open,high,low,${cell}\n2020-03-13T09:15:00,1,1,1,1`],
  ['row', 3, (cell: string) => `time,open,high,low,close\n2020-03-13T09:15:00,1,1,1,1\n${cell},1,1,1,1`],
])('refuses a long cell of a %s by its line, and shows its first 80 characters', (_where, line, written) => {
  const text = written(`${'12'.repeat(40)}${'3'.repeat(60_000)}`);
  expect(() => readCandles('INFY.csv', text, {}, new AssetCatalog())).toThrow(
    new RegExp(`line ${line}\\b.*a cell has 60080 characters, and at most 1000 are read: "${'12'.repeat(40)}…"`, 's'),
  );
});
