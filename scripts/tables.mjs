/**
 * `npm run tables`: all of the tables that `npm test` tries a share of (test/support/sample.ts and turns.ts). `-- third` tries those of a third
 * of the files, which one the commit says: CI has no time for all of them, which GitHub tries once a week, and whoever makes a release.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
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

try {
  const files = filesWithTables();
  const chosen = process.argv.includes('third') ? thirdOf(files) : files;
  await run(process.execPath, [path.join(root, 'scripts', 'test.mjs'), '--runTestsByPath', ...chosen], {
    env: { ...process.env, TEST_ALL: '1' },
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
