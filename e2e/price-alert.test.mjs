/** Price alerts in a real n8n: a tick that crosses starts a run, once, also where n8n or the sandbox was killed meanwhile. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { alertWorkflow, levelAbove } from './support/price-alert.mjs';
import { openWorld } from './support/world.mjs';

describe('A price alert in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let data;
  let world;
  let workflow;
  let price;

  before(
    async () => {
      data = mkdtempSync(path.join(tmpdir(), 'brokerage-alert-'));
      world = await openWorld({ sandboxOptions: ['--data', data] });
      const { n8n, sandbox } = world;
      const credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      price = await levelAbove(sandbox);
      workflow = await n8n.createWorkflow(alertWorkflow(credential, price.level));
      await n8n.activate(workflow);
      await connected();
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
    if (data) rmSync(data, { recursive: true, force: true });
  });

  async function connected() {
    await world.n8n.child.until(async () => (await world.sandbox.stats()).streams_open === 1, 120_000);
  }

  /** The alerts, oldest first, once there are so many. */
  async function alerts(count) {
    const { n8n } = world;
    const runs = await n8n.child.until(async () => {
      const all = await n8n.executions(workflow.id);
      return all.length >= count ? all : undefined;
    }, 120_000);
    assert.equal(runs.length, count);
    const given = [];
    for (const { id } of runs.reverse()) given.push(outputOf(await n8n.finished(id, 60_000), 'Price Alert')[0]);
    return given;
  }

  it('starts a run with the tick that crosses, from the stream', async () => {
    await price.rise();
    const [alert] = await alerts(1);
    assert.deepEqual([alert.alert_number, alert.recovered, alert.price_source], [1, false, 'stream']);
    assert.ok(alert.price * 100 >= price.level);
  });

  it('n8n killed while the price falls, crosses and falls again: the alert comes when it is back, once', async () => {
    const { n8n, sandbox } = world;
    n8n.child.signal('SIGKILL');
    await n8n.child.ended;
    for (const move of [price.fall, price.rise, price.fall]) {
      await move();
      // The history has a candle for each second.
      await sandbox.control('POST', 'clock', { advance: 'PT3S' });
    }
    await n8n.start();
    await n8n.signIn();
    const [, alert] = await alerts(2);
    assert.deepEqual([alert.alert_number, alert.recovered, alert.price_source], [2, true, 'history']);
    await connected();
  });

  it('the sandbox killed: the next crossing starts a run, once', async () => {
    const { sandbox } = world;
    await sandbox.stop('SIGKILL');
    await sandbox.start();
    await connected();
    await price.rise();
    const [, , alert] = await alerts(3);
    assert.equal(alert.alert_number, 3);
  });
});
