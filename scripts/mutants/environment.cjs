/**
 * The environment of the project's tests, with one thing more: after a test has passed, it is run again with each mutant that it
 * reaches and that no test has noticed yet. The code with all its mutants is loaded once for a file, and a global says which of them is
 * made; so a mutant costs what its tests cost, milliseconds, and not the start of jest.
 *
 * What is found out is written to `log.jsonl` beside the instrumented code, line by line, as the process may be killed while a mutant
 * keeps it busy for ever: `trying`, `noticed`, `suspect`, `resumed`, `reached`, `finished`, `unfinished`, `slow`, `failing`.
 */
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { performance } = require('node:perf_hooks');
const Environment = require('../../test/support/jest/environment.cjs');

const folder = process.env.MUTANTS_FOLDER;
const logFile = path.join(folder, 'log.jsonl');
const mutantIds = new Set(JSON.parse(readFileSync(path.join(folder, 'mutant-ids.json'), 'utf8')));

/**
 * A test with a mutant may take so many milliseconds more than five times what it takes without one, and so many steps more than ten times.
 */
const PATIENCE_MS = 3_000;
const PATIENCE_STEPS = 10_000;
/** The status of a process that ends itself, as a mutant keeps it busy. */
const BUSY = 7;

/** A test that needs more of the processor meets, at a second load of its file, the mutants that no quicker one has noticed. */
const QUICK_MS = 40;
/** One that needs more than this meets none: hundreds of mutants would take minutes. */
const MAX_MS = 300;
/** A test without a mutant may take so long by the clock, as instrumented code is slow, and the machine may be busy. */
const PLAIN_TIMEOUT_MS = 3_600_000;

const noticed = new Set();
const tried = new Set();
/** By file: a test and the mutant that it may have noticed, or an earlier mutant's traces. */
const suspects = new Map();
/** Tests that take too long without a mutant. */
const slow = new Set();
/** Files that were loaded before. */
const loaded = new Set();
const reached = { loading: new Set(), running: new Set() };

function note(line) {
  const { trying, suspect } = line;
  if (line.slow !== undefined) slow.add(line.slow);
  if (line.unfinished !== undefined) loaded.add(line.unfinished);
  if (trying !== undefined) tried.add(`${trying.test} ${trying.mutant}`);
  if (line.noticed !== undefined) noticed.add(line.noticed);
  if (line.resumed !== undefined) suspects.delete(line.resumed);
  if (suspect !== undefined) {
    suspects.set(suspect.file, suspect);
    tried.delete(`${suspect.test} ${suspect.mutant}`);
  }
}
if (existsSync(logFile))
  for (const line of readFileSync(logFile, 'utf8').split('\n')) if (line !== '') note(JSON.parse(line));

function log(line) {
  note(line);
  appendFileSync(logFile, `${JSON.stringify(line)}\n`);
}

const nameOf = (test) => (test.parent === undefined ? '' : `${nameOf(test.parent)} ${test.name}`.trim());

