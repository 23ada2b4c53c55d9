/**
 * `npm test`: installs what is missing and runs jest on Node.js 24; arguments go to jest. The tests read TypeScript, so nothing is
 * compiled, and only what is generated is made: the decoders of the stream's messages and the list of public suffixes. What Node.js itself
 * loads (n8n's core, the sandbox) is kept as V8 compiles it: that saves a second of processor time in each process.
 */
import path from 'node:path';
import { installIfMissing, node24, root, run, withNode24 } from './support.mjs';

try {
  await installIfMissing();
  const kept = path.join(root, 'node_modules', '.cache', 'compiled');
  const env = { NODE_COMPILE_CACHE: kept, ...withNode24() };
  for (const generator of ['proto/generate.js', 'scripts/public-suffixes.mjs']) await run(node24, [generator], { env });
  await run(
    node24,
    [
      '--no-warnings',
      // Objects of a test die young if they have the room: V8's 16 MB are too few for a workflow and a market.
      '--max-semi-space-size=64',
      path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
      ...process.argv.slice(2),
    ],
    { env },
  );
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
