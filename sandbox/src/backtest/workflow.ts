import { readFileSync } from 'node:fs';
import { keepsMachineTime } from '../shared/machine-time';
import { OptionError } from '../shared/option-error';

/** A workflow as n8n exports it. */
export interface Workflow {
  name: string;
  nodes: WorkflowNode[];
  connections: object;
  settings?: object;
}

export interface WorkflowNode {
  name: string;
  type: string;
  disabled?: boolean;
  parameters?: Record<string, unknown>;
  /** Behaviour after an error: `stopWorkflow`, `continueRegularOutput` or `continueErrorOutput`. */
  onError?: string;
  credentials?: object;
}

const OURS = 'n8n-nodes-brokerage.';
const TRIGGER = `${OURS}brokerageTrigger`;
export const isTrigger = ({ type }: WorkflowNode): boolean => type === TRIGGER;
/** Nodes that start a workflow by the machine's time. */
const REAL_TIME = new Set(['n8n-nodes-base.scheduleTrigger', 'n8n-nodes-base.cron', 'n8n-nodes-base.interval']);

/**
 * Reads a workflow that can be run over recorded days.
 * @throws OptionError for a file that holds none, and for a workflow that nothing would start, or the machine's time
 */
export function readWorkflow(file: string): Workflow {
  const workflow = parsed(file);
  const nodes = workflow.nodes.filter(({ disabled }) => disabled !== true);
  const schedule = nodes.find(({ type }) => REAL_TIME.has(type));
  if (schedule !== undefined) throw new OptionError(`${file} ${keepsMachineTime(schedule.name)}`);
  if (!nodes.some(isTrigger))
    throw new OptionError(
      `${file} has no Brokerage Trigger: nothing of the recorded days would start it. Begin it with one, at market times or on prices.`,
    );
  return workflow;
}

function parsed(file: string): Workflow {
  const workflow = JSON.parse(contentOf(file)) as Partial<Workflow> | null;
  if (!Array.isArray(workflow?.nodes) || typeof workflow.connections !== 'object')
    throw new OptionError(`${file} is no workflow of n8n: export it there (Download), and give that file.`);
  return {
    name: workflow.name ?? 'Workflow',
    nodes: workflow.nodes.map(bySymbol),
    connections: workflow.connections,
    settings: workflow.settings ?? {},
  };
}

/** Value of an instrument that was picked from a list, by the environment whose ref_id it has: `sandbox/NSE/1239959629/INFY`. */
const PICKED = /^[a-z]{1,20}\/(NSE|BSE|MCX)\/\d{1,20}\/([^/]{1,60})$/;

/** Returns a node of ours with each picked instrument by its symbol: its ref_id is that of another environment, or of another seed. */
function bySymbol(node: WorkflowNode): WorkflowNode {
  if (!node.type.startsWith(OURS) || node.parameters === undefined) return node;
  const parameters = JSON.parse(JSON.stringify(node.parameters), (_key, held: unknown) => {
    if (typeof held !== 'object' || held === null || !('mode' in held) || held.mode !== 'list') return held;
    const [, exchange, symbol] = 'value' in held ? (PICKED.exec(String(held.value)) ?? []) : [];
    return exchange === undefined ? held : { ...held, mode: 'symbol', value: `${exchange}:${symbol}` };
  }) as Record<string, unknown>;
  return { ...node, parameters };
}

function contentOf(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
    JSON.parse(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is no JSON' : 'cannot be read';
    throw new OptionError(`--workflow ${file} ${why}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return text;
}

/** The workflow with the sandbox's credential in every node of ours. */
export function withCredential(workflow: Workflow, credential: { id: string; name: string }): Workflow {
  const nodes = workflow.nodes.map((node) =>
    node.type.startsWith(OURS) ? { ...node, credentials: { brokerageApi: credential } } : node,
  );
  return { ...workflow, nodes };
}
