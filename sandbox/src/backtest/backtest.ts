import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { reportOf } from '../control/performance';
import { performanceCsv, performanceDocument } from '../reports/performance/document';
import type { PerformanceRecord } from '../reports/performance/record';
import { toPdf } from '../reports/formats/pdf';
import { parseOptions } from '../simulation/options';
import { Sandbox } from '../simulation/sandbox';
import { OptionError } from '../shared/option-error';
import { istInstant } from '../shared/time';
import { findN8n, findNodes, N8n } from './n8n';
import type { BacktestOptions } from './options';
import { reportPage } from './report-page';
import { readWorkflow } from './workflow';

/** The sandbox's first account. */
const ACCOUNT = { phone: '9000000001', mpin: '1357', totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU' };
/** How long the trigger may take to be connected, and how long no request may come until it is taken for settled, milliseconds. */
const CONNECT_MS = 120_000;
const SETTLED_MS = 2_000;
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
 * Runs a workflow over recorded days in an n8n of its own, and writes what it earned. The same days, workflow and seed give
 * the same files, byte for byte.
 * @param say takes what a person is told on the way. @param signal ends it early; its n8n ends, too.
 * @throws OptionError for what cannot be run, before anything is started; the signal's reason
 */
export async function backtest(
  options: BacktestOptions,
  serve: (sandbox: Sandbox) => Promise<Served>,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const workflow = readWorkflow(options.workflow);
  const command = findN8n(options.n8n);
  const nodes = findNodes(options.nodes);
  const sandbox = await Sandbox.open(sandboxOptions(options));
  const days = daysOf(sandbox, options);
  const folder = mkdtempSync(path.join(tmpdir(), 'brokerage-backtest-'));
  const clock = new SharedClock(path.join(folder, 'clock'), sandbox);
  const n8n = new N8n(command, folder, clock.file);
  const served = await serve(sandbox);
  const stopped = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
  const passed = async (): Promise<void> => {
    say('Starting n8n …');
    await n8n.start(nodes);
    await n8n.publish(workflow, {
      environment: 'sandbox',
      sandboxBaseUrl: served.url,
      loginMethod: 'totp',
      ...ACCOUNT,
    });
    for (const date of days) {
      say(`${workflow.name}: ${date} …`);
      await Promise.race([passDay(sandbox, n8n, date), n8n.ended]);
    }
  };
  try {
    await Promise.race([passed(), stopped]);
    const report = withoutIds(
      reportOf(sandbox, sandbox.people.phone(ACCOUNT.phone)!, { from: options.from, to: options.to }),
    );
    const files = await written(report, workflow.name, sandbox, options.out);
    say(summary(report, files));
  } finally {
    await n8n.stop();
    clock.close();
    await served.close();
  }
  rmSync(folder, { recursive: true, force: true });
}

function sandboxOptions({ replay, from, to, seed }: BacktestOptions) {
  const parsed = parseOptions([
    ...['--replay', replay, '--from', from, '--to', to, '--seed', String(seed)],
    ...['--clock', 'manual', '--port', '0', '--rate-limit', 'off'],
  ]);
  if (typeof parsed === 'string') throw new OptionError('The options of the sandbox could not be read.');
  return parsed;
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

/** Resolves when the trigger holds the clock, and asks for nothing more. */
async function connected(sandbox: Sandbox, n8n: N8n): Promise<void> {
  const deadline = performance.now() + CONNECT_MS;
  let [requests, since] = [sandbox.stats.requests, performance.now()];
  for (;;) {
    const now = performance.now();
    if (sandbox.stats.requests !== requests || !sandbox.time.isWatched)
      [requests, since] = [sandbox.stats.requests, now];
    if (now - since > SETTLED_MS) return;
    if (now > deadline)
      throw new Error(`The workflow's trigger did not connect to the sandbox. n8n's last words:\n${n8n.tail()}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Lets a day pass as fast as it goes. It begins before the sessions, at a standstill, so that a trigger whose session has
 * ended over night is connected again; it ends after them.
 */
async function passDay(sandbox: Sandbox, n8n: N8n, date: string): Promise<void> {
  sandbox.clock.set(Math.max(sandbox.instant, istInstant(date, DAY_BEGINS)));
  sandbox.now();
  sandbox.changed();
  await connected(sandbox, n8n);
  const end = istInstant(date, DAY_ENDS);
  await new Promise<void>((resolve) => {
    let isOver = false;
    sandbox.onChange(() => {
      if (isOver || sandbox.instant < end) return;
      isOver = true;
      sandbox.time.setMode('manual');
      resolve();
    });
    sandbox.time.setMode('fastest');
    sandbox.changed();
  });
}

/** n8n numbers workflows and executions anew each time: the names tell enough. */
function withoutIds(report: PerformanceRecord): PerformanceRecord {
  const named = (by: PerformanceRecord['round_trips'][number]['placed_by']) =>
    by && { ...by, workflow: '', execution: '' };
  const trips = (all: PerformanceRecord['round_trips']) =>
    all.map((trip) => ({ ...trip, placed_by: named(trip.placed_by), exit_placed_by: named(trip.exit_placed_by) }));
  return { ...report, round_trips: trips(report.round_trips), held_before: trips(report.held_before) };
}

async function written(report: PerformanceRecord, name: string, sandbox: Sandbox, out: string): Promise<string[]> {
  mkdirSync(out, { recursive: true });
  const person = sandbox.people.phone(ACCOUNT.phone)!;
  const files: [string, string | Buffer][] = [
    ['report.html', reportPage(report, name)],
    ['report.json', `${JSON.stringify(report, undefined, 2)}\n`],
    ['report.csv', performanceCsv(report, 'trades')],
    ['report.pdf', await toPdf(performanceDocument(report), person, sandbox.instant)],
  ];
  for (const [file, content] of files) writeFileSync(path.join(out, file), content);
  return files.map(([file]) => path.join(out, file));
}

function summary(report: PerformanceRecord, files: readonly string[]): string {
  const { trades, market, worst_day: worst, drawdown } = report;
  const rupees = (paise: number): string => `Rs ${(paise / 100).toFixed(2)}`;
  const lines = [
    `Result     ${rupees(report.result)} after ${rupees(report.costs)} of costs`,
    `Trades     ${trades.closed} closed${trades.open > 0 ? `, ${trades.open} open` : ''}${trades.win_rate === null ? '' : `, ${trades.win_rate} % won`}`,
    ...(drawdown === null ? [] : [`Drawdown   ${rupees(drawdown.amount)}`]),
    ...(worst === null ? [] : [`Worst day  ${worst.date}: ${rupees(worst.result)}`]),
    ...(market === null ? [] : [`${market.symbol.padEnd(10)} ${market.change} %`]),
    report.verdict,
    '',
    ...files,
  ];
  return lines.join('\n');
}
