/**
 * The invented books of a company, quarter by quarter. Earnings follow what the market paid for the company at the end of the quarter;
 * reserves grow by earnings and shrink by dividends; cash is what the rest of the balance sheet leaves. So each balance sheet balances,
 * and each cash flow leads from one to the next. Money is whole paise.
 */
import { subKey, uniformOf } from '../../shared/random';
import { istMidnight } from '../../shared/time';
import type { Instrument } from '../reference/types';
import {
  capitalOn,
  marketCapAt,
  priceToEarningsIn,
  sharesOn,
  type CompanySources,
  type PaidDividend,
  type CompanyTraits,
} from './company';
import { quarterOf, type Quarter } from './quarters';

export type AccountingBasis = 'CONSOLIDATED' | 'STANDALONE';

/** A company's tax, of its profit before tax. */
const TAX = 0.2517;
const INTEREST_A_QUARTER = 0.02;
const DEPRECIATION_A_QUARTER = 0.02;
const OTHER_INCOME_A_QUARTER = 0.015;
/** The least cash and investments, of all assets. */
const MIN_LIQUID = 0.05;
/** Shares of the expenses of operation. */
const MATERIALS = 0.55;
const EMPLOYEES = 0.18;
/** Dividends are whole multiples of so many paise. */
const DIVIDEND_STEP = 5;
/** They are paid on the first trading day after it. */
const DIVIDEND_AFTER = '08-14';
const QUARTERS_OF_YEAR = 4;

/** Balance of the books at an instant. */
export interface BalanceSheet {
  shareCapital: number;
  reserves: number;
  borrowings: number;
  payables: number;
  otherLiabilities: number;
  fixedAssets: number;
  investments: number;
  inventories: number;
  receivables: number;
  cash: number;
}

/** Income of a quarter. */
export interface IncomeStatement {
  revenue: number;
  otherIncome: number;
  materials: number;
  employees: number;
  otherExpenses: number;
  depreciation: number;
  interest: number;
  tax: number;
  netProfit: number;
  dividends: number;
}

export interface BookedQuarter {
  quarter: Quarter;
  income: IncomeStatement;
  opening: BalanceSheet;
  closing: BalanceSheet;
}

export const assetsOf = (balance: BalanceSheet): number =>
  balance.fixedAssets + balance.investments + balance.inventories + balance.receivables + balance.cash;

export const equityOf = ({ shareCapital, reserves }: BalanceSheet): number => shareCapital + reserves;

/** Profit before tax. */
export const beforeTax = ({ netProfit, tax }: IncomeStatement): number => netProfit + tax;

/**
 * The books of the quarters up to one, oldest first, and the dividends that are in them.
 * @param last number of the last quarter
 */
