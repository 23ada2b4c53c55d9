/** Quote: Build Option Strategy in n8n's engine against the sandbox over real HTTP, and the basket that is placed from it. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';
import { inFrontOf } from '../support/scripted';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

interface Leg extends IDataObject {
  instrument: string;
  side: 'BUY' | 'SELL';
  quantity: number;
  ref_id: number;
  option_type: 'CE' | 'PE';
  strike_price: number;
  last_price: number;
  delta: number;
}
interface Built extends IDataObject {
  net_premium: number;
  premium: number;
  max_profit: number | null;
  max_loss: number | null;
  max_loss_unlimited: boolean;
  breakevens: number[];
  margin?: number;
  legs: Leg[];
  payoff: { price: number; profit: number }[];
}

const form = (given: INodeParameters): INodeParameters => ({
  resource: 'quote',
  operation: 'buildOptionStrategy',
  underlying: 'NIFTY',
  exchange: 'NSE',
  expiry: 'nearest',
  side: 'SELL',
  ...given,
});

const basket = (given: INodeParameters): INodeParameters => ({
  resource: 'basket',
  operation: 'place',
  name: 'Mine',
  strategy: 'built',
  product: 'IDAY',
  priceType: 'MARKET',
  simplify: false,
  options: {},
  safety: {},
  ...given,
});

const INTERFACES = ['v2', 'intent'] as const;

describe.each(INTERFACES)('%s', (orderInterface) => {
  const test = inTurn(INTERFACES.length, INTERFACES.indexOf(orderInterface));
  let sandbox: TestSandbox;
  let engine: Engine;
  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface });
    engine = await Engine.start(sandbox.credential);
  });
  afterAll(async () => await sandbox.close());

  const build = async (given: INodeParameters) => {
    const { items, error } = await engine.run(form(given));
    if (error !== undefined) throw new Error(allTextOf(error));
    expect(items).toHaveLength(1);
    return { built: items[0]!.json as Built, binary: items[0]!.binary };
  };
  const refusal = async (parameters: INodeParameters, json: IDataObject = {}): Promise<string> => {
    const { error, items } = await engine.run(parameters, { items: [{ json }] });
    expect(items).toEqual([]);
    return allTextOf(error!);
  };

  test('shows the premium, limits and margin of a straddle that is sold', async () => {
    const { built, binary } = await build({ strategy: 'straddle' });
    const [call, put] = built.legs as [Leg, Leg];
    expect(built.legs.map(({ side, option_type: type }) => `${side} ${type}`)).toEqual(['SELL CE', 'SELL PE']);
    expect(call.strike_price).toBe(put.strike_price);
    const received = call.last_price + put.last_price;
    expect(built.net_premium).toBeCloseTo(-received, 6);
    expect(built.premium).toBeCloseTo(-received * call.quantity, 6);
    expect(built).toMatchObject({ max_loss: null, max_loss_unlimited: true, max_profit_unlimited: false });
    expect(built.max_profit).toBeCloseTo(received * call.quantity, 6);
    expect(built.breakevens[0]).toBeCloseTo(call.strike_price - received, 6);
    expect(built.breakevens[1]).toBeCloseTo(call.strike_price + received, 6);
    expect(built.margin).toBeGreaterThan(0);
    expect(built.payoff.find(({ price }) => price === call.strike_price)?.profit).toBeCloseTo(built.max_profit!, 6);
    expect(binary?.data).toMatchObject({ mimeType: 'image/png', fileExtension: 'png' });
  });

  test('has a sentence in rupees for a message, whatever Prices In says', async () => {
    const strangle = form({ strategy: 'strangle', distance: 2, options: { priceUnit: 'paise' } });
    const { items } = await engine.run(strangle, { typeVersion: 1.2 });
    const { summary, legs } = items[0]!.json as Built & { summary: string };
    const [call, put] = legs as [Leg, Leg];
    const [amount, price] = ['₹[\\d,]+\\.\\d\\d', '₹\\d\\d,\\d\\d\\d\\.\\d\\d'];
    // Only the newer order interface knows the charges.
    const charges = orderInterface === 'intent' ? `, charges ${amount} to enter` : '';
    const strikes = [call, put].map(({ strike_price: strike }) => (strike / 100).toLocaleString('en-IN'));
    const sold = `sell ${call.quantity} NIFTY Nov ${strikes[0]} CE, sell ${put.quantity} NIFTY Nov ${strikes[1]} PE`;
    expect(summary).toMatch(
      new RegExp(
        `^Strangle of NIFTY, expiry \\d+ \\w+ \\d{4}: ${sold}\\. ${amount} received, earns ${amount} at most, loses without a limit, ` +
          `breaks even at ${price} and ${price} before charges, margin ${amount}${charges}\\. Nothing was placed\\.$`,
      ),
    );
    const condor = form({ strategy: 'condor', distance: 2, width: 2, side: 'BUY', options: { margin: false } });
    const [bought] = (await engine.run(condor, { typeVersion: 1.2 })).items;
    expect(bought!.json.summary).toMatch(
      / paid, earns ₹[\d,.]+ at most, loses ₹[\d,.]+ at most, breaks even at .* before charges\. N/,
    );
    const [before] = (await engine.run(condor, { typeVersion: 1.1 })).items;
    expect(before!.json).not.toHaveProperty('summary');
  });

  test('makes a limit price and legs that Basket: Place takes: the same options, on the same sides', async () => {
    const { built } = await build({ strategy: 'condor', distance: 2, width: 2, quantity: 2 });
    const { items, error } = await engine.run(
      basket({ priceType: 'LIMIT', price: '={{ $json.net_premium }}', options: { roundToTick: 'safe' } }),
      { items: [{ json: built }] },
    );
    if (error !== undefined) throw new Error(allTextOf(error));
    const placed = items[0]!.json as {
      orders: { ref_id?: number; ref_data?: { ref_id: number }; order_side: string; order_qty: number }[];
    };
    expect(placed.orders.map((leg) => `${leg.order_side.replace('ORDER_SIDE_', '')} ${leg.order_qty}`).sort()).toEqual(
      built.legs.map(({ side, quantity }) => `${side} ${quantity}`).sort(),
    );
    const sent = JSON.stringify(placed);
    for (const { ref_id } of built.legs) expect(sent).toContain(String(ref_id));
  });

  test('places the same legs where the list comes as text, or within its item', async () => {
    const { built } = await build({ strategy: 'straddle' });
    const sent = async (legs: unknown): Promise<unknown> => {
      const { items, error } = await engine.run(basket({ safety: { dryRun: true } }), {
        items: [{ json: { legs } as never }],
      });
      if (error !== undefined) throw new Error(allTextOf(error));
      const { orders } = (items[0]?.json.would_send as { body: { orders: object[] } }).body;
      // Each execution has a separate tag.
      return orders.map((leg) => ({ ...leg, stratTags: undefined }));
    };
    const orders = await sent(built.legs);
    for (const legs of [
      JSON.stringify(built.legs),
      ` ${JSON.stringify(built.legs, null, 2)}\n`,
      built,
      JSON.stringify(built),
    ])
      expect(await sent(legs)).toEqual(orders);
  });

  test('does not turn the legs round for a Basket Side that is left over from before', async () => {
    const { built } = await build({ strategy: 'straddle' });
    const sent = async (side: string): Promise<string[]> => {
      const { items } = await engine.run(basket({ side, safety: { dryRun: true } }), { items: [{ json: built }] });
      return JSON.stringify(items[0]?.json.would_send).match(/ORDER_SIDE_\w+|"side":"\w+"|"unitQty":-?\d+/g) ?? [];
    };
    const sides = await sent('BUY');
    expect(sides.filter((side) => ['ORDER_SIDE_SELL', '"unitQty":-1'].includes(side))).toHaveLength(2);
    expect(await sent('SELL')).toEqual(sides);
  });

  test('chooses the nearest legs by delta, without their signs', async () => {
    const { built } = await build({
      strategy: 'condor',
      strikesBy: 'delta',
      deltaNear: 0.3,
      deltaFar: 0.1,
      options: { margin: false, picture: false },
    });
    expect(built.margin).toBeUndefined();
    expect(built.legs.map(({ side, option_type: type }) => `${side} ${type}`)).toEqual([
      'SELL CE',
      'SELL PE',
      'BUY CE',
      'BUY PE',
    ]);
    const [call, put, upper, lower] = built.legs as [Leg, Leg, Leg, Leg];
    expect(lower.strike_price < put.strike_price && put.strike_price < call.strike_price).toBe(true);
    expect(upper.strike_price).toBeGreaterThan(call.strike_price);
    expect(Math.abs(call.delta)).toBeGreaterThan(Math.abs(upper.delta));
    expect(built.max_loss).toBeGreaterThan(0);
  });

  it.each([
    { underlying: 'SENSEX', exchange: 'BSE' },
    { underlying: 'CRUDEOIL', exchange: 'MCX' },
  ])('chooses the legs of $underlying on $exchange', async (of) => {
    const { built } = await build({ ...of, strategy: 'strangle', side: 'BUY', distance: 2 });
    const [call, put] = built.legs as [Leg, Leg];
    expect(call.instrument).toMatch(new RegExp(`^${of.exchange}:${of.underlying}\\w+CE$`));
    expect(built.net_premium).toBeCloseTo(call.last_price + put.last_price, 6);
    expect(built.margin).toBeGreaterThan(0);
  });

  test('refuses in words what cannot be, and places nothing', async () => {
    const delta = { strategy: 'condor', strikesBy: 'delta' };
    expect(await refusal(form({ ...delta, deltaNear: 0.1, deltaFar: 0.2 }))).toMatch(/must be lower than Delta/);
    for (const deltaNear of [0, 1, -0.2, 20, 'much', '={{ null }}'])
      expect(await refusal(form({ ...delta, deltaNear, deltaFar: 0.1 }))).toMatch(/Delta .*between 0 and 1/);
    expect(await refusal(form({ strategy: 'strangle', distance: 0 }))).toMatch(/Strikes Away/);
    expect(await refusal(form({ strategy: 'straddle', underlying: 'NOPE' }))).toMatch(/no derivatives/);
    expect(await refusal(form({ strategy: 'straddle', quantity: 0 }))).toMatch(/Quantity/);
    expect(await refusal(basket({}))).toMatch(/Build Option Strategy\W+ before .*at least one leg/s);
    for (const legs of [
      'NIFTY',
      { leg: 'NIFTY' },
      5,
      true,
      '[{"instrument":"NSE',
      '"[]"',
      '[object Object],[object Object]',
    ])
      expect(await refusal(basket({}), { legs } as never)).toMatch(/Legs Built Before must be a list, but is/);
    for (const legs of ['', '[]', [], '{"legs":[]}'])
      expect(await refusal(basket({}), { legs } as never)).toMatch(/at least one leg/);
    expect(await refusal(basket({}), { legs: [null] })).toMatch(/Entry 1 of Legs Built Before/);
    expect(await refusal(basket({}), { legs: [{ instrument: 'NSE:NIFTY', side: 'BUY', quantity: 1 }] })).toMatch(
      /is an index/,
    );
  });
});

it('a figure that the option chain lacks is an error: no option of it counts as free', async () => {
  const sandbox = await testSandbox();
  const straddle = form({ strategy: 'straddle' });
  const engine = await Engine.start(sandbox.credential);
  const [call, put] = ((await engine.run(straddle)).items[0]!.json as Built).legs as [Leg, Leg];
  let chain: object = {};
  const server = await inFrontOf(sandbox.url, ({ url }) =>
    /^\/optionchains\/NIFTY\?/.test(url) ? { status: 200, body: JSON.stringify({ chain }) } : undefined,
  );
  try {
    const scripted = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: server.url });
    const refused = async (parameters: INodeParameters, ltp: number | null) => {
      const item = ({ ref_id, strike_price }: Leg, price: number | null) => [
        { sp: strike_price * 100, ref_id, ltp: price, ls: 65 },
      ];
      chain = { asset: 'NIFTY', expiry: 20261123, ce: item(call, 100_00), pe: item(put, ltp) };
      const { error, items } = await scripted.run(parameters);
      expect(items).toEqual([]);
      return allTextOf(error!);
    };
    for (const ltp of [0, null]) expect(await refused(straddle, ltp)).toMatch(/PE\) has no last price/);
    const byDelta = form({ strategy: 'strangle', strikesBy: 'delta', deltaNear: 0.2 });
    expect(await refused(byDelta, 100_00)).toMatch(/gives no deltas/);
    expect(await refused(form({ strategy: 'strangle', distance: 2 }), 100_00)).toMatch(/do not agree about the option/);
  } finally {
    await server.close();
    await sandbox.close();
  }
});
