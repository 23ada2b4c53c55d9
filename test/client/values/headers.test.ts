/** Names and types of files, as replies suggest them. */
import { answeredAtIn, fileNameIn, mediaTypeIn } from '../../../client/values/headers';

it.each([
  ['attachment; filename=report.xlsx', 'report.xlsx'],
  ['attachment; filename="x.pdf"; filename*=UTF-8\'\'P%26L%20M%C3%A4rz.pdf', 'P&L März.pdf'],
  ["attachment; filename*=UTF-8''%E0%A4%A; filename=plain.pdf", 'plain.pdf'],
  ['attachment; filename="C:\\\\temp\\\\x.pdf"', 'x.pdf'],
  ['attachment; filename="a \\"b\\" c.pdf"', 'a b c.pdf'],
  ['attachment; filename = "a b.pdf"', 'a b.pdf'],
  ["attachment; filename* =  UTF-8''a%20b.pdf ; x=y", 'a b.pdf'],
  ["attachment; filename*=UTF-8''%E0%A4%A", undefined],
  ['attachment; filename=".."', undefined],
  ['inline', undefined],
])('reads the file name in %s', (header, name) => {
  expect(fileNameIn({ 'content-disposition': header })).toBe(name);
});

it('has no name and no type where the reply tells none', () => {
  expect([fileNameIn({}), mediaTypeIn({})]).toEqual([undefined, '']);
});

it('takes the media type without its parameters', () => {
  expect(mediaTypeIn({ 'content-type': 'Text/CSV; charset=utf-8' })).toBe('text/csv');
  expect(mediaTypeIn({ 'content-type': ' text/csv ;charset=utf-8' })).toBe('text/csv');
});

it('takes no name from a header of more than 2,000 characters', () => {
  expect(fileNameIn({ 'content-disposition': `attachment; filename=a.pdf;${' '.repeat(2_000)}` })).toBeUndefined();
});

it.each([
  ['Fri, 20 Nov 2026 04:30:00 GMT', Date.parse('2026-11-20T10:00:00+05:30')],
  ['soon', undefined],
  [undefined, undefined],
])('reads the time of an answer in the date %p', (date, instant) => {
  expect(answeredAtIn(date === undefined ? {} : { date })).toBe(instant);
});
