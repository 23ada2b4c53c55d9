/** Instrument, Quote and Candle operations: what is found, split, joined and refused; and the node as a tool of an AI agent. */
import type { INodeParameters } from 'n8n-workflow';
import { parse } from 'csv-parse/sync';
import { Engine } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { bySymbol, fromList, orderForm } from '../support/parameters';
import { chosenDialect, testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());

const json = ({ items, error }: NodeRun) => {
  expect(error).toBeUndefined();
  return items.map((item) => item.json);
};
const run = async (resource: string, operation: string, parameters: INodeParameters) =>
  await engine.run({ resource, operation, ...parameters });

describe('several symbols in Instrument, as a scanner sends them', () => {
  const names = { ...bySymbol('TCS, BSE:INFY,SBIN'), options: {} };

  it('are an item each where an operation takes several', async () => {
    expect(
      json(await run('quote', 'getCurrentPrice', names)).map(({ symbol, exchange }) => [symbol, exchange]),
    ).toEqual([
      ['TCS', 'NSE'],
      ['INFY', 'BSE'],
      ['SBIN', 'NSE'],
    ]);
    const wrong = await run('quote', 'getCurrentPrice', { ...bySymbol('TCS,NOSUCH'), options: {} });
    expect(wrong.error?.message).toContain('"NOSUCH"');
    const many = await run('quote', 'getCurrentPrice', { ...bySymbol('TCS,'.repeat(501)), options: {} });
    expect(many.error?.message).toBe('Instrument has 501 instruments; one item takes at most 500.');
  });

  it('are refused with what to do where it takes one, and a contract in words is not taken for several', async () => {
    const refused = await run('order', 'place', { ...orderForm(), ...names });
    expect(refused.error?.message).toBe('Instrument names 3 instruments (TCS, BSE:INFY, SBIN), and takes one here.');
    expect(refused.error?.description).toContain('"Quote: Get Current Price" in front');
    const words = await run('order', 'place', { ...orderForm(), ...bySymbol('NOSUCH 26NOV, 24500 CE') });
    expect(words.error?.message).not.toContain('takes one here');
  });
});

