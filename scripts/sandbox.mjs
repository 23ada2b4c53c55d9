/** `npm run sandbox -- <options>`: the sandbox alone, built from the sources. */
import path from 'node:path';
import { buildIfChanged, installIfMissing, node24, root, run } from './support.mjs';

try {
  await installIfMissing();
  await buildIfChanged();
  await run(node24, [
    '--no-warnings',
    path.join(root, 'sandbox', 'bin', 'brokerage-sandbox.js'),
    ...process.argv.slice(2),
  ]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
