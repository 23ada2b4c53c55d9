/** Workflows over recorded days by one command, in a real n8n: examples over three days of March 2020, twice the same. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { ensureRuntime } from '../scripts/runtime.mjs';
import { node24, root } from '../scripts/support.mjs';

const RECORDED = 'minute_NIFTY_2020-03.txt.gz';
const SHARES = 'stocks_daily_unadjusted_nse_2010_2026.csv.gz';
const found = (name) =>
  ['..', '../..'].map((up) => path.resolve(root, up, 'shared/data/history', name)).find((file) => existsSync(file));
const data = found(RECORDED);
const shares = found(SHARES);

let folder;
let runtime;
before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'brokerage-backtest-e2e-'));
  runtime = await ensureRuntime();
});
after(() => rmSync(folder, { recursive: true, force: true }));

const FILES = ['report.html', 'report.json', 'report.csv', 'report.pdf'];
const example = (name) => JSON.parse(readFileSync(path.join(root, 'examples', name), 'utf8'));

const command = (workflow, out, days = '2020-03-11..2020-03-13') => [
  '--no-warnings',
  path.join(root, 'sandbox', 'bin', 'brokerage-sandbox.js'),
  ...['backtest', '--replay', path.join(folder, 'march'), '--days', days],
  ...['--workflow', workflow, '--n8n', runtime.folder, '--nodes', root, '--out', path.join(folder, out)],
];

/** Puts the recording and a workflow into the folder. @returns the workflow's file */
function recorded(workflow = example('straddle.json')) {
  const march = path.join(folder, 'march');
  mkdirSync(march, { recursive: true });
  copyFileSync(data, path.join(march, RECORDED));
  const file = path.join(folder, 'workflow.json');
  writeFileSync(file, JSON.stringify(workflow));
  return file;
}

/** Leaves so many of the recorded days, such as 20200312: between them n8n's time goes on in a moment. */
function keepDays(...dates) {
  const rows = gunzipSync(readFileSync(data)).toString().split('\n');
  const kept = rows.filter((row) => dates.includes(row.split(',')[1]));
  writeFileSync(path.join(folder, 'march', 'minute_NIFTY_2020-03.txt'), kept.join('\n'));
  rmSync(path.join(folder, 'march', RECORDED));
}

/** Runs the command twice. @returns what it said, and its report, which is the same both times, to the byte */
function twice(file, days) {
  const said = execFileSync(node24, command(file, 'first', days), { encoding: 'utf8' });
  execFileSync(node24, command(file, 'second', days));
  for (const name of FILES)
    assert.deepEqual(
      readFileSync(path.join(folder, 'first', name)),
      readFileSync(path.join(folder, 'second', name)),
      `${name} is the same`,
    );
  return [said, reportIn('first')];
}

const reportIn = (out) => JSON.parse(readFileSync(path.join(folder, out, 'report.json'), 'utf8'));

test('the example straddle: what the crash did to it, twice the same to the byte', { skip: data === undefined }, () => {
  const [said, report] = twice(recorded());
  assert.match(said, /Trades {5}6 closed/);
  assert.match(said, /3 runs of the workflow, 0 failed\./);
  assert.deepEqual(
    report.days.map(({ date, trades }) => [date, trades]),
    [
      ['2020-03-11', 2],
      ['2020-03-12', 2],
      ['2020-03-13', 2],
    ],
  );
  assert.equal(report.worst_day.date, '2020-03-13');
});

test('the example SIP: both shares of one run are bought', { skip: shares === undefined }, () => {
  const file = recorded(example('monthly-sip.json'));
  rmSync(path.join(folder, 'march', RECORDED));
  copyFileSync(shares, path.join(folder, 'march', SHARES));
  try {
    const said = execFileSync(node24, command(file, 'sip', '2024-02-05..2024-02-05'), { encoding: 'utf8' });
    assert.match(said, /1 run of the workflow, 0 failed\./);
    const bought = reportIn('sip').round_trips.map(({ symbol, side }) => `${side} ${symbol}`);
    assert.deepEqual(bought.sort(), ['LONG GOLDBEES', 'LONG NIFTYBEES']);
  } finally {
    rmSync(path.join(folder, 'march', SHARES));
  }
});

test(
  'the example price alert: bought once, when the crash reached its level, twice the same',
  { skip: data === undefined },
  () => {
    const workflow = example('price-alert-to-order.json');
    // Within what the share does that morning: a level that it opens below is bought at the open, however far that is.
    const level = 228;
    for (const { parameters } of workflow.nodes) if (parameters.level !== undefined) parameters.level = level;
    const [said, report] = twice(recorded(workflow), '2020-03-12');
    assert.match(said, /1 run of the workflow, 0 failed\./);
    const [trip, ...others] = report.round_trips;
    assert.deepEqual(others, []);
    assert.deepEqual([trip.symbol, trip.side, trip.quantity, trip.open], ['INFY', 'LONG', 10, true]);
    assert.equal(trip.placed_by.node, 'Buy');
    assert.match(trip.entry_at, /^2020-03-12T1/, 'after the first hour');
    assert.ok(Math.abs(trip.entry_price / (level * 100) - 1) < 0.01, `bought at ${trip.entry_price}`);
  },
);

