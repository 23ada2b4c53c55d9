/**
 * `npm run sandbox -- <options>`: the sandbox alone, built from the sources. In a folder without write permission, such as a read-only
 * mount, it runs directly from the sources.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfChanged, installIfMissing, isBuilt, mayWrite, node24, root, run } from './support.mjs';

const inRoot = (...names) => path.join(root, ...names);

try {
  if (mayWrite()) {
    await installIfMissing();
    await buildIfChanged();
  }
  const program = isBuilt()
    ? [inRoot('sandbox', 'bin', 'brokerage-sandbox.js')]
    : [
        '--import',
        String(pathToFileURL(inRoot('scripts', 'typescript.mjs'))),
        inRoot('scripts', 'sandbox-sources.mjs'),
      ];
  await run(node24, ['--no-warnings', ...program, ...process.argv.slice(2)]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
