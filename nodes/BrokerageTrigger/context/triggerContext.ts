/** The n8n side that all kinds of watching share: how a trigger emits, fails and ends, and who it is. */
import { randomUUID } from 'crypto';
import {
  NodeOperationError,
  type IDataObject,
  type INodeExecutionData,
  type INodeProperties,
  type ITriggerFunctions,
} from 'n8n-workflow';
import type { BrokerageError } from '../../../client/base/errors';
import type { FeedEvent } from '../../../client/stream/connection/feed-contract';
import { Redelivery } from '../../../client/stream/delivery/redelivery';
import { clock } from '../../host/clock';
import { nodeError } from '../../shared/errors';

/** Stands for this process in what is stored. */
const PROCESS = randomUUID();

interface TriggerContextOptions {
  manual: boolean;
  /** Whether n8n activates the trigger again on its own, because one has failed. */
  retry: boolean;
  /** Fires when the trigger ends. */
  signal: AbortSignal;
  /** The fields of the node, in which an error finds the label of its parameter. */
  properties: INodeProperties[];
  /** Called before n8n is told that the trigger cannot go on, and will activate it again. */
  beforeFatal(): void;
}

/** One for each activation of a trigger, or each time that someone listens in the editor. */
export class TriggerContext {
  private readonly redelivery = new Redelivery(clock, PROCESS);

  constructor(
    readonly n8n: ITriggerFunctions,
    private readonly options: TriggerContextOptions,
  ) {}

  get manual(): boolean {
    return this.options.manual;
  }

  get signal(): AbortSignal {
    return this.options.signal;
  }

  /** The trigger, unique in the instance. */
  get id(): string {
    return `${this.n8n.getWorkflow().id}:${this.n8n.getNode().id}`;
  }

  /** Whether a person has switched the workflow on: what happened before does not count. */
  get isAfresh(): boolean {
    return (
      this.manual || (!this.options.retry && ['activate', 'create', 'manual'].includes(this.n8n.getActivationMode()))
    );
  }

  /** Gives again what an n8n that was killed may have taken with it; only where n8n knows by its executions what it has run. */
  redeliver(): void {
    if (this.manual) return;
    const again = this.redelivery.resume(
      this.n8n.getWorkflowStaticData('node'),
      !this.isAfresh && this.keepsExecutions,
    );
    for (const { key, outputs } of again) this.emit(outputs, key);
  }

  /** Resolves when n8n has had the time to store what it was given last. */
  async lastIsStored(): Promise<void> {
    await this.redelivery.lastIsStored();
  }

  private get keepsExecutions(): boolean {
    const { saveDataSuccessExecution, saveDataErrorExecution } = this.n8n.getWorkflowSettings();
    return saveDataSuccessExecution !== 'none' && saveDataErrorExecution !== 'none';
  }

  /**
   * Starts the workflow.
   * @param outputs the items of one run.
   * @param key what must not start the workflow twice; undefined when anything may.
   */
  emit(outputs: Record<string, unknown>[], key?: string): void {
    if (key !== undefined && !this.manual) this.redelivery.add(key, outputs);
    const items: INodeExecutionData[] = outputs.map((json) => ({ json: json as IDataObject }));
    // The key is unique in the whole instance: two workflows may want the same event. n8n could tell when a run is done, but
    // its Engine 2.0 refuses an event whose trigger asks for that.
    this.n8n.emit([items], undefined, undefined, key === undefined ? undefined : `${this.id}:${key}`);
  }

  /** The trigger cannot go on: n8n ends it, and activates it again. */
  fatal = (error: BrokerageError): void => {
    this.options.beforeFatal();
    this.n8n.emitError(nodeError(this.n8n.getNode(), error, { properties: this.options.properties }));
  };

  /** Nothing has come for so many milliseconds: a failed execution says so, while the trigger goes on. */
  outage = (reason: string, downMs: number): void => {
    this.saveFailure(
      `Nothing has come from the broker for ${minutes(downMs)}: ${reason}`,
      'It goes on trying, and gives out then what happened meanwhile. Check the network and the state of the service.',
    );
  };

  /** Tells the person what a feed says of itself; events of orders and of the portfolio pass by. */
  report(event: FeedEvent): void {
    switch (event.type) {
      case 'outage':
        return this.outage(event.reason, event.downMs);
      case 'ordersUnread':
        return this.saveFailure(
          `The day's orders could not be read for ${minutes(event.forMs)}: ${event.reason}`,
          'What the stream brings is given out; what it may have missed is given out when the orders can be read again. Check the state of the service.',
        );
      case 'badFrame':
        return this.n8n.logger.warn(
          `A message of the broker's stream could not be read (${event.cause}); what it told is recovered by comparing`,
        );
      case 'basketsUnread':
        return this.n8n.logger.warn(
          `The day's baskets could not be read (${event.reason}); what happens to baskets as a whole while the stream is away is recovered when they can be`,
        );
      case 'fatal':
        return this.fatal(event.error);
      case 'started':
      case 'update':
      case 'settled':
      case 'day':
      case 'forgotten':
      case 'portfolio':
      case 'connectionLost':
      case 'connectionRestored':
        return;
    }
  }

  private saveFailure(message: string, description: string): void {
    this.n8n.saveFailedExecution(new NodeOperationError(this.n8n.getNode(), message, { description }));
  }
}

function minutes(ms: number): string {
  return `${Math.round(ms / 60_000)} minutes`;
}
