/**
 * A login by OTP, in a real n8n: in the credential's own test, over a restart and on a second n8n process, and by the form
 * workflow in a browser. No OTP is ever sent twice.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { N8n, errorOf, outputOf } from '../scripts/n8n.mjs';
import { freePort } from '../scripts/support.mjs';
import { openBrowser, signIn } from './support/browser.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { brokerageNode, byHand, chain } from './support/workflows.mjs';
import { example, openWorld } from './support/world.mjs';

const SECOND = { phone: '9000000002', mpin: '2468' };

describe('A login by OTP in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let browser;
  const data = (more) => ({
    environment: 'sandbox',
    sandboxBaseUrl: world.sandbox.url,
    loginMethod: 'otp',
    ...SECOND,
    ...more,
  });

  before(
    async () => {
      world = await openWorld({ editor: true });
      browser = await openBrowser({ width: 480, height: 800 });
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await browser?.close();
    await world?.close();
  });

  async function newestOtp() {
    const inbox = await world.sandbox.control('GET', `inbox?phone=${SECOND.phone}`);
    const [newest] = Array.isArray(inbox) ? inbox : inbox.messages;
    return /\d{4,8}/.exec(newest.text)[0];
  }

  /** Returns true if a workflow with the credential finds a session. */
  async function userOf(credential) {
    const user = brokerageNode('User', { resource: 'session', operation: 'getUser', simplify: true });
    const workflow = chain(`Who is it (${credential.name})`, [byHand(), user], credential);
    return await world.n8n.finished(await world.n8n.run(await world.n8n.createWorkflow(workflow), 'Run by Hand'));
  }

  /** Counts what goes to a path of the login: a rule that changes nothing notes how often it was used. */
  async function counterOf(path) {
    const [{ id }] = await world.sandbox.control('POST', 'faults', {
      match: { method: 'POST', path },
      action: 'delay',
      args: { ms: 0 },
    });
    return async () => (await world.sandbox.control('GET', 'faults')).find((rule) => rule.id === id).used;
  }
  const loginSteps = async (step) =>
    (await world.sandbox.journal('login')).filter((entry) => entry.step === step && entry.code !== 'TOTP').length;

  it('in the credential: the first test sends the OTP; after a restart a second n8n process logs in with it; it is sent once', async () => {
    const otpsSent = await counterOf('/verifyphoneotp');
    const messagesAsked = await counterOf('/sendphoneotp');
    const credential = await world.n8n.saveCredential('By OTP', 'brokerageApi', data({ deviceId: 'form' }));
    const asked = await world.n8n.testCredential(credential, data({ deviceId: 'form' }));
    assert.equal(asked.status, 'Error');
    assert.match(asked.message, /^An OTP was sent to your phone\. Enter it in the field "OTP" and save again\./);
    await world.n8n.stop();
    await world.n8n.start();
    await world.n8n.signIn();
    const second = new N8n({ runtime: world.n8n.runtime, userFolder: world.n8n.userFolder, port: await freePort() });
    try {
      await second.start();
      await second.signIn();
      const otp = await newestOtp();
      // As the editor has it: secrets are blanked, and n8n fills them in again.
      const form = async (n8n, entered) => ({
        ...(await n8n.request('GET', `/credentials/${credential.id}?includeData=true`)).data,
        otp: entered,
      });
      const wrong = otp === '000000' ? '111111' : '000000';
      for (const n8n of [second, world.n8n]) {
        const refused = await n8n.testCredential(credential, await form(n8n, wrong));
        assert.equal(refused.status, 'Error');
        assert.match(
          refused.message,
          n8n === second ? /^The OTP was refused\./ : /^The OTP was refused, and the same one is not sent again\./,
        );
      }
      assert.equal(await otpsSent(), 1);
      const tested = await second.testCredential(credential, await form(second, otp));
      assert.equal(tested.status, 'OK', tested.message);
      assert.equal(await otpsSent(), 2);
      // The same form once more, in both processes: with a valid session, and then with none.
      for (const dead of [false, true]) {
        if (dead) await world.sandbox.expireSessions(SECOND.phone);
        for (const n8n of [world.n8n, second]) {
          const again = await n8n.testCredential(credential, await form(n8n, otp));
          assert.equal(
            again.status,
            'OK',
            `${dead ? 'dead' : 'alive'}, ${n8n === second ? 'second' : 'first'} process: ${again.message}`,
          );
        }
      }
    } finally {
      await second.stop();
    }
    assert.equal(await otpsSent(), 2);
    assert.equal(await messagesAsked(), 1);
    assert.equal(await loginSteps('otp_sent'), 1);
    assert.equal(await loginSteps('code_accepted'), 1);
    assert.equal(await loginSteps('code_refused'), 1);
    const ran = await userOf(credential);
    assert.equal(ran.status, 'success', errorOf(ran));
    assert.ok(outputOf(ran, 'User')[0].client_code);
    await world.sandbox.control('DELETE', 'faults');
  });

  it('in the credential form, by a person: save, enter the OTP, save', async () => {
    const editor = await openBrowser({ width: 1280, height: 900 });
    try {
      const { page, shoot } = editor;
      const otpsSent = await counterOf('/verifyphoneotp');
      await signIn(page, world.n8n.url);
      await page.goto(`${world.n8n.url}/home/credentials/create`);
      await page.getByTestId('new-credential-type-select').locator('input').fill('Brokerage');
      await page.getByTestId('new-credential-type-select-option').filter({ hasText: 'Brokerage API' }).first().click();
      await page.getByTestId('new-credential-type-button').click();
      const field = (name) => page.getByTestId(`parameter-input-${name}`);
      await field('loginMethod').click();
      await page.getByRole('option', { name: 'OTP to the Phone' }).click();
      for (const [name, value] of Object.entries({ sandboxBaseUrl: world.sandbox.url, ...SECOND, deviceId: 'by hand' }))
        await field(name).locator('input').fill(value);
      await page.getByTestId('credential-save-button').click();
      await page.getByText('More details').click();
      await page.getByText('An OTP was sent to your phone. Enter it in the field').first().waitFor();
      await shoot('otp-credential-1-sent');
      await field('otp')
        .locator('input')
        .fill(await newestOtp());
      await page.getByTestId('credential-save-button').click();
      await page.getByText('Connection tested successfully').waitFor();
      assert.equal(await otpsSent(), 1);
      await shoot('otp-credential-2-logged-in');
    } catch (error) {
      await editor.shoot('otp-credential-failed');
      throw error;
    } finally {
      await editor.close();
    }
    const { id, type } = (await world.n8n.request('GET', '/credentials')).find(({ name }) =>
      name.startsWith('Brokerage'),
    );
    const ran = await userOf({ id, type, name: 'by hand' });
    assert.equal(ran.status, 'success', errorOf(ran));
  });

  it('by the form workflow: phone, OTP, logged in', async () => {
    const credential = await world.n8n.saveCredential('By form', 'brokerageApi', data({ deviceId: 'phone form' }));
    const before = await userOf(credential);
    assert.match(errorOf(before), /needs an OTP that only you can enter/);
    const workflow = await world.n8n.createWorkflow(example('log-in-by-otp.json', credential));
    await world.n8n.activate(workflow);
    const { webhookId } = workflow.nodes.find(({ name }) => name === 'Phone');
    const { page, shoot } = browser;
    const form = `${world.n8n.url}/form/${webhookId}`;
    await world.n8n.child.until(async () => (await fetch(form)).ok, 30_000);
    await page.goto(form);
    await page.getByText('Log in to your broker').first().waitFor();
    await shoot('otp-form-1-phone');
    await page.locator('input[type="text"]').first().fill(SECOND.phone);
    await page.getByRole('button', { name: 'Send the OTP' }).click();
    await page.getByText('Enter the OTP').first().waitFor();
    await shoot('otp-form-2-otp');
    await page.locator('input[type="password"]').fill(await newestOtp());
    await page.getByRole('button', { name: 'Log In' }).click();
    await page.getByText('You are logged in').first().waitFor();
    await shoot('otp-form-3-logged-in');
    const ran = await userOf(credential);
    assert.equal(ran.status, 'success', errorOf(ran));
  });

  it('"Retry" of an execution that failed asks for no OTP and sends none twice', async () => {
    await world.sandbox.control('DELETE', 'faults');
    const [asked, sent] = [await counterOf('/sendphoneotp'), await counterOf('/verifyphoneotp')];
    const credential = await world.n8n.saveCredential('Retried', 'brokerageApi', data({ deviceId: 'retried' }));
    /** The errors of a first run and of its retry. */
    const errorsOf = async (name, nodes) => {
      const workflow = await world.n8n.createWorkflow(chain(name, [byHand(), ...nodes], credential));
      const first = await world.n8n.finished(await world.n8n.run(workflow, 'Run by Hand'));
      const [{ id }] = await world.n8n.executions(workflow.id);
      await world.n8n.request('POST', `/executions/${id}/retry`, { loadWorkflow: true });
      const [{ id: again }] = await world.n8n.executions(workflow.id);
      assert.notEqual(again, id);
      return [errorOf(first), errorOf(await world.n8n.finished(again))];
    };
    const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
    const user = brokerageNode('User', { resource: 'session', operation: 'getUser' }, tries);
    for (const error of await errorsOf('Without a session', [user]))
      assert.match(error, /needs an OTP that only you can enter\. Open the credential/);
    assert.deepEqual([await asked(), await sent()], [0, 0]);

    const request = brokerageNode('Request', { resource: 'session', operation: 'requestOtp', phone: SECOND.phone });
    const logIn = brokerageNode('Log In', { resource: 'session', operation: 'logInWithOtp', otp: '000000' }, tries);
    for (const error of await errorsOf('With a wrong OTP', [request, logIn])) assert.match(error, /not sent again/);
    assert.deepEqual([await asked(), await sent()], [1, 1]);
  });
});
