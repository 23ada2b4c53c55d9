/**
 * The rooms of the project and what each may import, types included. A room is one folder, without the folders in it.
 * eslint.config.mjs makes lint rules of SANDBOX_ROOMS; scripts/check-rooms.mjs checks all of this file, and looks for
 * circles between folders and between files.
 */
export const SANDBOX = 'sandbox/src';

const MARKET = ['market/reference', 'market/recordings', 'market/prices', 'market/mirror', 'shared'];
const EXCHANGE = ['exchange', 'exchange/strategies', 'exchange/models'];

/** By folder below sandbox/src, highest room first. A room that is not here may not exist. */
export const SANDBOX_ROOMS = {
  '.': ['cli', 'simulation', 'shared'],
  cli: ['backtest', 'mirror', 'http', 'http/intents', 'stream', 'control', 'page', 'web', 'simulation', 'shared'],
  backtest: ['control', 'simulation', 'reports/performance', 'reports/formats', 'reports/document', 'shared'],
  mirror: ['stream', ...MARKET],
  http: ['web', 'simulation', ...EXCHANGE, 'accounts', 'sessions', 'reports', 'market/companies', ...MARKET],
  'http/intents': ['http', 'web', 'simulation', ...EXCHANGE, 'accounts', 'sessions', ...MARKET],
  stream: ['web', 'simulation', ...EXCHANGE, 'accounts', 'sessions', ...MARKET],
  control: [
    'web',
    'simulation',
    'simulation/scenarios',
    'sessions',
    'reports/performance',
    'reports/formats',
    'shared',
  ],
  page: ['web', 'simulation', 'reports/performance', ...EXCHANGE, 'accounts', 'sessions', ...MARKET],
  web: ['simulation', ...EXCHANGE, 'accounts', 'sessions', ...MARKET],
  simulation: [
    'simulation/data',
    'simulation/scenarios',
    ...EXCHANGE,
    'accounts',
    'sessions',
    'store',
    'market/corporate-actions',
    ...MARKET,
  ],
  'simulation/scenarios': ['exchange', ...MARKET],
  'simulation/data': ['sessions'],
  exchange: ['exchange/data', 'exchange/models', ...MARKET],
  'exchange/strategies': ['exchange', 'exchange/data', 'exchange/models', ...MARKET],
  'exchange/models': [...MARKET],
  'exchange/data': [],
  reports: ['reports/tables', 'reports/formats', 'reports/document', 'accounts', 'market/reference', 'shared'],
  'reports/performance': ['reports/document', 'accounts', 'market/reference', 'shared'],
  'reports/tables': ['reports/document', 'accounts', 'market/reference', 'shared'],
  'reports/formats': ['reports/document', 'shared'],
  'reports/document': ['shared'],
  accounts: ['accounts/data', 'market/reference', 'shared'],
  'accounts/data': [],
  sessions: ['shared'],
  store: ['shared'],
  'market/companies': ['market/prices', 'market/reference', 'shared'],
  'market/corporate-actions': ['market/prices', 'market/reference', 'shared'],
  'market/prices': ['market/recordings', 'market/reference', 'shared'],
  'market/mirror': ['market/prices', 'market/reference', 'shared'],
  'market/recordings': ['market/reference', 'shared'],
  'market/reference': ['shared'],
  shared: [],
};

/** Folders that import downwards only, the lowest first. */
export const LAYERS = {
  'client/orders': ['model', 'api', 'account', 'guards', 'placing', 'changing'],
  'client/stream': ['connection', 'reconciliation', 'account-feed', 'delivery', 'market-data'],
};

/** Imports that are refused between what ships: every pair of `from` and `to` matches, unless both are in one `group`. */
export const REFUSED = [
  {
    from: /^nodes\/Brokerage\/actions\/(?<group>[^/]+)(\/|$)/,
    to: /^nodes\/Brokerage\/actions\/(?<group>[^/]+)(\/|$)/,
    why: 'what resources share is in nodes/Brokerage/trading or nodes/Brokerage/common',
  },
  {
    from: /^nodes\/Brokerage\/(common|trading)(\/|$)/,
    to: /^nodes\/Brokerage\/actions(\/|$)/,
    why: 'what resources share does not know them',
  },
  {
    from: /^nodes\/BrokerageTrigger(\/|$)/,
    to: /^nodes\/Brokerage(\/|$)/,
    why: 'what both nodes use is in nodes/shared',
  },
  {
    from: /^nodes\/(shared|host)(\/|$)/,
    to: /^nodes\/(Brokerage|BrokerageTrigger)(\/|$)/,
    why: 'what both nodes use does not know them',
  },
];
