/** The kinds of hostile input. Each takes a source of randomness and throws when something is wrong. */
import type { INode } from 'n8n-workflow';
import { BrokerageError } from '../../client/base/errors';
import type { WireRequest } from '../../client/base/ports';
import { bhavcopyRows } from '../../client/market/bhavcopy';
import { getCandles } from '../../client/market/candles';
import { getOptionChain } from '../../client/market/option-chain';
import { getCurrentPrice, getOrderBook } from '../../client/market/quotes';
import { cancelOrder } from '../../client/orders/changing/change-order';
import { v2Api } from '../../client/orders/api/v2/v2';
import { placeOrder } from '../../client/orders/placing/place';
import type { PlacementContext } from '../../client/orders/account/placement-context';
import { PlacementRegistry } from '../../client/orders/account/placement-registry';
import { getFunds, getHoldings, getPositions } from '../../client/portfolio/portfolio';
import { downloadReport, getAvailableReports, viewReport } from '../../client/reports/reports';
import { readConnection, readSettings, readState } from '../../client/session/settings';
import { readFrame } from '../../client/stream/account-feed/frames';
import { readOrderMessage } from '../../client/stream/reconciliation/order-message';
import { createTransport, type Transport } from '../../client/transport';
import { fileNameIn } from '../../client/values/headers';
import { readIdentifier, oneOf as oneOfWords, plainText, wholeNumber } from '../../client/values/input';
import { percentToHundredths, priceToPaise, rupeesToPaise } from '../../client/values/money';
import { parseDate, parseInstant } from '../../client/values/time';
import { nodeError } from '../../nodes/shared/errors';
import { DecodeError } from '../../proto/reader';
import { replySchemas } from '../../sandbox/src/web/reply-schemas';
import { LIMIT_BUY, orderRequest } from '../client/orders/support';
import { typeOf } from '../proto/support';
import { VirtualClock } from '../support/clock';
import {
  SECRETS,
  below,
  echoes,
  grown,
  hostileText,
  hostileValue,
  mutated,
  oneOf,
  replyBytes,
  type Random,
  type Schema,
} from './hostile';

const schemas = Object.values(replySchemas({ platformWord: 'acme', serviceWord: 'zip' })).map(
  (replies) => Object.values(replies)[0] as Schema,
);

