/** Types of the engine of tests: workflows, runs of a node, triggers that run. */
import type {
  IConnections,
  IDataObject,
  INode,
  INodeExecutionData,
  IRun,
  ITriggerResponse,
  IWorkflowSettings,
  WorkflowActivateMode,
  WorkflowExecuteMode,
} from 'n8n-workflow';

/** A workflow in the form of n8n's exports. */
export interface WorkflowJson {
  nodes: INode[];
  connections: IConnections;
  staticData?: IDataObject;
  settings?: IWorkflowSettings;
}

export interface NodeRun {
  /** Items of the node's first output; empty when it failed. */
  items: INodeExecutionData[];
  /** Items of the error output, where there is one. */
  errorItems: INodeExecutionData[];
  /** The error that stopped the run. */
  error: (Error & { description?: string | null; context?: IDataObject }) | undefined;
  /** The whole execution record. */
  run: IRun;
}

/** Whatever calls a workflow, as n8n stores it. */
export interface Caller {
  executionId: string;
  /** Mode in which the execution and the first of its tries started. */
  mode: WorkflowExecuteMode;
}

export interface RunOptions {
  /** Items that the node is fed; one empty item when left out. */
  items?: INodeExecutionData[];
  onError?: INode['onError'];
  retryOnFail?: boolean;
  mode?: WorkflowExecuteMode;
  timezone?: string;
  executionTimeoutMs?: number;
  /** The person stops the execution when this resolves. */
  stopWhen?: Promise<unknown>;
  /** The version of the node that the workflow was saved with. */
  typeVersion?: number;
  /**
   * The execution that this one retries from the list of executions: n8n brings its custom data and its context along.
   */
  retryOf?: IRun;
  /** True for an n8n before tokens: an execution is known by its number, and by nothing once n8n was killed. */
  isOlderN8n?: boolean;
  /** True if n8n begins the last execution once more, under its number, as a worker before n8n 2.0 does. */
  isBegunAgain?: boolean;
  /** The execution that calls the workflow. */
  calledBy?: Caller;
  /** Instant when the first try of a retry began, milliseconds since the epoch; now where it is left out. */
  firstTryAt?: number;
  /** The name of the node, where it is not Brokerage. */
  nodeName?: string;
}

export interface TriggerOptions {
  /** Another one where two triggers are to be told apart. */
  workflowId?: string;
  mode?: WorkflowExecuteMode;
  activation?: WorkflowActivateMode;
  /** Data that n8n has stored for the trigger. */
  staticData?: IDataObject;
  settings?: IWorkflowSettings;
  /** The version of the node that the workflow was saved with. */
  typeVersion?: number;
}

/** One emit of a trigger. */
export interface Emitted {
  items: INodeExecutionData[];
  deduplicationKey: string | undefined;
  /** Milliseconds since the epoch, by the clock of the node. */
  emittedAt: number;
}

/** A trigger that runs; `next` waits for the next emit. */
export interface RunningTrigger {
  readonly emitted: Emitted[];
  readonly errors: Error[];
  readonly failedExecutions: Error[];
  /** Resolves with the first emit that fulfils the condition, past ones included. */
  waitFor(condition: (emitted: Emitted) => boolean): Promise<Emitted>;
  close(): Promise<void>;
  readonly response: ITriggerResponse;
  readonly staticData: IDataObject;
}
