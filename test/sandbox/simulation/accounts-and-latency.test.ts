import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { logIn, pin, start, totpAt, type Bench, now } from '../support';
import { parseOptions } from '../../../sandbox/src/simulation/command-line';
import { latencyOf } from '../../../sandbox/src/simulation/latency';

let bench: Bench | undefined;
const folders: string[] = [];
afterEach(async () => {
  await bench?.close();
  bench = undefined;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const file = (text: string): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'latency-'));
  folders.push(folder);
  const name = path.join(folder, 'latency.json');
  writeFileSync(name, text);
  return name;
};

async function logInAs({ http }: Bench, phone: string) {
  const [{ mpin, totp_secret }] = (await handedOut(http)).filter((account) => account.phone === phone) as [HandedOut];
  const body = { phone, totp: totpAt(totp_secret, await now(http)), otp: '' };
  const { data } = await http.post('/totp/login', body, { headers: { 'x-device-id': phone } });
  return await pin(http, String(data.auth_token), mpin, phone);
}

interface HandedOut {
  phone: string;
  mpin: string;
  totp_secret: string;
}

/** Returns each account on the page of cards. */
const handedOut = async (http: Bench['http']): Promise<HandedOut[]> => (await http.get('/_sandbox/page/accounts')).data;

it('two hundred users log in apart from each other and trade with each other', async () => {
  bench = await start({ accounts: 200, latency: '0', hours: 'exchange' });
  const { world } = bench.running.sandbox;
  expect(world.accounts.ids()).toHaveLength(200);
  expect(new Set(world.accounts.ids()).size).toBe(200);
  const logins = await handedOut(bench.http);
  expect(new Set(logins.map(({ totp_secret }) => totp_secret)).size).toBe(199 + 1);
  expect(new Set(logins.map(({ mpin }) => mpin)).size).toBeGreaterThan(190);
  const [seller, buyer] = [await logInAs(bench, '9000000003'), await logInAs(bench, '9000000200')];
  const infy = world.universe().bySymbol('NSE', 'INFY')!;
  const [ask] = world.exchange.bookSnapshot(infy, bench.running.sandbox.instant, 1).asks;
  const { price, quantity } = ask!;
  await bench.http.post('/_sandbox/accounts/9000000200', { funds: 2 * price * quantity });
  // The seller is behind all others at the best offer; the buyer takes all of them.
  const order = (side: string, size: number) => ({
    ref_id: infy.refId,
    order_type: 'ORDER_TYPE_REGULAR',
    order_qty: size,
    order_side: `ORDER_SIDE_${side}`,
    order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
    validity_type: 'DAY',
    price_type: 'LIMIT',
    order_price: price,
    tag: 'people',
  });
  const shares = (account: string) =>
    world.accounts.holdings(account).find(({ refId }) => refId === infy.refId)?.quantity ?? 0;
  const before = shares('SBX003');
  expect((await bench.http.post('/orders/v2/single', order('SELL', 7), { headers: seller })).status).toBe(200);
  expect((await bench.http.post('/orders/v2/single', order('BUY', quantity + 7), { headers: buyer })).status).toBe(200);
  await bench.advance('PT0.5S');
  const [sold, bought] = [world.ordersOf('SBX003')[0]!, world.ordersOf('SBX200')[0]!];
  expect([sold.status, sold.filledQuantity]).toEqual(['FILLED', 7]);
  expect([bought.status, bought.filledQuantity]).toEqual(['FILLED', quantity + 7]);
  expect(before - shares('SBX003')).toBe(7);
  expect(world.ordersOf('SBX004')).toEqual([]);
});

it('the first two accounts are unchanged', async () => {
  bench = await start({ accounts: 3 });
  const { users: people } = bench.running.sandbox;
  expect([...people.all()].map(({ clientCode, phone }) => `${clientCode} ${phone}`)).toEqual([
    'SBX001 9000000001',
    'SBX002 9000000002',
    'SBX003 9000000003',
  ]);
  await logIn(bench);
});

it.each(['0', '1', '201', 'many', '-3', ''])('--accounts %j is refused', (text) => {
  expect(() => parseOptions([`--accounts=${text}`])).toThrow('--accounts must be');
});

it('latency is named, or comes from a file of ranges and of measured times', () => {
  expect(latencyOf('0')).toEqual({ send: [0, 0], exchange: [0, 0], list: [0, 0] });
  expect(latencyOf('retail').exchange).toEqual([20, 400]);
  const given = { send: [1, 5], exchange: { samples: [30, 40, 200] }, list: [0, 0] };
  expect(latencyOf(file(JSON.stringify(given)))).toEqual(given);
});

it.each(['fast', 'constructor'])('--latency %s is refused', async (latency) => {
  await expect(start({ latency })).rejects.toThrow('must be retail, colocated, 0 or a file');
});

it.each([
  ['{', 'JSON'],
  ['7', 'must be an object'],
  ['{"send": [5, 1], "exchange": [0, 0], "list": [0, 0]}', 'send must be [shortest, longest]'],
  ['{"send": [0, 1], "exchange": {"samples": []}, "list": [0, 0]}', 'exchange must be'],
  ['{"send": [0, 1], "exchange": [0, 1]}', 'list must be'],
  ['{"send": [0, "1"], "exchange": [0, 1], "list": [0, 1]}', 'send must be'],
])('--latency with a file of %s is refused', async (text, says) => {
  await expect(start({ latency: file(text) })).rejects.toThrow(says);
});

it('an order takes as long as was measured', async () => {
  const latency = file('{"send": [7, 7], "exchange": {"samples": [90]}, "list": [0, 0]}');
  bench = await start({ latency, hours: 'exchange' });
  const { world } = bench.running.sandbox;
  const headers = await logIn(bench);
  const infy = world.universe().bySymbol('NSE', 'INFY')!;
  await bench.http.post(
    '/orders/v2/single',
    {
      ref_id: infy.refId,
      order_type: 'ORDER_TYPE_REGULAR',
      order_qty: 1,
      order_side: 'ORDER_SIDE_BUY',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      validity_type: 'DAY',
      price_type: 'LIMIT',
      order_price: Math.floor((world.lastPrice(infy) * 0.98) / infy.tickSize) * infy.tickSize,
      tag: 'slow',
    },
    { headers },
  );
  await bench.advance('PT0.096S');
  const [order] = world.ownOrdersOf('SBX001');
  expect(world.exchange.order(order?.id ?? [...world.exchange.orders('SBX001', Infinity)][0]!.id)!.status).toBe('SENT');
  await bench.advance('PT0.001S');
  expect(world.ordersOf('SBX001')[0]!.status).toBe('OPEN');
});
