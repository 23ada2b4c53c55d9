import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

/** The longest name that is sent, characters. */
const LONGEST = 60;

/**
 * Headers that tell a sandbox which execution of which workflow a request comes from, so that its page and its reports
 * can name them. For the Sandbox environment only: no other service is told anything of n8n.
 * @returns nothing where there is no execution, as while a list is filled in the editor.
 */
export function originHeaders(functions: IExecuteFunctions | ILoadOptionsFunctions): Record<string, string> {
  const { id, name } = functions.getWorkflow();
  const execution: string | undefined = functions.getExecutionId();
  const told = {
    'x-n8n-workflow': id,
    'x-n8n-workflow-name': name,
    'x-n8n-execution': execution,
    'x-n8n-node': functions.getNode().name,
  };
  return Object.fromEntries(
    Object.entries(told).flatMap(([header, value]) => (execution && value ? [[header, encoded(String(value))]] : [])),
  );
}

/** Text as a header can hold it, percent-encoded. */
function encoded(text: string): string {
  return encodeURIComponent(text.slice(0, LONGEST).toWellFormed());
}
