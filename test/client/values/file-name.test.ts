/** A hundred names that a hostile service may suggest, and what may never be left of any. */
import path from 'node:path';
import fc from 'fast-check';
import { safeFileName } from '../../../client/values/file-name';
import { fileNameIn } from '../../../client/values/headers';
import { IS_WHOLE } from '../../support/sample';

const long = 'x'.repeat(300);

/** Suggested names, and the result of each. */
const NAMES: [string, string | undefined][] = [
  // What is left alone.
  ['report.pdf', 'report.pdf'],
  ['P&L März 2026.pdf', 'P&L März 2026.pdf'],
  ['लाभ और हानि.xlsx', 'लाभ और हानि.xlsx'.replace(/\p{Cf}/gu, '')],
  ['₹ statement (final).csv', '₹ statement (final).csv'],
  ['a.tar.gz', 'a.tar.gz'],
  ["it's.txt", "it's.txt"],
  ['100%.csv', '100%.csv'],
  ['a;b,c=d.csv', 'a;b,c=d.csv'],
  ['x', 'x'],
  ['-rf', '-rf'],
  // Folders.
  ['../outside.pdf', 'outside.pdf'],
  ['../../../../etc/passwd', 'passwd'],
  ['..\\..\\outside.pdf', 'outside.pdf'],
  ['/etc/passwd', 'passwd'],
  ['//server/share/x.pdf', 'x.pdf'],
  ['\\\\server\\share\\x.pdf', 'x.pdf'],
  ['C:\\Windows\\system32\\x.dll', 'x.dll'],
  ['C:/Windows/x.dll', 'x.dll'],
  ['C:x.dll', 'Cx.dll'],
  ['a/b\\c/d.pdf', 'd.pdf'],
  ['./x.pdf', 'x.pdf'],
  ['x.pdf/', undefined],
  ['x.pdf/.', undefined],
  ['x.pdf/..', undefined],
  ['..', undefined],
  ['.', undefined],
  ['...', undefined],
  ['/', undefined],
  ['\\', undefined],
  ['', undefined],
  ['~/x.pdf', 'x.pdf'],
  ['file:///etc/passwd', 'passwd'],
  // Folders behind characters at which a pattern stops.
  ['\n/../outside.pdf', 'outside.pdf'],
  ['\r\n../outside.pdf', 'outside.pdf'],
  ['a\n/../../outside.pdf', 'outside.pdf'],
  ['a\n../outside.pdf\nb', 'outside.pdfb'],
  ['\u2028/../outside.pdf', 'outside.pdf'],
  ['\u2029/../outside.pdf', 'outside.pdf'],
  ['\u0085/../outside.pdf', 'outside.pdf'],
  ['\u000b/../outside.pdf', 'outside.pdf'],
  ['\u000c/../outside.pdf', 'outside.pdf'],
  ['\u0000/../outside.pdf', 'outside.pdf'],
  ['x.pdf\n/../..', undefined],
  // Dots that control characters keep apart.
  ['.\u0000.', undefined],
  ['.\n.', undefined],
  ['.\u200b./x.pdf', 'x.pdf'],
  ['\u202e..', undefined],
  ['.\ufeff.', undefined],
  // Characters that some systems make into slashes.
  ['..\u2215outside.pdf', 'outside.pdf'],
  ['..\u2044outside.pdf', 'outside.pdf'],
  ['..\uff0foutside.pdf', 'outside.pdf'],
  ['..\uff3coutside.pdf', 'outside.pdf'],
  ['..\u29f8outside.pdf', 'outside.pdf'],
  ['..\ufe68outside.pdf', 'outside.pdf'],
  ['..\u2216outside.pdf', 'outside.pdf'],
  // Control characters and invisible ones.
  ['x\u0000.pdf', 'x.pdf'],
  ['x.pdf\u0000.exe', 'x.pdf.exe'],
  ['x\u001b[31m.pdf', 'x[31m.pdf'],
  ['x\t.pdf', 'x.pdf'],
  ['x\u007f.pdf', 'x.pdf'],
  ['x\u009b.pdf', 'x.pdf'],
  ['x\u202efdp.exe', 'xfdp.exe'],
  ['x\u2066fdp\u2069.exe', 'xfdp.exe'],
  ['x\u200b.pdf', 'x.pdf'],
  ['x\ufeff.pdf', 'x.pdf'],
  ['x\ud800.pdf', 'x.pdf'],
  ['\udfff\ud800', undefined],
  ['\r\nSet-Cookie: a=b', 'Set-Cookie a=b'],
  // What Windows takes in no name.
  ['x<y>.pdf', 'xy.pdf'],
  ['x|y.pdf', 'xy.pdf'],
  ['what?.pdf', 'what.pdf'],
  ['*.pdf', 'pdf'],
  ['"x".pdf', 'x.pdf'],
  ['x.pdf:hidden', 'x.pdfhidden'],
  ['x.pdf::$DATA', 'x.pdf$DATA'],
  // Reserved words.
  ['CON', '_CON'],
  ['con', '_con'],
  ['con.pdf', '_con.pdf'],
  ['CON .pdf', '_CON .pdf'],
  ['nul.tar.gz', '_nul.tar.gz'],
  ['AUX.', '_AUX'],
  ['prn ', '_prn'],
  ['COM1', '_COM1'],
  ['com9.txt', '_com9.txt'],
  ['COM\u00b9.txt', '_COM\u00b9.txt'],
  ['LPT0', '_LPT0'],
  ['CONIN$', '_CONIN$'],
  ['conout$.txt', '_conout$.txt'],
  ['C:ON', '_CON'],
  ['../nul', '_nul'],
  ['n\u0000ul', '_nul'],
  ['console.pdf', 'console.pdf'],
  ['COM10.pdf', 'COM10.pdf'],
  // Dots and blanks at the ends.
  ['x.pdf.', 'x.pdf'],
  ['x.pdf...', 'x.pdf'],
  ['x.pdf . .', 'x.pdf'],
  ['  x.pdf  ', 'x.pdf'],
  ['\u00a0x.pdf\u3000', 'x.pdf'],
  ['.htaccess', 'htaccess'],
  ['.ssh', 'ssh'],
  ['...x', 'x'],
  [' ', undefined],
  // Length.
  [`${long}.pdf`, `${'x'.repeat(196)}.pdf`],
  [long, 'x'.repeat(200)],
  ['x'.repeat(200), 'x'.repeat(200)],
  [`x.${long}`, `x.${'x'.repeat(198)}`],
  [`${long}.${'y'.repeat(19)}`, `${'x'.repeat(180)}.${'y'.repeat(19)}`],
  [`${long}.${'y'.repeat(20)}`, 'x'.repeat(200)],
  [`${'é'.repeat(300)}.pdf`, `${'é'.repeat(98)}.pdf`],
  [`${'\u{1F600}'.repeat(100)}`, '\u{1F600}'.repeat(50)],
  [`${'x'.repeat(195)}.y${long}.pdf`, `${'x'.repeat(195)}.pdf`],
];