module.exports = class extends Environment {
  constructor(config, context) {
    super(config, context);
    this.file = path.relative(config.projectConfig.rootDir, context.testPath);
    this.mutants = { mutantCoverage: { static: {}, perTest: {} } };
    this.global.__stryker__ = this.mutants;
    // jest runs a test again that failed; here each test "fails" until all its mutants were made.
    this.global[Symbol.for('RETRY_TIMES')] = 1e9;
    this.global[Symbol.for('RETRY_IMMEDIATELY')] = true;
    this.names = new Map();
    this.suspect = suspects.get(this.file);
    // It is tried once more, alone; whoever reads the lines again goes on with the others.
    if (this.suspect !== undefined) log({ resumed: this.file });
    this.mutantsMade = 0;
    this.isOver = false;
    this.isFirstLoad = !loaded.has(this.file);
    this.isPostponed = false;
  }

  handleTestEvent(event) {
    if (event.name === 'test_start') this.start(event.test);
    if (event.name === 'test_done') this.done(event.test);
  }

  start(test) {
    if (this.isOver) test.mode = 'skip';
    if (this.current?.test !== test) {
      const name = nameOf(test);
      const count = (this.names.get(name) ?? 0) + 1;
      this.names.set(name, count);
      this.current = { test, name: `${this.file} ${name} ${count}`, step: 'loading', queue: [] };
      if (slow.has(this.current.name)) test.mode = 'skip';
      log({ test: this.current.name });
    }
    const { step, mutant } = this.current;
    const isMutant = step === 'mutant';
    test.timeout = isMutant ? PATIENCE_MS + 5 * this.current.ms : PLAIN_TIMEOUT_MS;
    this.mutants.activeMutant = isMutant ? mutant : '';
    this.mutants.currentTestId = step;
    this.mutants.stepsLeft = isMutant ? PATIENCE_STEPS + 10 * this.current.steps : Infinity;
    if (step === 'running') this.mutants.mutantCoverage.perTest.running = {};
    this.cpu = process.cpuUsage();
    this.loop = performance.eventLoopUtilization();
  }

  done(test) {
    const { current } = this;
    const hasFailed = test.errors.length > 0;
    test.errors.length = 0;
    this[current.step](test, hasFailed);
  }

  /** Returns the time that the test that runs has taken of the processor. */
  spentMs() {
    const { user, system } = process.cpuUsage(this.cpu);
    return (user + system) / 1_000;
  }

  /** Returns the time for which the test that runs had nothing to do but wait. */
  waitedMs() {
    return performance.eventLoopUtilization(this.loop).idle;
  }

  /** Runs the test once more. */
  again(test, step) {
    this.current.step = step;
    test.errors.push('once more');
  }

  /**
   * Handles a test that failed without a mutant: an earlier mutant left traces in the file, which is then loaded again, or it fails by
   * itself.
   */
  failed(name) {
    if (this.mutantsMade > 0) this.isOver = true;
    else log({ failing: name });
  }

  /** The first run, in which files are loaded that no other test has needed. */
  loading(test, hasFailed) {
    if (hasFailed) this.failed(this.current.name);
    else this.again(test, 'running');
  }

  /** The second run, which tells what the test reaches by itself. */
  running(test, hasFailed) {
    const { current, suspect } = this;
    if (hasFailed) {
      this.failed(`${current.name} (run twice)`);
      return;
    }
    current.ms = test.duration ?? 0;
    const spentMs = this.spentMs();
    const hits = this.mutants.mutantCoverage.perTest.running;
    current.steps = Object.values(hits).reduce((sum, count) => sum + count, 0);
    current.queue = Object.keys(hits).filter((mutant) => mutantIds.has(mutant));
    for (const mutant of current.queue) reached.running.add(mutant);
    if (suspect !== undefined) current.queue = suspect.test === current.name ? [suspect.mutant] : [];
    else if (spentMs > MAX_MS) current.queue = [];
    else if (spentMs > QUICK_MS && this.isFirstLoad) {
      current.queue = [];
      this.isPostponed = true;
    }
    this.next(test);
  }

  next(test) {
    const { current } = this;
    for (let mutant = current.queue.shift(); mutant !== undefined; mutant = current.queue.shift()) {
      if (noticed.has(mutant) || tried.has(`${current.name} ${mutant}`)) continue;
      current.mutant = mutant;
      this.mutantsMade += 1;
      log({ trying: { test: current.name, mutant } });
      this.again(test, 'mutant');
      return;
    }
    if (this.suspect?.test === current.name) this.isOver = true;
  }

  mutant(test, hasFailed) {
    if (test.duration >= test.timeout) {
      // What it has begun may go on for ever. If the machine was too busy to run it, nobody knows: then another test may tell.
      if (this.waitedMs() + this.spentMs() > test.timeout / 2) log({ noticed: this.current.mutant });
      process.exit(BUSY);
    }
    if (hasFailed || this.mutants.stepsLeft < 0) this.again(test, 'afterwards');
    else this.next(test);
  }

  /** The test without a mutant, after one that it seems to have noticed: what fails now, too, is what a mutant has left behind. */
  afterwards(test, hasFailed) {
    const { name, mutant } = this.current;
    if (!hasFailed || this.mutantsMade === 1) log({ noticed: mutant });
    else log({ suspect: { file: this.file, test: name, mutant } });
    if (hasFailed) this.isOver = true;
    else this.next(test);
  }

  async teardown() {
    const { static: loading, perTest } = this.mutants.mutantCoverage;
    for (const some of [loading, perTest.loading ?? {}])
      for (const mutant of Object.keys(some)) reached.loading.add(mutant);
    log({ reached: { loading: [...reached.loading], running: [...reached.running] } });
    reached.loading.clear();
    reached.running.clear();
    log(this.isOver || this.isPostponed ? { unfinished: this.file } : { finished: this.file });
    await super.teardown();
  }
};
