import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { ItemContext } from './itemContext';
import type { RunContext } from './runContext';

/** Requests of one execution under way at the same time; the limits of the service space them, whatever this is. */
export const MAX_CONCURRENT = 16;

interface OperationDescription {
  /** As shown in the list of operations. */
  name: string;
  /** What it does, as the panel lists it, in sentence case. */
  action: string;
  /** What it does and gives, for people and for AI agents. */
  description: string;
  /** Its fields; when they are shown is added by the table of resources. */
  properties: INodeProperties[];
  /** It makes, shows or changes secrets or logins: no AI agent is offered it, or gets it done. */
  notForAgents?: true;
  /** What the editor says where nothing came out: why that may be. Left out where there is always something, or an error. */
  nothing?: string;
}

/** An operation that is done once for each input item. */
export interface ItemOperation extends OperationDescription {
  /** Whether items may be under way at the same time: only where nothing but the answer depends on them. */
  concurrent?: true;
  /** Does it for one item and gives out what it found, each made by the context so that it is linked to its item. */
  execute(item: ItemContext): Promise<INodeExecutionData[]>;
}

/** What becomes of an item that failed: an output item where the node goes on, and otherwise an error that is thrown. */
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
  /** The operation that is chosen at first. */
  first: string;
  /** The one for an AI agent, where `first` trades. */
  firstForAgents?: string;
}
