/** Several backtests with other values: what is set, what runs at a time, what is done again, and what is said of the best. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  bestOf,
  inSampleUntil,
  expectedMaximum,
  type SettingsComparison,
  type TriedSettings,
} from '../../../sandbox/src/backtest/comparison';
import { comparisonCsv, comparisonPage, comparisonSentences } from '../../../sandbox/src/backtest/comparison-page';
import { parseBacktest, type BacktestOptions } from '../../../sandbox/src/backtest/options';
import { backtestSeveral, type RunOne } from '../../../sandbox/src/backtest/several';
import { choicesOf, settingsOf, withSettings } from '../../../sandbox/src/backtest/settings';
import { isTrigger, readWorkflow } from '../../../sandbox/src/backtest/workflow';
import { createUniform } from '../../../sandbox/src/shared/random';

let folder: string;
beforeEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = mkdtempSync(path.join(tmpdir(), 'several-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const node = (name: string, type: string, parameters: Record<string, unknown> = {}) => ({ name, type, parameters });
const fields = (...all: [string, string, unknown][]) => ({
  assignments: { assignments: all.map(([name, type, value], id) => ({ id: String(id), name, type, value })) },
});
const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
/** The step that is nearest to the trigger is not the first in the file. */
const WORKFLOW = {
  name: 'Mine',
  nodes: [
    node('Later', 'n8n-nodes-base.set', fields(['message', 'string', 'x'])),
    node('Start', 'n8n-nodes-brokerage.brokerageTrigger'),
    node('Look', 'n8n-nodes-brokerage.brokerage'),
    node(
      'Settings',
      'n8n-nodes-base.set',
      fields(['quantity', 'number', 1], ['at', 'string', '09:20'], ['on', 'boolean', true], ['list', 'array', []]),
    ),
  ],
  connections: { Start: to('Look'), Look: to('Settings'), Settings: to('Later') },
};

describe('the option --set', () => {
  test.each([
    [['quantity=1,2,3'], [{ quantity: '1' }, { quantity: '2' }, { quantity: '3' }]],
    [['stop=0.5..2:0.5'], ['0.5', '1', '1.5', '2'].map((stop) => ({ stop }))],
    [['stop=-1..1'], ['-1', '0', '1'].map((stop) => ({ stop }))],
    [['x=0.1..0.3:0.1, 5'], ['0.1', '0.2', '0.3', '5'].map((x) => ({ x }))],
    [
      ['a=1,2', 'at=09:20,09:30'],
      [
        { a: '1', at: '09:20' },
        { a: '1', at: '09:30' },
        { a: '2', at: '09:20' },
        { a: '2', at: '09:30' },
      ],
    ],
    [[], [{}]],
  ])('reads %j as the choices', (given, choices) => {
    expect(choicesOf(settingsOf(given))).toEqual(choices);
  });

  test.each([
    [['quantity'], 'such as quantity=1,2,3'],
    [['=1'], 'such as quantity=1,2,3'],
    [['a='], 'such as quantity=1,2,3'],
    [['a=1,,2'], 'each value must have'],
    [['a=1,2,1'], 'the value 1 twice'],
    [['a=1', 'a=2'], '--set a is there twice'],
    [['a=2..1'], 'a range goes up'],
    [['a=1..2:0'], 'a range goes up'],
    [['a=0..1:0.0001'], 'a range goes up'],
    [['a=1..40', 'b=1..40'], 'makes 1600 choices'],
    [['a=1', 'b=1', 'c=1', 'd=1', 'e=1', 'f=1', 'g=1'], 'at most 6'],
  ])('refuses %j: %s', (given, words) => {
    expect(() => settingsOf(given)).toThrow(words);
  });

  test('puts the values into the Edit Fields step that is nearest to the trigger, by the type of their fields', () => {
    const { nodes } = withSettings(workflow(), { quantity: '2.5', at: '10:00', on: 'false' }, isTrigger);
    expect(nodes.find(({ name }) => name === 'Settings')!.parameters).toEqual(
      fields(['quantity', 'number', 2.5], ['at', 'string', '10:00'], ['on', 'boolean', false], ['list', 'array', []]),
    );
    expect(nodes.filter(({ name }) => name !== 'Settings')).toEqual(
      WORKFLOW.nodes.filter(({ name }) => name !== 'Settings'),
    );
  });

  test.each([
    [{ lots: '1' }, '"Settings", the first Edit Fields step, has no field "lots"; it has quantity, at, on, list'],
    [{ quantity: 'many' }, '--set quantity=many: the field is a number'],
    [{ on: '1' }, 'is true or false'],
    [{ list: '1' }, 'of the type array'],
  ])('refuses %j where the workflow has no such field', (choice, words) => {
    expect(() => withSettings(workflow(), choice, isTrigger)).toThrow(words);
  });

  test('refuses a workflow without such a step', () => {
    const nodes = WORKFLOW.nodes.map((one) => ({ ...one, disabled: one.type === 'n8n-nodes-base.set' }));
    expect(() => withSettings({ ...WORKFLOW, nodes }, { quantity: '1' }, isTrigger)).toThrow(
      'needs an Edit Fields step',
    );
  });
});

