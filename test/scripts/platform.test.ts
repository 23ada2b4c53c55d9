/** The project's commands on Linux, macOS and Windows; what runs only there is told by .github/workflows/systems.yml. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { npm, npx } from '../../scripts/platform.mjs';

const root = path.resolve(__dirname, '../..');

/** A folder as Windows has them. */
let home: string;
beforeEach(() => {
  home = path.join(mkdtempSync(path.join(tmpdir(), 'platform-')), 'Program Files', 'nodejs');
  const bin = path.join(home, 'node_modules', 'npm', 'bin');
  mkdirSync(bin, { recursive: true });
  for (const name of ['npm', 'npx'])
    writeFileSync(
      path.join(bin, `${name}-cli.js`),
      `console.log(JSON.stringify(['${name}', ...process.argv.slice(2)]))`,
    );
});
afterEach(() => rmSync(path.resolve(home, '../..'), { recursive: true }));

const ARGUMENTS = ['pack', '--pack-destination', 'C:\\Users\\First Last\\x', '"%PATH%"', '&& exit 3'];

describe.each([
  ['npm', npm],
  ['npx', npx],
] as const)('%s', (name, programOf) => {
  it('is a separate program where it is none of Windows', () => {
    expect(programOf(ARGUMENTS, { platform: 'linux', env: { PATH: home } })).toEqual([name, ARGUMENTS]);
  });

  it.each([
    ['on Windows, beside Node.js', () => ({ platform: 'win32', env: { PATH: ['', home].join(path.delimiter) } })],
    [
      'as npm says',
      () => ({ platform: 'linux', env: { npm_execpath: path.join(home, 'node_modules/npm/bin/npm-cli.js') } }),
    ],
  ])('is started without a shell, %s, with every argument unchanged', (_, system) => {
    const [program, args] = programOf(ARGUMENTS, system());
    expect(program).toBe(process.execPath);
    expect(JSON.parse(spawnSync(program, args, { encoding: 'utf8' }).stdout)).toEqual([name, ...ARGUMENTS]);
  });

  it('is not taken for another package manager that started the script', () => {
    const env = { npm_execpath: '/usr/lib/pnpm/bin/pnpm.cjs', PATH: home };
    expect(programOf(ARGUMENTS, { platform: 'linux', env })).toEqual([name, ARGUMENTS]);
  });

  it('is missed in a sentence', () => {
    expect(() => programOf(ARGUMENTS, { platform: 'win32', env: { PATH: tmpdir() } })).toThrow(
      `${name} was not found on the PATH. It comes with Node.js: install that.`,
    );
  });
});

it('no script of package.json needs a shell of one system', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const [name, script] of Object.entries(scripts))
    expect([name, script]).toEqual([name, expect.stringMatching(/^[\w ./&-]+$/)]);
});

it('the differences between systems are in platform.mjs alone', () => {
  const others = readdirSync(path.join(root, 'scripts')).filter(
    (file) => file.endsWith('.mjs') && file !== 'platform.mjs',
  );
  const found = others.flatMap((file) =>
    [
      ...readFileSync(path.join(root, 'scripts', file), 'utf8').matchAll(
        /'(npm|npx|tar|sh|bash|cp|rm)'|npm\.cmd|win32|shell: true/g,
      ),
    ].map(([what]) => `${file}: ${what}`),
  );
  expect(found).toEqual([]);
});
