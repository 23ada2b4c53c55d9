/**
 * The contract note: each day's trades by market segment, with futures and intraday positions carried from the settlement of the day
 * before to that of the day, and what is receivable: what the ledger took that day for trading.
 */
import { averagePrice } from '../../market/reference/contract-value';
import { paidInFull } from '../../accounts/span';
import { istClock, millisOf } from '../../shared/time';
import { EventLoopTurns } from '../../shared/cooperative';
import { mulDiv } from '../../shared/money';
import { longDate } from '../document/format';
import {
  reportColumn,
  groupBy,
  nameOf,
  rangeText,
  sumOf,
  totalsOf,
  unitOf,
  isWithin,
  type LongBuilder,
  type ReportSource,
} from './source';
import { chargesSum, exerciseTax, exerciseTaxesIn, sideValue, tradesIn, valueOf } from './trades';
import type { ReportColumn, ReportRow, ReportSection, Value } from '../document/types';
import type { BookedTrade, ChargeParts, MatchedTrade, LedgerEntry, LedgerKind, Position } from '../../accounts/records';

const CHARGE_NAMES: [keyof ChargeParts, string][] = [
  ['brokerage', 'Brokerage'],
  ['exchange', 'Exchange transaction charges'],
  ['sebi', 'SEBI turnover fee'],
  ['gst', 'GST (before July 2017 service tax)'],
  ['stt', 'Securities / commodities transaction tax'],
  ['stamp', 'Stamp duty'],
];
/** Kinds of entries that the ledger books for trading; a note's receivable is their sum. */
const TRADING: ReadonlySet<LedgerKind> = new Set([
  'PURCHASE',
  'SALE',
  'REALISED',
  'MARK_TO_MARKET',
  'EXPIRY',
  'CHARGES',
  'EXERCISE_TAX',
]);
/** The parts of the market, in the order in which a note has them. */
const SEGMENTS = [
  ['nse_cash', 'NSE cash'],
  ['bse_cash', 'BSE cash'],
  ['nse_derivatives', 'NSE derivatives'],
  ['bse_derivatives', 'BSE derivatives'],
  ['mcx_derivatives', 'MCX'],
] as const;
type Segment = (typeof SEGMENTS)[number][0];

/** Trades and settlements of a day. */
interface NoteDay {
  date: string;
  trades: readonly BookedTrade[];
  /** Positions that were settled without a trade. */
  settledTrades: readonly MatchedTrade[];
  taxes: readonly LedgerEntry[];
  positions: readonly Position[];
  /** True if the day is over, so that futures are at its settlement price. */
  isClosed: boolean;
}

/** A line of a segment; `value` is what it brings (costs, where negative), after its brokerage. */
type Line = ReportRow & { value: number };

