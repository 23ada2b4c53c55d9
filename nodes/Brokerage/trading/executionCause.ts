/** Cause of an order without a key: an execution, all of its retries, and the workflows that they call, as one. */
import { hash } from 'crypto';
import { InputError, UnknownOutcomeError, type BrokerageError } from '../../../client/base/errors';
import type { MarketTime } from '../../../client/market-clock';
import type { SameCause, StepOrders } from '../../../client/orders/account/placement-context';
import { istDate } from '../../../client/values/time';
import {
  callingExecution,
  type CallingExecution,
  executionToken,
  isRetried,
  mayBeginAgain,
  startingItem,
  wasN8nKilled,
} from '../../host/execution';
import type { RunContext } from '../common/runContext';
import { customDataOf } from './executionRecord';

/** An execution and its retries, as tags tell them apart. */
export interface ExecutionCause {
  /** Identifies the first execution, in this n8n and no other. */
  id: string;
  /**
   * Start of the first execution, milliseconds since the epoch, if `id` is the number of one that was started by hand: a new database counts
   * from 1 again.
   */
  establishedAt?: number;
  /** True if `id` is certainly the same in each retry, even if n8n was killed: then the step alone distinguishes orders. */
  isStored: boolean;
  /** Identifies the first execution of the callers of this one, with its retries, and this workflow. */
  caller?: string;
  /** True if "Retry" in the list of executions started it, or its caller. */
  isRetry: boolean;
  /** In a retry, where another execution called this workflow: what its other executions may have placed. */
  sameCause?: SameCause;
  /** Knowledge of this run of the node about the orders of its step. */
  step: StepOrders;
  /** The reason for which no order may be placed without a key: the orders of an earlier try are unknown. */
  refusal?: BrokerageError;
}

/** Key of n8n's custom data in which an execution keeps the id of the first try: a retry from the list of executions has it too. */
const FIRST_EXECUTION = 'brokerage_first_execution';

const NO_RECORD_HINT =
  'Look at the orders of the day. Then run the workflow again from the start. With an Idempotency Key no record is needed.';

function notKnown(why: string): UnknownOutcomeError {
  return new UnknownOutcomeError(
    `Nothing was sent now, and it is not known whether an earlier try placed the order: ${why}.`,
    { tag: '', hint: NO_RECORD_HINT },
  );
}

const causes = new WeakMap<RunContext, Promise<ExecutionCause>>();

/**
 * Returns the cause of the orders of a run of the node, determined once. An error that concerns only orders without a key is never thrown:
 * see `refusal`.
 */
export async function causeOf(run: RunContext): Promise<ExecutionCause> {
  const cause = causes.get(run) ?? findCause(run);
  causes.set(run, cause);
  return await cause;
}

/** Maximum number of retries whose called workflows' placements are remembered. */
const MAX_RETRIES = 500;
const takenIds = new Map<string, Set<string>>();

/** The ids of what one retry has found or placed in the workflows that it calls; one set for all of them. */
function takenIdsOf(executionId: string): Set<string> {
  const taken = takenIds.get(executionId) ?? new Set<string>();
  takenIds.delete(executionId);
  takenIds.set(executionId, taken);
  const [oldest] = takenIds.keys();
  if (takenIds.size > MAX_RETRIES && oldest !== undefined) takenIds.delete(oldest);
  return taken;
}

async function findCause(run: RunContext): Promise<ExecutionCause> {
  const { functions } = run;
  const isRetry = isRetried(functions);
  const token = executionToken(functions);
  const recorded = customDataOf(run)?.get(FIRST_EXECUTION);
  const calling = token === undefined ? undefined : await callingExecution(functions);
  const cause =
    token === undefined || recorded !== undefined
      ? await recordedCause(run, recorded)
      : callCause(run, `${functions.getInstanceId()} ${token}`, calling, isRetry);
  const isCalledAnew = isRetry && functions.getMode() !== 'retry';
  const began = isCalledAnew ? calling?.establishedAt : functions.getExecutionContext()?.establishedAt;
  const late =
    isRetry && began !== undefined ? notOfToday(began, (await run.service()).transport.marketClock) : undefined;
  return {
    ...cause,
    isRetry,
    step: { own: new Set(), foreign: new Set() },
    ...(late === undefined ? {} : { refusal: late }),
  };
}

type FirstCause = Omit<ExecutionCause, 'isRetry' | 'step'>;

/** With the token of the execution; where another one called it, with that of the caller too. */
function callCause(run: RunContext, id: string, calling: CallingExecution | undefined, isRetry: boolean): FirstCause {
  const { functions } = run;
  const own: FirstCause = { id, isStored: true };
  if (calling === undefined) return own;
  const isCalledAnew = functions.getMode() !== 'retry';
  if (calling.token !== undefined && !(isRetry && calling.isByHand)) {
    const caller = `${functions.getInstanceId()} ${calling.token} ${functions.getWorkflow().id}`;
    const retried = isCalledAnew ? calling.id : (functions.getExecutionId() ?? run.id);
    return { ...own, caller, ...(isRetry ? { sameCause: { takenIds: takenIdsOf(retried), isCalledAnew } } : {}) };
  }
  // One that is retried by itself keeps its own token.
  if (!isRetry || !isCalledAnew) return own;
  const why = calling.isByHand
    ? 'the execution that called this workflow was started by hand, and n8n keeps no record of what such a one calls'
    : 'the execution that called this workflow could not be read';
  return { ...own, refusal: notKnown(why) };
}

/**
 * Returns the reason for which today's list cannot show the first try's orders: it was made on another day of the market.
 * @param began milliseconds since the epoch on this machine's clock
 */
function notOfToday(began: number, market: MarketTime): UnknownOutcomeError | undefined {
  const day = istDate(market.at(began));
  if (day === istDate(market.now())) return undefined;
  return notKnown(`the first try began on ${day}, and the list shows the orders of today only`);
}

/**
 * As an n8n without tokens tells it: by the number of the first execution, which the execution keeps itself. A new database counts from 1
 * again, so what started it counts too; its time does not, as n8n may begin it again.
 */
async function recordedCause(run: RunContext, recorded: string | undefined): Promise<FirstCause> {
  const { functions } = run;
  const own = functions.getExecutionId() ?? run.id;
  const numbered = `${functions.getInstanceId()} ${recorded ?? own}`;
  const cause = mayBeginAgain(functions)
    ? { id: `${numbered} ${hash('sha256', startingItem(functions))}`, isStored: false }
    : { id: numbered, establishedAt: functions.getExecutionContext()?.establishedAt, isStored: false };
  if (recorded !== undefined) return cause;
  const customData = customDataOf(run);
  customData?.set(FIRST_EXECUTION, own);
  if (functions.getMode() !== 'retry') return cause;
  if (customData?.get(FIRST_EXECUTION) !== own)
    return {
      ...cause,
      refusal: new InputError(
        'This is a retry of an execution that kept no record of what it placed, so nothing was sent.',
        {
          hint: "The execution holds ten entries of custom data already, which is n8n's limit. Use an Idempotency Key, which needs no record, or check the orders and run the workflow again from the start.",
        },
      ),
    };
  if (!(await wasN8nKilled(functions))) return cause;
  return {
    ...cause,
    refusal: notKnown('n8n was killed while it ran, and this version of n8n keeps no record of such an execution'),
  };
}