function workflow() {
  const file = path.join(folder, 'w.json');
  writeFileSync(file, JSON.stringify(WORKFLOW));
  return readWorkflow(file);
}

const DAYS = ['2020-03-11', '2020-03-12', '2020-03-13'];

/** Options of a command line over three recorded days. */
function optionsOf(...more: string[]): BacktestOptions {
  workflow();
  const replay = path.join(folder, 'replay');
  mkdirSync(replay, { recursive: true });
  const rows = DAYS.map((date) => `${date} 09:15,10000,10010,9990,10005,0\n${date} 09:16,10005,10010,9990,10000,0\n`);
  writeFileSync(path.join(replay, 'NIFTY.csv'), `time,open,high,low,close,volume\n${rows.join('')}`);
  mkdirSync(path.join(folder, 'bin'), { recursive: true });
  writeFileSync(path.join(folder, 'bin', 'n8n'), '');
  // The nodes' package after a build: a clone has none before its first build.
  mkdirSync(path.join(folder, 'nodes', 'dist'), { recursive: true });
  writeFileSync(path.join(folder, 'nodes', 'package.json'), JSON.stringify({ name: 'n8n-nodes-brokerage' }));
  const args = ['--replay', replay, '--days', '2020-03-01..2020-03-31', '--workflow', path.join(folder, 'w.json')];
  const options = parseBacktest([
    ...args,
    '--n8n',
    folder,
    '--nodes',
    path.join(folder, 'nodes'),
    '--out',
    path.join(folder, 'out'),
    ...more,
  ]);
  if (options === 'help') throw new Error(options);
  return options;
}

/** Results of a backtest of a choice on each day, paise. */
type Results = (values: Record<string, string>) => number[];

/** Writes a report as a backtest does. @param began takes the values of each that begins */
function fake(results: Results, began: Record<string, string>[] = [], atOnce = { now: 0, most: 0 }): RunOne {
  return async (args) => {
    const values = Object.fromEntries(
      args.flatMap((arg, i) => (args[i - 1] === '--set' ? [arg.split('=') as [string, string]] : [])),
    );
    began.push(values);
    atOnce.most = Math.max(atOnce.most, (atOnce.now += 1));
    await Promise.resolve();
    atOnce.now -= 1;
    const made = results(values);
    if (made.length === 0) return 'n8n ended with status 1\nits last words';
    const days = DAYS.map((date, i) => ({ date, result: made[i], trades: 1 }));
    const report = {
      result: made.reduce((all, one) => all + one, 0),
      days: [...days, null],
      basis: { capital: 1_000_000 },
      drawdown: { amount: 5 },
      runs: { failed: 0 },
    };
    writeFileSync(path.join(args.at(-1)!, 'report.json'), JSON.stringify(report));
    return undefined;
  };
}

const READ = { signal: new AbortController().signal, say: () => undefined };
const run = (options: BacktestOptions, one: RunOne, say: (text: string) => void = READ.say) =>
  backtestSeveral(options, one, say, READ.signal);
const compared = () => JSON.parse(readFileSync(path.join(folder, 'out', 'runs.json'), 'utf8')) as SettingsComparison;
const byQuantity: Results = ({ quantity }) => [100 * Number(quantity), -10, -100 * Number(quantity)];

