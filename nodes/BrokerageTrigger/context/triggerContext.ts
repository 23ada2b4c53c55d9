/** The n8n side that all kinds of watching share: how a trigger emits, fails and ends, and who it is. */
import { attempt } from '../../../client/attempt';
import { randomUUID } from 'crypto';
import {
  ExecutionCancelledError,
  type ExecutionBaseError,
  NodeOperationError,
  type IDataObject,
  type INodeExecutionData,
  type INodeProperties,
  type IRun,
  type ITriggerFunctions,
} from 'n8n-workflow';
import type { BrokerageError } from '../../../client/base/errors';
import type { FeedEvent } from '../../../client/stream/account-feed/types';
import type { DeliveryLag } from '../../../client/stream/delivery/outbox';
import { Redelivery } from '../../../client/stream/delivery/redelivery';
import { pauseUnlessAborted, withTimeout } from '../../../client/abortable';
import { clock } from '../../host/clock';
import { withContractNames } from '../../../client/instruments/contract-name';
import { withoutSecrets } from '../../../client/values/redact';
import { nodeError } from '../../shared/errors';
import { LABELS_VERSION, withLabels } from '../../shared/itemLabels';
import type { TriggerRuns } from './runs';

/** Identifies this process in stored data. */
const PROCESS = randomUUID();

/** Milliseconds within which n8n has stored a run. */
const TAKEN_WITHIN_MS = 3_000;
/** Milliseconds between the attempts to give an event that n8n could not store. */
const EMITS_AGAIN_AFTER_MS = [1_000, 5_000, 15_000, 60_000];
/** n8n's Engine 2.0 refuses an event whose trigger asks when its run is done. */
const REFUSES_RUN_END = /waits for its execution to finish/;

interface TriggerContextOptions {
  manual: boolean;
  /** Fires when the trigger ends. */
  signal: AbortSignal;
  /** The fields of the node, in which an error finds the label of its parameter. */
  properties: INodeProperties[];
  /** Called when a published trigger cannot continue with the current credential. */
  onFatal(error: BrokerageError): void;
}

/** One for each activation of a trigger, or each time that someone listens in the editor. */
export class TriggerContext {
  /** True if n8n's engine reports the end of a run. */
  private static reportsRunEnd = true;
  /** Every secret that the trigger knows: none may be in an error or in the log. */
  readonly secrets = new Set<string>();
  private begun = false;
  private runs: TriggerRuns | undefined;
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

  /** The trigger's name in the log. */
  private get name(): string {
    return this.n8n.getNode().name;
  }

  /** Fields of the log beside a line. */
  private get logged(): { workflowId: string } {
    return { workflowId: String(this.n8n.getWorkflow().id) };
  }

  /** True if the user has switched the workflow on, and it has not begun yet: earlier events do not count. */
  get isAfresh(): boolean {
    return this.manual || (!this.begun && ['activate', 'create', 'manual'].includes(this.n8n.getActivationMode()));
  }

  /** Events have flowed: when it starts again, it goes on where it was. */
  hasBegun(): void {
    this.begun = true;
  }

  /** From now on its runs are counted among those of its account. */
  countRunsAmong(runs: TriggerRuns): void {
    this.runs = runs;
  }

