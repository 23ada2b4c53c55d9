/** The life of a trigger, from its activation (or *Execute step* in the editor) to its end. */
import { attempt } from '../../client/attempt';
import { NodeOperationError, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';
import { InputError, SessionError, type BrokerageError } from '../../client/base/errors';
import { CredentialChanges } from '../../client/session/credential-change';
import { pauseUnlessAborted } from '../../client/abortable';
import { clock } from '../host/clock';
import { CREDENTIAL_TYPE } from '../host/http';
import { labelOf, nodeError } from '../shared/errors';
import { collectionFields, requireFields } from '../shared/collectionFields';
import { TriggerContext } from './context/triggerContext';
import { openTriggerService } from './context/triggerService';
import { properties } from './properties';
import { marketData } from './watches/marketData';
import { marketTime } from './watches/marketTime';
import { optionChain } from './watches/optionChain';
import { orderEvents } from './watches/orderEvents';
import { orderExits } from './watches/orderExits';
import { portfolioAlert } from './watches/portfolioAlert';
import { portfolioUpdates } from './watches/portfolioUpdates';
import { priceAlert } from './watches/priceAlert';
import { readWatchName, type RunningWatch, type Watch, type WatchName } from './watches/watch';

/** Time for which a trigger listens in the editor, milliseconds. */
const LISTEN_MS = 2 * 60_000;
/** Milliseconds between two looks at the stored credential. */
const ASKS_CREDENTIAL_MS = 5_000;
/** Milliseconds until a corrected credential is tried again where the service could not be reached. */
const TRIES_AGAIN_MS = 20_000;

const WATCHES: Record<WatchName, Watch> = {
  orders: orderEvents,
  portfolio: portfolioUpdates,
  price: priceAlert,
  market: marketData,
  marketTime,
  optionChain,
  orderExits,
  portfolioAlert,
};

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
  private running: Promise<RunningWatch> | undefined;
  private context: TriggerContext | undefined;
  /** Content of the credential when the service was opened last. */
  private credential: CredentialChanges | undefined;
  /** True if the credential was read and the service is not open: an error is then the credential's. */
  private isOpening = false;
  /** Ends that were told while the trigger comes back, the newest last; undefined while it is not coming back. */
  private errorsMeanwhile: BrokerageError[] | undefined;

  constructor(
    private readonly n8n: ITriggerFunctions,
    readonly manual: boolean,
  ) {}

  /**
   * Resolves when events flow; or, where n8n activates the workflow on its own and no login is possible, when the trigger waits
   * for a corrected credential.
   * @throws NodeOperationError that the person can act upon.
   */
  async open(): Promise<void> {
    const { signal } = this.closing;
    const onFatal = (error: BrokerageError): void => this.cannotGoOn(error);
    this.context = new TriggerContext(this.n8n, { manual: this.manual, signal, properties, onFatal });
    try {
      await this.context.redeliver();
      await this.start(this.context);
    } catch (error) {
      if (!this.context.isAfresh && this.isOfCredential(error)) this.cannotGoOn(error);
      else throw nodeError(this.n8n.getNode(), error, { properties, secrets: this.context.secrets });
    }
    if (this.manual) void this.giveUp();
  }

  /** Leaves nothing behind, also while it is still starting; never rejects. */
  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    await this.stop();
    await this.context?.lastIsStored();
  }

  private async start(context: TriggerContext): Promise<void> {
    const { parameters } = this.n8n.getNode();
    for (const [name, memberNames] of collectionFields(properties))
      requireFields(parameters[name], memberNames, name, labelOf(properties, name) ?? name);
    const watch = WATCHES[readWatchName(this.n8n)];
    this.running = watch.start(context, async () => {
      this.credential = new CredentialChanges(await this.n8n.getCredentials(CREDENTIAL_TYPE));
      this.isOpening = true;
      const service = await openTriggerService(this.n8n, context.secrets);
      this.isOpening = false;
      if (service.connection.environment === 'sandbox') context.countRunsAmong(service.runs);
      return service;
    });
    await this.running;
    context.hasBegun();
  }

  private async stop(): Promise<void> {
    const running = await this.running?.catch(() => undefined);
    this.running = undefined;
    await running?.stop();
  }

  /** Returns true if only the user can fix it, in the credential. */
  private isOfCredential(error: unknown): error is BrokerageError {
    return error instanceof SessionError || (error instanceof InputError && this.isOpening);
  }

  /** Handles an end of the trigger: streams and reads that end by one cause each report it, and only one return is in progress. */
  private cannotGoOn(error: BrokerageError): void {
    if (this.errorsMeanwhile !== undefined) return void this.errorsMeanwhile.push(error);
    const errors: BrokerageError[] = [];
    this.errorsMeanwhile = errors;
    void this.comeBack(error, errors).finally(() => (this.errorsMeanwhile = undefined));
  }

  /**
   * Handles a credential with which the trigger cannot continue. n8n would activate it again after a second, then after twice as long each
   * time, up to a day, with a login at each. Instead it waits here until the credential has changed, which it asks only n8n for.
   * @param errors collects the other ends of the trigger meanwhile.
   */
  private async comeBack(error: BrokerageError, errors: BrokerageError[]): Promise<void> {
    const { signal } = this.closing;
    const context = this.context as TriggerContext;
    await this.stop();
    let reason = error;
    while (!signal.aborted) {
      if (!(await this.isCorrected())) context.cannotLogIn(reason);
      while (!(await this.isCorrected())) if (!(await pauseUnlessAborted(clock, ASKS_CREDENTIAL_MS, signal))) return;
      // What was told until here is of the watch that was stopped.
      errors.length = 0;
      const outcome = await attempt(this.startAgain(context));
      const ended = errors.at(-1);
      if (signal.aborted || (outcome.ok && ended === undefined)) return;
      await this.stop();
      if (outcome.ok) reason = ended!;
      else if (this.isOfCredential(outcome.error)) reason = outcome.error;
      else {
        context.cannotStart(outcome.error);
        if (!(await pauseUnlessAborted(clock, TRIES_AGAIN_MS, signal))) return;
        // Nothing is known against this one.
        this.credential = undefined;
      }
    }
  }

  private async startAgain(context: TriggerContext): Promise<void> {
    context.info('starts again with the changed credential');
    this.isOpening = false;
    await this.start(context);
    context.info('is back, and starts the workflow for what happened meanwhile');
  }

  /** Returns true if the credential differs from the one with which the service was opened last. */
  private async isCorrected(): Promise<boolean> {
    const read = await attempt(this.n8n.getCredentials(CREDENTIAL_TYPE));
    return read.ok && this.credential?.isCorrectedBy(read.value) !== false;
  }

  /** In the editor: ends the listening after a while, saying what was waited for. */
  private async giveUp(): Promise<void> {
    if (!(await pauseUnlessAborted(clock, LISTEN_MS, this.closing.signal))) return;
    const waitsFor = WATCHES[readWatchName(this.n8n)].waitsFor(this.n8n);
    this.n8n.emitError(
      new NodeOperationError(this.n8n.getNode(), 'Nothing came within two minutes', {
        description: `It waited for: ${waitsFor}. Click "Execute step" again, then make the event happen.`,
      }),
    );
  }
}
