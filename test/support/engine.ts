/**
 * Runs workflows in n8n's own engine, in this process, with the package's nodes and credentials loaded from their
 * source by n8n's own loader. What n8n's command-line program adds around the engine (the store of credentials, the
 * login before a request, the hooks) is rebuilt here after its example, so that a renewed token is really stored.
 */
import './n8n-environment';
import path from 'node:path';
import { existsSync } from 'node:fs';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import {
  Cipher,
  Credentials,
  EncryptionKeyProxy,
  ExecutionLifecycleHooks,
  InstanceSettings,
  LoadOptionsContext,
  PackageDirectoryLoader,
  TriggerContext,
  WorkflowExecute,
} from 'n8n-core';
import {
  ICredentialsHelper,
  NodeHelpers,
  Workflow,
  createRunExecutionData,
  type IBinaryData,
  type IConnections,
  type ICredentialDataDecryptedObject,
  type ICredentialType,
  type ICredentials,
  type IDataObject,
  type IExecuteData,
  type IHttpRequestHelper,
  type IHttpRequestOptions,
  type INode,
  type INodeCredentialsDetails,
  type INodeExecutionData,
  type INodeListSearchResult,
  type INodeParameters,
  type INodeProperties,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypes,
  type IRequestOptionsSimplified,
  type IRun,
  type ITriggerResponse,
  type IVersionedNodeType,
  type IWorkflowExecuteAdditionalData,
  type WorkflowActivateMode,
  type WorkflowExecuteMode,
} from 'n8n-workflow';

const ROOT = path.resolve(__dirname, '..', '..');
const CREDENTIAL_ID = 'credential-1';

/** The node that stands for whatever comes before ours; its items are pinned. */
const START: INodeType = {
  description: {
    displayName: 'Start',
    name: 'manualTrigger',
    group: ['trigger'],
    version: 1,
    description: '',
    defaults: { name: 'Start' },
    inputs: [],
    outputs: ['main'],
    properties: [],
  },
  async trigger() {
    return {};
  },
};

/** Every line that n8n or a node logged, as one text each. */
class CapturingLogger {
  readonly lines: string[] = [];

  private write(level: string, message: string, metadata?: unknown): void {
    this.lines.push(`${level} ${message} ${metadata === undefined ? '' : describe(metadata)}`);
  }
  error = (message: string, metadata?: unknown) => this.write('error', message, metadata);
  warn = (message: string, metadata?: unknown) => this.write('warn', message, metadata);
  info = (message: string, metadata?: unknown) => this.write('info', message, metadata);
  debug = (message: string, metadata?: unknown) => this.write('debug', message, metadata);
  scoped = () => this;
}

