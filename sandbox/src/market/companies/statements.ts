/** Statements as the service's rows: a label, whether it is a ratio, and a value for each period. Money is paise. */
import { beforeTax, equityOf, type BalanceSheet, type BookedQuarter, type IncomeStatement } from './books';

export type StatementName = 'balance_sheet' | 'cash_flow' | 'profit_loss';

/** One part of a row's value. */
export interface StatementPart {
  label: string;
  value: number;
}

export interface StatementRow {
  label: string;
  is_key_ratio: boolean;
  values: { date: string; value: number | null; children: StatementPart[] | null }[];
}

export interface Statement {
  /** Of the periods, latest first. */
  dates: string[];
  data: StatementRow[];
}

/** Quarters in one column, oldest first. */
interface Period {
  date: string;
  quarters: readonly BookedQuarter[];
}

/** A row of a statement, with its figure for a period. */
interface Line {
  label: string;
  ratio?: true;
  of(period: Period): { value: number | null; parts?: StatementPart[] };
}

const QUARTERS_OF_YEAR = 4;

/** Periods with figures, latest first. A year has all of its quarters. */
export function periodsOf(quarters: readonly BookedQuarter[], isAnnual: boolean): Period[] {
  const periods = isAnnual
    ? quarters.flatMap(({ quarter }, at) =>
        quarter.endsYear && at + 1 >= QUARTERS_OF_YEAR
          ? [{ date: quarter.month, quarters: quarters.slice(at + 1 - QUARTERS_OF_YEAR, at + 1) }]
          : [],
      )
    : quarters.map((booked) => ({ date: booked.quarter.name, quarters: [booked] }));
  return periods.reverse();
}

/** A statement over periods. @param shares of now, by which earnings a share are told */
export function statementOf(name: StatementName, periods: readonly Period[], shares: number): Statement {
  const lines = { balance_sheet: balanceLines, cash_flow: cashLines, profit_loss: profitLines(shares) }[name];
  return {
    dates: periods.map(({ date }) => date),
    data: lines.map(({ label, ratio, of }) => ({
      label,
      is_key_ratio: ratio === true,
      values: periods.map((period) => {
        const { value, parts } = of(period);
        return { date: period.date, value, children: parts ?? null };
      }),
    })),
  };
}

const hundredths = (value: number): number | null => (Number.isFinite(value) ? Math.round(value * 100) / 100 : null);

const closing = ({ quarters }: Period): BalanceSheet => quarters.at(-1)!.closing;
const opening = ({ quarters }: Period): BalanceSheet => quarters[0]!.opening;
/** The sum of an item of income over a period. */
const over = ({ quarters }: Period, of: (income: IncomeStatement) => number): number =>
  quarters.reduce((sum, { income }) => sum + of(income), 0);

/** A row that is the sum of its parts. */
const total = (label: string, parts: (period: Period) => StatementPart[]): Line => ({
  label,
  of(period) {
    const found = parts(period);
    return { value: found.reduce((sum, { value }) => sum + value, 0), parts: found };
  },
});

const part = (label: string, value: number): StatementPart => ({ label, value });

const balanceLines: Line[] = [
  total('Equity and Liabilities', (period) => {
    const { borrowings, payables, otherLiabilities, ...balance } = closing(period);
    return [
      part('Equity', balance.shareCapital + balance.reserves),
      part('Borrowings', borrowings),
      part('Trade Payables', payables),
      part('Other Liabilities', otherLiabilities),
    ];
  }),
  total('Equity', (period) => {
    const { shareCapital, reserves } = closing(period);
    return [part('Share Capital', shareCapital), part('Reserves', reserves)];
  }),
  total('Assets', (period) => {
    const { fixedAssets, investments, inventories, receivables, cash } = closing(period);
    return [
      part('Fixed Assets', fixedAssets),
      part('Investments', investments),
      part('Inventories', inventories),
      part('Trade Receivables', receivables),
      part('Cash', cash),
    ];
  }),
  {
    label: 'Debt to Equity',
    ratio: true,
    of: (period) => ({ value: hundredths(closing(period).borrowings / equityOf(closing(period))) }),
  },
];

const profitLines = (shares: number): Line[] => [
  total('Total Income', (period) => [
    part(
      'Revenue',
      over(period, ({ revenue }) => revenue),
    ),
    part(
      'Other Income',
      over(period, ({ otherIncome }) => otherIncome),
    ),
  ]),
  total('Expenses', (period) => [
    part(
      'Materials',
      over(period, ({ materials }) => materials),
    ),
    part(
      'Employees',
      over(period, ({ employees }) => employees),
    ),
    part(
      'Other Expenses',
      over(period, ({ otherExpenses }) => otherExpenses),
    ),
    part(
      'Depreciation',
      over(period, ({ depreciation }) => depreciation),
    ),
    part(
      'Interest',
      over(period, ({ interest }) => interest),
    ),
  ]),
  { label: 'Profit Before Tax', of: (period) => ({ value: over(period, beforeTax) }) },
  { label: 'Tax', of: (period) => ({ value: over(period, ({ tax }) => tax) }) },
  { label: 'Net Profit', of: (period) => ({ value: over(period, ({ netProfit }) => netProfit) }) },
  {
    label: 'EPS',
    ratio: true,
    of: (period) => ({ value: hundredths(over(period, ({ netProfit }) => netProfit) / shares / 100) }),
  },
  {
    label: 'Net Profit Margin',
    ratio: true,
    of: (period) => ({
      value: hundredths((100 * over(period, ({ netProfit }) => netProfit)) / over(period, ({ revenue }) => revenue)),
    }),
  },
];

/** By how much an item of the balance sheet has grown in a period. */
const growth = (period: Period, of: (balance: BalanceSheet) => number): number =>
  of(closing(period)) - of(opening(period));

const fromOperation = (period: Period): StatementPart[] => [
  part(
    'Net Profit',
    over(period, ({ netProfit }) => netProfit),
  ),
  part(
    'Depreciation',
    over(period, ({ depreciation }) => depreciation),
  ),
  part(
    'Working Capital',
    growth(
      period,
      ({ payables, otherLiabilities, inventories, receivables }) =>
        payables + otherLiabilities - inventories - receivables,
    ),
  ),
];
const fromInvesting = (period: Period): StatementPart[] => [
  part(
    'Fixed Assets',
    -growth(period, ({ fixedAssets }) => fixedAssets) - over(period, (income) => income.depreciation),
  ),
  part('Investments', -growth(period, ({ investments }) => investments)),
];
const fromFinancing = (period: Period): StatementPart[] => [
  part(
    'Borrowings',
    growth(period, ({ borrowings }) => borrowings),
  ),
  part('Dividends', -over(period, ({ dividends }) => dividends)),
];

const cashLines: Line[] = [
  total('Cash from Operating Activities', fromOperation),
  total('Cash from Investing Activities', fromInvesting),
  total('Cash from Financing Activities', fromFinancing),
  {
    label: 'Net Cash Flow',
    of: (period) => ({
      value: [fromOperation, fromInvesting, fromFinancing]
        .flatMap((of) => of(period))
        .reduce((sum, { value }) => sum + value, 0),
    }),
  },
  { label: 'Opening Cash', of: (period) => ({ value: opening(period).cash }) },
  { label: 'Closing Cash', of: (period) => ({ value: closing(period).cash }) },
];
