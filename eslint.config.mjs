import path from 'node:path';
import tseslint from 'typescript-eslint';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import { SANDBOX, SANDBOX_ROOMS } from './scripts/rooms.mjs';

/** A clock, a timer or randomness that is not handed in makes a run impossible to replay. */
const ports = {
  'no-restricted-globals': [
    'error',
    ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'performance', 'process'].map(
      (name) => ({ name, message: 'Take the clock, timer or environment that is handed in.' }),
    ),
  ],
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: 'Take the clock that is handed in.' },
    { object: 'Math', property: 'random', message: 'Take the randomness that is handed in.' },
    { object: 'DateTime', property: 'now', message: 'Take the clock that is handed in.' },
    { object: 'crypto', property: 'randomUUID', message: 'Take the randomness that is handed in.' },
  ],
  'no-restricted-syntax': [
    'error',
    { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Take the clock that is handed in.' },
  ],
};

/** Rooms import downwards only: nodes → client → proto. What ships imports nothing that does not. */
const NOT_SHIPPED = ['**/sandbox/**', '**/test/**', '**/e2e/**', '**/bench/**', '**/scripts/**'];
const closedTo = (...groups) => ({
  'no-restricted-imports': [
    'error',
    { patterns: groups.map((group) => ({ group: [group], message: 'This room must not import that one.' })) },
  ],
});

/** What neither the client nor `proto` may import. */
const NOT_CLIENT = ['n8n-workflow', 'n8n-core', '**/nodes/**', '**/credentials/**', ...NOT_SHIPPED];

/** A text as a regular expression that matches it only. */
const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * One rule for each room of the sandbox: relative imports lead into the room itself or a room below it. So none leads to
 * the client or the nodes: the sandbox shares nothing with them but the .proto files.
 */
const sandboxRooms = Object.entries(SANDBOX_ROOMS).map(([room, below]) => {
  const folder = path.posix.join(SANDBOX, room);
  const ways = below.map((other) => path.posix.relative(folder, path.posix.join(SANDBOX, other)));
  const allowed = ['.', ...ways.map((way) => (way.startsWith('.') ? way : `./${way}`))].map(literally);
  return {
    files: [`${folder}/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(?!(?:${allowed.join('|')})/[^/]+$)\\.`,
              message: `${folder} imports from ${below.join(', ') || 'no other room'} only (scripts/rooms.mjs).`,
            },
          ],
        },
      ],
    },
  };
});

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/**',
      '**/dist/**',
      'client/generated/**',
      'proto/generated/**',
      'e2e/output/**',
      '.brokerage/**',
      'sandbox/src/page/assets/**',
      'examples/**',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{js,mjs,cjs,ts}'],
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': ['error'],
      'prefer-const': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.{js,cjs}'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    files: ['scripts/**', 'e2e/**', 'bench/**', 'gulpfile.js', '.ci/**', 'sandbox/bin/**', 'sandbox/src/cli/main.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['client/**/*.ts'],
    rules: { ...ports, ...closedTo(...NOT_CLIENT) },
  },
  {
    files: ['client/stream/reconciliation/**/*.ts'],
    rules: closedTo(...NOT_CLIENT, '**/connection/**', '**/account-feed/**', '**/delivery/**', '**/market-data/**'),
  },
  {
    files: ['client/stream/connection/**/*.ts'],
    rules: closedTo(
      ...NOT_CLIENT,
      '**/orders/**',
      '**/reconciliation/**',
      '**/account-feed/**',
      '**/delivery/**',
      '**/market-data/**',
    ),
  },
  {
    files: ['client/stream/account-feed/**/*.ts'],
    rules: closedTo(...NOT_CLIENT, '**/delivery/**', '**/market-data/**'),
  },
  {
    files: ['client/stream/delivery/**/*.ts'],
    rules: closedTo(...NOT_CLIENT, '**/market-data/**'),
  },
  {
    files: ['proto/**/*.ts'],
    rules: closedTo(...NOT_CLIENT, '**/client/**'),
  },
  {
    files: ['sandbox/src/exchange/**/*.ts', 'sandbox/src/market/**/*.ts', 'sandbox/src/accounts/**/*.ts'],
    rules: ports,
  },
  ...sandboxRooms,
  {
    files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
    plugins: { '@n8n/community-nodes': n8nCommunityNodesPlugin, 'n8n-nodes-base': n8nNodesBase },
    rules: { ...n8nCommunityNodesPlugin.configs.recommended.rules, ...closedTo('n8n-core', ...NOT_SHIPPED) },
  },
  {
    files: ['nodes/**/*.ts'],
    rules: {
      ...n8nNodesBase.configs.nodes.rules,
      'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
      'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
      'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
    },
  },
  {
    files: ['credentials/**/*.ts'],
    rules: {
      ...n8nNodesBase.configs.credentials.rules,
      'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
      'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
    },
  },
);
