/** Runs a backtest for each choice of values, several at a time, each in a separate process. What was done before is not done again. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import path from 'node:path';
import { readRecordings } from '../simulation/recordings';
import { OptionError } from '../shared/option-error';
import { rupees } from '../shared/money';
import { VERSION } from '../shared/version';
import {
  bestOf,
  inSampleUntil,
  triedOf,
  type ComparedReport,
  type SettingsComparison,
  type TriedSettings,
} from './comparison';
import { comparisonCsv, comparisonPage, comparisonSentences } from './comparison-page';
import { findN8n, findNodes } from './n8n';
import type { BacktestOptions } from './options';
import { choicesOf, choiceText, withSettings, type SettingChoice } from './settings';
import { isTrigger, readWorkflow, type Workflow } from './workflow';

/** Largest memory of a backtest with its n8n, bytes, in round numbers. */
const MEMORY_OF_ONE = 1.2e9;
/** A folder's name on any file system. */
const MAX_FOLDER = 200;
/** File beside the report of a backtest that has ended. It says what the report is of. */
const MARK = 'made-with.json';

/**
 * Runs a backtest of one choice. @param args of the command line, behind `backtest`
 * @returns undefined when its report is written; else its last words
 */
export type RunOne = (args: string[], signal: AbortSignal) => Promise<string | undefined>;

/**
 * Runs all choices of values and writes how they compare: runs.html, runs.json, runs.csv.
 * @param say takes the messages for the user on the way. @param signal ends it early: started again, it goes on
 * @returns true if all have a result
 * @throws OptionError for what cannot be run, before anything is started; the signal's reason
 */
