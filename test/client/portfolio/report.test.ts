/** A report of the account: its words, its amounts, and HTML that no name can break. */
import { productLabel, sideLabel, statusLabel } from '../../../client/values/labels';
import { percentText, quantityText, rupeesText, signedRupees } from '../../../client/values/amounts';
import { reportHtml } from '../../../client/portfolio/report/html';
import {
  dayResultOf,
  REPORT_PARTS,
  reportSummary,
  sectionsOf,
  type ReportFacts,
} from '../../../client/portfolio/report/sections';
import { reportText } from '../../../client/portfolio/report/text';

const EMPTY: ReportFacts = {
  date: '2026-12-01',
  positions: { client_code: '', stats: {}, positions: [] },
  holdings: { client_code: '', stats: {}, holdings: [] },
  orders: [],
  charges: { brokerage: null, all: null },
};
const FULL: ReportFacts = {
  date: '2026-12-01',
  positions: {
    client_code: 'A1',
    stats: { realised_pnl: -50_000, unrealised_pnl: 1_25_000_50, total_pnl: 1_24_500_50 },
    positions: [
      {
        segment: 'stock',
        ref_id: 1,
        symbol: 'A&B<script>',
        product: 'ORDER_DELIVERY_TYPE_IDAY',
        order_side: 'ORDER_SIDE_SELL',
        qty: 1_00_000,
        avg_price: 10_050,
        ltp: 10_000,
        pnl: 1_25_000_50,
        pnl_chg: 0.5,
      },
      {
        segment: 'option',
        ref_id: 3,
        symbol: 'NIFTY26D0121950CE',
        derivative_type: 'OPT',
        product: 'CNC',
        order_side: 'BUY',
        qty: 65,
        avg_price: 100,
        ltp: 0,
        pnl: 0,
      },
      {
        segment: 'closed',
        ref_id: 2,
        symbol: 'TCS',
        product: 'CNC',
        order_side: 'C',
        qty: 0,
        ltp: 3_00_000,
        pnl: -50_000,
      },
    ],
  },
  holdings: {
    client_code: 'A1',
    stats: {
      invested_amount: 10_00_000,
      current_value: 12_00_000,
      total_pnl: 2_00_000,
      total_pnl_chg: 20,
      day_pnl: -1_000,
    },
    holdings: [
      {
        ref_id: 4,
        symbol: 'INFY',
        qty: 8,
        t1_qty: 2,
        avg_price: 1_00_000,
        ltp: 1_20_000,
        current_value: 12_00_000,
        day_pnl: -1_000,
        net_pnl: 2_00_000,
        net_pnl_chg: 20,
      },
    ],
  },
  orders: [],
  charges: { brokerage: 4_000, all: null },
};

it('writes amounts as in India', () => {
  expect([rupeesText(1_06_500_50), rupeesText(-12_34_567_89), signedRupees(100), signedRupees(0)]).toEqual([
    '₹1,06,500.50',
    '−₹12,34,567.89',
    '+₹1.00',
    '₹0.00',
  ]);
  expect([quantityText(-1_00_000), percentText(-1.5), percentText(0)]).toEqual(['−1,00,000', '−1.50%', '0.00%']);
});

it('has a plain word for each word of the service, and keeps one that nobody knows', () => {
  expect(productLabel({ product: 'ORDER_DELIVERY_TYPE_IDAY' })).toBe('Intraday');
  expect([productLabel({ product: 'CNC' }), productLabel({ product: 'CNC', derivative_type: 'FUT' })]).toEqual([
    'Delivery',
    'Carried over',
  ]);
  expect([productLabel({ product: 'ORDER_DELIVERY_TYPE_MTF' }), productLabel({})]).toEqual(['MTF', '']);
  expect(['BUY', 'ORDER_SIDE_SELL', 'C', 'X'].map((word) => sideLabel({ order_side: word }))).toEqual([
    'Bought',
    'Sold',
    'Closed',
    'X',
  ]);
  expect(sideLabel({ order_side: 'BUY', segment: 'closed' })).toBe('Closed');
  expect([statusLabel('PARTIAL_FILLED'), statusLabel('constructor')]).toEqual(['Partly filled', 'constructor']);
});

it('tells orders in the words of the panel: what a rejection means, and a future that is carried over', () => {
  const order = {
    order_id: '5',
    order_side: 'ORDER_SIDE_BUY',
    order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
    order_status: 'ORDER_STATUS_REJECTED',
    order_qty: 65,
    order_price: 5_000_00,
    ref_data: { stock_name: 'NIFTY26DECFUT', asset: 'NIFTY', derivative_type: 'FUT', exchange: 'NSE' },
  };
  const orders = [
    { ...order, rejection_msg: 'PRICE_BAND_HIT: order_price 500000 is outside the price band of 107460 to 131320' },
    { ...order, rejection_msg: 'NO_SUCH_CODE' },
  ];
  const text = reportText('T', 'S', sectionsOf(['orders'], { ...FULL, orders }));
  expect(text).toContain('Carried over, Filled 0 of 65');
  expect(text).toContain('Rejected: The price must be between ₹1,074.60 and ₹1,313.20 today');
  expect(text).not.toContain('PRICE_BAND_HIT');
  expect(text).toContain('Rejected: NO_SUCH_CODE');
});

