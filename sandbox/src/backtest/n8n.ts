import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { OptionError } from '../shared/option-error';
import { listExecutions } from './execution-list';
import type { Execution, ExecutionSummary } from './runs';
import { withCredential, type Workflow } from './workflow';

const PACKAGE = 'n8n-nodes-brokerage';
const OWNER = { email: 'owner@example.com', firstName: 'Backtest', lastName: 'Owner', password: 'Backtest-0wner' };
/** Milliseconds in which n8n has to start: it makes its database first, which takes minutes where the machine is busy. */
const START_MS = 600_000;
const ACTIVATE_MS = 120_000;
const POLL_MS = 150;
/** For so long what n8n cannot answer yet is read again, milliseconds. */
const READ_MS = 30_000;
const UNAVAILABLE = 503;
/** Time that n8n may take to end by itself, milliseconds. */
const GRACE_MS = 10_000;
/** Time that the sign-in lasts by n8n's clock, which goes on by weeks within minutes: longer than any recording, hours. */
const SIGN_IN_HOURS = 30 * 366 * 24;
/** Each execution is kept: the report tells of them. A workflow for errors is not there. */
const KEPT = { saveDataErrorExecution: 'all', saveDataSuccessExecution: 'all', errorWorkflow: undefined };
/** Names of variables that set up an n8n. */
const OF_ANOTHER_N8N = /^(N8N|DB|EXECUTIONS|QUEUE|CREDENTIALS|WORKFLOWS|WEBHOOK|ENDPOINT|GENERIC)_/;

/** n8n's own command. @param dir where it is installed; undefined to look where the command line looks @throws OptionError */
export function findN8n(dir: string | undefined): string {
  const candidates =
    dir === undefined
      ? [
          path.resolve('node_modules', 'n8n', 'bin', 'n8n'),
          ...(process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, 'n8n')),
        ]
      : ['.', 'node_modules/n8n', 'lib/node_modules/n8n'].map((below) => path.resolve(dir, below, 'bin', 'n8n'));
  const found = candidates.find((file) => existsSync(file));
  if (found !== undefined) return realpathSync(found);
  throw new OptionError(
    dir === undefined
      ? 'n8n is not found on this machine: install it (npm install n8n in some folder) and give that folder as --n8n DIR.'
      : `--n8n ${dir} holds no n8n: give the folder in which "npm install n8n" was run.`,
  );
}

/** The folder of the nodes' package. @throws OptionError */
export function findNodes(dir: string | undefined): string {
  const candidates =
    dir === undefined
      ? [
          path.resolve('node_modules', PACKAGE),
          path.resolve('.'),
          path.join(homedir(), '.n8n', 'nodes', 'node_modules', PACKAGE),
          path.resolve(__dirname, '..', '..', '..'),
        ]
      : [path.resolve(dir)];
  const found = candidates.find((folder) => isNodes(folder));
  if (found !== undefined) return found;
  throw new OptionError(
    dir === undefined
      ? `The package ${PACKAGE} is not found: install it here (npm install ${PACKAGE}), or give its folder as --nodes DIR. In a clone, run "npm run build" first.`
      : `--nodes ${dir} does not hold the package ${PACKAGE}, built. In a clone, run "npm run build" first.`,
  );
}

function isNodes(folder: string): boolean {
  const file = path.join(folder, 'package.json');
  if (!existsSync(file) || !existsSync(path.join(folder, 'dist'))) return false;
  return (JSON.parse(readFileSync(file, 'utf8')) as { name?: string }).name === PACKAGE;
}

/** The variables of the user's shell without those that set up another n8n, such as its database. */
export function withoutAnotherN8n(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OF_ANOTHER_N8N.test(name)));
}

/** A separate n8n in a separate folder. */
export class N8n {
  private child: ChildProcess | undefined;
  private url = '';
  private cookie = '';
  private workflow = '';

  /**
   * @param command see `findN8n`. @param folder where it keeps everything. @param clock the file of `process-clock`
   */
  constructor(
    private readonly command: string,
    private readonly folder: string,
    private readonly clock: string,
  ) {}

  get log(): string {
    return path.join(this.folder, 'n8n.log');
  }

  private fail: (error: Error) => void = () => undefined;
  /** Rejects when n8n ends. Made after `fail`, which it sets. */
  readonly ended = new Promise<never>((_resolve, reject) => (this.fail = reject));