export async function backtestSeveral(
  options: BacktestOptions,
  runOne: RunOne,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const workflow = readWorkflow(options.workflow);
  const choices = choicesOf(options.settings);
  for (const choice of choices) withSettings(workflow, choice, isTrigger);
  findN8n(options.n8n);
  findNodes(options.nodes);
  const bytes = options.maxUnpackedMb === undefined ? undefined : options.maxUnpackedMb * 2 ** 20;
  const { dates, digest } = await readRecordings(options.replay, bytes);
  const days = dates.filter((date) => date >= options.from && date <= options.to);
  if (days.length === 0)
    throw new OptionError(
      `--days ${options.from}..${options.to}: ${options.replay} has ${dates[0]} to ${dates.at(-1)}, and none of these days.`,
    );
  const until = options.inSample ?? inSampleUntil(days);
  const backtestOf = (choice: SettingChoice): One => oneOf(options, choice, markOf(options, workflow, digest));
  const all = choices.map(backtestOf);
  for (const { out, mark } of all) refuseOthers(out, mark);
  const open = all.filter(({ out }) => !isDone(out));
  const parallel = Math.min(options.parallel ?? parallelHere(), Math.max(1, open.length));
  say(
    `${all.length} backtests of ${days.length} ${days.length === 1 ? 'day' : 'days'}, ${all.length - open.length} of them done before; ${parallel} at a time.`,
  );
  const failures = new Map<One, string>();
  let ended = 0;
  const stopped = (): boolean => signal.aborted;
  const worker = async (): Promise<void> => {
    for (let next = open.shift(); next !== undefined && !stopped(); next = open.shift()) {
      mkdirSync(next.out, { recursive: true });
      const failed = await runOne(next.args, signal);
      if (stopped()) return;
      ended += 1;
      if (failed === undefined) markDone(next);
      else failures.set(next, failed);
      const said = failed === undefined ? `Rs ${rupees(reportIn(next.out).result)}` : `failed: ${firstLine(failed)}`;
      say(`${choiceText(next.choice)}: ${said} (${ended} done, ${open.length} to begin)`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  if (stopped()) throw signal.reason as Error;
  const comparison = compared(options, all, failures, until);
  const files = writeComparison(comparison, workflow.name, options.out);
  say([...comparisonSentences(comparison), '', ...files].join('\n'));
  return failures.size === 0;
}

/** One choice, where its report goes, and what it is made with. */
interface One {
  choice: SettingChoice;
  /** Below that of all. */
  folder: string;
  out: string;
  args: string[];
  mark: string;
}

function oneOf(options: BacktestOptions, choice: SettingChoice, made: string): One {
  const folder = path.join('runs', folderOf(choice));
  const out = path.join(options.out, folder);
  const values = Object.entries(choice).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  return { choice, folder, out, args: [...options.passed, ...values, '--out', out], mark: made };
}

/** "quantity=1,stop=0.5", with what no file system takes written as %XX. @throws OptionError where that is too long */
function folderOf(choice: SettingChoice): string {
  const name = Object.entries(choice)
    .map((pair) => pair.map((text) => encodeURIComponent(text).replaceAll('*', '%2A')).join('='))
    .join(',');
  if (name.length <= MAX_FOLDER) return name;
  throw new OptionError(
    '--set: the fields and their values are too long for the name of a folder: write them shorter.',
  );
}

/**
 * Returns a mark of everything on which the result of a backtest depends, but the values: the same files, days and options give the same.
 */
function markOf(options: BacktestOptions, workflow: Workflow, digest: string): string {
  const { from, to, seed, passed } = options;
  const paths = ['--replay', '--workflow', '--n8n', '--nodes', '--days', '--seed', '--max-unpacked'];
  const others = passed.filter((_, index) => !paths.includes(passed[index - (index % 2)]!));
  const made = JSON.stringify([VERSION, workflow, digest, from, to, seed, others]);
  return createHash('sha256').update(made).digest('hex').slice(0, 16);
}

function isDone(out: string): boolean {
  return existsSync(path.join(out, MARK));
}

/** @throws OptionError where another backtest has left its report in a folder */
function refuseOthers(out: string, mark: string): void {
  if (!isDone(out)) return;
  const { made } = JSON.parse(readFileSync(path.join(out, MARK), 'utf8')) as { made?: string };
  if (made === mark) return;
  throw new OptionError(
    `${out} has the report of another workflow, other candles, days or options: give another --out, or delete that folder.`,
  );
}

/** In one step, so that a report that is half written is never taken for a whole one. */
function markDone({ out, choice, mark }: One): void {
  const file = path.join(out, MARK);
  writeFileSync(`${file}.new`, `${JSON.stringify({ made: mark, values: choice })}\n`);
  renameSync(`${file}.new`, file);
}

/** Returns the number of backtests for which this machine has cores and memory. */
function parallelHere(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(freemem() / MEMORY_OF_ONE)));
}

const reportIn = (out: string): ComparedReport & { result: number } =>
  JSON.parse(readFileSync(path.join(out, 'report.json'), 'utf8')) as ComparedReport & { result: number };

const firstLine = (text: string): string => text.trim().split('\n')[0]!;

function compared(
  { settings, from, to }: BacktestOptions,
  all: readonly One[],
  failures: ReadonlyMap<One, string>,
  until: string,
): SettingsComparison {
  const reports = all.map((backtest) => (failures.has(backtest) ? undefined : reportIn(backtest.out)));
  const tried = all.map((backtest, index): TriedSettings => {
    const { choice, folder } = backtest;
    const report = reports[index];
    const name = folder.split(path.sep).join('/');
    if (report !== undefined) return triedOf(choice, name, report, until);
    const none = { all: null, in_sample: null, out_of_sample: null, drawdown: null, failed_runs: 0 };
    return { values: choice, folder: name, failed: failures.get(backtest)!.trim(), ...none };
  });
  const inside = reports.map((report) =>
    report?.days.flatMap((day) => (day === null || day.date > until ? [] : [day.result])),
  );
  return { settings, from, to, in_sample_until: until, tried, best: bestOf(tried, inside) };
}

function writeComparison(comparison: SettingsComparison, name: string, out: string): string[] {
  const files: [string, string][] = [
    ['runs.html', comparisonPage(comparison, name)],
    ['runs.json', `${JSON.stringify(comparison, undefined, 2)}\n`],
    ['runs.csv', comparisonCsv(comparison)],
  ];
  for (const [file, content] of files) writeFileSync(path.join(out, file), content);
  return files.map(([file]) => path.join(out, file));
}
