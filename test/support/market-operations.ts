/** Cases of the operations on market data: instruments, quotes, companies, candles, bhavcopies. */
import type { OperationCase } from './operation-case';
import { bySymbol } from './parameters';

/** Returns the cases by resource and operation. */
export const marketCases = (): Record<string, Record<string, OperationCase>> => ({
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
      parameters: () => ({ ...bySymbol('INFY'), range: 'custom', from: '2026-11-18', to: '2026-11-20' }),
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
});
