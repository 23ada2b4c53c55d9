/** The trigger in n8n's engine against the sandbox, over real HTTP and WebSockets. */
import axios from 'axios';
import { Engine, describe as everything, type Emitted, type RunningTrigger } from '../support/engine';
import { FIRST } from '../sandbox/support';
import { startSandbox, type RunningSandbox } from '../../sandbox/src';

const DEVICE = 'device-of-a-trigger';

let sandbox: RunningSandbox;
let engine: Engine;
let triggers: RunningTrigger[];

// One login for all: a TOTP code is good for one, and the next comes after half a minute.
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, rateLimit: 'off' });
  engine = await Engine.start(credential());
});
afterAll(async () => await sandbox.close());

beforeEach(() => (triggers = []));
afterEach(async () => {
  for (const trigger of triggers) await trigger.close();
});

const credential = (more: Record<string, string> = {}) => ({
  environment: 'sandbox',
  sandboxBaseUrl: sandbox.url,
  loginMethod: 'totp',
  phone: FIRST.phone,
  mpin: FIRST.mpin,
  totpSecret: FIRST.secret,
  deviceId: DEVICE,
  sessionToken: '',
  ...more,
});

async function activate(parameters: Record<string, unknown>, options?: Parameters<Engine['trigger']>[1]): Promise<RunningTrigger> {
  const trigger = await engine.trigger(parameters as never, options);
  triggers.push(trigger);
  return trigger;
}

/** A request of another program with the session that n8n stored. */
async function ask<T>(method: string, path: string, data?: unknown): Promise<T> {
  const { sessionToken } = await engine.storedCredential();
  const reply = await axios.request<T>({ method, url: sandbox.url + path, data, headers: { authorization: `Bearer ${String(sessionToken)}`, 'x-device-id': DEVICE } });
  return reply.data;
}

let infy: number | undefined;
async function infyRefId(): Promise<number> {
  const today = new Date(Date.now() + 19_800_000).toISOString().slice(0, 10);
  const master = async () => await ask<{ refdata: { ref_id: number; plat_name: string }[] }>('GET', `/refdata/refdata/${today}?exchange=NSE`);
  infy ??= (await master()).refdata.find(({ plat_name: name }) => name === 'STOCK_INFY.NSECM')?.ref_id;
  return infy as number;
}

async function buy(quantity: number, order: Record<string, unknown> = {}): Promise<void> {
  await ask('POST', '/orders/v2/single', {
    ref_id: await infyRefId(),
    order_type: 'ORDER_TYPE_REGULAR',
    order_qty: quantity,
    order_side: 'ORDER_SIDE_BUY',
    order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
    validity_type: 'DAY',
    price_type: 'MARKET',
    order_price: 0,
    tag: 'test',
    ...order,
  });
}

const control = async (method: string, path: string, data?: unknown) => (await axios.request({ method, url: `${sandbox.url}/_sandbox${path}`, data })).data;
const json = (emitted: Emitted) => emitted.items[0]?.json as Record<string, unknown>;
const is = (event: string, quantity?: number) => (emitted: Emitted) =>
  json(emitted).event === event && (quantity === undefined || json(emitted).order_qty === quantity);

it('starts the workflow with a fill that a person can read', async () => {
  const trigger = await activate({ events: ['fill', 'executed'], options: { raw: true } });
  await buy(3);
  const fill = json(await trigger.waitFor(is('fill', 3)));
  expect(fill).toMatchObject({ event: 'fill', recovered: false, environment: 'sandbox', order_side: 'BUY', order_delivery_type: 'CNC', order_qty: 3, tag: 'test', exchange: 'NSE', plat_name: 'STOCK_INFY.NSECM' });
  expect(fill.order_id).toMatch(/^\d{19}$/);
  expect(fill.event_time_ist).toMatch(/\+05:30$/);
  const price = Number(fill.trade_price);
  expect(price).toBeLessThan(10_000);
  expect(fill.trade_value).toBeCloseTo(Number(fill.trade_qty) * price, 2);
  expect(fill.raw).toMatchObject({ intentOrderResponse: { intentOrderId: fill.order_id, tradeFill: { tradePrice: Math.round(price * 100) } } });

  const done = json(await trigger.waitFor(is('executed')));
  expect(done).toMatchObject({ order_id: fill.order_id, filled_qty: 3, order_status: 'FILLED' });
  expect(new Set(trigger.emitted.map(({ deduplicationKey }) => deduplicationKey)).size).toBe(trigger.emitted.length);
});

it('gives out only what was chosen', async () => {
  const trigger = await activate({ events: ['accepted', 'fill', 'executed'], filters: { onlyEnds: true, minQuantity: 5, sides: ['BUY'] } });
  await buy(3);
  await buy(6);
  const done = json(await trigger.waitFor(is('executed')));
  expect(done).toMatchObject({ order_qty: 6 });
  expect(trigger.emitted).toHaveLength(1);
});

it('gives out what happened while the connection was down, and how long it was', async () => {
  const trigger = await activate({ events: ['executed', 'connectionLost', 'connectionRestored'] });
  await control('POST', '/faults', { match: { stream: true }, action: 'disconnect', times: 1 });
  await buy(2);
  await trigger.waitFor(is('connectionLost'));
  const restored = json(await trigger.waitFor(is('connectionRestored')));
  expect(restored).toMatchObject({ reason: 'The stream was closed' });
  await trigger.waitFor(is('executed', 2));
}, 20_000);

