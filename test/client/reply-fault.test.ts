/** A failure with the status of a success, as gateways and older services write it: it is never an empty list, an empty account, or a price. */
import { UnreadableReplyError } from '../../client/base/errors';
import { getCandles } from '../../client/market/candles';
import { intentApi } from '../../client/orders/api/intent/intent';
import { v2Api } from '../../client/orders/api/v2/v2';
import { getFunds, getHoldings, getPositions } from '../../client/portfolio/portfolio';
import { requireNoFault } from '../../client/reply-fault';
import { createTransport, type Transport } from '../../client/transport';
import type { Json, JsonObject } from '../../client/values/json';
import { seededRandom, VirtualTime } from '../support/virtual-time';

let made = 0;
/** A service that answers everything with one reply. */
function answering(reply: unknown) {
  const time = new VirtualTime();
  const transport = createTransport({
    http: async () => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(reply)) }),
    clock: time.clock,
    random: seededRandom(1),
    baseUrl: `https://failing-${made++}.broker.example`,
    deviceId: 'n8n',
  });
  return { time, transport };
}

/** Failures as clients of Indian brokers print them. */
const FAULTS: readonly object[] = [
  { error: 'Something went wrong' },
  { error: { code: 'X' } },
  { errors: [{ errorCode: 'UDAPI100050' }] },
  { status: 'error', message: 'Unable to fetch', error_type: 'GeneralException' },
  { status: false, message: 'Invalid Token', errorcode: 'AG8001' },
  { status: 'failure', remarks: 'x' },
  { success: false, message: 'Try later' },
  { success: 'false' },
  { stat: 'Not_Ok', emsg: 'no data' },
  { stat: 'Not_Ok', errMsg: 'No Data', stCode: 5203 },
  { code: 500, message: 'Internal' },
  { statusCode: '503' },
  { status: 401, message: 'Unauthorised' },
  { ok: false },
  { s: 'error', code: -16, message: 'Could not authenticate the user' },
  { code: -1021, msg: 'Timestamp for this request is outside of the recvWindow.' },
  { fault: { code: 900804, message: 'Message throttled out' } },
  { errorMessage: 'Session expired', orders: [] },
  { ErrorCode: 'DH-901' },
  { error_description: 'token is not valid' },
  { isError: true },
];

const DAY = Date.parse('2026-11-23T00:00:00+05:30');
/** Reads, and the reply in which each has nothing. */
const READS: readonly (readonly [string, object, (transport: Transport) => Promise<unknown>])[] = [
  ['orders', { orders: null }, (t) => v2Api(t).orders.list()],
  ['baskets', { baskets: null }, (t) => v2Api(t).baskets.list()],
  ['intent orders', { orders: {} }, (t) => intentApi(t).orders.list()],
  ['strategies', { orders: { open: null } }, (t) => intentApi(t).baskets.list()],
  ['positions', { message: 'positions', portfolio: null }, (t) => getPositions(t)],
  ['holdings', { portfolio: { holdings: null } }, (t) => getHoldings(t)],
  ['newer positions', { portfolio: null }, (t) => getPositions(t, undefined, 'intent')],
  ['newer holdings', { portfolio: { holdings: [] } }, (t) => getHoldings(t, undefined, 'intent')],
  ['funds', { port_funds_and_margin: {} }, (t) => getFunds(t)],
  [
    'candles',
    { result: [] },
    async (t) =>
      await getCandles(t, {
        ...{ exchange: 'NSE', type: 'STOCK', symbols: ['INFY'], fields: ['close'], interval: '1d' },
        ...{ from: DAY, to: DAY + 86_400_000, unit: 'paise' },
      }),
  ],
];

describe.each(READS)('%s', (_, empty, read) => {
  it.each(FAULTS.map((fault) => [fault]))('are refused where the reply also says %j', async (fault) => {
    const { time, transport } = answering({ ...empty, ...fault });
    const refused = time.run(read(transport));
    await expect(refused).rejects.toBeInstanceOf(UnreadableReplyError);
    await expect(refused).rejects.toThrow(/with an error instead of data/);
  });
});

it.each<JsonObject & { message: string }>([
  { message: 'Internal error', orders: null },
  { message: 'Failed to fetch positions', portfolio: null },
  { message: 'backend timeout', data: null, orders: null },
  { message: 'Something went wrong, try again', orders: null },
])('a message of a failure with null in place of all data is one: %j', (reply) => {
  expect(() => requireNoFault(reply, 'GET /x')).toThrow(reply.message);
});

it('the words of the service are told, and never a secret', () => {
  const failed = { success: false, message: 'Token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijklmnop expired' };
  const check = (): void => requireNoFault(failed as Json, 'GET /x');
  expect(check).toThrow(/^The service answered GET \/x with an error instead of data\. It said: Token .* expired/);
  expect(check).not.toThrow(/eyJhbGci/);
});

it.each<[Json]>([
  [[]],
  [null],
  [{ error: '', errors: [], error_code: 0, success: true, status: 'success', code: 200, message: 'ok' }],
  [{ s: 'ok', code: 0, isError: false, errorMessage: '', fault: null }],
  [{ error: null, status: 'ACTIVE', code: '1', stat: 'Ok', errorcode: '' }],
  [{ error: 'null', errorCode: 'No error', status: true }],
  [{ message: 'No error', orders: null }],
  [{ message: 'orders', orders: null }],
  [{ message: 'cancelled, try again for the others' }],
  [{ order_id: '5', order_status: 'ORDER_STATUS_REJECTED', error: 'RMS: margin exceeds' }],
])('a reply is taken that says nothing of the kind, or is a record with its own reason: %j', (reply) => {
  expect(() => requireNoFault(reply, 'GET /x')).not.toThrow();
});
