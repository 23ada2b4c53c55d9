/**
 * The kill switch in a real n8n: a workflow stops trading, a user sees the lock in the credential and removes it, and renewals of the
 * session at the same moment, with an older copy of the credential, leave it on.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openBrowser, signIn } from './support/browser.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { brokerageNode, chain, deliver, marketOrder, webhookNode } from './support/workflows.mjs';
import { ACCOUNT, openWorld } from './support/world.mjs';

const RENEWING = 8;

describe('Stop Trading in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let n8n;
  let credential;

  before(
    async () => {
      world = await openWorld({ editor: true });
      n8n = world.n8n;
      credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      const steps = {
        buy: marketOrder,
        stop: { resource: 'session', operation: 'stopTrading', exitPositions: true, closeAt: 'market' },
        user: { resource: 'session', operation: 'getUser', simplify: true },
      };
      for (const [name, parameters] of Object.entries(steps))
        await n8n.activate(
          await n8n.createWorkflow(chain(name, [webhookNode(name), brokerageNode(name, parameters)], credential)),
        );
      await n8n.child.until(async () => (await deliver(n8n, 'user')).status === 200, 90_000);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());

  const stored = async () => (await n8n.request('GET', `/credentials/${credential.id}?includeData=true`)).data;
  const received = async () => (await world.sandbox.stats()).orders_received;

  /** Sends an order. @returns the number of orders that the exchange received from it */
  async function buy() {
    const before = await received();
    await deliver(n8n, 'buy');
    return (await received()) - before;
  }

  it('a workflow stops trading: positions are closed, and no workflow places an order', async () => {
    assert.equal(await buy(), 1);
    const { status, text, json } = await deliver(n8n, 'stop');
    assert.equal(status, 200, text);
    assert.equal(json.trading_stopped, true);
    assert.deepEqual(
      json.positions.map(({ symbol, result, left_qty: left }) => [symbol, result, left]),
      [['INFY', 'closed', 0]],
    );
    assert.equal((await stored()).tradingStopped, true);
    assert.equal(await buy(), 0);
  });

  it('a renewal of the session while trading is being stopped leaves the lock on', async () => {
    await n8n.request('PATCH', `/credentials/${credential.id}`, {
      name: credential.name,
      type: credential.type,
      data: { ...(await stored()), tradingStopped: false },
    });
    assert.equal(await buy(), 1);
    await world.sandbox.control('POST', `accounts/${ACCOUNT.phone}`, { expire_sessions: true });
    const [stopped, ...users] = await Promise.all([
      deliver(n8n, 'stop'),
      ...Array.from({ length: RENEWING }, async () => await deliver(n8n, 'user')),
    ]);
    for (const { status, text } of [stopped, ...users]) assert.equal(status, 200, text);
    assert.equal((await stored()).tradingStopped, true);
    // Another login stores the session once more.
    await world.sandbox.control('POST', `accounts/${ACCOUNT.phone}`, { expire_sessions: true });
    assert.equal((await deliver(n8n, 'user')).status, 200);
    assert.equal((await stored()).tradingStopped, true);
    assert.equal(await buy(), 0);
  });

  it('a person sees the lock in the credential, takes it off, and trades again', async () => {
    const { page, shoot, close } = await openBrowser({ width: 1280, height: 1400 });
    try {
      page.setDefaultTimeout(90_000);
      await signIn(page, n8n.url);
      await page.goto(`${n8n.url}/home/credentials/${credential.id}`);
      const lock = page.getByTestId('parameter-input-tradingStopped');
      await lock.waitFor();
      assert.ok(await lock.getByRole('switch').isChecked());
      await lock.scrollIntoViewIfNeeded();
      await shoot('stop-trading-1-locked');
      await page
        .getByTestId('parameter-input-tradingStopped')
        .locator('.el-switch__core, [role=switch]')
        .last()
        .click();
      await page.getByTestId('credential-save-button').click();
      await n8n.child.until(async () => !(await stored()).tradingStopped, 90_000);
      await shoot('stop-trading-2-open');
    } catch (error) {
      await shoot('stop-trading-failed');
      throw error;
    } finally {
      await close();
    }
    assert.equal(await buy(), 1);
  });
});
