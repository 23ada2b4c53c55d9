/** The command in a separate process, with a substitute for the built sandbox that tells its options. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const NAME = 'brokerage-sandbox.js';
/** Tells on the standard error output with which flags the process runs in the end. */
const REPORT_PROCESS = `data:text/javascript,console.error(process.pid, process.execArgv.join(' '))`;

async function said(child: ChildProcess): Promise<{ out: string; err: string; code: unknown }> {
  const [out, err, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
  return { out, err, code };
}

const flags = ['--import', REPORT_PROCESS];
/** The flags that the command chooses itself. */
const FLAG = /^--(max-semi-space-size|heap-growing-percent)=/;

let folder: string;
let bin: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bin-'));
  bin = path.join(folder, 'bin', NAME);
  for (const part of ['bin', 'dist/cli']) mkdirSync(path.join(folder, part), { recursive: true });
  copyFileSync(path.join(__dirname, '..', '..', '..', 'sandbox', 'bin', NAME), bin);
  const main = 'exports.main = (options) => console.log(options.join());';
  writeFileSync(path.join(folder, 'dist', 'cli', 'main.js'), main);
});
afterAll(() => rmSync(folder, { recursive: true }));

// Windows cannot put a process in the place of another.
(process.platform === 'win32' ? it.skip : it)(
  'begins again in its own place with little room for new objects and old ones, and keeps its flags and options',
  async () => {
    const child = spawn(process.execPath, [...flags, bin, '--version', 'x'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const { out, err, code } = await said(child);
    expect({ out, code }).toEqual({ out: `--version,x\n`, code: 0 });
    const own = flags.join(' ');
    expect(err).toBe(`${child.pid} ${own}\n${child.pid} --max-semi-space-size=8 --heap-growing-percent=100 ${own}\n`);
  },
);

it.each([
  ['--max-semi-space-size=16', 'chosen on the command line', '--heap-growing-percent=100'],
  ['--heap-growing-percent=30', 'chosen on the command line', '--max-semi-space-size=8'],
  ['--max-semi-space-size=16', 'chosen in NODE_OPTIONS', '--heap-growing-percent=100'],
])('leaves %s alone, %s', async (flag, where, other) => {
  const own = [...(where.endsWith('line') ? [flag] : []), ...flags];
  const child = spawn(process.execPath, [...own, bin, '--version', 'x'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(where.endsWith('line') ? {} : { NODE_OPTIONS: flag }) },
  });
  const { err } = await said(child);
  const [, ...last] = err.trim().split('\n').at(-1)!.split(' ');
  expect(last.filter((name) => FLAG.test(name)).sort()).toEqual(
    [...(process.platform === 'win32' ? [] : [other]), ...own.filter((name) => FLAG.test(name))].sort(),
  );
});

it('keeps the channel of a parent', async () => {
  const { err, code } = await said(fork(bin, ['--version', 'x'], { silent: true, execArgv: flags }));
  expect({ lines: err.trim().split('\n').length, code }).toEqual({ lines: 1, code: 0 });
});
