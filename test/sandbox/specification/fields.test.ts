import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith, SHARED_SPECIFICATION } from '../../support/needs';
import { DEVICE, FIRST, MARKET_ORDER, SECOND, now, start, totpAt, type Bench } from '../support';
import { ROWS } from './rows';

/** Answers of the service, by the section of the specification that describes them. */
const seen: Record<string, unknown[]> = {};
let bench: Bench;
let headers: Record<string, string>;
let refIds: Map<string, number>;

const get = async (address: string) => (await bench.http.get(address, { headers })).data;
const post = async (address: string, body: unknown) => (await bench.http.post(address, body, { headers })).data;
const order = (more: Record<string, unknown>) =>
  post('/orders/v2/single', {
    ...MARKET_ORDER,
    ref_id: refIds.get('STOCK_INFY.NSECM'),
    order_qty: 10,
    ...more,
  });

beforeAll(async () => {
  bench = await start({ rateLimit: 'off' });
  await logins();
  await trading();
  await market();
  seen['Report option (`res.reports[]` of `GET /report`)'] = (await get('/report')).res.reports;
});
afterAll(() => bench.close());

async function logins(): Promise<void> {
  const { data: login } = await bench.http.post('/sendphoneotp', { phone: SECOND.phone, skip_totp: false });
  seen['Login response (`/sendphoneotp`)'] = [
    login,
    (
      await bench.http.post(
        '/sendphoneotp',
        { phone: SECOND.phone, skip_totp: true },
        { headers: { 'x-temp-token': login.temp_token } },
      )
    ).data,
  ];
  const totp = totpAt(FIRST.secret, await now(bench.http));
  const device = { 'x-device-id': DEVICE };
  const { data: code } = await bench.http.post(
    '/totp/login',
    { phone: FIRST.phone, totp, otp: '' },
    { headers: device },
  );
  seen['Verify-OTP response (`/verifyphoneotp`, `/totp/login`)'] = [code];
  const { data: pin } = await bench.http.post(
    '/verifypin',
    { pin: FIRST.mpin },
    { headers: { ...device, authorization: `Bearer ${code.auth_token}` } },
  );
  seen['Verify-PIN response (`/verifypin`)'] = [pin];
  headers = { ...device, authorization: `Bearer ${pin.session_token}` };
  seen['TOTP secret response (`/totp/generate-secret`)'] = [await get('/totp/generate-secret')];
}

