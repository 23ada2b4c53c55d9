import { expect, test } from '@jest/globals';
import { fundsView, holdingsView, positionsView, type ViewDeps } from '../../../sandbox/src/web/portfolio';
import { A, accounts, CALL, fill, INFY, MORNING, order, prices, TCS } from '../accounts/support';

function deps() {
  const of = prices();
  const books = accounts(of);
  books.open(
    A,
    { funds: 1_000_000_000, holdings: [{ refId: INFY.refId, quantity: 100, averagePrice: 120_000 }] },
    MORNING,
  );
  const view: ViewDeps = {
    accounts: books,
    lastPrice: ({ refId }) => of.last.get(refId)!,
    previousClose: ({ refId }) => of.previous.get(refId)!,
    isAlwaysOpen: false,
    listings: ({ refId }) => ({ NSE: refId, BSE: refId + 500 }),
    dialect: { qty_multiplier: 'told' },
    words: { platform: 'plat', service: 'svc' },
  };
  return { of, books, view };
}

test('Holdings response: has every field, and totals that add up', () => {
  const { of, books, view } = deps();
  of.last.set(INFY.refId, 153_000);
  books.pledge(A, INFY.refId, 40, MORNING);
  expect(holdingsView(view, A, MORNING)).toEqual({
    client_code: A,
    holding_stats: {
      invested_amount: 12_000_000,
      current_value: 15_300_000,
      total_pnl: 3_300_000,
      total_pnl_chg: 27.5,
      day_pnl: 300_000,
      day_pnl_chg: 2,
    },
    holdings: [
      {
        ref_id: 1,
        svc_name: 'STOCK_INFY.NSECM',
        displayName: 'INFY',
        derivative_type: 'STOCK',
        strike_price: 0,
        lot_size: 1,
        exchange: 'NSE',
        asset: 'INFY',
        symbol: 'INFY',
        qty: 100,
        pledged_qty: 40,
        t1_qty: 0,
        avg_price: 120_000,
        prev_close: 150_000,
        ltp: 153_000,
        ltp_chg: 2,
        invested_value: 12_000_000,
        current_value: 15_300_000,
        net_pnl: 3_300_000,
        net_pnl_chg: 27.5,
        day_pnl: 300_000,
        haircut: 12.5,
        margin_benefit: 5_250_000,
        available_to_pledge: 60,
        is_pledgeable: true,
        supported_exchanges: { NSE: 1, BSE: 501 },
      },
    ],
  });
});

test('Positions response: has open, sold and closed ones; pnl is realised + unrealised', () => {
  const { of, books, view } = deps();
  const trade = (id: bigint, newOrder: ReturnType<typeof order>) =>
    books.trade(fill(id, newOrder, newOrder.quantity, newOrder.price, MORNING), MORNING);
  trade(1n, order({ refId: TCS.refId, product: 'IDAY', side: 'SELL', quantity: 10, price: 310_000 }));
  trade(2n, order({ refId: CALL.refId, quantity: 65, price: 20_000 }));
  trade(3n, order({ refId: CALL.refId, side: 'SELL', quantity: 65, price: 21_000 }));
  trade(4n, order({ refId: INFY.refId, side: 'SELL', quantity: 40, price: 150_000 }));
  of.last.set(TCS.refId, 309_000);
  const view1 = positionsView(view, A, MORNING, 'null');
  expect(view1).toMatchObject({
    position_stats: { realised_pnl: 65_000 + 1_200_000, unrealised_pnl: 10_000, total_pnl: 1_275_000 },
    stock_positions: [
      {
        ref_id: 2,
        plat_name: 'STOCK_TCS.NSECM',
        order_side: 'SELL',
        qty: 10,
        avg_price: 310_000,
        avg_buy_price: 0,
        pnl: 10_000,
        product: 'ORDER_DELIVERY_TYPE_IDAY',
      },
      {
        ref_id: 1,
        order_side: 'SELL',
        qty: 40,
        avg_price: 150_000,
        pnl: 1_200_000,
        product: 'ORDER_DELIVERY_TYPE_CNC',
      },
    ],
    fut_positions: null,
    opt_positions: null,
    close_positions: [
      {
        ref_id: 12,
        order_side: 'C',
        qty: 0,
        avg_buy_price: 20_000,
        avg_sell_price: 21_000,
        pnl: 65_000,
        pnl_chg: 4.76,
      },
    ],
  });
  const all = [...view1.stock_positions!, ...view1.close_positions!];
  expect(all.reduce((sum, { pnl }) => sum + pnl, 0)).toBe(view1.position_stats.total_pnl);
});

test('Funds: are integers in paise that agree with the books', () => {
  const { books, view } = deps();
  books.hold(1n, order({ refId: TCS.refId, quantity: 2, price: 300_000 }), 0, MORNING);
  expect(fundsView(view, A, MORNING)).toMatchObject({
    client_code: A,
    start_of_day_funds: 1_000_000_000,
    net_margin_available: 999_400_000,
    total_margin_blocked: 600_000,
    brokerage: 0,
  });
});
