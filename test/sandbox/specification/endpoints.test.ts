import { FIRST, MARKET_ORDER, logIn, now, start, totpAt, type Bench } from '../support';
import { firstAndShare } from '../../support/sample';

let bench: Bench;
let headers: Record<string, string>;
let infy: number;
beforeAll(async () => {
  bench = await start({ rateLimit: 'off', start: '2026-11-23T11:00:30.000+05:30' });
  headers = await logIn(bench);
  const { data } = await bench.http.get('/refdata/refdata/2026-11-23', { headers });
  infy = data.refdata.find((row: { plat_name: string }) => row.plat_name === 'STOCK_INFY.NSECM').ref_id;
});
afterAll(() => bench.close());

const single = () => ({
  ...MARKET_ORDER,
  ref_id: infy,
});
const candle = (more: Record<string, unknown> = {}) => ({
  exchange: 'NSE',
  type: 'STOCK',
  values: ['INFY'],
  fields: ['close'],
  startDate: '2026-11-20T03:45:00.000Z',
  endDate: '2026-11-23T05:30:00.000Z',
  interval: '15m',
  intraDay: false,
  realTime: false,
  ...more,
});
const day = (date: string) => `${date}T00:00:00+05:30`;
const range = { from_date: day('2026-10-01'), to_date: day('2026-10-31') };

describe('Endpoints: each wants the bearer token and the device id of its session', () => {
  const none = () => undefined;
  it.each<[method: string, path: string, body: () => unknown]>([
    ['GET', '/totp/generate-secret', none],
    ['POST', '/totp/enable', () => ({ mpin: '1357', totp: '123456' })],
    ['POST', '/totp/disable', () => ({ mpin: '1357' })],
    ['GET', '/userinfo', none],
    ['GET', '/refdata/refdata/2026-11-23?exchange=NSE', none],
    ['GET', '/orderbooks/1?levels=5', none],
    ['GET', '/optionchains/INFY/price?exchange=NSE', none],
    ['POST', '/charts/timeseries', () => ({ query: [candle()] })],
    ['POST', '/orders/v2/single', single],
    ['POST', '/orders/v2/multi', () => ({ orders: [single()] })],
    [
      'POST',
      '/orders/v2/basket',
      () => ({
        exchange: 'NSE',
        basket_name: 'b',
        tag: '',
        orders: [{ ref_id: infy, order_qty: 1, order_side: 'ORDER_SIDE_BUY' }],
        basket_params: {
          order_side: 'ORDER_SIDE_BUY',
          order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
          price_type: 'MARKET',
          multiplier: 1,
        },
      }),
    ],
    ['GET', '/orders/1', none],
    ['GET', '/orders', none],
    ['DELETE', '/orders/1', none],
    ['POST', '/orders/cancel', () => ({ orders: [{ order_id: 1 }] })],
    ['GET', '/portfolio/holdings', none],
    ['GET', '/portfolio/positions', none],
    ['GET', '/report', none],
    ['GET', '/report/portfolio', none],
    ...[
      'summary',
      'profit_loss',
      'demat',
      'contract_note',
      'daily_margin',
      'holding',
      'open_positions',
      'dividend',
      'tradebook-report',
      'trader-diary',
      'transaction',
      'orderbook',
      'holdings',
      'capital_gains',
    ].map((name): [string, string, () => unknown] => [
      'POST',
      `/report/${name}`,
      () => ({ action_type: 'VIEW', ...range }),
    ]),
  ])('%s %s is refused without either', async (method, url, body) => {
    const ask = async (by: Record<string, string>) =>
      (await bench.http.request({ method, url, data: body(), headers: by })).status;
    expect(await ask({})).toBe(401);
    expect(await ask({ 'x-device-id': headers['x-device-id']! })).toBe(401);
    expect(await ask({ ...headers, 'x-device-id': 'another' })).toBe(401);
    if (url !== '/totp/enable') expect([401, 403, 440]).not.toContain(await ask(headers));
  });

  it('GET /bhavcopy/nse/{date} refuses the same by 440', async () => {
    const status = async (by: Record<string, string>) =>
      (await bench.http.get('/bhavcopy/nse/20261120?format=csv&type=PR20261120', { headers: by })).status;
    expect([await status({}), await status({ ...headers, 'x-device-id': 'another' }), await status(headers)]).toEqual([
      440, 440, 200,
    ]);
  });
});

