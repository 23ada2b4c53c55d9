/**
 * Runs workflows in n8n's own engine, in this process, with the package's nodes and credentials loaded from their
 * source by n8n's own loader. What n8n's command-line program adds around the engine (the store of credentials, the
 * login before a request, the hooks) is rebuilt after its example in the files beside this one.
 */
import './n8n-environment.cjs';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import {
  Cipher,
  EncryptionKeyProxy,
  InstanceSettings,
  LoadOptionsContext,
  SupplyDataContext,
  TriggerContext,
  WorkflowExecute,
} from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import {
  Workflow,
  createRunExecutionData,
  type IBinaryData,
  type IConnections,
  type ICredentialDataDecryptedObject,
  type IDataObject,
  type INode,
  type INodeExecutionData,
  type INodeListSearchResult,
  type INodeParameters,
  type INodeType,
  type IRun,
  type IRunData,
  type IRunExecutionData,
  type IWorkflowExecuteAdditionalData,
  type WorkflowExecuteMode,
} from 'n8n-workflow';
import { clock } from '../../nodes/host/clock';
import { LABELS_VERSION } from '../../nodes/shared/itemLabels';
import { additionalData } from './additional-data';
import type {
  WorkflowJson,
  NodeRun,
  Caller,
  RunOptions,
  TriggerOptions,
  Emitted,
  RunningTrigger,
} from './engine-types';
import { CredentialStore } from './credential-store';
import { codesWithoutLabel } from './item-codes';
import { LoadedNodeTypes, SourceLoader, type OtherNodes } from './loaded-package';
import { CapturingLogger } from './logged';

export { allTextOf } from './logged';

const CREDENTIAL_ID = 'credential-1';

const contextOf = (source: WorkflowExecuteMode, establishedAt: number) => ({
  version: 1 as const,
  establishedAt,
  source,
});

/** The runs that a retry begins with, as n8n does: the one that failed is done again. */
function runsBefore(data: IRunExecutionData | undefined): IRunData {
  const { runData = {}, lastNodeExecuted = '' } = data?.resultData ?? {};
  const isDoneAgain = (name: string): boolean =>
    name === lastNodeExecuted && runData[name]?.at(-1)?.error !== undefined;
  return Object.fromEntries(
    Object.entries(runData).map(([name, runs]) => [name, isDoneAgain(name) ? runs.slice(0, -1) : [...runs]]),
  );
}

/** n8n's engine with our package in it; one for each test file is enough. */
export class Engine {
  readonly logger: CapturingLogger;
  /** Number of workflows that have run in this process: each execution has a new id, as in n8n. */
  private static executions = 0;
  /** Executions that n8n has stored. */
  private readonly stored = new Map<string, IRunExecutionData>();

  private constructor(
    private readonly nodeTypes: LoadedNodeTypes,
    readonly credentials: CredentialStore,
    readonly loader: SourceLoader,
    logger: CapturingLogger,
  ) {
    this.logger = logger;
  }

  /** Loads the package; `credential` becomes the credential of every node that is run, `others` are nodes that are not ours. */
  static async start(credential: ICredentialDataDecryptedObject, others?: OtherNodes): Promise<Engine> {
    const logger = new CapturingLogger();
    Container.set(Logger, logger as unknown as Logger);
    const key = Container.get(InstanceSettings).encryptionKey;
    const descriptor = {
      id: 'key',
      value: Container.get(Cipher).encryptDEKWithInstanceKey(key),
      algorithm: 'aes-256-cbc' as const,
      format: 'no-prefix' as const,
    };
    Container.get(EncryptionKeyProxy).setProvider({
      getActiveKey: async () => descriptor,
      getKeyById: async () => descriptor,
      getLegacyKey: async () => descriptor,
    } as Parameters<EncryptionKeyProxy['setProvider']>[0]);
    const loader = new SourceLoader();
    await loader.loadAll();
    const store = new CredentialStore(loader);
    const engine = new Engine(new LoadedNodeTypes(loader, others), store, loader, logger);
    await engine.setCredential(credential);
    return engine;
  }

  /** Replaces the credential; returns when it is stored. */
  async setCredential(data: ICredentialDataDecryptedObject): Promise<void> {
    await this.credentials.put(CREDENTIAL_ID, 'brokerageApi', data);
  }

  /** Returns the credential that is stored now. */
  async storedCredential(): Promise<ICredentialDataDecryptedObject> {
    return await this.credentials.read(CREDENTIAL_ID);
  }

  /** A node of ours for a workflow, with the credential attached. */
  node(type: 'brokerage' | 'brokerageTrigger', parameters: INodeParameters, more: Partial<INode> = {}): INode {
    return {
      id: `${type}-id`,
      name: type === 'brokerage' ? 'Brokerage' : 'Brokerage Trigger',
      type: `${this.loader.packageName}.${type}`,
      typeVersion: 1,
      position: [200, 0],
      parameters,
      credentials: { brokerageApi: { id: CREDENTIAL_ID, name: CREDENTIAL_ID } },
      ...more,
    };
  }

