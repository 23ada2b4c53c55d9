/** The life of the trigger, from activation (or "Listen") to its end. */
import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { clock } from '../shared/clock';
import { nodeError } from '../shared/errors';
import { watchOrders } from './orderWatch';
import { watchPortfolio } from './portfolioWatch';
import { watchForPrice } from './priceWatch';
import { properties } from './properties';
import { ended, failed, isRetry } from './reactivation';
import { openTriggerService, type TriggerService } from './service';
import { readWatch } from './settings';
import { Stage, type Running } from './triggerContext';
import type { Watch } from './watches';

const LISTEN_MS = 2 * 60_000;

const WATCH: Record<Watch, (stage: Stage, open: () => Promise<TriggerService>) => Promise<Running>> = {
  orders: watchOrders,
  portfolio: watchPortfolio,
  price: watchForPrice,
};

export async function listen(context: ITriggerFunctions): Promise<ITriggerResponse> {
  const listening = new Listening(context, context.getMode() === 'manual');
  const closeFunction = async (): Promise<void> => await listening.close();
  if (listening.manual) return { closeFunction, manualTriggerFunction: async () => await listening.open() };
  await listening.open();
  return { closeFunction };
}

class Listening {
  private readonly closing = new AbortController();
  private readonly workflowId: string;
  private beganAt = 0;
  private starting: Promise<Running> | undefined;
  private stage: Stage | undefined;

  constructor(
    private readonly context: ITriggerFunctions,
    readonly manual: boolean,
  ) {
    this.workflowId = String(context.getWorkflow().id);
  }

  /** Resolves when events flow; rejects with an error that the person can act upon. */
  async open(): Promise<void> {
    this.beganAt = clock.now();
    const retry = !this.manual && isRetry(this.workflowId);
    try {
      const beforeFatal = (): void => {
        if (!this.manual) failed(this.workflowId);
      };
      const stage = new Stage(this.context, { manual: this.manual, retry, signal: this.closing.signal, beforeFatal });
      this.stage = stage;
      stage.goOn();
      this.starting = WATCH[readWatch(this.context)](stage, async () => await openTriggerService(this.context));
      await this.starting;
    } catch (error) {
      if (retry) failed(this.workflowId);
      throw nodeError(this.context.getNode(), error, { properties });
    }
    if (this.manual) void this.giveUp();
  }

  /** Leaves nothing behind, also while it is still starting; never rejects. */
  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    const running = await this.starting?.catch(() => undefined);
    await running?.stop();
    await this.stage?.lastIsStored();
    if (!this.manual) ended(this.workflowId, this.beganAt);
  }

  /** In a manual run: ends the listening after a while, saying what was waited for. */
  private async giveUp(): Promise<void> {
    const timeUp = await clock.sleep(LISTEN_MS, this.closing.signal).then(
      () => true,
      () => false,
    );
    if (!timeUp || this.closing.signal.aborted) return;
    this.context.emitError(
      new NodeOperationError(this.context.getNode(), 'Nothing came within two minutes', {
        description: `It waited for: ${this.waitsFor()}. Click "Execute step" again, and then let it happen.`,
      }),
    );
  }

  private waitsFor(): string {
    const watch = readWatch(this.context);
    if (watch === 'price') return `the price condition ${String(this.context.getNodeParameter('condition', ''))}`;
    return (this.context.getNodeParameter(watch === 'orders' ? 'events' : 'parts', []) as string[]).join(', ');
  }
}
