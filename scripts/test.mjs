/**
 * `npm test`: installs what is missing and runs jest on Node.js 24; arguments go to jest. The tests read TypeScript, so nothing is
 * compiled but the decoders of the stream's messages.
 */
import path from 'node:path';
import { installIfMissing, node24, root, run, withNode24 } from './support.mjs';

try {
  await installIfMissing();
  const env = withNode24();
  await run(node24, [path.join('proto', 'generate.js')], { env });
  await run(
    node24,
    ['--no-warnings', path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...process.argv.slice(2)],
    { env },
  );
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
