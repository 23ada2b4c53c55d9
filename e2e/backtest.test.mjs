/** A workflow over recorded days by one command, in a real n8n: a straddle over three days of March 2020, twice the same. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { ensureRuntime } from '../scripts/runtime.mjs';
import { node24, root } from '../scripts/support.mjs';

const RECORDED = 'minute_NIFTY_2020-03.txt.gz';
const data = ['..', '../..']
  .map((up) => path.resolve(root, up, 'shared/data/history', RECORDED))
  .find((file) => existsSync(file));

let folder;
let runtime;
before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'brokerage-backtest-e2e-'));
  runtime = await ensureRuntime();
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** The example, started at a time of the exchange. */
function straddle() {
  const workflow = JSON.parse(readFileSync(path.join(root, 'examples', 'straddle.json'), 'utf8'));
  const nodes = workflow.nodes.map((node) =>
    node.type === 'n8n-nodes-base.scheduleTrigger'
      ? {
          ...node,
          type: 'n8n-nodes-brokerage.brokerageTrigger',
          typeVersion: 1,
          parameters: { watch: 'marketTime', marketTimes: '09:20' },
        }
      : node,
  );
  return { ...workflow, nodes };
}

const command = (workflow, out) => [
  '--no-warnings',
  path.join(root, 'sandbox', 'bin', 'brokerage-sandbox.js'),
  ...['backtest', '--replay', path.join(folder, 'march'), '--days', '2020-03-11..2020-03-13'],
  ...['--workflow', workflow, '--n8n', runtime.folder, '--nodes', root, '--out', path.join(folder, out)],
];

function recorded() {
  const march = path.join(folder, 'march');
  mkdirSync(march, { recursive: true });
  copyFileSync(data, path.join(march, RECORDED));
  const file = path.join(folder, 'straddle.json');
  writeFileSync(file, JSON.stringify(straddle()));
  return file;
}

test('what the crash did to a straddle, twice the same to the byte', { skip: data === undefined }, async () => {
  const file = recorded();
  const said = execFileSync(node24, command(file, 'first'), { encoding: 'utf8' });
  assert.match(said, /Trades {5}6 closed/);
  const report = JSON.parse(readFileSync(path.join(folder, 'first', 'report.json'), 'utf8'));
  assert.deepEqual(
    report.days.map(({ date, trades }) => [date, trades]),
    [
      ['2020-03-11', 2],
      ['2020-03-12', 2],
      ['2020-03-13', 2],
    ],
  );
  assert.equal(report.worst_day.date, '2020-03-13');
  execFileSync(node24, command(file, 'second'));
  for (const name of ['report.html', 'report.json', 'report.csv', 'report.pdf'])
    assert.deepEqual(
      readFileSync(path.join(folder, 'first', name)),
      readFileSync(path.join(folder, 'second', name)),
      `${name} is the same`,
    );
});

test('stopped by a person, it takes its n8n with it', { skip: data === undefined }, async () => {
  const child = spawn(node24, command(recorded(), 'stopped'), { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += text;
    if (said.includes('2020-03-11')) break;
  }
  const n8n = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'));
  process.kill(n8n, 0);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 1);
  assert.throws(() => process.kill(n8n, 0), /ESRCH/);
});
