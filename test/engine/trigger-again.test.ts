/** A trigger that is activated again: after a failure in its workflow, with another account, with an alert that has come already. */
import axios from 'axios';
import type { INode } from 'n8n-workflow';
import { logInByOtp } from '../sandbox/support';
import { TriggerBench, is, json } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

let bench: TriggerBench;
let refId: number;
let price: number;

beforeAll(async () => {
  bench = await TriggerBench.start();
  refId = await bench.infyRefId();
  ({ price } = await bench.ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE'));
});
afterAll(async () => await bench.close());
afterEach(async () => await bench.endTest());

const quantities = (emitted: Parameters<typeof json>[0][]): unknown[] =>
  emitted.map((emitted) => json(emitted).order_qty);
/** Buys, so that a trigger has returned all that it could when this item comes. @returns the test for that item */
const given = async (quantity: number) => {
  await bench.buy(quantity);
  return is('executed', quantity);
};

describe('a workflow that is published with the credential of another account', () => {
  it('does not take what happened there today for missed', async () => {
    const first = await bench.activate({ events: ['executed'] });
    await first.waitFor(await given(34));
    const staticData = JSON.parse(JSON.stringify(first.staticData)) as INode['parameters'];
    await first.close();
    // The service tells its time to the second: what happened within that second counts as new, so that nothing is lost.
    await bench.passSeconds();
    // What was stored is of another account: nothing of what this one did is known to it.
    const other = await bench.activate(
      { events: ['executed'] },
      { activation: 'update', staticData: { ...staticData, orders: {}, scope: 'none', revision: 10_000 } },
    );
    await other.waitFor(await given(35));
    expect(quantities(other.emitted)).toEqual([35]);
  });

  it('begins afresh when the credential is changed while it runs, and does not take what the other account did for missed', async () => {
    const good = await bench.engine.storedCredential();
    const http = axios.create({ baseURL: bench.sandbox.url, validateStatus: () => true });
    const headers = await logInByOtp({ http } as Parameters<typeof logInByOtp>[0], 'device-of-another');
    const order = {
      order_type: 'ORDER_TYPE_REGULAR',
      order_side: 'ORDER_SIDE_BUY',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      validity_type: 'DAY',
      price_type: 'MARKET',
      order_price: 0,
    };
    expect((await http.post('/orders/v2/single', { ...order, ref_id: refId, order_qty: 36 }, { headers })).status).toBe(
      200,
    );
    await bench.passSeconds();
    const trigger = await bench.activate({ events: ['executed'], options: { compareEvery: 5 } });
    const pastedToken = headers.authorization?.replace('Bearer ', '') ?? '';
    await bench.engine.setCredential(
      bench.credential({ loginMethod: 'sessionToken', pastedToken, deviceId: 'device-of-another' }),
    );
    const isBack = (): boolean => bench.engine.logger.lines.some((line) => line.includes('the trigger is back'));
    while (!isBack()) await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await http.post('/orders/v2/single', { ...order, ref_id: refId, order_qty: 41 }, { headers })).status).toBe(
      200,
    );
    await trigger.waitFor(is('executed', 41));
    await trigger.close();
    await bench.engine.setCredential(good);
    expect(trigger.errors).toEqual([]);
    expect(trigger.failedExecutions).toEqual([]);
    expect(quantities(trigger.emitted)).toEqual([41]);
  });
});

describe('listening in the editor that ends with an error', () => {
  it('does not make the next publication look like one of n8n', async () => {
    const first = await bench.activate({ events: ['executed'] });
    await first.waitFor(await given(37));
    const staticData = JSON.parse(JSON.stringify(first.staticData)) as INode['parameters'];
    await first.close();
    const good = await bench.engine.storedCredential();
    const listening = await bench.activate(
      { events: ['executed'], options: { compareEvery: 5 } },
      { mode: 'manual', activation: 'manual' },
    );
    await listening.response.manualTriggerFunction?.();
    await bench.engine.setCredential({ ...good, phone: '9000000003' });
    while (listening.errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await listening.close();
    await bench.engine.setCredential(good);
    await bench.buy(38);
    await bench.filled(38);
    await bench.passSeconds();
    const published = await bench.activate({ events: ['executed'] }, { staticData });
    await published.waitFor(await given(39));
    expect(quantities(published.emitted)).toEqual([39]);
  });
});

describe('a price alert', () => {
  const instrument = { __rl: true, mode: 'symbol', value: 'NSE:INFY' };
  const move = async (share: number) =>
    await bench.control('POST', '/market', { ref_id: refId, price: Math.round((price * share) / 10) * 10 });

  it('does not fire again after a restart when it fires only once, whatever the price did', async () => {
    await move(1);
    const parameters = {
      watch: 'price',
      instrument,
      condition: 'moves',
      percent: 2,
      once: true,
      options: { askEvery: 1 },
    };
    const first = await bench.activate(parameters);
    await move(1.05);
    await first.waitFor(is('priceAlert'));
    const staticData = JSON.parse(JSON.stringify(first.staticData)) as INode['parameters'];
    await first.close();
    await move(1.15);
    const again = await bench.activate(parameters, { activation: 'init', staticData });
    await again.close();
    expect(again.emitted).toEqual([]);
  });

  it('remembers what it was measured from when n8n activates it again by itself', async () => {
    await move(1);
    const parameters = {
      watch: 'price',
      instrument,
      condition: 'crossesAbove',
      level: Math.round(price * 1.02) / 100,
      options: { askEvery: 1 },
    };
    const first = await bench.activate(parameters);
    await first.close();
    await move(1.05);
    const again = await bench.activate(parameters, { activation: 'init' });
    expect(json(await again.waitFor(is('priceAlert')))).toMatchObject({ alert_number: 1 });
    expect(again.emitted[0]?.deduplicationKey).toMatch(/:1$/);
  });
});
