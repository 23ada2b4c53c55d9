import type { IExecuteFunctions, ILoadOptionsFunctions, ITriggerFunctions } from 'n8n-workflow';

/** Nodes that start a workflow by the time of this machine. */
const BY_MACHINE_TIME = new Set(['n8n-nodes-base.scheduleTrigger', 'n8n-nodes-base.cron', 'n8n-nodes-base.interval']);

/** The longest name that is sent, characters. */
const MAX_NAME_LENGTH = 60;

/**
 * Returns headers for a sandbox that name the execution and workflow of a request, for its page and its reports, and that say if the time
 * of this machine has started it, which a replay refuses. For the Sandbox environment only: no other service learns anything about n8n.
 * @returns nothing if there is no execution, as while a list is filled in the editor.
 */
export function originHeaders(functions: IExecuteFunctions | ILoadOptionsFunctions): Record<string, string> {
  const execution: string | undefined = functions.getExecutionId();
  if (!execution || !('evaluateExpression' in functions)) return {};
  return headersOf({
    ...nodeOf(functions),
    'x-n8n-execution': execution,
    'x-n8n-schedule': scheduleOf(functions),
  });
}

/** Returns headers for a sandbox that name the trigger and workflow of a request. A trigger has no execution: its events start them. */
export function triggerOriginHeaders(functions: ITriggerFunctions): Record<string, string> {
  return headersOf(nodeOf(functions));
}

function nodeOf(functions: Pick<ITriggerFunctions, 'getWorkflow' | 'getNode'>): Record<string, string | undefined> {
  const { id, name } = functions.getWorkflow();
  return { 'x-n8n-workflow': id, 'x-n8n-workflow-name': name, 'x-n8n-node': functions.getNode().name };
}

/** Leaves out what n8n does not know. */
function headersOf(reported: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reported).flatMap(([header, value]) => (value ? [[header, encoded(value)]] : [])),
  );
}

/** The name of the node that has started this run by the time of this machine; undefined if another has. */
function scheduleOf(functions: IExecuteFunctions): string | undefined {
  return functions
    .getParentNodes(functions.getNode().name)
    .filter(({ type }) => BY_MACHINE_TIME.has(type))
    .map(({ name }) => name)
    .find((name) => functions.evaluateExpression(`{{ $(${JSON.stringify(name)}).isExecuted }}`, 0) === true);
}

/** Text as a header can hold it, percent-encoded. */
function encoded(text: string): string {
  return encodeURIComponent(text.slice(0, MAX_NAME_LENGTH).toWellFormed());
}
