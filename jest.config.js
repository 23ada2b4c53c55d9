const { availableParallelism } = require('node:os');

const NATIVE = '<rootDir>/test/support/jest/native-package.cjs';

/** Rooms that Node.js itself loads: see native-typescript.cjs beside it. Mutants of one of them are made without its line. */
const folder = __dirname.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const NATIVE_ROOMS = {
  [`^${folder}/(client|proto)/.+\\.ts$`]: NATIVE,
  [`^${folder}/sandbox/src/.+\\.ts$`]: NATIVE,
};

/** Transforms TypeScript with swc; types are checked by `npm run typecheck`. */
const transform = {
  // One process with --watch runs the tests again and again, and must see what was changed meanwhile.
  ...(process.argv.some((argument) => argument.startsWith('--watch')) ? {} : NATIVE_ROOMS),
  '/node_modules/.+\\.[cm]?js$': NATIVE,
  '\\.(ts|mjs)$': [
    '@swc/jest',
    {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
      // A package is loaded when it is first used: most tests of the sandbox make no PDF and send no mail.
      module: { type: 'commonjs', lazy: true },
      sourceMaps: 'inline',
    },
  ],
};

/** The engine tests that must pass whichever variant of docs/service/differences.md the service speaks; those that choose one are left out. */
const BOTH_DIALECTS = [
  'account',
  'baskets',
  'exit-positions',
  'intent-orders',
  'market',
  'operations',
  'orders',
  'place',
  'session',
  'trigger',
  'trigger-basket',
];
const otherDialect = process.env.DIALECT === 'other';

module.exports = {
  displayName: otherDialect ? 'other-dialect' : 'specified',
  testEnvironment: '<rootDir>/test/support/jest/environment.cjs',
  roots: ['<rootDir>/test'],
  testMatch: otherDialect ? BOTH_DIALECTS.map((name) => `**/engine/${name}.test.ts`) : ['**/*.test.ts'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json', 'node'],
  transform,
  // Jest's own parts.
  transformIgnorePatterns: ['/node_modules/(@jest/|jest-)'],
  // A package that names its ES modules for `import` only, which jest, where everything is CommonJS, does not look for.
  moduleNameMapper: {
    '^unpdf$': '<rootDir>/node_modules/unpdf/dist/index.mjs',
    '^unpdf/pdfjs$': '<rootDir>/node_modules/unpdf/dist/pdfjs.mjs',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/sandbox/dist/', '<rootDir>/e2e/output/'],
  reporters: ['default', '<rootDir>/scripts/left-out.mjs'],
  // The end of a test that hangs. Where whole tables are tried, a test has up to twenty times the rows. CI gives more to what runs
  // beside the end-to-end tests.
  testTimeout: Number(process.env.TEST_TIMEOUT_MS ?? (process.env.TEST_ALL === '1' ? 600_000 : 120_000)),
  // One more than there are cores: tests over sockets and of other programs wait for a fourth of their time. To load n8n's core, the
  // sandbox and its market takes a worker as long as thirty files of tests.
  maxWorkers: availableParallelism() + 1,
  workerIdleMemoryLimit: '2GB',
  // In CI a run ends with its last test: what a failed test has left open, such as the output of a program that it started, would
  // keep it for ever.
  forceExit: Boolean(process.env.CI),
};
