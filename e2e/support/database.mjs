/** The database of a new n8n, made once: its two hundred migrations take a third of a first start. */
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { N8n } from '../../scripts/n8n.mjs';
import { ensureCached, runtimeHash } from '../../scripts/runtime.mjs';
import { freePort } from '../../scripts/support.mjs';

/** Files that belong together: n8n keeps secrets in its database, and their key in its configuration. */
const isOfDatabase = (name) => name === 'config' || name.startsWith('database.sqlite');

/**
 * Puts the database of an n8n that was started once, and that nobody has signed in to, where a new one looks for it.
 * @param {{node: string, n8n: string}} runtime the pinned n8n
 * @param {string} userFolder of the n8n that is to start
 */
export async function putDatabase(runtime, userFolder) {
  const made = await ensureCached(`n8n-database-${runtimeHash()}`, async (folder) => {
    const n8n = new N8n({ runtime, userFolder: folder, port: await freePort() });
    try {
      await n8n.start();
    } finally {
      await n8n.stop();
    }
  });
  const source = path.join(made, '.n8n');
  const target = path.join(userFolder, '.n8n');
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(source).filter(isOfDatabase)) cpSync(path.join(source, name), path.join(target, name));
}
