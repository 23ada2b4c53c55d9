/** Companies of the SME platforms over HTTP, as any client may ask: whole lots, for delivery. */
import { share } from '../../support/sample';
import { MARKET_ORDER, logIn, start, type Bench } from '../support';

let bench: Bench;
let headers: Record<string, string>;
beforeAll(async () => {
  bench = await start({ universe: 'full' });
  headers = await logIn(bench);
});
afterAll(() => bench.close());

interface Listed {
  ref_id: number;
  plat_name: string;
  lot_size: number;
  series: string;
}
const masters = new Map<string, Listed[]>();
const listed = async (exchange: string, name: string): Promise<Listed> => {
  if (!masters.has(exchange)) {
    const { data } = await bench.http.get(`/refdata/refdata/2026-11-23?exchange=${exchange}`, { headers });
    masters.set(exchange, data.refdata as Listed[]);
  }
  return masters.get(exchange)!.find((row) => row.plat_name === name)!;
};
const place = async (refId: number, quantity: number, more: Record<string, unknown> = {}) => {
  const body = { ...MARKET_ORDER, ref_id: refId, order_qty: quantity, tag: 'sme', ...more };
  const { status, data } = await bench.http.post('/orders/v2/single', body, { headers });
  return { status, text: JSON.stringify(data) };
};

const LISTED = [
  ['NSE', 'STOCK_AAKAAR.NSECM', 'SM', 1600],
  ['NSE', 'STOCK_ABSMARINE.NSECM', 'ST', 500],
  ['BSE', 'STOCK_MSECL.BSECM', 'M', 600],
] as const;

it.each(share(LISTED, LISTED.length, 0))(
  '%s %s of series %s is traded in lots of %i, for delivery only',
  async (exchange, name, series, lot) => {
    const company = await listed(exchange, name);
    expect(company).toMatchObject({ series, lot_size: lot });
    for (const quantity of [1, lot - 1, lot + 1, lot * 1.5]) {
      const { status, text } = await place(company.ref_id, quantity);
      expect([status, text]).toEqual([
        400,
        expect.stringContaining('quantity entered is not a multiple of current lots size'),
      ]);
    }
    const intraday = await place(company.ref_id, lot, { order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY' });
    expect([intraday.status, intraday.text]).toEqual([400, expect.stringContaining('intraday orders are not allowed')]);
    expect((await place(company.ref_id, lot)).status).toBe(200);
    await bench.advance('PT5S');
    const { data } = await bench.http.get('/orders/v2', { headers });
    const orders = (Array.isArray(data) ? data : data.orders) as {
      ref_id: number;
      order_status: string;
      filled_qty: number;
    }[];
    expect(orders.find(({ ref_id }) => ref_id === company.ref_id)).toMatchObject({ filled_qty: lot });
  },
);