  /**
   * Gives again what an n8n that was killed may have taken with it; only where n8n knows by its executions what it has run.
   * Resolves when n8n has taken it, so that what follows begins after it.
   */
  async redeliver(): Promise<void> {
    if (this.manual) return;
    const again = this.redelivery.resume(
      this.n8n.getWorkflowStaticData('node'),
      !this.isAfresh && this.keepsExecutions,
    );
    const runs = again.map(async ({ key, outputs }) => await this.emit(outputs, key));
    if (runs.length > 0) await withTimeout(clock, TAKEN_WITHIN_MS, this.signal, async () => await Promise.all(runs));
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
   * @returns what resolves when n8n has done the run, or will never do it; undefined if nobody need wait for it.
   */
  emit(outputs: Record<string, unknown>[], key?: string): Promise<void> | undefined {
    const items = outputs.map((output) => this.itemOf(output));
    if (key === undefined || this.manual) {
      this.n8n.emit([items]);
      return undefined;
    }
    this.redelivery.add(key, outputs);
    return this.run(items, key);
  }

  /**
   * Starts the workflow with what is worth nothing once it is past: it is not given again where n8n could not store it.
   * @returns what resolves when n8n has done the run, or will never do it.
   */
  async start(output: Record<string, unknown>): Promise<void> {
    const items = [this.itemOf(output)];
    if (this.manual) return this.n8n.emit([items]);
    const failure = await this.runOnce(items, undefined);
    if (failure !== undefined) this.warn(`n8n could not start the workflow (${failure})`);
  }

  /** Returns the item of an output; since version 1.2 with plain words beside its codes. */
  private itemOf(output: Record<string, unknown>): INodeExecutionData {
    return { json: (this.n8n.getNode().typeVersion >= LABELS_VERSION ? withLabels(output) : output) as IDataObject };
  }

  /** n8n drops a repeat of what it has stored, so that an event which it could not store may be given once more. */
  private async run(items: INodeExecutionData[], key: string): Promise<void> {
    for (const waitMs of [...EMITS_AGAIN_AFTER_MS, undefined]) {
      const failure = await this.runOnce(items, key);
      if (failure === undefined) return this.redelivery.done(key);
      const isLast = waitMs === undefined || !this.keepsExecutions;
      this.n8n.logger.error(
        `n8n could not start the workflow with an event (${failure}). ${isLast ? 'It will not try again: check the executions for what the workflow may have missed.' : 'It will try again.'}`,
        { ...this.logged, deduplicationKey: key },
      );
      if (isLast || !(await pauseUnlessAborted(clock, waitMs, this.signal))) return;
    }
  }

  /** @returns why n8n could not run it; undefined if the run is done, or was stored and then stopped. */
  private async runOnce(items: INodeExecutionData[], key: string | undefined): Promise<string | undefined> {
    const run = this.follow(items, key);
    this.runs?.add(run);
    return await run;
  }

  private async follow(items: INodeExecutionData[], key: string | undefined): Promise<string | undefined> {
    // The key is unique in the whole instance: two workflows may want the same event.
    const deduplicationKey = key === undefined ? undefined : `${this.id}:${key}`;
    if (!TriggerContext.reportsRunEnd) {
      this.n8n.emit([items], undefined, undefined, deduplicationKey);
      await pauseUnlessAborted(clock, TAKEN_WITHIN_MS, this.signal);
      return undefined;
    }
    const execution = this.n8n.helpers.createDeferredPromise<IRun>();
    this.n8n.emit([items], undefined, execution, deduplicationKey);
    const outcome = await attempt(execution.promise);
    if (outcome.ok || outcome.error instanceof ExecutionCancelledError) return undefined;
    const text = outcome.error instanceof Error ? outcome.error.message : 'no reason was given';
    if (!REFUSES_RUN_END.test(text)) return text;
    TriggerContext.reportsRunEnd = false;
    return await this.follow(items, key);
  }

  /** n8n takes events more slowly than they come, or has caught up. */
  lag = ({ waiting, oldestMs }: DeliveryLag): void => {
    if (waiting > 0)
      this.n8n.logger.warn(
        `${this.name}: events arrive faster than n8n can run the workflow. ${waiting} are waiting, the oldest for ${seconds(oldestMs)}. They start as fast as n8n can run the workflow; a larger Batch Size needs fewer runs.`,
        this.logged,
      );
    else
      this.n8n.logger.info(
        `${this.name}: no event is waiting for n8n any more; the longest waited ${seconds(oldestMs)}.`,
        this.logged,
      );
  };

  /** Handles a credential with which the trigger cannot continue. In the editor the listening ends. */
  fatal = (error: BrokerageError): void => {
    if (this.manual) this.n8n.emitError(this.errorOf(error));
    else this.options.onFatal(error);
  };

  /** No login is possible: a failed execution says so, while the trigger waits. */
  cannotLogIn(error: BrokerageError): void {
    this.n8n.logger.warn(
      `${this.name}: no login is possible (${this.clean(error.message)}). The trigger waits until you save the credential again, and does not log in until then.`,
      this.logged,
    );
    this.n8n.saveFailedExecution(this.errorOf(error));
  }

  /** Says in the log what the trigger does. */
  info(what: string): void {
    this.n8n.logger.info(`${this.name}: the trigger ${what}.`, this.logged);
  }

  /** Logs a warning. @param error its message follows the text */
  warn(what: string, error?: unknown): void {
    const why = error === undefined ? '' : ` (${this.errorOf(error).message})`;
    this.n8n.logger.warn(`${this.name}: ${what}${why}.`, this.logged);
  }

  /** With a corrected credential the trigger could not be started either; it is tried again. */
  cannotStart(error: unknown): void {
    this.n8n.logger.warn(
      `${this.name}: the trigger could not be started (${this.errorOf(error).message}). It is tried again.`,
      this.logged,
    );
  }

  private errorOf(error: unknown): ExecutionBaseError {
    return nodeError(this.n8n.getNode(), error, { properties: this.options.properties, secrets: this.secrets });
  }

  /** Nothing has come for so many milliseconds: a failed execution says so, while the trigger goes on. */
  outage = (reason: string, downMs: number): void => {
    this.saveFailure(
      `Nothing has come from the broker for ${minutes(downMs)}: ${reason}`,
      'The trigger keeps trying, and starts the workflow for missed events once it is connected. Check the network and whether the service is up.',
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
          'Events from the stream still start the workflow. Any that it missed follow when the orders can be read again. Check whether the service is up.',
        );
      case 'badFrame':
        return this.n8n.logger.warn(
          `A message of the broker's stream could not be read (${this.clean(event.cause)}); its events are recovered from the lists of the day`,
        );
      case 'oddOrder':
        return this.saveFailure(
          event.reason,
          "What the stream tells of this order still starts the workflow. Events that it missed follow when the day's list shows the order right.",
        );
      case 'basketsUnread':
        return this.n8n.logger.warn(
          `The day's baskets could not be read (${this.clean(event.reason)}); missed events of whole baskets are recovered once they can be read`,
        );
      case 'fatal':
        return this.fatal(event.error);
      case 'started':
      case 'update':
      case 'confirmed':
      case 'day':
      case 'forgotten':
      case 'portfolio':
        return;
      case 'connectionLost':
        return this.n8n.logger.warn(
          `${this.name}: the stream is lost (${this.clean(event.reason)}). It reconnects.`,
          this.logged,
        );
      case 'connectionRestored':
        return this.n8n.logger.info(
          `${this.name}: the stream is back after ${seconds(event.downMs)}; ${event.recovered} events were recovered.`,
          this.logged,
        );
    }
  }

  private clean(text: string): string {
    return withoutSecrets(text, this.secrets);
  }

  /** A failed execution tells the person what may be missing, while the trigger goes on. */
  saveFailure(message: string, description: string): void {
    const said = this.clean(withContractNames(message, ''));
    this.n8n.saveFailedExecution(new NodeOperationError(this.n8n.getNode(), said, { description }));
  }
}

function minutes(ms: number): string {
  return `${Math.round(ms / 60_000)} minutes`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} seconds`;
}