describe('Instrument', () => {
  it('puts the exact symbol first, then what begins so, and never what has expired', async () => {
    const found = json(await run('instrument', 'search', { query: 'TCS', exchanges: [], limit: 10 }));
    expect(found[0]).toMatchObject({ symbol: 'TCS', exchange: 'NSE' });
    expect(found.map(({ exchange }) => exchange)).toContain('BSE');
    for (const { expiry } of found) expect(expiry === null || String(expiry) >= '2026-11-20').toBe(true);
    expect((await run('instrument', 'search', { query: '   ' })).error?.context?.parameter).toBe('query');
  });

  it('is found by contract, ISIN, platform name and what the search returned', async () => {
    const [option] = json(
      await run('instrument', 'getMany', {
        filters: { underlying: 'NIFTY', kinds: ['OPT'], optionType: 'PE' },
        limit: 1,
        simplify: false,
      }),
    );
    const day = String(option?.expiry);
    const texts = [
      `NIFTY ${day} ${String(option?.strike_price)} PE`,
      `nifty ${day.slice(8)}${['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'][Number(day.slice(5, 7)) - 1]} ${String(option?.strike_price)} put`,
      String(option?.plat_name),
    ];
    for (const text of texts)
      expect(json(await run('instrument', 'get', bySymbol(text)))[0]).toMatchObject({ ref_id: option?.ref_id });
    expect(json(await run('instrument', 'get', fromList(String(option?.instrument))))[0]).toMatchObject({
      ref_id: option?.ref_id,
    });
    expect(json(await run('instrument', 'get', bySymbol('INE009A01021')))[0]).toMatchObject({ symbol: 'INFY' });
    const strike = await run('instrument', 'get', bySymbol(`NIFTY ${day} 12345 PE`));
    expect(strike.error?.description).toContain('nearest strikes');
  });

  it('filters by strike and expiry, money in the unit that is chosen', async () => {
    const [any] = json(
      await run('instrument', 'getMany', { filters: { underlying: 'NIFTY', kinds: ['OPT'] }, limit: 1 }),
    );
    const strike = Number(any?.strike_price);
    const filters = {
      underlying: 'NIFTY',
      kinds: ['OPT'],
      expiryFrom: any?.expiry as string,
      expiryTo: any?.expiry as string,
    };
    const rupees = json(
      await run('instrument', 'getMany', {
        returnAll: true,
        filters: { ...filters, strikeFrom: strike, strikeTo: strike },
      }),
    );
    expect(rupees.map(({ strike_price, option_type }) => [strike_price, option_type])).toEqual([
      [strike, 'CE'],
      [strike, 'PE'],
    ]);
    const paise = json(
      await run('instrument', 'getMany', {
        returnAll: true,
        filters: { ...filters, strikeFrom: strike * 100, strikeTo: strike * 100 },
        options: { priceUnit: 'paise' },
      }),
    );
    expect(paise.map(({ strike_price }) => strike_price)).toEqual([strike * 100, strike * 100]);
    expect(json(await run('instrument', 'getMany', { limit: 3 }))).toHaveLength(3);
  });

  it('finds the option at the money and the one a number of strikes away from it', async () => {
    const at = async (more: INodeParameters) =>
      json(await run('instrument', 'getOptionByOffset', { underlying: 'NIFTY', ...more }))[0] ?? {};
    const atm = await at({ moneyness: 'ATM' });
    const out = await at({ moneyness: 'OTM', strikes: 2 });
    const inside = await at({ moneyness: 'ITM', strikes: 2 });
    const put = await at({ moneyness: 'OTM', strikes: 2, optionType: 'PE' });
    expect(Math.abs(Number(atm.strike_price) - Number(atm.underlying_price))).toBeLessThanOrEqual(50);
    expect(Number(out.strike_price)).toBeGreaterThan(Number(atm.strike_price));
    expect(Number(inside.strike_price)).toBeLessThan(Number(atm.strike_price));
    expect(Number(put.strike_price)).toBeLessThan(Number(atm.strike_price));
    expect((await at({ expiry: 'next' })).expiry).not.toBe(atm.expiry);
    expect(Number(atm.premium)).toBeGreaterThan(Number(out.premium));
    const quote = json(await run('quote', 'getCurrentPrice', bySymbol(String(atm.symbol))))[0];
    expect(atm.premium).toBe(quote?.price);
    for (const underlying of ['NIFTY 50', 'Nifty50', 'nifty  50'])
      expect((await at({ underlying })).symbol).toBe(atm.symbol);
    expect(Number((await at({ options: { spot: 20000 } })).underlying_price)).toBe(20000);
    expect(Number((await at({ options: { spot: 25123.456789 } })).underlying_price)).toBe(25123.46);
    expect(
      (await run('instrument', 'getOptionByOffset', { underlying: 'NIFTY', expiry: 'date', expiryDate: '2026-11-22' }))
        .error,
    ).toMatchObject({ context: { parameter: 'expiryDate' }, description: expect.stringContaining('expiries are') });
    expect((await run('instrument', 'getOptionByOffset', { underlying: 'NOPE' })).error?.context?.parameter).toBe(
      'underlying',
    );
  });

  it('tells how far a price is from another one, such as a stop loss', async () => {
    const [plain] = json(await run('quote', 'getCurrentPrice', bySymbol('INFY')));
    const price = Number(plain!.price);
    const compared = async (compareWith: unknown) =>
      await run('quote', 'getCurrentPrice', { ...bySymbol('INFY'), options: { compareWith: compareWith as number } });
    const [near] = json(await compared(price * 0.98));
    expect(near).toMatchObject({ price, difference_percent: 2.04 });
    expect(near?.difference).toBeCloseTo(price * 0.02, 2);
    expect(json(await compared(price * 2))[0]).toMatchObject({ difference: -price, difference_percent: -50 });
    expect(plain).not.toHaveProperty('difference_percent');
    for (const wrong of [0, -1, 'x']) expect((await compared(wrong)).error?.context?.parameter).toBe('compareWith');
  });

  it('finds the option that is a percentage of the price away from the money', async () => {
    const at = async (more: INodeParameters) =>
      await run('instrument', 'getOptionByOffset', {
        ...{ underlying: 'NIFTY', moneyness: 'OTM', distanceIn: 'percent', options: { spot: 26000 } },
        ...more,
      });
    const strike = async (more: INodeParameters) => json(await at(more))[0]?.strike_price;
    expect(await strike({ percentAway: 2 })).toBe(26500);
    expect(await strike({ percentAway: 2, optionType: 'PE' })).toBe(25500);
    expect(await strike({ percentAway: 2, moneyness: 'ITM' })).toBe(25500);
    expect(await strike({ percentAway: 2, moneyness: 'ATM' })).toBe(26000);
    expect((await at({ percentAway: 90 })).error).toMatchObject({
      message: expect.stringContaining('NIFTY has no strike near ₹49,400.00'),
      description: expect.stringMatching(/run from ₹[\d,.]+ to ₹[\d,.]+: choose a smaller percentage/),
      context: { parameter: 'percentAway' },
    });
    for (const percentAway of [0, 100, -5])
      expect((await at({ percentAway })).error?.context?.parameter).toBe('percentAway');
  });

  it('writes the master as CSV and JSON that hold the same', async () => {
    const form = { filters: { underlying: 'NIFTY', kinds: ['FUT'] } };
    const csv = await run('instrument', 'downloadMaster', form);
    const text = await run('instrument', 'downloadMaster', { ...form, format: 'json' });
    const rows = parse(Engine.bytes(csv.items[0]), { columns: true }) as Record<string, string>[];
    const objects = JSON.parse(Engine.bytes(text.items[0]).toString()) as Record<string, unknown>[];
    expect(rows.map(({ ref_id }) => Number(ref_id))).toEqual(objects.map(({ ref_id }) => ref_id));
    expect(csv.items[0]?.json).toMatchObject({
      rows: rows.length,
      file_name: expect.stringMatching(/^instruments_NSE_\d{4}-\d\d-\d\d\.csv$/),
    });
    expect(csv.items[0]?.binary?.data).toMatchObject({ mimeType: 'text/csv' });
  });

  it('lists what the picker shows with enough to tell twins apart, and its errors in words', async () => {
    const { results } = await engine.listSearch('searchInstruments', 'INFY');
    expect(new Set(results.map(({ name }) => name)).size).toBe(results.length);
    expect((await engine.listSearch('searchInstruments', '')).results).toEqual([]);
    const before = await engine.storedCredential();
    await engine.setCredential({ ...before, sandboxBaseUrl: 'ftp://x' });
    await expect(engine.listSearch('searchInstruments', 'INFY')).rejects.toThrow('https://');
    await engine.setCredential(before);
  });
});

