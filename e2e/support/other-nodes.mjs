/** Nodes that are not ours and ask for a signed request with our credential, as far as an n8n has them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorOf } from '../../scripts/n8n.mjs';
import { startModel } from './scripted-chat-model.mjs';
import { startRecorder } from './recorder.mjs';

const HTTP_REQUEST = 'n8n-nodes-base.httpRequest';
const HTTP_REQUEST_TOOL = 'n8n-nodes-base.httpRequestTool';
const OLD_TOOL = '@n8n/n8n-nodes-langchain.toolHttpRequest';
const CODE = 'n8n-nodes-base.code';
const AGENT = '@n8n/n8n-nodes-langchain.agent';
const CHAT_MODEL = '@n8n/n8n-nodes-langchain.lmChatOpenAi';
const CUSTOM = 'CUSTOM.knowsTheCredential';

/** A node that somebody wrote for themselves: it names our credential, reads it, and asks in every way that n8n has. */
const CUSTOM_NODE = `
class KnowsTheCredential {
  constructor() {
    this.description = {
      displayName: 'Knows the Credential', name: 'knowsTheCredential', group: ['output'], version: 1, description: '',
      defaults: { name: 'Knows the Credential' }, inputs: ['main'], outputs: ['main'],
      credentials: [{ name: 'brokerageApi' }],
      properties: [{ displayName: 'Requests', name: 'requests', type: 'json', default: '[]' }],
    };
  }
  async execute() {
    const errors = [];
    for (const asked of JSON.parse(this.getNodeParameter('requests', 0))) {
      for (const helper of ['httpRequestWithAuthentication', 'requestWithAuthentication'])
        for (const isGiven of [false, true])
          try {
            const { url, ...more } = asked;
            const options = helper === 'requestWithAuthentication' ? { uri: url, ...more } : { url, ...more };
            const data = isGiven ? await this.getCredentials('brokerageApi') : undefined;
            const given = isGiven
              ? { credentialsDecrypted: { id: '', name: '', type: 'brokerageApi', data: { ...data, loginClaim: 'ticket 1' } } }
              : undefined;
            errors.push(JSON.stringify(await this.helpers[helper].call(this, 'brokerageApi', options, given)));
          } catch (error) {
            errors.push('REFUSED ' + error.message);
          }
    }
    return [errors.map((said) => ({ json: { said } }))];
  }
}
module.exports = { KnowsTheCredential };
`;

/** Puts the node of somebody's own where an n8n finds it at its start. */
export function installCustomNode(userFolder) {
  const folder = path.join(userFolder, '.n8n', 'custom');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'KnowsTheCredential.node.js'), CUSTOM_NODE);
}

/** By the credential, or by n8n before it came to that. */
const REFUSED =
  /was not sent: no node of this package|restricted to|does not have any credentials|is not supported in the Code Node/;