it('says a sentence where there is nothing, and no table', () => {
  const sections = sectionsOf(REPORT_PARTS, EMPTY);
  const html = reportHtml('T', 'S', sections.slice(1));
  expect(html).not.toContain('<table');
  for (const sentence of [
    'There are no positions today.',
    'There are no holdings in this account.',
    'There were no orders today.',
  ])
    expect(html).toContain(sentence);
  expect(reportText('T', 'S', sections)).toContain('There are no positions today.');
  expect(dayResultOf(EMPTY)).toEqual({
    realised: 0,
    unrealised: 0,
    holdings: 0,
    charges: null,
    after: 'nothing',
    total: 0,
  });
});

it('escapes what comes from outside, and shows totals as not known where a price is missing', () => {
  const html = reportHtml('T', 'S', sectionsOf(['positions'], FULL));
  expect(html).toContain('A&amp;B&lt;script&gt;');
  expect(html).not.toContain('<script');
  expect(html).toContain('1,00,000');
  const [positions] = sectionsOf(['positions'], FULL);
  expect(positions!.totals!.at(-2)).toEqual({ text: '–' });
  expect(positions!.note).toContain('No last price of NIFTY');
  expect(positions!.rows.map((row) => row.slice(1, 3).map(({ text }) => text))).toEqual([
    ['Intraday', 'Sold'],
    ['Carried over', 'Bought'],
    ['Delivery', 'Closed'],
  ]);
});

it('adds up the day, less the brokerage', () => {
  const priced = {
    ...FULL,
    positions: { ...FULL.positions, positions: FULL.positions.positions.filter(({ ref_id: id }) => id !== 3) },
  };
  expect(dayResultOf(priced)).toEqual({
    realised: -50_000,
    unrealised: 1_25_000_50,
    holdings: -1_000,
    charges: 4_000,
    after: 'brokerage',
    total: 1_25_000_50 - 55_000,
  });
  const [day] = sectionsOf(['dayResult'], priced);
  expect(day!.totals!.at(-1)).toEqual({ text: '+₹1,24,450.50', tone: 'gain' });
  expect(reportText('T', 'S', [day!])).toContain('Closed trades: −₹500.00');
});

it('has its styles in each cell, and dark colours beside them', () => {
  const html = reportHtml('T', 'S', sectionsOf(['holdings'], FULL));
  expect(html.match(/<td/g)!.length).toBe(html.match(/<td[^>]* style="/g)!.length);
  expect(html).toContain('prefers-color-scheme:dark');
  expect(html).toContain('>10<');
});

it('gives no colour to what is rounded to 0, and none to what is not known', () => {
  const holdings = {
    client_code: '',
    stats: {},
    holdings: [{ qty: 1, ltp: 100, day_pnl: 0.4, net_pnl: -0.4, net_pnl_chg: -0.001 }],
  };
  const [section] = sectionsOf(['holdings'], { ...EMPTY, holdings } as ReportFacts);
  expect(section?.rows[0]?.slice(5)).toEqual([{ text: '₹0.00' }, { text: '₹0.00' }, { text: '0.00%' }]);
});

it('hides on a phone what the result does not need, with the heading and the total of the same column', () => {
  const [positions] = sectionsOf(['positions'], FULL);
  const { columns } = positions!;
  expect(columns.filter(({ isWide }) => isWide !== true).map(({ label }) => label)).toEqual([
    'Instrument',
    'Side',
    'Quantity',
    'Profit',
  ]);
  const html = reportHtml('T', 'S', [positions!]);
  const hiddenIn = (row: string): number[] =>
    [...row.matchAll(/<t[dh][^>]*>/g)].flatMap(([cell], at) => (cell.includes('pr-wide') ? [at] : []));
  const rows = html.split('<tr>').slice(1);
  expect(rows).toHaveLength(5);
  for (const row of rows) expect(hiddenIn(row)).toEqual([1, 4, 5, 7]);
  expect(html).toContain('@media (max-width:480px)');
});

it.each([
  [2_514, 'all_charges', 2, 'Result on 20 Nov 2026: +₹25.14 after all charges; 2 positions are open.'],
  [-100, 'brokerage', 1, 'Result on 20 Nov 2026: −₹1.00 after brokerage, before taxes and fees; 1 position is open.'],
  [0, 'nothing', 0, 'Result on 20 Nov 2026: ₹0.00 before charges; no positions are open.'],
  [null, 'nothing', 1, 'Result on 20 Nov 2026: not known; 1 position is open.'],
] as const)('says the result %p after %s, and %d open positions, in one sentence', (total, after, open, sentence) => {
  expect(reportSummary('20 Nov 2026', { ...dayResultOf(EMPTY), total, after }, open)).toBe(sentence);
});
