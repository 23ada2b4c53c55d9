/** Demat statement, holding statement, open positions, portfolio snapshot. */
import { averagePrice, contractValue, PER_SHARE } from '../../market/reference/contract-value';
import { istClock, istDate } from '../../shared/time';
import { average, percent } from '../../shared/money';
import { longDate } from '../document/format';
import {
  type ReportBuilder,
  closeOn,
  reportColumn,
  expiryDate,
  nameOf,
  rangeText,
  type ReportSource,
  sumOf,
  totalsOf,
  unitOf,
  isWithin,
} from './source';
import type { ReportRow, ReportSection } from '../document/types';
import type { Holding, DayClose } from '../../accounts/records';

const HOLDING_COLUMNS = [
  reportColumn('symbol', 'Symbol', 'text', 1),
  reportColumn('company', 'Company'),
  reportColumn('isin', 'ISIN', 'text', 1),
  reportColumn('quantity', 'Settled', 'quantity'),
  reportColumn('pledged', 'Pledged', 'quantity'),
  reportColumn('t1', 'T+1', 'quantity'),
  reportColumn('average', 'Average', 'price'),
  reportColumn('close', 'Price', 'price'),
  reportColumn('invested', 'Invested', 'money'),
  reportColumn('value', 'Value', 'money'),
  reportColumn('profit', 'Profit or loss', 'money'),
  reportColumn('profit_percent', 'Profit or loss %', 'percent'),
];

function holdingRows(
  source: ReportSource,
  holdings: readonly Holding[],
  priceOf: (refId: number) => number,
): ReportRow[] {
  return holdings.map(({ refId, quantity, pledgedQuantity, t1Quantity, cost }) => {
    const { symbol, displayName, isin } = nameOf(source, refId);
    const total = quantity + t1Quantity;
    const value = contractValue(PER_SHARE, priceOf(refId), total);
    return {
      symbol,
      company: displayName,
      isin: isin.trim(),
      quantity,
      pledged: pledgedQuantity,
      t1: t1Quantity,
      average: average(cost, total),
      close: priceOf(refId),
      invested: cost,
      value,
      profit: value - cost,
      profit_percent: percent(value - cost, cost),
    };
  });
}

function holdingsSection(title: string, rows: ReportRow[]): ReportSection {
  const totals = totalsOf('Total', 'symbol', rows, ['invested', 'value', 'profit']);
  return {
    title,
    columns: HOLDING_COLUMNS,
    rows,
    totals: { ...totals, profit_percent: percent(Number(totals['profit']), Number(totals['invested'])) },
  };
}

function holdingFigures(rows: readonly ReportRow[]) {
  const invested = sumOf(rows, (row) => Number(row['invested']));
  const value = sumOf(rows, (row) => Number(row['value']));
  return [
    { key: 'companies', title: 'Companies', kind: 'quantity' as const, value: rows.length },
    { key: 'invested', title: 'Invested', kind: 'money' as const, value: invested },
    { key: 'value', title: 'Value', kind: 'money' as const, value },
    { key: 'profit', title: 'Profit or loss', kind: 'money' as const, value: value - invested },
  ];
}

export const holdingStatement: ReportBuilder = (source, { to }) => {
  const close = closeOn(source, to);
  if (!close || close.holdings.length === 0) return undefined;
  const rows = holdingRows(source, close.holdings, (refId) => close.closes[refId] ?? 0);
  return {
    title: 'Holding statement',
    period: `As on ${longDate(close.date)}`,
    figures: holdingFigures(rows),
    sections: [holdingsSection('Holdings', rows)],
    notes: ['At the closing prices of the day. T+1: bought and paid, delivered on the next trading day.'],
  };
};

export const dematStatement: ReportBuilder = (source, period) => {
  const closes = source.accounts.closes(source.client.clientCode);
  const end = closes.findLast(({ date }) => date <= period.to);
  if (!end) return undefined;
  const movements: ReportRow[] = [];
  closes.forEach((close, index) => {
    if (isWithin(close.date, period)) movements.push(...movementsOf(source, closes[index - 1], close));
  });
  const rows = holdingRows(source, end.holdings, (refId) => end.closes[refId] ?? 0);
  if (movements.length === 0 && rows.length === 0) return undefined;
  return {
    title: 'Demat statement',
    period: rangeText(period),
    figures: holdingFigures(rows),
    sections: [
      {
        title: 'Movements of securities',
        columns: [
          reportColumn('date', 'Date', 'date'),
          reportColumn('isin', 'ISIN', 'text', 1),
          reportColumn('company', 'Company'),
          reportColumn('particulars', 'Particulars'),
          reportColumn('credit', 'Credit', 'quantity'),
          reportColumn('debit', 'Debit', 'quantity'),
          reportColumn('balance', 'Balance', 'quantity'),
        ],
        rows: movements,
      },
      holdingsSection(`Holdings on ${longDate(end.date)}`, rows),
    ],
    notes: ['Purchases are credited on the trading day after the trade; sales are debited on the day of the trade.'],
  };
};

