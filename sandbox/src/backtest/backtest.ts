import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { INDEX, reportOf } from '../control/performance';
import { performanceCsv, performanceDocument } from '../reports/performance/document';
import type { ReportDocument } from '../reports/document/types';
import type { PerformanceRecord } from '../reports/performance/record';
import { toPdf } from '../reports/formats/pdf';
import { parseOptions } from '../simulation/command-line';
import { OwnImpact } from '../simulation/own-impact';
import { Sandbox } from '../simulation/sandbox';
import { rupees } from '../shared/money';
import { OptionError } from '../shared/option-error';
import { istDate, istInstant, istText } from '../shared/time';
import { findN8n, findNodes, N8n } from './n8n';
import type { BacktestOptions } from './options';
import { partialInWords, type BacktestReport, type PartialRun } from './report';
import { reportPage } from './report-page';
import { basisOf, BlockedMoney } from './basis';
import { luckOf } from './luck';
import { comparisonSections } from './report-sections';
import { picturesOf } from './trade-pictures';
import { isUnderWay, RunCount, runsInWords, type Execution, type ExecutionSummary, type Runs } from './runs';
import { choicesOf, withSettings, type SettingChoice } from './settings';
import { isTrigger, readWorkflow } from './workflow';

/** The sandbox's first account. */
const ACCOUNT = { phone: '9000000001', mpin: '1357', totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU' };
/** Time that the trigger may take to connect, and time without a request until it counts as settled, milliseconds. */
const CONNECT_MS = 120_000;
const QUIET_MS = 2_000;
/** Time that the trigger has held the clock until it counts as settled though it asks on. */
const HELD_MS = 5_000;
const POLL_MS = 100;
/** Before the first session of a day, and after the last one. */
const DAY_BEGINS = '08:45';
const DAY_ENDS = '23:45';

/** A sandbox that listens. */
interface Served {
  url: string;
  close(): Promise<void>;
}

/**
 * Runs a workflow over recorded days in a separate n8n, and writes what it earned. The same days, workflow and seed give
 * the same files, byte for byte.
 * @param say takes the messages for the user on the way. @param signal ends it early; its n8n ends, too. The report is then of the days until
 *   there, and so it is where n8n ends by itself.
 * @throws OptionError for what cannot be run, before anything is started; the signal's reason
 */
export async function backtest(
  options: BacktestOptions,
  serve: (sandbox: Sandbox, requested: (execution: string) => void) => Promise<Served>,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const workflow = withSettings(readWorkflow(options.workflow), theChoice(options), isTrigger);
  const command = findN8n(options.n8n);
  const nodes = findNodes(options.nodes);
  const sandbox = await Sandbox.open(sandboxOptions(options));
  const days = daysOf(sandbox, options);
  sandbox.time.goesForWaiters();
  const folder = mkdtempSync(path.join(tmpdir(), 'brokerage-backtest-'));
  const clock = new SharedClock(path.join(folder, 'clock'), sandbox);
  const n8n = new N8n(command, folder, clock.file);
  const blocked = new BlockedMoney(sandbox, sandbox.users.phone(ACCOUNT.phone)!.clientCode);
  const ownImpact = new OwnImpact(sandbox, sandbox.users.phone(ACCOUNT.phone)!.clientCode);
  let address = '';
  const plain = (message: string): string => message.replaceAll(address, 'the sandbox');
  const log = new RunLog(sandbox, n8n, new RunCount(workflow, plain));
  const served = await serve(sandbox, (execution) => log.requested(execution));
  address = served.url;
  const stopped = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
  const count = { begun: 0, passed: 0 };
  const passed = async (): Promise<Runs> => {
    say('Starting n8n …');
    await n8n.start(nodes);
    // Its time has gone on while it started, and the sandbox's has not: a login would come with the code of a later time.
    sandbox.changed();
    await n8n.publish(workflow, {
      environment: 'sandbox',
      sandboxBaseUrl: served.url,
      loginMethod: 'totp',
      ...ACCOUNT,
    });
    for (const date of days) {
      say(`${workflow.name}: ${date} …`);
      count.begun += 1;
      await Promise.race([passDay(sandbox, n8n, log, date), n8n.ended]);
      await log.ended(date);
      count.passed += 1;
    }
    return await log.runs();
  };
  const write = async (runs: Runs, partial: PartialRun | null): Promise<void> => {
    const to = partial === null ? options.to : istDate(sandbox.instant);
    const earned = reportOf(sandbox, sandbox.users.phone(ACCOUNT.phone)!, { from: options.from, to });
    const report = {
      ...withoutIds(earned),
      runs,
      basis: basisOf(sandbox, earned, blocked.largest, ownImpact.paid),
      luck: luckOf(earned, options.seed) ?? null,
      partial,
      pictures: picturesOf(sandbox, earned),
    };
    const files = await written(report, workflow.name, sandbox, options.out);
    say(summary(report, files));
  };
  try {
    await write(await Promise.race([passed(), stopped]), null);
  } catch (error) {
    // Nothing passes while the report is made.
    sandbox.time.setMode('manual');
    if (count.begun > 0)
      await write(log.runsSoFar, { until: minuteOf(sandbox.instant), days_passed: count.passed, days: days.length });
    throw error;
  } finally {
    await n8n.stop();
    clock.close();
    await served.close();
  }
  rmSync(folder, { recursive: true, force: true });
}

/** "2020-03-12 11:20" of an instant. */
const minuteOf = (instant: number): string => istText(instant).slice(0, 16).replace('T', ' ');

/** The values of a backtest of one choice. */
function theChoice({ settings }: BacktestOptions): SettingChoice {
  const [choice = {}, ...others] = choicesOf(settings);
  if (others.length > 0) throw new Error('A backtest takes one choice of values.');
  return choice;
}

function sandboxOptions({ replay, from, to, seed, fill, impact, fees, maxUnpackedMb }: BacktestOptions) {
  const parsed = parseOptions([
    ...['--replay', replay, '--from', from, '--to', to, '--seed', String(seed)],
    ...['--fill', fill, '--impact', impact, '--fees', fees],
    ...['--clock', 'manual', '--port', '0', '--rate-limit', 'off'],
  ]);
  if (typeof parsed === 'string') throw new OptionError('The options of the sandbox could not be read.');
  return { ...parsed, maxUnpackedMb };
}

/** The recorded days of those that are asked for. @throws OptionError where there is none */
function daysOf({ recordings }: Sandbox, { from, to, replay }: BacktestOptions): string[] {
  const dates = recordings?.dates ?? [];
  const days = dates.filter((date) => date >= from && date <= to);
  if (days.length > 0) return days;
  throw new OptionError(`--days ${from}..${to}: ${replay} has ${dates[0]} to ${dates.at(-1)}, and none of these days.`);
}

/** The milliseconds by which the sandbox's time is ahead of the machine's, in a file that n8n reads (see `process-clock`). */
class SharedClock {
  private readonly opened: number;
  private isOpen = true;

  constructor(
    readonly file: string,
    private readonly sandbox: Sandbox,
  ) {
    writeFileSync(file, '0'.padStart(20));
    this.opened = openSync(file, 'r+');
    sandbox.onChange(() => this.put());
    this.put();
  }

  /** In one write, so that no reader ever finds half of it. */
  private put(): void {
    if (!this.isOpen) return;
    writeSync(this.opened, String(Math.round(this.sandbox.clock.now() - Date.now())).padStart(20), 0);
  }

  close(): void {
    this.isOpen = false;
    closeSync(this.opened);
  }
}

/** Sums up the runs of the workflow, day by day. */
class RunLog {
  /** The sandbox's time at the first request of an execution that is not counted yet, milliseconds. */
  private readonly first = new Map<string, number>();
  /** The executions that had not ended when their day was over, with that day. */
  private readonly underWay = new Map<string, string>();
  private last: string | undefined;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly n8n: N8n,
    private readonly count: RunCount,
  ) {}

  requested(execution: string): void {
    if (!this.first.has(execution)) this.first.set(execution, this.sandbox.instant);
  }

  /** A day begins. The night has passed in a moment: that nothing came from the broker meanwhile, as a trigger reports, is no run. */
  async begun(date: string): Promise<void> {
    await this.take(
      date,
      (await this.fresh()).filter(({ status }) => status !== 'error'),
    );
  }

  /** A day is over. */
  async ended(date: string): Promise<void> {
    await this.take(date, await this.fresh());
  }

  /** The runs of the days that are over. */
  get runsSoFar(): Runs {
    return this.count.runs;
  }

  /** All days are over. @returns the runs of all of them */
  async runs(): Promise<Runs> {
    for (const [id, date] of this.underWay) this.add(await this.n8n.execution(id), date);
    return this.count.runs;
  }

  private async take(date: string, executions: readonly ExecutionSummary[]): Promise<void> {
    for (const execution of executions)
      if (isUnderWay(execution)) this.underWay.set(execution.id, date);
      else this.add(this.count.needsData(execution) ? await this.n8n.execution(execution.id) : execution, date);
  }

  private add(execution: Execution, date: string): void {
    this.count.add(execution, { date, at: this.first.get(execution.id) });
    this.first.delete(execution.id);
  }

  /** The executions since the last call. */
  private async fresh(): Promise<ExecutionSummary[]> {
    const executions = await this.n8n.executionsAfter(this.last);
    this.last = executions.at(-1)?.id ?? this.last;
    return executions;
  }
}

