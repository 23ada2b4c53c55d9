/** The mutual fund reports. */
import { percent } from '../../shared/money';
import { longDate } from '../document/format';
import type { FundGain, FundOrder } from './mutual-fund-book';
import { type ReportBuilder, reportColumn, rangeText, sumOf, totalsOf, isWithin } from './source';
import type { ReportPeriod, ReportRow } from '../document/types';

const ORDER_COLUMNS = [
  reportColumn('date', 'Date', 'date'),
  reportColumn('scheme', 'Scheme'),
  reportColumn('folio', 'Folio', 'text', 1),
  reportColumn('type', 'Type', 'text', 1),
  reportColumn('amount', 'Amount', 'money'),
  reportColumn('nav', 'NAV', 'nav'),
  reportColumn('units', 'Units', 'units'),
];

/** Equity funds are long-term after a year, others after two. */
const LONG_TERM_YEARS = { Equity: 1, Debt: 2 };

function ordersIn(orders: readonly FundOrder[], period: ReportPeriod): FundOrder[] {
  return orders.filter(({ date }) => isWithin(date, period));
}

function orderRow({ id, date, scheme, folio, type, status, amount, nav, units, stampDuty }: FundOrder): ReportRow {
  return {
    order_id: id,
    date,
    scheme: scheme.name,
    isin: scheme.isin,
    folio,
    type,
    status,
    amount,
    nav,
    units,
    stamp_duty: stampDuty,
  };
}

export const fundTransactions: ReportBuilder = (source, period) => {
  const orders = ordersIn(source.funds.orders, period).filter(({ status }) => status !== 'Rejected');
  if (orders.length === 0) return undefined;
  const rows = orders.map(orderRow);
  const bought = sumOf(
    orders.filter(({ type }) => type !== 'Redemption'),
    ({ amount }) => amount,
  );
  const redeemed = sumOf(
    orders.filter(({ type }) => type === 'Redemption'),
    ({ amount }) => amount,
  );
  return {
    title: 'Mutual fund transactions',
    period: rangeText(period),
    figures: [
      { key: 'transactions', title: 'Transactions', kind: 'quantity', value: rows.length },
      { key: 'purchased', title: 'Purchased', kind: 'money', value: bought },
      { key: 'redeemed', title: 'Redeemed', kind: 'money', value: redeemed },
    ],
    sections: [
      {
        title: 'Transactions',
        columns: [...ORDER_COLUMNS, reportColumn('stamp_duty', 'Stamp duty', 'money')],
        rows,
        totals: totalsOf('Total', 'date', rows, ['stamp_duty']),
      },
    ],
    notes: ['Units = (amount − stamp duty) ÷ NAV, cut to three decimals.'],
  };
};

export const fundOrders: ReportBuilder = (source, period) => {
  const orders = ordersIn(source.funds.orders, period);
  if (orders.length === 0) return undefined;
  return {
    title: 'Mutual fund orderbook',
    period: rangeText(period),
    figures: [
      { key: 'orders', title: 'Orders', kind: 'quantity', value: orders.length },
      {
        key: 'rejected',
        title: 'Rejected',
        kind: 'quantity',
        value: orders.filter(({ status }) => status === 'Rejected').length,
      },
    ],
    sections: [
      {
        title: 'Orders',
        columns: [
          reportColumn('order_id', 'Order', 'text', 1),
          ...ORDER_COLUMNS,
          reportColumn('status', 'Status', 'text', 1),
        ],
        rows: orders.map(orderRow),
      },
    ],
    notes: [],
  };
};