const NODE: INode = {
  id: '1',
  name: 'Brokerage',
  type: 'brokerage',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

/**
 * Checks an error that the user sees: it is ours, without a secret, whatever surrounds it. @throws the error itself if
 * it is not ours
 */
export function checkError(error: unknown): void {
  if (!(error instanceof BrokerageError)) throw error;
  const { message, description } = nodeError(NODE, error, { secrets: Object.values(SECRETS) });
  const text = `${message}\n${description}`;
  for (const secret of Object.values(SECRETS).flatMap(echoes))
    if (text.includes(secret)) throw new Error(`A secret stands in an error: ${text}`);
  if (text.length > 10_000) throw new Error(`An error of ${text.length} characters`);
}

/** A request with the status of its reply. */
type Answered = WireRequest & { status: number };

const STATUSES = [200, 200, 200, 200, 200, 201, 204, 301, 400, 401, 403, 404, 409, 422, 429, 440, 500, 503];
let made = 0;

/** A service that answers with values of any of our schemas, and with what is wrong with them. */
function hostileService(random: Random): { transport: Transport; requests: Answered[] } {
  const requests: Answered[] = [];
  const wrong = oneOf(random, [0, 0.02, 0.1, 0.4]);
  const schema = oneOf(random, schemas);
  const transport = createTransport({
    http: async (request) => {
      const status = oneOf(random, STATUSES);
      requests.push({ ...request, status });
      return {
        status,
        headers: {
          'content-type': oneOf(random, ['application/json', 'text/html', 'application/pdf', hostileText(random)]),
          'content-disposition': `attachment; filename="${hostileText(random)}"`,
          'retry-after': oneOf(random, ['1', '99999999', '-1', hostileText(random)]),
        },
        body: replyBytes(grown(random() < 0.8 ? schema : oneOf(random, schemas), random, wrong), random),
      };
    },
    clock: new VirtualClock(),
    random,
    baseUrl: `https://fuzz-${made++}.example`,
    deviceId: 'fuzz',
    authenticate: () => ({ authorization: `Bearer ${SECRETS.session}` }),
    secrets: Object.values(SECRETS),
  });
  return { transport, requests };
}

const range = { from: '2026-11-01', to: '2026-11-10' };
const READS: ((transport: Transport) => Promise<unknown>)[] = [
  getHoldings,
  getPositions,
  getFunds,
  getAvailableReports,
  (transport) => getCurrentPrice(transport, { symbol: 'INFY', exchange: 'NSE' }),
  (transport) => getOrderBook(transport, 7, 5),
  (transport) => getOptionChain(transport, { underlying: 'NIFTY', exchange: 'NSE', unit: 'rupees' }),
  (transport) => viewReport(transport, 'demat', range),
  (transport) => downloadReport(transport, 'demat', range, 'PDF'),
  (transport) =>
    getCandles(transport, {
      exchange: 'NSE',
      type: 'STOCK',
      symbols: ['INFY'],
      fields: ['close', 'cumulative_volume'],
      interval: '1mth',
      from: Date.parse('2026-01-01'),
      to: Date.parse('2026-11-01'),
      unit: 'rupees',
    }),
];

/** A question never changes anything. */
const READING_POSTS = /\/(report|charts)\//;

async function replies(random: Random): Promise<void> {
  const { transport, requests } = hostileService(random);
  await oneOf(random, READS)(transport).catch(checkError);
  for (const { method, url } of requests)
    if (method !== 'GET' && !READING_POSTS.test(url)) throw new Error(`A question sent ${method} ${url}`);
}

/** @returns what changes something. @throws where it was sent again after anything else than a clear no */
function writesOf(requests: readonly Answered[]): readonly Answered[] {
  const writes = requests.filter(({ method }) => method !== 'GET');
  if (writes.slice(0, -1).some(({ status }) => status !== 429))
    throw new Error(`Sent ${writes.length} times: ${writes.map(({ status }) => status).join(', ')}`);
  return writes;
}

async function orders(random: Random): Promise<void> {
  const { transport, requests } = hostileService(random);
  const context: PlacementContext = {
    ...v2Api(transport),
    transport,
    placements: new PlacementRegistry(transport.clock),
    scope: 'sandbox/fuzz',
    environment: 'sandbox',
  };
  if (random() < 0.3) {
    await cancelOrder('7', 1_000, context).catch(checkError);
    writesOf(requests);
    return;
  }
  const outcome = await placeOrder(
    orderRequest('fuzz-1', { terms: LIMIT_BUY, isRepeat: random() < 0.3 }),
    context,
  ).catch(checkError);
  if (outcome !== undefined && 'error' in outcome) checkError(outcome.error);
  for (const { body = '' } of writesOf(requests)) {
    const expected = {
      ref_id: 7,
      order_qty: 10,
      order_price: 150_005,
      order_side: 'ORDER_SIDE_BUY',
      price_type: 'LIMIT',
    };
    const sent = JSON.parse(body) as Record<string, unknown>;
    for (const [name, value] of Object.entries(expected))
      if (sent[name] !== value) throw new Error(`${name} was sent as ${String(sent[name])}`);
    if (body.includes(SECRETS.otp) || body.includes('polluted'))
      throw new Error('Something of the service was sent back');
  }
}

const FRAMES = ['SvcToClientIntentUpdate', 'PortfolioResponse'];
const any = typeOf('Any');

async function frames(random: Random): Promise<void> {
  const name = oneOf(random, FRAMES);
  const type = typeOf(name);
  const inner = type
    .encode(
      type.fromObject(
        name === 'PortfolioResponse'
          ? {}
          : {
              intentOrderResponse: {
                intentOrderId: '7',
                orderStatus: below(random, 9),
                displayName: hostileText(random),
                legs: Array.from({ length: below(random, 40) }, () => ({ refId: 1 })),
              },
              intentOrderResponseType: below(random, 12),
            },
      ),
    )
    .finish();
  const repeated = random() < 0.05 ? Buffer.alloc(below(random, 3_000_000), Buffer.from([0x2a, 0])) : new Uint8Array(0);
  const wrap = (value: Uint8Array) =>
    any.encode({ typeUrl: `type.example/zip.${name.replace('Svc', 'Zip')}`, value }).finish();
  const bytes = mutatedShort(wrap(wrap(Buffer.concat([mutatedShort(inner, random), repeated]))), random);
  try {
    const frame = readFrame(bytes);
    if (frame.kind === 'order') readOrderMessage(frame.update);
  } catch (error) {
    if (!(error instanceof DecodeError) && !(error instanceof BrokerageError)) throw error;
  }
}

const mutatedShort = (bytes: Uint8Array, random: Random): Uint8Array =>
  bytes.length < 10_000 ? mutated(bytes, random) : bytes;

async function csv(random: Random): Promise<void> {
  const cell = () => oneOf(random, ['INFY', '1.05', '"a ""b"""', '"', '""', ',', '\n', '\r\n', hostileText(random)]);
  const text = `SYMBOL,SERIES,OPEN\n${Array.from({ length: below(random, 200) }, cell).join(random() < 0.5 ? ',' : '')}`;
  const open = random() < 0.03 ? `"${'x'.repeat(below(random, 3_000_000))}` : '';
  const bytes = Buffer.from(text + open);
  const size = 1 + below(random, random() < 0.2 && bytes.length < 10_000 ? 7 : 65_536);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  try {
    for await (const rows of bhavcopyRows({
      date: '2026-11-20',
      reply: { status: 200, headers: {}, chunks: chunks() },
    }))
      if (rows.length === 0) throw new Error('A batch without rows');
  } catch (error) {
    checkError(error);
  }
}

async function fileNames(random: Random): Promise<void> {
  const name = `${hostileText(random)}/${hostileText(random)}${oneOf(random, ['', '.pdf', '\n', '/..'])}`;
  const header = oneOf(random, [
    `attachment; filename="${name}"`,
    `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`,
    `attachment; filename=${name}`,
    name,
  ]);
  const safe = fileNameIn({ 'content-disposition': header });
  if (safe === undefined) return;
  if (/[\p{Cc}\p{Zl}\p{Zp}\\/:]/u.test(safe) || /^\.|\.$/.test(safe) || Buffer.byteLength(safe) > 255)
    throw new Error(`Not a safe name: ${JSON.stringify(safe)}`);
}

const CREDENTIAL = {
  environment: 'live',
  liveBaseUrl: 'https://api.broker.example',
  deviceId: 'd',
  loginMethod: 'totp',
  phone: '9000000001',
  mpin: SECRETS.mpin,
  totpSecret: SECRETS.totp,
  sessionToken: SECRETS.session,
};

async function credentials(random: Random): Promise<void> {
  const fields: Record<string, unknown> = {
    ...CREDENTIAL,
    loginMethod: oneOf(random, ['totp', 'otp', 'sessionToken']),
  };
  for (const name of [...Object.keys(CREDENTIAL), 'otp', 'pastedToken', 'loginState', 'credentialMark'])
    if (random() < 0.2) fields[name] = hostileValue(random);
  for (const read of [readConnection, readSettings, readState]) {
    try {
      const result = read(fields);
      const { baseUrl } = result as { baseUrl?: string };
      if (baseUrl !== undefined && !/^https:\/\//.test(baseUrl)) throw new Error(`Tokens would go to ${baseUrl}`);
    } catch (error) {
      checkError(error);
    }
  }
}

const PARAMETERS: ((value: unknown) => unknown)[] = [
  (value) => wholeNumber(value, 'quantity', { label: 'Quantity', min: 1, max: 1_000_000 }),
  (value) => readIdentifier(value, 'orderId'),
  (value) => plainText(value, 'tag', { label: 'Tag' }),
  (value) => oneOfWords(value, ['BUY', 'SELL'], 'side', 'Side'),
  (value) => rupeesToPaise(value, 'price'),
  (value) => priceToPaise(value, 'rupees', 'price'),
  (value) => percentToHundredths(value, 'percent'),
  (value) => parseDate(value, 'date'),
  (value) => parseInstant(value, 'from'),
];

async function parameters(random: Random): Promise<void> {
  const value = hostileValue(random);
  for (const read of PARAMETERS) {
    try {
      const result = read(value);
      if (typeof result === 'number' && !Number.isSafeInteger(result))
        throw new Error(`${String(value)} became ${result}`);
      if (typeof result === 'string' && /[\p{Cc}]/u.test(result)) throw new Error(`${JSON.stringify(value)} was taken`);
    } catch (error) {
      checkError(error);
    }
  }
}

export const KINDS = { replies, orders, frames, csv, fileNames, credentials, parameters };
