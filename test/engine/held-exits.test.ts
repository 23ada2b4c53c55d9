/** Exits of what is held, kept by a trigger, in n8n's engine against the sandbox: positions, holdings, restarts, closed by hand. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { allTextOf } from '../support/engine';
import type { Emitted } from '../support/engine-types';
import { bySymbol, orderForm } from '../support/parameters';
import { TriggerBench, is, json } from '../support/trigger-bench';
import { inTurn } from '../support/turns';
import { IS_WHOLE } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

const NEWEST = { typeVersion: 1.2 };

describe.each(['v2', 'intent'] as const)('exits of what is held, with the interface %s', (orderInterface) => {
  const test = inTurn(2, orderInterface === 'v2' ? 0 : 1);
  let bench: TriggerBench;
  let prices: Record<string, { refId: number; price: number }>;
  let holding: { symbol: string; qty: number };

  beforeAll(async () => {
    bench = await TriggerBench.start({ hours: 'always', orderInterface });
    holding = (await rows('getHoldings')).find(
      ({ qty, pledged_qty: pledged, exchange, symbol: name }) =>
        Number(qty) > 1 && pledged === 0 && exchange === 'NSE' && name !== 'INFY',
    ) as never;
    prices = {};
    for (const symbol of ['INFY', holding.symbol]) {
      const { items } = await bench.engine.run({ resource: 'instrument', operation: 'get', ...bySymbol(symbol) });
      prices[symbol] = { refId: Number(items[0]!.json.ref_id), price: await priceNow(symbol) };
    }
  });
  afterEach(async () => {
    await bench.endTest();
    await bench.engine.run({ resource: 'portfolio', operation: 'exitAll', closeAt: 'market' });
    await move('INFY', 1);
  });
  afterAll(async () => await bench.close());

  const rows = async (operation: string): Promise<IDataObject[]> =>
    (await bench.engine.run({ resource: 'portfolio', operation, returnAll: true, simplify: true })).items.map(
      ({ json: item }) => item,
    );
  const priceNow = async (symbol: string): Promise<number> =>
    (await bench.ask<{ price: number }>('GET', `/optionchains/${symbol}/price?exchange=NSE`)).price;
  /** Moves the price to a share of the first one; resolves when it is there. */
  const move = async (symbol: string, share: number): Promise<void> => {
    const { refId, price } = prices[symbol]!;
    const requested = Math.round((price * share) / 10) * 10;
    await bench.control('POST', '/market', { ref_id: refId, price: requested });
    while (Math.abs((await priceNow(symbol)) / requested - 1) > 0.005) await bench.passSeconds();
  };
  const buy = async (side: 'BUY' | 'SELL' = 'BUY'): Promise<void> => {
    const { error } = await bench.engine.run(
      orderForm({ side, priceType: 'MARKET', product: 'IDAY', quantity: 10, options: { waitFor: 'filled' } }),
      NEWEST,
    );
    if (error !== undefined) throw new Error(allTextOf(error));
  };
  const keep = async (exits: INodeParameters, symbol = 'INFY', more: object = {}) =>
    await bench.activate(
      {
        watch: 'orderExits',
        exitsOf: 'held',
        ...bySymbol(symbol),
        heldProducts: symbol === 'INFY' ? ['IDAY'] : [],
        heldExits: exits,
      },
      { ...NEWEST, ...more },
    );
  const held = async (symbol: string): Promise<unknown> =>
    (await rows('getPositions')).find((row) => row.symbol === symbol && row.segment !== 'closed')?.qty ?? 0;
  const reason = (emitted: Emitted): unknown => json(emitted).reason;

  test('follow the best price with a trailing stop, and sell when it has come back by the distance', async () => {
    await buy();
    const trigger = await keep({ trailingStop: 2 });
    expect(json(await trigger.waitFor(is('exitsKept')))).toMatchObject({
      symbol: 'INFY',
      product: 'IDAY',
      held_qty: 10,
      summary: expect.stringMatching(
        /^Exits are kept: INFY \(Intraday\), bought 10, trailing stop (at ₹[\d,]+\.\d\d|2 % below the best price)\.$/,
      ),
    });
    await move('INFY', 1.04);
    await move('INFY', 1.01);
    const reached = json(await trigger.waitFor(is('trailingStopReached')));
    expect(reached.best_price).toBeGreaterThan((prices.INFY!.price * 1.03) / 100);
    expect(reached.price).toBeLessThanOrEqual(reached.trailing_stop as number);
    expect(reached.summary).toMatch(
      /^Trailing stop reached: INFY \(Intraday\), price ₹[\d,]+\.\d\d, best price ₹[\d,]+\.\d\d\.$/,
    );
    const closed = await trigger.waitFor(is('positionClosed'));
    expect(json(closed)).toMatchObject({ held_qty: 0, closed_qty: 10, orders: [{ filled_qty: 10 }] });
    expect(json(closed).summary).toMatch(
      /^Closed: INFY \(Intraday\), sold 10 at ₹[\d,]+\.\d\d, result [+−]?₹[\d,]+\.\d\d before charges\.$/,
    );
    expect(reason(closed)).toBe('trail');
    expect(await held('INFY')).toBe(0);
  });

  // In `npm test` a trailing stop that begins after a gain is one of a strategy (strategy-exits).
  if (IS_WHOLE)
    test('trail only after the gain that is asked for, and say from which price on', async () => {
      await buy();
      await expect(keep({ trailAfter: 3 })).rejects.toMatchObject({
        message: 'Start Trailing After needs a Trailing Stop.',
      });
      const trigger = await keep({ trailingStop: 1, trailAfter: 3 });
      const kept = json(await trigger.waitFor(is('exitsKept')));
      expect(kept).toMatchObject({
        trailing_stop: null,
        summary: expect.stringMatching(/bought 10, trailing stop 1 % below the best price from ₹[\d,]+\.\d\d on\.$/),
      });
      expect(Number(kept.trailing_starts_at) / Number(kept.average_price)).toBeCloseTo(1.03, 3);
      await move('INFY', 1.015);
      await move('INFY', 0.99);
      expect(await held('INFY')).toBe(10);
      await move('INFY', 1.05);
      await move('INFY', 1.02);
      const reached = json(await trigger.waitFor(is('trailingStopReached')));
      expect(reached.best_price).toBeGreaterThan(kept.trailing_starts_at as number);
      await trigger.waitFor(is('positionClosed'));
      expect(trigger.emitted.filter(is('trailingStopReached'))).toHaveLength(1);
      expect(await held('INFY')).toBe(0);
    });

  test('guard what was sold short, and end where it is closed by hand', async () => {
    await buy('SELL');
    const trigger = await keep({ stopLoss: 3, target: 3 });
    const kept = json(await trigger.waitFor(is('exitsKept')));
    expect(kept.held_qty).toBe(-10);
    expect(kept.stop_loss).toBeGreaterThan(kept.average_price as number);
    expect(kept.target).toBeLessThan(kept.average_price as number);
    expect(kept.summary).toMatch(
      /^Exits are kept: INFY \(Intraday\), sold 10, stop loss at ₹[\d,]+\.\d\d, target at ₹[\d,]+\.\d\d\.$/,
    );
    await buy();
    expect(json(await trigger.waitFor(is('closedByHand')))).toMatchObject({ held_qty: 0 });
  });

  test('go on after a restart: the best price from before counts, and a stop that is reached closes once', async () => {
    await buy();
    const first = await keep({ trailingStop: 3 });
    await first.waitFor(is('exitsKept'));
    await move('INFY', 1.04);
    await bench.passSeconds();
    await bench.closeTriggers();
    const second = await keep({ trailingStop: 3 }, 'INFY', { activation: 'init' });
    await move('INFY', 1);
    await second.waitFor(is('trailingStopReached'));
    expect(json(await second.waitFor(is('positionClosed')))).toMatchObject({ closed_qty: 10 });
    expect(second.emitted.filter(is('exitsKept'))).toEqual([]);
  });

  test('sell the holding of earlier days at its stop loss', async () => {
    const { symbol, qty } = holding;
    const { price } = prices[symbol]!;
    const trigger = await keep({ exitsIn: 'price', stopLoss: Math.round(price * 0.97) / 100 }, symbol);
    expect(json(await trigger.waitFor(is('exitsKept')))).toMatchObject({ symbol, product: 'CNC' });
    await move(symbol, 0.95);
    const closed = json(await trigger.waitFor(is('positionClosed')));
    expect(closed).toMatchObject({ reason: 'stop', held_qty: 0 });
    expect(closed.closed_qty).toBeGreaterThanOrEqual(qty);
  });

  test('are kept of all that is held, of what comes later too, each for itself', async () => {
    const all = (exits: INodeParameters, products: string[] = []) =>
      bench.activate({ watch: 'orderExits', exitsOf: 'all', heldProducts: products, heldExits: exits }, NEWEST);
    await expect(all({ exitsIn: 'price', stopLoss: 100 })).rejects.toMatchObject({
      message: expect.stringContaining('One price cannot be the exit of everything'),
    });
    const trigger = await all({ stopLoss: 3 }, ['IDAY']);
    await bench.passSeconds();
    await buy();
    expect(json(await trigger.waitFor(is('exitsKept')))).toMatchObject({ symbol: 'INFY', held_qty: 10 });
    await expect(keep({ stopLoss: 3 }, 'INFY', { workflowId: 'other' })).rejects.toMatchObject({
      message: expect.stringContaining('Another trigger keeps these exits'),
    });
    await move('INFY', 0.96);
    expect(json(await trigger.waitFor(is('positionClosed')))).toMatchObject({ symbol: 'INFY', reason: 'stop' });
    expect(trigger.emitted.map((emitted) => json(emitted).product)).toEqual(['IDAY', 'IDAY', 'IDAY']);
  });

  test('show in the editor each position and holding', async () => {
    const shown = await bench.activate(
      { watch: 'orderExits', exitsOf: 'all', heldExits: { trailingStop: 5 } },
      { ...NEWEST, mode: 'manual' },
    );
    await (shown.response as { manualTriggerFunction?: () => Promise<void> }).manualTriggerFunction?.();
    await shown.waitFor(is('exitsKept'));
    const symbols = shown.emitted[0]!.items.map((item) => item.json.symbol);
    const held = (await rows('getHoldings')).filter(({ qty, t1_qty: coming }) => Number(qty) + Number(coming) > 0);
    expect(symbols.sort()).toEqual(held.map(({ symbol }) => symbol).sort());
  });

  test('refuse what is no exit, and a second trigger on the same instrument', async () => {
    await expect(keep({})).rejects.toMatchObject({ message: expect.stringContaining('No exit is given') });
    await expect(keep({ stopLoss: 0 })).rejects.toMatchObject({ message: expect.stringContaining('exit of 0') });
    await expect(keep({ exitTime: '2020-01-01 15:10' })).rejects.toMatchObject({
      message: expect.stringContaining('has passed'),
    });
    await keep({ stopLoss: 3 });
    await expect(keep({ stopLoss: 4 }, 'INFY', { workflowId: 'other' })).rejects.toMatchObject({
      message: expect.stringContaining('Another trigger keeps these exits'),
    });
    await keep({ stopLoss: 4 }, holding.symbol, { workflowId: 'other' });
  });
});