  /** Runs the action node once over the items. */
  async run(parameters: INodeParameters, options: RunOptions = {}): Promise<NodeRun> {
    const name = options.nodeName ?? 'Brokerage';
    const node = this.node('brokerage', parameters, {
      name,
      typeVersion: options.typeVersion ?? 1,
      onError: options.onError,
      retryOnFail: options.retryOnFail,
      maxTries: 2,
      // Of 0, n8n makes a second.
      waitBetweenTries: 1,
    });
    const run = await this.runWorkflow(
      { nodes: [node], connections: {} },
      { [name]: options.items ?? [{ json: {} }] },
      options,
    );
    const data = run.data.resultData.runData[name]?.at(-1);
    return {
      items: data?.data?.main?.[0] ?? [],
      errorItems: data?.data?.main?.[1] ?? [],
      error: run.data.resultData.error as NodeRun['error'],
      run,
    };
  }

  /** Runs a workflow; `feeds` names the nodes that are fed and with what. */
  async runWorkflow(
    json: WorkflowJson,
    feeds: Record<string, INodeExecutionData[]>,
    options: RunOptions = {},
  ): Promise<IRun> {
    const names = Object.keys(feeds);
    const starts = names.map((name, index): INode => ({
      id: `start-${index}`,
      name: `Start ${name}`,
      type: 'n8n-nodes-base.manualTrigger',
      typeVersion: 1,
      position: [0, 0],
      parameters: {},
    }));
    const connections: IConnections = { ...json.connections };
    for (const name of names) connections[`Start ${name}`] = { main: [[{ node: name, type: 'main', index: 0 }]] };
    const workflow = this.workflow({ nodes: [...starts, ...json.nodes], connections }, undefined, options.timezone);
    const pinData = Object.fromEntries(names.map((name) => [`Start ${name}`, feeds[name] as INodeExecutionData[]]));
    const called = options.calledBy === undefined ? 'manual' : 'integrated';
    const mode = options.retryOf ? 'retry' : (options.mode ?? called);
    if (options.isBegunAgain !== true) Engine.executions += 1;
    const executionId = String(Engine.executions);
    const additionalData = this.additionalData(mode, workflow, options.calledBy?.mode);
    if (options.executionTimeoutMs !== undefined)
      additionalData.executionTimeoutTimestamp = Date.now() + options.executionTimeoutMs;
    const first = starts[0] as INode;
    const before = options.retryOf?.data;
    const executionData = createRunExecutionData({
      startData: {},
      resultData: {
        runData: runsBefore(before),
        pinData,
        metadata: { ...before?.resultData.metadata },
      },
      resumeToken: before?.resumeToken,
      parentExecution:
        options.calledBy === undefined
          ? before?.parentExecution
          : { executionId: options.calledBy.executionId, workflowId: 'caller' },
      executionData: {
        contextData: {},
        nodeExecutionStack: [{ node: first, data: { main: [[{ json: {} }]] }, source: null }],
        metadata: {},
        waitingExecution: {},
        waitingExecutionSource: {},
        runtimeData: this.runtimeDataOf(options),
      },
    });
    if (options.isOlderN8n === true) delete executionData.resumeToken;
    this.stored.set(executionId, structuredClone(executionData));
    const execution = new WorkflowExecute(additionalData, mode, executionData).processRunExecutionData(workflow);
    void options.stopWhen?.then(() => execution.cancel());
    return await execution;
  }

  /**
   * The node as the tool of an AI agent, in one execution of the agent. @returns what the agent calls, which returns
   * the tool's answer as text
   */
  tool(
    parameters: INodeParameters,
    more: Partial<INode> = {},
    { token, mode = 'trigger' }: { token?: string; mode?: WorkflowExecuteMode } = {},
  ): (args: IDataObject) => Promise<string> {
    const node = this.node('brokerage', parameters, { type: `${this.loader.packageName}.brokerageTool`, ...more });
    const workflow = this.workflow({ nodes: [node], connections: {} });
    Engine.executions += 1;
    const additionalData = this.additionalData(mode, workflow);
    const data = createRunExecutionData({ resultData: { runData: {} }, resumeToken: token });
    const executeData = { node, data: { main: [[{ json: {} }]] }, source: null };
    const context = (runIndex: number) =>
      new SupplyDataContext(workflow, node, additionalData, mode, data, runIndex, [], {}, 'ai_tool', executeData, []);
    return makeHandleToolInvocation(context, node, this.nodeTypes.getByNameAndVersion(node.type, 1), data) as (
      args: IDataObject,
    ) => Promise<string>;
  }

  /** Asks a list-search method, as the picker does. */
  async listSearch(
    method: string,
    filter?: string,
    parameters: INodeParameters = {},
    paginationToken?: string,
  ): Promise<INodeListSearchResult> {
    const { context, type } = this.loadOptions(parameters);
    const search = type.methods?.listSearch?.[method];
    if (!search) throw new Error(`No list search is called ${method}`);
    return await search.call(context, filter, paginationToken);
  }

