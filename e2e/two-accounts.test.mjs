/**
 * Two accounts in one n8n, each with its credential, on the same instrument at the same moment: no order, event, key, session or position of one
 * reaches the other. And a credential that is set to another service by mistake.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { levelAbove } from './support/price-alert.mjs';
import { by, order, step, trigger } from './support/steps.mjs';
import { chain, deliver, webhookNode } from './support/workflows.mjs';
import { openWorld } from './support/world.mjs';

const NAMES = ['Mine', 'Of My Father'];
const SHARE = 'NSE:INFY';

describe('Two accounts in one n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let n8n;
  let price;
  /** Of each account its credential, and its workflows by what they do. */
  let accounts;

  before(
    async () => {
      world = await openWorld({ sandboxOptions: ['--accounts', '3', '--hours', 'always'] });
      n8n = world.n8n;
      price = await levelAbove(world.sandbox);
      const [first, , third] = await world.sandbox.control('GET', 'page/accounts');
      accounts = await Promise.all([first, third].map(async (login, index) => await opened(login, NAMES[index])));
      await n8n.child.until(async () => (await world.sandbox.stats()).streams_open >= 4, 120_000);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());

  const loginOf = ({ phone, mpin, totp_secret: totpSecret }) => world.credentialData({ phone, mpin, totpSecret });

  /** Saves the credential of an account and publishes its workflows. */
  async function opened(login, name) {
    const credential = await n8n.saveCredential(name, 'brokerageApi', loginOf(login));
    const key = { idempotencyKey: '={{ $json.body.id }}', waitFor: 'filled' };
    const of = { side: 'BUY', quantity: '={{ $json.body.quantity }}', product: 'IDAY' };
    const first = {
      buy: order('Buy', { instrument: by(SHARE), ...of, options: key }),
      target: step('Target', {
        ...{ resource: 'order', operation: 'setTargetPosition', instrument: by(SHARE), product: 'IDAY' },
        target: '={{ $json.body.quantity }}',
      }),
      positions: step('Positions', { resource: 'portfolio', operation: 'getPositions' }, { alwaysOutputData: true }),
      exit: step('Exit', { resource: 'portfolio', operation: 'exitAll' }, { alwaysOutputData: true }),
    };
    const workflows = {};
    for (const [what, node] of Object.entries(first)) {
      const answer = { httpMethod: 'POST', responseMode: 'lastNode', responseData: 'allEntries' };
      workflows[what] = chain(what, [webhookNode(pathOf(what, name), answer), node], credential);
    }
    const level = { watch: 'price', instrument: by(SHARE), condition: 'crossesAbove', level: price.level / 100 };
    workflows.fills = chain('fills', [trigger('On Order', { watch: 'orders', events: ['executed'] })], credential);
    workflows.alert = chain('alert', [trigger('Alert', level)], credential);
    for (const [what, workflow] of Object.entries(workflows)) {
      workflows[what] = await n8n.createWorkflow({ ...workflow, name: `${what} ${name}` });
      await n8n.activate(workflows[what]);
    }
    await n8n.child.until(async () => (await send({ name }, 'positions')).status === 200, 90_000);
    return { name, login, credential, workflows };
  }

  const pathOf = (what, name) => `${what}-${name.replaceAll(' ', '')}`;
  const send = async ({ name }, what, body) => await deliver(n8n, pathOf(what, name), body);
  const heldBy = async (account) =>
    (await send(account, 'positions')).json.flatMap(({ symbol, qty: held }) => (symbol === 'INFY' ? [held] : []));
  const both = async (run) => await Promise.all(accounts.map(run));

  /** Returns the items of a trigger's runs, once there are so many. */
  async function triggerItems({ workflows }, what, node, count) {
    const runs = await n8n.child.until(async () => {
      const all = await n8n.executions(workflows[what].id);
      return all.length >= count ? all : undefined;
    }, 60_000);
    const items = await Promise.all(runs.map(async ({ id }) => outputOf(await n8n.finished(id), node)));
    return items.flat();
  }

  it('one key, twice at each account at the same moment: each places one order, and hears of its own alone', async () => {
    const alerts = await both(async (account, index) => {
      const body = { id: 'alert-1', quantity: index + 1 };
      return (await Promise.all([send(account, 'buy', body), send(account, 'buy', body)])).map(({ json }) => json[0]);
    });
    const ids = alerts.map(([one, other]) => {
      assert.equal(one.order_id, other.order_id);
      assert.deepEqual([one.already_placed, other.already_placed].sort(), [false, true]);
      return one.order_id;
    });
    assert.notEqual(ids[0], ids[1]);
    assert.deepEqual(await both(heldBy), [[1], [2]]);
    const heard = await both(async (account) => await triggerItems(account, 'fills', 'On Order', 1));
    assert.deepEqual(
      heard.map((items) => items.map(({ order_id: id }) => id)),
      ids.map((id) => [id]),
    );
  });

  it('one price: the alert of each account starts its workflow, once', async () => {
    await price.rise();
    for (const account of accounts) assert.equal((await triggerItems(account, 'alert', 'Alert', 1)).length, 1);
    await price.fall();
  });

  it('targets of one share at the same moment: each account comes to its own', async () => {
    const set = await both(async (account, index) => await send(account, 'target', { quantity: 10 * (index + 1) }));
    assert.deepEqual(
      set.map(({ status, text }) => [status, status === 200 ? '' : text]),
      set.map(() => [200, '']),
    );
    assert.deepEqual(await both(heldBy), [[10], [20]]);
  });

  it('the session of one ends: one login, of that account, and the other goes on', async () => {
    const { logins } = await world.sandbox.stats();
    await world.sandbox.expireSessions(accounts[0].login.phone);
    assert.deepEqual(await both(heldBy), [[10], [20]]);
    assert.equal((await world.sandbox.stats()).logins, logins + 1);
  });

  it('an error names the credential of its account', async () => {
    for (const account of accounts) {
      await send(account, 'buy', { id: 'too-much', quantity: 10_000_000 });
      const [{ id }] = await n8n.executions(account.workflows.buy.id);
      const error = errorOf(await n8n.finished(id));
      assert.ok(error.endsWith(`Credential: ${account.name}`), error);
    }
  });

  it('Exit All closes what one holds, and leaves what the other holds', async () => {
    const { status, text } = await send(accounts[0], 'exit');
    assert.equal(status, 200, text);
    const [left, others] = await both(heldBy);
    assert.deepEqual([left.filter((held) => held !== 0), others], [[], [20]]);
  });

  it('set to Live by mistake, the credential of active workflows sends no order, and the error says why', async () => {
    const [account] = accounts;
    const live = { environment: 'live', liveBaseUrl: world.sandbox.url };
    // It was allowed on Live once, and has been in the sandbox since.
    const was = { ...loginOf(account.login), allowLiveOrders: true };
    await n8n.saveCredential(account.name, 'brokerageApi', was);
    assert.equal((await n8n.testCredential(account.credential, was)).status, 'OK');
    const read = async () => (await n8n.request('GET', `/credentials/${account.credential.id}?includeData=true`)).data;
    const stored = await read();
    assert.equal(stored.allowLiveOrders, false);
    await n8n.saveCredential(account.name, 'brokerageApi', { ...stored, ...live });
    assert.equal((await n8n.testCredential(account.credential, { ...stored, ...live })).status, 'OK');
    const { orders_received: before } = await world.sandbox.stats();
    await send(account, 'buy', { id: 'on-live', quantity: 1 });
    const [{ id }] = await n8n.executions(account.workflows.buy.id);
    assert.match(errorOf(await n8n.finished(id)), /Allow Live Orders/);
    assert.equal((await world.sandbox.stats()).orders_received, before);
  });
});
