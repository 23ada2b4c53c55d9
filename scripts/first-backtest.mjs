/**
 * `npm run first-backtest`: does what docs/first-backtest.md says: checks a public file, builds the workflow from an empty canvas in a real
 * browser, downloads it, runs it over the recorded days, and once for each of several values. It makes the page's pictures into
 * docs/pictures, and fails where the page does not show what the commands print. Needs ../shared/data. With `-- workflow` it ends with the
 * workflow and its picture.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfChanged, installIfMissing, node24, root } from './support.mjs';

const RECORDED = 'minute_NIFTY_2020-03.txt.gz';
const DAYS = '2020-03-09..2020-03-20';
const pictures = path.join(root, 'docs', 'pictures');
const data = ['..', '../..']
  .map((up) => path.resolve(root, up, 'shared/data/history', RECORDED))
  .find((file) => existsSync(file));
assert.ok(data, `../shared/data/history/${RECORDED} is not here`);

await installIfMissing();
await buildIfChanged();
const { openBrowser, signIn } = await import('../e2e/support/browser.mjs');
const { openExamples } = await import('../e2e/support/examples.mjs');
const { ensureRuntime } = await import('./runtime.mjs');
const { Editor } = await import('./walks/editor.mjs');
const { callAtHalfPastNine } = await import('./walks/backtest.mjs');

const folder = mkdtempSync(path.join(tmpdir(), 'first-backtest-'));
const march = path.join(folder, 'march-2020');
const page = readFileSync(path.join(root, 'docs', 'first-backtest.md'), 'utf8');

/** Runs the sandbox's command. @returns what it prints */
const sandbox = (...args) =>
  execFileSync(node24, ['--no-warnings', path.join(root, 'sandbox', 'bin', 'brokerage-sandbox.js'), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Checks that the page contains each line that a command prints. */
function isShown(said) {
  const missing = said.split('\n').filter((line) => line.trim() !== '' && !page.includes(line.trim()));
  assert.deepEqual(missing, [], 'docs/first-backtest.md does not show these lines');
}

/** The workflow as n8n downloads it, built in a browser. */
async function built() {
  const world = await openExamples({
    editor: true,
    start: '2026-11-20T14:00:00+05:30',
    sandboxOptions: ['--hours', 'exchange', '--order-interface', 'intent'],
  });
  const browser = await openBrowser({ width: 1280, height: 760 });
  try {
    await signIn(browser.page, world.n8n.url);
    const recorder = { page: browser.page, show: async () => await browser.page.waitForTimeout(300) };
    try {
      await callAtHalfPastNine(new Editor(recorder, world.n8n.url));
    } catch (error) {
      await browser.shoot('first-backtest-failed');
      throw error;
    }
    await browser.page.waitForTimeout(1_500);
    await browser.page.screenshot({ path: path.join(pictures, 'first-backtest-workflow.png'), animations: 'disabled' });
    const id = new URL(browser.page.url()).pathname.split('/').at(2);
    return await world.n8n.request('GET', `/workflows/${id}`);
  } finally {
    await browser.close();
    await world.close();
  }
}

/** A picture of a page of HTML on the disk. */
async function shot(file, name, height) {
  const browser = await openBrowser({ width: 1060, height });
  try {
    await browser.page.goto(pathToFileURL(file).href);
    await browser.page.screenshot({ path: path.join(pictures, `${name}.png`) });
  } finally {
    await browser.close();
  }
}

try {
  mkdirSync(march);
  copyFileSync(data, path.join(march, RECORDED));
  const said = sandbox('--replay', march, '--check');
  console.log(said);
  const workflow = path.join(folder, 'call.json');
  writeFileSync(workflow, JSON.stringify(await built()));
  if (process.env.KEEP_WORKFLOW !== undefined) copyFileSync(workflow, process.env.KEEP_WORKFLOW);
  isShown(said);
  if (process.argv[2] !== 'workflow') {
    const runtime = await ensureRuntime();
    const common = [
      'backtest',
      '--replay',
      march,
      '--days',
      DAYS,
      '--workflow',
      workflow,
      '--n8n',
      runtime.folder,
      '--nodes',
      root,
    ];
    console.log(sandbox(...common, '--out', path.join(folder, 'one')));
    await shot(path.join(folder, 'one', 'report.html'), 'first-backtest-report', 1_060);
    console.log(sandbox(...common, '--set', 'stop=20,40', '--set', 'lots=1,2', '--out', path.join(folder, 'many')));
    await shot(path.join(folder, 'many', 'runs.html'), 'first-backtest-runs', 1_000);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