/** Everything that can be reached from a value as text, errors with their causes included. */
export function describe(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  if (seen.has(value)) return '';
  seen.add(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  const keys = new Set<string>([...Object.keys(value), ...(value instanceof Error ? ['message', 'stack', 'cause'] : [])]);
  return [...keys].map((key) => `${key}: ${describe((value as Record<string, unknown>)[key], seen)}`).join('\n');
}

/** Loads the TypeScript source where package.json names the compiled file. */
class SourceLoader extends PackageDirectoryLoader {
  constructor() {
    super(ROOT);
    const entries = this.packageJson.n8n as { nodes: string[]; credentials: string[] };
    const source = (file: string) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts');
    const exists = (file: string) => existsSync(path.join(ROOT, file));
    entries.nodes = entries.nodes.map(source).filter(exists);
    entries.credentials = entries.credentials.map(source).filter(exists);
  }
}

class LoadedNodeTypes implements INodeTypes {
  constructor(private readonly loader: SourceLoader) {}

  getByName(type: string): INodeType | IVersionedNodeType {
    if (type === 'n8n-nodes-base.manualTrigger') return START;
    return this.loader.getNode(type.replace(`${this.loader.packageName}.`, '')).type;
  }

  getByNameAndVersion(type: string, version?: number): INodeType {
    return NodeHelpers.getVersionedNodeType(this.getByName(type), version);
  }

  getKnownTypes(): IDataObject {
    return {};
  }
}

/** The credentials of the instance: encrypted at rest, read anew at every use, as n8n's own helper does. */
class CredentialStore extends ICredentialsHelper {
  private readonly stored = new Map<string, { name: string; type: string; data: string }>();
  /** How often a credential type logged in. */
  preAuthentications = 0;

  constructor(private readonly loader: SourceLoader) {
    super();
  }

  async put(id: string, type: string, data: ICredentialDataDecryptedObject): Promise<void> {
    const credentials = new Credentials({ id, name: id }, type);
    await credentials.setData(data);
    this.stored.set(id, { name: id, type, data: credentials.getDataToSave().data as string });
  }

  /** What is stored now, decrypted. */
  async read(id: string): Promise<ICredentialDataDecryptedObject> {
    return await (await this.getCredentials({ id, name: id })).getData();
  }

  private typeOf(name: string): ICredentialType {
    return this.loader.getCredential(name).type;
  }

  getParentTypes(): string[] {
    return [];
  }

  isCredentialUsableByNode(type: string, nodeType: string): boolean {
    const { restrictToSupportedNodes, supportedNodes } = this.typeOf(type);
    return !restrictToSupportedNodes || (supportedNodes ?? []).map((name) => `${this.loader.packageName}.${name}`).includes(nodeType);
  }

  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    options: IHttpRequestOptions | IRequestOptionsSimplified,
    workflow?: Workflow,
    node?: INode,
  ): Promise<IHttpRequestOptions> {
    const request = options as IHttpRequestOptions;
    const { authenticate } = this.typeOf(typeName);
    if (typeof authenticate === 'function') return await authenticate(credentials, request);
    if (!authenticate || !workflow || !node) return request;
    const resolve = (value: string) =>
      value.startsWith('=')
        ? String(workflow.expression.getSimpleParameterValue(node, value, 'internal', { $credentials: credentials }, undefined, '') ?? '')
        : value;
    for (const [part, entries] of Object.entries(authenticate.properties)) {
      const target = ((request as unknown as Record<string, Record<string, string>>)[part] ??= {});
      for (const [key, value] of Object.entries(entries as Record<string, string>)) target[resolve(key)] = resolve(value);
    }
    return request;
  }

  async preAuthentication(
    helpers: IHttpRequestHelper,
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    node: INode,
    credentialsExpired: boolean,
  ): Promise<ICredentialDataDecryptedObject | undefined> {
    const type = this.typeOf(typeName);
    const expirable = type.properties.find((property) => property.type === 'hidden' && property.typeOptions?.expirable === true);
    if (!expirable || !type.preAuthentication) return undefined;
    if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;
    this.preAuthentications += 1;
    const output = await type.preAuthentication.call(helpers, credentials);
    if (output[expirable.name] === undefined || !node.credentials) return undefined;
    const details = node.credentials[typeName] as INodeCredentialsDetails;
    const before = await (await this.getCredentials(details)).getData();
    await this.updateCredentials(details, typeName, { ...before, ...output } as ICredentialDataDecryptedObject);
    return Object.assign(credentials, output);
  }

  async runPreAuthentication(helpers: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject, typeName: string) {
    return (await this.typeOf(typeName).preAuthentication?.call(helpers, credentials)) as ICredentialDataDecryptedObject | undefined;
  }

  async getCredentials(details: INodeCredentialsDetails): Promise<ICredentials> {
    const entry = this.stored.get(details.id ?? '');
    if (!entry) throw new Error(`No credential has the id ${details.id}`);
    return new Credentials({ id: details.id as string, name: entry.name }, entry.type, entry.data);
  }

  async getDecrypted(
    _additionalData: IWorkflowExecuteAdditionalData,
    details: INodeCredentialsDetails,
    type: string,
    _mode: WorkflowExecuteMode,
    _executeData?: IExecuteData,
    raw?: boolean,
  ): Promise<ICredentialDataDecryptedObject> {
    const data = await (await this.getCredentials(details)).getData();
    if (raw) return data;
    return NodeHelpers.getNodeParameters(this.getCredentialsProperties(type), data as INodeParameters, true, false, null, null) as ICredentialDataDecryptedObject;
  }

  async updateCredentials(details: INodeCredentialsDetails, type: string, data: ICredentialDataDecryptedObject): Promise<void> {
    await this.put(details.id as string, type, data);
  }

  async updateCredentialsOauthTokenData(): Promise<void> {}

  getCredentialsProperties(type: string): INodeProperties[] {
    return this.typeOf(type).properties;
  }
}

