/** Profit and loss: purchases matched with sales, first in first out, by how they are taxed. */
import { type ChargeKind, isCharge } from '../../accounts/records';
import {
  type ReportBuilder,
  reportColumn,
  nameOf,
  rangeText,
  type ReportSource,
  sumOf,
  totalsOf,
  isWithin,
} from './source';
import type { ReportRow, ReportSection } from '../document/types';
import type { LedgerEntry, MatchedTrade } from '../../accounts/records';

/** Listed shares held longer than this are long-term. */
const LONG_TERM_MONTHS = 12;

type Kind = 'intraday' | 'short_term' | 'long_term' | 'derivatives';

const TITLES: [Kind, string][] = [
  ['intraday', 'Intraday (speculative)'],
  ['short_term', 'Delivery, short-term'],
  ['long_term', 'Delivery, long-term'],
  ['derivatives', 'Futures and options'],
];

const CHARGE_TITLES: Readonly<Record<ChargeKind, string>> = {
  CHARGES: 'Brokerage, taxes and fees of trades',
  EXERCISE_TAX: 'Tax on exercised options',
  DEPOSITORY: 'Depository charges',
  AUCTION_PENALTY: 'Auction penalties',
  INTEREST: 'Interest',
};

export const profitAndLoss: ReportBuilder = (source, period) => {
  const { clientCode } = source.client;
  const closures = source.accounts.closures(clientCode).filter((closure) => isWithin(closedOn(closure), period));
  const ledger = source.accounts.ledger(clientCode).filter(({ date }) => isWithin(date, period));
  const marked = ledger.filter(({ kind }) => kind === 'MARK_TO_MARKET');
  const charged = ledger.filter(({ kind }) => isCharge(kind));
  const charges = -sumOf(charged, ({ amount }) => amount);
  // Of a day that only cost something (interest, a purchase) there is a statement, too: those of days add up to that of the month.
  if (closures.length === 0 && marked.length === 0 && charged.length === 0) return undefined;
  const sections: ReportSection[] = [];
  for (const [kind, title] of TITLES) {
    const rows: ReportRow[] = closures
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
    sumOf(
      sections.filter((section) => section.title === title),
      ({ totals }) => Number(totals?.['profit'] ?? 0),
    );
  const gross = sumOf(sections, ({ totals }) => Number(totals?.['profit'] ?? 0));
  if (charged.length > 0) sections.push(chargesSection(charged));
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

/** Charges of a period by what asks for them; they are not among the profits of the other sections. */
function chargesSection(charged: readonly LedgerEntry[]): ReportSection {
  const rows = Object.entries(CHARGE_TITLES).flatMap(([kind, particulars]): ReportRow[] => {
    const amount = -sumOf(
      charged.filter((entry) => entry.kind === kind),
      (entry) => entry.amount,
    );
    return amount === 0 ? [] : [{ particulars, amount }];
  });
  return {
    title: 'Charges',
    columns: [reportColumn('particulars', 'Charges'), reportColumn('amount', 'Amount', 'money')],
    rows,
    totals: totalsOf('Total', 'particulars', rows, ['amount']),
  };
}

function sectionOf(title: string, rows: ReportRow[]): ReportSection {
  return {
    title,
    columns: [
      reportColumn('instrument', 'Instrument'),
      reportColumn('isin', 'ISIN', 'text', 1),
      reportColumn('quantity', 'Quantity', 'quantity'),
      reportColumn('buy_date', 'Bought on', 'date'),
      reportColumn('buy_value', 'Purchase value', 'money'),
      reportColumn('sell_date', 'Sold on', 'date'),
      reportColumn('sell_value', 'Sale value', 'money'),
      reportColumn('profit', 'Profit or loss', 'money'),
    ],
    rows,
    totals: totalsOf('Total', 'instrument', rows, ['buy_value', 'sell_value', 'profit']),
  };
}

function rowOf(
  source: ReportSource,
  { refId, quantity, buyDate, buyValue, sellDate, sellValue }: MatchedTrade,
): ReportRow {
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
function closedOn({ buyDate, sellDate }: MatchedTrade): string {
  return buyDate > sellDate ? buyDate : sellDate;
}

function kindOf(source: ReportSource, closure: MatchedTrade): Kind {
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