function movementsOf(source: ReportSource, before: DayClose | undefined, close: DayClose): ReportRow[] {
  const settledUnits = (day: DayClose | undefined, refId: number) =>
    day?.holdings.find((holding) => holding.refId === refId)?.quantity ?? 0;
  const refIds = new Set([...(before?.holdings ?? []), ...close.holdings].map(({ refId }) => refId));
  const adjustments = source.accounts.adjustments(source.client.clientCode).filter(({ date }) => date === close.date);
  return [...refIds].flatMap((refId) => {
    let balance = settledUnits(before, refId);
    const { isin, displayName } = nameOf(source, refId);
    const row = (particulars: string, change: number): ReportRow[] => {
      balance += change;
      const moved = { credit: change > 0 ? change : null, debit: change < 0 ? -change : null, balance };
      return change === 0 ? [] : [{ date: close.date, isin: isin.trim(), company: displayName, particulars, ...moved }];
    };
    const given = adjustments
      .filter((adjustment) => adjustment.refId === refId)
      .flatMap(({ kind, quantity }) => row(kind === 'bonus' ? 'Bonus shares' : 'Split of shares', quantity));
    const change = settledUnits(close, refId) - balance;
    const traded = change > 0 ? 'Purchase settled' : 'Sale delivered';
    return [...given, ...row(before === undefined ? 'Transferred in' : traded, change)];
  });
}

export const openPositions: ReportBuilder = (source, { to }) => {
  const close = closeOn(source, to);
  if (!close || close.carried.length === 0) return undefined;
  const rows: ReportRow[] = close.carried.map(({ refId, product, openQuantity, openValue }) => {
    const { displayName, exchange, expiry } = nameOf(source, refId);
    const price = close.closes[refId] ?? 0;
    const unit = unitOf(source, refId);
    const value = contractValue(unit, price, openQuantity);
    return {
      instrument: displayName,
      exchange,
      expiry: expiryDate(expiry),
      product,
      side: openQuantity > 0 ? 'Long' : 'Short',
      quantity: Math.abs(openQuantity),
      average: averagePrice(unit, openValue, openQuantity),
      close: price,
      value,
      profit: value - openValue,
    };
  });
  const totals = totalsOf('Total', 'instrument', rows, ['value', 'profit']);
  return {
    title: 'Open positions',
    period: `As on ${longDate(close.date)}`,
    figures: [
      { key: 'positions', title: 'Positions', kind: 'quantity', value: rows.length },
      { key: 'value', title: 'Value', kind: 'money', value: totals['value'] ?? 0 },
      { key: 'margin', title: 'Margin held', kind: 'money', value: close.funds.heldForPositions },
      { key: 'unrealised', title: 'Unrealised', kind: 'money', value: totals['profit'] ?? 0 },
    ],
    sections: [
      {
        title: 'Open positions',
        columns: [
          reportColumn('instrument', 'Instrument'),
          reportColumn('exchange', 'Exchange', 'text', 1),
          reportColumn('expiry', 'Expiry', 'date'),
          reportColumn('product', 'Product', 'text', 1),
          reportColumn('side', 'Side', 'text', 1),
          reportColumn('quantity', 'Quantity', 'quantity'),
          reportColumn('average', 'Carried at', 'price'),
          reportColumn('close', 'Close', 'price'),
          reportColumn('value', 'Value', 'money'),
          reportColumn('profit', 'Unrealised', 'money'),
        ],
        rows,
        totals,
      },
    ],
    notes: [
      'Futures are marked to market every day: they are carried at the day’s close and what they made is in the ledger.',
    ],
  };
};

export const portfolioSnapshot: ReportBuilder = (source) => {
  const { accounts, client, at } = source;
  const priceOf = (refId: number) => {
    const instrument = accounts.instrument(refId);
    return instrument ? source.lastPrice(instrument, at) : 0;
  };
  const rows = holdingRows(source, accounts.holdings(client.clientCode), priceOf);
  const positions: ReportRow[] = accounts.positions(client.clientCode).map((position) => {
    const price = priceOf(position.refId);
    const unit = unitOf(source, position.refId);
    const unrealised = contractValue(unit, price, position.openQuantity) - position.openValue;
    return {
      instrument: nameOf(source, position.refId).displayName,
      product: position.product,
      quantity: position.quantity,
      bought: position.buyQuantity,
      average_buy: averagePrice(unit, position.buyValue, position.buyQuantity),
      sold: position.sellQuantity,
      average_sell: averagePrice(unit, position.sellValue, position.sellQuantity),
      price,
      realised: position.realised,
      unrealised,
      profit: position.realised + unrealised,
    };
  });
  const funds = accounts.funds(client.clientCode);
  const line = (particulars: string, amount: number): ReportRow => ({ particulars, amount });
  return {
    title: 'Portfolio snapshot',
    period: `As on ${longDate(istDate(at))}, ${istClock(at).slice(0, 5)}`,
    figures: holdingFigures(rows),
    sections: [
      holdingsSection('Holdings', rows),
      {
        title: 'Positions',
        columns: [
          reportColumn('instrument', 'Instrument'),
          reportColumn('product', 'Product', 'text', 1),
          reportColumn('quantity', 'Net', 'quantity'),
          reportColumn('bought', 'Bought', 'quantity'),
          reportColumn('average_buy', 'Average buy', 'price'),
          reportColumn('sold', 'Sold', 'quantity'),
          reportColumn('average_sell', 'Average sell', 'price'),
          reportColumn('price', 'Last price', 'price'),
          reportColumn('realised', 'Realised', 'money'),
          reportColumn('unrealised', 'Unrealised', 'money'),
          reportColumn('profit', 'Profit or loss', 'money'),
        ],
        rows: positions,
        totals: totalsOf('Total', 'instrument', positions, ['realised', 'unrealised', 'profit']),
      },
      {
        title: 'Funds',
        columns: [reportColumn('particulars', 'Particulars'), reportColumn('amount', 'Amount', 'money')],
        rows: [
          line('Cash', funds.cash),
          line('Held for orders', funds.heldForOrders),
          line('Held for positions', funds.heldForPositions),
          line('Unrealised loss of futures and intraday shares', funds.unrealisedLoss),
          line('Pledged securities after haircut', funds.collateral),
          line('Available', funds.available),
        ],
      },
    ],
    notes: [],
  };
};
