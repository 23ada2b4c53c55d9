/**
 * `npm run e2e`: installs what is missing, builds, and runs the end-to-end tests in a real n8n. Arguments choose files by a
 * word of their name; `all` means those of queue mode too, which need Redis and are left out otherwise; `ci` the same without those that are
 * run once a week and before a release.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildIfChanged, installIfMissing, node24, root, run, withNode24 } from './support.mjs';

/**
 * Files that CI leaves out, since they take more than half of the time of all, mostly to load n8n's editor. The engine tests, or another file over
 * n8n's interface, try the same operations; the walks through the editor itself are tried only here.
 */
const ONCE_A_WEEK = [
  'agent-tool.test.mjs',
  'authorised-sale.test.mjs',
  'backtest.test.mjs',
  'docs-walks.test.mjs',
  'editor-exits.test.mjs',
  'examples-chat.test.mjs',
  'examples-day.test.mjs',
  'examples-editor.test.mjs',
  'examples-journal.test.mjs',
  'examples-tools.test.mjs',
  'hostile-events.test.mjs',
  'long-fields.test.mjs',
  'many-alerts.test.mjs',
  'npx.test.mjs',
  'once-exits.test.mjs',
  'option-chain-alert.test.mjs',
  'page-keyboard.test.mjs',
  'page-looks.test.mjs',
  'queue-session.test.mjs',
  'queue-stop-trading.test.mjs',
  'recipes-limits.test.mjs',
  'resources.test.mjs',
  'setups.test.mjs',
  'time-zones.test.mjs',
];

/** More than so many files that fail are no chance. */
const MAX_CHANCE_FAILURES = 2;

/** Number of files to run beside each other in CI: each has a separate n8n and sandbox, and mostly waits. */
const BESIDE_EACH_OTHER = 3;

/** The folder that the nodes are packed into: once, for all files. */
const packed = mkdtempSync(path.join(tmpdir(), 'brokerage-packed-'));
const environment = () => ({ ...withNode24(), E2E_PACKAGE: tarball });
let tarball;

/** Runs the tests of some files, with the output shown as it comes. */
const test = async (files) => await run(node24, argumentsFor(files), { env: environment() });

/**
 * Runs the tests of one file beside another one's, with the output shown when they have ended.
 * @returns {Promise<boolean>} whether they passed
 */
async function testBeside(file) {
  const child = spawn(node24, argumentsFor([file]), {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  process.stdout.write(Buffer.concat(output));
  return status === 0;
}

const argumentsFor = (files) => ['--no-warnings', '--test', '--test-concurrency=1', '--test-reporter=spec', ...files];

/**
 * Tests file by file, three at a time. A failed one is run once more, as a whole, alone and in a new world, and named at the end: a real n8n
 * and a real browser on a busy machine fail by chance now and then, and whoever reads the log has to see that one did.
 */
async function testInCI(files) {
  const failed = [];
  const left = [...files];
  const takeTurns = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift())
      if (!(await testBeside(file))) failed.push(file);
  };
  await Promise.all(Array.from({ length: BESIDE_EACH_OTHER }, takeTurns));
  if (failed.length > MAX_CHANCE_FAILURES) throw new Error(`These end-to-end tests failed: ${failed.join(', ')}`);
  for (const file of failed) {
    console.error(`\nFAILED, and is run once more: ${file}`);
    await test([file]);
  }
  if (failed.length > 0) console.error(`\nPASSED ONLY WHEN RUN AGAIN, find out why: ${failed.join(', ')}`);
}

try {
  await installIfMissing();
  await buildIfChanged();
  const { ensureRuntime } = await import('./runtime.mjs');
  await ensureRuntime();
  const { pack } = await import('./n8n.mjs');
  tarball = pack(packed);
  const words = process.argv.slice(2);
  const isSelected = (file) => {
    if (words.includes('all')) return true;
    if (words.includes('ci')) return !ONCE_A_WEEK.includes(file);
    return words.length === 0 ? !file.startsWith('queue') : words.some((word) => file.includes(word));
  };
  const files = readdirSync(path.join(root, 'e2e'))
    .filter((file) => file.endsWith('.test.mjs') && isSelected(file))
    .map((file) => path.join('e2e', file));
  if (files.length === 0) throw new Error(`No end-to-end test has ${words.join(' or ')} in its name.`);
  if (process.env.CI) await testInCI(files);
  else await test(files);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(packed, { recursive: true });
}
