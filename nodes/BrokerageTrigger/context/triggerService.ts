/** The feed's use of n8n: signed requests, the stored session, sockets. */
import { attempt } from '../../../client/attempt';
import { createHash } from 'crypto';
import type { ITriggerFunctions } from 'n8n-workflow';
import { SessionError } from '../../../client/base/errors';
import { getCandles } from '../../../client/market/candles';
import { getCurrentPrice } from '../../../client/market/quotes';
import type { OrderApi } from '../../../client/orders/api/order-api';
import { tradingScope } from '../../../client/orders/model/tags';
import type { SocketMaker, StreamSocket } from '../../../client/base/ports';
import type { CredentialStore } from '../../../client/session/session-manager';
import { getUserInfo } from '../../../client/session/account';
import { isCredentialId, readConnection, readState, type CredentialFields } from '../../../client/session/settings';
import type { FeedDeps } from '../../../client/stream/account-feed/types';
import type { StreamAccess } from '../../../client/stream/connection/socket';
import { requestStreamAddress, type StreamName } from '../../../client/stream/connection/stream-address';
import type { MarketData } from '../../../client/stream/market-data/market-data';
import type { MarketDeps } from '../../../client/stream/market-data/market-feed';
import { requestDayBaskets, requestDayOrders } from '../../../client/stream/account-feed/day-requests';
import { createTransport, rateLimits, type Transport, type TransportOptions } from '../../../client/transport';
import { accountOf } from '../../shared/accountApi';
import { clock } from '../../host/clock';
import { accountKey, sharedMarketData } from '../../shared/feeds';
import { authenticatedHttp, storeOf } from '../../host/http';
import { TriggerRuns } from './runs';
import { triggerOriginHeaders } from '../../shared/originHeaders';
import { marketClockOf, notifyOnce, type Service } from '../../shared/service';

export interface TriggerService extends Service {
  /** Identifies the account, for every way to log in. */
  scope: string;
  /** Identifies the account and its login. */
  account: string;
  deps: FeedDeps;
  /** Live market data; one socket for all who use the credential. */
  market: MarketData;
  /** The runs that triggers on the account have started. */
  runs: TriggerRuns;
  /** Transport of what a trigger orders by itself: it names its workflow to a sandbox, whose clock takes time for it. */
  orderingTransport: Transport;
  /** Lets the clock of a sandbox wait for more than runs; undefined with another service. */
  holdClock: TriggerRuns['holdClock'] | undefined;
}

const makeSocket: SocketMaker = (url) => new WebSocket(url) as unknown as StreamSocket;

/**
 * @param secrets gets every secret of the credential, which no error and no log line may hold.
 * @throws InputError if the credential is not filled in as it must be.
 */
export async function openTriggerService(context: ITriggerFunctions, secrets: Set<string>): Promise<TriggerService> {
  const store = storeOf(context, secrets);
  const fields = await store.readStored();
  const connection = readConnection(fields);
  const scope = scopeMark(fields);
  /** The credential may have been changed since: what another account has done was not missed here. */
  const inScope = async <T>(reply: T): Promise<T> => {
    if (scopeMark(store.readLately() ?? (await store.readStored())) === scope) return reply;
    throw new SessionError('The credential belongs to another account or environment now.', {
      hint: 'The trigger restarts by itself with the new account. If it does not, publish the workflow again.',
    });
  };
  const options: TransportOptions = {
    http: authenticatedHttp(context, store),
    clock,
    marketClock: await marketClockOf(connection, context),
    random: Math.random,
    baseUrl: connection.baseUrl,
    deviceId: connection.deviceId,
    secrets,
    limits: rateLimits(connection.environment),
  };
  const isSandbox = connection.environment === 'sandbox';
  const transport = createTransport(options);
  // The first login gives a credential its mark: a key made before would differ, with separate sockets.
  if (!isCredentialId(readState(fields).mark)) await attempt(getUserInfo(transport));
  const account = accountKey(await store.readStored());
  const sockets = { clock, random: Math.random, makeSocket };
  const runs = TriggerRuns.of(account);
  /** A sandbox's clock waits for what a message of its streams has started; another service knows nothing of it. */
  const waited = isSandbox ? { runsDone: runs.allDone } : {};
  const holdClock = isSandbox ? runs.holdClock : undefined;
  const accessTo = async (stream: StreamName, signal: AbortSignal): Promise<StreamAccess> =>
    await inScope({ ...(await access(store, transport, stream, signal)), ...waited });
  const interfaceOver = (over: Transport): OrderApi => accountOf({ credential: fields, transport: over });
  const marketDeps: MarketDeps = {
    ...sockets,
    access: async (signal) => await accessTo('market', signal),
    candles: async (request) => await getCandles(transport, request),
    price: async (instrument, signal) => (await getCurrentPrice(transport, instrument, signal)).price,
    ...(holdClock && { holdClock }),
  };
  return {
    connection,
    transport,
    credential: fields,
    notify: notifyOnce((message) => context.logger.warn(message)),
    account,
    scope,
    runs,
    orderingTransport: isSandbox ? createTransport({ ...options, headers: triggerOriginHeaders(context) }) : transport,
    holdClock,
    market: sharedMarketData.of(account, marketDeps, connection.environment),
    deps: {
      ...sockets,
      access: async (signal) => await accessTo('orders', signal),
      orders: async (signal) => await inScope(await requestDayOrders(transport, interfaceOver, signal)),
      baskets: async (signal) => await inScope(await requestDayBaskets(transport, interfaceOver, signal)),
    },
  };
}

/** Too short to tell the phone number by: it is stored with the workflow. */
const MARK_LETTERS = 4;

function scopeMark(fields: CredentialFields): string {
  return createHash('sha256').update(tradingScope(fields)).digest('hex').slice(0, MARK_LETTERS);
}

/** Renews an expired session by a request and stores it; the credential is therefore read after it. */
async function access(
  store: CredentialStore,
  transport: Transport,
  stream: StreamName,
  signal: AbortSignal,
): Promise<StreamAccess> {
  const hosts = await store.readStored();
  const address = await requestStreamAddress(transport, stream, String(hosts.streamHosts ?? ''), signal);
  const { sessionToken } = readState(await store.readStored());
  if (sessionToken === '')
    throw new SessionError('n8n is not logged in with this credential yet.', {
      hint: 'Open the credential and save it: that logs in.',
    });
  return { ...address, token: sessionToken };
}
