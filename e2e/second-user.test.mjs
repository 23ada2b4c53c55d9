/**
 * A second user of the same n8n, who may only make separate credentials and workflows, and nodes that are not ours: the owner's credential
 * does not leak.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { N8n, errorOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { OtherNodes, installCustomNode } from './support/other-nodes.mjs';
import { startRecorder } from './support/recorder.mjs';
import { brokerageNode, chain, webhookNode } from './support/workflows.mjs';
import { ACCOUNT, openWorld } from './support/world.mjs';

const GUESSES = 500;
/** Renewals at least, and at most: a session that ends eight times in ten minutes is not renewed any more. */
const RENEWALS = { min: 3, max: 6 };
const SECOND = { email: 'second@example.com', firstName: 'Second', lastName: 'User', password: 'Sandbox-Second-2' };

/** Every field that the form or the REST interface writes, and names that were read once. */
const FIELDS = [
  'loginClaim',
  'mark',
  'sessionToken',
  'authToken',
  'tempToken',
  'generatedTotpSecret',
  'testedSettings',
  'loginState',
  'deviceId',
  'phone',
  'mpin',
  'otp',
  'pastedToken',
  'renewal',
  'unattended',
  'sessionKept',
  'ticket',
];

/** The guess of a number: a field, and what it holds. */
function guessOf(number) {
  const field = FIELDS[number % FIELDS.length];
  const values = [
    `ticket ${number % 80}`,
    `claim ${number}`,
    `credential ${number}`,
    String(number),
    'kept',
    '0'.repeat(32),
  ];
  // Every second one is the usual: what renewals were once called.
  return number % 2 === 0
    ? { loginClaim: `ticket ${(number / 2) % 120}` }
    : { [field]: values[number % values.length] };
}

describe('A second user of the same n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let n8n;
  let service;
  let theirs;

  before(
    async () => {
      world = await openWorld({ editor: true, prepare: ({ userFolder }) => installCustomNode(userFolder) });
      n8n = world.n8n;
      service = await startRecorder(world.sandbox.url);
      theirs = await startRecorder();
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
    await service?.stop();
    await theirs?.stop();
  });

  /** Signs in a second person, whom nothing is shared with. */
  async function secondUser() {
    const [{ user }] = await n8n.request('POST', '/invitations', [{ email: SECOND.email, role: 'global:member' }]);
    const token = new URL(user.inviteAcceptUrl).searchParams.get('token');
    const { email, ...account } = SECOND;
    const { runtime, userFolder, port } = n8n;
    const person = Object.assign(new N8n({ runtime, userFolder, port }), { child: n8n.child });
    await person.request('POST', '/invitations/accept', { token, ...account });
    await person.request('POST', '/login', { emailOrLdapLoginId: email, password: SECOND.password });
    return person;
  }

  const call = async (path) =>
    await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST', headers: { connection: 'close' } });

  it(`guesses ${GUESSES} times in every field while the owner logs in, renews and stops trading: nothing arrives`, async () => {
    const data = world.credentialData({ sandboxBaseUrl: service.url });
    const owned = await n8n.saveCredential('The Owner’s', 'brokerageApi', data);
    const session = (operation) => brokerageNode('Session', { resource: 'session', operation });
    const workflows = {};
    for (const [path, operation] of [
      ['who', 'getUser'],
      ['stop', 'stopTrading'],
    ]) {
      workflows[path] = await n8n.createWorkflow(chain(path, [webhookNode(path), session(operation)], owned));
      await n8n.activate(workflows[path]);
    }
    const errorIn = async (path) => {
      const [{ id }] = await n8n.executions(workflows[path].id);
      return errorOf(await n8n.finished(id));
    };
    await n8n.child.until(async () => (await call('who')).ok, 90_000);

    const second = await secondUser();
    const own = {
      environment: 'sandbox',
      sandboxBaseUrl: theirs.url,
      loginMethod: 'sessionToken',
      pastedToken: 'of-the-second-user',
      deviceId: 'n8n',
    };
    const guessed = await second.saveCredential('Guesses', 'brokerageApi', own);
    let isOver = false;
    let renewals = 0;
    const owner = (async () => {
      try {
        while (!isOver && renewals < RENEWALS.max) {
          await world.sandbox.expireSessions();
          const path = renewals % 4 === 3 ? 'stop' : 'who';
          const { status } = await call(path);
          assert.equal(status, 200, status === 200 ? undefined : await errorIn(path));
          renewals += 1;
        }
      } catch (error) {
        isOver = true;
        throw error;
      }
    })();
    // One after the other: n8n itself fails two tests of credentials at the same moment.
    const guesses = (async () => {
      try {
        // A renewal waits for the next code, half a minute at most: the guesses go on until some have been made.
        for (let number = 0; !isOver && (number < GUESSES || renewals < RENEWALS.min); number++)
          await second.testCredential(guessed, { ...own, ...guessOf(number) });
      } finally {
        isOver = true;
      }
    })();
    await Promise.all([guesses, owner]);

    const bearers = (seen) => seen.map(({ headers }) => headers.authorization).filter(Boolean);
    const secrets = [...new Set(bearers(service.seen)), ACCOUNT.mpin, ACCOUNT.totpSecret].filter(
      (secret) => !secret.includes('of-the-second-user'),
    );
    assert.ok(
      renewals >= RENEWALS.min && secrets.length >= RENEWALS.min + 2,
      `${renewals} renewals, ${secrets.length} secrets`,
    );
    assert.ok(theirs.seen.length >= GUESSES / 2, `${theirs.seen.length} requests came to the second user`);
    const arrived = JSON.stringify(theirs.seen);
    assert.deepEqual(
      secrets.filter((secret) => arrived.includes(secret)),
      [],
    );

    // Nor does their credential hold what a later request would bring.
    const whole = chain('theirs', [webhookNode('theirs'), session('getUser')], guessed);
    await second.activate(await second.createWorkflow(whole));
    await n8n.child.until(async () => (await call('theirs')).status !== 404, 60_000);
    const later = JSON.stringify(theirs.seen);
    assert.deepEqual(
      secrets.filter((secret) => later.includes(secret)),
      [],
    );
  });

  it('nodes that are not ours get no request signed', async () => {
    const others = new OtherNodes({ n8n, sandbox: world.sandbox, credentialData: world.credentialData() });
    const { orders_received: before } = await world.sandbox.stats();
    const { tried, signed, unexplained } = await others.tryAll();
    assert.ok(tried.length >= 4, `tried: ${tried.join(', ')}`);
    assert.deepEqual([signed, unexplained], [[], []]);
    assert.equal((await world.sandbox.stats()).orders_received, before);
  });
});