async function trading(): Promise<void> {
  const masters = await Promise.all(
    ['NSE', 'BSE', 'MCX'].map((exchange) => get(`/refdata/refdata/2026-11-23?exchange=${exchange}`)),
  );
  const rows = masters.flatMap(
    ({ refdata }) =>
      refdata as { ref_id: number; plat_name: string; lot_size: number; asset: string; derivative_type: string }[],
  );
  seen['Instrument reference record (`refdata[]`)'] = rows;
  refIds = new Map(rows.map(({ plat_name, ref_id }) => [plat_name, ref_id]));
  const future = rows.find(({ asset, derivative_type }) => asset === 'NIFTY' && derivative_type === 'FUT')!;
  const { price } = await get('/optionchains/INFY/price?exchange=NSE');
  const placed = [
    await order({}),
    await order({ order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY', validity_type: 'IOC' }),
    await order({ ref_id: future.ref_id, order_qty: future.lot_size, order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY' }),
    await order({
      order_type: 'ORDER_TYPE_STOPLOSS',
      price_type: 'LIMIT',
      order_price: price + 5000,
      algo_params: { trigger_price: price + 4000 },
    }),
    await order({
      order_type: 'ORDER_TYPE_ICEBERG',
      price_type: 'LIMIT',
      order_price: price - 3000,
      order_qty: 40,
      algo_params: { leg_size: 10 },
      tag: 'slow',
    }),
    await order({ order_qty: 90_000_000 }),
  ];
  await bench.advance('PT5S');
  await order({ order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY', order_side: 'ORDER_SIDE_SELL' });
  await bench.advance('PT5S');
  seen['Order record'] = [...placed, ...(await get('/orders'))];
  const { chain } = await get('/optionchains/NIFTY');
  const at = chain.ce.findIndex(({ sp }: { sp: number }) => sp === chain.atm);
  const orders = [chain.ce[at], chain.pe[at]].map(({ ref_id, ls }) => ({
    ref_id,
    order_qty: ls,
    order_side: 'ORDER_SIDE_BUY',
  }));
  const basket_params = {
    order_side: 'ORDER_SIDE_BUY',
    order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
    price_type: 'MARKET',
    multiplier: 1,
  };
  seen['Basket record (`/orders/v2/basket` response)'] = [
    await post('/orders/v2/basket', { exchange: 'NSE', basket_name: 'straddle', tag: 'b', orders, basket_params }),
  ];
  await bench.advance('PT5S');
  const { portfolio: holdings } = await get('/portfolio/holdings');
  seen['Holdings response'] = holdings.holdings;
  seen['Holdings response, holding_stats'] = [holdings.holding_stats];
  const { portfolio: positions } = await get('/portfolio/positions');
  const { stock_positions, fut_positions, opt_positions, close_positions } = positions;
  expect([stock_positions, fut_positions, opt_positions, close_positions].map((items) => items?.length)).toEqual([
    1, 1, 2, 1,
  ]);
  seen['Positions response'] = [stock_positions, fut_positions, opt_positions, close_positions].flat();
  seen['Positions response, portfolio'] = [positions];
}

async function market(): Promise<void> {
  seen['Order-book quote (`orderBook`)'] = [
    (await get(`/orderbooks/${refIds.get('STOCK_INFY.NSECM')}?levels=5`)).orderBook,
  ];
  seen['Current-price record'] = [
    await get('/optionchains/INFY/price?exchange=NSE'),
    await get('/optionchains/NIFTY/price?exchange=NSE'),
  ];
  const query = [
    {
      exchange: 'NSE',
      type: 'STOCK',
      values: ['INFY'],
      fields: ['close'],
      startDate: '2026-11-20T03:45:00.000Z',
      endDate: '2026-11-23T04:30:00.000Z',
      interval: '15m',
      intraDay: false,
      realTime: false,
    },
  ];
  seen['Historical candle response'] = [await post('/charts/timeseries', { query })];
}

/** The value at a path such as `bid.0.p`. */
function at(item: unknown, steps: string): unknown {
  return steps
    .split('.')
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | null | undefined)?.[step], item);
}

describe.each(Object.entries(ROWS))('Resources: %s', (section, rows) => {
  it.each(Object.entries(rows))('has the field %s', (name, kind) => {
    expect(seen[section]!.length).toBeGreaterThan(0);
    for (const item of seen[section]!) {
      const parent = name.includes('.') ? at(item, name.slice(0, name.lastIndexOf('.'))) : item;
      if (parent === null || (Array.isArray(parent) && parent.length === 0)) continue;
      const value = at(item, name);
      if (!kind(value)) throw new Error(`${name} is ${JSON.stringify(value)} in ${JSON.stringify(item).slice(0, 400)}`);
    }
  });
});

describeWith(SHARED_SPECIFICATION, 'Every row is proved', (folder) => {
  it('no field of a resource table is missing above', () => {
    const resources = readFileSync(path.join(folder, 'brokerage-rest-service.md'), 'utf8')
      .split(/^## /m)
      .find((part) => part.startsWith('Resources'))!;
    const missing: string[] = [];
    for (const part of resources.split(/^### /m).slice(1)) {
      const section = part.slice(0, part.indexOf('\n'));
      const known = new Set(
        Object.entries(ROWS)
          .filter(([name]) => name.startsWith(section))
          .flatMap(([, rows]) => Object.keys(rows)),
      );
      const rows = [...part.matchAll(/^\| ([^|]+) \|/gm)]
        .map(([, cell]) => cell!.trim())
        .filter((cell) => cell !== 'Field');
      for (const name of rows.flatMap((cell) => cell.split(/\s*,\s*/)).map((cell) => cell.replace(/`/g, ''))) {
        if (!/^-+$/.test(name) && !known.has(name)) missing.push(`${section}: ${name}`);
      }
    }
    expect(missing).toEqual([]);
  });
});
