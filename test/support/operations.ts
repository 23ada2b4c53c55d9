/** Every operation of the node with parameters that fit the sandbox: what tests of all operations share. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine } from './engine';
import { lastPrice } from './last-price';
import { bySymbol, orderForm } from './parameters';
import { testSandbox, type TestSandbox } from './sandbox';

/** Ids, symbols and a price (rupees) that the cases need, made before them. */
export interface Made {
  orderId: string;
  basketId: string;
  calls: string[];
  price: number;
}

export interface Case {
  /** Parameters besides resource and operation. */
  parameters: () => INodeParameters;
  /** Fields of the first item. */
  gives: object;
  /** The endpoint at which the service is made to fail; left out where nothing is asked. */
  fails?: string;
  /** True if the operation also changes something that cannot be done twice. */
  once?: true;
  binary?: string;
}

const legsOf = ({ calls }: Made) => ({
  leg: calls.map((symbol, index) => ({
    ...bySymbol(symbol),
    quantity: 1,
    quantityUnit: 'lots',
    side: index === 0 ? 'BUY' : 'SELL',
  })),
});

const casesOf = (made: Made): Record<string, Record<string, Case>> => ({
  instrument: {
    search: {
      parameters: () => ({ query: 'INFY' }),
      gives: { symbol: 'INFY', exchange: 'NSE', tick_size: expect.any(Number), environment: 'sandbox' },
      fails: '/refdata',
    },
    get: {
      parameters: () => bySymbol('INFY'),
      gives: { symbol: 'INFY', lot_size: 1, isin: 'INE009A01021' },
      fails: '/refdata',
    },
    getMany: {
      parameters: () => ({ filters: { underlying: 'NIFTY', kinds: ['FUT'] } }),
      gives: { asset: 'NIFTY', type: 'FUT' },
      fails: '/refdata',
    },
    getOptionByOffset: {
      parameters: () => ({ underlying: 'NIFTY', moneyness: 'OTM', strikes: 2 }),
      gives: { asset: 'NIFTY', option_type: 'CE', underlying_price: expect.any(Number), premium: expect.any(Number) },
      fails: '/optionchains',
    },
    getExpiries: {
      parameters: () => ({ underlying: 'NIFTY' }),
      gives: { underlying: 'NIFTY', date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), options: true },
      fails: '/refdata',
    },
    getTradingDay: {
      parameters: () => ({ date: '2026-11-21' }),
      gives: {
        date: '2026-11-21',
        is_trading_day: false,
        previous_trading_day: '2026-11-20',
        next_trading_day: '2026-11-23',
      },
      fails: '/refdata',
    },
    downloadMaster: {
      parameters: () => ({ filters: { underlying: 'NIFTY' } }),
      gives: { exchange: 'NSE', rows: expect.any(Number) },
      fails: '/refdata',
      binary: 'data',
    },
  },
  quote: {
    buildOptionStrategy: {
      parameters: () => ({ underlying: 'NIFTY', strategy: 'condor', side: 'SELL', distance: 2, width: 2 }),
      gives: {
        strategy: 'condor',
        net_premium: expect.any(Number),
        max_loss: expect.any(Number),
        margin: expect.any(Number),
        legs: expect.any(Array),
      },
      fails: '/optionchains',
      binary: 'data',
    },
    getCurrentPrice: {
      parameters: () => ({ ...bySymbol('INFY'), options: { moreInstruments: 'NIFTY, BSE:TCS' } }),
      gives: { symbol: 'INFY', price: expect.any(Number), change_percent: expect.any(Number) },
      fails: '/optionchains',
    },
    getLiveSnapshot: {
      parameters: () => ({ ...bySymbol('INFY'), options: { moreInstruments: 'NIFTY, BSE:TCS' } }),
      gives: { symbol: 'INFY', price: expect.any(Number), price_source: 'rest' },
      fails: '/optionchains',
    },
    getOrderBook: {
      parameters: () => bySymbol('INFY'),
      gives: {
        symbol: 'INFY',
        spread: expect.any(Number),
        bids: expect.any(Array),
        time_ist: expect.stringContaining('+05:30'),
      },
      fails: '/orderbooks',
    },
    getIvSkewOverTime: {
      parameters: () => ({ underlying: 'NIFTY', minutesAgo: '0, 15', options: { strikesAround: 3 } }),
      gives: { asset: 'NIFTY', minutes_ago: 0, iv_at_the_money: expect.any(Number), strikes: expect.any(Array) },
      fails: '/charts',
      binary: 'data',
    },
    getOpenInterestChange: {
      parameters: () => ({ underlying: 'NIFTY', options: { strikesAround: 3 } }),
      gives: {
        asset: 'NIFTY',
        put_call_ratio: expect.any(Number),
        max_pain: expect.any(Number),
        most_calls: { strike_price: expect.any(Number), open_interest: expect.any(Number) },
        since_ist: expect.stringContaining('2026-11-19T15:29'),
      },
      fails: '/charts',
      binary: 'data',
    },
    getOptionChain: {
      parameters: () => ({ underlying: 'NIFTY', options: { strikesAround: 2 } }),
      gives: { asset: 'NIFTY', strike_price: expect.any(Number), ce: expect.any(Object) },
      fails: '/optionchains',
    },
  },
  company: {
    getCorporateActions: {
      parameters: () => bySymbol('INFY'),
      gives: { symbol: 'INFY', name: expect.any(String), upcoming: true, execution_date: expect.any(String) },
      fails: '/screener',
    },
    getFinancials: {
      parameters: () => ({ ...bySymbol('INFY'), options: { moreInstruments: 'BSE:TCS' } }),
      gives: {
        symbol: 'INFY',
        statement: 'profit_loss',
        period: '202603',
        period_end: '2026-03-31',
        amount_unit: 'crore',
        values: expect.objectContaining({ 'Net Profit': expect.any(Number) }),
        parts: expect.objectContaining({ Expenses: expect.any(Object) }),
      },
      fails: '/screener',
    },
    getKeyRatios: {
      parameters: () => bySymbol('INFY'),
      gives: {
        symbol: 'INFY',
        fincode: expect.any(Number),
        key_ratios: expect.objectContaining({ p_e_ratio: expect.any(Number) }),
        shareholding: expect.objectContaining({ promoter: expect.any(Number) }),
      },
      fails: '/screener',
    },
    getShareholding: {
      parameters: () => bySymbol('INFY'),
      gives: {
        symbol: 'INFY',
        period: '202609',
        percent: { Promoters: expect.any(Number), Institutions: expect.any(Number), Public: expect.any(Number) },
      },
      fails: '/screener',
    },
  },
  candle: {
    addIndicators: {
      parameters: () => ({
        ...bySymbol('INFY'),
        interval: '15m',
        indicators: { entries: [{ indicator: 'rsi' }, { indicator: 'macd' }] },
        crossings: { entries: [{ line: 'rsi_14', other: '30' }] },
      }),
      gives: {
        symbol: 'INFY',
        closed: true,
        rsi_14: expect.any(Number),
        macd_12_26_9_signal: expect.any(Number),
        rsi_14_crossed_above_30: expect.any(Boolean),
      },
      fails: '/charts',
    },
    get: {
      parameters: () => ({ ...bySymbol('INFY'), range: 'custom', from: '2026-11-20', to: '2026-11-21' }),
      gives: { symbol: 'INFY', open: expect.any(Number), close: expect.any(Number), volume: expect.any(Number) },
      fails: '/charts',
    },
  },
  bhavcopy: {
    getRows: { parameters: () => ({ type: 'BhavcopyCM', limit: 3 }), gives: {}, fails: '/bhavcopy' },
    download: {
      parameters: () => ({ type: 'BhavcopyCM' }),
      gives: { type: 'BhavcopyCM', mime_type: 'text/csv' },
      fails: '/bhavcopy',
      binary: 'data',
    },
  },
  order: {
    place: {
      parameters: () => orderForm({ price: made.price }),
      gives: { symbol: 'INFY', order_price: expect.any(Number), environment: 'sandbox' },
      fails: '/orders/v2/single',
    },
    placeMany: {
      parameters: () => orderForm({ operation: 'placeMany', price: made.price }),
      gives: { symbol: 'INFY', order_qty: 1 },
      fails: '/orders/v2/multi',
    },
    get: {
      parameters: () => ({ orderId: made.orderId }),
      gives: { order_id: expect.stringMatching(/^\d{19}$/), order_status: 'OPEN' },
      fails: '/orders',
    },
    getMany: {
      parameters: () => ({ filters: { symbol: 'INFY', side: 'BUY', statuses: ['OPEN'] } }),
      gives: { symbol: 'INFY', order_side: 'BUY' },
      fails: '/orders',
    },
    modify: {
      parameters: () => ({ orderId: made.orderId, updateFields: { price: made.price + 1 } }),
      gives: { result: 'done', order_qty: 1 },
      fails: '/orders/v2/modify',
    },
    cancel: {
      parameters: () => ({ orderId: made.orderId }),
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
      parameters: () => ({ orderId: made.orderId }),
      gives: { result: 'done', order_status: 'CANCELLED' },
      fails: '/orders/cancel',
    },
    waitForStatus: {
      parameters: () => ({ orderId: made.orderId, waitFor: 'accepted' }),
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
      parameters: () => orderForm({ operation: 'preview', price: made.price }),
      gives: { symbol: 'INFY', total_margin: expect.any(Number) },
      fails: '/orders/v2/margin_required',
    },
  },
  basket: {
    place: {
      parameters: () => ({
        name: 'Spread',
        legs: legsOf(made),
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
      parameters: () => ({ basketId: made.basketId }),
      gives: { basket_name: 'Spread', legs: expect.any(Array) },
      fails: '/orders/v2/basket',
    },
    waitForStatus: {
      parameters: () => ({ basketId: made.basketId, waitFor: 'entered', deadlineSeconds: 5 }),
      gives: { basket_name: 'Spread', reached: true },
      fails: '/orders/v2/basket',
    },
    cancel: {
      parameters: () => ({ basketId: made.basketId }),
      gives: { result: 'requested' },
      fails: '/orders/v2/basket',
      once: true,
    },
    close: {
      parameters: () => ({ basketId: made.basketId, options: { waitSeconds: 60 } }),
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

/** Operations on orders and baskets that need none. */
const NEED_NOTHING = ['place', 'placeMany', 'preview', 'setTargetPosition'];

export interface OperationWorld {
  sandbox: TestSandbox;
  engine: Engine;
  /** Makes what an operation on an order or a basket needs: a new one, that rests in the book or has entered. */
  prepare(resource: string, operation: string): Promise<void>;
}

const made: Made = { orderId: '', basketId: '', calls: [], price: 0 };
const cases = casesOf(made);

/** Every operation that has a case: resource, operation, case. Their parameters are there once the world is open. */
export const operationCases = Object.entries(cases).flatMap(([resource, operations]) =>
  Object.entries(operations).map(([operation, item]) => [resource, operation, item] as const),
);

/**
 * A sandbox and an engine with a position, and two calls of NIFTY for a basket.
 * @param orderInterface that the account has.
 * @param through gives the address by which the engine reaches the sandbox; its own where it is left out.
 */
export async function openOperationWorld(
  through?: (url: string) => Promise<string>,
  orderInterface: 'intent' | 'v2' = 'v2',
): Promise<OperationWorld> {
  const sandbox = await testSandbox({ rateLimit: 'off', orderInterface });
  const sandboxBaseUrl = through === undefined ? sandbox.url : await through(sandbox.url);
  const engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl });
  const options = { kinds: ['OPT'] };
  const calls = await engine.run({ resource: 'instrument', operation: 'search', query: 'NIFTY', limit: 40, options });
  const legs = calls.items.filter(
    ({ json }) => json.option_type === 'CE' && json.expiry === calls.items[0]?.json.expiry && json.asset === 'NIFTY',
  );
  made.price = Math.floor((await lastPrice(engine)) * 0.97);
  await engine.run(orderForm({ priceType: 'MARKET', options: { waitFor: 'filled' } }));
  made.calls = legs.slice(0, 2).map(({ json }) => String(json.symbol));
  return {
    sandbox,
    engine,
    prepare: async (resource, operation) => {
      if ((resource !== 'order' && resource !== 'basket') || NEED_NOTHING.includes(operation)) return;
      const placed = await engine.run(
        resource === 'order'
          ? orderForm({ price: made.price })
          : { resource, operation: 'place', ...cases.basket?.place?.parameters() },
      );
      made.orderId = String(placed.items[0]?.json.order_id);
      made.basketId = String(placed.items[0]?.json.basket_id);
      await sandbox.control('POST', 'clock', { advance: 'PT3S' });
    },
  };
}
