import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { ItemContext } from './itemContext';
import type { RunContext } from './runContext';

/** Maximum number of simultaneous requests of one execution; the limits of the service space them, whatever this is. */
export const MAX_CONCURRENT = 16;

interface OperationDescription {
  /** As shown in the list of operations. */
  name: string;
  /** The action in the panel's list, in sentence case. */
  action: string;
  /** Description of the action and its result, for users and for AI agents. */
  description: string;
  /** Its fields; when they are shown is added by the table of resources. */
  properties: INodeProperties[];
  /** It makes, shows or changes secrets or logins: no AI agent is offered it, or gets it done. */
  notForAgents?: true;
  /** The editor's text for an empty result: its possible reason. Left out if there is always a result, or an error. */
  nothing?: string;
}

/** An operation that is done once for each input item. */
export interface ItemOperation extends OperationDescription {
  /** True if items may run at the same time: only if nothing but the answer depends on them. */
  concurrent?: true;
  /** Runs the operation for one item and returns its results, each made by the context so that it is linked to its item. */
  execute(item: ItemContext): Promise<INodeExecutionData[]>;
}

/** Handles a failed item: returns an output item if the node continues, and otherwise throws an error. */
export type FailItem = (error: unknown, itemIndex: number) => INodeExecutionData;

/** An operation that takes all input items together. */
export interface BatchOperation extends OperationDescription {
  /** Does it for all items; errors of single items go through `failed`. */
  executeAll(run: RunContext, failed: FailItem): Promise<INodeExecutionData[]>;
}

export type Operation = ItemOperation | BatchOperation;

/** A resource: its operations by their internal names. */
export interface Resource {
  name: string;
  operations: Record<string, Operation>;
  /** The default operation. */
  first: string;
  /** The one for an AI agent, where `first` trades. */
  firstForAgents?: string;
}
