/**
 * `npm run bench [NAME …] [-- --short] [-- --markdown]`: measures ours, the alternatives and the limit of each row in one run on the same
 * data, and prints one table. Each row runs in a separate process on Node.js 24; the memory of each side in another. `--markdown` writes
 * the table into bench/README.md too.
 */
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { consoleText, hasGrown, writeTable } from './bench-table.mjs';
import { buildIfChanged, installIfMissing, node24, root } from './support.mjs';

/** Files that the rows share. */
const SHARED = new Set(['row.ts', 'run.ts']);
const FLAGS = ['--no-warnings', '--expose-gc', '--max-old-space-size=4096', '--import', './scripts/typescript.mjs'];

/** Runs bench/run.ts and reads the line of JSON that it prints last. */
function measure(env, ...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(node24, [...FLAGS, 'bench/run.ts', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code !== 0) return reject(new Error(`the row ${args[0]} of the bench ended with status ${code}`));
      resolve(JSON.parse(output.trim().split('\n').at(-1)));
    });
  });
}

/** The rows by name, and whether they need the real n8n. */
function rows() {
  const files = readdirSync(path.join(root, 'bench')).filter((file) => /\.(ts|mjs)$/.test(file) && !SHARED.has(file));
  return new Map(
    files
      .sort()
      .map((file) => [
        file.replace(/\.\w+$/, ''),
        /BENCH_N8N|support\/n8n'/.test(readFileSync(path.join(root, 'bench', file), 'utf8')),
      ]),
  );
}

try {
  await installIfMissing();
  const args = process.argv.slice(2);
  const short = args.includes('--short');
  const all = rows();
  const named = args.filter((arg) => !arg.startsWith('--'));
  const strangers = named.filter((name) => !all.has(name));
  if (strangers.length > 0)
    throw new Error(`there is no row ${strangers.join(', ')}; there are ${[...all.keys()].join(', ')}`);
  // The short run downloads no n8n; whoever names such a row has it.
  const selectedRows = named.length > 0 ? named : [...all.keys()].filter((name) => !short || !all.get(name));
  await buildIfChanged();
  const env = {};
  if (selectedRows.some((name) => all.get(name))) {
    const { ensureRuntime } = await import('./runtime.mjs');
    env.BENCH_N8N = (await ensureRuntime()).folder;
  }

  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${new Date().toISOString().slice(0, 10)}`;
  console.log(`${machine}${short ? ', short: only to see that it works' : ''}`);
  const measured = [];
  const failed = [];
  const grown = [];
  for (const name of selectedRows) {
    try {
      const row = { name, ...(await measure(env, name, ...(short ? ['--short'] : []))) };
      if (!short && row.memory)
        for (const side of row.sides) side.memory = (await measure(env, name, '--memory', side.name)).peak;
      console.log(consoleText(row, short));
      measured.push(row);
      if (hasGrown(row)) grown.push(name);
    } catch (error) {
      console.error(`\n${error.message}`);
      failed.push(name);
    }
  }
  if (args.includes('--markdown') && !short) writeTable(measured, machine);
  if (grown.length > 0) throw new Error(`more requests than before: ${grown.join(', ')}`);
  if (failed.length > 0) throw new Error(`not measured: ${failed.join(', ')}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
