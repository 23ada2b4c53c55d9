import path from 'node:path';

const LOADER = path.join(__dirname, 'jest/native-typescript.cjs');
const MAIN = path.join(__dirname, '../../sandbox/src/cli/main.ts');

/**
 * Arguments of Node.js that run the sandbox in a separate process from its sources, as tests load them: what was
 * transformed and compiled before is read from the caches. The sandbox's own arguments follow.
 */
export const SANDBOX_PROGRAM = [
  ...['--no-warnings', '--require', LOADER, '--eval'],
  `require(${JSON.stringify(MAIN)}).main(process.argv.slice(1))`,
  '--',
] as const;