describe('The OpenAPI document (issue: Every endpoint)', () => {
  it.each([
    ['post', '/sendphoneotp'],
    ['post', '/verifyphoneotp'],
    ['post', '/verifypin'],
    ['get', '/totp/generate-secret'],
    ['post', '/totp/enable'],
    ['post', '/totp/login'],
    ['post', '/totp/disable'],
    ['get', '/userinfo'],
    ['get', '/refdata/refdata/{date}'],
    ['get', '/orderbooks/{ref_id}'],
    ['get', '/optionchains/{instrument}/price'],
    ['post', '/charts/timeseries'],
    ['get', '/bhavcopy/nse/{date}'],
    ['post', '/orders/v2/single'],
    ['post', '/orders/v2/multi'],
    ['post', '/orders/v2/basket'],
    ['get', '/orders/{order_id}'],
    ['get', '/orders'],
    ['delete', '/orders/{order_id}'],
    ['post', '/orders/cancel'],
    ['get', '/portfolio/holdings'],
    ['get', '/portfolio/positions'],
    ['get', '/report'],
    ['post', '/report/summary'],
    ['get', '/report/portfolio'],
    ['post', '/report/capital_gains'],
    ['post', '/logout'],
    ['post', '/orders/v2/modify/{order_id}'],
    ['get', '/orders/v2/basket'],
    ['post', '/orders/v2/basket/{basket_id}'],
    ['get', '/optionchains/{asset}'],
    ['get', '/ipaddress/validate'],
    ['post', '/orders/v2/margin_required'],
    ['get', '/portfolio/user_funds_and_margin'],
    ['get', '/orders/v2'],
    ['get', '/orders/v2/{order_id}'],
  ])('has %s %s, with a summary, its parameters and the schema of its body', async (method, path) => {
    const { data } = await bench.http.get('/_sandbox/openapi.json');
    const shape = (text: string) => text.replace(/\{\w+\}/g, '{}');
    const [, found] = Object.entries(
      data.paths as Record<string, Record<string, { summary: string; requestBody?: object }>>,
    ).find(([name, methods]) => shape(name) === shape(path) && methods[method] !== undefined)!;
    expect(found[method]!.summary).not.toBe('');
    const parameters = (found[method] as { parameters?: { name: string; in: string }[] }).parameters ?? [];
    const requested = {
      '/refdata/refdata/{date}': ['exchange'],
      '/orderbooks/{ref_id}': ['levels'],
      '/optionchains/{instrument}/price': ['exchange'],
      '/optionchains/{asset}': ['exchange', 'expiry'],
      '/bhavcopy/nse/{date}': ['format', 'type'],
      '/orders': ['live', 'executed', 'tag'],
      '/orders/v2': ['live', 'executed', 'tag'],
    }[path];
    expect(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)).toEqual(
      method === 'get' && path === '/orders/v2/basket' ? ['tag'] : (requested ?? []),
    );
    if (method === 'post' && path !== '/logout')
      expect(found[method]).toHaveProperty(['requestBody', 'content', 'application/json', 'schema']);
  });
});

describe('Endpoints, User info', () => {
  it('env_info.order_service_ws_url is the address of the stream', async () => {
    expect((await bench.http.get('/userinfo', { headers })).data.env_info.order_service_ws_url).toBe(
      `${bench.running.url.replace('http', 'ws')}/stream`,
    );
  });
});