/** Reply of the credential's own test, which is made by the credential and asks for nothing else: an older n8n lets any node ask it. */
const TEST_REPLY = /^\{\s*"client_code": "SBX001",[^]*"message": "user info"/;

const node = (name, type, typeVersion, parameters, more = {}) => ({
  id: name,
  name,
  type,
  typeVersion,
  position: [0, 0],
  parameters,
  ...more,
});

/** Headers by which somebody hopes to be taken for one of ours. */
const HEADERS = { 'x-brokerage-ticket': 'kept', 'x-of-another-node': 'yes' };

/** Requests of each of them: an order past every limit, and a read. */
/** Index of the request that is the credential's test. */
const TEST = 2;
const requestsTo = (url) => [
  { method: 'POST', url: `${url}/orders/v2/single`, headers: HEADERS, body: { order_qty: 25 }, json: true },
  { method: 'GET', url: `${url}/portfolio/holdings`, headers: HEADERS },
  { method: 'GET', url: `${url}/userinfo`, headers: HEADERS, skipSslCertificateValidation: true },
];

const viaCredential = ({ method, url, body }) => ({
  method,
  url,
  authentication: 'predefinedCredentialType',
  nodeCredentialType: 'brokerageApi',
  sendHeaders: true,
  specifyHeaders: 'json',
  jsonHeaders: JSON.stringify(HEADERS),
  ...(body === undefined ? {} : { sendBody: true, specifyBody: 'json', jsonBody: JSON.stringify(body) }),
  options: {},
});

const codeFor = ({ method, url, headers, body }) => `
const options = ${JSON.stringify({ method, url, headers, body })};
const help = this.helpers ?? helpers;
const given = await help.httpRequestWithAuthentication.call(this, 'brokerageApi', options);
return [{ json: { given } }];`;

/** Tries all of them with a credential that goes to the sandbox through a machine that writes down what comes. */
export class OtherNodes {
  /** Results of the tries. */
  said = [];

  /** @param {{n8n: object, sandbox: object, credentialData: object}} world */
  constructor({ n8n, sandbox, credentialData }) {
    Object.assign(this, { n8n, sandbox, credentialData });
  }

  /**
   * @returns {Promise<{tried: string[], signed: object[], unexplained: string[][]}>} the kinds of nodes that were tried, requests of theirs
   * that came to be signed, and what was said of tries that nobody has refused
   */
  async tryAll() {
    const service = await startRecorder(this.sandbox.url);
    const model = await startModel();
    try {
      const data = { ...this.credentialData, sandboxBaseUrl: service.url };
      this.credential = await this.n8n.saveCredential('For Other Nodes', 'brokerageApi', data);
      const { status, message } = await this.n8n.testCredential(this.credential, data);
      if (status !== 'OK') throw new Error(`The credential for other nodes: ${message}`);
      const chat = await this.n8n.saveCredential('Chat for Other Nodes', 'openAiApi', {
        apiKey: 'none',
        url: `${model.url}/v1`,
      });
      const types = await this.#types();
      const tried = [];
      for (const [at, request] of requestsTo(service.url).entries())
        for (const [kind, workflow] of this.#workflows(request, chat)) {
          const missing = workflow.nodes.filter(({ type }) => !types.has(type));
          if (missing.length > 0) continue;
          model.script([['Asks', {}]], 'Done.', 'Done.');
          await this.#run(`${kind} ${at}`, workflow, model);
          tried.push(kind);
        }
      const isOfOurs = ({ method, url, headers }) =>
        headers['x-of-another-node'] === undefined && method === 'GET' && url === '/userinfo';
      const signed = service.seen.filter(
        (request) => request.headers.authorization !== undefined && !isOfOurs(request) && request.url !== '/verifypin',
      );
      const isTest = ([name, said]) => name.endsWith(` ${TEST}`) && TEST_REPLY.test(said);
      const unexplained = this.said.filter((one) => !REFUSED.test(one[1]) && !isTest(one));
      return { tried: [...new Set(tried)], signed, unexplained };
    } finally {
      await model.stop();
      await service.stop();
    }
  }

  async #types() {
    const headers = { cookie: this.n8n.cookie, connection: 'close' };
    const types = await (await fetch(`${this.n8n.url}/types/nodes.json`, { headers })).json();
    return new Set(types.map(({ name }) => name));
  }

  #workflows(request, chat) {
    const brokerageApi = { id: this.credential.id, name: this.credential.name };
    const own = { credentials: { brokerageApi } };
    const alone = (one) => ({
      nodes: [one],
      to: { Webhook: { main: [[{ node: one.name, type: 'main', index: 0 }]] } },
    });
    const asTool = (tool) => ({
      nodes: [
        node('Agent', AGENT, 2.2, { promptType: 'define', text: 'Buy.', options: {} }),
        node(
          'Model',
          CHAT_MODEL,
          1.2,
          { model: { __rl: true, mode: 'id', value: 'gpt-4o-mini' }, options: {} },
          { credentials: { openAiApi: { id: chat.id, name: chat.name } } },
        ),
        tool,
      ],
      to: {
        Webhook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
        Asks: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
      },
    });
    const { method, url, body } = request;
    const oldTool = {
      toolDescription: 'Asks',
      method,
      url,
      authentication: 'predefinedCredentialType',
      nodeCredentialType: 'brokerageApi',
      ...(body === undefined ? {} : { sendBody: true, specifyBody: 'json', jsonBody: JSON.stringify(body) }),
    };
    const custom = { requests: JSON.stringify([request]) };
    return [
      ['HTTP Request', alone(node('Asks', HTTP_REQUEST, 4.2, viaCredential(request), own))],
      [
        'HTTP Request Tool',
        asTool(node('Asks', HTTP_REQUEST_TOOL, 4.2, { toolDescription: 'Asks', ...viaCredential(request) }, own)),
      ],
      ['HTTP Request Tool of LangChain', asTool(node('Asks', OLD_TOOL, 1.1, oldTool, own))],
      ['Code', alone(node('Asks', CODE, 2, { jsCode: codeFor(request) }, own))],
      ['a node of somebody’s own', alone(node('Asks', CUSTOM, 1, custom, own))],
    ];
  }

  /** Runs it by its webhook. */
  async #run(name, { nodes, to }, model) {
    const address = `other-${name.toLowerCase().replace(/\W+/g, '-')}`;
    const webhook = node(
      'Webhook',
      'n8n-nodes-base.webhook',
      2,
      { path: address, responseMode: 'lastNode', options: {} },
      { webhookId: address },
    );
    let made;
    try {
      made = await this.n8n.createWorkflow({ name, nodes: [webhook, ...nodes], connections: to });
    } catch (error) {
      // A newer n8n does not even save it.
      if (!/restricted to/.test(error.message)) throw error;
      this.said.push([name, error.message]);
      return;
    }
    await this.n8n.activate(made);
    const answer = await this.n8n.child.until(async () => {
      const response = await fetch(`${this.n8n.url}/webhook/${address}`, { headers: { connection: 'close' } });
      return response.status === 404 ? undefined : response;
    }, 60_000);
    const text = await answer.text();
    const execution = await this.n8n.child.until(async () => {
      const [latest] = await this.n8n.executions(made.id);
      return latest && latest.status !== 'running' ? await this.n8n.execution(latest.id) : undefined;
    }, 60_000);
    await this.n8n.deactivate(made);
    // A tool's own error does not end the execution.
    const failed = execution.data?.resultData?.runData?.Asks?.[0]?.error?.message;
    this.said.push([name, errorOf(execution) ?? failed ?? [...model.answers(), text].join(' ')]);
  }
}