export const contractNote: LongBuilder = async (source, period) => {
  const turns = new EventLoopTurns();
  const { clientCode } = source.client;
  const trades = tradesIn(source, period);
  const taxes = exerciseTaxesIn(source, period);
  const ledger = source.accounts
    .ledger(clientCode)
    .filter(({ date, kind }) => isWithin(date, period) && TRADING.has(kind));
  if (trades.length + ledger.length === 0) return undefined;
  const dates = new Set<string>();
  for (const { date } of trades) dates.add(date);
  for (const { date } of ledger) dates.add(date);
  // All that is read of the books is read here, in one turn: what happens in other turns does not come in.
  const closings = [...dates].sort().map((date) => closingOf(source, date, taxes));
  await turns.next();
  const byDay = groupBy(trades, ({ date }) => date);
  await turns.next();
  const parts: { trades: ReportSection[]; obligation: ReportSection }[] = [];
  for (const closing of closings) {
    const day = { ...closing, trades: byDay.get(closing.date) ?? [] };
    const lines = await linesOf(source, day, turns);
    const sections = tradeSections(day, lines);
    await turns.next();
    parts.push({ trades: sections, obligation: obligationOf(source, day, lines) });
    await turns.next();
  }
  const bought = sideValue(source, trades, 'BUY');
  await turns.next();
  const sold = sideValue(source, trades, 'SELL');
  await turns.next();
  return {
    title: 'Contract note',
    period: rangeText(period),
    figures: [
      { key: 'trades', title: 'Trades', kind: 'quantity', value: trades.length },
      { key: 'bought', title: 'Bought', kind: 'money', value: bought },
      { key: 'sold', title: 'Sold', kind: 'money', value: sold },
      { key: 'charges', title: 'Charges', kind: 'money', value: chargesSum(trades) + exerciseTax(taxes) },
      {
        key: 'receivable',
        title: 'Receivable (payable −)',
        kind: 'money',
        value: sumOf(parts, ({ obligation: { totals } }) => Number(totals?.['amount'] ?? 0)),
      },
    ],
    sections: parts.flatMap(({ trades: lines, obligation }, index) => {
      const sections = [...lines, obligation];
      return index === 0 ? sections : [{ ...sections[0]!, newPage: true }, ...sections.slice(1)];
    }),
    notes: [
      'Net rate: with the brokerage of the trade. Futures and intraday positions come at the settlement price of the day before and go at that of the day; of a day that is not over they stand at what they cost.',
      'Each charge is worked out on the whole traded value of an order and rounded to the paisa once; GST on the brokerage, exchange charges and SEBI fees of a day together, and transaction tax to the rupee for the trades of a day in a market segment together.',
    ],
  };
};

/** The entries of a day in the books beside its trades. */
function closingOf(source: ReportSource, date: string, taxes: readonly LedgerEntry[]): Omit<NoteDay, 'trades'> {
  const { accounts, client } = source;
  const close = accounts.closes(client.clientCode).find((candidate) => candidate.date === date);
  return {
    date,
    taxes: taxes.filter((entry) => entry.date === date),
    settledTrades: accounts
      .closures(client.clientCode)
      .filter(
        ({ settled, buyDate, sellDate }) => settled !== undefined && (buyDate > sellDate ? buyDate : sellDate) === date,
      ),
    positions: close?.positions ?? accounts.positions(client.clientCode),
    isClosed: close !== undefined,
  };
}

function segmentOf(source: ReportSource, refId: number): Segment {
  const { exchange, derivativeType } = nameOf(source, refId);
  const place = derivativeType === 'FUT' || derivativeType === 'OPT' ? 'derivatives' : 'cash';
  return SEGMENTS.find(([key]) => key === `${exchange.toLowerCase()}_${place}`)?.[0] ?? 'mcx_derivatives';
}

const keyOf = ({ refId, product }: Pick<Position, 'refId' | 'product'>): string => `${refId} ${product}`;

async function linesOf(source: ReportSource, day: NoteDay, turns: EventLoopTurns): Promise<Map<Segment, Line[]>> {
  const lines = new Map<Segment, Line[]>();
  const add = (refId: number, line: Line | undefined): void => {
    if (line === undefined) return;
    const segment = segmentOf(source, refId);
    const dateLines = lines.get(segment);
    if (dateLines === undefined) lines.set(segment, [line]);
    else dateLines.push(line);
  };
  const trades = groupBy(day.trades, ({ trade }) => keyOf(trade));
  const settledByKey = groupBy(day.settledTrades, keyOf);
  const carried: ReturnType<typeof carriedOf>[] = [];
  for (const position of day.positions) {
    await turns.next();
    const key = keyOf(position);
    carried.push(carriedOf(source, day, position, trades.get(key) ?? [], settledByKey.get(key) ?? []));
  }
  for (const [index, { before }] of carried.entries()) add(day.positions[index]!.refId, before);
  for (const booked of day.trades) {
    add(booked.trade.refId, new TradeLine(source, booked));
    await turns.next();
  }
  for (const [index, { settlement, after }] of carried.entries()) {
    add(day.positions[index]!.refId, settlement);
    add(day.positions[index]!.refId, after);
  }
  return lines;
}