/** A workflow as it is exported by n8n. */
export interface WorkflowJson {
  nodes: INode[];
  connections: IConnections;
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

export interface RunOptions {
  /** What the node is fed; one empty item when left out. */
  items?: INodeExecutionData[];
  onError?: INode['onError'];
  retryOnFail?: boolean;
  mode?: WorkflowExecuteMode;
  timezone?: string;
  executionTimeoutMs?: number;
  /** The person stops the execution when this resolves. */
  stopWhen?: Promise<unknown>;
  /** The execution of which this one is a retry from the list of executions: n8n brings its custom data along. */
  retryOf?: IRun;
}

/** One emit of a trigger. */
export interface Emitted {
  items: INodeExecutionData[];
  deduplicationKey: string | undefined;
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

/** n8n's engine with our package in it; one for each test file is enough. */
export class Engine {
  readonly logger: CapturingLogger;
  /** How many workflows have run in this process: each execution has an id of its own, as in n8n. */
  private static executions = 0;

  private constructor(
    private readonly nodeTypes: LoadedNodeTypes,
    readonly credentials: CredentialStore,
    readonly loader: SourceLoader,
    logger: CapturingLogger,
  ) {
    this.logger = logger;
  }

  /** Loads the package; `credential` becomes the credential of every node that is run. */
  static async start(credential: ICredentialDataDecryptedObject): Promise<Engine> {
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
    const engine = new Engine(new LoadedNodeTypes(loader), store, loader, logger);
    await engine.setCredential(credential);
    return engine;
  }

  /** Replaces the credential; returns when it is stored. */
  async setCredential(data: ICredentialDataDecryptedObject): Promise<void> {
    await this.credentials.put(CREDENTIAL_ID, 'brokerageApi', data);
  }

  /** The credential as it is stored now. */
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
    const node = this.node('brokerage', parameters, { onError: options.onError, retryOnFail: options.retryOnFail, maxTries: 2, waitBetweenTries: 0 });
    const run = await this.runWorkflow({ nodes: [node], connections: {} }, { Brokerage: options.items ?? [{ json: {} }] }, options);
    const data = run.data.resultData.runData.Brokerage?.at(-1);
    return {
      items: data?.data?.main?.[0] ?? [],
      errorItems: data?.data?.main?.[1] ?? [],
      error: run.data.resultData.error as NodeRun['error'],
      run,
    };
  }

  /** Runs a workflow; `feeds` names the nodes that are fed and with what. */
  async runWorkflow(json: WorkflowJson, feeds: Record<string, INodeExecutionData[]>, options: RunOptions = {}): Promise<IRun> {
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
    const workflow = this.workflow({ nodes: [...starts, ...json.nodes], connections }, options.timezone);
    const pinData = Object.fromEntries(names.map((name) => [`Start ${name}`, feeds[name] as INodeExecutionData[]]));
    const mode = options.retryOf ? 'retry' : (options.mode ?? 'manual');
    Engine.executions += 1;
    const additionalData = this.additionalData(mode, workflow);
    if (options.executionTimeoutMs !== undefined) additionalData.executionTimeoutTimestamp = Date.now() + options.executionTimeoutMs;
    const first = starts[0] as INode;
    const executionData = createRunExecutionData({
      startData: {},
      resultData: { runData: {}, pinData, metadata: { ...options.retryOf?.data.resultData.metadata } },
      executionData: {
        contextData: {},
        nodeExecutionStack: [{ node: first, data: { main: [[{ json: {} }]] }, source: null }],
        metadata: {},
        waitingExecution: {},
        waitingExecutionSource: {},
      },
    });
    const execution = new WorkflowExecute(additionalData, mode, executionData).processRunExecutionData(workflow);
    void options.stopWhen?.then(() => execution.cancel());
    return await execution;
  }

