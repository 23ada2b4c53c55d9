/** Replies that name two accounts: those of the second are not used, whichever reply says so. */
import { MismatchedReplyError } from '../../client/base/errors';
import { intentApi } from '../../client/orders/api/intent/intent';
import { v2Api } from '../../client/orders/api/v2/v2';
import { getFunds, getHoldings, getPositions } from '../../client/portfolio/portfolio';
import { createTransport, type Transport } from '../../client/transport';
import { seededRandom, VirtualTime } from '../support/virtual-time';

let made = 0;
/** A service whose replies name these accounts, one after the other. */
function naming(reply: (code: unknown) => object, codes: readonly unknown[]) {
  const time = new VirtualTime();
  const left = [...codes];
  const transport = createTransport({
    http: async () => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(reply(left.shift()))) }),
    clock: time.clock,
    random: seededRandom(1),
    baseUrl: `https://naming-${made++}.broker.example`,
    deviceId: 'n8n',
  });
  return { time, transport };
}

type AccountRead = (transport: Transport) => Promise<unknown>;
const READS: readonly (readonly [string, (code: unknown) => object, AccountRead])[] = [
  ['orders', (code) => [{ order_id: '1', client_code: code }], (t) => v2Api(t).orders.list()],
  ['orders in other names', (code) => [{ order_id: '1', clientCode: code }], (t) => v2Api(t).orders.list()],
  ['one order', (code) => ({ order_id: '1', client_code: code }), (t) => v2Api(t).orders.get('1')],
  [
    'intent orders',
    (code) => ({ orders: { open: [{ intentOrderId: '1', refId: 7, clientCode: code }] } }),
    (t) => intentApi(t).orders.list(),
  ],
  [
    'strategies',
    (code) => ({ orders: { open: [{ intentOrderId: '1', isMulti: true, legs: [{ refId: 7 }], client_code: code }] } }),
    (t) => intentApi(t).baskets.list(),
  ],
  ['positions', (code) => ({ portfolio: { client_code: code } }), (t) => getPositions(t)],
  ['holdings', (code) => ({ portfolio: { client_code: code } }), (t) => getHoldings(t)],
  ['newer positions', (code) => ({ portfolio: { clientCode: code } }), (t) => getPositions(t, undefined, 'intent')],
  ['newer holdings', (code) => ({ portfolio: { client_code: code } }), (t) => getHoldings(t, undefined, 'intent')],
  ['funds', (code) => ({ port_funds_and_margin: { client_code: code } }), (t) => getFunds(t)],
  ['newer funds', (code) => ({ portFundsAndMargin: { clientCode: code } }), (t) => getFunds(t, undefined, 'intent')],
];

describe.each(READS)('%s', (_, reply, read) => {
  it.each([
    ['the same', ['A1', 'A1']],
    ['the same in other letters', ['A1', ' a1 ']],
    ['none', ['A1', '']],
    ['0', ['A1', 0]],
    ['none, and null before', [null, 'A1']],
  ])('are read where the account is %s', async (__, codes) => {
    const { time, transport } = naming(reply, codes);
    for (const _reply of codes) await expect(time.run(read(transport))).resolves.toBeDefined();
  });

  it('are not used where they are of another account than before', async () => {
    const { time, transport } = naming(reply, ['A1', 'B2', 'A1']);
    await time.run(read(transport));
    const refused = time.run(read(transport));
    await expect(refused).rejects.toBeInstanceOf(MismatchedReplyError);
    await expect(refused).rejects.toThrow(
      /of the account B2, but this credential reads the account A1. The answer was not used/,
    );
    await expect(time.run(read(transport))).resolves.toBeDefined();
  });
});

it('orders of two accounts in one list are not used', async () => {
  const { time, transport } = naming(
    () => [
      { order_id: '1', client_code: 'A1' },
      { order_id: '2', client_code: 'B2' },
    ],
    [],
  );
  await expect(time.run(v2Api(transport).orders.list())).rejects.toThrow(
    'of the account B2, but this credential reads the account A1',
  );
});

it("positions are not used where the day's orders are of another account", async () => {
  const replies: object[] = [[{ order_id: '1', client_code: 'A1' }], { portfolio: { client_code: 'B2' } }];
  const { time, transport } = naming((code) => code as object, replies);
  await time.run(v2Api(transport).orders.list());
  await expect(time.run(getPositions(transport))).rejects.toThrow('list of positions of the account B2');
});