it('the list of file names has a hundred and more', () => expect(NAMES.length).toBeGreaterThan(100));

it.each(NAMES)('%j becomes %j', (suggested, name) => {
  expect(safeFileName(suggested)).toBe(name);
  const header = `attachment; filename*=UTF-8''${encodeURIComponent(suggested.toWellFormed())}`;
  if (suggested.isWellFormed()) expect(fileNameIn({ 'content-disposition': header })).toBe(name);
});

/** Checks what holds for every name that is returned. */
function expectSafe(name: string): void {
  for (const { join, resolve, basename } of [path.posix, path.win32]) {
    expect(basename(name)).toBe(name);
    expect(resolve(join('/folder', name))).toBe(resolve(`/folder/${name}`));
  }
  expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\\/<>:"|?*]/u);
  expect(name).not.toMatch(/^[\s.]|[\s.]$/u);
  expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(201);
  expect(safeFileName(name)).toBe(name);
}

it('returns safe names only, whatever is suggested', () => {
  for (const [suggested] of NAMES) {
    const name = safeFileName(suggested);
    if (name !== undefined) expectSafe(name);
  }
  const part = fc.oneof(
    fc.constantFrom(
      '..',
      '/',
      '\\',
      '.',
      ' ',
      '\n',
      '\u2028',
      ':',
      'con',
      'NUL',
      'com1',
      '.pdf',
      '\u202e',
      '\ud800',
      '\u0000',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 80 }), (parts) => {
      const name = safeFileName(parts.join(''));
      if (name !== undefined) expectSafe(name);
    }),
    { numRuns: IS_WHOLE ? 2_000 : 50 },
  );
});