  /** Puts the nodes in place, starts n8n and waits until it answers. @param nodes see `findNodes` */
  async start(nodes: string): Promise<void> {
    const target = path.join(this.folder, '.n8n', 'nodes', 'node_modules', PACKAGE);
    mkdirSync(target, { recursive: true });
    for (const part of ['package.json', 'dist', 'index.js'])
      if (existsSync(path.join(nodes, part)))
        cpSync(path.join(nodes, part), path.join(target, part), { recursive: true });
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}/rest`;
    const log = openSync(this.log, 'a');
    this.child = spawn(process.execPath, [this.command, 'start'], {
      cwd: this.folder,
      stdio: ['ignore', log, log],
      env: {
        ...withoutAnotherN8n(process.env),
        N8N_USER_FOLDER: this.folder,
        N8N_PORT: String(port),
        N8N_LISTEN_ADDRESS: '127.0.0.1',
        N8N_RUNNERS_BROKER_PORT: String(await freePort()),
        N8N_SECURE_COOKIE: 'false',
        N8N_DIAGNOSTICS_ENABLED: 'false',
        N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
        N8N_TEMPLATES_ENABLED: 'false',
        N8N_PERSONALIZATION_ENABLED: 'false',
        N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: 'false',
        N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
        // Its time goes on by weeks: none of what it keeps is old.
        EXECUTIONS_DATA_PRUNE: 'false',
        N8N_USER_MANAGEMENT_JWT_DURATION_HOURS: String(SIGN_IN_HOURS),
        GENERIC_TIMEZONE: 'Asia/Kolkata',
        BROKERAGE_BACKTEST_CLOCK: this.clock,
        NODE_OPTIONS: `--require ${JSON.stringify(path.join(__dirname, 'process-clock.js'))}`,
      },
    });
    closeSync(log);
    this.ended.catch(() => undefined);
    this.child.on('error', (error) => this.fail(error));
    this.child.on('exit', (code) =>
      this.fail(new Error(`n8n ended with status ${code}. Its last words:\n${this.tail()}`)),
    );
    await this.until('n8n was not ready', START_MS, async () => (await this.request('GET', '/settings')) !== undefined);
    await this.request('POST', '/owner/setup', OWNER);
    await this.request('POST', '/login', { emailOrLdapLoginId: OWNER.email, password: OWNER.password });
  }

  /** Brings the workflow in with a credential of this data, and publishes it. */
  async publish(workflow: Workflow, credentialData: object): Promise<void> {
    const name = 'Brokerage Sandbox';
    const credential = await this.request<{ id: string }>('POST', '/credentials', {
      name,
      type: 'brokerageApi',
      data: credentialData,
    });
    const { nodes, connections, settings } = withCredential(workflow, { id: credential.id, name });
    const made = await this.request<{ id: string; versionId: string }>('POST', '/workflows', {
      name: workflow.name,
      nodes,
      connections,
      settings: { ...settings, ...KEPT },
      active: false,
    });
    this.workflow = made.id;
    await this.request('POST', `/workflows/${made.id}/activate`, { versionId: made.versionId });
    await this.until('The workflow was not published', ACTIVATE_MS, async () => {
      const { status } = await this.request<{ status: string }>(
        'GET',
        `/workflows/${made.id}/publication-status`,
      ).catch(() => ({ status: 'published' }));
      if (status === 'failed') throw new Error(`The workflow ${workflow.name} could not be published:\n${this.tail()}`);
      return status === 'published';
    });
  }

  /** The workflow's executions after one, ascending. @param after an id; undefined for all of them */
  async executionsAfter(after: string | undefined): Promise<ExecutionSummary[]> {
    return await listExecutions(async (resource) => await this.read(resource), this.workflow, after);
  }

  /** An execution with its data. */
  async execution(id: string): Promise<Execution> {
    return await this.read(`/executions/${id}`);
  }

  /** Ends it, kindly first. */
  async stop(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await exited;
    clearTimeout(killer);
  }

  /** Its last words. */
  tail(): string {
    return existsSync(this.log) ? readFileSync(this.log, 'utf8').slice(-2_000) : '';
  }

  private async until(what: string, ms: number, probe: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + ms;
    while (!(await Promise.race([probe().catch((error: unknown) => this.refused(error)), this.ended]))) {
      if (performance.now() > deadline)
        throw new Error(`${what} after ${ms / 1_000} s. Its last words:\n${this.tail()}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Lets a question be asked again that n8n does not answer yet; anything else is told. */
  private refused(error: unknown): false {
    if (error instanceof TypeError || error instanceof NotReady) return false;
    throw error;
  }

  /**
   * Reads something. A 503 is asked again for a while: n8n looks at its database by its clock, which here jumps, and may find it away.
   */
  private async read<T>(resource: string): Promise<T> {
    const deadline = performance.now() + READ_MS;
    for (;;) {
      try {
        return await this.request<T>('GET', resource);
      } catch (error) {
        if (!(error instanceof NotReady) || error.status !== UNAVAILABLE || performance.now() > deadline) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  private async request<T>(method: string, resource: string, body?: object): Promise<T> {
    const response = await fetch(`${this.url}${resource}`, {
      method,
      headers: {
        connection: 'close',
        'browser-id': 'backtest',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const cookie = response.headers.getSetCookie().find((value) => value.startsWith('n8n-auth='));
    if (cookie !== undefined) this.cookie = cookie.split(';')[0]!;
    const text = await response.text();
    if (!response.ok)
      throw new NotReady(
        `n8n answered ${response.status} to ${method} ${resource}: ${text.slice(0, 800)}`,
        response.status,
      );
    const reply = (text.startsWith('{') ? JSON.parse(text) : {}) as { data?: T };
    if (reply.data === undefined && resource === '/settings') throw new NotReady('n8n is starting');
    return reply.data ?? (reply as T);
  }
}

class NotReady extends Error {
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