/**
 * Resolves when the trigger holds the clock and asks for nothing more, or has held it for a while. A trigger of prices asks for them
 * again and again while the clock is stopped, as its stream brings nothing.
 */
async function connected(sandbox: Sandbox, n8n: N8n): Promise<void> {
  const deadline = performance.now() + CONNECT_MS;
  let [requests, since, held] = [sandbox.stats.requests, performance.now(), performance.now()];
  for (;;) {
    const now = performance.now();
    if (!sandbox.time.isWatched) held = now;
    if (sandbox.stats.requests !== requests || !sandbox.time.isWatched)
      [requests, since] = [sandbox.stats.requests, now];
    if (now - since > QUIET_MS || now - held > HELD_MS) return;
    if (now > deadline)
      throw new Error(`The workflow's trigger did not connect to the sandbox. n8n's last words:\n${n8n.tail()}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Lets a day pass as fast as it goes. It begins before the sessions, at a standstill, so that a trigger whose session has
 * ended over night is connected again; it ends after them.
 */
async function passDay(sandbox: Sandbox, n8n: N8n, log: RunLog, date: string): Promise<void> {
  const begins = Math.max(sandbox.instant, istInstant(date, DAY_BEGINS));
  // Days that are left out start nothing, and nobody stops the clock in them.
  sandbox.marketTimes.restart(begins);
  do sandbox.clock.set(begins);
  while (sandbox.now() < begins);
  sandbox.changed();
  await connected(sandbox, n8n);
  await log.begun(date);
  const end = istInstant(date, DAY_ENDS);
  let isOver = false;
  const over = new Promise<void>((resolve) =>
    sandbox.onChange(() => {
      if (isOver || sandbox.instant < end) return;
      isOver = true;
      sandbox.time.setMode('manual');
      resolve();
    }),
  );
  sandbox.time.setMode('fastest');
  sandbox.changed();
  while (!isOver) {
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, QUIET_MS))]);
    if (!isOver) await watched(sandbox, n8n);
  }
}

/** Resolves while the trigger holds the clock. @throws where it has been away for too long: the clock is stopped without it */
async function watched(sandbox: Sandbox, n8n: N8n): Promise<void> {
  const deadline = performance.now() + CONNECT_MS;
  while (!sandbox.time.isWatched) {
    if (performance.now() > deadline)
      throw new Error(`The workflow's trigger left the sandbox. n8n's last words:\n${n8n.tail()}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** n8n numbers workflows and executions from the start each time. The names tell enough. */
function withoutIds(report: PerformanceRecord): PerformanceRecord {
  const named = (by: PerformanceRecord['round_trips'][number]['placed_by']) =>
    by && { ...by, workflow: '', execution: '' };
  const trips = (all: PerformanceRecord['round_trips']) =>
    all.map((trip) => ({ ...trip, placed_by: named(trip.placed_by), exit_placed_by: named(trip.exit_placed_by) }));
  return { ...report, round_trips: trips(report.round_trips), held_before: trips(report.held_before) };
}

async function written(report: BacktestReport, name: string, sandbox: Sandbox, out: string): Promise<string[]> {
  mkdirSync(out, { recursive: true });
  const user = sandbox.users.phone(ACCOUNT.phone)!;
  const files: [string, string | Buffer][] = [
    ['report.html', reportPage(report, name)],
    ['report.json', `${JSON.stringify(report, undefined, 2)}\n`],
    ['report.csv', performanceCsv(report, 'trades')],
    ['report-days.csv', performanceCsv(report, 'days')],
    ['report.pdf', await toPdf(withRuns(performanceDocument(report), report), user, sandbox.instant)],
  ];
  for (const [file, content] of files) writeFileSync(path.join(out, file), content);
  return files.map(([file]) => path.join(out, file));
}

/** The runs, and what the result is compared with, below the figures. */
function withRuns(document: ReportDocument, report: BacktestReport): ReportDocument {
  const partial = partialInWords(report) ?? [];
  const lead = [document.lead ?? [], partial, comparisonSections(report), runsInWords(report.runs)].flat();
  return { ...document, lead };
}

function summary(report: BacktestReport, files: readonly string[]): string {
  const { trades, market, worst_day: worst, drawdown } = report;
  const lines = [
    ...[partialInWords(report) ?? []].flat(),
    `Result     Rs ${rupees(report.result)} after Rs ${rupees(report.costs)} of costs`,
    `Trades     ${trades.closed} closed${trades.open > 0 ? `, ${trades.open} open` : ''}${trades.win_rate === null ? '' : `, ${trades.win_rate} % won`}`,
    ...(drawdown === null ? [] : [`Drawdown   Rs ${rupees(drawdown.amount)}`]),
    ...(worst === null ? [] : [`Worst day  ${worst.date}: Rs ${rupees(worst.result)}`]),
    market === null
      ? `${INDEX[1].padEnd(10)} not recorded for these days, so the result is not compared with it`
      : `${market.symbol.padEnd(10)} ${market.change} % over the same days`,
    report.verdict,
    runsInWords(report.runs),
    '',
    ...files,
  ];
  return lines.join('\n');
}