describe('Endpoints, Historical candles: body', () => {
  const ask = async (more: Record<string, unknown>) =>
    await bench.http.post('/charts/timeseries', { query: [candle(more)] }, { headers });
  const names = (type: 'OPT' | 'FUT') => {
    const universe = bench.running.sandbox.world.universe();
    if (type === 'FUT') return universe.futures('NSE', 'NIFTY')[0]!.symbol;
    const { ce } = universe.options('NSE', 'NIFTY', universe.expiries('NSE', 'NIFTY')[0]!);
    return ce[Math.floor(ce.length / 2)]!.symbol;
  };
  const symbolOf = (type: string) =>
    type === 'STOCK' ? 'INFY' : type === 'OPT' || type === 'FUT' ? names(type) : 'NIFTY';

  it.each(['STOCK', 'INDEX', 'OPT', 'FUT', 'CHAIN'])('takes the type %s', async (type) => {
    const symbol = symbolOf(type);
    const { status, data } = await ask({
      type,
      values: [symbol],
      interval: '1h',
      startDate: '2026-11-23T03:45:00.000Z',
    });
    expect([status, data.result?.[0].type]).toEqual([200, type]);
    expect(data.result[0].values[0][symbol].close.length).toBeGreaterThan(0);
  });

  const everywhere = [
    'open',
    'high',
    'low',
    'close',
    'tick_volume',
    'cumulative_volume',
    'cumulative_volume_premium',
    'l1bid',
    'l1ask',
    'cumulative_volume_delta',
  ];
  const greeks = ['theta', 'delta', 'gamma', 'vega', 'iv_bid', 'iv_ask', 'iv_mid'];
  const chain = ['cumulative_call_oi', 'cumulative_put_oi', 'cumulative_fut_oi'];
  const fields = [
    ...everywhere.map((field) => ['STOCK', field]),
    ...[...greeks, 'cumulative_oi'].map((field) => ['OPT', field]),
    ['FUT', 'cumulative_oi'],
    ...chain.map((field) => ['CHAIN', field]),
  ];
  it.each(firstAndShare(fields, 6, ([type]) => type!))('%s has the field %s at every candle', async (type, field) => {
    const symbol = symbolOf(type!);
    const { status, data } = await ask({
      type,
      values: [symbol],
      fields: ['close', field],
      interval: '1h',
      startDate: '2026-11-23T03:45:00.000Z',
    });
    expect(status).toBe(200);
    const found = data.result[0].values[0][symbol];
    expect(found[field!].map(({ ts }: { ts: string }) => ts)).toEqual(found.close.map(({ ts }: { ts: string }) => ts));
    expect(found[field!].every(({ v }: { v: unknown }) => Number.isFinite(v))).toBe(true);
  });

  it.each(['exchange', 'type', 'values', 'fields', 'interval'])('%s is required', async (name) => {
    const { status, data } = await ask({ [name]: undefined });
    expect([status, data.error]).toEqual([400, expect.stringContaining(name)]);
  });

  it('values: takes one or more symbols, each a separate object', async () => {
    const { data } = await ask({ values: ['INFY', 'TCS'] });
    expect(data.result[0].values.map((value: object) => Object.keys(value))).toEqual([['INFY'], ['TCS']]);
  });

  it.each(['startDate', 'endDate'])(
    '%s without a time zone is refused: it would be another instant on another machine',
    async (name) => {
      const { status, data } = await ask({ [name]: '2026-11-23T03:45:00.000' });
      expect([status, data.error]).toEqual([400, expect.stringContaining(name)]);
    },
  );

  it('intraDay: makes startDate the current date', async () => {
    const { data } = await ask({ intraDay: true });
    expect(BigInt(data.result[0].values[0].INFY.close[0].ts)).toBe(
      BigInt(Date.parse('2026-11-23T00:00:00+05:30')) * 1_000_000n,
    );
  });
});

