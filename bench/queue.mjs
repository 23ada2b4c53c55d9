/**
 * n8n in queue mode with two workers: executions a second of a quote workflow, ours against HTTP Request nodes doing the same:
 * with the token in a credential, as ours has it, and with the token written into the workflow, where everybody can read it.
 */
import { randomUUID } from 'node:crypto';
import { openQueueWorld } from '../e2e/support/queue.mjs';
import { credentialData } from '../e2e/support/world.mjs';
import { withCredential } from '../scripts/n8n.mjs';

/** The real n8n is the one that scripts/bench.mjs has found: BENCH_N8N. */
const DEVICE = 'bench';
/** The sandbox's second account, which logs in by one-time password. */
const SECOND = { phone: '9000000002', mpin: '2468' };
const OURS = 'ours';
const HTTP = 'HTTP Request, token in a credential';
const OPEN = 'HTTP Request, token in the workflow';
/** Now and then n8n finishes an execution and never answers its webhook: then the round goes on, and counts what was answered. */
const MAX_ANSWER_MS = 10_000;
/** Executions that are asked for at the same time. */
const LANES = 20;

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** A webhook that starts the node that gets the price of INFY. */
function workflow(name, hook, node) {
  return {
    name,
    nodes: [
      {
        id: '1',
        name: 'Webhook',
        type: 'n8n-nodes-base.webhook',
        typeVersion: 2,
        position: [0, 0],
        webhookId: hook,
        parameters: { httpMethod: 'GET', path: hook, responseMode: 'lastNode', options: {} },
      },
      { id: '2', name: 'Price', position: [220, 0], ...node },
    ],
    connections: { Webhook: { main: [[{ node: 'Price', type: 'main', index: 0 }]] } },
  };
}

/** The session token of the second account: a second login of the first would end the session of our node. */
async function logInByOtp(sandbox) {
  const send = async (resource, body, headers = {}) => {
    const response = await fetch(`${sandbox.url}${resource}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-device-id': DEVICE, ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${resource} answered ${response.status}`);
    return await response.json();
  };
  const { phone, mpin } = SECOND;
  const first = await send('/sendphoneotp', { phone, skip_totp: false });
  const second = await send('/sendphoneotp', { phone, skip_totp: true }, { 'x-temp-token': first.temp_token });
  const [message] = await sandbox.control('GET', `inbox?phone=${phone}`);
  const otp = /\b\d{4,6}\b/.exec(message.text)[0];
  const { auth_token: authToken } = await send(
    '/verifyphoneotp',
    { phone, otp },
    { 'x-temp-token': second.temp_token },
  );
  return (await send('/verifypin', { pin: mpin }, { authorization: `Bearer ${authToken}` })).session_token;
}

export default async ({ short }) => {
  const count = short ? 10 : 200;
  const { sandbox, main: n8n, credential, close } = await openQueueWorld(['--rate-limit', 'off']);
  try {
    // As the editor does after each change of a credential: one that was never tested is read twice in each execution.
    const { status, message } = await n8n.testCredential(credential, credentialData(sandbox.url));
    if (status !== 'OK') throw new Error(`The test of the credential failed: ${message}`);
    const sides = new Map();
    const add = async (name, node) => {
      const hook = randomUUID();
      await n8n.activate(await n8n.createWorkflow(withCredential(workflow(name, hook, node), credential)));
      sides.set(name, async () => {
        const signal = AbortSignal.timeout(MAX_ANSWER_MS);
        try {
          const response = await fetch(`${n8n.url}/webhook/${hook}`, { signal });
          const text = await response.text();
          if (!response.ok || !/"price":/.test(text))
            throw new Error(`${name} answered ${response.status}: ${text.slice(0, 200)}`);
          return true;
        } catch (error) {
          if (!signal.aborted) throw error;
          console.error(`${name}: n8n gave no answer to one of the webhooks.`);
          return false;
        }
      });
    };
    await add(OURS, {
      type: 'n8n-nodes-brokerage.brokerage',
      typeVersion: 1,
      parameters: {
        resource: 'quote',
        operation: 'getCurrentPrice',
        instrument: { __rl: true, mode: 'symbol', value: 'NSE:INFY' },
        options: {},
      },
    });
    const session = await logInByOtp(sandbox);
    const url = `${sandbox.url}/optionchains/INFY/price?exchange=NSE`;
    const headers = (...given) => ({
      sendHeaders: true,
      headerParameters: { parameters: given.map(([name, value]) => ({ name, value })) },
    });
    const http = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 };
    const device = ['x-device-id', DEVICE];
    const bearer = ['Authorization', `Bearer ${session}`];
    const header = await n8n.saveCredential('Bearer', 'httpHeaderAuth', { name: bearer[0], value: bearer[1] });
    await add(HTTP, {
      ...http,
      parameters: {
        url,
        authentication: 'genericCredentialType',
        genericAuthType: 'httpHeaderAuth',
        ...headers(device),
        options: {},
      },
      credentials: { httpHeaderAuth: { id: header.id, name: header.name } },
    });
    await add(OPEN, { ...http, parameters: { url, ...headers(bearer, device), options: {} } });
    const rates = new Map([...sides.keys()].map((name) => [name, []]));
    for (let round = -1; round < (short ? 1 : 5); round++) {
      for (const [name, ask] of sides) {
        const began = performance.now();
        let [left, answered, ended] = [count, 0, began];
        await Promise.all(
          Array.from({ length: LANES }, async () => {
            while (left-- > 0) if (await ask()) [answered, ended] = [answered + 1, performance.now()];
          }),
        );
        if (round >= 0) rates.get(name).push(answered / ((ended - began) / 1_000));
      }
    }
    // Round by round: the sides take turns, so that what slows the machine down slows all of them.
    const against = (name) => median(rates.get(OURS).map((rate, round) => rate / rates.get(name)[round]));
    return {
      title: "Executions a second in n8n's queue mode, two workers",
      work: `${count} executions of webhook → price → answer, ${LANES} at a time; Redis, PostgreSQL, main and both workers on the same processors`,
      sides: [],
      goals: [],
      figures: () => [
        ...[...rates].map(([name, seen]) => ({ name, value: median(seen), unit: 'executions/s' })),
        { name: `ours against ${HTTP}`, value: against(HTTP), unit: '×', atLeast: 1 },
        { name: `ours against ${OPEN}`, value: against(OPEN), unit: '×' },
      ],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
