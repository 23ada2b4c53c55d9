import { parseArgs } from 'node:util';
import { OptionError } from '../shared/option-error';
import { maxUnpackedOption, modelOptions } from '../simulation/command-line';
import { MODELS_HELP } from '../simulation/command-line-help';
import { settingsOf, type VariedSetting } from './settings';

export const BACKTEST_HELP = `brokerage-sandbox backtest --replay FOLDER --days A..B --workflow FILE [options]

Runs a workflow of n8n over recorded days, one after another, and says what it earned.

  --replay FOLDER    candles of a real market (see brokerage-sandbox --help)
  --days A..B        first and last day, such as 2020-03-02..2020-03-31; one day alone is both
  --workflow FILE    a workflow as n8n exports it; it starts from the Brokerage Trigger
  --n8n DIR          where n8n is installed (the n8n that the command line knows)
  --nodes DIR        the package n8n-nodes-brokerage (the one of this folder, of ~/.n8n, or of the clone)
  --out DIR          where the report goes: report.html, .json, .csv, .pdf, report-days.csv (./backtest)
  --set FIELD=VALUES a value for a field of the workflow's first Edit Fields step: quantity=10. Several values, such as
                     quantity=1,2,3 or stop=0.5..2:0.5, run the backtest once for each choice of them, as many at a time
                     as there are cores; --out then gets runs.html, runs.json, runs.csv, and a report for each. Started
                     again, it goes on where it was stopped
  --in-sample DATE   the last day by which the values are compared; later ones are out of sample (two of three days)
  --parallel N       so many backtests at a time (one a core)
${MODELS_HELP}
  --max-unpacked MB  so much may come out of a packed file, zip, gzip or Parquet (256)
  --seed N           of what was not recorded: 0 to 4294967295 (1)
  --help             this text`;

/** Terms of a run. Days are YYYY-MM-DD. */
export interface BacktestOptions {
  replay: string;
  from: string;
  to: string;
  workflow: string;
  n8n: string | undefined;
  nodes: string | undefined;
  out: string;
  seed: number;
  /** The models of fills, impact and fees, as the sandbox's options name them. */
  fill: string;
  impact: string;
  fees: string;
  /** Largest unpacked size of a recording, megabytes; undefined for 256. */
  maxUnpackedMb?: number | undefined;
  /** Fields of the workflow's first Edit Fields step, and the values that are tried for them. */
  settings: VariedSetting[];
  /** The last day in sample; undefined for two of three days. */
  inSample: string | undefined;
  /** Number of backtests at a time; undefined for one a core. */
  parallel: number | undefined;
  /** The command line without what chooses among several backtests, and without where the report goes. */
  passed: string[];
}

/** Options of several backtests together, and of where the report goes. */
const OF_SEVERAL = ['set', 'in-sample', 'parallel', 'out'];
const MAX_PARALLEL = 64;

const text = { type: 'string' } as const;

/** @throws OptionError that says what is wrong and what to do */
export function parseBacktest(args: string[]): BacktestOptions | 'help' {
  const values = commandLine(args);
  if (values.help === true) return 'help';
  const { from, to } = daysOf(needed('--days', values.days));
  const seed = Number(values.seed ?? '1');
  if (!/^\d+$/.test(values.seed ?? '1') || seed > 0xffff_ffff)
    throw new OptionError(`--seed must be a whole number from 0 to 4294967295, not "${values.seed}".`);
  return {
    replay: needed('--replay', values.replay),
    from,
    to,
    workflow: needed('--workflow', values.workflow),
    n8n: values.n8n,
    nodes: values.nodes,
    out: values.out ?? 'backtest',
    seed,
    ...modelOptions(values),
    maxUnpackedMb: maxUnpackedOption(values['max-unpacked']),
    settings: settingsOf(values.set ?? []),
    inSample: inSampleOf(values['in-sample'], from, to),
    parallel: parallelOf(values.parallel),
    passed: Object.entries(values).flatMap(([name, value]) =>
      OF_SEVERAL.includes(name) || typeof value !== 'string' ? [] : [`--${name}`, value],
    ),
  };
}

function inSampleOf(value: string | undefined, from: string, to: string): string | undefined {
  if (value === undefined || (isDate(value) && value >= from && value < to)) return value;
  throw new OptionError(`--in-sample must be a day of ${from} to ${to}, and not the last one, not "${value}".`);
}

function parallelOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value);
  if (/^\d{1,3}$/.test(value) && count >= 1 && count <= MAX_PARALLEL) return count;
  throw new OptionError(`--parallel must be a whole number from 1 to ${MAX_PARALLEL}, not "${value}".`);
}

function commandLine(args: string[]) {
  try {
    const options = {
      replay: text,
      days: text,
      workflow: text,
      n8n: text,
      nodes: text,
      out: text,
      seed: text,
      fill: text,
      impact: text,
      fees: text,
      'max-unpacked': text,
      'in-sample': text,
      parallel: text,
      set: { type: 'string', multiple: true },
    } as const;
    return parseArgs({ args, options: { ...options, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    throw new OptionError(`${error instanceof Error ? error.message : String(error)}. See backtest --help.`);
  }
}

function needed(option: string, value: string | undefined): string {
  if (value !== undefined && value.trim() !== '') return value;
  throw new OptionError(`${option} is missing. See backtest --help.`);
}

const isDate = (date: string): boolean => /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date));

function daysOf(days: string): { from: string; to: string } {
  const [from = '', to = from, ...more] = days.split('..');
  if (!isDate(from) || !isDate(to) || more.length > 0)
    throw new OptionError(`--days must be two days such as 2020-03-02..2020-03-31, not "${days}".`);
  if (from > to) throw new OptionError(`--days begins with ${from}, after its end ${to}: swap them.`);
  return { from, to };
}
