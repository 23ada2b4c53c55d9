/** `--as`: one word that makes the sandbox behave like the specification, the live service or its test environment. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SandboxOptions } from '../../../sandbox/src';
import { SERVICE_DIALECTS } from '../../../sandbox/src/simulation/dialect';
import { parseOptions } from '../../../sandbox/src/simulation/command-line';
import { SERVICE_PRESET_NAMES, type ServicePresetName } from '../../../sandbox/src/simulation/services';
import { DEVICE, FIRST, MARKET_ORDER, now, pin, start, totpAt, type Bench } from '../support';

const opened: Bench[] = [];
const open = async (given: Partial<SandboxOptions>): Promise<Bench> => {
  const bench = await start(given);
  opened.push(bench);
  return bench;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map(async (bench) => await bench.close()));
});

/** Logs in with the code as a number or as text. */
async function logInWith({ http }: Bench, form: 'number' | 'text') {
  const totp = totpAt(FIRST.secret, await now(http));
  const body = { phone: FIRST.phone, totp: form === 'number' ? Number(totp) : totp };
  return await http.post('/totp/login', body, { headers: { 'x-device-id': DEVICE } });
}

/** The headers of a session, whichever form of the code the service takes. */
async function session(bench: Bench, as: ServicePresetName): Promise<Record<string, string>> {
  const code = await logInWith(bench, as === 'specification' ? 'text' : 'number');
  expect(code.status).toBe(201);
  return await pin(bench.http, String(code.data.auth_token), FIRST.mpin);
}

/** Reads what one sandbox tells of itself: each switch, and its answers to a login and an order without money. */
async function settingsOf(as: ServicePresetName): Promise<Record<string, string>> {
  const bench = await open({ as });
  const { http } = bench;
  const health = await http.get('/_sandbox/health');
  expect(health.data.as).toBe(as);
  const dialect = (await http.get('/_sandbox/dialect')).data as Record<string, string>;
  expect(Object.keys(dialect)).toEqual(Object.keys(SERVICE_DIALECTS));
  const headers = await session(bench, as);
  const limit = await requestsBefore429(bench, headers);
  const funds = await buysWithoutMoney(bench, headers);
  return { ...dialect, '--rate-limit': limit, '--funds': funds };
}

/** Trading requests that are answered within one standing second. */
async function requestsBefore429({ http }: Bench, headers: Record<string, string>): Promise<string> {
  for (let count = 0; count <= 100; count++)
    if ((await http.get('/orders/v2', { headers })).status === 429)
      return count === 10 ? 'live' : count === 100 ? 'uat' : `after ${count}`;
  return 'off';
}

/** True if a purchase for more than all the money of the account is taken by the exchange. */
async function buysWithoutMoney(bench: Bench, headers: Record<string, string>): Promise<string> {
  const { http } = bench;
  await bench.advance('PT2S');
  const price = (await http.get('/optionchains/RELIANCE/price?exchange=NSE', { headers })).data.price as number;
  const { symbol, ref_id } = share(bench);
  const order_qty = Math.ceil(3_00_00_000_00 / price);
  await http.post(
    '/orders/v2/single',
    { ...MARKET_ORDER, ref_id, exchange: 'NSE', price_type: 'LIMIT', order_price: price, order_qty },
    { headers },
  );
  await bench.advance('PT3S');
  const { data } = await http.get('/orders/v2', { headers });
  const [order] = Array.isArray(data) ? data : data.orders;
  expect(symbol).toBe('RELIANCE');
  return order.order_status === 'ORDER_STATUS_REJECTED' ? 'checked' : 'unchecked';
}

function share({ running }: Bench): { symbol: string; ref_id: number } {
  const { refId, symbol } = running.sandbox.world.universe().bySymbol('NSE', 'RELIANCE')!;
  return { ref_id: refId, symbol };
}