export const fundHoldings: ReportBuilder = (source, { to }) => {
  const holdings = source.funds.holdings(to);
  if (holdings.length === 0) return undefined;
  const rows: ReportRow[] = holdings.map(({ scheme, folio, units, cost, nav, value }) => ({
    scheme: scheme.name,
    house: scheme.house,
    isin: scheme.isin,
    folio,
    units,
    nav,
    invested: cost,
    value,
    profit: value - cost,
    profit_percent: percent(value - cost, cost),
  }));
  const totals = totalsOf('Total', 'scheme', rows, ['invested', 'value', 'profit']);
  return {
    title: 'Mutual fund holdings',
    period: `As on ${longDate(to)}`,
    figures: [
      { key: 'schemes', title: 'Schemes', kind: 'quantity', value: rows.length },
      { key: 'invested', title: 'Invested', kind: 'money', value: totals['invested'] ?? 0 },
      { key: 'value', title: 'Value', kind: 'money', value: totals['value'] ?? 0 },
      { key: 'profit', title: 'Profit or loss', kind: 'money', value: totals['profit'] ?? 0 },
    ],
    sections: [
      {
        title: 'Holdings',
        columns: [
          reportColumn('scheme', 'Scheme'),
          reportColumn('house', 'Fund house'),
          reportColumn('isin', 'ISIN', 'text', 1),
          reportColumn('folio', 'Folio', 'text', 1),
          reportColumn('units', 'Units', 'units'),
          reportColumn('nav', 'NAV', 'nav'),
          reportColumn('invested', 'Invested', 'money'),
          reportColumn('value', 'Value', 'money'),
          reportColumn('profit', 'Profit or loss', 'money'),
          reportColumn('profit_percent', 'Profit or loss %', 'percent'),
        ],
        rows,
        totals: { ...totals, profit_percent: percent(Number(totals['profit']), Number(totals['invested'])) },
      },
    ],
    notes: [],
  };
};

export const fundGains: ReportBuilder = (source, period) => {
  const gains = source.funds.gains.filter(({ sellDate }) => isWithin(sellDate, period));
  if (gains.length === 0) return undefined;
  const rows: ReportRow[] = gains.map((gain) => ({
    scheme: gain.scheme.name,
    folio: gain.folio,
    units: gain.units,
    buy_date: gain.buyDate,
    buy_nav: gain.buyNav,
    buy_value: gain.buyValue,
    sell_date: gain.sellDate,
    sell_nav: gain.sellNav,
    sell_value: gain.sellValue,
    gain: gain.sellValue - gain.buyValue,
    term: isLong(gain) ? 'Long-term' : 'Short-term',
  }));
  const of = (term: string) =>
    sumOf(
      rows.filter((row) => row['term'] === term),
      (row) => Number(row['gain']),
    );
  return {
    title: 'Mutual fund capital gains',
    period: rangeText(period),
    figures: [
      { key: 'short_term', title: 'Short-term', kind: 'money', value: of('Short-term') },
      { key: 'long_term', title: 'Long-term', kind: 'money', value: of('Long-term') },
      { key: 'total', title: 'Total', kind: 'money', value: of('Short-term') + of('Long-term') },
    ],
    sections: [
      {
        title: 'Capital gains',
        columns: [
          reportColumn('scheme', 'Scheme'),
          reportColumn('folio', 'Folio', 'text', 1),
          reportColumn('units', 'Units', 'units'),
          reportColumn('buy_date', 'Bought on', 'date'),
          reportColumn('buy_nav', 'Purchase NAV', 'nav'),
          reportColumn('buy_value', 'Purchase value', 'money'),
          reportColumn('sell_date', 'Redeemed on', 'date'),
          reportColumn('sell_nav', 'Redemption NAV', 'nav'),
          reportColumn('sell_value', 'Redemption value', 'money'),
          reportColumn('gain', 'Gain or loss', 'money'),
          reportColumn('term', 'Term', 'text', 1),
        ],
        rows,
        totals: totalsOf('Total', 'scheme', rows, ['buy_value', 'sell_value', 'gain']),
      },
    ],
    notes: ['Units are redeemed first in, first out. Equity funds are long-term after one year, debt funds after two.'],
  };
};

function isLong({ scheme, buyDate, sellDate }: FundGain): boolean {
  const year = Number(buyDate.slice(0, 4)) + LONG_TERM_YEARS[scheme.kind];
  return sellDate > `${year}${buyDate.slice(4)}`;
}
