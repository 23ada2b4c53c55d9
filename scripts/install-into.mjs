/**
 * `npm run install-into -- ~/.n8n`: builds the nodes from these sources and puts them into an n8n that is there already. Nothing else of
 * that n8n is touched.
 */
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { PlainError, buildIfChanged, installIfMissing } from './support.mjs';

const HELP = `npm run install-into -- FOLDER

  FOLDER  n8n's own folder: .n8n in your home folder, or in the folder that N8N_USER_FOLDER names`;

/** Files that n8n makes in its folder when it first starts. */
const MADE_BY_N8N = ['config', 'database.sqlite', 'nodes'];

/** @returns {string} the folder of an n8n. @throws PlainError if it is none */
function folderOfN8n(given) {
  const isOne = (folder) => MADE_BY_N8N.some((name) => existsSync(path.join(folder, name)));
  // A shell leaves a ~ within quotes, or after an equals sign, unchanged.
  const folder = path.resolve(given.replace(/^~(?=$|[\\/])/, homedir()));
  const found = [folder, path.join(folder, '.n8n')].find(
    (one) => statSync(one, { throwIfNoEntry: false })?.isDirectory() && isOne(one),
  );
  if (found !== undefined) return found;
  throw new PlainError(`${folder} is not the folder of an n8n: start n8n once, which makes it.\n\n${HELP}`);
}

async function main() {
  const [given, ...more] = process.argv.slice(2);
  if (given === undefined || more.length > 0) throw new PlainError(HELP);
  if (given === '--help') return console.log(HELP);
  const folder = folderOfN8n(given);
  await installIfMissing();
  await buildIfChanged();
  const { installInto, pack } = await import('./n8n.mjs');
  const packed = await mkdtemp(path.join(tmpdir(), 'brokerage-pack-'));
  try {
    installInto(folder, pack(packed));
  } finally {
    await rm(packed, { recursive: true });
  }
  console.log(`
The nodes are in ${folder}.

1. Restart n8n, and search for "Brokerage" in its nodes panel.
2. Start the sandbox:  npm run sandbox
3. Add a credential of the type "Brokerage API" with the environment Sandbox. The sandbox prints what to enter.`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof PlainError ? error.message : error.stack);
  process.exitCode = 1;
}
