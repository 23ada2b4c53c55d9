/**
 * Every path, method and dialect of the service, in one table (specification: Endpoints; wire-facts §2 and §3). A family
 * of paths of another order system is added here, without touching an operation.
 */
import type { HttpMethod } from './ports';
import type { NameKey } from './values/names';

/** Who counts the requests: at most 10 a second for trading, 60 a minute for history (wire-facts §2: Rate limits). */
export type RateBucket = 'trading' | 'history' | 'other';

/**
 * What a failed attempt allows:
 * `never`: something is placed, changed, cancelled, sent or logged in, so one request is one attempt;
 * `read`: sent again after 429, any 5xx and dropped connections;
 * `busy`: a read whose 500 is an answer (a report without data), so sent again after 429, 502–504 and dropped connections.
 */
export type Repeat = 'never' | 'read' | 'busy';

export interface Endpoint {
  method: HttpMethod;
  /** Path below the base address; `{name}` stands for a path parameter. */
  path: string;
  /** The same thing at another path: asked when the first answers 404 (wire-facts 3.3). Reads only. */
  alternative?: string;
  repeat: Repeat;
  bucket: RateBucket;
  /** Milliseconds. */
  timeoutMs: number;
  /** The neutral word for platform names in its reply (wire-facts §1). */
  nameKey?: NameKey;
  /** A 401 or 440 is given out as it came, without a new login. */
  keepSession?: boolean;
}

const SHORT = 15_000;
const NORMAL = 30_000;
const LONG = 180_000;

const step = (method: HttpMethod, path: string): Endpoint => ({
  method,
  path,
  repeat: 'never',
  bucket: 'other',
  timeoutMs: NORMAL,
  keepSession: true,
});
const read = (path: string, more: Partial<Endpoint> = {}): Endpoint => ({
  method: 'GET',
  path,
  repeat: 'read',
  bucket: 'other',
  timeoutMs: NORMAL,
  ...more,
});
const trade = (method: HttpMethod, path: string): Endpoint => ({
  method,
  path,
  repeat: 'never',
  bucket: 'trading',
  timeoutMs: SHORT,
});
const change = (method: HttpMethod, path: string): Endpoint => ({
  method,
  path,
  repeat: 'never',
  bucket: 'other',
  timeoutMs: NORMAL,
});
const report = (path: string, more: Partial<Endpoint> = {}): Endpoint => ({
  method: 'POST',
  path: `/report/${path}`,
  repeat: 'busy',
  bucket: 'other',
  timeoutMs: LONG,
  ...more,
});

export const endpoints = {
  // Login steps: sent without a session, or with the token of the step before.
  sendPhoneOtp: step('POST', '/sendphoneotp'),
  verifyPhoneOtp: step('POST', '/verifyphoneotp'),
  totpLogin: step('POST', '/totp/login'),
  verifyPin: step('POST', '/verifypin'),
  logout: { ...change('POST', '/logout'), keepSession: true },
  // TOTP setting
  totpGenerateSecret: change('GET', '/totp/generate-secret'),
  // A 401 here can be about the code or the MPIN, which must not be sent again.
  totpEnable: { ...change('POST', '/totp/enable'), keepSession: true },
  totpDisable: { ...change('POST', '/totp/disable'), keepSession: true },
  // User
  userInfo: read('/userinfo'),
  /** Whether the session lives, asked without making a new one. */
  sessionCheck: read('/userinfo', { keepSession: true, timeoutMs: SHORT }),
  validateIp: read('/ipaddress/validate'),
  // Instruments and quotes
  refdata: read('/refdata/refdata/{date}', { timeoutMs: LONG }),
  orderBook: read('/orderbooks/{ref_id}'),
  currentPrice: read('/optionchains/{instrument}/price'),
  optionChain: read('/optionchains/{asset}'),
  // History
  timeseries: read('/charts/timeseries', { method: 'POST', bucket: 'history', timeoutMs: 60_000 }),
  bhavcopy: read('/bhavcopy/nse/{date}', { keepSession: true, timeoutMs: LONG }),
  // Orders
  placeOrder: trade('POST', '/orders/v2/single'),
  placeOrders: trade('POST', '/orders/v2/multi'),
  order: read('/orders/{order_id}', { alternative: '/orders/v2/{order_id}', bucket: 'trading', timeoutMs: SHORT }),
  orders: read('/orders', { alternative: '/orders/v2', bucket: 'trading', timeoutMs: NORMAL }),
  modifyOrder: trade('POST', '/orders/v2/modify/{order_id}'),
  cancelOrder: trade('DELETE', '/orders/{order_id}'),
  cancelOrders: trade('POST', '/orders/cancel'),
  marginRequired: read('/orders/v2/margin_required', { method: 'POST', bucket: 'trading', timeoutMs: SHORT }),
  // Baskets
  placeBasket: trade('POST', '/orders/v2/basket'),
  baskets: read('/orders/v2/basket', { bucket: 'trading' }),
  cancelBasket: trade('POST', '/orders/v2/basket/{basket_id}'),
  // Portfolio
  holdings: read('/portfolio/holdings', { nameKey: 'svc_name' }),
  positions: read('/portfolio/positions'),
  funds: read('/portfolio/user_funds_and_margin'),
  // Reports
  reportOptions: read('/report'),
  reportSummary: report('summary'),
  reportProfitLoss: report('profit_loss'),
  reportDemat: report('demat'),
  reportContractNote: report('contract_note'),
  reportDailyMargin: report('daily_margin'),
  reportHolding: report('holding'),
  reportOpenPositions: report('open_positions'),
  reportDividend: report('dividend'),
  reportTradebook: report('tradebook-report'),
  reportTraderDiary: report('trader-diary'),
  reportPortfolio: report('portfolio', { method: 'GET' }),
  reportTransaction: report('transaction'),
  reportOrderbook: report('orderbook'),
  reportHoldings: report('holdings'),
  reportCapitalGains: report('capital_gains'),
} satisfies Record<string, Endpoint>;
