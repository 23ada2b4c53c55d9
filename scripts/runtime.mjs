/** What is too large for the clone: installed once per lock file, outside of it, from the lock file alone. */
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { headersIn, nodeIn, npm } from './platform.mjs';
import { cacheFolder, lockHash, root, runWithProgress } from './support.mjs';

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs what a folder of the project pins, where it is missing. No package runs a script of its own.
 * @param {string} name of the folder in the machine's cache, before the lock file's hash
 * @param {string} pinned the folder with package.json and package-lock.json
 * @param {string} title for the person who waits
 * @param {(folder: string) => Promise<void>} finish what is done once before it is ready
 * @returns {Promise<string>} the folder that it is in
 */
async function ensureInstalled(name, pinned, title, finish = async () => {}) {
  const folder = path.join(cacheFolder(), `${name}-${lockHash(path.join(pinned, 'package-lock.json'))}`);
  if (existsSync(path.join(folder, '.ready'))) return folder;
  const partial = `${folder}.${process.pid}`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await cp(pinned, partial, { recursive: true });
  try {
    await runWithProgress(title, ...npm(['ci', '--ignore-scripts', ...QUIET]), { cwd: partial });
    await finish(partial);
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
 * Installs the pinned n8n where it is missing.
 * @returns {Promise<{folder: string, node: string, n8n: string}>} its folder, its Node.js 24, its command
 */
export async function ensureRuntime() {
  const title = 'Downloading n8n, once (2.7 GB on disk, two to five minutes)';
  const folder = await ensureInstalled('n8n', path.join(root, 'e2e', 'runtime'), title, buildRuntime);
  const modules = path.join(folder, 'node_modules');
  return { folder, node: nodeIn(modules), n8n: path.join(modules, 'n8n', 'bin', 'n8n') };
}

/** The two packages whose own scripts are run: Node.js, and the driver of n8n's database, which is compiled for it. */
async function buildRuntime(folder) {
  const modules = path.join(folder, 'node_modules');
  const rebuild = (name) => npm(['rebuild', name, '--ignore-scripts=false', ...QUIET]);
  await runWithProgress("Unpacking n8n's Node.js 24", ...rebuild('node'), { cwd: folder });
  const headers = headersIn(modules);
  const env = {
    ...process.env,
    PATH: `${path.dirname(nodeIn(modules))}${path.delimiter}${process.env.PATH ?? ''}`,
    ...(headers === undefined ? {} : { npm_config_nodedir: headers }),
  };
  await runWithProgress("Building n8n's SQLite driver (about a minute and a half)", ...rebuild('sqlite3'), {
    cwd: folder,
    env,
  });
}

/** Installs n8n's own tool for community nodes where it is missing. @returns {Promise<string>} its `node_modules` */
export async function ensureNodeCli() {
  const title = "Downloading n8n's own tool for nodes, once (270 MB on disk, about a minute)";
  return path.join(await ensureInstalled('n8n-node', path.join(root, 'scripts', 'n8n-node'), title), 'node_modules');
}

/** Installs the mutation tester where it is missing. @returns {Promise<string>} its `node_modules` */
export async function ensureMutationTester() {
  const title = 'Downloading the mutation tester, once (60 MB on disk, under a minute)';
  return path.join(await ensureInstalled('mutants', path.join(root, 'scripts', 'mutants'), title), 'node_modules');
}
