/** What the scripts share: where things are, running a program, Node.js 24, the machine's cache. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** npm's command on this system. */
export const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Runs a program with its output shown and waits for it; rejects when it does not end with status 0. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${path.basename(command)} ${args.join(' ')} ended with ${signal ?? `status ${code}`}`)),
    );
  });
}

/** The Node.js 24 that the dev dependency `node` brings. */
export const node24 = path.join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The environment with Node.js 24 first on the PATH. */
export function withNode24(env = process.env) {
  return { ...env, PATH: `${path.dirname(node24)}${path.delimiter}${env.PATH ?? ''}` };
}

/** The hash by which an install is cached: that of the lock file. */
export function lockHash(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
}

/** Where heavy installs are kept, outside the clone. */
export function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  return path.join(base, 'n8n-nodes-brokerage');
}

/** Installs the dev dependencies when the lock file changed since they were installed, or they are missing. */
export async function installIfMissing() {
  const installed = path.join(root, 'node_modules', '.package-lock.json');
  const marker = path.join(root, 'node_modules', '.brokerage-lock');
  const hash = lockHash(path.join(root, 'package-lock.json'));
  if (existsSync(installed) && existsSync(node24) && existsSync(marker) && readFileSync(marker, 'utf8') === hash) return;
  console.log('Installing dependencies (about a minute, once) …');
  await run(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  await run(npm, ['rebuild', 'node', '--loglevel=error']);

  writeFileSync(marker, hash);
}
