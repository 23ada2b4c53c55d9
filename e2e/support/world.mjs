/** One sandbox and one real n8n with the packed nodes in it, for a test file. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Child } from '../../scripts/children.mjs';
import { N8n, installNodes, pack, withCredential } from '../../scripts/n8n.mjs';
import { ensureRuntime } from '../../scripts/runtime.mjs';
import { freePort, node24, root } from '../../scripts/support.mjs';

/** The sandbox's first account (design: fixed names). */
export const ACCOUNT = { phone: '9000000001', mpin: '1357', totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU' };

/** The sandbox as a process of its own. */
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
      ['--no-warnings', path.join(root, 'sandbox', 'bin', 'brokerage-sandbox.js'), '--port', String(this.port), '--seed', '7', ...this.options],
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

  async journal(kind) {
    return await this.control('GET', `journal?after=0${kind ? `&kind=${kind}` : ''}`);
  }
}

/**
 * Starts both. `close()` stops them and removes their folder.
 * @returns {Promise<{sandbox: Sandbox, n8n: N8n, folder: string, credentialData(more?: object): object, close(): Promise<void>}>}
 */
export async function openWorld({ sandboxOptions = [] } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'brokerage-e2e-'));
  const sandbox = new Sandbox(folder, await freePort(), sandboxOptions);
  const runtime = await ensureRuntime();
  const n8n = new N8n({ runtime, userFolder: path.join(folder, 'n8n'), port: await freePort() });
  const close = async () => {
    await n8n.stop();
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await sandbox.start();
    const tarball = pack(path.join(folder, 'package'));
    installNodes(n8n.userFolder, tarball);
    await n8n.start();
    await n8n.signIn();
    return { sandbox, n8n, folder, tarball, close, credentialData: (more = {}) => credentialData(sandbox.url, more) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What a person fills in for the sandbox's first account. */
export function credentialData(sandboxUrl, more = {}) {
  return { environment: 'sandbox', sandboxBaseUrl: sandboxUrl, loginMethod: 'totp', ...ACCOUNT, ...more };
}

/** An example workflow with the credential in it. */
export function example(file, credential) {
  return withCredential(JSON.parse(readFileSync(path.join(root, 'examples', file), 'utf8')), credential);
}
