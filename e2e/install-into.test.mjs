/** The nodes put into an n8n that somebody has already, by one command. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { N8n } from '../scripts/n8n.mjs';
import { ensureRuntime } from '../scripts/runtime.mjs';
import { freePort, node24, root, withNode24 } from '../scripts/support.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';

describe('npm run install-into', { timeout: TIMEOUT_MS }, () => {
  const home = mkdtempSync(path.join(tmpdir(), 'brokerage-home-'));
  let n8n;

  after(async () => {
    await n8n?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const installInto = (folder) =>
    spawnSync(node24, [path.join(root, 'scripts', 'install-into.mjs'), folder], {
      env: withNode24(),
      encoding: 'utf8',
    });
  const brokerageTypes = async () => {
    await n8n.start();
    await n8n.signIn();
    const reply = await fetch(`${n8n.url}/types/nodes.json`, { headers: { cookie: n8n.cookie, connection: 'close' } });
    const types = (await reply.json()).map(({ name }) => name).filter((name) => /^n8n-nodes-brokerage\./.test(name));
    await n8n.stop();
    return [...new Set(types)].sort();
  };

  it('refuses a folder that is none of an n8n', () => {
    const { status, stderr } = installInto(home);
    assert.equal(status, 1);
    assert.match(stderr, /is not the folder of an n8n: start n8n once, which makes it\./);
  });

  it('puts the nodes into an n8n that was used without them', async () => {
    n8n = new N8n({ runtime: await ensureRuntime(), userFolder: home, port: await freePort() });
    assert.deepEqual(await brokerageTypes(), []);
    const { status, stdout, stderr } = installInto(path.join(home, '.n8n'));
    assert.equal(status, 0, stderr);
    assert.match(stdout, /Restart n8n/);
    assert.deepEqual(
      await brokerageTypes(),
      ['brokerage', 'brokerageTool', 'brokerageTrigger'].map((name) => `n8n-nodes-brokerage.${name}`),
    );
  });
});
