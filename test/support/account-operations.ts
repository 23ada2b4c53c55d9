/** Cases of the operations on an account: orders, baskets, portfolio, reports, session. */
import type { OperationCase, PreparedValues } from './operation-case';
import { bySymbol, orderForm } from './parameters';

const legsOf = ({ calls }: PreparedValues) => ({
  leg: calls.map((symbol, index) => ({
    ...bySymbol(symbol),
    quantity: 1,
    quantityUnit: 'lots',
    side: index === 0 ? 'BUY' : 'SELL',
  })),
});

/** Returns the cases by resource and operation. */
export const accountCases = (prepared: PreparedValues): Record<string, Record<string, OperationCase>> => ({
  order: {
    place: {
      parameters: () => orderForm({ price: prepared.price }),
      gives: { symbol: 'INFY', order_price: expect.any(Number), environment: 'sandbox' },
      fails: '/orders/v2/single',
    },
    placeMany: {
      parameters: () => orderForm({ operation: 'placeMany', price: prepared.price }),
      gives: { symbol: 'INFY', order_qty: 1 },
      fails: '/orders/v2/multi',
    },
    get: {
      parameters: () => ({ orderId: prepared.orderId }),
      gives: { order_id: expect.stringMatching(/^\d{19}$/), order_status: 'OPEN' },
      fails: '/orders',
    },
    getMany: {
      parameters: () => ({ filters: { symbol: 'INFY', side: 'BUY', statuses: ['OPEN'] } }),
      gives: { symbol: 'INFY', order_side: 'BUY' },
      fails: '/orders',
    },
    modify: {
      parameters: () => ({ orderId: prepared.orderId, updateFields: { price: prepared.price + 1 } }),
      gives: { result: 'done', order_qty: 1 },
      fails: '/orders/v2/modify',
    },
    cancel: {
      parameters: () => ({ orderId: prepared.orderId }),
      gives: { result: 'done', order_status: 'CANCELLED' },
      fails: '/orders/',
      once: true,
    },
    cancelAll: {
      parameters: () => ({ filters: { symbols: 'INFY' } }),
      gives: { result: 'done', order_status: 'CANCELLED' },
      fails: '/orders',
      once: true,
    },
    cancelMany: {
      parameters: () => ({ orderId: prepared.orderId }),
      gives: { result: 'done', order_status: 'CANCELLED' },
      fails: '/orders/cancel',
    },
    waitForStatus: {
      parameters: () => ({ orderId: prepared.orderId, waitFor: 'accepted' }),
      gives: { reached: true, order_status: 'OPEN' },
      fails: '/orders',
    },
    setTargetPosition: {
      parameters: () => ({
        ...bySymbol('INFY'),
        target: 5,
        product: 'IDAY',
        openOrders: 'cancel',
        closeAt: 'market',
        safety: { dryRun: true },
      }),
      gives: { dry_run: true, symbol: 'INFY', target_qty: 5, environment: 'sandbox' },
      fails: '/portfolio/positions',
    },
    preview: {
      parameters: () => orderForm({ operation: 'preview', price: prepared.price }),
      gives: { symbol: 'INFY', total_margin: expect.any(Number) },
      fails: '/orders/v2/margin_required',
    },
  },
  basket: {
    place: {
      parameters: () => ({
        name: 'Spread',
        legs: legsOf(prepared),
        underlying: 'NIFTY',
        priceType: 'MARKET',
        options: { tag: 'spread' },
      }),
      gives: { basket_id: expect.stringMatching(/^\d+$/), basket_name: 'Spread', already_placed: false },
      fails: '/orders/v2/basket',
    },
    getMany: {
      parameters: () => ({}),
      gives: { basket_name: 'Spread', legs: expect.any(Array) },
      fails: '/orders/v2/basket',
    },
    get: {
      parameters: () => ({ basketId: prepared.basketId }),
      gives: { basket_name: 'Spread', legs: expect.any(Array) },
      fails: '/orders/v2/basket',
    },
    waitForStatus: {
      parameters: () => ({ basketId: prepared.basketId, waitFor: 'entered', deadlineSeconds: 5 }),
      gives: { basket_name: 'Spread', reached: true },
      fails: '/orders/v2/basket',
    },
    cancel: {
      parameters: () => ({ basketId: prepared.basketId }),
      gives: { result: 'requested' },
      fails: '/orders/v2/basket',
      once: true,
    },
    close: {
      parameters: () => ({ basketId: prepared.basketId, options: { waitSeconds: 60 } }),
      gives: { basket_status: 'CLOSED', result: 'done' },
      fails: '/orders/v2/basket',
      once: true,
    },
  },
  portfolio: {
    getHoldings: {
      parameters: () => ({}),
      gives: { symbol: expect.any(String), qty: expect.any(Number), avg_price: expect.any(Number) },
      fails: '/portfolio/holdings',
    },
    getPositions: {
      parameters: () => ({ filters: { segments: ['stock'] } }),
      gives: { segment: 'stock', symbol: 'INFY' },
      fails: '/portfolio/positions',
    },
    exitAll: {
      parameters: () => ({ closeAt: 'market', safety: { dryRun: true } }),
      gives: { dry_run: true, symbol: 'INFY', would_cancel: expect.any(Array) },
      fails: '/portfolio/positions',
    },
    exitPosition: {
      parameters: () => ({ ...bySymbol('INFY'), closeAt: 'limit', slackPercent: 1, safety: { dryRun: true } }),
      gives: { dry_run: true, symbol: 'INFY', net_qty: 1 },
      fails: '/portfolio/positions',
    },
    getFunds: {
      parameters: () => ({}),
      gives: { net_margin_available: expect.any(Number), environment: 'sandbox' },
      fails: '/portfolio/user_funds',
    },
    getPerformance: {
      parameters: () => ({ dates: 'today' }),
      gives: {
        result: expect.any(Number),
        verdict: expect.any(String),
        trades: expect.any(Array),
        days: expect.any(Array),
      },
      fails: '/report',
    },
    getChart: {
      parameters: () => ({}),
      gives: {
        holdings: { count: expect.any(Number) },
        width: 1440,
        file_name: expect.stringMatching(/^holdings-\d{4}-\d\d-\d\d\.png$/),
      },
      fails: '/portfolio/holdings',
      binary: 'data',
    },
    getReport: {
      parameters: () => ({ parts: [] }),
      gives: {
        subject: expect.stringContaining('Your portfolio on'),
        html: expect.stringContaining('<table'),
        is_empty: false,
      },
      fails: '/portfolio/holdings',
    },
    getSummary: {
      parameters: () => ({}),
      gives: { holdings: { count: expect.any(Number) }, funds: expect.any(Object) },
      fails: '/portfolio',
    },
    protectPosition: {
      parameters: () => ({ ...bySymbol('INFY'), exits: { stopLoss: 40 }, safety: { dryRun: true } }),
      gives: { dry_run: true, symbol: 'INFY', held_qty: expect.any(Number) },
      fails: '/portfolio/positions',
    },
  },
  report: {
    getAvailable: {
      parameters: () => ({}),
      gives: { title: expect.any(String), minDate: expect.any(String) },
      fails: '/report',
    },
    view: { parameters: () => ({ report: 'ledger', dates: 'lastMonth' }), gives: {}, fails: '/report' },
    download: {
      parameters: () => ({ report: 'ledger', dates: 'lastMonth' }),
      gives: { report: 'ledger', mime_type: 'application/pdf', has_data: true },
      fails: '/report',
      binary: 'data',
    },
    email: {
      parameters: () => ({ report: 'holding', day: 'yesterday' }),
      gives: { report: 'holding', format: 'PDF' },
      fails: '/report',
    },
  },
  session: {
    getUser: {
      parameters: () => ({}),
      gives: { client_code: 'SBX001', version_status: 'ACTIVE', environment: 'sandbox' },
      fails: '/userinfo',
    },
    check: {
      parameters: () => ({}),
      gives: { alive: true, expires_at: expect.stringContaining('+05:30') },
      fails: '/userinfo',
    },
    checkStaticIp: {
      parameters: () => ({}),
      gives: { is_matched: expect.any(Boolean), is_registered: expect.any(Boolean) },
      fails: '/ipaddress',
    },
    stopTrading: {
      parameters: () => ({ exitPositions: true, closeAt: 'market', safety: { dryRun: true } }),
      gives: { dry_run: true, trading_stopped: false, positions: expect.any(Array) },
      fails: '/portfolio/positions',
    },
  },
});
