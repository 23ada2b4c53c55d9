/**
 * `npm run tables`: all of the tables that `npm test` tries a share of (test/support/sample.ts and turns.ts). `-- third` tries those of a third
 * of the files, which the commit chooses: CI has no time for all of them. GitHub tries all of them once a week, and so does whoever makes a
 * release. `-- test/…` tries those of the named files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeFailure } from './failures.mjs';
import { root, run } from './support.mjs';

const PARTS = 3;

/** The test files with such tables, by their names. */
function filesWithTables() {
  const folder = path.join(root, 'test');
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => /support\/(?:sample|turns)'/.test(readFileSync(path.join(folder, file), 'utf8')))
    .map((file) => path.posix.join('test', file.replaceAll(path.sep, '/')))
    .sort();
}

/** The third of the files that the commit chooses. */
function thirdOf(files) {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  const third = Number.parseInt(commit.slice(0, 6), 16) % PARTS;
  console.log(`The files of third ${third + 1} of ${PARTS}, by commit ${commit.slice(0, 8)}`);
  return files.filter((_, at) => at % PARTS === third);
}

/** The files that the arguments choose. */
function chosenFiles(given) {
  if (given.length === 0) return filesWithTables();
  return given.length === 1 && given[0] === 'third' ? thirdOf(filesWithTables()) : given;
}

const folder = mkdtempSync(path.join(tmpdir(), 'tables-'));
const written = path.join(folder, 'results.json');
try {
  const test = path.join(root, 'scripts', 'test.mjs');
  const files = chosenFiles(process.argv.slice(2));
  await run(process.execPath, [test, '--json', `--outputFile=${written}`, '--runTestsByPath', ...files], {
    env: { ...process.env, TEST_ALL: '1' },
  });
} catch (error) {
  const results = existsSync(written) ? JSON.parse(readFileSync(written, 'utf8')) : undefined;
  console.error(describeFailure({ results, error, folder: root, command: 'npm run tables --' }));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
