/** Strategies that are ready to choose, in n8n's engine against the sandbox over real HTTP, on both order interfaces. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

interface Leg {
  order_side: string;
  order_qty: number;
  ref_data?: { strike_price: number; option_type: string };
  display_name: string;
}
interface Placed {
  basket_id: string;
  already_placed: boolean;
  legs: Leg[];
  exits?: { kind: string; trigger_price: number; limit_price: number }[];
}

const form = (given: INodeParameters): INodeParameters => ({
  resource: 'basket',
  operation: 'place',
  name: 'Mine',
  underlying: 'NIFTY',
  exchange: 'NSE',
  expiry: 'nearest',
  optionType: 'CE',
  madeOf: 'both',
  distance: 2,
  width: 3,
  quantity: 1,
  quantityUnit: 'lots',
  side: 'SELL',
  product: 'IDAY',
  priceType: 'MARKET',
  simplify: false,
  options: {},
  safety: {},
  ...given,
});

describe.each(['v2', 'intent'] as const)('%s', (orderInterface) => {
  const itInTurn = inTurn(2, orderInterface === 'v2' ? 0 : 1);
  let sandbox: TestSandbox;
  let engine: Engine;
  beforeAll(async () => {
    sandbox = await testSandbox({ orderInterface });
    engine = await Engine.start(sandbox.credential);
  });
  afterAll(async () => await sandbox.close());

  const place = async (given: INodeParameters): Promise<Placed> => {
    const { items, error } = await engine.run(form(given));
    if (error !== undefined) throw new Error(allTextOf(error));
    const made = items[0]!.json as unknown as Placed & { orders: Leg[] };
    return { ...made, legs: made.orders };
  };
  /** "SELL CE 0 x1": strikes from the money, and how many lots. */
  const words = async (legs: Leg[]): Promise<string[]> => {
    const { items } = await engine.run({
      resource: 'instrument',
      operation: 'getOptionByOffset',
      underlying: 'NIFTY',
      exchange: 'NSE',
      expiry: 'nearest',
      optionType: 'CE',
      moneyness: 'ATM',
      simplify: true,
    });
    const { strike_price: money, lot_size: lot } = items[0]!.json as { strike_price: number; lot_size: number };
    return legs
      .map((leg) => {
        const [, strike, type] = /([\d.]+) (CE|PE)$/.exec(leg.display_name)!;
        return `${leg.order_side.replace('ORDER_SIDE_', '')} ${type} ${(Number(strike) - money) / 50} x${leg.order_qty / lot}`;
      })
      .sort();
  };

  it.each<[string, INodeParameters, string[]]>([
    ['a straddle that is sold', { strategy: 'straddle' }, ['SELL CE 0 x1', 'SELL PE 0 x1']],
    ['a strangle that is bought', { strategy: 'strangle', side: 'BUY' }, ['BUY CE 2 x1', 'BUY PE -2 x1']],
    [
      'a spread of puts that is sold',
      { strategy: 'spread', optionType: 'PE', distance: 0 },
      ['BUY PE -3 x1', 'SELL PE 0 x1'],
    ],
    [
      'an iron condor that is sold, two lots',
      { strategy: 'condor', quantity: 2 },
      ['BUY CE 5 x2', 'BUY PE -5 x2', 'SELL CE 2 x2', 'SELL PE -2 x2'],
    ],
    [
      'a butterfly of calls that is bought',
      { strategy: 'butterfly', madeOf: 'CE', side: 'BUY' },
      ['BUY CE -3 x1', 'BUY CE 3 x1', 'SELL CE 0 x2'],
    ],
  ])('the legs are right: %s', async (_, given, legs) => {
    const placed = await place(given);
    expect(await words(placed.legs)).toEqual(legs);
  });

  itInTurn('exits are a share of the premium, whether it is paid or received', async () => {
    const { items } = await engine.run(
      form({
        strategy: 'straddle',
        priceType: 'LIMIT',
        price: -123.45,
        options: { exitsIn: 'percent', stopLossPrice: 30, targetPrice: 50 },
        safety: { dryRun: true },
      }),
    );
    const sent = JSON.stringify(items[0]?.json.would_send);
    // -123.45 - 30 % is -160.485, on the tick towards the entry; -123.45 + 50 % is -61.725, towards the entry.
    if (orderInterface === 'v2') expect(sent).toMatch(/"exit_price":-6175.*"stoploss_price":-16045/);
    else expect(sent).toMatch(/"stoplossTriggerPrice":{"value":-16045}.*"targetProfitTriggerPrice":{"value":-6175}/);
    expect(sent).toMatch(orderInterface === 'v2' ? /"basket_params":{"order_side":"ORDER_SIDE_BUY"/ : /"side":"BUY"/);
  });

  itInTurn('exits at the market are measured from the last prices of the legs', async () => {
    const { items, error } = await engine.run(
      form({
        strategy: 'straddle',
        side: 'BUY',
        options: { exitsIn: 'percent', stopLossPrice: 20, targetPrice: 40 },
        safety: { dryRun: true },
      }),
    );
    expect(error).toBeUndefined();
    const sent = JSON.stringify(items[0]?.json.would_send);
    const [stop, target] = (
      orderInterface === 'v2'
        ? /"exit_price":(?<target>\d+),"stoploss_price":(?<stop>\d+)/
        : /"stoplossTriggerPrice":{"value":(?<stop>\d+)}.*"targetProfitTriggerPrice":{"value":(?<target>\d+)}/
    )
      .exec(sent)!
      .slice(1)
      .map(Number)
      .sort((a, b) => a - b);
    expect(stop! % 5).toBe(0);
    expect(target! / stop!).toBeCloseTo(1.4 / 0.8, 2);
  });

  itInTurn('a key finds it again, although the money has moved to other strikes', async () => {
    const keyed = { strategy: 'straddle', options: { idempotencyKey: 'today', exitsIn: 'percent', stopLossPrice: 30 } };
    const before = await place(keyed);
    const nifty = await engine.run({
      resource: 'quote',
      operation: 'getCurrentPrice',
      instrument: { __rl: true, mode: 'symbol', value: 'NIFTY' },
    });
    const { ref_id: refId, price } = nifty.items[0]!.json as { ref_id: number; price: number };
    await sandbox.control('POST', 'market', { ref_id: refId, price: Math.round((price + 200) * 20) * 5 });
    await sandbox.control('POST', 'clock', { advance: 'PT5S' });
    expect(await place(keyed)).toMatchObject({ basket_id: before.basket_id, already_placed: true });
    const other = await engine.run(form({ ...keyed, side: 'BUY' }));
    expect(other.error?.message).toContain('The Idempotency Key was used today for another basket');
  });

  it.each<[string, INodeParameters, string]>([
    ['a strangle at the money', { strategy: 'strangle', distance: 0 }, 'Strikes Away'],
    ['a share of nothing', { strategy: 'straddle', options: { exitsIn: 'percent', stopLossPrice: 0 } }, 'Stop Loss'],
    ['a strategy that is none', { strategy: 'ladder' }, 'Strategy'],
  ])('refuses %s', async (_, given, named) => {
    const { error } = await engine.run(form(given));
    expect(error?.message).toContain(named);
  });
});
