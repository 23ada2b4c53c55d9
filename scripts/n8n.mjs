/** Drives a real n8n: starts it with the packed nodes in place, and speaks its REST interface as the editor does. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'flatted';
import { Child } from './children.mjs';
import { npm, unpack } from './platform.mjs';
import { freePort, root } from './support.mjs';

export const OWNER = { email: 'owner@example.com', firstName: 'Sandbox', lastName: 'Owner', password: 'Sandbox-0wner' };

/** Packs the nodes as they would be published. @returns {string} the tarball */
export function pack(folder) {
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) if (file.endsWith('.tgz')) rmSync(path.join(folder, file));
  execFileSync(...npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]), {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return path.join(
    folder,
    readdirSync(folder).find((file) => file.endsWith('.tgz')),
  );
}

/** The nodes in the n8n of a user folder, as `N8N_USER_FOLDER` names it. */
export function installNodes(userFolder, tarball) {
  installInto(path.join(userFolder, '.n8n'), tarball);
}

/** Unpacks the tarball where n8n puts community packages, so that the node types have their real names. */
export function installInto(folder, tarball) {
  const target = path.join(folder, 'nodes', 'node_modules', 'n8n-nodes-brokerage');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  unpack(tarball, target);
}

export class N8n {
  /**
   * @param {{runtime: {node: string, n8n: string}, userFolder: string, port: number, env?: Record<string, string>}} options
   */
  constructor({ runtime, userFolder, port, env = {} }) {
    this.runtime = runtime;
    this.userFolder = userFolder;
    this.port = port;
    this.env = env;
    this.url = `http://127.0.0.1:${port}`;
    this.cookie = '';
    this.browserId = randomUUID();
  }

  /** The environment of the n8n process: quiet, local, nothing sent anywhere. */
  async environment() {
    return {
      ...process.env,
      PATH: `${path.dirname(this.runtime.node)}${path.delimiter}${process.env.PATH ?? ''}`,
      N8N_USER_FOLDER: this.userFolder,
      N8N_PORT: String(this.port),
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_RUNNERS_BROKER_PORT: String(await freePort()),
      N8N_SECURE_COOKIE: 'false',
      N8N_DIAGNOSTICS_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
      N8N_TEMPLATES_ENABLED: 'false',
      N8N_PERSONALIZATION_ENABLED: 'false',
      N8N_HIRING_BANNER_ENABLED: 'false',
      // Whoever signs in sees the workflows, not an offer of n8n's assistant.
      N8N_DISABLED_MODULES: 'instance-ai',
      N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: 'false',
      N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
      N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true',
      EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
      GENERIC_TIMEZONE: 'Asia/Kolkata',
      ...this.env,
    };
  }

