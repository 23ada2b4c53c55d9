/**
 * `npm run mutants -- FOLDER [--sample N] [--seed N] [--concurrency N] [--file NAME]`: makes small breaks ("mutants") in the code of a
 * folder and runs the folder's tests against each. Lists those that no test notices and scripts/mutants/survivors.json does not explain;
 * ends with status 1 if fewer than 85 % are noticed. `--sample` takes a share of the mutants, drawn by the seed; without it all are made.
 * `--file orders/place` tries only the files whose names hold that, and notes nothing. Other runs are noted in scripts/mutants/scores.json,
 * with their commit and, for a sample, the standard error.
 *
 * Stryker's instrumenter puts all mutants into the code at once, and a global chooses one; `mutants/environment.cjs` then runs each test of
 * jest again with each mutant that it reaches, until one has noticed it. No process, file or module is loaded again for a mutant.
 *
 * Two kinds of mutants are ignored: human-readable text (a string or template of two or more words, since tests match only its key parts),
 * and values made once when their file is loaded, since they cannot be exchanged between two tests.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { judge, named, onlyLoading, secondsOf } from './mutants/names.mjs';
import { installIfMissing, node24, PlainError, root, run, withNode24 } from './support.mjs';

/** Required score of each folder, in percent of the mutants that were made. */
const MIN_SCORE = 85;

/** The folders whose mutants must die, and the tests that must kill them. */
const FOLDERS = {
  'client/orders': ['client/orders'],
  'client/stream': ['client/stream'],
  'client/session': ['client/session'],
  'client/values': ['client/values', 'client/instruments', 'client/market', 'client/portfolio', 'client/reports'],
  'sandbox/src/exchange': ['sandbox/exchange'],
  'sandbox/src/accounts': ['sandbox/accounts', 'sandbox/exchange'],
};

/**
 * Tests left out: they need real sockets, a whole market or list of instruments, or hundreds of seeds before all that they want to see has happened; each would
 * run again for every mutant.
 */
const SLOW = [
  'real-sockets',
  'memory',
  'sandbox\\.test',
  'real-exchange',
  'real-market',
  'orders/(change-)?simulation',
  'instruments/catalogue',
];

/**
 * Settings of the tests: all rows of every table, but simulations of few seeds. Most breaks show in the first ones, and each mutant runs
 * them again.
 */
const RUNS = { EXITS_SEEDS: '20', MARKET_SEEDS: '3', SESSIONS_SEEDS: '20', STREAM_SEEDS: '2', TEST_ALL: '1' };

/** The files of a folder that hold code. */
const sourcesOf = (folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.posix.join(folder, String(name).split(path.sep).join('/')))
    .filter((name) => name.endsWith('.ts'))
    .sort();

/** The test files that must kill a folder's mutants. */
function testsOf(folder) {
  const all = readdirSync(path.join(root, 'test'), { recursive: true })
    .map((name) => `test/${String(name).split(path.sep).join('/')}`)
    .filter((name) => name.endsWith('.test.ts') && !SLOW.some((slow) => new RegExp(slow).test(name)));
  return all.filter((name) =>
    FOLDERS[folder].some((place) => name === `test/${place}` || name.startsWith(`test/${place}/`)),
  );
}

/** A generator of numbers in [0, 1) that a seed determines (mulberry32). */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Text for people: two words with a space between them. */
const SENTENCE = /[a-z]{2,}[,.:;]? [a-z]/i;

/** All mutants of the files that count, and the files' code with all of them in it. */
async function instrument(files, modules) {
  const load = (name) => import(pathToFileURL(createRequire(path.join(modules, 'x.js')).resolve(name)).href);
  const [{ createInstrumenter }, { createInjector }, { commonTokens }] = await Promise.all([
    load('@stryker-mutator/instrumenter'),
    load('typed-inject'),
    load('@stryker-mutator/api/plugin'),
  ]);
  const nothing = () => {};
  const log = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing };
  const silent = { ...log, isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false };
  const instrumenter = createInjector()
    .provideValue(commonTokens.getLogger, () => silent)
    .provideValue(commonTokens.logger, silent)
    .injectFunction(createInstrumenter);
  const sources = Object.fromEntries(files.map((name) => [name, readFileSync(path.join(root, name), 'utf8')]));
  const { mutants, files: instrumented } = await instrumenter.instrument(
    files.map((name) => ({ name, mutate: true, content: sources[name] })),
    { plugins: null, excludedMutations: [], ignorers: [], noHeader: false },
  );
  return {
    code: Object.fromEntries(instrumented.map(({ name, content }) => [path.join(root, name), withSteps(content)])),
    mutants: named(
      mutants.map((mutant) => ({ ...mutant, original: textAt(sources[mutant.fileName], mutant.location) })),
    ).filter(({ mutatorName, original }) => mutatorName !== 'StringLiteral' || !SENTENCE.test(original)),
  };
}

