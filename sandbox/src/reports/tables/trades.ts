/** Contract note, tradebook, trader diary: read from the booked trades. */
import { contractValue } from '../../market/reference/contract-value';
import { totalCharges } from '../../accounts/charges';
import { istClock, millis } from '../../shared/time';
import { percent } from '../../shared/money';
import { longDate } from '../document/format';
import { type Builder, column, grouped, nameOf, rangeText, type Source, sum, totalsOf, unitOf, within } from './source';
import type { Period, Row, Section } from '../document/types';
import type { ChargeParts, BookedTrade, LedgerEntry } from '../../accounts/records';

const CHARGE_NAMES: [keyof ChargeParts, string][] = [
  ['brokerage', 'Brokerage'],
  ['exchange', 'Exchange transaction charges'],
  ['sebi', 'SEBI turnover fee'],
  ['gst', 'GST (before July 2017 service tax)'],
  ['stt', 'Securities / commodities transaction tax'],
  ['stamp', 'Stamp duty'],
];

function tradesIn(source: Source, period: Period): BookedTrade[] {
  return source.accounts.trades(source.client.clientCode).filter(({ date }) => within(date, period));
}

const valueOf = (source: Source, { trade }: BookedTrade): number =>
  contractValue(unitOf(source, trade.refId), trade.price, trade.quantity);
/** What the ledger took as tax on exercised options. */
function exerciseTaxesIn(source: Source, period: Period): LedgerEntry[] {
  const ledger = source.accounts.ledger(source.client.clientCode);
  return ledger.filter(({ kind, date }) => kind === 'EXERCISE_TAX' && within(date, period));
}

const exerciseTax = (entries: readonly LedgerEntry[]): number => -sum(entries, ({ amount }) => amount);
const chargesSum = (trades: readonly BookedTrade[]) => sum(trades, ({ charges }) => totalCharges(charges));
const sideValue = (source: Source, trades: readonly BookedTrade[], side: 'BUY' | 'SELL'): number =>
  sum(
    trades.filter(({ trade }) => trade.side === side),
    (booked) => valueOf(source, booked),
  );

export const contractNote: Builder = (source, period) => {
  const trades = tradesIn(source, period);
  const taxes = exerciseTaxesIn(source, period);
  if (trades.length + taxes.length === 0) return undefined;
  const byDay = grouped(trades, ({ date }) => date);
  const days = [...new Set([...trades, ...taxes].map(({ date }) => date))].sort();
  const bought = sideValue(source, trades, 'BUY');
  const sold = sideValue(source, trades, 'SELL');
  const charges = chargesSum(trades) + exerciseTax(taxes);
  return {
    title: 'Contract note',
    period: rangeText(period),
    figures: [
      { key: 'trades', title: 'Trades', kind: 'quantity', value: trades.length },
      { key: 'bought', title: 'Bought', kind: 'money', value: bought },
      { key: 'sold', title: 'Sold', kind: 'money', value: sold },
      { key: 'charges', title: 'Charges', kind: 'money', value: charges },
    ],
    sections: days.flatMap((date) => {
      const ofDay = byDay.get(date) ?? [];
      const tax = exerciseTax(taxes.filter((entry) => entry.date === date));
      const traded = ofDay.length === 0 ? [] : [tradesSection(source, date, ofDay, days.length > 1)];
      return [...traded, chargesSection(source, date, ofDay, tax)];
    }),
    notes: ['Each charge is worked out on the whole traded value of an order and rounded to the paisa once.'],
  };
};

function tradesSection(source: Source, date: string, trades: readonly BookedTrade[], newPage: boolean): Section {
  const rows = trades.map((booked) => {
    const { trade, charges } = booked;
    return {
      order_id: String(trade.orderId),
      trade_id: String(trade.id),
      time: istClock(millis(trade.at)),
      instrument: nameOf(source, trade.refId).displayName,
      exchange: nameOf(source, trade.refId).exchange,
      side: trade.side === 'BUY' ? 'Buy' : 'Sell',
      quantity: trade.quantity,
      price: trade.price,
      brokerage: charges.brokerage,
      value: (trade.side === 'BUY' ? -1 : 1) * valueOf(source, booked),
    };
  });
  return {
    title: `Trades of ${longDate(date)}`,
    newPage,
    columns: [
      column('order_id', 'Order', 'text', 1),
      column('trade_id', 'Trade', 'text', 1),
      column('time', 'Time', 'time'),
      column('instrument', 'Instrument'),
      column('exchange', 'Exch.', 'text', 1),
      column('side', 'Side', 'text', 1),
      column('quantity', 'Quantity', 'quantity'),
      column('price', 'Price', 'price'),
      column('brokerage', 'Brokerage', 'money'),
      column('value', 'Receivable (payable −)', 'money'),
    ],
    rows,
    totals: totalsOf('Total', 'order_id', rows, ['brokerage', 'value']),
  };
}

function chargesSection(source: Source, date: string, trades: readonly BookedTrade[], exercised: number): Section {
  const net = sideValue(source, trades, 'SELL') - sideValue(source, trades, 'BUY');
  const rows: Row[] = [
    { particulars: 'Sold less bought', amount: net },
    ...CHARGE_NAMES.map(([part, name]) => ({
      particulars: name,
      amount: -sum(trades, ({ charges }) => charges[part]),
    })),
    ...(exercised === 0
      ? []
      : [{ particulars: 'Securities transaction tax on exercised options', amount: -exercised }]),
  ];
  return {
    title: `Obligation of ${longDate(date)}`,
    columns: [column('particulars', 'Particulars'), column('amount', 'Receivable (payable −)', 'money')],
    rows,
    totals: totalsOf('Net amount', 'particulars', rows, ['amount']),
  };
}

