/** A report of the account as tables, in the user's words. All input amounts are paise. */
import type { OrderRecord } from '../../endpoints/orders';
import {
  filledPriceOf,
  filledQuantityOf,
  instrumentOf,
  priceOf,
  quantityOf,
  sideOf,
  timesOf,
} from '../../orders/model/order-record';
import { instrumentName } from '../../instruments/contract-name';
import { labelledOf, orderLabels } from '../../orders/model/order-labels';
import { numberIn, textFrom, textIn } from '../../values/record';
import { nanosToIst } from '../../values/time';
import {
  knownTotals,
  positionName,
  sharesIn,
  whyUnpriced,
  type Holdings,
  type Position,
  type Positions,
} from '../portfolio';
import { productLabel, sideLabel } from '../../values/labels';
import { quantityText, signedRupees } from '../../values/amounts';
import {
  NOT_KNOWN,
  moneyCell,
  quantityCell,
  resultCell,
  signedPercentCell,
  textCell,
  type ReportCell,
  type ReportSection,
} from './cells';

/** The sections of a report, in order. */
export const REPORT_PARTS = ['dayResult', 'positions', 'holdings', 'orders', 'charges'] as const;
export type ReportPart = (typeof REPORT_PARTS)[number];

/** Data of a report; a section that was not requested is left out. */
export interface ReportFacts {
  /** YYYY-MM-DD. */
  date: string;
  positions: Positions;
  holdings: Holdings;
  orders: readonly OrderRecord[];
  charges: ReportCharges;
}

/** Charges of today as the funds show them, paise; null where they do not. */
export interface ReportCharges {
  brokerage: number | null;
  /** Brokerage, taxes and fees. */
  all: number | null;
}

/** The tables that are asked for. */
export function sectionsOf(parts: readonly ReportPart[], facts: ReportFacts): ReportSection[] {
  const made: Record<ReportPart, () => ReportSection> = {
    dayResult: () => dayResult(facts),
    positions: () => positionsSection(facts.positions, facts.date),
    holdings: () => holdingsSection(facts.holdings),
    orders: () => ordersSection(facts.orders, facts.date),
    charges: () => chargesSection(facts.charges),
  };
  return REPORT_PARTS.filter((part) => parts.includes(part)).map((part) => made[part]());
}

const totalOf = (stats: object, name: string): number | null => {
  const value = (stats as Record<string, unknown>)[name];
  return typeof value === 'number' ? value : null;
};

/** The result of the day, paise; null if a part of it is not known. */
export interface DayResult {
  realised: number | null;
  unrealised: number | null;
  holdings: number | null;
  /** The charges that are taken off. */
  charges: number | null;
  after: 'all_charges' | 'brokerage' | 'nothing';
  total: number | null;
}

/** Returns the result of the day: positions, holdings, less the known charges. */
export function dayResultOf({ positions, holdings, charges }: ReportFacts): DayResult {
  const open = positions.positions.filter(({ segment }) => segment !== 'closed');
  const ofPositions = knownTotals(positions.stats, open);
  const isEmpty = positions.positions.length === 0;
  const realised = totalOf(ofPositions, 'realised_pnl') ?? (isEmpty ? 0 : null);
  const unrealised = totalOf(ofPositions, 'unrealised_pnl') ?? (open.length === 0 ? 0 : null);
  const ofHoldings =
    totalOf(knownTotals(holdings.stats, holdings.holdings), 'day_pnl') ?? (holdings.holdings.length === 0 ? 0 : null);
  const parts = [realised, unrealised, ofHoldings];
  const total = parts.includes(null) ? null : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  const taken = charges.all ?? charges.brokerage;
  return {
    realised,
    unrealised,
    holdings: ofHoldings,
    charges: taken,
    after: charges.all !== null ? 'all_charges' : charges.brokerage !== null ? 'brokerage' : 'nothing',
    total: total === null ? null : total - (taken ?? 0),
  };
}

