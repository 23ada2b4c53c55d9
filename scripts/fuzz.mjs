/**
 * `npm run fuzz [-- CASES]`: hostile replies, frames, CSV, file names, credentials and parameters, 100,000 of them unless told
 * otherwise. What fails names its seed.
 */
import path from 'node:path';
import { root, run, withNode24, node24 } from './support.mjs';

try {
  const [cases = '100000'] = process.argv.slice(2);
  await run(node24, [path.join(root, 'scripts', 'test.mjs'), 'test/fuzz', '--selectProjects', 'specified'], {
    env: { ...withNode24(), FUZZ_CASES: cases },
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
