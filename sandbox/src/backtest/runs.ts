/** The runs of a backtested workflow: how many there were, and what went wrong in them. */
import { istText } from '../shared/time';
import type { Workflow } from './workflow';

/** Statuses of n8n in which a run goes on. */
const UNDER_WAY = new Set(['new', 'running', 'waiting', 'unknown']);
/** Text that n8n puts before the name of a run's node, where the run has none. */
const NO_NODE = '';

/** A run as n8n lists it. */
export interface ExecutionSummary {
  id: string;
  status: string;
}

/** A run as n8n tells it by itself. */
export interface Execution extends ExecutionSummary {
  /** Events of the run, as text in the form of https://github.com/WebReflection/flatted. */
  data?: string;
}

/** The start of a run. */
export interface RunStart {
  /** YYYY-MM-DD in India. */
  date: string;
  /** Instant when its first request came, milliseconds of the sandbox's clock; undefined where none came. */
  at: number | undefined;
}

/** An error, with the number of times that it came in the same words. */
export interface RunError {
  /** Of the first: an ISO text of India, to the second; its day alone where the run asked the service for nothing. */
  at: string;
  node: string;
  message: string;
  count: number;
  /** True if the workflow went on, by its error output. */
  handled: boolean;
}

/** Summary of the runs for the report. */
export interface Runs {
  total: number;
  /** Number of runs that ended with an error. */
  failed: number;
  /** Number of runs in which a node had an error with which the workflow went on. */
  handled: number;
  /** Number of runs that had not ended when the last day was over. */
  unfinished: number;
  errors: RunError[];
}

/** Sums up the runs of a workflow one by one, so that the data of none is kept. */
export class RunCount {
  readonly runs: Runs = { total: 0, failed: 0, handled: 0, unfinished: 0, errors: [] };
  private readonly known = new Map<string, RunError>();
  private readonly canHandle: boolean;

  /** @param plain takes out of a message what differs from one backtest to the next, such as a port */
  constructor(
    private readonly workflow: Workflow,
    private readonly plain: (message: string) => string,
  ) {
    this.canHandle = workflow.nodes.some(handlesErrors);
  }

  /** True if a run of this status may hold an error, so that its data is needed. */
  needsData({ status }: ExecutionSummary): boolean {
    return status !== 'success' || this.canHandle;
  }

  /** Adds a run. Runs are added in the order in which they began. @param execution with its data if that is needed */
  add(execution: Execution, start: RunStart): void {
    const { runs } = this;
    runs.total += 1;
    if (isUnderWay(execution)) {
      runs.unfinished += 1;
      return;
    }
    const errors = errorsOf(this.workflow, execution);
    if (execution.status !== 'success') runs.failed += 1;
    else if (errors.length > 0) runs.handled += 1;
    for (const { node, message, handled } of errors) {
      const error = { at: written(start), node, message: this.plain(message), count: 1, handled };
      const key = JSON.stringify([node, error.message, handled]);
      const same = this.known.get(key);
      if (same === undefined) runs.errors.push(error);
      else same.count += 1;
      this.known.set(key, same ?? error);
    }
  }
}

/** True if a run has not ended. */
export function isUnderWay({ status }: ExecutionSummary): boolean {
  return UNDER_WAY.has(status);
}

/** The runs in a sentence or two: how many, and the first error of those that failed. */
export function runsInWords({ total, failed, handled, unfinished, errors }: Runs): string {
  if (total === 0) return 'Nothing started the workflow on these days.';
  const first = errors.find((error) => !error.handled) ?? errors[0];
  const parts = [
    `${total} ${total === 1 ? 'run' : 'runs'} of the workflow`,
    `${failed} failed`,
    ...(handled > 0 ? [`${handled} had an error that the workflow handled`] : []),
    ...(unfinished > 0 ? [`${unfinished} had not ended when the last day was over`] : []),
  ];
  const error =
    first === undefined ? '' : ` The first error, ${errorTime(first)}${where(first)}: ${ended(first.message)}`;
  return `${parts.join(', ')}.${error}`;
}

/** "2020-03-13 09:20" of an error, or its day alone. */
export function errorTime({ at }: RunError): string {
  return at.slice(0, 16).replace('T', ' ');
}

function where({ node }: RunError): string {
  return node === NO_NODE ? '' : ` in "${node}"`;
}

function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function written({ date, at }: RunStart): string {
  return at === undefined ? date : istText(Math.floor(at / 1_000) * 1_000);
}

type NodeError = Pick<RunError, 'node' | 'message' | 'handled'>;

/** Returns the errors of a run: the error that ended it, and those that nodes sent on by their error outputs. */
function errorsOf(workflow: Workflow, { status, data = '[]' }: Execution): NodeError[] {
  const at = reader(data);
  const found = workflow.nodes
    .filter(handlesErrors)
    .flatMap(({ name, onError }) =>
      handledBy(at, name, onError === 'continueErrorOutput').map((message) => ({ node: name, message, handled: true })),
    );
  if (status === 'success') return found;
  const message = at('resultData', 'error', 'message');
  const node = at('resultData', 'lastNodeExecuted');
  found.push({
    node: typeof node === 'string' ? node : NO_NODE,
    message: typeof message === 'string' && message !== '' ? message : `n8n says that the run is "${status}"`,
    handled: false,
  });
  return found;
}

/** True if the workflow goes on after an error of this node. */
function handlesErrors({ onError }: Workflow['nodes'][number]): boolean {
  return onError?.startsWith('continue') === true;
}

/** The messages of a node that goes on after an error. @param hasOutput true if it has an output for errors: its last one */
function handledBy(at: Reader, node: string, hasOutput: boolean): string[] {
  const task = ['resultData', 'runData', node] as const;
  return indexes(at, ...task).flatMap((run) => {
    const thrown = at(...task, run, 'error', 'message');
    if (typeof thrown === 'string') return [thrown];
    const outputs = indexes(at, ...task, run, 'data', 'main');
    const output = hasOutput ? outputs.at(-1) : outputs[0];
    if (output === undefined || (hasOutput && output === 0)) return [];
    return indexes(at, ...task, run, 'data', 'main', output).flatMap((item) => {
      const json = [...task, run, 'data', 'main', output, item, 'json'] as const;
      const message = at(...json, 'error', 'message') ?? at(...json, 'error');
      return typeof message === 'string' ? [message] : [];
    });
  });
}

type Reader = (...path: readonly (string | number)[]) => unknown;

/** Reads the value at a path. In that form each text within an object or a list is the place of its value in the whole list. */
function reader(data: string): Reader {
  const values = JSON.parse(data) as unknown[];
  return (...path) =>
    path.reduce<unknown>((value, key) => {
      if (typeof value !== 'object' || value === null) return undefined;
      const next = (value as Record<string | number, unknown>)[key];
      return typeof next === 'string' ? values[Number(next)] : next;
    }, values[0]);
}

function indexes(at: Reader, ...path: readonly (string | number)[]): number[] {
  const list = at(...path);
  return Array.isArray(list) ? [...list.keys()] : [];
}