describe('the runs', () => {
  test('make each choice once, a limited number at a time, and compare in and out of sample', async () => {
    const [began, atOnce] = [[] as Record<string, string>[], { now: 0, most: 0 }];
    const options = optionsOf('--set', 'quantity=1..3', '--set', 'at=09:20,09:30', '--parallel', '2');
    expect(await run(options, fake(byQuantity, began, atOnce))).toBe(true);
    expect(began).toHaveLength(6);
    expect(atOnce.most).toBe(2);
    const { tried, best, in_sample_until: until } = compared();
    expect(until).toBe('2020-03-12');
    expect(
      tried.map(({ values, in_sample: inside, out_of_sample: outside }) => [values, inside!.result, outside!.result]),
    ).toEqual(
      [1, 2, 3].flatMap((quantity) =>
        ['09:20', '09:30'].map((at) => [{ quantity: String(quantity), at }, 100 * quantity - 10, -100 * quantity]),
      ),
    );
    expect(best).toMatchObject({ best: 4, place_out_of_sample: 5, compared: 6, above_mean: 100, same_order: -1 });
    for (const file of ['runs.html', 'runs.csv']) expect(existsSync(path.join(folder, 'out', file))).toBe(true);
  });

  test('get the options each, and one choice is one backtest', () => {
    const options = optionsOf('--set', 'quantity=7', '--seed', '5', '--parallel', '1');
    expect(choicesOf(options.settings)).toEqual([{ quantity: '7' }]);
    expect(options.passed.join(' ')).toContain('--seed 5');
    expect(options.passed.join(' ')).not.toMatch(/--(set|out|parallel)/);
  });

  test('go on after a stop; a value more runs only what is new; a failed one is tried once more', async () => {
    const stop = new AbortController();
    const began: Record<string, string>[] = [];
    const stopping: RunOne = async (args, signal) => {
      if (began.length === 2) stop.abort(new Error('stopped'));
      return await fake(byQuantity, began)(args, signal);
    };
    const options = optionsOf('--set', 'quantity=1..4', '--parallel', '1');
    await expect(backtestSeveral(options, stopping, READ.say, stop.signal)).rejects.toThrow('stopped');
    expect(began.map(({ quantity }) => quantity)).toEqual(['1', '2', '3']);

    const again: Record<string, string>[] = [];
    const failing: Results = (values) => (values['quantity'] === '4' ? [] : byQuantity(values));
    const said: string[] = [];
    expect(await run(options, fake(failing, again), (text) => said.push(text))).toBe(false);
    expect(again.map(({ quantity }) => quantity)).toEqual(['3', '4']);
    expect(said.join('\n')).toContain('2 of them done before');
    expect(said.join('\n')).toContain('quantity=4: failed: n8n ended with status 1 (2 done, 0 to begin)');
    expect(compared().tried[3]).toMatchObject({ failed: 'n8n ended with status 1\nits last words', in_sample: null });
    expect(comparisonPage(compared(), 'x')).toContain('its last words');

    const more: Record<string, string>[] = [];
    expect(await run(optionsOf('--set', 'quantity=1..5', '--parallel', '1'), fake(byQuantity, more))).toBe(true);
    expect(more.map(({ quantity }) => quantity)).toEqual(['4', '5']);
  });

  test('do not take reports of another workflow, other days or candles for these', async () => {
    await run(optionsOf('--set', 'quantity=1,2'), fake(byQuantity));
    const others: [string, () => BacktestOptions][] = [
      ['seed', () => optionsOf('--set', 'quantity=1,2', '--seed', '2')],
      [
        'candles',
        () => {
          const options = optionsOf('--set', 'quantity=1,2');
          writeFileSync(
            path.join(folder, 'replay', 'BANKNIFTY.csv'),
            'time,open,high,low,close\n2020-03-11 09:15,26000,26001,25999,26000\n2020-03-11 09:16,26000,26001,25999,26000\n',
          );
          return options;
        },
      ],
    ];
    for (const [, options] of others)
      await expect(run(options(), fake(byQuantity))).rejects.toThrow(
        /quantity=1 has the report of another workflow.*--out/,
      );
  });

  test('report what cannot be run before anything begins', async () => {
    const began: Record<string, string>[] = [];
    await expect(run(optionsOf('--set', 'quantity=1,two'), fake(byQuantity, began))).rejects.toThrow('is a number');
    await expect(
      run({ ...optionsOf('--set', 'quantity=1,2'), from: '2021-01-01', to: '2021-01-02' }, fake(byQuantity, began)),
    ).rejects.toThrow('none of these days');
    expect(began).toEqual([]);
  });

  test.each([
    [['--in-sample', '2020-03-31'], '--in-sample must be a day'],
    [['--in-sample', 'half'], '--in-sample must be a day'],
    [['--parallel', '0'], '--parallel must be'],
    [['--parallel', '65'], '--parallel must be'],
  ])('refuse %j', (more, words) => {
    expect(() => optionsOf(...more)).toThrow(words);
  });
});

