/** `npm test`: installs what is missing, builds, and runs jest on Node.js 24; arguments go to jest. */
import path from 'node:path';
import { installIfMissing, node24, npm, root, run, withNode24 } from './support.mjs';

try {
  await installIfMissing();
  const env = withNode24();
  await run(npm, ['run', 'build', '--silent'], { env });
  await run(
    node24,
    ['--no-warnings', path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...process.argv.slice(2)],
    { env },
  );
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
