/** What every kind of watching has in common: how it emits, fails, ends, and who it is. */
import { randomUUID } from 'crypto';
import { NodeOperationError, type IDataObject, type INodeExecutionData, type ITriggerFunctions } from 'n8n-workflow';
import type { BrokerageError } from '../../client/errors';
import type { FeedListener } from '../../client/stream/connection/feed-contract';
import { HandedEvents } from '../../client/stream/delivery/redelivery';
import { clock } from '../shared/clock';
import { nodeError } from '../shared/errors';
import { properties } from './properties';

/** Stands for this process in what is stored. */
const PROCESS = randomUUID();

export interface Running {
  /** Leaves nothing behind; never rejects. */
  stop(): Promise<void>;
}

interface StageOptions {
  manual: boolean;
  /** Whether n8n activates the trigger again on its own, because one has failed. */
  retry: boolean;
  /** Fires when the trigger ends. */
  signal: AbortSignal;
  /** Called before n8n is told that the trigger cannot go on, and will activate it again. */
  beforeFatal(): void;
}

export class Stage {
  private readonly handed = new HandedEvents(clock, PROCESS);

  constructor(
    readonly context: ITriggerFunctions,
    private readonly options: StageOptions,
  ) {}

  get manual(): boolean {
    return this.options.manual;
  }

  get signal(): AbortSignal {
    return this.options.signal;
  }

  /** The trigger, unique in the instance. */
  get id(): string {
    return idOf(this.context);
  }

  /** Whether a person has switched the workflow on: what happened before does not count. */
  get isAfresh(): boolean {
    return (
      this.manual ||
      (!this.options.retry && ['activate', 'create', 'manual'].includes(this.context.getActivationMode()))
    );
  }

  /** Gives again what an n8n that was killed may have taken with it; only where n8n knows by its executions what it has run. */
  goOn(): void {
    if (this.manual) return;
    const again = this.handed.resume(
      this.context.getWorkflowStaticData('node'),
      !this.isAfresh && this.keepsExecutions,
    );
    for (const { key, outputs } of again) this.emit(outputs, key);
  }

  /** Resolves when n8n has had the time to store what it was given last. */
  async lastIsStored(): Promise<void> {
    await this.handed.lastIsStored();
  }

  private get keepsExecutions(): boolean {
    const { saveDataSuccessExecution, saveDataErrorExecution } = this.context.getWorkflowSettings();
    return saveDataSuccessExecution !== 'none' && saveDataErrorExecution !== 'none';
  }

  /** @param key what must not start the workflow twice; undefined when anything may. */
  emit(outputs: Record<string, unknown>[], key?: string): void {
    if (key !== undefined && !this.manual) this.handed.add(key, outputs);
    const items: INodeExecutionData[] = outputs.map((json) => ({ json: json as IDataObject }));
    // The key is unique in the whole instance: two workflows may want the same event. n8n could tell when a run is done, but
    // its Engine 2.0 refuses an event whose trigger asks for that.
    this.context.emit([items], undefined, undefined, key === undefined ? undefined : `${this.id}:${key}`);
  }

  fatal = (error: BrokerageError): void => {
    this.options.beforeFatal();
    this.context.emitError(nodeError(this.context.getNode(), error, { properties }));
  };

  outage = (reason: string, downMs: number): void => {
    this.fail(
      `Nothing has come from the broker for ${minutes(downMs)}: ${reason}`,
      'It goes on trying, and gives out then what happened meanwhile. Check the network and the state of the service.',
    );
  };

  private fail(message: string, description: string): void {
    this.context.saveFailedExecution(new NodeOperationError(this.context.getNode(), message, { description }));
  }

  /** What all listeners of a feed do alike. */
  listener(own: Partial<FeedListener>): FeedListener {
    return {
      onBegin: () => undefined,
      onUpdate: () => undefined,
      onSettled: () => undefined,
      onDay: () => undefined,
      onPortfolio: () => undefined,
      onConnection: () => undefined,
      onForgotten: () => undefined,
      onOutage: this.outage,
      onOrdersUnread: (reason, forMs) =>
        this.fail(
          `The day's orders could not be read for ${minutes(forMs)}: ${reason}`,
          'What the stream brings is given out; what it may have missed is given out when the orders can be read again. Check the state of the service.',
        ),
      onBadFrame: (cause) =>
        this.context.logger.warn(
          `A message of the broker's stream could not be read (${cause}); what it told is recovered by comparing`,
        ),
      onBasketsUnread: (reason) =>
        this.context.logger.warn(
          `The day's baskets could not be read (${reason}); what happens to baskets as a whole while the stream is away is recovered when they can be`,
        ),
      onFatal: this.fatal,
      ...own,
    };
  }
}

function minutes(ms: number): string {
  return `${Math.round(ms / 60_000)} minutes`;
}

export function idOf(context: ITriggerFunctions): string {
  return `${context.getWorkflow().id}:${context.getNode().id}`;
}
