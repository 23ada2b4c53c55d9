/** The evening on which options of MCX expire, over HTTP: positions, funds, tradebook, contract note and profit statement to the paisa. */
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { logIn, start, type Bench } from '../support';

const at = (text: string) => `${text}+05:30`;
const DAY = '2026-12-16';
const dates = { from_date: at(`${DAY}T00:00:00`), to_date: at(`${DAY}T00:00:00`) };

let bench: Bench;
let headers: Record<string, string>;
beforeAll(async () => {
  bench = await start({ hours: 'exchange', start: at(`${DAY}T11:00:00.000`), rateLimit: 'off' });
  headers = await logIn(bench);
});
afterAll(async () => await bench.close());

const get = async (path: string) => (await bench.http.get(path, { headers })).data;
const report = async (type: string) =>
  (await bench.http.post(`/report/${type}`, { action_type: 'VIEW', ...dates }, { headers })).data.res;
const place = async ({ refId, lotSize }: Instrument, side: 'BUY' | 'SELL'): Promise<number> => {
  const body = {
    ref_id: refId,
    order_type: 'ORDER_TYPE_REGULAR',
    order_qty: lotSize,
    order_side: `ORDER_SIDE_${side}`,
    order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
    validity_type: 'DAY',
    price_type: 'MARKET',
    order_price: 0,
  };
  const { data } = await bench.http.post('/orders/v2/single', body, { headers });
  await bench.advance('PT20S');
  const order = await get(`/orders/${data.order_id}`);
  expect(order.order_status).toBe('ORDER_STATUS_FILLED');
  return order.avg_filled_price as number;
};

it('a bought call in the money is a future in the morning, and a put that ends worthless is gone', async () => {
  const { sandbox } = bench.running;
  const { world } = sandbox;
  const universe = world.universe();
  const [expiry] = universe.expiries('MCX', 'CRUDEOIL');
  expect(expiry).toBe(20261216);
  const { ce, pe } = universe.options('MCX', 'CRUDEOIL', expiry!);
  const future = universe.byRefId(ce[0]!.settlesInto!)!;
  expect(future.symbol).toBe('CRUDEOIL26DECFUT');
  const spot = world.lastPrice(future);
  const below = ({ strikePrice }: Instrument): boolean => strikePrice < spot * 0.985;
  const [call, put] = [ce.findLast(below)!, pe.findLast(below)!];
  const [paid, got] = [await place(call, 'BUY'), await place(put, 'SELL')];
  await bench.http.post('/_sandbox/clock', { set: at('2026-12-17T08:00:00.000') });
  headers = await logIn(bench);

  const close = world.market.previousClose(future, sandbox.instant);
  const strike = call.strikePrice;
  expect(close).toBeGreaterThan(strike);
  // A rupee of the price is worth Rs 100 on a lot.
  const realised = 100 * (got - paid) + 100 * (close - strike);
  const { fut_positions: futures, opt_positions: options } = (await get('/portfolio/positions')).portfolio;
  expect(options).toEqual([]);
  expect(futures).toMatchObject([{ ref_id: future.refId, qty: future.lotSize, avg_price: close }]);

  const book = await report('tradebook-report');
  const rows = book.sections.flatMap(({ rows: all }: { rows: Record<string, unknown>[] }) => all);
  expect(rows).toHaveLength(3);
  expect(JSON.stringify(rows.at(-1))).toContain(String(strike));
  const [note, profit, ledger] = [await report('contract_note'), await report('profit_loss'), await report('summary')];
  expect(note.summary).toMatchObject({ trades: 3, bought: 100 * (paid + strike), sold: 100 * got });
  const { charges } = note.summary;
  expect(profit.summary).toMatchObject({ gross: realised, net: realised - charges });
  expect(ledger.summary.closing_balance - ledger.summary.opening_balance).toBe(realised - charges);
  expect(note.summary.receivable).toBe(realised - charges);
  const { port_funds_and_margin: funds } = await get('/portfolio/user_funds_and_margin');
  expect(funds.start_of_day_funds).toBe(ledger.summary.closing_balance);
  expect(funds.total_margin_blocked).toBeGreaterThan(0.08 * 100 * close);
});
