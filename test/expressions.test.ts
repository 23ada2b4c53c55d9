import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expressionsIn, expressionsOf, type FoundExpression } from './support/expressions/find';
import { growthOf, growthUnder } from './support/expressions/measure';
import { IS_WHOLE, share } from './support/sample';
import { patternsOf, redact } from '../client/values/redact';

const ROOT = join(__dirname, '..');
/** Folders of the sources of both packages. */
const FOLDERS = ['client', 'credentials', 'nodes', 'proto', 'sandbox/bin', 'sandbox/src'];
/** Expressions that only the run time knows, by file: each has a test below. */
const MADE_AT_RUN_TIME = { 'client/values/redact.ts': 3 };

const found = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?[jt]s$/.test(name))
    .map((name) => join(folder, name).replaceAll('\\', '/')),
).map((name) => ({ name, ...expressionsIn(join(ROOT, name), name) }));

describe('all regular expressions of both packages', () => {
  test('are found in each folder that has any', () => {
    const folders = found.filter(({ expressions }) => expressions.length > 0).map(({ name }) => name.split('/')[0]);
    expect([...new Set(folders)]).toEqual(['client', 'credentials', 'nodes', 'sandbox']);
    expect(found.flatMap(({ expressions }) => expressions).length).toBeGreaterThan(200);
  });

  test('are known before the run time, or have a separate test', () => {
    const made = found.filter(({ madeAtRunTime }) => madeAtRunTime.length > 0);
    expect(Object.fromEntries(made.map(({ name, madeAtRunTime }) => [name, madeAtRunTime.length]))).toEqual(
      MADE_AT_RUN_TIME,
    );
  });

  test('take time that grows no faster than the text', () => {
    const places = new Map<string, FoundExpression>();
    for (const expression of found.flatMap(({ expressions }) => expressions))
      places.set(`/${expression.source}/${expression.flags}`, expression);
    const slow = share([...places], 24, 0).map(([text, expression]) => {
      const growth = growthOf(expression);
      return growth === undefined ? [] : [`${expression.at} ${text} with ${growth}`];
    });
    expect(slow.flat()).toEqual([]);
  });
});

describe('the masking of secrets', () => {
  const SECRETS = [
    ['an MPIN', '1357'],
    ['an OTP', '482913'],
    ['a long number', '111111111111'],
    ['a TOTP secret', 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU'],
    ['a token', `eyJ${'a'.repeat(2_000)}`],
    ['any characters', 'a+(b|c)*$ "é'],
  ] as const;

  test.each(share(SECRETS, 3, 2))('finds %s in time that grows no faster than the text', (_what, secret) => {
    for (const { source, flags } of patternsOf(secret)) expect(growthOf({ source, flags })).toBeUndefined();
  });

  const PUMPS = ['A', 'a1', ' ', '\\', '\\u0041', '%41', 'token=', 'Bearer ', 'eyJ.', '41', 'QUJD=', '0'];

  test.each(share(PUMPS, 4, 0))('reads texts of %j in time that grows no faster than they do', (pump) => {
    expect(growthUnder((text) => redact(text, ['482913']), { prefix: '', pump, suffix: '\u0001' })).toBeUndefined();
  });
});

describe('the search for expressions', () => {
  test.each([
    ['a literal', 'const a = /x+$/gi;', { source: 'x+$', flags: 'gi' }],
    ['a literal in a call', 'text.replace(\n  /[/]x/, "")', { source: '[/]x', flags: '' }],
    ['a literal after a keyword', 'function a() { return /x/u; }', { source: 'x', flags: 'u' }],
    ['a literal with a comment before it', 'const a = // note\n  /x/;', { source: 'x', flags: '' }],
    ['a made one', 'const a = new RegExp("x+", "g");', { source: 'x+', flags: 'g' }],
    ['one made without new', 'const a = RegExp("x+");', { source: 'x+', flags: '' }],
    [
      'one of constants',
      'const N = 3; const W = "ab"; const a = new RegExp(`^[${W}]{${N}}$`);',
      { source: '^[ab]{3}$', flags: '' },
    ],
    ['the pattern of a schema', 'const a = { type: "string", pattern: "^x+$" };', { source: '^x+$', flags: 'u' }],
  ])('finds %s', (_what, code, expected) => {
    const { expressions, madeAtRunTime } = expressionsOf(code, 'code.ts');
    expect(expressions).toEqual([expect.objectContaining(expected)]);
    expect(madeAtRunTime).toEqual([]);
  });

  test.each(['const a = (b: string) => new RegExp(b);', 'const a = (b: string) => new RegExp("x", b);'])(
    'names an expression that only the run time knows: %s',
    (code) => expect(expressionsOf(code, 'code.ts').madeAtRunTime).toEqual(['code.ts:1']),
  );

  test.each(['const a = b / c / d;', '// /x/', 'const a = "/x/";'])('takes nothing else for one: %s', (code) =>
    expect(expressionsOf(code, 'code.ts').expressions).toEqual([]),
  );
});

describe('an expression that is not linear', () => {
  const SLOW = [[/\s+$/], [/(a+)+$/]];
  // Seconds of processor time.
  const SLOWEST = [[/0+$/], [/<[^>]*>/g], [/^(NSE|BSE)\s*[:\s]\s*(.+)$/i], [/\d.*FUT$/]];

  test.each([...SLOW, ...(IS_WHOLE ? SLOWEST : [])])(
    'is named with the text that shows it: %s',
    ({ source, flags }) => {
      expect(growthOf({ source, flags })).toMatch(/ × n \+ .*: .* µs at .* characters$/);
    },
  );

  test.each([[/^\d+$/], [/^[a-z]+@/], [/\s+/g], [/^"(?:[^"\\]|\\.)*"$/], [/^(\d+(\.\d+)?)(CE|PE)$/]])(
    'is told from one that is: %s',
    ({ source, flags }) => expect(growthOf({ source, flags })).toBeUndefined(),
  );
});