/** The lines of a position beside its trades: brought forward, settled, carried forward. */
function carriedOf(
  source: ReportSource,
  { isClosed }: NoteDay,
  position: Position,
  trades: readonly BookedTrade[],
  settledTrades: readonly MatchedTrade[],
): Record<'before' | 'settlement' | 'after', Line | undefined> {
  const { refId, product, openQuantity, openValue } = position;
  const instrument = source.accounts.instrument(refId);
  const isPaid = instrument === undefined || paidInFull(instrument, product);
  const sign = ({ settled: side }: MatchedTrade): 1 | -1 => (side === 'BUY' ? 1 : -1);
  const closed = sumOf(settledTrades, (closure) => sign(closure) * closure.quantity);
  const settledValue = sumOf(settledTrades, (closure) =>
    closure.settled === 'BUY' ? -closure.buyValue : closure.sellValue,
  );
  const settlement = closed === 0 ? undefined : positionLine(source, refId, 'Settled', closed, settledValue);
  if (isPaid) return { before: undefined, settlement, after: undefined };
  // What the books count as bought and sold today is what was carried, the trades, and what settled it.
  const traded = sumOf(trades, ({ trade }) => (trade.side === 'BUY' ? trade.quantity : -trade.quantity));
  const value =
    position.sellValue -
    position.buyValue -
    (sideValue(source, trades, 'SELL') - sideValue(source, trades, 'BUY')) -
    settledValue;
  const quantity = position.quantity - traded - closed;
  const after = isClosed ? 'Carried forward' : 'Open, at cost';
  return {
    before: quantity === 0 ? undefined : positionLine(source, refId, 'Brought forward', quantity, value),
    settlement,
    after: openQuantity === 0 ? undefined : positionLine(source, refId, after, -openQuantity, openValue),
  };
}

/** @param quantity signed: what is bought by it. @param value what it brings, signed */
function positionLine(source: ReportSource, refId: number, side: string, quantity: number, value: number): Line {
  const price = averagePrice(unitOf(source, refId), Math.abs(value), Math.abs(quantity));
  return {
    order_id: '',
    order_time: null,
    trade_id: '',
    time: null,
    instrument: nameOf(source, refId).displayName,
    side,
    quantity: Math.abs(quantity),
    price,
    brokerage: null,
    net_rate: price * 100,
    value,
  };
}

/** A trade as a line. Its texts are made when somebody reads them: a day may have tens of thousands of lines. */
class TradeLine {
  readonly #source: ReportSource;
  readonly #booked: BookedTrade;
  readonly value: number;
  [cell: string]: Value;

  constructor(source: ReportSource, booked: BookedTrade) {
    const { trade, charges } = booked;
    this.#source = source;
    this.#booked = booked;
    this.value = (trade.side === 'BUY' ? -1 : 1) * valueOf(source, booked) - charges.brokerage;
  }

