/** Financial ledger, daily margin, dividend: read from the ledger and the day closes. */
import { contractValue } from '../../market/reference/contract-value';
import { longDate } from '../document/format';
import {
  type ReportBuilder,
  closeOn,
  reportColumn,
  groupBy,
  nameOf,
  rangeText,
  sumOf,
  totalsOf,
  unitOf,
  isWithin,
} from './source';
import type { ReportRow } from '../document/types';
import type { LedgerKind, LedgerEntry } from '../../accounts/records';

/** Movements that a day sums up in one line; the others are shown one by one. */
const DAILY: Partial<Record<LedgerKind, string>> = {
  PURCHASE: 'Obligation for trades',
  SALE: 'Obligation for trades',
  REALISED: 'Intraday and futures profit or loss',
  MARK_TO_MARKET: 'Futures marked to market',
  EXPIRY: 'Expiry settlement',
  CHARGES: 'Brokerage, taxes and charges',
  EXERCISE_TAX: 'Brokerage, taxes and charges',
};

export const financialLedger: ReportBuilder = (source, period) => {
  const all = source.accounts.ledger(source.client.clientCode);
  const entries = all.filter(({ date }) => isWithin(date, period));
  if (entries.length === 0) return undefined;
  const opening = all.findLast(({ date }) => date < period.from)?.balance ?? 0;
  const rows = ledgerRows(entries, opening);
  const debit = sumOf(rows, (row) => Number(row['debit'] ?? 0));
  const credit = sumOf(rows, (row) => Number(row['credit'] ?? 0));
  const closing = opening + credit - debit;
  return {
    title: 'Financial ledger',
    period: rangeText(period),
    figures: [
      { key: 'opening_balance', title: 'Opening balance', kind: 'money', value: opening },
      { key: 'total_credit', title: 'Credits', kind: 'money', value: credit },
      { key: 'total_debit', title: 'Debits', kind: 'money', value: debit },
      { key: 'closing_balance', title: 'Closing balance', kind: 'money', value: closing },
    ],
    sections: [
      {
        title: 'Financial ledger',
        columns: [
          reportColumn('date', 'Date', 'date'),
          reportColumn('voucher', 'Voucher', 'text', 1),
          reportColumn('particulars', 'Particulars'),
          reportColumn('debit', 'Debit', 'money'),
          reportColumn('credit', 'Credit', 'money'),
          reportColumn('balance', 'Balance', 'money'),
        ],
        rows,
        totals: { date: 'Total', debit, credit, balance: closing },
      },
    ],
    notes: [
      'Opening balance + credits − debits = closing balance. Trades of a day are summed up; the contract note of the day lists them.',
    ],
  };
};

function ledgerRows(entries: readonly LedgerEntry[], opening: number): ReportRow[] {
  const rows: ReportRow[] = [];
  let balance = opening;
  const lines = groupBy(entries, (entry) => `${entry.date} ${DAILY[entry.kind] ?? entry.seq}`);
  for (const line of lines.values()) {
    const { date, kind, text, seq } = line[0]!;
    const amount = sumOf(line, (entry) => entry.amount);
    if (amount === 0) continue;
    balance += amount;
    rows.push({
      date,
      voucher: `${voucherOf(kind)}${String(seq).padStart(6, '0')}`,
      particulars: DAILY[kind] ? `${DAILY[kind]} of ${longDate(date)}` : text,
      debit: amount < 0 ? -amount : null,
      credit: amount > 0 ? amount : null,
      balance,
    });
  }
  return rows;
}

function voucherOf(kind: LedgerKind): string {
  if (kind === 'FUNDS_ADDED' || kind === 'OPENING') return 'RC';
  if (kind === 'FUNDS_WITHDRAWN') return 'PY';
  return kind === 'DIVIDEND' || kind === 'TDS' || kind === 'CORPORATE_ACTION' ? 'DV' : 'BL';
}

