/** Packages of others that both packages hold or need, and their licences: `npm run notices`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RepeatedScript } from './repeated-script';

const root = path.resolve(__dirname, '../..');
const script = new RepeatedScript('third-party.mjs');
afterAll(() => script.close());
const text = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Locked {
  version?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'notices-'));
  mkdirSync(path.join(folder, 'sandbox'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(...args: string[]): Promise<{ status: number; said: string }> {
  const { status, said } = await script.run(...args);
  return { status, said: said.trim() };
}

/** Writes a project whose sandbox needs `a`, which needs a `b` below it; another `b` is beside. */
function project(packages: Record<string, Locked> = {}, dependencies?: Record<string, string>): void {
  const write = (file: string, content: object) => writeFileSync(path.join(folder, file), JSON.stringify(content));
  write('package.json', { dependencies });
  write('package-lock.json', {
    packages: {
      sandbox: { dependencies: { a: '1', 'lightweight-charts': '5' } },
      'node_modules/a': {
        version: '1.2.3',
        license: 'ISC',
        dependencies: { b: '2' },
        optionalDependencies: { c: '1' },
      },
      'node_modules/a/node_modules/b': { version: '2.0.0', license: 'MIT' },
      'node_modules/b': { version: '1.0.0', license: 'GPL-3.0' },
      'node_modules/lightweight-charts': { version: '5.0.0', license: 'Apache-2.0' },
      'node_modules/tldts': { version: '7.0.0', license: 'MIT' },
      ...packages,
    },
  });
}

it('the notices follow the lock file of this project', async () => {
  expect(await run('--check')).toEqual({
    status: 0,
    said: 'THIRD-PARTY-NOTICES of both packages name what they hold and need.',
  });
});

it('the notices name each dependency of the sandbox in its version, and go into both tarballs', () => {
  const { dependencies, files } = JSON.parse(text('sandbox/package.json')) as {
    dependencies: Record<string, string>;
    files: string[];
  };
  const notices = text('sandbox/THIRD-PARTY-NOTICES')
    .split('\n')
    .map((line) => line.trim().split(/ +/));
  for (const [name, version] of Object.entries(dependencies))
    expect(notices).toContainEqual([name, version, expect.stringMatching(/^[\w.-]+$/)]);
  expect(files).toContain('THIRD-PARTY-NOTICES');
  expect((JSON.parse(text('package.json')) as { files: string[] }).files).toContain('THIRD-PARTY-NOTICES');
});

it('the list of public suffixes carries the notice of its licence, in the package and in its compiled file', () => {
  const { tldts } = (JSON.parse(text('package.json')) as { devDependencies: Record<string, string> }).devDependencies;
  const notice = [
    'subject to the terms of the Mozilla Public',
    'https://mozilla.org/MPL/2.0/',
    'https://publicsuffix.org/',
    `tldts ${tldts}`,
  ];
  const [comment] = text('client/generated/public-suffixes.ts').split('*/');
  // A comment of this form is left in by the compiler.
  expect(comment).toMatch(/^\/\*!/);
  for (const words of notice) {
    expect(text('THIRD-PARTY-NOTICES')).toContain(words);
    expect(comment).toContain(words);
  }
});

it('takes of each dependency the one that Node.js would load, and leaves out what is not installed', async () => {
  project();
  expect(await run(folder)).toEqual({ status: 0, said: '' });
  const notices = readFileSync(path.join(folder, 'sandbox/THIRD-PARTY-NOTICES'), 'utf8');
  expect(notices.match(/^ {2}\S+ \d\S+ +\S+$/gm)).toEqual([
    expect.stringMatching(/^ {2}a 1\.2\.3 +ISC$/),
    expect.stringMatching(/^ {2}b 2\.0\.0 +MIT$/),
    expect.stringMatching(/^ {2}lightweight-charts 5\.0\.0 +Apache-2\.0$/),
  ]);
  expect((await run('--check', folder)).status).toBe(0);
  project({ 'node_modules/a/node_modules/b': { version: '2.0.1', license: 'MIT' } });
  expect(await run('--check', folder)).toEqual({
    status: 1,
    said: 'sandbox/THIRD-PARTY-NOTICES is not what the lock file says: run npm run notices.',
  });
});

it.each([
  [
    'a licence that nobody has read',
    { 'node_modules/a/node_modules/b': { version: '2.0.0', license: 'GPL-3.0' } },
    'b 2.0.0 has the licence GPL-3.0: read it',
  ],
  [
    'no licence',
    { 'node_modules/a/node_modules/b': { version: '2.0.0' } },
    'b 2.0.0 has the licence of no name: read it',
  ],
  [
    'a lock file that lacks it',
    { 'node_modules/a': { version: '1.2.3', license: 'ISC', dependencies: { d: '1' } } },
    'package-lock.json lacks d, which node_modules/a needs.',
  ],
])('refuses a dependency with %s', async (_what, packages, said) => {
  project(packages);
  expect(await run(folder)).toEqual({ status: 1, said: expect.stringContaining(said) });
});

it('refuses a dependency of the nodes: they have none', async () => {
  project({}, { a: '1' });
  expect(await run(folder)).toEqual({ status: 1, said: 'n8n-nodes-brokerage must have no dependencies, and has a.' });
});