  async #spawn(args) {
    mkdirSync(this.userFolder, { recursive: true });
    this.child = new Child(`n8n ${args[0]}`, this.runtime.node, [this.runtime.n8n, ...args], {
      cwd: this.userFolder,
      env: await this.environment(),
      log: path.join(this.userFolder, 'n8n.log'),
    });
  }

  /** Starts n8n and waits until it answers. */
  async start() {
    await this.#spawn(['start']);
    // Nobody has signed in: what n8n answers to that has its routes, with an editor and without.
    await this.child.until(async () => (await fetch(`${this.url}/rest/login`)).status === 401, 240_000);
  }

  /** Starts a worker of queue mode and waits until it takes work. */
  async startWorker(concurrency = 10) {
    await this.#spawn(['worker', `--concurrency=${concurrency}`]);
    await this.child.until(async () => (await fetch(`${this.url}/healthz/readiness`)).ok, 120_000);
  }

  async stop() {
    await this.child?.stop();
  }

  /** Sends one request of the editor's REST interface; returns `data`. */
  async request(method, resource, body) {
    const response = await fetch(`${this.url}/rest${resource}`, {
      method,
      headers: {
        // A connection that n8n is just closing must not be taken for the next request.
        connection: 'close',
        'browser-id': this.browserId,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.cookie ? { cookie: this.cookie } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const cookie = response.headers.getSetCookie().find((value) => value.startsWith('n8n-auth='));
    if (cookie) this.cookie = cookie.split(';')[0];
    const text = await response.text();
    if (!response.ok)
      throw Object.assign(
        new Error(`n8n answered ${response.status} to ${method} ${resource}: ${text.slice(0, 800)}`),
        { status: response.status },
      );
    const reply = text === '' ? {} : JSON.parse(text);
    return 'data' in reply ? reply.data : reply;
  }

  /** Makes the owner on a new instance, or signs in on one that has it. */
  async signIn() {
    try {
      await this.request('POST', '/owner/setup', OWNER);
    } catch (error) {
      // An n8n that has its owner says so with this status.
      if (error.status !== 400) throw error;
    }
    await this.request('POST', '/login', { emailOrLdapLoginId: OWNER.email, password: OWNER.password });
  }

  /**
   * Creates the credential, or replaces the data of the one with that name.
   * @returns {Promise<{id: string, name: string, type: string}>}
   */
  async saveCredential(name, type, data) {
    const existing = (await this.request('GET', '/credentials')).find((credential) => credential.name === name);
    const saved = existing
      ? await this.request('PATCH', `/credentials/${existing.id}`, { name, type, data })
      : await this.request('POST', '/credentials', { name, type, data });
    return { id: saved.id, name, type };
  }

  /** The credential's own test, as the editor runs it. @returns {Promise<{status: string, message: string}>} */
  async testCredential(credential, data) {
    return await this.request('POST', '/credentials/test', { credentials: { ...credential, data } });
  }

  /** Returns the workflow of that name, perhaps changed by its owner; created if there is none. */
  async ensureWorkflow(workflow) {
    const list = await this.request('GET', '/workflows');
    const existing = (list.results ?? list).find(({ name, isArchived }) => name === workflow.name && !isArchived);
    return existing ? await this.request('GET', `/workflows/${existing.id}`) : await this.createWorkflow(workflow);
  }

  async createWorkflow(workflow) {
    return await this.request('POST', '/workflows', { settings: {}, active: false, ...workflow });
  }

  /** Activates a workflow and waits until its triggers listen: n8n answers before it has started them, and older ones do not say when. */
  async activate(workflow, timeoutMs = 60_000) {
    const active = await this.request('POST', `/workflows/${workflow.id}/activate`, { versionId: workflow.versionId });
    const { status, triggers } = await this.child.until(async () => {
      const publication = await this.#publicationOf(workflow);
      return ['in_progress', 'not_published'].includes(publication.status) ? undefined : publication;
    }, timeoutMs);
    if (status !== 'published')
      throw new Error(`The workflow ${workflow.name} is ${status}: ${JSON.stringify(triggers)}`);
    return active;
  }

  async #publicationOf(workflow) {
    try {
      return await this.request('GET', `/workflows/${workflow.id}/publication-status`);
    } catch (error) {
      if (error.status === 404) return { status: 'published' };
      throw error;
    }
  }

  async deactivate(workflow) {
    return await this.request('POST', `/workflows/${workflow.id}/deactivate`, {});
  }

  /** Starts a workflow from a trigger node by hand. @returns {Promise<string>} the execution's id */
  async run(workflow, trigger) {
    const { executionId } = await this.request('POST', `/workflows/${workflow.id}/run`, {
      workflowData: workflow,
      triggerToStartFrom: { name: trigger },
    });
    return executionId;
  }

  /** An execution with its data unflattened. */
  async execution(id) {
    const execution = await this.request('GET', `/executions/${id}`);
    return { ...execution, data: typeof execution.data === 'string' ? parse(execution.data) : execution.data };
  }

  /** Waits until an execution has ended. */
  async finished(id, timeoutMs = 120_000) {
    return await this.child.until(async () => {
      const execution = await this.execution(id);
      return ['success', 'error', 'crashed', 'canceled'].includes(execution.status) ? execution : undefined;
    }, timeoutMs);
  }

  /** The executions of a workflow, newest first. */
  async executions(workflowId) {
    const filter = encodeURIComponent(JSON.stringify({ workflowId }));
    return (await this.request('GET', `/executions?filter=${filter}&limit=100`)).results;
  }
}

/** Returns the output items of a node in an execution. */
export function outputOf(execution, node) {
  const runs = execution.data?.resultData?.runData?.[node];
  return (runs ?? []).flatMap((run) => run.data?.main?.[0] ?? []).map((item) => item.json);
}

/** The error of an execution as text, or undefined. */
export function errorOf(execution) {
  const error = execution.data?.resultData?.error;
  return error ? [error.message, error.description].filter(Boolean).join(' ') : undefined;
}

/**
 * A workflow with the credential put into every node of ours, and other credentials into the nodes of the types that they are
 * given for, such as `n8n-nodes-base.emailSend`.
 */
export function withCredential(workflow, credential, others = {}) {
  return {
    ...workflow,
    nodes: workflow.nodes.map((node) => {
      const taken = node.type.startsWith('n8n-nodes-brokerage.') ? credential : others[node.type];
      return taken ? { ...node, credentials: { [taken.type]: { id: taken.id, name: taken.name } } } : node;
    }),
  };
}

/** Returns a workflow whose webhooks and forms have unique random addresses, as n8n's editor gives them when a file is imported. */
export function withOwnPaths(workflow) {
  const nodes = workflow.nodes.map((node) => {
    if (node.webhookId === undefined) return node;
    const own = randomUUID();
    const { path: address, options } = node.parameters;
    const parameters = {
      ...node.parameters,
      ...(address === node.webhookId ? { path: own } : {}),
      ...(options?.path === node.webhookId ? { options: { ...options, path: own } } : {}),
    };
    return { ...node, webhookId: own, parameters };
  });
  return { ...workflow, nodes };
}
