import { orderOutput, readableRecord } from '../../nodes/Brokerage/trading/orderOutput';

it.each([
  [{ stock_name: 'INFY', plat_name: 'STOCK_INFY.NSECM' }, 'INFY'],
  [{ stock_name: 'Infosys Limited', plat_name: 'STOCK_INFY.NSECM' }, 'INFY'],
  [{ stock_name: 'NIFTY26NOV24500CE', plat_name: 'OPT_NIFTY_20261126_CE_2450000' }, 'NIFTY26NOV24500CE'],
  [{ stock_name: 'NIFTY 26 Nov 24500 CE', plat_name: 'OPT_NIFTY_20261126_CE_2450000' }, 'NIFTY 26 Nov 24500 CE'],
  [{}, null],
])('reads the symbol of %j', (instrument, symbol) => {
  const options = { unit: 'rupees', simplify: true, environment: 'sandbox', today: '2026-11-20' } as const;
  expect(orderOutput({ ref_data: instrument }, options)).toMatchObject({ symbol });
});

it('gives money in the chosen unit, times readable beside the exact ones, and leaves the rest', () => {
  const record = {
    order_id: '1429496751195664155',
    order_price: 150005,
    avg_filled_price: null,
    order_qty: 100,
    order_time: '1763712345678901234',
    ack_time: null,
    algo_params: { trigger_price: 100, leg_size: 100 },
  };
  expect(readableRecord(record, 'rupees')).toEqual({
    ...record,
    order_price: 1500.05,
    order_time_ist: '2025-11-21T13:35:45.678+05:30',
    ack_time_ist: null,
    algo_params: { trigger_price: 1, leg_size: 100 },
  });
  expect(readableRecord(record, 'paise')).toMatchObject({ order_price: 150005 });
});

it('takes a garbage time for none, and unknown words unchanged', () => {
  const options = { unit: 'rupees', simplify: true, environment: 'sandbox', today: '2026-11-20' } as const;
  expect(
    orderOutput(
      { order_time: '-6795364578871345152', order_status: 'ORDER_STATUS_NEW_WORD', order_type: 'SOMETHING' },
      options,
    ),
  ).toMatchObject({
    order_time: '-6795364578871345152',
    order_time_ist: null,
    order_status: 'NEW_WORD',
    order_type: 'SOMETHING',
    environment: 'sandbox',
  });
});

it.each([
  ['150005', 1500.05],
  ['150005.5', 1500.055],
  ['1,50,005', 1500.05],
  ['1,500.05', null],
  ['₹1500', null],
  ['', ''],
])('money that came as the text %j is %j in rupees, never an amount of paise', (text, shown) => {
  const record = { order_price: text, avg_filled_price: text, LTP: text };
  expect(readableRecord(record, 'rupees')).toEqual({ order_price: shown, avg_filled_price: shown, LTP: shown });
});