export function booksOf(
  share: Instrument,
  traits: CompanyTraits,
  sources: CompanySources,
  basis: AccountingBasis,
  last: number,
): { quarters: BookedQuarter[]; dividends: PaidDividend[] } {
  const part = basis === 'CONSOLIDATED' ? 1 : traits.standalone;
  const whole = (amount: number): number => Math.round(amount);
  const quarters: BookedQuarter[] = [];
  const dividends = paidOf(sources);
  const revenues: number[] = [];
  const profits: number[] = [];
  let opening: BalanceSheet | undefined;
  for (let index = 0; index <= last; index++) {
    const quarter = quarterOf(index);
    profits.push(
      marketCapAt(share, traits, sources, quarter.until - 1) / priceToEarningsIn(traits, index) / QUARTERS_OF_YEAR,
    );
    const netProfit = whole(profits[index]! * part);
    const wander = 1 + (uniformOf(subKey(traits.key, 300 + index)) - 0.5) / 8;
    const revenue = whole(netProfit / (traits.margin * wander));
    revenues.push(revenue);
    const recent = revenues.slice(-QUARTERS_OF_YEAR);
    const ofYear = (sum(recent) / recent.length) * QUARTERS_OF_YEAR;
    const capital = capitalOn(traits, sources.actions, quarter.end);
    opening ??= balanceOf(traits, ofYear, capital, whole((netProfit * QUARTERS_OF_YEAR) / traits.returnOnEquity));
    const invented = inventedIn(quarter, profits, traits, sources);
    if (invented !== undefined) dividends.push(invented);
    const paid = paidIn(quarter, dividends, traits, sources);
    const income = incomeOf(opening, revenue, netProfit, paid);
    const closing = balanceOf(traits, ofYear, capital, equityOf(opening) + netProfit - paid);
    quarters.push({ quarter, income, opening, closing });
    opening = closing;
  }
  return { quarters, dividends: dividends.sort((a, b) => (a.date < b.date ? -1 : 1)) };
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/** A balance sheet of a size (revenue of a year) and an equity: what assets lack is borrowed, what they leave is cash and invested. */
function balanceOf(traits: CompanyTraits, ofYear: number, shareCapital: number, equity: number): BalanceSheet {
  const { key, debtToEquity } = traits;
  const share = (part: number, low: number, high: number): number =>
    Math.round(ofYear * (low + (high - low) * uniformOf(subKey(key, part))));
  const fixedAssets = share(41, 0.2, 0.6);
  const inventories = share(42, 0.04, 0.15);
  const receivables = share(43, 0.05, 0.18);
  const payables = share(44, 0.05, 0.14);
  const otherLiabilities = share(45, 0.02, 0.08);
  const tied = fixedAssets + inventories + receivables;
  const intended = Math.round(Math.max(equity, 0) * debtToEquity);
  const sum = equity + intended + payables + otherLiabilities;
  const lacking = Math.max(0, Math.ceil(tied / (1 - MIN_LIQUID)) - sum);
  const borrowings = intended + lacking;
  const liquid = sum + lacking - tied;
  const cash = Math.round(liquid * (0.2 + 0.4 * uniformOf(subKey(key, 46))));
  return {
    shareCapital,
    reserves: equity - shareCapital,
    borrowings,
    payables,
    otherLiabilities,
    fixedAssets,
    investments: liquid - cash,
    inventories,
    receivables,
    cash,
  };
}

function incomeOf(opening: BalanceSheet, revenue: number, netProfit: number, dividends: number): IncomeStatement {
  const tax = Math.round((netProfit * TAX) / (1 - TAX));
  const depreciation = Math.round(opening.fixedAssets * DEPRECIATION_A_QUARTER);
  const interest = Math.round(opening.borrowings * INTEREST_A_QUARTER);
  const otherIncome = Math.round((opening.cash + opening.investments) * OTHER_INCOME_A_QUARTER);
  const operation = revenue + otherIncome - depreciation - interest - tax - netProfit;
  const materials = Math.round(operation * MATERIALS);
  const employees = Math.round(operation * EMPLOYEES);
  return {
    revenue,
    otherIncome,
    materials,
    employees,
    otherExpenses: operation - materials - employees,
    depreciation,
    interest,
    tax,
    netProfit,
    dividends,
  };
}

/** Dividends that the world tells of: announced ones that have taken effect, and those that accounts were paid. */
function paidOf({ actions, paid }: CompanySources): PaidDividend[] {
  const announced = actions
    .filter(({ dividend, close }) => dividend > 0 && close !== undefined)
    .map(({ exDate, dividend }) => ({ date: exDate, perShare: dividend }));
  return [...announced, ...paid];
}

/** The dividend for the year before, where it was paid in a quarter before accounts tell of dividends. @param profits of the quarters */
function inventedIn(
  { month, end }: Quarter,
  profits: readonly number[],
  traits: CompanyTraits,
  { market, actions, historyFrom }: CompanySources,
): PaidDividend | undefined {
  // The year that ended with March: the four quarters before the last two.
  const year = profits.slice(-6, -2);
  if (!month.endsWith('09') || year.length < QUARTERS_OF_YEAR) return undefined;
  const date = market.calendar.nextTradingDay('NSE', `${end.slice(0, 4)}-${DIVIDEND_AFTER}`);
  if (istMidnight(date) >= historyFrom) return undefined;
  const perShare =
    Math.floor((sum(year) * traits.payout) / sharesOn(traits, actions, date) / DIVIDEND_STEP) * DIVIDEND_STEP;
  return perShare > 0 ? { date, perShare } : undefined;
}

/** Returns the cost of a quarter's dividends, paise. */
function paidIn(
  { index, end }: Quarter,
  dividends: readonly PaidDividend[],
  traits: CompanyTraits,
  { actions }: CompanySources,
): number {
  const before = quarterOf(index - 1).end;
  return sum(
    dividends
      .filter(({ date }) => date > before && date <= end)
      .map(({ date, perShare }) => perShare * sharesOn(traits, actions, date)),
  );
}
