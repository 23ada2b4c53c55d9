/**
 * `npm run mutants -- FOLDER [--sample N] [--seed N] [--part K/N] [--concurrency N]`: makes small breaks ("mutants") in the code of a
 * folder and runs the folder's tests against each. Lists those that no test notices and is not explained in
 * scripts/mutants/survivors.json; ends with status 1 where fewer than 85 % are noticed. `--sample` takes a share of the mutants, drawn by
 * the seed; without it all are made. `--part 2/15` tries the second of fifteen parts of that sample, for a machine that has no hours for
 * all of them. Each run is noted in scripts/mutants/scores.json, with its commit.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { installIfMissing, node24, PlainError, root, run, withNode24 } from './support.mjs';

/** What is asked for in each folder, in percent of the mutants that were made. */
const LEAST_SCORE = 85;

/** The folders whose mutants must die, and the tests that must kill them. */
const FOLDERS = {
  'client/orders': ['client/orders'],
  'client/stream': ['client/stream'],
  'client/session': ['client/session'],
  'client/values': ['client/values', 'client/instruments', 'client/market', 'client/portfolio', 'client/reports'],
  'sandbox/src/exchange': ['sandbox/exchange', 'sandbox/market/rules.test.ts'],
  'sandbox/src/accounts': ['sandbox/accounts', 'sandbox/exchange'],
};

/**
 * Left out: they need real sockets, a whole market, or hundreds of seeds before all that they want to see has happened; each would be
 * run anew for every mutant.
 */
const SLOW = [
  'real-sockets',
  'memory',
  'sandbox\\.test',
  'real-exchange',
  'real-market',
  'orders/(change-)?simulation',
];

/** Simulations of few seeds: most breaks show in the first ones, and each mutant runs them anew. */
const SHORT_RUNS = { MARKET_SEEDS: '3', SESSIONS_SEEDS: '20', STREAM_SEEDS: '3' };

/** The files of a folder that hold code. */
const sourcesOf = (folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.posix.join(folder, String(name).split(path.sep).join('/')))
    .filter((name) => name.endsWith('.ts'))
    .sort();

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

/**
 * The place of every mutant that stays within one line, as the tester's `mutate` option writes it. One that takes away a whole block is
 * noticed most easily, and its place would bring all that are inside it.
 */