/** Words for what a result of the day is after. */
const AFTER: Record<DayResult['after'], { title: string; note: string; brief: string }> = {
  all_charges: { title: 'Charges', note: 'After brokerage, taxes and fees.', brief: 'after all charges' },
  brokerage: {
    title: 'Brokerage',
    note: 'Before taxes and fees, which come with the contract note.',
    brief: 'after brokerage, before taxes and fees',
  },
  nothing: { title: 'Charges', note: 'Before brokerage, taxes and fees.', brief: 'before charges' },
};

/** Returns one sentence for a message: the result of the day and how many positions are open. */
export function reportSummary(date: string, { total, after }: DayResult, openPositions: number): string {
  const result = total === null ? 'not known' : `${signedRupees(total)} ${AFTER[after].brief}`;
  const open = openPositions === 1 ? '1 position is open' : `${openPositions || 'no'} positions are open`;
  return `Result on ${date}: ${result}; ${open}.`;
}

function dayResult(facts: ReportFacts): ReportSection {
  const { realised, unrealised, holdings, charges, after, total } = dayResultOf(facts);
  const { title, note } = AFTER[after];
  return {
    title: "Today's result",
    columns: [{ label: '' }, { label: 'Result' }],
    rows: [
      [textCell('Closed trades'), resultCell(realised)],
      [textCell('Open positions'), resultCell(unrealised)],
      [textCell('Holdings, since yesterday'), resultCell(holdings)],
      ...(charges === null ? [] : [[textCell(title), resultCell(-charges)]]),
    ],
    totals: [textCell('Total'), resultCell(total)],
    note: `${note}${facts.positions.positions.some(isOption) ? ' An option that was carried over counts from its purchase.' : ''}`,
  };
}

const isOption = (position: Position): boolean => textIn(position, 'derivative_type') === 'OPT';

function positionsSection({ positions, stats }: Positions, date: string): ReportSection {
  const title = 'Positions';
  const columns = [
    { label: 'Instrument' },
    { label: 'Product', isText: true, isWide: true },
    { label: 'Side', isText: true },
    { label: 'Quantity' },
    { label: 'Average', isWide: true },
    { label: 'Last', isWide: true },
    { label: 'Profit' },
    { label: '%', isWide: true },
  ];
  if (positions.length === 0) return { title, columns, rows: [], note: 'There are no positions today.' };
  const open = positions.filter(({ segment }) => segment !== 'closed');
  const totals = knownTotals(stats, open);
  const why = totals.no_price_reason;
  return {
    title,
    columns,
    rows: positions.map((position) => positionRow(position, date)),
    totals: [
      textCell('Total'),
      ...Array.from({ length: 5 }, () => textCell('')),
      resultCell(totalOf(totals, 'total_pnl')),
      textCell(''),
    ],
    ...(typeof why === 'string' ? { note: why } : {}),
  };
}

function positionRow(position: Position, date: string): ReportCell[] {
  const isClosed = position.segment === 'closed';
  const unpriced = isClosed ? undefined : whyUnpriced(position);
  return [
    textCell(positionName(position, date)),
    textCell(productLabel(position)),
    textCell(sideLabel(position)),
    isClosed ? textCell('') : quantityCell(numberIn(position, 'qty')),
    isClosed ? textCell('') : moneyCell(numberIn(position, 'avg_price')),
    moneyCell(unpriced === undefined ? numberIn(position, 'ltp') : null),
    resultCell(unpriced === undefined ? numberIn(position, 'pnl') : null),
    signedPercentCell(unpriced === undefined ? numberIn(position, 'pnl_chg') : null),
  ];
}

