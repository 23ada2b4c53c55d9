/** The list of a workflow's executions, as each version of n8n pages it. */
import type { ExecutionSummary } from './runs';

/** Executions that n8n lists at once. */
const LISTED = 100;

/** A page of n8n's list of executions, newest first; those that still run come before them on the first page. */
interface ExecutionPage {
  results: { id: string | number; status: string }[];
  /** The mark of the next page, null after the last one; undefined from an n8n before 2.41, which has no such marks. */
  nextCursor?: string | null;
}

/**
 * Reads the executions of a workflow after one, ascending.
 * @param read reads a resource of n8n's own interface. @param after an id; undefined for all of them @throws as `read`
 */
export async function listExecutions(
  read: (resource: string) => Promise<ExecutionPage>,
  workflow: string,
  after: string | undefined,
): Promise<ExecutionSummary[]> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow }));
  // By id: an n8n may list those that still run on each page.
  const executions = new Map<string, ExecutionSummary>();
  const isNew = ({ id }: ExecutionSummary): boolean => after === undefined || Number(id) > Number(after);
  let page: string | undefined = '';
  while (page !== undefined) {
    const reply: ExecutionPage = await read(`/executions?filter=${filter}&limit=${LISTED}${page}`);
    const listed = reply.results.map(({ id, status }) => ({ id: String(id), status }));
    for (const execution of listed.filter(isNew)) executions.set(execution.id, execution);
    page = listed.every(isNew) ? nextPage(reply) : undefined;
  }
  return [...executions.values()].sort((one, other) => Number(one.id) - Number(other.id));
}

/** The part of a query that asks for the next page; undefined after the last one. */
function nextPage({ results, nextCursor }: ExecutionPage): string | undefined {
  if (typeof nextCursor === 'string') return `&cursor=${encodeURIComponent(nextCursor)}`;
  return nextCursor === undefined && results.length >= LISTED ? `&lastId=${results.at(-1)!.id}` : undefined;
}
