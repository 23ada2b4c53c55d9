/** The life of a trigger, from its activation (or *Execute step* in the editor) to its end. */
import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { pause } from '../../client/waiting';
import { clock } from '../host/clock';
import { nodeError } from '../shared/errors';
import { TriggerContext } from './context/triggerContext';
import { openTriggerService } from './context/triggerService';
import { properties } from './properties';
import { ended, failed, isRetry } from './reactivation';
import { orderEvents } from './watches/orderEvents';
import { portfolioUpdates } from './watches/portfolioUpdates';
import { priceAlert } from './watches/priceAlert';
import { readWatchName, type RunningWatch, type Watch, type WatchName } from './watches/watch';

/** How long a trigger listens in the editor, milliseconds. */
const LISTEN_MS = 2 * 60_000;

const WATCHES: Record<WatchName, Watch> = { orders: orderEvents, portfolio: portfolioUpdates, price: priceAlert };

/** Begins at once where the workflow is published; in the editor when the person asks to listen. */
export async function beginTrigger(n8n: ITriggerFunctions): Promise<ITriggerResponse> {
  const life = new TriggerLife(n8n, n8n.getMode() === 'manual');
  const closeFunction = async (): Promise<void> => await life.close();
  if (life.manual) return { closeFunction, manualTriggerFunction: async () => await life.open() };
  await life.open();
  return { closeFunction };
}

class TriggerLife {
  private readonly closing = new AbortController();
  private readonly workflowId: string;
  private beganAt = 0;
  private starting: Promise<RunningWatch> | undefined;
  private context: TriggerContext | undefined;

  constructor(
    private readonly n8n: ITriggerFunctions,
    readonly manual: boolean,
  ) {
    this.workflowId = String(n8n.getWorkflow().id);
  }

  /** Resolves when events flow. @throws NodeOperationError that the person can act upon. */
  async open(): Promise<void> {
    this.beganAt = clock.now();
    const retry = !this.manual && isRetry(this.workflowId);
    try {
      const beforeFatal = (): void => {
        if (!this.manual) failed(this.workflowId);
      };
      const { signal } = this.closing;
      const context = new TriggerContext(this.n8n, { manual: this.manual, retry, signal, properties, beforeFatal });
      this.context = context;
      await context.redeliver();
      const watch = WATCHES[readWatchName(this.n8n)];
      this.starting = watch.start(context, async () => await openTriggerService(this.n8n));
      await this.starting;
    } catch (error) {
      if (retry) failed(this.workflowId);
      throw nodeError(this.n8n.getNode(), error, { properties });
    }
    if (this.manual) void this.giveUp();
  }

  /** Leaves nothing behind, also while it is still starting; never rejects. */
  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    const running = await this.starting?.catch(() => undefined);
    await running?.stop();
    await this.context?.lastIsStored();
    if (!this.manual) ended(this.workflowId, this.beganAt);
  }

  /** In the editor: ends the listening after a while, saying what was waited for. */
  private async giveUp(): Promise<void> {
    if (!(await pause(clock, LISTEN_MS, this.closing.signal))) return;
    const waitsFor = WATCHES[readWatchName(this.n8n)].waitsFor(this.n8n);
    this.n8n.emitError(
      new NodeOperationError(this.n8n.getNode(), 'Nothing came within two minutes', {
        description: `It waited for: ${waitsFor}. Click "Execute step" again, then cause the event.`,
      }),
    );
  }
}
