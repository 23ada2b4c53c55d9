import { UnreadableReplyError } from '../../../client/base/errors';
import {
  fundsIn,
  marginUsedPercent,
  getFunds,
  getHoldings,
  getPositions,
  convertMoney,
  dayChangePercent,
  knownTotals,
} from '../../../client/portfolio/portfolio';
import { holdingInOlderNames } from '../../../client/portfolio/field-names';
import { scriptedTransport } from '../../support/wire';

it('gives holdings with neutral names, whatever the maker calls them, and both names of the last price', async () => {
  const { transport } = scriptedTransport([
    {
      json: {
        message: 'ok',
        portfolio: {
          client_code: 'C1',
          holding_stats: { total_pnl: 5 },
          holdings: [{ ref_id: 1, maker_name: 'STOCK_INFY', symbol: 'INFY', last_traded_price: 150005 }],
        },
      },
    },
  ]);
  const found = await getHoldings(transport);
  expect(found).toEqual({
    client_code: 'C1',
    stats: { total_pnl: 5 },
    holdings: [{ ref_id: 1, svc_name: 'STOCK_INFY', symbol: 'INFY', last_traded_price: 150005, ltp: 150005 }],
  });
});

it('takes null lists for empty ones, and a reply without a portfolio for none', async () => {
  const { transport } = scriptedTransport([
    { json: { portfolio: { client_code: 'C1', holdings: null } } },
    { json: { portfolio: null } },
    { json: { message: 'something else' } },
    { json: { portfolio: { holdings: [7] } } },
    { json: [] },
  ]);
  expect((await getHoldings(transport)).holdings).toEqual([]);
  expect((await getHoldings(transport)).holdings).toEqual([]);
  for (let left = 3; left > 0; left--) await expect(getHoldings(transport)).rejects.toThrow(UnreadableReplyError);
});

it('puts the segment on each position', async () => {
  const { transport } = scriptedTransport([
    {
      json: {
        portfolio: {
          stock_positions: [{ ref_id: 1 }],
          fut_positions: null,
          opt_positions: [{ ref_id: 2 }],
          close_positions: [{ ref_id: 3 }],
        },
      },
    },
  ]);
  expect((await getPositions(transport)).positions).toEqual([
    { segment: 'stock', ref_id: 1 },
    { segment: 'option', ref_id: 2 },
    { segment: 'closed', ref_id: 3 },
  ]);
});

it('counts what a list names twice once, and keeps what differs', async () => {
  const infy = { ref_id: 1, product: 'ORDER_DELIVERY_TYPE_CNC', qty: 10, pnl: 500 };
  const intraday = { ...infy, product: 'ORDER_DELIVERY_TYPE_IDAY' };
  const { transport } = scriptedTransport([
    { json: { portfolio: { stock_positions: [infy, intraday, infy], fut_positions: null } } },
    { json: { portfolio: { holdings: [infy, infy] } } },
  ]);
  expect((await getPositions(transport)).positions).toEqual([
    { ...infy, segment: 'stock' },
    { ...intraday, segment: 'stock' },
  ]);
  expect((await getHoldings(transport)).holdings).toEqual([infy]);
});

it('turns amounts, and only amounts, into rupees', async () => {
  expect(
    convertMoney('rupees', { qty: 100, ltp: 150005, ltp_chg: 1.5, avg_price: null, total_pnl: -5, ref_id: 7 }),
  ).toEqual({
    qty: 100,
    ltp: 1500.05,
    ltp_chg: 1.5,
    avg_price: null,
    total_pnl: -0.05,
    ref_id: 7,
  });
  expect(convertMoney('paise', { ltp: 150005 })).toEqual({ ltp: 150005 });
  const { transport } = scriptedTransport([
    { json: { port_funds_and_margin: { start_of_day_funds: 1000000000, note: 'x' } } },
    { json: {} },
  ]);
  expect(fundsIn('rupees', await getFunds(transport))).toEqual({ start_of_day_funds: 10000000, note: 'x' });
  await expect(getFunds(transport)).rejects.toThrow(UnreadableReplyError);
});

it('leaves fields unchanged whose names every object has', () => {
  expect(holdingInOlderNames({ constructor: 1, displayName: 'Infosys' })).toEqual({
    constructor: 1,
    displayName: 'Infosys',
  });
});

it.each([
  [80, 20, 80],
  [1, 2, 33.33],
  [0, 100, 0],
  [0, 0, null],
  [50, -60, null],
  [50, -10, 125],
  [null, 100, null],
])('the margin used, with %p blocked and %p available, is %p percent', (blocked, available, percent) => {
  expect(marginUsedPercent({ total_margin_blocked: blocked, net_margin_available: available })).toBe(percent);
});

it('has no totals where a share that is not settled yet has no last price', () => {
  const stats = { current_value: 5_000, invested_amount: 4_000 };
  const shares = (fields: object) => knownTotals(stats, [{ ref_id: 1, symbol: 'INFY', ltp: 0, ...fields }]);
  expect(shares({ qty: 0, t1_qty: 10 })).toMatchObject({ current_value: null, invested_amount: 4_000 });
  expect(shares({ qty: 0, t1_qty: 0 })).toEqual(stats);
});

it.each([
  [{ ltp: 119_040, ltp_chg: -3.5, prev_close: 1 }, -3.5],
  [{ ltp: 119_040, prev_close: 123_360 }, -3.5],
  [{ ltp: 119_040, ltp_chg: null, prev_close: 123_360 }, -3.5],
  [{ ltp: 119_040, prev_close: 0 }, null],
  [{ ltp: 119_040 }, null],
  [{ ltp: 0, ltp_chg: -100, prev_close: 123_360 }, null],
  [{ prev_close: 123_360 }, null],
])('the change since the previous close of %j is %j', (holding, change) => {
  expect(dayChangePercent(holding)).toBe(change);
});
