/**
 * `npm run e2e`: installs what is missing, builds, and runs the end-to-end tests in a real n8n. Arguments choose files by a
 * word of their name; `all` means those of queue mode too, which need Redis and are left out otherwise.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { buildIfChanged, installIfMissing, node24, root, run, withNode24 } from './support.mjs';

/** More than so many files that fail are no chance. */
const MOST_BY_CHANCE = 2;

/**
 * File by file; one that fails is run once more, as a whole and in a world of its own, and named at the end: a real n8n and a real
 * browser on a busy machine fail by chance now and then, and whoever reads the log has to see that one did.
 */
async function testInCI(files, test) {
  const failed = [];
  for (const file of files) {
    await test([file]).catch((error) => {
      console.error(error.message);
      failed.push(file);
    });
  }
  if (failed.length > MOST_BY_CHANCE) throw new Error(`These end-to-end tests failed: ${failed.join(', ')}`);
  for (const file of failed) {
    console.error(`\nFAILED, and is run once more: ${file}`);
    await test([file]);
  }
  if (failed.length > 0) console.error(`\nPASSED ONLY WHEN RUN AGAIN, find out why: ${failed.join(', ')}`);
}

try {
  await installIfMissing();
  await buildIfChanged();
  const { ensureRuntime } = await import('./runtime.mjs');
  await ensureRuntime();
  const words = process.argv.slice(2);
  const wanted = (file) => {
    if (words.includes('all')) return true;
    return words.length === 0 ? !file.startsWith('queue') : words.some((word) => file.includes(word));
  };
  const files = readdirSync(path.join(root, 'e2e'))
    .filter((file) => file.endsWith('.test.mjs') && wanted(file))
    .map((file) => path.join('e2e', file));
  if (files.length === 0) throw new Error(`No end-to-end test has ${words.join(' or ')} in its name.`);
  const test = async (some) =>
    await run(node24, ['--no-warnings', '--test', '--test-concurrency=1', '--test-reporter=spec', ...some], {
      env: withNode24(),
    });
  if (process.env.CI) await testInCI(files, test);
  else await test(files);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
