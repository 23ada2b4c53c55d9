/** Installs packages that are too large for the clone: once per lock file, outside of it, from the lock file alone. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { headersIn, nodeIn, npm } from './platform.mjs';
import { cacheFolder, lockHash, root, runWithProgress } from './support.mjs';

const RUNTIME = path.join(root, 'e2e', 'runtime');

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Makes a folder in the machine's cache, where it is missing; a half-made one is never found.
 * @param {string} name of the folder, with the hash of what it is made from
 * @param {(folder: string) => Promise<void>} make fills it
 * @returns {Promise<string>} the folder
 */
export async function ensureCached(name, make) {
  const folder = path.join(cacheFolder(), name);
  if (existsSync(path.join(folder, '.ready'))) return folder;
  const partial = `${folder}.${process.pid}`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  try {
    await make(partial);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
  await writeFile(path.join(partial, '.ready'), '');
  try {
    await rename(partial, folder);
  } catch (error) {
    if (!existsSync(path.join(folder, '.ready'))) throw error;
    // Somebody else was quicker with the same install: theirs is used.
    await rm(partial, { recursive: true, force: true });
  }
  return folder;
}

/**
 * Installs the pinned packages of a folder, if missing. No package runs an install script.
 * @param {string} name of the folder in the machine's cache, before the lock file's hash
 * @param {string} pinned the folder with package.json and package-lock.json
 * @param {string} title for the user who waits
 * @param {(folder: string) => Promise<void>} finish work to do once before it is ready
 * @returns {Promise<string>} the folder that it is in
 */
async function ensureInstalled(name, pinned, title, finish = async () => {}) {
  return await ensureCached(`${name}-${lockHash(path.join(pinned, 'package-lock.json'))}`, async (folder) => {
    await cp(pinned, folder, { recursive: true });
    await runWithProgress(title, ...npm(['ci', '--ignore-scripts', ...QUIET]), { cwd: folder });
    await finish(folder);
  });
}

/**
 * Installs the pinned n8n where it is missing.
 * @returns {Promise<{folder: string, node: string, n8n: string}>} its folder, its Node.js 24, its command
 */
export async function ensureRuntime() {
  const title = 'Downloading n8n, once (2.7 GB on disk, two to five minutes)';
  const folder = await ensureInstalled('n8n', RUNTIME, title, buildRuntime);
  const modules = path.join(folder, 'node_modules');
  return { folder, node: nodeIn(modules), n8n: path.join(modules, 'n8n', 'bin', 'n8n') };
}

/** Hash of what the pinned n8n is installed from. */
export const runtimeHash = () => lockHash(path.join(RUNTIME, 'package-lock.json'));

/** The two packages whose own scripts are run: Node.js, and the driver of n8n's database, which is compiled for it. */
async function buildRuntime(folder) {
  await runWithProgress("Unpacking n8n's Node.js 24", ...rebuild('node'), { cwd: folder });
  await buildDriver(folder, path.join(folder, 'node_modules'));
}

/** Compiles the SQLite driver in a folder for the Node.js in a `node_modules`, with the headers that came with that. */
async function buildDriver(folder, modules) {
  const headers = headersIn(modules);
  const env = { ...onPath(nodeIn(modules)), ...(headers === undefined ? {} : { npm_config_nodedir: headers }) };
  const title = "Building n8n's SQLite driver (about a minute and a half)";
  await runWithProgress(title, ...rebuild('sqlite3'), { cwd: folder, env });
}

const rebuild = (name) => npm(['rebuild', name, '--ignore-scripts=false', ...QUIET]);

/** The environment with this Node.js first. */
function onPath(node) {
  return { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}` };
}

/**
 * Installs another version of n8n where it is missing; it runs on the pinned one's Node.js.
 * @param {{version: string, before?: string, overrides?: Record<string, string>}} recipe `before` is the day from which on nothing that it
 * depends on is taken: a version without a lock file would otherwise change from install to install
 * @returns {Promise<{folder: string, node: string, n8n: string}>} as `ensureRuntime`
 */
export async function ensureVersion({ version, before, overrides = {} }) {
  const pinned = await ensureRuntime();
  const manifest = JSON.stringify({ name: 'n8n-runtime', private: true, dependencies: { n8n: version }, overrides });
  const hash = createHash('sha256').update(`${manifest}${before}`).digest('hex').slice(0, 16);
  const folder = await ensureCached(`n8n-${version}-${hash}`, async (partial) => {
    await writeFile(path.join(partial, 'package.json'), manifest);
    // What both need is taken as the pinned one has it: that is known to install, and is quicker.
    await cp(path.join(RUNTIME, 'package-lock.json'), path.join(partial, 'package-lock.json'));
    const args = ['install', '--ignore-scripts', ...QUIET, ...(before === undefined ? [] : [`--before=${before}`])];
    const title = `Downloading n8n ${version}, once (2.7 GB on disk, five minutes to half an hour)`;
    await runWithProgress(title, ...npm(args), { cwd: partial, env: onPath(pinned.node) });
    await takeDriver(pinned.folder, partial);
  });
  return { folder, node: pinned.node, n8n: path.join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/** The compiled SQLite driver of the pinned n8n: it fits every Node.js, but not another version of the driver, which is compiled. */
async function takeDriver(pinned, folder) {
  const driver = (where) => path.join(where, 'node_modules', 'sqlite3');
  const versionIn = (where) => JSON.parse(readFileSync(path.join(driver(where), 'package.json'), 'utf8')).version;
  if (versionIn(pinned) !== versionIn(folder)) return await buildDriver(folder, path.join(pinned, 'node_modules'));
  const built = path.join('build', 'Release', 'node_sqlite3.node');
  await cp(path.join(driver(pinned), built), path.join(driver(folder), built));
}

/** Installs n8n's own tool for community nodes where it is missing. @returns {Promise<string>} its `node_modules` */
export async function ensureNodeCli() {
  const title = "Downloading n8n's own tool for nodes, once (270 MB on disk, about a minute)";
  return path.join(await ensureInstalled('n8n-node', path.join(root, 'scripts', 'n8n-node'), title), 'node_modules');
}

/** Installs what makes mutants where it is missing. @returns {Promise<string>} its `node_modules` */
export async function ensureMutationTester() {
  const title = 'Downloading what makes small breaks in code, once (25 MB on disk, under a minute)';
  return path.join(await ensureInstalled('mutants', path.join(root, 'scripts', 'mutants'), title), 'node_modules');
}