test(
  'a workflow that fails is told as one that does, with the first error and its time, on days two weeks apart',
  { skip: data === undefined },
  () => {
    const workflow = {
      name: 'Fails',
      settings: { saveDataErrorExecution: 'none', errorWorkflow: 'none' },
      nodes: [
        node('Start', 'n8n-nodes-brokerage.brokerageTrigger', { watch: 'marketTime', marketTimes: '09:20, 10:30' }),
        node('Price', 'n8n-nodes-brokerage.brokerage', {
          resource: 'quote',
          operation: 'getCurrentPrice',
          instrument: { __rl: true, mode: 'symbol', value: 'NSE:NOSUCHSHARE' },
        }),
      ],
      connections: { Start: { main: [[{ node: 'Price', type: 'main', index: 0 }]] } },
    };
    const file = recorded(workflow);
    keepDays('20200312', '20200327');
    const said = execFileSync(node24, command(file, 'failed', '2020-03-12..2020-03-31'), { encoding: 'utf8' });
    rmSync(path.join(folder, 'march'), { recursive: true });
    assert.match(
      said,
      /4 runs of the workflow, 4 failed\. The first error, 2020-03-12 09:20 in "Price": .*NOSUCHSHARE/,
    );
    const { runs, round_trips: trips } = reportIn('failed');
    assert.deepEqual(trips, []);
    assert.equal(runs.failed, 4);
    assert.equal(
      runs.errors.reduce((sum, { count }) => sum + count, 0),
      4,
    );
    assert.match(readFileSync(path.join(folder, 'failed', 'report.html'), 'utf8'), /<h2>Errors of the workflow<\/h2>/);
  },
);

function node(name, type, parameters) {
  return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}

test(
  'a run in each minute of a day: each is counted, over all pages of the list of n8n',
  { skip: data === undefined },
  () => {
    const workflow = {
      name: 'Each minute',
      nodes: [
        node('Start', 'n8n-nodes-brokerage.brokerageTrigger', {
          watch: 'market',
          marketData: 'candle',
          interval: '1m',
          instrument: { __rl: true, mode: 'symbol', value: 'NSE:NIFTY' },
        }),
        node('Nothing', 'n8n-nodes-base.noOp', {}),
      ],
      connections: { Start: { main: [[{ node: 'Nothing', type: 'main', index: 0 }]] } },
    };
    const said = execFileSync(node24, command(recorded(workflow), 'minutes', '2020-03-12'), { encoding: 'utf8' });
    // Trading was not halted on the 12th: each of the 375 minutes has a candle.
    assert.match(said, /375 runs of the workflow, 0 failed\./);
  },
);

/** Ways in which a backtest ends before its last day, and its error then. */
const ENDED_EARLY = [
  ['stopped by a person, it takes its n8n with it', (child) => child.kill('SIGTERM'), /^$/],
  ['its n8n killed', (_, n8n) => process.kill(n8n, 'SIGKILL'), /n8n ended/],
];
for (const [name, end, error] of ENDED_EARLY)
  test(
    `${name}, and leaves the report of the days until then, said to be partial`,
    { skip: data === undefined },
    async () => {
      const child = spawn(node24, command(recorded(), 'partial'), { stdio: ['ignore', 'pipe', 'pipe'] });
      const said = { stdout: '', stderr: '' };
      let n8n;
      for (const stream of ['stdout', 'stderr'])
        child[stream].setEncoding('utf8').on('data', (text) => {
          said[stream] += text;
          if (n8n !== undefined || !said.stdout.includes('2020-03-12')) return;
          n8n = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'));
          process.kill(n8n, 0);
          end(child, n8n);
        });
      const [code] = await once(child, 'close');
      assert.equal(code, 1);
      assert.throws(() => process.kill(n8n, 0), /ESRCH/);
      assert.match(said.stderr, error);
      assert.match(
        said.stdout,
        /Partial: the backtest was stopped at 2020-03-12 \d\d:\d\d, when 1 of 3 days had passed/,
      );
      const { partial, runs, trades } = reportIn('partial');
      assert.deepEqual([partial.days_passed, partial.days, runs.total], [1, 3, 1]);
      assert.ok(trades.closed >= 2);
      assert.match(
        readFileSync(path.join(folder, 'partial', 'report.html'), 'utf8'),
        /Partial: the backtest was stopped/,
      );
      rmSync(path.join(folder, 'partial'), { recursive: true });
    },
  );
