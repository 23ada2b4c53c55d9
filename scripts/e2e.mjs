/** `npm run e2e`: installs what is missing, builds, and runs the end-to-end tests in a real n8n; arguments choose files. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { buildIfChanged, installIfMissing, node24, root, run, withNode24 } from './support.mjs';

try {
  await installIfMissing();
  await buildIfChanged();
  const { ensureRuntime } = await import('./runtime.mjs');
  await ensureRuntime();
  const wanted = process.argv.slice(2);
  const files = readdirSync(path.join(root, 'e2e'))
    .filter((file) => file.endsWith('.test.mjs') && !file.startsWith('queue') && (wanted.length === 0 || wanted.some((word) => file.includes(word))))
    .map((file) => path.join('e2e', file));
  await run(node24, ['--no-warnings', '--test', '--test-concurrency=1', '--test-reporter=spec', ...files], { env: withNode24() });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