describe('Endpoints, Orders: single-order body', () => {
  const place = async (more: Record<string, unknown>) =>
    (await bench.http.post('/orders/v2/single', { ...single(), ...more }, { headers })) as {
      status: number;
      data: Record<string, unknown>;
    };

  it.each(['ref_id', 'order_type', 'order_qty', 'order_side', 'order_delivery_type', 'validity_type', 'price_type'])(
    '%s is required',
    async (name) => {
      const { status, data } = await place({ [name]: undefined });
      expect([status, data['error']]).toEqual([400, expect.stringContaining(name)]);
    },
  );

  it.each(['order_type', 'order_side', 'order_delivery_type', 'validity_type', 'price_type'])(
    '%s takes its enum only, and says which words there are',
    async (name) => {
      const { status, data } = await place({ [name]: 'SOMETHING' });
      expect([status, data['error']]).toEqual([400, expect.stringMatching(new RegExp(`${name}.*: [A-Z_]+, `))]);
    },
  );

  it.each([
    ['order_type', 'ORDER_TYPE_REGULAR', {}],
    ['order_side', 'ORDER_SIDE_BUY', {}],
    ['order_side', 'ORDER_SIDE_SELL', { order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY' }],
    ['order_delivery_type', 'ORDER_DELIVERY_TYPE_CNC', {}],
    ['order_delivery_type', 'ORDER_DELIVERY_TYPE_IDAY', {}],
    ['validity_type', 'DAY', {}],
    ['validity_type', 'IOC', {}],
    ['price_type', 'MARKET', {}],
    ['price_type', 'LIMIT', { order_price: 100_000 }],
    ['tag', 'mine', {}],
  ])('%s %s comes back in the record', async (name, value, more) => {
    const { status, data } = await place({ ...more, [name]: value });
    expect([status, data[name], data['order_status'], data['filled_qty']]).toEqual([
      200,
      value,
      'ORDER_STATUS_PENDING',
      0,
    ]);
  });

  it.each(['order_price', 'tag', 'algo_params'])('%s may be left out or be null', async (name) => {
    for (const value of [undefined, null]) expect((await place({ [name]: value })).status).toBe(200);
  });
});

describe('Endpoints, Reports: request body', () => {
  const run = async (report: string, more: Record<string, unknown>) =>
    await bench.http.post(
      `/report/${report}`,
      { action_type: 'VIEW', export_format: 'JSON', ...range, ...more },
      { headers },
    );
  const type = async (report: string, more: Record<string, unknown>) =>
    (await run(report, more)).headers['content-type'];

  it('action_type: VIEW gives JSON, DOWNLOAD a file, EMAIL an acknowledgement', async () => {
    expect(await type('summary', {})).toMatch(/^application\/json/);
    expect(await type('summary', { action_type: 'DOWNLOAD', export_format: 'PDF' })).toBe('application/pdf');
    expect(await type('summary', { action_type: 'EMAIL', export_format: 'PDF' })).toMatch(/^application\/json/);
    expect((await run('summary', { action_type: 'PRINT' })).status).toBe(400);
  });

  it('export_format: is PDF, EXCEL, or JSON with VIEW', async () => {
    expect(await type('summary', { action_type: 'DOWNLOAD', export_format: 'EXCEL' })).toContain('spreadsheetml');
    expect((await run('summary', { action_type: 'DOWNLOAD', export_format: 'JSON' })).status).toBe(400);
  });

  it.each(['from_date', 'to_date'])('%s: is RFC 3339 with the IST offset', async (name) => {
    expect((await run('summary', { [name]: undefined })).status).toBe(400);
    expect((await run('summary', { [name]: '31/10/2026' })).status).toBe(400);
  });

  it('date: is RFC 3339 with the IST offset', async () => {
    expect((await run('holding', { date: day('2026-11-20') })).status).toBe(200);
    expect((await run('holding', { date: undefined })).status).toBe(400);
  });

  it.each(['dividend', 'tradebook-report', 'trader-diary', 'transaction', 'orderbook', 'capital_gains'])(
    'rule 1: %s is downloaded as XLSX without export_format',
    async (report) => {
      expect(
        await type(report, {
          action_type: 'DOWNLOAD',
          export_format: undefined,
          from_date: day('2026-01-01'),
          to_date: day('2026-11-20'),
        }),
      ).toContain('spreadsheetml');
    },
  );

  it.each(['dividend', 'tradebook-report', 'trader-diary', 'transaction', 'orderbook', 'capital_gains'])(
    'rule 2: %s is not sent by e-mail',
    async (report) => {
      expect((await run(report, { action_type: 'EMAIL' })).status).toBe(400);
    },
  );
});

describe('States: TOTP setting', () => {
  it('goes disabled → POST /totp/enable with MPIN and code → enabled → POST /totp/disable with MPIN → disabled', async () => {
    const other = await start();
    const { http } = other;
    const by = await logIn(other);
    const post = (path: string, body: unknown) => http.post(path, body, { headers: by });
    const code = async (secret: string) => totpAt(secret, await now(http));
    const secret = async () =>
      (await http.get('/totp/generate-secret', { headers: by })).data.data.secret_key as string;
    expect((await post('/totp/disable', { mpin: FIRST.mpin })).data).toEqual({ message: expect.any(String) });
    expect((await post('/totp/login', { phone: FIRST.phone, totp: await code(FIRST.secret), otp: '' })).status).toBe(
      400,
    );
    const [earlierSecret, latestSecret] = [await secret(), await secret()];
    expect(latestSecret).not.toBe(earlierSecret);
    expect((await post('/totp/enable', { mpin: '0000', totp: await code(latestSecret) })).status).toBe(401);
    expect((await post('/totp/enable', { mpin: FIRST.mpin, totp: await code(earlierSecret) })).status).toBe(401);
    expect((await post('/totp/enable', { mpin: FIRST.mpin, totp: await code(latestSecret) })).data).toEqual({
      message: expect.any(String),
    });
    await other.advance('PT30S');
    const again = await post('/totp/login', { phone: FIRST.phone, totp: await code(latestSecret), otp: '' });
    expect([again.status, again.data.next]).toEqual([201, 'ENTER_MPIN']);
    await other.close();
  });
});
