/** Rules of a release under a tag: both packages in the tag's version, told in the changelog. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RepeatedScript } from './repeated-script';

const script = new RepeatedScript('check-release.mjs');
afterAll(() => script.close());

interface Release {
  nodes?: string;
  sandbox?: string;
  lock?: string;
  lockOfSandbox?: string;
  changelog?: string;
}

const CHANGELOG = `# Changelog

Words.

## [Unreleased]

## [1.2.3] - 2026-11-30

### Added

- Something.

## [1.2.2] - 2026-11-01

- Something else.
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'release-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function check(tag: string, release: Release = {}): Promise<{ status: number; said: string[] }> {
  const { nodes = '1.2.3', sandbox = nodes, lock = nodes, lockOfSandbox = nodes, changelog = CHANGELOG } = release;
  const write = (file: string, content: unknown) =>
    writeFileSync(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  mkdirSync(path.join(folder, 'sandbox'));
  write('package.json', { version: nodes });
  write('sandbox/package.json', { version: sandbox });
  write('package-lock.json', { packages: { '': { version: lock }, sandbox: { version: lockOfSandbox } } });
  write('CHANGELOG.md', changelog);
  const { status, said } = await script.run(tag, folder);
  return { status, said: said.trim().split('\n') };
}

it('the check of a release passes when all agree', async () => {
  expect(await check('v1.2.3')).toEqual({
    status: 0,
    said: ['v1.2.3: both packages, the lock file and the changelog agree.'],
  });
});

it.each(['', '1.2.3', 'v1.2', 'v1.2.3-beta.1', 'release', 'v1.2.3 '])('refuses the tag %j', async (tag) => {
  expect(await check(tag)).toEqual({ status: 1, said: [`The tag ${JSON.stringify(tag)} is not of the form v1.2.3.`] });
});

const wrong: [string, Release, string][] = [
  [
    'the nodes',
    { nodes: '1.2.2', sandbox: '1.2.3', lock: '1.2.3', lockOfSandbox: '1.2.3' },
    'package.json: its version is 1.2.2, and the tag is v1.2.3.',
  ],
  ['the sandbox', { sandbox: '1.2.4' }, 'sandbox/package.json: its version is 1.2.4, and the tag is v1.2.3.'],
  ['the lock file', { lock: '1.2.2' }, 'package-lock.json: its version is 1.2.2, and the tag is v1.2.3.'],
  [
    'the lock file of the sandbox',
    { lockOfSandbox: '1.2.2' },
    'package-lock.json, sandbox: its version is 1.2.2, and the tag is v1.2.3.',
  ],
  [
    'a changelog without Unreleased',
    { changelog: CHANGELOG.replace('## [Unreleased]\n', '') },
    'CHANGELOG.md: its first section is not "## [Unreleased]".',
  ],
  [
    'a changelog that has not come to this version',
    { changelog: CHANGELOG.replace('1.2.3', '1.2.4') },
    'CHANGELOG.md: the section after [Unreleased] is 1.2.4, not [1.2.3].',
  ],
  [
    'a changelog that ends',
    { changelog: '## [Unreleased]\n' },
    'CHANGELOG.md: the section after [Unreleased] is missing, not [1.2.3].',
  ],
  [
    'what would ship untold',
    { changelog: CHANGELOG.replace('## [Unreleased]', '## [Unreleased]\n\n- New.') },
    'CHANGELOG.md: [Unreleased] is not empty. Move what it tells to "## [1.2.3] - DATE".',
  ],
  [
    'no date',
    { changelog: CHANGELOG.replace(' - 2026-11-30', '') },
    'CHANGELOG.md: [1.2.3] has no date, such as 2026-11-30.',
  ],
  [
    'a date that is none',
    { changelog: CHANGELOG.replace('2026-11-30', '2026-11-31') },
    'CHANGELOG.md: [1.2.3] has no date, such as 2026-11-30.',
  ],
  ['nothing told', { changelog: CHANGELOG.replace('- Something.\n', '') }, 'CHANGELOG.md: [1.2.3] tells nothing.'],
];
it.each(wrong)('refuses %s', async (_, release, sentence) => {
  expect(await check('v1.2.3', release)).toEqual({ status: 1, said: [sentence] });
});