  private loadOptions(parameters: INodeParameters): { context: LoadOptionsContext; type: INodeType } {
    const node = this.node('brokerage', parameters);
    const workflow = this.workflow({ nodes: [node], connections: {} });
    const additionalData = { ...this.additionalData('internal', workflow), currentNodeParameters: parameters };
    return {
      context: new LoadOptionsContext(workflow, node, additionalData, ''),
      type: this.nodeTypes.getByNameAndVersion(node.type, 1),
    };
  }

  /** Starts the trigger node as an activation or a manual run does. */
  async trigger(parameters: INodeParameters, options: TriggerOptions = {}): Promise<RunningTrigger> {
    const mode = options.mode ?? 'trigger';
    const node = this.node('brokerageTrigger', parameters, { typeVersion: options.typeVersion ?? 1 });
    const staticData = { [`node:${node.name}`]: options.staticData ?? {} };
    const workflow = this.workflow(
      { nodes: [node], connections: {}, staticData, settings: options.settings },
      options.workflowId ?? 'workflow-1',
    );
    const emitted: Emitted[] = [];
    const errors: Error[] = [];
    const failedExecutions: Error[] = [];
    const waiting: { condition: (emitted: Emitted) => boolean; resolve: (emitted: Emitted) => void }[] = [];
    const context = new TriggerContext(
      workflow,
      node,
      this.additionalData(mode, workflow),
      mode,
      options.activation ?? 'activate',
      (data, _response, done, deduplicationKey) => {
        const key = deduplicationKey as string | undefined;
        const item = { items: data[0] ?? [], deduplicationKey: key, emittedAt: clock.now() };
        emitted.push(item);
        for (const waiter of waiting.filter(({ condition }) => condition(item))) waiter.resolve(item);
        done?.resolve({} as IRun);
      },
      (error) => errors.push(error),
      (error) => failedExecutions.push(error),
    );
    const type = this.nodeTypes.getByNameAndVersion(node.type, 1);
    const response = (await type.trigger?.call(context)) ?? {};
    return {
      emitted,
      errors,
      failedExecutions,
      response,
      staticData: workflow.getStaticData('node', node),
      waitFor: async (condition) => {
        const past = emitted.find(condition);
        if (past) return past;
        return await new Promise<Emitted>((resolve) => waiting.push({ condition, resolve }));
      },
      close: async () => {
        await response.closeFunction?.();
        if (node.typeVersion < LABELS_VERSION) return;
        const codes = emitted.flatMap(({ items }) => items.flatMap(({ json }) => codesWithoutLabel(json)));
        if (codes.length > 0) throw new Error(`Events without a label: ${[...new Set(codes)].join(', ')}`);
      },
    };
  }

  /** The bytes of a binary property of an item. */
  static bytes(item: INodeExecutionData | undefined, property = 'data'): Buffer {
    return Buffer.from((item?.binary?.[property] as IBinaryData).data, 'base64');
  }

  /**
   * @param id without one n8n shares nothing of a node among processes, and keyed orders have no lock: time does not
   * pass here
   */
  private workflow(json: WorkflowJson, id?: string, timezone = 'America/New_York'): Workflow {
    return new Workflow({
      id,
      name: 'Test',
      ...json,
      active: false,
      nodeTypes: this.nodeTypes,
      settings: { executionOrder: 'v1', timezone, ...json.settings },
    });
  }

  /** The context that n8n stores with an execution: it is the first try's. The time is the test's. */
  private runtimeDataOf({ retryOf, isOlderN8n, firstTryAt }: RunOptions) {
    const first = retryOf?.data.executionData?.runtimeData;
    const establishedAt = firstTryAt ?? clock.now();
    if (first !== undefined) return isOlderN8n === true ? first : { ...first, establishedAt };
    return isOlderN8n === true || firstTryAt !== undefined ? contextOf('trigger', establishedAt) : undefined;
  }

  /** An execution that calls a workflow, as n8n stores it when it starts. @param retryOf the token of its first try. */
  caller(
    mode: WorkflowExecuteMode,
    { token, firstMode = mode }: { token?: string; firstMode?: WorkflowExecuteMode },
  ): Caller {
    Engine.executions += 1;
    const executionId = String(Engine.executions);
    const runtimeData = contextOf(firstMode, clock.now());
    // Of one that was started by hand n8n stores nothing before its end.
    if (mode !== 'manual')
      this.stored.set(
        executionId,
        createRunExecutionData({
          resumeToken: token,
          executionData: {
            contextData: {},
            nodeExecutionStack: [],
            metadata: {},
            waitingExecution: {},
            waitingExecutionSource: {},
            runtimeData,
          },
        }),
      );
    return { executionId, mode };
  }

  private additionalData(
    mode: WorkflowExecuteMode,
    workflow: Workflow,
    rootExecutionMode?: WorkflowExecuteMode,
  ): IWorkflowExecuteAdditionalData {
    const executionId = String(Engine.executions);
    const { credentials, stored: executions } = this;
    return additionalData({ mode, workflow, executionId, credentials, executions, rootExecutionMode });
  }
}
