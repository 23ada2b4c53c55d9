/** Exits of a basket by what all of it has lost or earned, in n8n's engine against the sandbox over real HTTP, on both order interfaces. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

type Fields = Record<string, unknown>;
interface Leg extends Fields {
  ref_id: number;
  avg_filled_price: number;
}

/** Of 65 each: a straddle that is sold. */
const LOTS = 2;
const placing = (given: INodeParameters): INodeParameters => ({
  resource: 'basket',
  operation: 'place',
  name: 'Mine',
  strategy: 'straddle',
  underlying: 'NIFTY',
  exchange: 'NSE',
  expiry: 'nearest',
  quantity: 1,
  quantityUnit: 'lots',
  side: 'SELL',
  product: 'IDAY',
  priceType: 'MARKET',
  simplify: false,
  safety: {},
  ...given,
});
const PROFIT = { exitsIn: 'profit', stopLossPrice: 2_000, targetPrice: 3_000, multiplier: LOTS };

describe.each(['v2', 'intent'] as const)('%s', (orderInterface) => {
  const itInTurn = inTurn(2, orderInterface === 'v2' ? 0 : 1);
  let sandbox: TestSandbox;
  let engine: Engine;
  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface });
    engine = await Engine.start(sandbox.credential);
  });
  afterAll(async () => await sandbox.close());

  const run = async (form: INodeParameters): Promise<Fields> => {
    const { items, error } = await engine.run(form);
    if (error !== undefined) throw new Error(allTextOf(error));
    return items[0]!.json;
  };
  const basket = async (operation: string, basketId: unknown, more: INodeParameters = {}): Promise<Fields> =>
    await run({ resource: 'basket', operation, basketId: basketId as string, exchange: 'NSE', ...more });
  /** Returns the earnings of the day's positions, rupees; nothing is open. */
  const pnl = async (): Promise<number> => {
    const { items } = await engine.run({ resource: 'portfolio', operation: 'getPositions', returnAll: true });
    expect(items.filter(({ json }) => json.qty !== 0)).toEqual([]);
    return items.reduce((sum, { json }) => sum + Number(json.pnl), 0);
  };
  /** The trigger prices of stop loss and target in what is sent, paise. */
  const sentExits = async (given: INodeParameters): Promise<number[]> => {
    const { would_send: sent } = await run(placing({ ...given, safety: { dryRun: true } }));
    const text = JSON.stringify(sent);
    const found = (name: string): number => Number(new RegExp(`"${name}":(?:{"value":)?(-?\\d+)`).exec(text)![1]);
    return orderInterface === 'v2'
      ? [found('stoploss_price'), found('exit_price')]
      : [found('stoplossTriggerPrice'), found('targetProfitTriggerPrice')];
  };

  itInTurn('rupees of the whole become net prices, towards the entry', async () => {
    const options = { ...PROFIT };
    // -123.45 less 2,000 / 130 is -138.8346, on the tick towards the entry; and with 3,000 / 130 more it is -100.3730.
    expect(await sentExits({ priceType: 'LIMIT', price: -123.45, options })).toEqual([-13_880, -10_040]);
    const inPaise = { ...options, stopLossPrice: 200_000, targetPrice: 300_000, priceUnit: 'paise' };
    expect(await sentExits({ priceType: 'LIMIT', price: -12_345, options: inPaise })).toEqual([-13_880, -10_040]);
  });

  itInTurn(
    'a price that closing sold or bought legs never comes to is refused, and names the way to rupees',
    async () => {
      const refused = async (given: INodeParameters): Promise<string> => {
        const { error } = await engine.run(placing({ ...given, safety: { dryRun: true } }));
        return error === undefined ? '' : allTextOf(error);
      };
      const target = await refused({ options: { targetPrice: 1_500 } });
      expect(target).toContain('Target is ₹1,500.00, and the net price is never above ₹0.00: all legs are sold.');
      expect(target).toContain('set Exits Given As to Net Profit');
      expect(await refused({ options: { stopLossPrice: 2_000, targetPrice: 1_500 } })).toContain(
        'Stop Loss is ₹2,000.00',
      );
      expect(await refused({ side: 'BUY', options: { stopLossPrice: -5 } })).toContain(
        'Stop Loss is −₹5.00, and the net price is never below ₹0.00: all legs are bought.',
      );
      expect(await refused({ options: { stopLossPrice: -5_000, targetPrice: 0 } })).toBe('');
      const spread = { strategy: 'spread', optionType: 'CE', distance: 0, width: 1 };
      expect(await refused({ ...spread, options: { targetPrice: 1_500 } })).toBe('');
    },
  );

  it.each([
    ['target', 25, 3_000],
    ['stop loss', -16, -2_000],
  ])('its %s closes both legs once, at what it was to earn or to lose', async (_, points, profit) => {
    const before = await pnl();
    const placed = await run(placing({ options: { ...PROFIT } }));
    await basket('waitForStatus', placed.basket_id, { waitFor: 'entered', deadlineSeconds: 60 });
    const { orders: legs } = (await basket('get', placed.basket_id, { simplify: false })) as { orders: Leg[] };
    for (const { ref_id: refId } of legs) {
      const price = sandbox.running.sandbox.world.lastPrice(sandbox.running.sandbox.world.universe().byRefId(refId)!);
      await sandbox.control('POST', 'market', { ref_id: refId, price: price - (points * 100) / 2 });
    }
    expect(await basket('waitForStatus', placed.basket_id, { waitFor: 'exited', deadlineSeconds: 300 })).toMatchObject({
      reached: true,
    });
    const earned = (await pnl()) - before;
    expect(Math.sign(earned)).toBe(Math.sign(profit));
    expect(Math.abs(earned)).toBeGreaterThan(Math.abs(profit) * 0.9);
    expect(Math.abs(earned)).toBeLessThan(Math.abs(profit) * 1.2);
  });

  if (orderInterface === 'intent')
    it('is measured from what it has entered at where it is changed, with a trailing jump', async () => {
      const placed = await run(placing({ options: { ...PROFIT } }));
      await basket('waitForStatus', placed.basket_id, { waitFor: 'entered', deadlineSeconds: 60 });
      const { avg_filled_price: net } = await basket('get', placed.basket_id, { simplify: false });
      const changed = await basket('modify', placed.basket_id, {
        updateFields: { exitsIn: 'profit', stopLossPrice: 1_300, trailingJump: 260 },
      });
      // 1,300 of 130 units are 10 points, and 260 are 2.
      const stop = Math.ceil((Number(net) - 10) * 20 - 1e-6) / 20;
      expect(changed.exits).toContainEqual(
        expect.objectContaining({ kind: 'TRAILING_STOP', trigger_price: stop, trail_jump: 2 }),
      );
      await basket('close', placed.basket_id, { options: { waitSeconds: 60 } });
    });

  interface Earned extends Fields {
    realised_result: number;
    leg_results: { symbol: string; side: string; quantity: number; result: number }[];
    summary: string;
  }

  it.each([
    ['without exits', 3, {}],
    // Its positions tell the exit: nothing else trades in these contracts.
    ['with a stop loss that lives', 5, { exitsIn: 'profit', stopLossPrice: 50_000 }],
  ])('closing one %s says what each leg has earned, as the positions do', async (_, distance, options) => {
    const before = await pnl();
    const placed = await run(placing({ strategy: 'strangle', distance, options }));
    await basket('waitForStatus', placed.basket_id, { waitFor: 'entered', deadlineSeconds: 60 });
    const closed = (
      await engine.run(
        {
          resource: 'basket',
          operation: 'close',
          basketId: placed.basket_id as string,
          exchange: 'NSE',
          simplify: true,
          options: { waitSeconds: 60 },
        },
        { typeVersion: 1.2 },
      )
    ).items[0]!.json as Earned;
    expect(closed.result).toBe('done');
    const earned = (await pnl()) - before;
    expect(Math.abs(closed.realised_result - earned)).toBeLessThan(1);
    expect(closed.leg_results.map(({ side, quantity }) => [side, quantity])).toEqual([
      ['SELL', 65],
      ['SELL', 65],
    ]);
    expect(closed.leg_results.reduce((sum, { result }) => sum + result, 0)).toBeCloseTo(closed.realised_result, 6);
    expect(closed.summary).toMatch(
      / Result [+−]?₹[\d,.]+ before charges: NIFTY Nov [\d,]+ CE [+−]?₹[\d,.]+, NIFTY Nov [\d,]+ PE [+−]?₹[\d,.]+\.$/,
    );
  });

  itInTurn('is refused for an order of one instrument, which has no strategy', async () => {
    const { error } = await engine.run({
      resource: 'order',
      operation: 'place',
      instrument: { __rl: true, mode: 'symbol', value: 'INFY' },
      quantity: 1,
      price: 1_000,
      exits: { exitsIn: 'profit', stopLoss: 100 },
    });
    expect(error?.message).toContain('Exits Given As');
  });
});