it('finds the stream when the service gives no address for it', async () => {
  await control('PUT', '/dialect', { order_service_ws_url: 'empty' });
  const trigger = await activate({ events: ['fill'], options: { compareEvery: 6 } });
  await control('PUT', '/dialect', { order_service_ws_url: 'full' });
  await buy(13);
  expect(json(await trigger.waitFor(is('fill', 13)))).toMatchObject({ recovered: false });
});

it('renews a session that died, and misses nothing', async () => {
  const trigger = await activate({ events: ['executed'] });
  const before = (await engine.storedCredential()).sessionToken;
  await control('POST', `/accounts/${FIRST.phone}`, { expire_sessions: true });
  // Renewed by the trigger's own reconnection.
  while ((await engine.storedCredential()).sessionToken === before) await new Promise((resolve) => setImmediate(resolve));
  await buy(4);
  await trigger.waitFor(is('executed', 4));
}, 60_000);

it('goes on where it was after a restart of n8n, and starts afresh when a person activates it', async () => {
  const first = await activate({ events: ['executed'] });
  await buy(1);
  const past = json(await first.waitFor(is('executed', 1)));
  await filled(1);
  await first.close();
  await buy(7);
  await filled(7);

  const afresh = await activate({ events: ['executed'] });
  await buy(8);
  expect(json(await afresh.waitFor(is('executed', 8)))).toMatchObject({ recovered: false });
  expect(afresh.emitted.filter(is('executed', 7))).toHaveLength(0);
  await filled(8);
  await afresh.close();
  await buy(9);
  await filled(9);

  const restarted = await activate({ events: ['executed'] }, { activation: 'init' });
  const missed = json(await restarted.waitFor(is('executed', 9)));
  expect(missed).toMatchObject({ recovered: true });
  expect(restarted.emitted).toHaveLength(1);
  expect(missed.order_id).not.toBe(past.order_id);
}, 30_000);

/** Waits until an order of the quantity is filled, without the trigger. */
async function filled(quantity: number): Promise<void> {
  for (;;) {
    const orders = await ask<{ order_status: string; order_qty: number }[]>('GET', '/orders');
    if (orders.some((order) => order.order_status === 'ORDER_STATUS_FILLED' && order.order_qty === quantity)) return;
  }
}

it('shares one connection between two workflows, and leaves none behind', async () => {
  const one = await activate({ events: ['executed'] });
  const two = await activate({ events: ['fill'] });
  expect(await control('GET', '/stats')).toMatchObject({ streams_open: 1 });
  await one.close();
  await buy(5);
  await two.waitFor(is('fill'));
  expect(one.emitted).toHaveLength(0);
  await two.close();
  for (let open = 1; open > 0; ) open = ((await control('GET', '/stats')) as { streams_open: number }).streams_open;
});

it.each([
  ['a pasted session token that is dead', () => credential({ loginMethod: 'sessionToken', pastedToken: 'dead-token' }), /token/],
  ['an address that nobody answers at', () => credential({ loginMethod: 'sessionToken', pastedToken: 'dead-token', sandboxBaseUrl: 'http://127.0.0.1:1' }), /refused the connection|could not be reached/],
])('refuses to be activated with %s, in words and without a secret', async (_what, data, words) => {
  const good = await engine.storedCredential();
  await engine.setCredential(data());
  const error = await activate({ events: ['fill'] }).catch((reason: unknown) => reason as Error);
  await engine.setCredential(good);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message).toMatch(words);
  const seen = `${everything(error)}\n${engine.logger.lines.join('\n')}`;
  for (const secret of ['dead-token']) expect(seen).not.toContain(secret);
});

it('alerts when a price reaches its level', async () => {
  const refId = await infyRefId();
  const { price } = await ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE');
  const level = Math.round(price * 1.02);
  const trigger = await activate({
    watch: 'price',
    instrument: { __rl: true, mode: 'symbol', value: 'NSE:INFY' },
    condition: 'crossesAbove',
    level: level / 100,
    options: { askEvery: 1 },
  });
  await control('POST', '/market', { ref_id: refId, price: Math.round(price * 1.05) });
  const alert = json(await trigger.waitFor(is('priceAlert')));
  expect(alert).toMatchObject({ condition: 'crossesAbove', symbol: 'INFY', exchange: 'NSE', level: level / 100, alert_number: 1, environment: 'sandbox' });
  expect(alert.price).toBeGreaterThan(level / 100);
}, 20_000);

it('in a manual run waits only when asked to listen, and does not touch what the active workflow remembers', async () => {
  const trigger = await activate({ events: ['executed'] }, { mode: 'manual', activation: 'manual' });
  expect(await control('GET', '/stats')).toMatchObject({ streams_open: 0 });
  await trigger.response.manualTriggerFunction?.();
  await buy(12);
  await trigger.waitFor(is('executed', 12));
  expect(trigger.staticData).toEqual({});
});

it('ends cleanly when it is closed while it is still connecting', async () => {
  const trigger = await activate({ events: ['executed'] }, { mode: 'manual', activation: 'manual' });
  const opening = trigger.response.manualTriggerFunction?.().catch(() => undefined);
  await trigger.close();
  await opening;
  for (let open = 1; open > 0; ) open = ((await control('GET', '/stats')) as { streams_open: number }).streams_open;
});

it('names the parameter that is at fault before anything is sent', async () => {
  const opened = async () => ((await control('GET', '/journal')) as { kind: string }[]).filter(({ kind }) => kind === 'stream_open').length;
  const before = await opened();
  await expect(activate({ events: [] })).rejects.toThrow('No event is chosen');
  expect(await opened()).toBe(before);
});
