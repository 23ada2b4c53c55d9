/** Exits of a strategy by its net profit, kept by a trigger, in n8n's engine against the sandbox: legs that were placed as single orders. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { allTextOf } from '../support/engine';
import { orderForm } from '../support/parameters';
import { TriggerBench, is, json } from '../support/trigger-bench';
import { inTurn } from '../support/turns';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

const NEWEST = { typeVersion: 1.2 };
const LOT = 65;
/** The sandbox's first account. */
const ACCOUNT = 'SBX001';

describe.each(['v2', 'intent'] as const)('a strategy, with the interface %s', (orderInterface) => {
  const test = inTurn(2, orderInterface === 'v2' ? 1 : 0);
  let bench: TriggerBench;
  let legs: { symbol: string; refId: number; price: number }[];

  beforeAll(async () => {
    bench = await TriggerBench.start({ hours: 'always', orderInterface });
    const option = async (optionType: string) => {
      const { items } = await bench.engine.run({
        resource: 'instrument',
        operation: 'getOptionByOffset',
        underlying: 'NIFTY',
        exchange: 'NSE',
        expiry: 'nearest',
        optionType,
        moneyness: 'ATM',
        simplify: true,
      });
      const { symbol, ref_id: refId } = items[0]!.json as { symbol: string; ref_id: number };
      return { symbol, refId, price: lastPrice(refId) };
    };
    legs = [await option('CE'), await option('PE')];
  });
  afterEach(async () => {
    await bench.endTest();
    await bench.engine.run({ resource: 'portfolio', operation: 'exitAll', closeAt: 'market' });
  });
  afterAll(async () => await bench.close());

  const lastPrice = (refId: number): number => {
    const { world } = bench.sandbox.sandbox;
    return world.lastPrice(world.universe().byRefId(refId)!);
  };
  /** Moves each leg by so many points; resolves when they are there. */
  const move = async (...points: number[]): Promise<void> => {
    for (const [index, by] of points.entries()) {
      const { refId } = legs[index]!;
      await bench.control('POST', '/market', { ref_id: refId, price: lastPrice(refId) + by * 100 });
    }
    await bench.passSeconds();
  };
  const trade = async (symbol: string, side: 'BUY' | 'SELL'): Promise<void> => {
    const { error } = await bench.engine.run(
      orderForm({
        instrument: { __rl: true, mode: 'symbol', value: symbol },
        side,
        priceType: 'MARKET',
        product: 'IDAY',
        quantity: LOT,
        options: { waitFor: 'filled' },
      }),
      NEWEST,
    );
    if (error !== undefined) throw new Error(allTextOf(error));
  };
  const sell = async (): Promise<void> => {
    for (const { symbol } of legs) await trade(symbol, 'SELL');
  };
  const keep = async (exits: INodeParameters, more: object = {}, strategyLegs = 'nifty') =>
    await bench.activate(
      { watch: 'orderExits', exitsOf: 'strategy', strategyLegs, heldProducts: ['IDAY'], strategyExits: exits },
      { ...NEWEST, ...more },
    );
  /** Watches the prices of the exchange from now on. @returns the net profits (paise) of the two sales by its trades and these prices */
  const watchProfits = (): (() => number[]) => {
    const prices = legs.map(() => new Set<number>());
    const look = (): void => legs.forEach(({ refId }, index) => prices[index]!.add(lastPrice(refId)));
    bench.sandbox.sandbox.onChange(look);
    const timer = setInterval(look, 1);
    return () => {
      clearInterval(timer);
      look();
      const trades = bench.sandbox.sandbox.world.accounts.trades(ACCOUNT).map(({ trade }) => trade);
      const sold = legs.map(
        ({ refId }) => trades.findLast((trade) => trade.refId === refId && trade.side === 'SELL')!.price,
      );
      const [calls, puts] = prices.map((seen) => [...seen]) as [number[], number[]];
      return calls.flatMap((call) => puts.map((put) => LOT * (sold[0]! - call + sold[1]! - put)));
    };
  };
  /** Watches the lock of positions from now on. @returns the records that the stored credential has held */
  const watchLocks = (): (() => unknown[]) => {
    const locks = new Set<unknown>();
    const timer = setInterval(() => {
      void bench.engine.storedCredential().then(({ positionLock }) => locks.add(positionLock));
    }, 10);
    return () => {
      clearInterval(timer);
      return [...locks];
    };
  };
  const positions = async (): Promise<IDataObject[]> =>
    (await bench.engine.run({ resource: 'portfolio', operation: 'getPositions', returnAll: true })).items
      .map((item) => item.json)
      .filter(({ ref_id: refId }) => legs.some((leg) => leg.refId === refId));
  const held = async (): Promise<unknown[]> => (await positions()).filter(({ qty }) => qty !== 0);
  const pnl = async (): Promise<number> => (await positions()).reduce((sum, row) => sum + Number(row.pnl), 0);

  test('closes both legs once at the target, and what one has lost counts against the other', async () => {
    const before = await pnl();
    await sell();
    const trigger = await keep({ target: 1_000, stopLoss: 50_000 });
    const kept = json(await trigger.waitFor(is('exitsKept')));
    expect((kept.legs as IDataObject[]).map(({ held_qty: qty }) => qty)).toEqual([-LOT, -LOT]);
    const paid = (kept.legs as IDataObject[]).reduce((sum, leg) => sum - LOT * Number(leg.average_price), 0);
    expect(kept.net_premium).toBeCloseTo(paid, 2);
    // One leg alone earns 1,950 rupees; with the other it is nothing.
    await move(0, 30);
    const profits = watchProfits();
    await move(-30, 0);
    expect(trigger.emitted.filter(is('targetReached'))).toEqual([]);
    await move(0, -30);
    const profit = Number(json(await trigger.waitFor(is('targetReached'))).net_profit);
    expect(profit).toBeGreaterThanOrEqual(1_000);
    expect(profits()).toContain(Math.round(profit * 100));
    const closed = json(await trigger.waitFor(is('positionClosed')));
    expect(closed).toMatchObject({ reason: 'target', legs: [] });
    expect((closed.closed as IDataObject[]).map(({ closed_qty: qty }) => qty)).toEqual([LOT, LOT]);
    expect(await held()).toEqual([]);
    expect((await pnl()) - before).toBeGreaterThan(900);
  });

  test('counts a leg that was closed by hand, and not what was earned before', async () => {
    await sell();
    const trigger = await keep({ stopLoss: 3_000 });
    const kept = json(await trigger.waitFor(is('exitsKept')));
    expect(Math.abs(Number(kept.net_profit))).toBeLessThan(500);
    await move(40, 0);
    await trade(legs[0]!.symbol, 'BUY');
    expect(trigger.emitted.filter(is('stopReached'))).toEqual([]);
    // 2,600 are lost on the leg that is closed, and 1,300 on the other.
    const locks = watchLocks();
    await move(0, 20);
    const reached = json(await trigger.waitFor(is('stopReached')));
    expect(Number(reached.net_profit)).toBeLessThanOrEqual(-3_000);
    expect(reached.summary).toMatch(/^Stop loss reached: strategy in .*, net profit −₹[\d,]+\.\d\d\.$/);
    expect(kept.summary).toMatch(
      /, 2 positions, stop loss at −₹[\d,]+\.\d\d(, target at ₹[\d,]+\.\d\d)?, net profit [+−]?₹[\d,]+\.\d\d\.$/,
    );
    await trigger.waitFor(is('positionClosed'));
    expect(await held()).toEqual([]);
    // No worker changes a position meanwhile.
    expect(locks().some((lock) => typeof lock === 'string' && lock !== '')).toBe(true);
  });

  test('follows the best net profit, in percent of the premium, and goes on after a restart', async () => {
    await sell();
    const exits = { exitsIn: 'percent', trailingStop: 20, trailAfter: 5 };
    const first = await keep(exits);
    const kept = json(await first.waitFor(is('exitsKept')));
    const share = Math.abs(Number(kept.net_premium)) * 0.2;
    // Nothing is earned yet: the trailing stop does not work before it is a twentieth of the premium.
    expect(kept.trailing_stop).toBeNull();
    expect(kept.trailing_starts_at).toBeCloseTo(share / 4, 1);
    await move(-20, -20);
    await bench.closeTriggers();
    const second = await keep(exits, { activation: 'init' });
    const points = (share / LOT) * 1.3;
    await move(Math.ceil(points / 2), Math.ceil(points / 2));
    const reached = json(await second.waitFor(is('trailingStopReached')));
    expect(Number(reached.best_profit)).toBeGreaterThan(2_000);
    expect(Number(reached.best_profit) - Number(reached.trailing_stop)).toBeCloseTo(share, 1);
    await second.waitFor(is('positionClosed'));
    expect(second.emitted.filter(is('exitsKept'))).toEqual([]);
    expect(await held()).toEqual([]);
  });

  test('ends where all legs are closed by hand, and refuses what is no exit', async () => {
    await sell();
    const trigger = await keep({ stopLoss: 20_000 });
    await trigger.waitFor(is('exitsKept'));
    await expect(keep({ stopLoss: 1 }, { workflowId: 'other' })).rejects.toMatchObject({
      message: expect.stringContaining('Another trigger keeps these exits'),
    });
    for (const { symbol } of legs) await trade(symbol, 'BUY');
    expect(json(await trigger.waitFor(is('closedByHand')))).toMatchObject({ legs: [] });
    await expect(keep({})).rejects.toMatchObject({ message: expect.stringContaining('No exit is given') });
    await expect(keep({ stopLoss: 3 }, {}, '')).rejects.toMatchObject({
      message: expect.stringContaining('No leg is named'),
    });
  });
});
