import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INode, INodeProperties, IWorkflowDataProxyData } from 'n8n-workflow';
import { collectionFields } from '../../shared/collectionFields';
import { attempt } from '../../../client/attempt';
import type { Instrument } from '../../../client/instruments/instrument';
import { requireFieldLength } from '../../../client/values/length';
import { labelOf } from '../../shared/errors';
import { machineTime, type MarketTime } from '../../../client/market-clock';
import { clock } from '../../host/clock';
import { referencedValue } from './itemReference';
import { type ExecutionService, openService } from '../../shared/service';

/** Returns true if n8n would evaluate anything in a written parameter: only then can it differ from item to item. */
function holdsExpression(written: unknown): boolean {
  if (typeof written === 'string') return written.startsWith('=');
  return typeof written === 'object' && written !== null && Object.values(written).some(holdsExpression);
}

/** Returns true if the node is the tool of an AI agent. */
export function isAgentTool({ type }: INode): boolean {
  return type.endsWith('Tool');
}

/** One execution of the node: what all its items share. */
export class RunContext {
  /** Identifies this execution if n8n gives it no id. */
  readonly id = randomUUID();
  /** Every secret that this run knows: those of the credential, and codes that were entered. */
  readonly secrets = new Set<string>();
  /** Orders and baskets placed in this run, the oldest first: an error after it names them. `id` is an order_id or a basket_id. */
  readonly placed: { itemIndex: number; id: string }[] = [];
  /** Tags of what may have been placed in this run, the oldest first: nobody can tell, and an error after it names them. */
  readonly unclear: { itemIndex: number; tag: string }[] = [];
  /** The instruments that the items of this run named: by what they wrote, and by the day and what is beside it. */
  readonly instruments = new Map<unknown, Map<string, Instrument>>();
  /** The execution's record of orders when this run began: another node of it may have placed some. */
  recordBefore: string | undefined;
  /** The market's time: the machine's until the service is open. */
  market: MarketTime = machineTime(clock);
  private opened: Promise<ExecutionService> | undefined;
  private proxy: IWorkflowDataProxyData | undefined;
  private ownNode: INode | undefined;
  private readonly fixed = new Map<string, unknown>();
  /** The fields of the operation's collections. */
  private readonly collections: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(
    readonly functions: IExecuteFunctions,
    /** The fields of the operation that runs. */
    readonly properties: INodeProperties[],
    /** See `openService`. */
    private readonly assumesClock = false,
  ) {
    this.collections = collectionFields(properties);
  }

  /** The service, opened once; an operation that needs none (a dry look at a date) opens none. */
  async service(): Promise<ExecutionService> {
    const service = await (this.opened ??= openService(this.functions, this.secrets, this.assumesClock));
    this.market = service.transport.marketClock;
    return service;
  }

  /** Returns true if a sandbox's clock was moved since the service was opened; false if no service was. */
  async wasClockMoved(): Promise<boolean> {
    const opened = this.opened === undefined ? undefined : await attempt(this.opened);
    return opened?.ok === true && (await opened.value.wasClockMoved());
  }

  /** The node itself, which n8n copies at each call. */
  get node(): INode {
    return (this.ownNode ??= this.functions.getNode());
  }

  /**
   * Returns the value of a parameter for an item; null if it is missing. n8n is asked once for one that is the same for all items.
   * @throws InputError if it is longer than any field.
   */
  parameter(name: string, itemIndex: number): unknown {
    if (this.fixed.has(name)) return this.fixed.get(name);
    const value = this.evaluated(name, itemIndex);
    this.requireLength(name, value);
    if (!holdsExpression(this.node.parameters[name])) this.fixed.set(name, value);
    return value;
  }

  /** Reads the parameters of an item. An expression is evaluated once for it: whoever looks at it again sees the same, even a random number. */
  parametersOf(itemIndex: number): (name: string) => unknown {
    const read = new Map<string, unknown>();
    return (name) => {
      if (!read.has(name)) read.set(name, this.parameter(name, itemIndex));
      return read.get(name);
    };
  }

  /** @throws InputError that names the field of a collection, where it is one of them that is too long. */
  private requireLength(name: string, value: unknown): void {
    const fields =
      this.collections.has(name) && typeof value === 'object' && value !== null ? Object.entries(value) : [];
    for (const [field, held] of [...fields, [name, value] as const])
      requireFieldLength(held, field, labelOf(this.properties, field) ?? field);
  }

  /** Returns true if the workflow sets a field of a collection, and the operation has that field. */
  holds(collection: string, field: string): boolean {
    const written = this.node.parameters[collection];
    const isKnown = this.collections.get(collection)?.has(field) === true;
    return isKnown && typeof written === 'object' && written !== null && Object.hasOwn(written, field);
  }

  /** Of a collection only fields that the operation has: the editor keeps those of another that was chosen before. */
  private evaluated(name: string, itemIndex: number): unknown {
    const { functions } = this;
    const written = this.node.parameters[name];
    const referenced = isAgentTool(this.node)
      ? undefined
      : referencedValue(written, functions.getInputData()[itemIndex]?.json);
    if (referenced !== undefined) return referenced;
    const fields = this.collections.get(name);
    if (fields === undefined || typeof written !== 'object' || written === null)
      return functions.getNodeParameter(name, itemIndex, null);
    const names = Object.keys(written);
    const own = names.filter((field) => fields.has(field));
    if (own.length === names.length) return functions.getNodeParameter(name, itemIndex, null);
    return Object.fromEntries(
      own.map((field) => [field, functions.getNodeParameter(`${name}.${field}`, itemIndex, null)]),
    );
  }

  /**
   * n8n's data of the workflow and the execution, the same for all items: n8n makes it again at each call, which costs more than the rest
   * of an item.
   */
  get workflowData(): IWorkflowDataProxyData {
    return (this.proxy ??= this.functions.getWorkflowDataProxy(0));
  }

  /** Fires when the execution is stopped. */
  get signal(): AbortSignal | undefined {
    return this.functions.getExecutionCancelSignal();
  }
}
