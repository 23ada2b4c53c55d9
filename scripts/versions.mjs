/**
 * `npm run e2e:versions`: tests the package's features in each n8n, and writes docs/versions.md's table. The versions are in
 * e2e/runtime/versions.json, the oldest first; `pinned` is the one of all other end-to-end tests, `newest` the newest that npm installs.
 * Arguments choose versions (`-- 1.123.81 newest`), and then nothing is written. It fails if a feature of a supported version does.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { npm } from './platform.mjs';
import { PlainError, buildIfChanged, freePort, installIfMissing, root } from './support.mjs';

/** The columns of the table: the heading, and the check in e2e/support/features.mjs. */
const COLUMNS = [
  ['Load', 'load'],
  ['Credential', 'credential'],
  ['Order', 'order'],
  ['Search', 'search'],
  ['Report', 'report'],
  ['Trigger', 'trigger'],
  ['Renewal', 'renewal'],
  ['Three at once', 'renewals'],
  ['Other nodes', 'otherNodes'],
  ['Upgrade', 'upgrade'],
];
const PAGE = path.join(root, 'docs', 'versions.md');
const MARKS = ['<!-- table of versions -->', '<!-- end of the table -->'];
/** Number of versions to try, from the newest down, until one installs: a version can be there before its dependencies. */
const NEWEST_TRIES = 5;

/** Running processes, to be stopped with this one. */
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => void Promise.all([...running].map((one) => one.stop())).then(() => process.exit(130)));

/** The stable versions of n8n on npm, the newest first. */
function versionsOnNpm() {
  const parts = (version) => version.split('.').map(Number);
  const said = execFileSync(...npm(['view', 'n8n', 'versions', '--json', '--loglevel=error']), { encoding: 'utf8' });
  return JSON.parse(said)
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version))
    .sort((one, other) => {
      const [a, b] = [parts(one), parts(other)];
      return b[0] - a[0] || b[1] - a[1] || b[2] - a[2];
    });
}

/** @returns {Promise<{version: string, runtime: object}>} the version by its number, installed */
async function installed(recipe) {
  const { ensureRuntime, ensureVersion } = await import('./runtime.mjs');
  if (recipe.version === 'pinned') {
    const lock = JSON.parse(readFileSync(path.join(root, 'e2e', 'runtime', 'package-lock.json'), 'utf8'));
    return { version: lock.packages['node_modules/n8n'].version, runtime: await ensureRuntime() };
  }
  if (recipe.version !== 'newest') return { version: recipe.version, runtime: await ensureVersion(recipe) };
  const failures = [];
  for (const version of versionsOnNpm().slice(0, NEWEST_TRIES)) {
    try {
      return { version, runtime: await ensureVersion({ version }) };
    } catch (error) {
      failures.push(`${version}: ${error.message}`);
      console.error(`n8n ${version} does not install; the one before it is tried.`);
    }
  }
  throw new PlainError(`None of the newest versions of n8n installs:\n${failures.join('\n')}`);
}

/** Starts n8n on a home, tries features one after the other, and stops it. What one fails with is told, and the next is tried. */
async function tryFeatures(n8n, world, names) {
  const { Features } = await import('../e2e/support/features.mjs');
  const results = {};
  running.add(n8n);
  try {
    await n8n.start();
    await n8n.signIn();
    const features = new Features({ ...world, n8n });
    for (const name of names) {
      try {
        await features[name]();
        results[name] = 'yes';
      } catch (error) {
        console.error(error);
        results[name] = `no: ${String(error.message).split('\n')[0]}`;
        // Nothing that follows could work.
        if (name === 'credential') break;
      }
      console.log(`  ${name.padEnd(12)} ${results[name]}`);
    }
  } catch (error) {
    console.error(error.message);
    results[names[0]] = `no: ${String(error.message).split('\n')[0]}`;
  } finally {
    await n8n.stop();
    running.delete(n8n);
  }
  return results;
}