/** The options of a period that were exercised, each with its tax. */
function exercisedSection(source: Source, taxes: readonly LedgerEntry[]): Section {
  const rows = taxes.map(({ date, refId, amount }) => ({
    date,
    instrument: nameOf(source, refId).displayName,
    charges: -amount,
  }));
  return {
    title: 'Tax on exercised options',
    columns: [column('date', 'Date', 'date'), column('instrument', 'Instrument'), column('charges', 'Tax', 'money')],
    rows,
    totals: totalsOf('Total', 'date', rows, ['charges']),
  };
}

export const tradebook: Builder = (source, period) => {
  const trades = tradesIn(source, period);
  const taxes = exerciseTaxesIn(source, period);
  if (trades.length + taxes.length === 0) return undefined;
  const rows: Row[] = trades.map((booked) => {
    const { trade, date, charges } = booked;
    const { symbol, displayName, isin, exchange, derivativeType } = nameOf(source, trade.refId);
    return {
      date,
      time: istClock(millis(trade.at)),
      symbol,
      instrument: displayName,
      isin,
      exchange,
      segment: derivativeType === 'FUT' || derivativeType === 'OPT' ? 'Derivatives' : 'Cash',
      product: trade.product,
      side: trade.side,
      quantity: trade.quantity,
      price: trade.price,
      value: valueOf(source, booked),
      charges: totalCharges(charges),
      order_id: String(trade.orderId),
      trade_id: String(trade.id),
    };
  });
  return {
    title: 'Tradebook',
    period: rangeText(period),
    figures: [
      { key: 'trades', title: 'Trades', kind: 'quantity', value: trades.length },
      { key: 'turnover', title: 'Turnover', kind: 'money', value: sum(trades, (booked) => valueOf(source, booked)) },
      { key: 'charges', title: 'Charges', kind: 'money', value: chargesSum(trades) + exerciseTax(taxes) },
    ],
    sections: [
      {
        title: 'Trades',
        columns: [
          column('date', 'Date', 'date'),
          column('time', 'Time', 'time'),
          column('symbol', 'Symbol', 'text', 1),
          column('instrument', 'Instrument'),
          column('isin', 'ISIN', 'text', 1),
          column('exchange', 'Exchange', 'text', 1),
          column('segment', 'Segment', 'text', 1),
          column('product', 'Product', 'text', 1),
          column('side', 'Side', 'text', 1),
          column('quantity', 'Quantity', 'quantity'),
          column('price', 'Price', 'price'),
          column('value', 'Value', 'money'),
          column('charges', 'Charges', 'money'),
          column('order_id', 'Order id', 'text', 1),
          column('trade_id', 'Trade id', 'text', 1),
        ],
        rows,
        totals: totalsOf('Total', 'date', rows, ['value', 'charges']),
      },
      ...(taxes.length === 0 ? [] : [exercisedSection(source, taxes)]),
    ],
    notes: [],
  };
};

export const traderDiary: Builder = (source, period) => {
  const closes = source.accounts.closes(source.client.clientCode).filter(({ date }) => within(date, period));
  const byDay = grouped(tradesIn(source, period), ({ date }) => date);
  let sofar = 0;
  const rows: Row[] = [];
  for (const { date, funds } of closes) {
    const trades = byDay.get(date) ?? [];
    if (trades.length === 0 && funds.realised === 0) continue;
    const net = funds.realised - funds.charges;
    sofar += net;
    rows.push({
      date,
      trades: trades.length,
      bought: sideValue(source, trades, 'BUY'),
      sold: sideValue(source, trades, 'SELL'),
      realised: funds.realised,
      charges: funds.charges,
      net,
      cumulative: sofar,
      result: net > 0 ? 'Profit' : net < 0 ? 'Loss' : 'Even',
    });
  }
  if (rows.length === 0) return undefined;
  const won = rows.filter(({ result }) => result === 'Profit').length;
  const nets = rows.map(({ net }) => Number(net));
  return {
    title: 'Trader diary',
    period: rangeText(period),
    figures: [
      { key: 'days', title: 'Trading days', kind: 'quantity', value: rows.length },
      { key: 'days_in_profit', title: 'Days in profit', kind: 'quantity', value: won },
      { key: 'win_rate', title: 'Days in profit, share', kind: 'percent', value: percent(won, rows.length) },
      { key: 'best_day', title: 'Best day', kind: 'money', value: Math.max(...nets) },
      { key: 'worst_day', title: 'Worst day', kind: 'money', value: Math.min(...nets) },
      { key: 'net', title: 'Net result', kind: 'money', value: sofar },
    ],
    sections: [
      {
        title: 'Days',
        columns: [
          column('date', 'Date', 'date'),
          column('trades', 'Trades', 'quantity'),
          column('bought', 'Bought', 'money'),
          column('sold', 'Sold', 'money'),
          column('realised', 'Realised', 'money'),
          column('charges', 'Charges', 'money'),
          column('net', 'Net', 'money'),
          column('cumulative', 'Net so far', 'money'),
          column('result', 'Result', 'text', 1),
        ],
        rows,
        totals: totalsOf('Total', 'date', rows, ['trades', 'bought', 'sold', 'realised', 'charges', 'net']),
      },
    ],
    notes: [],
  };
};
