import { type Connection, type CredentialFields, readConnection } from '../../client/session/settings';
import { type Transport, type TransportOptions, createTransport, rateLimits } from '../../client/transport';
import type { CredentialStore } from '../../client/session/session-manager';
import type { IExecuteFunctions, IHttpRequestHelper, ILoadOptionsFunctions } from 'n8n-workflow';
import { readOrdersPerSecond } from '../../client/orders/model/guard-settings';
import { sharedMarketClock, type MarketClock } from '../../client/market-clock';
import { clock } from '../host/clock';
import { plainHttp, authenticatedHttp, authenticatedHttpStream, storeOf } from '../host/http';
import { oneAccountStore } from './oneAccountStore';
import { originHeaders } from './originHeaders';

/** The service of a credential: the address of requests, and the client's transport to it. */
export interface Service {
  connection: Connection;
  transport: Transport;
  credential: CredentialFields;
  /** Says something beside the output, once: that an earlier list of instruments serves. */
  notify?(message: string): void;
}

/** As an execution of the node has it. */
export interface ExecutionService extends Service {
  /** The credential as n8n stores it: other processes may have changed it since. */
  store: CredentialStore;
  /** Transport for work that continues after a step: it names no run to a sandbox, so that its clock takes no time for it. */
  backgroundTransport: Transport;
  /** Returns true if the clock of a sandbox was moved since the service was opened. */
  wasClockMoved(): Promise<boolean>;
}

/**
 * Opens the service of the credential that the node has.
 * @param secrets gets every secret of the credential, which no error may hold.
 * @param assumesClock true if a sandbox need not be asked for its time where an earlier reply told it: the caller looks at `wasClockMoved`.
 * @throws InputError if the credential's address is none, or it is another account's than before in this execution.
 */
export async function openService(
  functions: IExecuteFunctions | ILoadOptionsFunctions,
  secrets: Set<string>,
  assumesClock = false,
): Promise<ExecutionService> {
  const store = oneAccountStore(storeOf(functions, secrets), functions);
  const credential = await store.readStored();
  const connection = readConnection(credential);
  const marketClock = await marketClockOf(connection, functions, assumesClock);
  const state = marketClock?.state;
  const options: TransportOptions = {
    http: authenticatedHttp(functions, store),
    httpStream: authenticatedHttpStream(functions, store),
    clock,
    marketClock,
    random: Math.random,
    baseUrl: connection.baseUrl,
    deviceId: connection.deviceId,
    secrets,
    limits: rateLimits(connection.environment, readOrdersPerSecond(credential)),
  };
  const headers = connection.environment === 'sandbox' ? originHeaders(functions) : {};
  return {
    connection,
    transport: createTransport({ ...options, headers }),
    backgroundTransport: createTransport(options),
    credential,
    store,
    wasClockMoved: async () =>
      state !== undefined && (await marketClock?.hasMoved(state, plainHttp(functions), connection.baseUrl)) === true,
    ...notifierOf(functions),
  };
}

/** Returns an operation's way to report something beside its output; a list in the editor has no place for it. */
function notifierOf(functions: IExecuteFunctions | ILoadOptionsFunctions): Pick<Service, 'notify'> {
  if (!('addExecutionHints' in functions)) return {};
  return { notify: notifyOnce((message) => functions.addExecutionHints({ message, location: 'outputPane' })) };
}

/** Says each message once. */
export function notifyOnce(notify: (message: string) => void): (message: string) => void {
  const reported = new Set<string>();
  return (message) => {
    if (reported.has(message)) return;
    reported.add(message);
    notify(message);
  };
}

/**
 * Returns the clock of a sandbox, which is asked for its time: the user may have moved it since the last reply.
 * @param isAssumed true to ask only if no reply has told it yet.
 * @returns undefined if the market's time is the machine's
 */
export async function marketClockOf(
  { environment, baseUrl }: Connection,
  functions: IHttpRequestHelper,
  isAssumed = false,
): Promise<MarketClock | undefined> {
  if (environment !== 'sandbox') return undefined;
  const marketClock = sharedMarketClock(baseUrl, clock);
  if (!isAssumed || marketClock.state === undefined) await marketClock.measure(plainHttp(functions), baseUrl);
  return marketClock;
}
