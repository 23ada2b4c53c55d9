/** The pinned real n8n with its Node.js 24: installed once per lock file, outside the clone. */
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder, lockHash, npm, root, runWithProgress } from './support.mjs';

const pinned = path.join(root, 'e2e', 'runtime');

/**
 * Installs the pinned n8n where it is missing.
 * @returns {Promise<{folder: string, node: string, n8n: string}>} its folder, its Node.js 24, its command
 */
export async function ensureRuntime() {
  const folder = path.join(cacheFolder(), `n8n-${lockHash(path.join(pinned, 'package-lock.json'))}`);
  const node = path.join(folder, 'node_modules', 'node', 'bin', 'node');
  const runtime = { folder, node, n8n: path.join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
  if (existsSync(path.join(folder, '.ready'))) return runtime;

  const partial = `${folder}.${process.pid}`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await cp(pinned, partial, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const partialNode = path.join(partial, 'node_modules', 'node');
  const env = {
    ...process.env,
    PATH: `${path.join(partialNode, 'bin')}${path.delimiter}${process.env.PATH ?? ''}`,
    npm_config_nodedir: path.join(partialNode, 'node_modules', `node-${process.platform}-${process.arch}`),
  };
  await runWithProgress(
    'Downloading n8n, once (2.7 GB on disk, two to five minutes)',
    npm,
    ['ci', '--ignore-scripts', ...quiet],
    { cwd: partial },
  );
  await runWithProgress("Unpacking n8n's Node.js 24", npm, ['rebuild', 'node', ...quiet], { cwd: partial });
  await runWithProgress(
    "Building n8n's SQLite driver (about a minute and a half)",
    npm,
    ['rebuild', 'sqlite3', ...quiet],
    { cwd: partial, env },
  );
  await writeFile(path.join(partial, '.ready'), '');
  try {
    await rename(partial, folder);
  } catch (error) {
    if (!existsSync(path.join(folder, '.ready'))) throw error;
    // Somebody else was quicker with the same install: theirs is used.
    await rm(partial, { recursive: true, force: true });
  }
  return runtime;
}