/** Code with mutants that ends a run of too many steps (see `stepsLeft` in mutants/environment.cjs). */
function withSteps(code) {
  const counted = code.replace('function cover() {', '$& if (--ns.stepsLeft < 0) throw new Error("Too many steps");');
  if (counted === code && code.includes('stryCov')) throw new PlainError('The instrumented code counts no steps.');
  return counted;
}

/** The part of a source at a place, whose lines and columns begin at 0. */
function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line, end.line + 1);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column);
  lines[0] = lines[0].slice(start.column);
  return lines.join('\n');
}

/** Some of the mutants, drawn by a seed; all of them where fewer are there than asked for. */
function sample(mutants, size, seed) {
  const random = seeded(seed);
  const drawn = mutants.map((mutant) => [random(), mutant]).sort(([a], [b]) => a - b);
  return drawn.slice(0, size).map(([, mutant]) => mutant);
}

/**
 * A mutant that keeps jest busy for so many seconds of the processor is noticed, as no test would end; a test that takes so long without one is
 * left out. Seconds of the clock would notice mutants that a busy machine has only held up.
 */
const BUSY_SECONDS = 30;
/** Seconds of the clock after which jest, which waits for nothing as long, is ended whatever the processor did. */
const STUCK_SECONDS = 900;
/** The status of a jest that ended itself: see mutants/environment.cjs. */
const BUSY = 7;

/** Maximum number of times to start jest again: after a mutant that left traces, or kept it busy for ever. */
const MAX_STARTS = 200;

const linesOf = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];

/** Returns the processor time that a process has taken, seconds; the time of the clock where the system has no `ps`. */
function processorSeconds(pid) {
  const { stdout, error } = spawnSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' });
  return error === undefined ? secondsOf(stdout) : Date.now() / 1_000;
}

/** Runs jest once. A test that makes no progress is ended, and its mutant noted as noticed. */
async function runJest(config, folder) {
  const log = path.join(folder, 'log.jsonl');
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const env = { ...withNode24(), ...RUNS, MUTANTS_FOLDER: folder };
  const child = spawn(node24, ['--max-old-space-size=4096', jest, '--config', config, '--runInBand', '--silent'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = [];
  child.stderr.on('data', (chunk) => said.push(chunk));
  const sizeAtStart = existsSync(log) ? statSync(log).size : 0;
  let last = { size: sizeAtStart, at: Date.now(), processor: 0 };
  const watch = setInterval(() => {
    const size = existsSync(log) ? statSync(log).size : 0;
    const seconds = (Date.now() - last.at) / 1_000;
    if (size !== last.size) last = { size, at: Date.now(), processor: processorSeconds(child.pid) };
    else if (seconds > STUCK_SECONDS) child.kill('SIGKILL');
    // Before its first test jest loads everything.
    else if (size === sizeAtStart || seconds < BUSY_SECONDS) return;
    else if (processorSeconds(child.pid) - last.processor > BUSY_SECONDS) child.kill('SIGKILL');
  }, 1_000);
  const [status, signal] = await once(child, 'exit');
  clearInterval(watch);
  if (status === 0 || status === BUSY) return;
  const lines = linesOf(log);
  const failing = lines.filter((line) => line.failing !== undefined).map((line) => line.failing);
  const lastLine = lines.at(-1);
  if (failing.length > 0 || lastLine === undefined)
    throw new PlainError(`These tests fail without a mutant:\n${failing.join('\n')}\n${Buffer.concat(said)}`);
  // A process that broke down broke down of the mutant, or of what an earlier one has left behind.
  if (signal !== null && last.size === sizeAtStart) return;
  const { trying, test } = lastLine;
  if (trying !== undefined) appendFileSync(log, `${JSON.stringify({ noticed: trying.mutant })}\n`);
  else if (signal !== null && test !== undefined) appendFileSync(log, `${JSON.stringify({ slow: test })}\n`);
}

/**
 * Tries some mutants in a separate process.
 * @returns the identifiers of the noticed ones, and of those that are only made while a file is loaded.
 */
async function tryMutants(mutants, tests, code, folder) {
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'instrumented.json'), JSON.stringify(code));
  writeFileSync(path.join(folder, 'mutant-ids.json'), JSON.stringify(mutants.map(({ id }) => id)));
  const { default: jest } = await import(pathToFileURL(path.join(root, 'jest.config.js')).href);
  const own = path.join(root, 'scripts', 'mutants');
  const isOurs = mutants.some(({ fileName }) => fileName.startsWith('sandbox/'));
  const transform = Object.entries(jest.transform)
    // What has mutants is loaded by jest, for each file of tests, and not by Node.js.
    .filter(([files]) => !files.endsWith(isOurs ? '/sandbox/src/.+\\.ts$' : '/(client|proto)/.+\\.ts$'))
    .map(([files, by]) => [files, Array.isArray(by) ? [path.join(own, 'transform.cjs'), by[1]] : by]);
  const log = path.join(folder, 'log.jsonl');
  const config = path.join(folder, 'jest.json');
  for (let starts = 0; starts < MAX_STARTS; starts++) {
    const finished = new Set(linesOf(log).map((line) => line.finished));
    const left = tests.filter((file) => !finished.has(file));
    if (left.length === 0) break;
    const options = {
      ...jest,
      rootDir: root,
      transform: Object.fromEntries(transform),
      testEnvironment: path.join(own, 'environment.cjs'),
      testMatch: left.map((file) => `<rootDir>/${file}`),
      reporters: [],
      maxWorkers: undefined,
      workerIdleMemoryLimit: undefined,
    };
    writeFileSync(config, JSON.stringify(options));
    await runJest(config, folder);
  }
  const lines = linesOf(log);
  return {
    noticed: lines.flatMap(({ noticed }) => noticed ?? []),
    onlyLoading: onlyLoading(
      mutants,
      lines.flatMap(({ reached }) => reached ?? []),
    ),
  };
}

