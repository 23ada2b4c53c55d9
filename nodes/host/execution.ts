/**
 * Properties of an execution that n8n's typed functions do not return. Only this file reads them, into safe types; an n8n without them
 * counts as one that does not know.
 */
import { attempt } from '../../client/attempt';
import type { IExecuteFunctions, IRunExecutionData, ITaskData } from 'n8n-workflow';

/** Longest text that n8n may have made for an execution. */
const MAX_TOKEN_LENGTH = 200;
/** A workflow may be called by one that is called by another, so many deep. */
const MAX_DEPTH = 30;

/** The contexts of n8n's core at run time. */
interface CoreContext {
  runExecutionData?: IRunExecutionData | null;
  additionalData?: { rootExecutionMode?: unknown };
  workflow?: { nodes?: Readonly<Record<string, { id?: unknown }>> };
}

const coreOf = (functions: IExecuteFunctions): CoreContext => functions as unknown as CoreContext;

/** The data of the execution that runs; undefined in an n8n that does not show it. */
function ownData(functions: IExecuteFunctions): IRunExecutionData | undefined {
  return coreOf(functions).runExecutionData ?? undefined;
}

/**
 * The random text that n8n makes for an execution. It is stored with the execution before its first step, and each retry has it
 * too. It opens what waits for an answer: it is a secret, and only its digest may leave the process.
 */
function tokenOf(data: Pick<IRunExecutionData, 'resumeToken'> | undefined): string | undefined {
  const token: unknown = data?.resumeToken;
  return typeof token === 'string' && token !== '' && token.length <= MAX_TOKEN_LENGTH ? token : undefined;
}

/** The token of the execution and of all its retries; undefined in an n8n that makes none (see `tokenOf`). */
export function executionToken(functions: IExecuteFunctions): string | undefined {
  return tokenOf(ownData(functions));
}

/**
 * Returns true if n8n may begin the execution once more from its start by itself, under the same number: before 2.0 a worker takes over the
 * job of one that was killed or hung for a minute. An n8n with tokens ends such an execution.
 */
export function mayBeginAgain(functions: IExecuteFunctions): boolean {
  return executionToken(functions) === undefined && functions.getExecutionContext()?.source !== 'manual';
}

/** The first item that started the execution, as JSON: the same if it begins again, or is retried; '' if n8n does not show it. */
export function startingItem(functions: IExecuteFunctions): string {
  const runs = Object.values(ownData(functions)?.resultData?.runData ?? {}).flat();
  const first = runs.find(({ executionIndex }) => executionIndex === 0);
  return JSON.stringify(first?.data?.main?.[0]?.[0]?.json ?? '');
}

/** Returns true if "Retry" in the list of executions started the execution, or the one that called its workflow. */
export function isRetried(functions: IExecuteFunctions): boolean {
  return functions.getMode() === 'retry' || coreOf(functions).additionalData?.rootExecutionMode === 'retry';
}

/** Returns true if n8n invented the entry for a run that it lost when it was killed. */
function isRecovered({ executionStatus, data }: ITaskData): boolean {
  return executionStatus === 'crashed' || data?.main?.[0]?.[0]?.json?.isArtificialRecoveredEventItem === true;
}

const runsOf = (data: IRunExecutionData | undefined, nodeName: string): readonly ITaskData[] =>
  data?.resultData?.runData?.[nodeName] ?? [];

/** Runs of the node that n8n lost when it was killed, and that a retry does again: they count in `$runIndex`, and mean nothing. */
export function recoveredRuns(functions: IExecuteFunctions, nodeName: string): number {
  return runsOf(ownData(functions), nodeName).filter(isRecovered).length;
}

/** Returns true if nothing shows the steps that ran before the retry: n8n was killed before it stored one. */
export async function wasN8nKilled(functions: IExecuteFunctions): Promise<boolean> {
  const data = await dataOf(functions, functions.getExecutionId());
  const runs = Object.values(data?.resultData?.runData ?? {}).flat();
  return runs.every(isRecovered);
}

/** Returns true if another node of the workflow has the same id: then only the name distinguishes them. */
export function sharesNodeId(functions: IExecuteFunctions, nodeId: string): boolean {
  return Object.values(coreOf(functions).workflow?.nodes ?? {}).filter(({ id }) => id === nodeId).length > 1;
}

/** The data of an execution as n8n has stored it; undefined if it has not, or cannot read it. */
async function dataOf(functions: IExecuteFunctions, id: string | undefined): Promise<IRunExecutionData | undefined> {
  if (id === undefined) return undefined;
  const read = await attempt(functions.getExecutionDataById(id));
  return read.ok ? read.value : undefined;
}

/** The execution that called the workflow that called this one, up to the first. */
export interface CallingExecution {
  id: string;
  /** Its token; undefined if n8n had not stored it, or makes none. */
  token?: string;
  /** Start of the first try, milliseconds since the epoch. */
  establishedAt?: number;
  /** True if it was started by hand: n8n stores the token of such a one at its end. */
  isByHand: boolean;
}

/** The first of the executions that called each other down to this one; undefined if none called it. */
export async function callingExecution(functions: IExecuteFunctions): Promise<CallingExecution | undefined> {
  let id = ownData(functions)?.parentExecution?.executionId;
  if (id === undefined) return undefined;
  let data = await dataOf(functions, id);
  for (let depth = 0; data?.parentExecution !== undefined && depth < MAX_DEPTH; depth++) {
    id = data.parentExecution.executionId;
    data = await dataOf(functions, id);
  }
  const token = data?.parentExecution === undefined ? tokenOf(data) : undefined;
  return {
    id,
    ...(token === undefined ? {} : { token }),
    establishedAt: data?.executionData?.runtimeData?.establishedAt,
    isByHand: data?.executionData?.runtimeData?.source === 'manual',
  };
}
