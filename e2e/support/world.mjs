/** One sandbox and one real n8n with the packed nodes in it, for a test file. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Child } from '../../scripts/children.mjs';
import { N8n, installNodes, pack, withCredential, withOwnPaths } from '../../scripts/n8n.mjs';
import { ensureRuntime, runtimeHash } from '../../scripts/runtime.mjs';
import { cacheFolder, freePort, node24, root } from '../../scripts/support.mjs';
import { putDatabase } from './database.mjs';

/** Returns the nodes as they would be published: packed once where `npm run e2e` runs the file. */
export const packedNodes = (folder) => process.env.E2E_PACKAGE ?? pack(path.join(folder, 'package'));

/**
 * The environment that starts an n8n sooner: what it has compiled is kept, and without a browser it makes no files of its editor.
 * @param {boolean} editor true where a browser opens it, or a test reads the types of nodes that it has
 */
export const quickStart = (editor) => ({
  NODE_COMPILE_CACHE: path.join(cacheFolder(), `n8n-compiled-${runtimeHash()}`),
  N8N_DISABLE_UI: String(!editor),
});

/** The sandbox's first account. */
export const ACCOUNT = { phone: '9000000001', mpin: '1357', totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU' };

/** The sandbox as a separate process. */
export class Sandbox {
  constructor(folder, port, options = []) {
    this.folder = folder;
    this.port = port;
    this.options = options;
    this.url = `http://127.0.0.1:${port}`;
  }

  async start() {
    this.child = new Child(
      'The sandbox',
      node24,
      [
        '--no-warnings',
        path.join(root, 'sandbox', 'bin', 'brokerage-sandbox.js'),
        '--port',
        String(this.port),
        '--seed',
        '7',
        // Accounts with the older order interface; a test that is about the other says so in its options.
        ...(this.options.includes('--order-interface') ? [] : ['--order-interface', 'v2']),
        ...this.options,
      ],
      { cwd: root, log: path.join(this.folder, 'sandbox.log') },
    );
    await this.child.until(async () => (await fetch(`${this.url}/_sandbox/health`)).ok, 60_000);
  }

  async stop(signal) {
    if (signal) {
      this.child.signal(signal);
      await this.child.ended;
    } else await this.child?.stop();
  }

  /** One request of the control plane. */
  async control(method, resource, body) {
    const response = await fetch(`${this.url}/_sandbox/${resource}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${method} ${resource}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  async stats() {
    return await this.control('GET', 'stats');
  }

  /** Ends every session of an account: of the first where none is named. */
  async expireSessions(phone = ACCOUNT.phone) {
    await this.control('POST', `accounts/${phone}`, { expire_sessions: true });
  }

  async journal(kind) {
    return await this.control('GET', `journal?after=0${kind ? `&kind=${kind}` : ''}`);
  }
}

/** As the preloaded clock reads them: 20 characters each. */
const numbers = (...values) => values.map((value) => String(Math.round(value)).padStart(20)).join('');

/**
 * The milliseconds by which a world's time and its monotonic clock are ahead of the machine's, in a file that n8n's
 * preloaded clock reads.
 */
class SharedClock {
  passedMs = 0;
  aheadMs = 0;

  constructor(folder) {
    this.file = path.join(folder, 'clock');
    writeFileSync(this.file, numbers(0, 0));
    this.opened = openSync(this.file, 'r+');
  }

  /** In one write, so that no reader ever finds half of it. */
  put(instant) {
    this.aheadMs = Date.parse(instant) - Date.now();
    this.putWrongBy(0);
  }

  /** n8n's clock is wrong by so many milliseconds. */
  putWrongBy(ms) {
    writeSync(this.opened, numbers(this.aheadMs + ms, this.passedMs), 0);
  }

  close() {
    closeSync(this.opened);
  }

  get environment() {
    return { E2E_CLOCK: this.file, NODE_OPTIONS: `--require ${path.join(root, 'e2e', 'support', 'clock.cjs')}` };
  }
}

/**
 * Starts both. `close()` stops them and removes their folder. With `start` both begin at that instant. `setTime` sets the
 * clocks of both to a later one; `letPass` moves what n8n measures with them; `setMachine` has n8n's clock alone be wrong by so many ms. `env` is more of n8n's environment; `prepare`
 * is called with n8n before its start. n8n has its editor only with `editor`.
 * @param {{sandboxOptions?: string[], start?: string, env?: Record<string, string>, prepare?: (n8n: N8n) => void, editor?: boolean}} options
 * @returns {Promise<{sandbox: Sandbox, n8n: N8n, folder: string, credentialData(more?: object): object, setTime(instant: string):
 * Promise<void>, letPass(instant: string): Promise<void>, setMachine(wrongByMs: number): void, close(): Promise<void>}>}
 */
export async function openWorld({ sandboxOptions = [], start, env = {}, prepare, editor = false } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'brokerage-e2e-'));
  const clock = start === undefined ? undefined : new SharedClock(folder);
  const sandbox = new Sandbox(
    folder,
    await freePort(),
    start === undefined ? sandboxOptions : [...sandboxOptions, '--start', start],
  );
  const runtime = await ensureRuntime();
  const n8n = new N8n({
    runtime,
    userFolder: path.join(folder, 'n8n'),
    port: await freePort(),
    env: { ...quickStart(editor), ...clock?.environment, ...env },
  });
  const setTime = async (instant) => {
    // Sets n8n's clock first: the sandbox leaps on command, and a run that it starts there must not still read the time before.
    clock.put(instant);
    const { now, going_to: goal } = await sandbox.control('POST', 'clock', { set: instant });
    clock.put(goal ?? now);
    // Runs that it starts on the way make it wait.
    await n8n.child.until(async () => (await sandbox.control('GET', 'clock')).going_to === null, 60_000);
  };
  const letPass = async (instant) => {
    const { now } = await sandbox.control('GET', 'clock');
    clock.passedMs += Date.parse(instant) - Date.parse(now);
    await setTime(instant);
  };
  const close = async () => {
    await n8n.stop();
    await sandbox.stop();
    clock?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await sandbox.start();
    clock?.put((await sandbox.control('GET', 'clock')).now);
    const tarball = packedNodes(folder);
    installNodes(n8n.userFolder, tarball);
    await putDatabase(runtime, n8n.userFolder);
    prepare?.(n8n);
    await n8n.start();
    await n8n.signIn();
    return {
      sandbox,
      n8n,
      folder,
      tarball,
      setTime,
      letPass,
      setMachine: (wrongByMs) => clock.putWrongBy(wrongByMs),
      close,
      credentialData: (more = {}) => credentialData(sandbox.url, more),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the user's input for the sandbox's first account. */
export function credentialData(sandboxUrl, more = {}) {
  return { environment: 'sandbox', sandboxBaseUrl: sandboxUrl, loginMethod: 'totp', ...ACCOUNT, ...more };
}

/**
 * Returns an example workflow with unique addresses and the credential in it, and those of other nodes by the node's type, such as
 * `n8n-nodes-base.emailSend`.
 */
export function example(file, credential, others = {}) {
  const workflow = JSON.parse(readFileSync(path.join(root, 'examples', file), 'utf8'));
  return withOwnPaths(withCredential(workflow, credential, others));
}