export const dailyMargin: ReportBuilder = (source, { to }) => {
  const close = closeOn(source, to);
  if (!close) return undefined;
  const { funds } = close;
  const total = funds.cash + funds.collateral;
  const required = funds.heldForPositions + funds.heldForOrders;
  const line = (particulars: string, amount: number): ReportRow => ({ particulars, amount });
  return {
    title: 'Daily margin',
    period: `As on ${longDate(close.date)}`,
    figures: [
      { key: 'margin_available', title: 'Margin available', kind: 'money', value: total },
      { key: 'margin_required', title: 'Margin required', kind: 'money', value: required },
      { key: 'excess', title: total >= required ? 'Excess' : 'Shortfall', kind: 'money', value: total - required },
    ],
    sections: [
      {
        title: 'Margin available',
        columns: [reportColumn('particulars', 'Particulars'), reportColumn('amount', 'Amount', 'money')],
        rows: [
          line('Cash balance at the close', funds.cash),
          line('Pledged securities after haircut', funds.collateral),
        ],
        totals: { particulars: 'Total', amount: total },
      },
      {
        title: 'Margin required',
        columns: [reportColumn('particulars', 'Particulars'), reportColumn('amount', 'Amount', 'money')],
        rows: [
          line('Open positions (SPAN, exposure, VaR)', funds.heldForPositions),
          line('Open orders', funds.heldForOrders),
        ],
        totals: { particulars: 'Total', amount: required },
      },
      {
        title: 'Positions that carry margin',
        columns: [
          reportColumn('instrument', 'Instrument'),
          reportColumn('product', 'Product', 'text', 1),
          reportColumn('quantity', 'Net quantity', 'quantity'),
          reportColumn('close', 'Close', 'price'),
          reportColumn('value', 'Value', 'money'),
        ],
        rows: close.carried.map(({ refId, product, openQuantity }) => ({
          instrument: nameOf(source, refId).displayName,
          product,
          quantity: openQuantity,
          close: close.closes[refId] ?? 0,
          value: contractValue(unitOf(source, refId), close.closes[refId] ?? 0, openQuantity),
        })),
      },
    ],
    notes: ['Positions as they are carried into the next trading day, at that day’s closing prices.'],
  };
};

export const dividends: ReportBuilder = (source, period) => {
  const ledger = source.accounts.ledger(source.client.clientCode).filter(({ date }) => isWithin(date, period));
  const entries = ledger.filter(({ kind }) => kind === 'DIVIDEND');
  const deducted = ledger.filter(({ kind }) => kind === 'TDS');
  if (entries.length === 0) return undefined;
  const rows: ReportRow[] = entries.map(({ date, refId, shares, perShare, amount }) => {
    const { displayName, symbol, isin } = nameOf(source, refId);
    return { date, symbol, company: displayName, isin, quantity: shares ?? 0, per_share: perShare ?? 0, amount };
  });
  return {
    title: 'Dividend',
    period: rangeText(period),
    figures: [
      {
        key: 'total_dividend',
        title: 'Dividends received',
        kind: 'money',
        value: sumOf(entries, ({ amount }) => amount),
      },
      {
        key: 'tax_deducted',
        title: 'Tax deducted at source',
        kind: 'money',
        value: -sumOf(deducted, ({ amount }) => amount),
      },
    ],
    sections: [
      {
        title: 'Dividends',
        columns: [
          reportColumn('date', 'Paid on', 'date'),
          reportColumn('symbol', 'Symbol', 'text', 1),
          reportColumn('company', 'Company'),
          reportColumn('isin', 'ISIN', 'text', 1),
          reportColumn('quantity', 'Shares', 'quantity'),
          reportColumn('per_share', 'A share', 'price'),
          reportColumn('amount', 'Amount', 'money'),
        ],
        rows,
        totals: totalsOf('Total', 'date', rows, ['amount']),
      },
    ],
    notes: ['Dividends are before tax deducted at source, which the financial ledger shows in lines of its own.'],
  };
};