/** One row: a new home, and the home that the version before it left. */
async function rowOf({ version, runtime }, world, previousHome) {
  const { N8n, installNodes } = await import('./n8n.mjs');
  const { installCustomNode } = await import('../e2e/support/other-nodes.mjs');
  console.log(`\nn8n ${version}`);
  const open = async (userFolder) => {
    installNodes(userFolder, world.tarball);
    installCustomNode(userFolder);
    // An old n8n does not start where it is told to leave out a module that it does not know.
    const env = { N8N_DISABLED_MODULES: undefined };
    return new N8n({ runtime, userFolder, port: await freePort(), env });
  };
  const home = path.join(world.folder, `n8n-${version}`);
  const fresh = COLUMNS.map(([, name]) => name).filter((name) => name !== 'upgrade');
  const results = await tryFeatures(await open(home), world, [...fresh, 'age']);
  const upgraded = previousHome === undefined ? {} : await tryFeatures(await open(previousHome), world, ['upgrade']);
  return { home, results: { ...results, ...upgraded } };
}

function tableOf(rows) {
  const notes = [];
  const cell = (value) => {
    if (value === undefined) return '–';
    if (value === 'yes') return value;
    notes.push(value.slice('no: '.length));
    return `no (${notes.length})`;
  };
  const lines = [
    `| n8n | ${COLUMNS.map(([heading]) => heading).join(' | ')} |`,
    `|${'---|'.repeat(COLUMNS.length + 1)}`,
    ...rows.map(
      ({ version, results }) => `| ${version} | ${COLUMNS.map(([, name]) => cell(results[name])).join(' | ')} |`,
    ),
  ];
  return [...lines, ...(notes.length > 0 ? [''] : []), ...notes.map((note, at) => `${at + 1}. ${note}`)].join('\n');
}

function write(table) {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = MARKS.map((mark) => page.indexOf(mark));
  if (from < 0 || to < from)
    throw new PlainError(`docs/versions.md has no room for the table, between ${MARKS.join(' and ')}.`);
  writeFileSync(PAGE, `${page.slice(0, from + MARKS[0].length)}\n\n${table}\n\n${page.slice(to)}`);
}

async function main() {
  const requestedVersions = process.argv.slice(2);
  const recipes = JSON.parse(readFileSync(path.join(root, 'e2e', 'runtime', 'versions.json'), 'utf8')).filter(
    ({ version }) => requestedVersions.length === 0 || requestedVersions.includes(version),
  );
  if (recipes.length === 0)
    throw new PlainError(`None of these is in e2e/runtime/versions.json: ${requestedVersions.join(', ')}`);
  await installIfMissing();
  await buildIfChanged();
  const { Sandbox, credentialData } = await import('../e2e/support/world.mjs');
  const { pack } = await import('./n8n.mjs');
  const folder = mkdtempSync(path.join(tmpdir(), 'brokerage-versions-'));
  const sandbox = new Sandbox(folder, await freePort());
  const rows = [];
  running.add(sandbox);
  try {
    const tarball = pack(path.join(folder, 'package'));
    await sandbox.start();
    const world = { folder, sandbox, tarball, credentialData: credentialData(sandbox.url) };
    let previousHome;
    for (const recipe of recipes) {
      const { version, runtime } = await installed(recipe);
      const { home, results } = await rowOf({ version, runtime }, world, previousHome);
      rows.push({ version, results });
      previousHome = home;
    }
  } finally {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const table = tableOf(rows);
  console.log(`\n${table}`);
  if (requestedVersions.length === 0) write(table);
  const failed = rows.filter(({ results }) => Object.values(results).some((value) => value !== 'yes'));
  if (failed.length > 0)
    throw new PlainError(`Not all works in n8n ${failed.map(({ version }) => version).join(', ')}.`);
}

try {
  await main();
} catch (error) {
  console.error(`\n${error instanceof PlainError ? error.message : error.stack}`);
  process.exitCode = 1;
}