/**
 * Notes a run, in place of an earlier one of the same sample.
 * @param entry what was asked for, and what became of it.
 */
function noteScore(folder, entry) {
  const file = path.join(root, 'scripts', 'mutants', 'scores.json');
  const scores = JSON.parse(readFileSync(file, 'utf8'));
  const isSame = (other) => ['sample', 'seed'].every((name) => other[name] === entry[name]);
  scores[folder] = [...(scores[folder] ?? []).filter((other) => !isSame(other)), entry];
  writeFileSync(file, `${JSON.stringify(scores, null, 2)}\n`);
}

const number = (text, name) => {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new PlainError(`--${name} takes a whole number, not "${text}".`);
  return Number(text);
};

const folderOfWork = mkdtempSync(path.join(tmpdir(), 'brokerage-mutants-'));
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      file: { type: 'string' },
      concurrency: { type: 'string', default: String(availableParallelism()) },
    },
  });
  const [folder] = positionals;
  if (positionals.length !== 1 || FOLDERS[folder] === undefined)
    throw new PlainError(`Say which folder: npm run mutants -- ${Object.keys(FOLDERS).join(' | ')}`);
  await installIfMissing();
  const { ensureMutationTester } = await import('./runtime.mjs');
  const modules = await ensureMutationTester();
  await run(node24, [path.join(root, 'node_modules', 'gulp', 'bin', 'gulp.js'), '--silent', 'generate'], {
    env: withNode24(),
  });
  const files = sourcesOf(folder).filter((name) => name.includes(values.file ?? ''));
  // What is tried is what is there now: a run takes minutes.
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const { code, mutants: all } = await instrument(files, modules);
  const selectedMutants =
    values.sample === undefined ? all : sample(all, number(values.sample, 'sample'), number(values.seed, 'seed'));
  const tests = testsOf(folder);
  const shares = number(values.concurrency, 'concurrency');
  const results = await Promise.all(
    Array.from({ length: shares }, async (_, share) => {
      const mine = selectedMutants.filter((__, at) => at % shares === share);
      return await tryMutants(mine, tests, code, path.join(folderOfWork, String(share)));
    }),
  );
  const notTried = new Set(results.flatMap((result) => result.onlyLoading));
  const mutants = selectedMutants.filter(({ id }) => !notTried.has(id));
  const noticedOnes = new Set(results.flatMap((result) => result.noticed));
  const explained = JSON.parse(readFileSync(path.join(root, 'scripts', 'mutants', 'survivors.json'), 'utf8'));
  const result = judge(mutants, noticedOnes, explained);
  for (const survivor of result.survivors) console.log(`survived  ${survivor}`);
  const { noticed, survived, explained: explainedOnes, score } = result;
  console.log(
    `${folder}: ${noticed} of ${noticed + survived} mutants noticed, ${score.toFixed(1)} %; ${explainedOnes} more explained`,
  );
  const { sample: size = 'all', seed } = values;
  const tried = noticed + survived;
  const error = size === 'all' ? 0 : Math.sqrt((score * (100 - score)) / tried);
  const entry = {
    ...{ sample: size, seed, commit, noticed, survived, explained: explainedOnes },
    ...{ percent: Number(score.toFixed(1)), standardError: Number(error.toFixed(1)) },
  };
  if (values.file === undefined) noteScore(folder, entry);
  if (score < MIN_SCORE) process.exitCode = 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folderOfWork, { recursive: true, force: true });
}
