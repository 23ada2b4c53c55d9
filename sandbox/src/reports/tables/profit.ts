/** Profit and loss: purchases matched with sales, first in first out, by how they are taxed. */
import { isCharge } from '../../accounts/records';
import { type Builder, column, nameOf, rangeText, type Source, sum, totalsOf, within } from './source';
import type { Row, Section } from '../document/types';
import type { Closure } from '../../accounts/records';

/** Listed shares held longer than this are long-term. */
const LONG_TERM_MONTHS = 12;

type Kind = 'intraday' | 'short_term' | 'long_term' | 'derivatives';

const TITLES: [Kind, string][] = [
  ['intraday', 'Intraday (speculative)'],
  ['short_term', 'Delivery, short-term'],
  ['long_term', 'Delivery, long-term'],
  ['derivatives', 'Futures and options'],
];

export const profitAndLoss: Builder = (source, period) => {
  const { clientCode } = source.client;
  const closures = source.accounts.closures(clientCode).filter((closure) => within(closedOn(closure), period));
  const ledger = source.accounts.ledger(clientCode).filter(({ date }) => within(date, period));
  const marked = ledger.filter(({ kind }) => kind === 'MARK_TO_MARKET');
  const charges = -sum(
    ledger.filter(({ kind }) => isCharge(kind)),
    ({ amount }) => amount,
  );
  if (closures.length === 0 && marked.length === 0) return undefined;
  const sections: Section[] = [];
  for (const [kind, title] of TITLES) {
    const rows: Row[] = closures
      .filter((closure) => kindOf(source, closure) === kind)
      .map((closure) => rowOf(source, closure));
    if (kind === 'derivatives') {
      rows.push(
        ...marked.map(({ refId, date, amount }) => ({
          instrument: `${nameOf(source, refId).displayName} (marked to market)`,
          isin: '',
          quantity: null,
          buy_date: null,
          buy_value: null,
          sell_date: date,
          sell_value: null,
          profit: amount,
        })),
      );
    }
    if (rows.length > 0) sections.push(sectionOf(title, rows));
  }
  const profitOf = (title: string) =>
    sum(
      sections.filter((section) => section.title === title),
      ({ totals }) => Number(totals?.['profit'] ?? 0),
    );
  const gross = sum(sections, ({ totals }) => Number(totals?.['profit'] ?? 0));
  return {
    title: 'Profit and loss',
    period: rangeText(period),
    figures: [
      ...TITLES.map(([key, title]) => ({ key, title, kind: 'money' as const, value: profitOf(title) })),
      { key: 'gross', title: 'Realised', kind: 'money', value: gross },
      { key: 'charges', title: 'Charges', kind: 'money', value: charges },
      { key: 'net', title: 'Net', kind: 'money', value: gross - charges },
    ],
    sections,
    notes: [
      'Purchases are matched with sales first in, first out. Charges are those of all trades of the period, also of positions that are still open, those of deliveries, and interest.',
    ],
  };
};

function sectionOf(title: string, rows: Row[]): Section {
  return {
    title,
    columns: [
      column('instrument', 'Instrument'),
      column('isin', 'ISIN', 'text', 1),
      column('quantity', 'Quantity', 'quantity'),
      column('buy_date', 'Bought on', 'date'),
      column('buy_value', 'Purchase value', 'money'),
      column('sell_date', 'Sold on', 'date'),
      column('sell_value', 'Sale value', 'money'),
      column('profit', 'Profit or loss', 'money'),
    ],
    rows,
    totals: totalsOf('Total', 'instrument', rows, ['buy_value', 'sell_value', 'profit']),
  };
}

function rowOf(source: Source, { refId, quantity, buyDate, buyValue, sellDate, sellValue }: Closure): Row {
  const { displayName, isin } = nameOf(source, refId);
  return {
    instrument: displayName,
    isin: isin.trim(),
    quantity,
    buy_date: buyDate,
    buy_value: buyValue,
    sell_date: sellDate,
    sell_value: sellValue,
    profit: sellValue - buyValue,
  };
}

/** The day on which the profit was made: the later of the two. */
function closedOn({ buyDate, sellDate }: Closure): string {
  return buyDate > sellDate ? buyDate : sellDate;
}

function kindOf(source: Source, closure: Closure): Kind {
  const { derivativeType } = nameOf(source, closure.refId);
  if (derivativeType === 'FUT' || derivativeType === 'OPT') return 'derivatives';
  if (closure.product === 'IDAY' || closure.buyDate === closure.sellDate) return 'intraday';
  return closure.sellDate > monthsLater(closure.buyDate, LONG_TERM_MONTHS) ? 'long_term' : 'short_term';
}

function monthsLater(date: string, months: number): string {
  const later = new Date(`${date}T00:00:00Z`);
  later.setUTCMonth(later.getUTCMonth() + months);
  return later.toISOString().slice(0, 10);
}
