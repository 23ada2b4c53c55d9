/** The thin slice, end to end: the packed tarball in a real n8n, driven through n8n's own REST interface. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { freePort } from '../scripts/support.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { orderWorkflow } from './support/workflows.mjs';
import { ACCOUNT, example, openWorld } from './support/world.mjs';

describe('A workflow trades, end to end, in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;
  let first;
  let second;

  before(
    async () => {
      world = await openWorld();
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  /** Runs a workflow by hand and waits for its end. */
  async function runOnce(workflow) {
    const saved = await world.n8n.createWorkflow(workflow);
    return await world.n8n.finished(await world.n8n.run(saved, 'Run by Hand'));
  }

  async function ordersReceived() {
    return (await world.sandbox.stats()).orders_received;
  }

  it('the credential tests well, and says in words what is wrong', async () => {
    const good = await world.n8n.testCredential(credential, world.credentialData());
    assert.equal(good.status, 'OK', good.message);
    const cases = [
      [{ mpin: '9999' }, /MPIN/],
      [{ totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }, /TOTP/],
      [{ sandboxBaseUrl: `http://127.0.0.1:${await freePort()}` }, /reach|refused|connect/i],
    ];
    for (const [change, sentence] of cases) {
      const other = await world.n8n.saveCredential(
        `Wrong ${Object.keys(change)}`,
        'brokerageApi',
        world.credentialData(change),
      );
      const bad = await world.n8n.testCredential(other, world.credentialData(change));
      assert.equal(bad.status, 'Error', Object.keys(change).join());
      assert.match(bad.message, sentence);
    }
  });

  it('an order placed in one workflow starts the other by its fill', async () => {
    first = await world.n8n.createWorkflow(example('first-order.json', credential));
    second = await world.n8n.createWorkflow(example('on-fill.json', credential));
    await world.n8n.activate(second);
    const placed = await world.n8n.finished(await world.n8n.run(first, 'Run by Hand'));
    assert.equal(placed.status, 'success', errorOf(placed));
    const [order] = outputOf(placed, 'Place Order');
    assert.match(order.order_id, /^\d{19}$/);
    assert.equal(order.environment, 'sandbox');
    const filled = await world.n8n.child.until(async () => {
      const [latest] = await world.n8n.executions(second.id);
      return latest?.status === 'success' ? await world.n8n.execution(latest.id) : undefined;
    }, 60_000);
    const [fill] = outputOf(filled, 'When an Order Fills');
    assert.equal(fill.order_id, order.order_id);
    const [message] = outputOf(filled, 'Message');
    assert.match(
      message.message,
      /^Fill: bought \d+ INFY \(Intraday\) at ₹[\d,]+\.\d\d\. Its profit so far: [+−-]?₹[\d.,-]+\. Positions today: [+−]?₹[\d,]+\.\d\d\. Holdings today: [+−]?₹[\d,]+\.\d\d\.$/,
    );
  });

  it('an expired session is renewed without a failed run, and the new token is stored', async () => {
    const before = (await world.sandbox.stats()).logins;
    await world.sandbox.expireSessions();
    const placed = await world.n8n.finished(await world.n8n.run(first, 'Run by Hand'));
    assert.equal(placed.status, 'success', errorOf(placed));
    assert.equal((await world.sandbox.stats()).logins, before + 1);
    const again = await world.n8n.finished(await world.n8n.run(first, 'Run by Hand'));
    assert.equal(again.status, 'success', errorOf(again));
    assert.equal(
      (await world.sandbox.stats()).logins,
      before + 1,
      'the stored token was used, so nobody logged in again',
    );
    const { runtime } = world.n8n;
    const exported = JSON.parse(
      execFileSync(runtime.node, [runtime.n8n, 'export:credentials', `--id=${credential.id}`, '--decrypted'], {
        env: await world.n8n.environment(),
      })
        .toString()
        .replace(/^[^[]*/, ''),
    );
    assert.match(exported[0].data.sessionToken, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('bad input and an unreachable service are refused in words, and nothing is sent', async () => {
    const live = await world.n8n.saveCredential(
      'Live',
      'brokerageApi',
      world.credentialData({ environment: 'live', liveBaseUrl: world.sandbox.url }),
    );
    const away = await world.n8n.saveCredential(
      'Away',
      'brokerageApi',
      world.credentialData({ sandboxBaseUrl: `http://127.0.0.1:${await freePort()}` }),
    );
    const received = await ordersReceived();
    const [future] = await world.sandbox.control('GET', 'page/instruments?q=NIFTY%20FUT');
    const cases = [
      ['off the tick', { priceType: 'LIMIT', price: 1500.07 }, credential, /₹1,500\.00.*₹1,500\.10/],
      [
        'off the lot',
        { instrument: { __rl: true, mode: 'symbol', value: `NSE:${future.symbol}` }, quantity: 7 },
        credential,
        /lot/i,
      ],
      [
        'unknown symbol',
        { instrument: { __rl: true, mode: 'symbol', value: 'NSE:NOSUCHNAME' } },
        credential,
        /NOSUCHNAME/,
      ],
      ['live switch off', {}, live, /live/i],
      ['unreachable', {}, away, /reach|refused|connect/i],
    ];
    for (const [name, parameters, by, sentence] of cases) {
      const execution = await runOnce(orderWorkflow(`Refused: ${name}`, parameters, by));
      assert.equal(execution.status, 'error', name);
      assert.match(errorOf(execution), sentence, name);
    }
    assert.equal(await ordersReceived(), received, 'nothing was sent');
  });

  it('no secret is in a log line, an execution record or the journal', async () => {
    const journal = JSON.stringify(await world.sandbox.journal());
    const executions = JSON.stringify(
      await Promise.all((await world.n8n.executions(first.id)).map(async ({ id }) => await world.n8n.execution(id))),
    );
    const logs = readdirSync(world.folder, { recursive: true })
      .filter((file) => file.endsWith('.log'))
      // The sandbox's first lines tell its invented accounts on purpose.
      .map((file) => readFileSync(path.join(world.folder, file), 'utf8').replace(/^[^]*Press Ctrl-C to stop it\./, ''))
      .join('\n');
    for (const [place, text] of Object.entries({ journal, executions, logs })) {
      assert.ok(text.length > 0, place);
      for (const [name, secret] of [
        ['TOTP secret', new RegExp(ACCOUNT.totpSecret)],
        ['token', /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/],
        ['MPIN', new RegExp(`(?<![\\d.])${ACCOUNT.mpin}(?![\\d.])`)],
      ]) {
        const found = secret.exec(text);
        assert.equal(found && text.slice(Math.max(0, found.index - 80), found.index + 20), null, `${name} in ${place}`);
      }
    }
  });
});
