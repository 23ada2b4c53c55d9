/**
 * `npm run bench [NAME …] [-- --short]`: measures ours, the alternatives and the limit of each row in one run on the same
 * data, and prints one table. Each row runs in a process of its own on Node.js 24; the memory of each side in another.
 */
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { installIfMissing, node24, root, run } from './support.mjs';

const SHARED = new Set(['row', 'run']);
const MB = 1e6;

const FLAGS = ['--no-warnings', '--expose-gc', '--max-old-space-size=4096', '--import', './scripts/typescript.mjs'];

/** Runs bench/run.ts and reads the line of JSON that it prints last. */
function measure(...args) {
  const flags = [...FLAGS, 'bench/run.ts', ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(node24, flags, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code !== 0) return reject(new Error(`bench/${args[0]}.ts ended with status ${code}`));
      resolve(JSON.parse(output.trim().split('\n').at(-1)));
    });
  });
}

/** Whether bench/<name>.ts is a row of the table: it has a default export. */
const isRow = (name) => /^export default /m.test(readFileSync(path.join(root, 'bench', `${name}.ts`), 'utf8'));

const time = (ms) => (ms >= 100 ? `${ms.toFixed(0)} ms` : ms >= 1 ? `${ms.toFixed(1)} ms` : `${(ms * 1000).toFixed(1)} µs`);
const size = (bytes) => (bytes === undefined ? '' : `${(bytes / MB).toFixed(0)} MB`);

/** Whether ours reached what is asked of it, in words. */
function verdicts({ goals, figures }, sides) {
  const ours = sides.find(({ role }) => role === 'ours');
  const lines = [];
  const say = (reached, text) => lines.push(`${reached ? 'reached' : 'MISSED '}  ${text}`);
  for (const { against, times, memory } of goals) {
    const other = sides.find(({ name }) => name === against);
    if (other === undefined) continue;
    if (times !== undefined) {
      const ratio = ours.ms / other.ms;
      const faster = times < 1 ? `${(1 / ratio).toFixed(1)} × faster than ${against} (asked: ${(1 / times).toFixed(1)} ×)` : `${ratio.toFixed(2)} × the time of ${against} (asked: ≤ ${times} ×)`;
      say(ratio <= times, faster);
    }
    if (memory !== undefined && ours.memory !== undefined && other.memory !== undefined) {
      const ratio = ours.memory / other.memory;
      say(ratio <= memory, `${(ratio * 100).toFixed(0)} % of the peak memory of ${against} (asked: ≤ ${memory * 100} %)`);
    }
  }
  for (const { name, value, unit, atMost, atLeast } of figures) {
    const asked = atMost !== undefined ? `≤ ${atMost} ${unit}` : atLeast !== undefined ? `≥ ${atLeast} ${unit}` : undefined;
    const text = `${name}: ${value.toLocaleString('en', { maximumSignificantDigits: 4 })} ${unit}${asked ? ` (asked: ${asked})` : ''}`;
    if (asked === undefined) lines.push(`         ${text}`);
    else say(atMost !== undefined ? value <= atMost : value >= atLeast, text);
  }
  return lines;
}

try {
  await installIfMissing();
  const args = process.argv.slice(2);
  const short = args.includes('--short');
  const all = readdirSync(path.join(root, 'bench')).filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -3)).filter((name) => !SHARED.has(name));
  const named = args.filter((arg) => !arg.startsWith('--'));
  const strangers = named.filter((name) => !all.includes(name));
  if (strangers.length > 0) throw new Error(`there is no row ${strangers.join(', ')}; there are ${all.join(', ')}`);

  console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${new Date().toISOString().slice(0, 10)}${short ? ', short: only to see that it works' : ''}`);
  for (const name of named.length > 0 ? named : all) {
    if (!isRow(name)) {
      // A program of its own, which prints what it measures; it has no short form.
      if (!short) console.log(`\n${name}:`);
      if (!short) await run(node24, [...FLAGS, `bench/${name}.ts`]);
      continue;
    }
    const row = await measure(name, ...(short ? ['--short'] : []));
    const sides = row.sides;
    if (!short) for (const side of sides) side.memory = (await measure(name, '--memory', side.name)).peak;
    const ours = sides.find(({ role }) => role === 'ours');
    console.log(`\n${name}: ${row.title}\n  ${row.work}`);
    for (const side of sides) {
      const ratio = side === ours ? '' : `${(side.ms / ours.ms).toFixed(2)} × ours`;
      console.log(`  ${side.name.padEnd(44)} ${side.role.padEnd(11)} ${time(side.ms).padStart(10)} ${ratio.padStart(14)} ${size(side.memory).padStart(9)}`);
    }
    if (!short) for (const line of verdicts(row, sides)) console.log(`  ${line}`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
