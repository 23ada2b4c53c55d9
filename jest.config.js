/** Transforms TypeScript (and the few packages that ship only ES modules) with swc; types are checked by `npm run typecheck`. */
const transform = {
  '(\\.(ts|mjs)|/node_modules/content-disposition/.+\\.js)$': [
    '@swc/jest',
    {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
      module: { type: 'commonjs' },
      sourceMaps: 'inline',
    },
  ],
};

const project = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json', 'node'],
  transform,
  transformIgnorePatterns: ['/node_modules/(?!(hucre|content-disposition|unpdf)/)'],
  // A package that names its ES modules for `import` only, which jest, where everything is CommonJS, does not look for.
  moduleNameMapper: {
    '^unpdf$': '<rootDir>/node_modules/unpdf/dist/index.mjs',
    '^unpdf/pdfjs$': '<rootDir>/node_modules/unpdf/dist/pdfjs.mjs',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/sandbox/dist/', '<rootDir>/e2e/output/'],
};

/** The engine tests that must pass whichever variant of wire-facts §3 the service speaks; those that choose one are left out. */
const bothDialects = ['account', 'market', 'operations', 'orders', 'place', 'session', 'trigger', 'trigger-basket'];

module.exports = {
  projects: [
    { ...project, displayName: 'specified' },
    {
      ...project,
      displayName: 'other-dialect',
      testMatch: bothDialects.map((name) => `**/engine/${name}.test.ts`),
      globals: { OTHER_DIALECT: true },
    },
  ],
  reporters: ['default', '<rootDir>/scripts/left-out.mjs'],
  testTimeout: 120_000,
  workerIdleMemoryLimit: '1GB',
};