async function placesOf(files, modules) {
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
  const { mutants } = await instrumenter.instrument(
    files.map((name) => ({ name, mutate: true, content: readFileSync(path.join(root, name), 'utf8') })),
    { plugins: null, excludedMutations: [], ignorers: [], noHeader: true },
  );
  return mutants
    .filter(({ location: { start, end } }) => start.line === end.line)
    .map(({ fileName, location: { start, end } }) => {
      return `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
    });
}

/** Some of the places, drawn by a seed; all of them where fewer are there than asked for. */
function sample(places, size, seed) {
  const random = seeded(seed);
  const drawn = places.map((place) => [random(), place]).sort(([a], [b]) => a - b);
  return [...new Set(drawn.slice(0, size).map(([, place]) => place))];
}

/** A mutant as it is named in the list of the explained ones: without its line, which changes with every edit above it. */
const nameOf = (file, source, { mutatorName, replacement, location: { start, end } }) => {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  const text = (value) => value.replaceAll(/\s+/g, ' ').slice(0, 120);
  return `${file}: ${mutatorName}: ${text(lines.join(' '))} -> ${text(replacement ?? '')}`;
};

/** What became of the mutants: the score in percent, and those that survived without an explanation. */
function judge(report, explained) {
  const counts = { noticed: 0, survived: 0, explained: 0 };
  const survivors = [];
  for (const [file, { source, mutants }] of Object.entries(report.files)) {
    for (const mutant of mutants) {
      if (['Killed', 'Timeout'].includes(mutant.status)) counts.noticed++;
      if (!['Survived', 'NoCoverage'].includes(mutant.status)) continue;
      const name = nameOf(file, source, mutant);
      if (name in explained) counts.explained++;
      else {
        counts.survived++;
        survivors.push(`${file}:${mutant.location.start.line} ${name.slice(file.length + 2)}`);
      }
    }
  }
  const { noticed, survived } = counts;
  return { ...counts, survivors, score: (100 * noticed) / Math.max(1, noticed + survived) };
}

/** Which part of the sample is tried, from "2/15"; the whole where nothing is said. */
function partOf(text) {
  if (text === undefined) return { index: 0, count: 1 };
  const [, part, count] = /^([1-9][0-9]{0,3})\/([1-9][0-9]{0,3})$/.exec(text) ?? [];
  if (part === undefined || Number(part) > Number(count))
    throw new PlainError(`--part takes two whole numbers, such as 2/15, not "${text}".`);
  return { index: Number(part) - 1, count: Number(count) };
}

/**
 * Notes a run, in place of an earlier one of the same part of the same sample.
 * @param run what was asked for, and what became of it.
 */
function noteScore(folder, run) {
  const file = path.join(root, 'scripts', 'mutants', 'scores.json');
  const scores = JSON.parse(readFileSync(file, 'utf8'));
  const isSame = (other) => ['sample', 'seed', 'part'].every((name) => other[name] === run[name]);
  scores[folder] = [...(scores[folder] ?? []).filter((other) => !isSame(other)), run];
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
      part: { type: 'string' },
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
  const files = sourcesOf(folder);
  const { index, count } = partOf(values.part);
  if (values.part !== undefined && values.sample === undefined)
    throw new PlainError('--part is a part of a sample: say --sample N, too.');
  const mutate =
    values.sample === undefined
      ? files
      : sample(await placesOf(files, modules), number(values.sample, 'sample'), number(values.seed, 'seed')).filter(
          (_, at) => at % count === index,
        );
  const { default: jest } = await import(pathToFileURL(path.join(root, 'jest.config.js')).href);
  const tests = FOLDERS[folder].map((name) => `<rootDir>/test/${name}${name.endsWith('.ts') ? '' : '/**/*.test.ts'}`);
  const report = path.join(folderOfWork, 'report.json');
  const options = {
    testRunner: 'jest',
    coverageAnalysis: 'perTest',
    mutate,
    jest: {
      config: {
        ...jest,
        // The sandbox too is loaded by jest: a mutant is chosen by a global of jest's.
        transform: Object.fromEntries(Object.entries(jest.transform).filter(([files]) => !files.includes('/sandbox/'))),
        // The tester loads it by itself, and knows no <rootDir>.
        testEnvironment: jest.testEnvironment.replace('<rootDir>', root),
        testMatch: tests,
        testPathIgnorePatterns: SLOW,
        reporters: [],
        maxWorkers: undefined,
      },
      enableFindRelatedTests: false,
    },
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: report },
    concurrency: number(values.concurrency, 'concurrency'),
    // A value that is made once, when its file is loaded, cannot be exchanged between two tests.
    ignoreStatic: true,
    tempDirName: path.join(folderOfWork, 'copies'),
    symlinkNodeModules: true,
    ignorePatterns: ['dist', 'sandbox/dist', 'e2e', 'docs', 'bench', 'examples'],
    disableTypeChecks: false,
    // swc takes the types away, and reads no tsconfig.json: there is none to rewrite for the copies.
    tsconfigFile: 'none.json',
    timeoutMS: 15_000,
    allowConsoleColors: false,
    cleanTempDir: 'always',
  };
  const config = path.join(folderOfWork, 'stryker.json');
  writeFileSync(config, JSON.stringify(options));
  const tester = path.join(modules, '@stryker-mutator', 'core', 'bin', 'stryker.js');
  await run(node24, [tester, 'run', config], { cwd: root, env: { ...withNode24(), ...SHORT_RUNS } });
  if (!existsSync(report)) throw new PlainError('The mutation tester wrote no report: see what it said above.');
  const explained = JSON.parse(readFileSync(path.join(root, 'scripts', 'mutants', 'survivors.json'), 'utf8'));
  const result = judge(JSON.parse(readFileSync(report, 'utf8')), explained);
  for (const survivor of result.survivors) console.log(`survived  ${survivor}`);
  const { noticed, survived, explained: explainedOnes, score } = result;
  console.log(
    `${folder}: ${noticed} of ${noticed + survived} mutants noticed, ${score.toFixed(1)} %; ${explainedOnes} more explained`,
  );
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const { sample: size = 'all', seed, part = '1/1' } = values;
  noteScore(folder, { sample: size, seed, part, commit, noticed, survived, explained: explainedOnes });
  if (score < LEAST_SCORE) process.exitCode = 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folderOfWork, { recursive: true, force: true });
}
