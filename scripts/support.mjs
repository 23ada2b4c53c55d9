/** Shared parts of the scripts: places, running a program, Node.js 24, the machine's cache. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { showCommand } from './failures.mjs';
import { nodeIn, npm } from './platform.mjs';

/** The project's folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Runs a program with its output shown and waits for it; rejects when it does not end with status 0. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      code === 0
        ? resolve()
        : reject(new Error(`${showCommand(command, args)} ended with ${signal ?? `status ${code}`}`)),
    );
  });
}

/**
 * Runs a program quietly, saying what goes on and for how long; its output is shown only when it fails.
 */
export async function runWithProgress(title, command, args, options = {}) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  console.log(`${title} …`);
  const ticker = setInterval(() => console.log(`  … still at it (${seconds()})`), 15_000);
  try {
    await new Promise((resolve, reject) => {
      const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
      const output = [];
      child.stdout.on('data', (chunk) => output.push(chunk));
      child.stderr.on('data', (chunk) => output.push(chunk));
      child.on('error', reject);
      child.on('exit', (code, signal) => {
        if (code === 0) return resolve();
        process.stderr.write(Buffer.concat(output));
        reject(new Error(`${title}: ${showCommand(command, args)} ended with ${signal ?? `status ${code}`}`));
      });
    });
  } finally {
    clearInterval(ticker);
  }
  console.log(`  done in ${seconds()}`);
}

/** The Node.js 24 that the dev dependency `node` brings. */
export const node24 = nodeIn(path.join(root, 'node_modules'));

/** The environment with Node.js 24 first on the PATH. */
export function withNode24(env = process.env) {
  return { ...env, PATH: `${path.dirname(node24)}${path.delimiter}${env.PATH ?? ''}` };
}

/** The hash by which an install is cached: that of the lock file. */
export function lockHash(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
}

/** Returns the folder of heavy installs, outside the clone. */
export function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  return path.join(base, 'n8n-nodes-brokerage');
}

/**
 * Installs the dev dependencies where `node_modules` does not hold what the lock file names, whoever installed it. Where
 * `node_modules` is a link (git worktrees that share one) nothing is installed: npm would empty the folder of all the others.
 */
export async function installIfMissing() {
  if (lstatSync(path.join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  if (!installedAsLocked())
    await runWithProgress('Installing dependencies, once (about a minute)', ...npm(['ci', ...quiet]));
  // No package runs an install script (.npmrc); this one's only links the program that it brings.
  if (!existsSync(node24))
    await runWithProgress('Unpacking Node.js 24', ...npm(['rebuild', 'node', '--ignore-scripts=false', ...quiet]));
}

/** Returns true if npm's own record of its installs has every package of the lock file that this system takes, in its version. */
function installedAsLocked() {
  const record = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(locked).every(
    ([place, { version, optional }]) =>
      place === '' || (installed[place] === undefined ? optional === true : installed[place].version === version),
  );
}

/** Returns true if files may be made in the project's folder. */
export function mayWrite() {
  try {
    accessSync(root, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Note of the sources of the build: beside the built files, where the next build removes it first of all, whoever starts that. So the
 * remnants of a failed build are never taken for its sources.
 */
const marker = path.join(root, 'proto', 'generated', '.built-from');

/** A digest of all that the build reads. */
function digestOfSources() {
  const hash = createHash('sha256');
  const sources = ['nodes', 'credentials', 'client', 'proto', 'sandbox/src'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      .filter((file) => !file.includes(`${path.sep}generated${path.sep}`)),
  );
  const settings = [
    'gulpfile.js',
    'package-lock.json',
    'tsconfig.base.json',
    'tsconfig.build.json',
    'sandbox/tsconfig.json',
  ];
  for (const file of [...sources.sort(), ...settings])
    hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

/** Returns true if the built files were built from the current sources. */
export function isBuilt() {
  const built = ['dist', 'sandbox/dist'].every((folder) => existsSync(path.join(root, folder)));
  return built && existsSync(marker) && readFileSync(marker, 'utf8') === digestOfSources();
}

/** Builds when a source changed since the last build. */
export async function buildIfChanged() {
  if (isBuilt()) return;
  await runWithProgress('Building', ...npm(['run', 'build', '--silent']), { env: withNode24() });
  writeFileSync(marker, digestOfSources());
}

/** An error whose text is all that the user needs: scripts print it without a stack. */
export class PlainError extends Error {}

/** Rejects with a plain sentence when something listens on the port already. */
export async function assertPortFree(port, host, option) {
  await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new PlainError(
              `Port ${port} is taken by another program. Stop that program, or choose another port with ${option}.`,
            )
          : error,
      ),
    );
    server.listen(port, host, () => server.close(resolve));
  });
}

/** A port that nobody listens on. */
export async function freePort() {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
