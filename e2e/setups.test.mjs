/** Unusual ways to run n8n: binary data in the database, one execution at a time, members, expressions in credentials. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { N8n, errorOf, outputOf } from '../scripts/n8n.mjs';
import { runsOf } from './support/burst.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { brokerageNode, byHand, chain, deliver, marketOrder, webhookNode } from './support/workflows.mjs';
import { ACCOUNT, openWorld } from './support/world.mjs';

const ORDERS = 6;
const MEMBER = { email: 'member@example.com', firstName: 'Second', lastName: 'Member', password: 'Sandbox-Member-2' };

describe('n8n as it can be set up', { timeout: TIMEOUT_MS }, () => {
  let world;
  let n8n;
  let credential;

  before(
    async () => {
      world = await openWorld({
        env: {
          N8N_DEFAULT_BINARY_DATA_MODE: 'database',
          N8N_CONCURRENCY_PRODUCTION_LIMIT: '1',
          // Lets a test switch on what needs a licence, as n8n's own tests do.
          E2E_TESTS: 'true',
        },
      });
      n8n = world.n8n;
      credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  const logins = async () => (await world.sandbox.stats()).logins;
  const whoIsIt = (of) =>
    chain('Who is it', [byHand(), brokerageNode('User', { resource: 'session', operation: 'getUser' })], of);

  /** Runs a workflow by hand as one person. @returns the execution */
  async function run(person, workflow) {
    const created = await person.createWorkflow(workflow);
    const ran = await person.finished(await person.run(created, 'Run by Hand'));
    assert.equal(ran.status, 'success', errorOf(ran));
    return ran;
  }

  it('a file of the broker is kept in the database, and the next node reads it', async () => {
    const download = brokerageNode('Master', {
      resource: 'instrument',
      operation: 'downloadMaster',
      exchange: 'MCX',
      fileFormat: 'csv',
    });
    const read = {
      id: 'Rows',
      name: 'Rows',
      type: 'n8n-nodes-base.extractFromFile',
      typeVersion: 1,
      position: [0, 0],
      parameters: { operation: 'csv', binaryPropertyName: 'data', options: {} },
    };
    const ran = await run(n8n, chain('A file', [byHand(), download, read], credential));
    const [{ binary }] = ran.data.resultData.runData.Master[0].data.main[0];
    assert.match(binary.data.id, /^database:/);
    assert.ok(outputOf(ran, 'Rows').length > 100);
  });

  it('with one execution at a time every event starts its run, once, and in its order', async () => {
    const events = await n8n.createWorkflow(
      chain(
        'Every event',
        [
          {
            ...brokerageNode('Order Event', { events: ['accepted', 'fill', 'executed'] }),
            type: 'n8n-nodes-brokerage.brokerageTrigger',
          },
          brokerageNode('User', { resource: 'session', operation: 'getUser' }),
        ],
        credential,
      ),
    );
    const orders = await n8n.createWorkflow(
      chain('Orders', [webhookNode('buy'), brokerageNode('Place Order', marketOrder)], credential),
    );
    await n8n.activate(events);
    await n8n.activate(orders);
    await n8n.child.until(async () => (await world.sandbox.stats()).streams_open === 1, 90_000);
    const placed = await Promise.all(Array.from({ length: ORDERS }, async () => await deliver(n8n, 'buy')));
    assert.deepEqual(
      placed.map(({ status }) => status),
      Array(ORDERS).fill(200),
    );
    const runs = await n8n.child.until(async () => {
      const ended = runsOf(n8n, events).filter(({ status }) => status === 'success');
      return ended.length >= 3 * ORDERS ? ended : undefined;
    }, 120_000);
    assert.equal(runs.length, 3 * ORDERS);
    assert.equal(new Set(runs.map(({ event }) => event)).size, 3 * ORDERS);
    await n8n.deactivate(events);
    await n8n.deactivate(orders);
  });

  it('an expression in the credential is still one after a renewal of the session', async () => {
    const half = ACCOUNT.mpin.slice(0, 2);
    const mpin = `={{ "${half}" + "${ACCOUNT.mpin.slice(2)}" }}`;
    const own = await n8n.saveCredential('By expression', 'brokerageApi', world.credentialData({ mpin }));
    for (const _ of ['first', 'after the session ended']) {
      await run(n8n, whoIsIt(own));
      await world.sandbox.expireSessions();
    }
    const { data } = await n8n.request('GET', `/credentials/${own.id}?includeData=true`);
    // The editor never gets the value of a password, but of an expression it gets the text.
    assert.equal(data.mpin, mpin);
  });

  it('a member whom a credential is shared with trades by it, renews its session for all, and never sees it', async () => {
    await n8n.request('PATCH', '/e2e/feature', { feature: 'feat:sharing', enabled: true });
    const [{ user }] = await n8n.request('POST', '/invitations', [{ email: MEMBER.email, role: 'global:member' }]);
    const token = new URL(user.inviteAcceptUrl).searchParams.get('token');
    const { email, ...account } = MEMBER;
    const { runtime, userFolder, port } = n8n;
    const member = Object.assign(new N8n({ runtime, userFolder, port }), { child: n8n.child });
    await member.request('POST', '/invitations/accept', { token, ...account });
    await member.request('POST', '/login', { emailOrLdapLoginId: email, password: MEMBER.password });
    const project = await member.request('GET', '/projects/personal');

    await assert.rejects(run(member, whoIsIt(credential)));
    await n8n.request('PUT', `/credentials/${credential.id}/share`, { shareWithIds: [project.id] });
    await run(n8n, whoIsIt(credential));
    const before = await logins();
    await world.sandbox.expireSessions();
    const ran = await run(member, whoIsIt(credential));
    assert.ok(outputOf(ran, 'User')[0].client_code);
    await run(n8n, whoIsIt(credential));
    assert.equal(await logins(), before + 1);
    const seen = await member.request('GET', `/credentials/${credential.id}?includeData=true`).catch((error) => error);
    assert.ok(!JSON.stringify(seen).includes(ACCOUNT.mpin) && !String(seen.message).includes(ACCOUNT.mpin));
  });
});
