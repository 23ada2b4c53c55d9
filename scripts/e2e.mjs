/**
 * `npm run e2e`: installs what is missing, builds, and runs the end-to-end tests in a real n8n. Arguments choose files by a
 * word of their name; `all` means those of queue mode too, which need Redis and are left out otherwise.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { buildIfChanged, installIfMissing, node24, root, run, withNode24 } from './support.mjs';

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
  await run(node24, ['--no-warnings', '--test', '--test-concurrency=1', '--test-reporter=spec', ...files], { env: withNode24() });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