it('a service differs like the table of the docs, and in nothing else', async () => {
  const settingsByPreset: Record<string, Record<string, string>> = {};
  for (const as of SERVICE_PRESET_NAMES) settingsByPreset[as] = await settingsOf(as);
  const { specification, live, uat } = settingsByPreset;
  const rows = Object.keys(specification!)
    .filter((name) => specification![name] !== live![name] || specification![name] !== uat![name])
    .map((name) => `| \`${name}\` | ${[specification, live, uat].map((of) => `\`${of![name]}\``).join(' | ')} |`);
  const page = readFileSync(path.resolve(__dirname, '../../../docs/sandbox.md'), 'utf8');
  const table = /<!-- table of services -->\n\n([^]*?)\n\n<!-- end of the table -->/.exec(page)?.[1];
  expect(table).toBe(['| | specification | live | uat |', '|---|---|---|---|', ...rows].join('\n'));
});

it.each([
  [['--as', 'live', '--dialect', 'totp_number=accepted'], { dialect: { totp_number: 'accepted', empty_list: 'null' } }],
  [['--as', 'live', '--rate-limit', 'off'], { rateLimit: 'off', funds: 'checked' }],
  [['--as', 'uat', '--funds', 'checked'], { funds: 'checked', rateLimit: 'uat' }],
  [['--funds', 'unchecked'], { as: 'specification', funds: 'unchecked', dialect: {} }],
])('%j lets a single option count', (args, options) => {
  expect(parseOptions(args)).toMatchObject(options);
});

it('the option refuses another word, by naming those that there are', () => {
  expect(() => parseOptions(['--as', 'paper'])).toThrow('--as must be one of specification, live, uat, not "paper".');
});

it('a code as text is refused by its form as live, and the same code as a number is taken', async () => {
  const bench = await open({ as: 'live' });
  expect((await logInWith(bench, 'text')).status).toBe(400);
  expect((await logInWith(bench, 'number')).status).toBe(201);
});

describe.each(SERVICE_PRESET_NAMES)('as %s', (as) => {
  const wide = as === 'specification';

  it('takes an intent order with a tag, and without one as it says', async () => {
    const bench = await open({ as });
    const headers = await session(bench, as);
    const item = { refId: share(bench).ref_id, qty: 1, side: 'BUY', deliveryType: 'CNC', priceType: 'MARKET' };
    const place = async (more: object) =>
      await bench.http.post(
        '/sentinel/orders/create',
        { orders: [{ ...item, validityType: 'IOC', isMultiLeg: false, executionMode: 'ENTRY', ...more }] },
        { headers },
      );
    const tagged = await place({ stratTags: ['mine'] });
    expect([tagged.status, tagged.data.orders[0].stratTags]).toEqual([201, ['mine']]);
    expect(String(tagged.data.orders[0].intentOrderId).length > 10).toBe(wide);
    const plain = await place({});
    if (wide) expect([plain.status, plain.data.error]).toEqual([400, expect.stringContaining('exactly one tag')]);
    else expect([plain.status, plain.data.orders[0].stratTags]).toEqual([201, []]);
    await bench.advance('PT5S');
    const positions = await bench.http.get('/sentinel/portfolio/positions', { headers });
    expect(positions.data.portfolio.positions[0].status).toBe(wide ? undefined : 'OPEN');
  });

  it('keeps candles as far back as it says', async () => {
    const bench = await open({ as });
    const headers = await session(bench, as);
    const query = {
      exchange: 'NSE',
      type: 'STOCK',
      values: ['RELIANCE'],
      fields: ['close'],
      startDate: '2025-11-24T00:00:00.000Z',
      endDate: '2026-11-23T00:00:00.000Z',
      interval: '1d',
    };
    const { data } = await bench.http.post('/charts/timeseries', { query: [query] }, { headers });
    const first = data.result[0].values[0].RELIANCE.close[0].ts as number;
    expect(new Date(first / 1e6).toISOString().slice(0, 7)).toBe(as === 'uat' ? '2026-04' : '2025-11');
  });
});

it('nobody is called for margin without checks of funds, and sold shares must still be held', async () => {
  const bench = await open({ as: 'uat', orderInterface: 'v2', hours: 'exchange' });
  const headers = await session(bench, 'uat');
  const { ref_id } = share(bench);
  const order = { ...MARKET_ORDER, ref_id, exchange: 'NSE' };
  const place = async (more: object) => await bench.http.post('/orders/v2/single', { ...order, ...more }, { headers });
  await place({ order_qty: 60_000, order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY' });
  await bench.advance('PT1H');
  const funds = (await bench.http.get('/portfolio/user_funds_and_margin', { headers })).data.port_funds_and_margin;
  expect(funds.net_margin_available).toBeLessThan(0);
  await place({ order_qty: 1_000_000, order_side: 'ORDER_SIDE_SELL' });
  await bench.advance('PT3S');
  const { data } = await bench.http.get('/orders/v2', { headers });
  const orders = (Array.isArray(data) ? data : data.orders) as Record<string, unknown>[];
  expect(orders.map(({ order_status }) => order_status).sort()).toEqual([
    'ORDER_STATUS_FILLED',
    'ORDER_STATUS_REJECTED',
  ]);
  expect(JSON.stringify(await journalOf(bench))).not.toContain('margin_call');
});

async function journalOf({ http }: Bench): Promise<unknown> {
  return (await http.get('/_sandbox/journal?limit=1000')).data;
}