describe('Quote', () => {
  it('refuses the order book of an index before asking for one', async () => {
    const { error } = await run('quote', 'getOrderBook', bySymbol('NIFTY'));
    expect(error?.message).toContain('NIFTY is an index, which has no order book');
    expect(error?.context?.parameter).toBe('instrument');
  });
});

describe('Candle', () => {
  const form = { ...bySymbol('INFY'), range: 'custom', from: '2026-11-19', to: '2026-11-20' };

  it('gives one row a bar with its own volume, in order, joined over windows longer than the limit', async () => {
    const bars = json(await run('candle', 'get', { ...form, interval: '15m' }));
    expect(bars).toHaveLength(96);
    expect(bars[0]).toMatchObject({
      symbol: 'INFY',
      interval: '15m',
      time: expect.stringContaining('2026-11-19T00:00'),
    });
    // Traded around the clock; cumulative volume is counted from the day's first bar on.
    const total = bars.reduce((sum, { volume }) => sum + Number(volume), 0);
    expect(total).toBe(bars.at(-1)?.cumulative_volume);
    const times = json(
      await run('candle', 'get', { ...form, interval: '1d', from: '2016-11-21', fields: ['close'] }),
    ).map(({ ts }) => BigInt(String(ts)));
    // The other dialect keeps seven months of them.
    expect(times.length).toBeGreaterThan('candle_history' in chosenDialect() ? 140 : 2_400);
    expect(times.every((ts, at) => at === 0 || ts > (times[at - 1] as bigint))).toBe(true);
  });

  it('asks for more than ten symbols and several types in as many queries as it takes', async () => {
    const symbols = [
      'TCS',
      'SBIN',
      'ITC',
      'WIPRO',
      'RELIANCE',
      'HDFCBANK',
      'ICICIBANK',
      'AXISBANK',
      'LT',
      'MARUTI',
      'NTPC',
      'NIFTY',
      'BSE:INFY',
    ];
    const bars = json(
      await run('candle', 'get', { ...form, interval: '1d', options: { moreInstruments: symbols.join(', ') } }),
    );
    expect(new Set(bars.map(({ symbol, exchange }) => `${String(exchange)}:${String(symbol)}`)).size).toBe(
      symbols.length + 1,
    );
  });

  it('writes a CSV file', async () => {
    const { items } = await run('candle', 'get', {
      ...form,
      interval: '1h',
      output: 'csv',
      options: { binaryProperty: 'bars' },
    });
    const rows = parse(Engine.bytes(items[0], 'bars'), { columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(Number(items[0]?.json.rows));
    expect(Object.keys(rows[0] ?? {})).toEqual(
      expect.arrayContaining(['symbol', 'time', 'open', 'high', 'low', 'close', 'volume']),
    );
  });

  it.each<[string, INodeParameters, string]>([
    ['a range that ends before it begins', { from: '2026-11-20', to: '2026-11-19' }, 'to'],
    ['a start that is none', { from: 'soon' }, 'from'],
    ['a start before the service has minutes', { from: '2026-08-01', interval: '1m' }, 'from'],
    ['a start before the service has days', { from: '2016-11-01', interval: '1d' }, 'from'],
    ['no field', { fields: [] }, 'fields'],
    ['an unknown symbol among the further ones', { options: { moreInstruments: 'NOPENOPE' } }, 'moreInstruments'],
  ])('refuses %s', async (_, more, parameter) => {
    expect((await run('candle', 'get', { ...form, ...more })).error?.context).toMatchObject({
      parameter,
      itemIndex: 0,
    });
  });
});

describe('as a tool of an AI agent', () => {
  const requested = (query: Record<string, unknown>) => ({ items: [{ json: { query } as never }] });

  it('takes what the model gives, as text or number, and answers with errors that a model can act on', async () => {
    const quote = await engine.run(
      {
        resource: 'quote',
        operation: 'getCurrentPrice',
        instrument: { __rl: true, mode: 'symbol', value: "={{ $fromAI('symbol', 'trading symbol', 'string') }}" },
      },
      requested({ symbol: 'NSE:INFY' }),
    );
    expect(json(quote)[0]).toMatchObject({ symbol: 'INFY', price: expect.any(Number) });
    const unknown = await engine.run(
      {
        resource: 'quote',
        operation: 'getCurrentPrice',
        instrument: { __rl: true, mode: 'list', value: "={{ $fromAI('symbol') }}" },
      },
      requested({ symbol: 'INFOSIS' }),
    );
    expect(`${unknown.error?.message} ${unknown.error?.description}`).toMatch(/no instrument.*INFOSIS/);
  });

  it('cannot be talked out of the limits that are set', async () => {
    const form = orderForm({
      price: "={{ $fromAI('price', '', 'number') }}",
      quantity: "={{ $fromAI('quantity', '', 'number') }}",
      safety: { maxQuantity: 5, dryRun: true },
    });
    const within = await engine.run(form, requested({ price: 1150, quantity: '5' }));
    expect(json(within)[0]).toMatchObject({ dry_run: true });
    const beyond = await engine.run(
      form,
      requested({ price: 1150, quantity: 6, safety: { maxQuantity: 1_000 }, maxQuantity: 1_000, dryRun: false }),
    );
    expect(beyond.error?.context?.parameter).toBe('maxQuantity');
    for (const safety of [
      { maxQuantity: "={{ $fromAI('max', '', 'number') }}" },
      { allowedProducts: ["={{ $fromAI('p') }}"] },
      { dryRun: '={{ $json.query.dryRun }}' },
      { dryRun: "={{ $fromAI('dryRun') }}" },
    ]) {
      expect(
        (
          await engine.run(
            { ...form, safety } as INodeParameters,
            requested({ price: 1150, quantity: 6, max: 10, p: 'CNC', dryRun: false }),
          )
        ).error?.message,
      ).toContain('fixed values');
    }
    expect((await sandbox.journal()).filter(({ kind }) => kind === 'order')).toEqual([]);
  });
});

it('Get Current Price shows where the close is heading during the closing auction only', async () => {
  const price = async (start: string) => {
    const auction = await testSandbox({ rateLimit: 'off', hours: 'exchange', start });
    try {
      const other = await Engine.start(auction.credential);
      return json(await other.run({ resource: 'quote', operation: 'getCurrentPrice', ...bySymbol('INFY') }))[0];
    } finally {
      await auction.close();
    }
  };
  expect(await price('2026-11-20T11:00:00+05:30')).not.toHaveProperty('indicative_close_price');
  expect(await price('2026-11-20T15:25:00+05:30')).toMatchObject({
    symbol: 'INFY',
    indicative_close_price: expect.any(Number),
    change_percent: expect.any(Number),
  });
});
