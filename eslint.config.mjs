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
};
const CLOCK = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0]",
  message: 'Take the clock that is handed in.',
};
/**
 * Time is measured by the monotonic clock (`moment`, `since`): the wall clock may be set at any moment. The few files that compare
 * times of day, or times that others wrote, are named below.
 */
const WALL =
  "CallExpression[callee.property.name='now']:matches([callee.object.name='clock'], [callee.object.property.name='clock'])";
const MEASURED = {
  selector: `BinaryExpression[operator=/^([-+]|[<>]=?)$/] > ${WALL}, AssignmentExpression[operator=/^[-+]=$/] > ${WALL}, VariableDeclarator[id.name=/^(since|until|start|started|startedAt|deadline|requestedAt|lookAt|dueAt)$/] > ${WALL}`,
  message: 'The wall clock may be set: measure with clock.moment() and clock.since().',
};

/**
 * Only `contract-value.ts`, of the client and of the sandbox, multiplies a price by a quantity: a contract's value has the multiplier
 * of its instrument in it.
 */
const PRICE =
  '/(^|[a-z])([pP]rices?|last|[lL]astPrice|mark|[pP]remium|ltp|[cC]loses?|nav|limit|trigger|best|average)$/';
const QUANTITY = '/([qQ]uantity|[qQ]ty|[uU]nits|[lL]otSize|[sS]hares|[fF]illed|^left|^held|^open|^total)$/';
const named = (side, name) =>
  ['', 'property.', 'callee.', 'callee.property.', 'expression.', 'expression.property.', 'arguments.0.']
    .concat(['left.', 'left.property.', 'right.', 'right.property.', 'left.expression.', 'right.expression.'])
    .concat(['object.property.', 'left.object.property.'])
    .map((at) => `[${side}.${at}name=${name}]`);
const product = (left, right) =>
  `BinaryExpression[operator='*']:matches(${named('left', left)}):matches(${named('right', right)})`;
const VALUE = {
  selector: `${product(PRICE, QUANTITY)}, ${product(QUANTITY, PRICE)}`,
  message:
    'A price times a quantity is no money: take contractValue, which knows the multiplier (or priceSum, for an average).',
};
const SINGLE_ALL_SETTLED = {
  selector:
    "CallExpression[callee.property.name='allSettled'] > ArrayExpression[elements.length=1] > :not(SpreadElement)",
  message: 'Await one promise with attempt() of client/attempt.',
};
const syntax = (...forbidden) => ({ 'no-restricted-syntax': ['error', SINGLE_ALL_SETTLED, ...forbidden] });

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
      'no-useless-rename': 'error',
      'object-shorthand': ['error', 'properties'],
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
    rules: { ...ports, ...syntax(CLOCK, VALUE, MEASURED), ...closedTo(...NOT_CLIENT) },
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
    files: ['sandbox/src/**/*.ts'],
    rules: syntax(VALUE),
  },
  {
    files: ['nodes/**/*.ts'],
    rules: syntax(VALUE, MEASURED),
  },
  {
    files: ['sandbox/src/exchange/**/*.ts', 'sandbox/src/accounts/**/*.ts'],
    rules: { ...ports, ...syntax(CLOCK, VALUE) },
  },
  {
    files: ['sandbox/src/market/**/*.ts'],
    rules: { ...ports, ...syntax(CLOCK) },
  },
  {
    files: [
      'client/market-clock.ts',
      'client/market/calendar/daily-times.ts',
      'client/stream/account-feed/day-list-reader.ts',
      'client/stream/account-feed/day-requests.ts',
      'client/stream/connection/stream-address.ts',
    ],
    rules: syntax(CLOCK, VALUE),
  },
  {
    files: ['nodes/Brokerage/trading/idempotency.ts', 'nodes/BrokerageTrigger/watches/marketChain.ts'],
    rules: syntax(VALUE),
  },
  {
    files: ['**/contract-value.ts', 'sandbox/src/shared/money.ts'],
    rules: syntax(CLOCK),
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