  /** Asks a list-search method, as the picker does. */
  async listSearch(method: string, filter?: string, parameters: INodeParameters = {}, paginationToken?: string): Promise<INodeListSearchResult> {
    const { context, type } = this.loadOptions(parameters);
    const search = type.methods?.listSearch?.[method];
    if (!search) throw new Error(`No list search is called ${method}`);
    return await search.call(context, filter, paginationToken);
  }

  /** Asks a load-options method, as a drop-down does. */
  async options(method: string, parameters: INodeParameters = {}): Promise<INodePropertyOptions[]> {
    const { context, type } = this.loadOptions(parameters);
    const load = type.methods?.loadOptions?.[method];
    if (!load) throw new Error(`No options are called ${method}`);
    return await load.call(context);
  }

  private loadOptions(parameters: INodeParameters): { context: LoadOptionsContext; type: INodeType } {
    const node = this.node('brokerage', parameters);
    const workflow = this.workflow({ nodes: [node], connections: {} });
    const additionalData = { ...this.additionalData('internal', workflow), currentNodeParameters: parameters };
    return { context: new LoadOptionsContext(workflow, node, additionalData, ''), type: this.nodeTypes.getByNameAndVersion(node.type, 1) };
  }

  /** Starts the trigger node as an activation or a manual run does. */
  async trigger(parameters: INodeParameters, options: { mode?: WorkflowExecuteMode; activation?: WorkflowActivateMode } = {}): Promise<RunningTrigger> {
    const mode = options.mode ?? 'trigger';
    const node = this.node('brokerageTrigger', parameters);
    const workflow = this.workflow({ nodes: [node], connections: {} });
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
        const one = { items: data[0] ?? [], deduplicationKey: deduplicationKey as string | undefined };
        emitted.push(one);
        for (const waiter of waiting.filter(({ condition }) => condition(one))) waiter.resolve(one);
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
      close: async () => await response.closeFunction?.(),
    };
  }

  /** The bytes of a binary property of an item. */
  static bytes(item: INodeExecutionData | undefined, property = 'data'): Buffer {
    return Buffer.from((item?.binary?.[property] as IBinaryData).data, 'base64');
  }

  private workflow(json: WorkflowJson, timezone = 'America/New_York'): Workflow {
    return new Workflow({ id: 'workflow-1', name: 'Test', ...json, active: false, nodeTypes: this.nodeTypes, settings: { executionOrder: 'v1', timezone } });
  }

  private additionalData(mode: WorkflowExecuteMode, workflow: Workflow): IWorkflowExecuteAdditionalData {
    const base = 'http://localhost/';
    const executionId = `execution-${Engine.executions}`;
    return {
      currentNodeExecutionIndex: 0,
      credentialsHelper: this.credentials,
      executionId,
      hooks: new ExecutionLifecycleHooks(mode, executionId, {
        id: workflow.id,
        name: 'Test',
        active: false,
        activeVersionId: null,
        isArchived: false,
        nodes: Object.values(workflow.nodes),
        connections: workflow.connectionsBySourceNode,
        createdAt: new Date(0),
        updatedAt: new Date(0),
      } as ConstructorParameters<typeof ExecutionLifecycleHooks>[2]),
      executeWorkflow: async () => {
        throw new Error('The test engine runs no sub-workflows');
      },
      getRunExecutionData: async () => undefined,
      getRuntimeCredential: async () => undefined,
      restApiUrl: base,
      instanceBaseUrl: base,
      formBaseUrl: base,
      formWaitingBaseUrl: base,
      formTestBaseUrl: base,
      webhookBaseUrl: base,
      webhookWaitingBaseUrl: base,
      webhookTestBaseUrl: base,
      mcpBaseUrl: base,
      mcpTestBaseUrl: base,
      variables: {},
      logAiEvent: () => {},
    } as unknown as IWorkflowExecuteAdditionalData;
  }
}