function holdingsSection({ holdings, stats }: Holdings): ReportSection {
  const title = 'Holdings';
  const columns = [
    ...[{ label: 'Share' }, { label: 'Quantity' }],
    ...['Average', 'Last', 'Value'].map((label) => ({ label, isWide: true })),
    ...[{ label: 'Today' }, { label: 'Profit' }, { label: '%', isWide: true }],
  ];
  if (holdings.length === 0) return { title, columns, rows: [], note: 'There are no holdings in this account.' };
  const totals = knownTotals(stats, holdings);
  const why = totals.no_price_reason;
  return {
    title,
    columns,
    rows: holdings.map((holding) => {
      const isPriced = whyUnpriced(holding) === undefined;
      const priced = (name: 'ltp' | 'current_value' | 'day_pnl' | 'net_pnl' | 'net_pnl_chg'): number | null =>
        isPriced ? numberIn(holding, name) : null;
      return [
        textCell(textIn(holding, 'symbol') || textIn(holding, 'displayName') || `ref_id ${textFrom(holding.ref_id)}`),
        quantityCell(sharesIn(holding)),
        moneyCell(numberIn(holding, 'avg_price')),
        moneyCell(priced('ltp')),
        moneyCell(priced('current_value')),
        resultCell(priced('day_pnl')),
        resultCell(priced('net_pnl')),
        signedPercentCell(priced('net_pnl_chg')),
      ];
    }),
    totals: [
      textCell('Total'),
      textCell(''),
      textCell(''),
      textCell(''),
      moneyCell(totalOf(totals, 'current_value')),
      resultCell(totalOf(totals, 'day_pnl')),
      resultCell(totalOf(totals, 'total_pnl')),
      signedPercentCell(totalOf(totals, 'total_pnl_chg')),
    ],
    ...(typeof why === 'string' ? { note: why } : {}),
  };
}

function ordersSection(orders: readonly OrderRecord[], date: string): ReportSection {
  const title = 'Orders';
  const columns = [
    { label: 'Instrument' },
    { label: 'Time', isText: true, isWide: true },
    { label: 'Side', isText: true },
    { label: 'Product', isText: true, isWide: true },
    { label: 'Filled' },
    { label: 'Price' },
    { label: 'Status', isText: true },
  ];
  if (orders.length === 0) return { title, columns, rows: [], note: 'There were no orders today.' };
  return {
    title,
    columns,
    rows: orders.map((order) => {
      const [filled, all] = [filledQuantityOf(order), quantityOf(order)];
      const price = filledPriceOf(order) ?? (priceOf(order) || null);
      const labelled = labelledOf(order);
      const { product_label: product, status_label: status, rejection_message: refusal } = orderLabels(labelled);
      const { unreadable_reason: odd } = order;
      const reason = odd === undefined ? (refusal ?? labelled.reason) : textFrom(odd);
      return [
        textCell(instrumentName(instrumentOf(order), date)),
        textCell((nanosToIst(timesOf(order).created) ?? '').slice(11, 19)),
        textCell(sideOf(order) === undefined ? NOT_KNOWN : sideOf(order) === 'BUY' ? 'Buy' : 'Sell'),
        textCell(product ?? NOT_KNOWN),
        textCell(odd === undefined ? `${quantityText(filled)} of ${quantityText(all)}` : NOT_KNOWN),
        moneyCell(price),
        textCell(reason === '' ? (status ?? NOT_KNOWN) : `${status ?? NOT_KNOWN}: ${reason}`),
      ];
    }),
  };
}

function chargesSection({ brokerage, all }: ReportCharges): ReportSection {
  const base = { title: 'Charges', columns: [{ label: '' }, { label: 'Amount' }] };
  if (brokerage === null && all === null)
    return { ...base, rows: [], note: "Your broker has not told today's charges yet." };
  if (all === null)
    return {
      ...base,
      rows: [],
      totals: [textCell("Today's brokerage"), moneyCell(brokerage)],
      note: "As your broker's funds show it. Taxes and fees come with the contract note.",
    };
  return {
    ...base,
    rows:
      brokerage === null
        ? []
        : [
            [textCell('Brokerage'), moneyCell(brokerage)],
            [textCell('Taxes and fees'), moneyCell(all - brokerage)],
          ],
    totals: [textCell("Today's charges"), moneyCell(all)],
    note: "As your broker's funds show them.",
  };
}
