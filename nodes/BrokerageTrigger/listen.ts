/** The life of the trigger, from activation (or "Listen") to its end. */
import { createHash } from 'crypto';
import { NodeOperationError, type IDataObject, type INodeExecutionData, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { Consumer } from '../../client/stream/consumer';
import type { CursorData } from '../../client/stream/cursor';
import type { FeedListener } from '../../client/stream/feed';
import { FeedHub, type Membership } from '../../client/stream/hub';
import { connectionOutput, orderOutput, type OutputOptions } from '../../client/stream/output';
import type { OrderEvent } from '../../client/stream/types';
import { clock } from '../shared/clock';
import { nodeError } from '../shared/errors';
import { properties } from './properties';
import { openTriggerService } from './service';
import { readTriggerSettings, type TriggerSettings } from './settings';

/** One for the process: triggers on one account share a connection. */
const hub = new FeedHub();

/** Cursors of triggers of this process, by workflow and node; `goOn` when n8n will activate the trigger again on its own. */
const remembered = new Map<string, CursorData & { goOn?: boolean }>();

const LISTEN_MS = 2 * 60_000;
/** The workflow was switched on by a person: what happened before does not count. */
const AFRESH = ['activate', 'create', 'manual'];

export async function listen(context: ITriggerFunctions): Promise<ITriggerResponse> {
  const manual = context.getMode() === 'manual';
  const listening = new Listening(context, manual);
  const closeFunction = async (): Promise<void> => await listening.close();
  if (manual) return { closeFunction, manualTriggerFunction: async () => await listening.open() };
  await listening.open();
  return { closeFunction };
}

class Listening {
  private readonly closing = new AbortController();
  private membership: Membership | undefined;
  private consumer: Consumer | undefined;

  constructor(
    private readonly context: ITriggerFunctions,
    private readonly manual: boolean,
  ) {}

  /** Resolves when events flow; rejects with an error that the person can act upon. */
  async open(): Promise<void> {
    try {
      await this.join();
    } catch (error) {
      await this.close();
      throw nodeError(this.context.getNode(), error, { properties });
    }
    if (this.manual) void this.giveUpListening();
  }

  /** Leaves nothing behind; never rejects. */
  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    const data = this.consumer?.close();
    this.consumer = undefined;
    if (data && !this.manual) remembered.set(this.id, { ...data, goOn: remembered.get(this.id)?.goOn });
    await this.membership?.leave();
  }

  private async join(): Promise<void> {
    const settings = readTriggerSettings(this.context);
    const { connection, account, deps } = await openTriggerService(this.context);
    const output: OutputOptions = { environment: connection.environment, unit: settings.unit, raw: settings.raw };
    const options = { subscriptions: ['orders'] as const, checkEveryMs: settings.checkEveryMs };
    const key = [account, options.checkEveryMs].join(':');
    this.membership = await hub.join(key, deps, options, this.listener(settings, output));
    if (this.closing.signal.aborted) {
      await this.membership.leave();
      return;
    }
    this.begin(settings, output, this.membership);
  }

  /** Nothing else runs within this function: no event falls between the views and the feed. */
  private begin(settings: TriggerSettings, output: OutputOptions, { feed }: Membership): void {
    const stored: CursorData = this.manual ? {} : this.context.getWorkflowStaticData('node');
    const past = remembered.get(this.id);
    const afresh = this.manual || (AFRESH.includes(this.context.getActivationMode()) && past?.goOn !== true);
    const views = [...feed.tracker.views()];
    const { filter, batches } = settings;
    const consumer = new Consumer({ clock, filter, batches, deliver: (events) => this.deliver(events, output) });
    if (afresh || !consumer.resume(views, stored, past)) consumer.begin(views, stored);
    remembered.delete(this.id);
    this.consumer = consumer;
  }

  private listener(settings: TriggerSettings, output: OutputOptions): FeedListener {
    return {
      onUpdate: (read, message) => this.consumer?.update(read, message),
      onOrders: (orders) => this.consumer?.orders(orders),
      onPortfolio: () => undefined,
      onConnection: (event) => {
        if (settings.connectionEvents.includes(event.type)) this.emit([connectionOutput(event, output)], event.key);
      },
      onForgotten: (orderIds) => this.consumer?.forget(orderIds),
      onOutage: (reason, downMs) => this.reportOutage(reason, downMs),
      onBadFrame: (cause) => this.context.logger.warn(`A message of the broker's stream could not be read (${cause}); what it told is recovered by comparing`),
      onFatal: (error) => {
        remembered.set(this.id, { goOn: true });
        this.context.emitError(nodeError(this.context.getNode(), error, { properties }));
      },
    };
  }

  private deliver(events: OrderEvent[], output: OutputOptions): void {
    const keys = events.map(({ key }) => key);
    this.emit(
      events.map((event) => orderOutput(event, output)),
      keys.length === 1 ? (keys[0] as string) : createHash('sha256').update(keys.join(' ')).digest('base64url'),
    );
  }

  private emit(outputs: Record<string, unknown>[], key: string): void {
    const items: INodeExecutionData[] = outputs.map((json) => ({ json: json as IDataObject }));
    // The key is unique in the whole instance: two workflows may want the same event.
    this.context.emit([items], undefined, undefined, `${this.id}:${key}`);
  }

  private reportOutage(reason: string, downMs: number): void {
    const minutes = Math.round(downMs / 60_000);
    const message = `The broker's stream has been away for ${minutes} minutes: ${reason}`;
    this.context.saveFailedExecution(
      new NodeOperationError(this.context.getNode(), message, {
        description: 'It is reconnected on its own, and what happened meanwhile is given out then. Check the network and the state of the service.',
      }),
    );
  }

  /** In a manual run: ends the listening after a while, saying what was waited for. */
  private async giveUpListening(): Promise<void> {
    const timeUp = await clock.sleep(LISTEN_MS, this.closing.signal).then(
      () => true,
      () => false,
    );
    if (!timeUp || this.closing.signal.aborted) return;
    const events = (this.context.getNodeParameter('events', []) as string[]).join(', ');
    this.context.emitError(
      new NodeOperationError(this.context.getNode(), 'No event came within two minutes', {
        description: `It waited for: ${events}. Click "Listen" again and then place, change or cancel an order.`,
      }),
    );
  }

  private get id(): string {
    return `${this.context.getWorkflow().id}:${this.context.getNode().id}`;
  }
}
