/** Tradebook and trader diary: read from the booked trades. */
import { contractValue } from '../../market/reference/contract-value';
import { totalCharges } from '../../accounts/charges';
import { istClock, millisOf } from '../../shared/time';
import { percent } from '../../shared/money';
import { EventLoopTurns } from '../../shared/cooperative';
import {
  type ReportBuilder,
  type LongBuilder,
  reportColumn,
  groupBy,
  nameOf,
  rangeText,
  type ReportSource,
  sumOf,
  totalsOf,
  unitOf,
  isWithin,
} from './source';
import type { ReportPeriod, ReportRow, ReportSection } from '../document/types';
import type { BookedTrade, LedgerEntry } from '../../accounts/records';

export function tradesIn(source: ReportSource, period: ReportPeriod): BookedTrade[] {
  return source.accounts.trades(source.client.clientCode).filter(({ date }) => isWithin(date, period));
}

/** Value of a trade, paise. */
export const valueOf = (source: ReportSource, { trade }: BookedTrade): number =>
  contractValue(unitOf(source, trade.refId), trade.price, trade.quantity);

/** Returns the tax on exercised options that the ledger took. */
export function exerciseTaxesIn(source: ReportSource, period: ReportPeriod): LedgerEntry[] {
  const ledger = source.accounts.ledger(source.client.clientCode);
  return ledger.filter(({ kind, date }) => kind === 'EXERCISE_TAX' && isWithin(date, period));
}

export const exerciseTax = (entries: readonly LedgerEntry[]): number => -sumOf(entries, ({ amount }) => amount);
export const chargesSum = (trades: readonly BookedTrade[]) => sumOf(trades, ({ charges }) => totalCharges(charges));
export const sideValue = (source: ReportSource, trades: readonly BookedTrade[], side: 'BUY' | 'SELL'): number =>
  sumOf(trades, (booked) => (booked.trade.side === side ? valueOf(source, booked) : 0));

/** The options of a period that were exercised, each with its tax. */
function exercisedSection(source: ReportSource, taxes: readonly LedgerEntry[]): ReportSection {
  const rows = taxes.map(({ date, refId, amount }) => {
    const { symbol, displayName } = nameOf(source, refId);
    return { date, symbol, instrument: displayName, charges: -amount };
  });
  return {
    title: 'Tax on exercised options',
    columns: [
      reportColumn('date', 'Date', 'date'),
      reportColumn('symbol', 'Symbol', 'text', 1),
      reportColumn('instrument', 'Instrument'),
      reportColumn('charges', 'Tax', 'money'),
    ],
    rows,
    totals: totalsOf('Total', 'date', rows, ['charges']),
  };
}

export const tradebook: LongBuilder = async (source, period) => {
  const turns = new EventLoopTurns();
  const trades = tradesIn(source, period);
  const taxes = exerciseTaxesIn(source, period);
  if (trades.length + taxes.length === 0) return undefined;
  const rows: ReportRow[] = [];
  for (const booked of trades) {
    await turns.next();
    const { trade, date, charges } = booked;
    const { symbol, displayName, isin, exchange, derivativeType } = nameOf(source, trade.refId);
    rows.push({
      date,
      time: istClock(millisOf(trade.at)),
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
    });
  }
  return {
    title: 'Tradebook',
    period: rangeText(period),
    figures: [
      { key: 'trades', title: 'Trades', kind: 'quantity', value: trades.length },
      { key: 'turnover', title: 'Turnover', kind: 'money', value: sumOf(trades, (booked) => valueOf(source, booked)) },
      { key: 'charges', title: 'Charges', kind: 'money', value: chargesSum(trades) + exerciseTax(taxes) },
    ],
    sections: [
      {
        title: 'Trades',
        columns: [
          reportColumn('date', 'Date', 'date'),
          reportColumn('time', 'Time', 'time'),
          reportColumn('symbol', 'Symbol', 'text', 1),
          reportColumn('instrument', 'Instrument'),
          reportColumn('isin', 'ISIN', 'text', 1),
          reportColumn('exchange', 'Exchange', 'text', 1),
          reportColumn('segment', 'Segment', 'text', 1),
          reportColumn('product', 'Product', 'text', 1),
          reportColumn('side', 'Side', 'text', 1),
          reportColumn('quantity', 'Quantity', 'quantity'),
          reportColumn('price', 'Price', 'price'),
          reportColumn('value', 'Value', 'money'),
          reportColumn('charges', 'Charges', 'money'),
          reportColumn('order_id', 'Order id', 'text', 1),
          reportColumn('trade_id', 'Trade id', 'text', 1),
        ],
        rows,
        totals: totalsOf('Total', 'date', rows, ['value', 'charges']),
      },
      ...(taxes.length === 0 ? [] : [exercisedSection(source, taxes)]),
    ],
    notes: [],
  };
};

export const traderDiary: ReportBuilder = (source, period) => {
  const closes = source.accounts.closes(source.client.clientCode).filter(({ date }) => isWithin(date, period));
  const byDay = groupBy(tradesIn(source, period), ({ date }) => date);
  let sofar = 0;
  const rows: ReportRow[] = [];
  for (const { date, funds } of closes) {
    const trades = byDay.get(date) ?? [];
    if (trades.length === 0 && funds.realised === 0 && funds.charges === 0) continue;
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
      { key: 'days', title: 'Days with a result', kind: 'quantity', value: rows.length },
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
          reportColumn('date', 'Date', 'date'),
          reportColumn('trades', 'Trades', 'quantity'),
          reportColumn('bought', 'Bought', 'money'),
          reportColumn('sold', 'Sold', 'money'),
          reportColumn('realised', 'Realised', 'money'),
          reportColumn('charges', 'Charges', 'money'),
          reportColumn('net', 'Net', 'money'),
          reportColumn('cumulative', 'Net so far', 'money'),
          reportColumn('result', 'Result', 'text', 1),
        ],
        rows,
        totals: totalsOf('Total', 'date', rows, ['trades', 'bought', 'sold', 'realised', 'charges', 'net']),
      },
    ],
    notes: [],
  };
};