  get order_id(): Value {
    return String(this.#booked.trade.orderId);
  }

  get order_time(): Value {
    const { order } = this.#booked.trade;
    return order === undefined ? null : istClock(order.placedAt);
  }

  get trade_id(): Value {
    return String(this.#booked.trade.id);
  }

  get time(): Value {
    return istClock(millisOf(this.#booked.trade.at));
  }

  get instrument(): Value {
    return nameOf(this.#source, this.#booked.trade.refId).displayName;
  }

  get side(): Value {
    return this.#booked.trade.side === 'BUY' ? 'Buy' : 'Sell';
  }

  get quantity(): Value {
    return this.#booked.trade.quantity;
  }

  get price(): Value {
    return this.#booked.trade.price;
  }

  get brokerage(): Value {
    return this.#booked.charges.brokerage;
  }

  get net_rate(): Value {
    const { refId, quantity } = this.#booked.trade;
    const { lotSize, lotMultiplier } = unitOf(this.#source, refId);
    return mulDiv(Math.abs(this.value), 100 * lotSize, quantity * lotMultiplier);
  }
}

const LINE_COLUMNS: ReportColumn[] = [
  reportColumn('order_id', 'Order', 'text', 1),
  reportColumn('order_time', 'Order time', 'time'),
  reportColumn('trade_id', 'Trade', 'text', 1),
  reportColumn('time', 'Trade time', 'time'),
  reportColumn('instrument', 'Instrument'),
  reportColumn('side', 'Buy or sell', 'text', 1),
  reportColumn('quantity', 'Quantity', 'quantity'),
  reportColumn('price', 'Gross rate', 'price'),
  reportColumn('brokerage', 'Brokerage', 'money'),
  reportColumn('net_rate', 'Net rate', 'nav'),
  reportColumn('value', 'Net total (payable −)', 'money'),
];

function tradeSections(day: NoteDay, lines: ReadonlyMap<Segment, Line[]>): ReportSection[] {
  return SEGMENTS.flatMap(([segment, name]) => {
    const rows = lines.get(segment) ?? [];
    if (rows.length === 0) return [];
    const totals = totalsOf('Total', 'order_id', rows, ['brokerage', 'value']);
    return [{ title: `${name}, ${longDate(day.date)}`, columns: LINE_COLUMNS, rows, totals }];
  });
}

/** Sums the charges of trades, part by part. */
function chargesOf(trades: readonly BookedTrade[]): ChargeParts {
  const all: ChargeParts = { brokerage: 0, exchange: 0, sebi: 0, gst: 0, stt: 0, stamp: 0 };
  for (const { charges } of trades) for (const [part] of CHARGE_NAMES) all[part] += charges[part];
  return all;
}

/** Returns the amount of each segment of a day before and after its charges. */
function obligationOf(source: ReportSource, day: NoteDay, lines: ReadonlyMap<Segment, Line[]>): ReportSection {
  const trades = groupBy(day.trades, ({ trade }) => segmentOf(source, trade.refId));
  const taxes = groupBy(day.taxes, ({ refId }) => segmentOf(source, refId));
  const segments = SEGMENTS.filter(([key]) => lines.has(key) || taxes.has(key));
  const row = (particulars: string, of: (segment: Segment) => number): ReportRow => {
    const amounts = segments.map(([key]) => [key, of(key)] as const);
    return { particulars, ...Object.fromEntries(amounts), amount: sumOf(amounts, ([, amount]) => amount) };
  };
  const charges = new Map([...trades].map(([key, all]) => [key, chargesOf(all)]));
  const charged = (segment: Segment, part: keyof ChargeParts): number => charges.get(segment)?.[part] ?? 0;
  const exercised = (segment: Segment): number => exerciseTax(taxes.get(segment) ?? []);
  const rows: ReportRow[] = [
    row(
      'Pay in / pay out obligation',
      (segment) => sumOf(lines.get(segment) ?? [], ({ value }) => value) + charged(segment, 'brokerage'),
    ),
    ...CHARGE_NAMES.map(([part, name]) => row(name, (segment) => -charged(segment, part))),
    ...(exerciseTax(day.taxes) === 0
      ? []
      : [row('Securities transaction tax on exercised options', (segment) => -exercised(segment))]),
  ];
  const keys = [...segments.map(([key]) => key), 'amount'];
  return {
    title: `Obligation of ${longDate(day.date)}`,
    columns: [
      reportColumn('particulars', 'Receivable (payable −)'),
      ...(segments.length < 2 ? [] : segments.map(([key, name]) => reportColumn(key, name, 'money'))),
      reportColumn('amount', 'Net', 'money'),
    ],
    rows,
    totals: totalsOf('Net amount', 'particulars', rows, keys),
  };
}