describe('the best of many', () => {
  test('is chosen on two thirds of the days, and one day is left out of sample where there are two', () => {
    expect(['a', 'ab', 'abc', 'abcdefghi'].map((days) => inSampleUntil([...days]))).toEqual(['a', 'a', 'b', 'f']);
  });

  test('is expected at the largest of a number of normal numbers, as the tables have it', () => {
    // Harter (1961): 0.56419, 1.53875, 2.50759.
    for (const [count, mean] of [
      [2, 0.56419],
      [10, 1.53875],
      [100, 2.50759],
    ] as const)
      expect(Math.abs(expectedMaximum(count) / mean - 1)).toBeLessThan(0.05);
  });

  test('is as far above the mean of settings that are equally good as is said, whatever they have in common', () => {
    const uniform = createUniform(3);
    const noise = (): number => Array.from({ length: 12 }, uniform).reduce((all, one) => all + one, -6);
    let [above, byLuck] = [0, 0];
    for (let round = 0; round < 300; round += 1) {
      const common = Array.from({ length: 40 }, () => 5_000 * noise());
      const byDay = Array.from({ length: 12 }, () => common.map((one) => one + 1_000 * noise()));
      const best = bestOf(
        byDay.map((days) => tried(days)),
        byDay,
      )!;
      above += best.above_mean;
      byLuck += best.by_luck;
    }
    expect(Math.abs(above / byLuck - 1)).toBeLessThan(0.05);
  });

  const tried = (days: readonly number[], outside: number | null = null): TriedSettings => ({
    values: { quantity: '1' },
    folder: 'runs/quantity=1',
    failed: null,
    all: null,
    in_sample: { result: days.reduce((all, one) => all + one, 0), trades: 1, return_percent: 0 },
    out_of_sample: outside === null ? null : { result: outside, trades: 1, return_percent: 0 },
    drawdown: null,
    failed_runs: 0,
  });
  const comparison = (all: TriedSettings[], byDay: number[][]): SettingsComparison => ({
    settings: [{ name: 'quantity', values: all.map((_, i) => String(i + 1)) }],
    from: '2020-03-11',
    to: '2020-03-13',
    in_sample_until: '2020-03-12',
    tried: all.map((one, i) => ({ ...one, values: { quantity: String(i + 1) }, folder: `runs/quantity=${i + 1}` })),
    best: bestOf(all, byDay),
  });

  test('is called luck in part, with what it made on other days, and that these can be asked once', () => {
    const byDay = [
      [100, 200],
      [300, -100],
      [0, 50],
    ];
    const said = comparisonSentences(
      comparison([{ ...tried(byDay[0]!, 5), failed_runs: 2 }, tried(byDay[1]!, 7), tried(byDay[2]!, 9)], byDay),
    ).join(' ');
    expect(said).toMatch(
      /Best in sample, until 12 Mar 2020: quantity=1, with ₹3\.00\. Out of sample.*it made ₹0\.05: place 3 of 3\./,
    );
    expect(said).toContain('The best of 3 is always partly luck: it is ₹1.17 above the mean of all in sample');
    expect(said).toContain('So these days do not show that it is better than the others.');
    expect(said).toContain('agrees by −1');
    expect(said).toContain('can be asked once');
    expect(said).toContain('In 1 of 3 backtests runs of the workflow failed');
  });

  test('is told with a note where there are no days out of sample, or no result', () => {
    expect(comparisonSentences(comparison([tried([1]), tried([2])], [[1], [2]])).join(' ')).toMatch(
      /No day was kept out of the choice.*too few/,
    );
    const failed = { ...tried([1]), in_sample: null, failed: 'x' };
    expect(comparisonSentences(comparison([failed], [[]]))).toEqual(['None of the 1 backtests has a result.']);
  });

  test('is marked on the page, which takes names as text, and leads to each report', () => {
    const page = comparisonPage(comparison([tried([100], -5), tried([0], 0)], [[100], [0]]), '<b>');
    expect(page).not.toContain('<b>');
    expect(page).toContain('<td class="best" style="background:#1f6f5c96">₹1</td>');
    expect(page).toContain('<td style="background:none">₹0</td>');
    expect(page).toContain('href="runs/quantity%3D1/report.html"');
    expect(page).toContain('Out of sample');
  });

  test('is in the table as CSV with rupees, and texts that no spreadsheet takes for formulas', () => {
    const { settings, ...rest } = comparison([tried([12_345], -5)], [[12_345]]);
    const csv = comparisonCsv({ ...rest, settings, tried: [{ ...rest.tried[0]!, values: { quantity: '=1+1' } }] });
    expect(csv.split('\r\n')[1]).toBe("'=1+1,123.45,1,-0.05,1,,,0,runs/quantity=1,");
  });
});
