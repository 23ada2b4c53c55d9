/** Pace of the portfolio updates, and their form. */
import { describe, expect, test } from '@jest/globals';
import { RepliedAccount } from '../../../../client/one-account';
import { readFrame } from '../../../../client/stream/account-feed/frames';
import {
  PortfolioUpdates,
  portfolioOutput,
  type PortfolioUpdate,
} from '../../../../client/stream/delivery/portfolio-updates';
import { typeOf } from '../../../proto/support';
import { VirtualClock } from '../../../support/clock';
import { wrap } from '../wire';

/** Options of updates that are all of one account. */
const OWN = {
  account: new RepliedAccount(),
  onOther: (error: Error): never => {
    throw error;
  },
};

const ist = (text: string): number => Date.parse(`${text}+05:30`);

describe('portfolio updates', () => {
  const type = typeOf('PortfolioResponse');
  const read = (pnl: number) => {
    const message = {
      positionResponse: {
        clientCode: 'C1',
        stockPositions: [{ refId: 7, exchange: 1, orderSide: 1, qty: 5, avgPrice: 150_005, pnl, pnlChg: 0.24 }],
      },
      holdingResponse: { holdings: [{ supportedExchanges: { NSE: 7 } }] },
    };
    const frame = readFrame(wrap('PortfolioResponse', type.encode(type.fromObject(message)).finish()));
    return (frame as Extract<typeof frame, { kind: 'portfolio' }>).portfolio;
  };

  test('come at most as often as wanted, the newest of each part, and only when something changed', async () => {
    const clock = new VirtualClock();
    const given: PortfolioUpdate[] = [];
    const watch = new PortfolioUpdates({
      ...OWN,
      clock,
      parts: ['positions'],
      instruments: [],
      everyMs: 10_000,
      deliver: (update) => given.push(update),
    });
    watch.take(read(1));
    watch.take(read(2));
    await clock.sleep(11_000);
    expect(given).toHaveLength(1);
    watch.take(read(2));
    await clock.sleep(11_000);
    expect(given).toHaveLength(1);
    watch.take(read(3));
    watch.close();
    expect(given).toHaveLength(2);
    expect(
      portfolioOutput(given[1] as PortfolioUpdate, { environment: 'uat', unit: 'rupees', at: ist('2026-11-23T10:00') }),
    ).toMatchObject({
      event: 'positionsUpdated',
      client_code: 'C1',
      stock_positions: [
        { ref_id: 7, exchange: 'NSE', order_side: 'BUY', qty: 5, avg_price: 1500.05, pnl: 0.03, pnl_chg: 0.24 },
      ],
      event_time_ist: '2026-11-23T10:00:00.000+05:30',
      environment: 'uat',
    });
  });
  test('come of a whole portfolio though it is empty, and of each part that is wanted under its name', () => {
    const given: PortfolioUpdate[] = [];
    const watch = new PortfolioUpdates({
      ...{ ...OWN, clock: new VirtualClock(), parts: ['holdings'], instruments: [], everyMs: 10_000 },
      deliver: (update) => given.push(update),
    });
    watch.take({ positionResponse: { stockPositions: [] }, holdingResponse: { holdings: [] } } as never);
    watch.close();
    const options = { environment: 'uat', unit: 'rupees', at: 0 } as const;
    expect(given.map((update) => portfolioOutput(update, options))).toMatchObject([
      { event: 'holdingsUpdated', holdings: [] },
    ]);
  });
  test('are left out where they are of another account, and told once, until those of the account come again', () => {
    const given: unknown[] = [];
    const warnings: string[] = [];
    const watch = new PortfolioUpdates({
      ...{ clock: new VirtualClock(), parts: ['positions'], instruments: [], everyMs: 10_000 },
      account: new RepliedAccount(),
      onOther: ({ message }) => void warnings.push(message),
      deliver: ({ content }) => given.push(content.clientCode),
    });
    for (const clientCode of ['C1', 'C2', 'C2', '', ' c1', 'C3']) {
      watch.take({ positionResponse: { clientCode, stockPositions: [] }, holdingResponse: null } as never);
      watch.close();
    }
    expect(given).toEqual(['C1', '', ' c1']);
    expect(warnings).toEqual([
      'The service answered with a portfolio update of the account C2, but this credential reads the account C1. The answer was not used.',
      'The service answered with a portfolio update of the account C3, but this credential reads the account C1. The answer was not used.',
    ]);
  });
  test('wait for their time from the first one on, and not on when they were delivered at the end', async () => {
    const clock = new VirtualClock();
    const given: number[] = [];
    const begin = clock.now();
    const watch = new PortfolioUpdates({
      ...{ ...OWN, clock, parts: ['positions'], instruments: [], everyMs: 10_000 },
      deliver: () => given.push(clock.now() - begin),
    });
    watch.take(read(1));
    await clock.sleep(9_000);
    watch.take(read(2));
    await clock.sleep(9_000);
    watch.take(read(3));
    watch.close();
    watch.take(read(4));
    await clock.sleep(9_999);
    expect(given).toEqual([10_000, 18_000]);
    await clock.sleep(1);
    expect(given).toEqual([10_000, 18_000, 28_000]);
  });
  test.each([0, -5, 2 ** 31 - 1])('have no price where the stream has %p, and no totals of it', (none) => {
    const row = { refId: 7, symbol: 'INFY', qty: 5, avgPrice: none, ltp: none, pnl: -750_025 };
    const priced = { ...row, refId: 8, symbol: 'TCS', avgPrice: 150_005, ltp: 150_000, pnl: -25, pnlChg: Infinity };
    const stats = { realisedPnl: 100, unrealisedPnl: -750_050, totalPnl: -749_950 };
    const content = { positionStats: stats, stockPositions: [row, priced], closePositions: [{ ...row, qty: 0 }] };
    const output = portfolioOutput(
      { part: 'positions', content: content as never },
      { environment: 'uat', unit: 'rupees', at: 0 },
    );
    const reason = expect.stringMatching(/^No last price: the service gives/);
    const [unpriced, whole] = output.stock_positions as object[];
    expect(unpriced).toMatchObject({ ltp: null, avg_price: null, no_price_reason: reason });
    expect(whole).toMatchObject({ ltp: 1500, avg_price: 1500.05, pnl: -0.25, pnl_chg: null });
    expect(whole).not.toHaveProperty('no_price_reason');
    expect(output.position_stats).toMatchObject({
      ...{ realised_pnl: 1, unrealised_pnl: null, total_pnl: null },
      no_price_reason: expect.stringContaining('No last price of INFY'),
    });
    expect(output.close_positions).not.toContainEqual(expect.objectContaining({ no_price_reason: reason }));
  });
  test('keep the names of exchanges', () => {
    const content = read(1).holdingResponse;
    expect(
      portfolioOutput({ part: 'holdings', content: content as never }, { environment: 'uat', unit: 'paise', at: 0 }),
    ).toMatchObject({ holdings: [{ supported_exchanges: { NSE: 7 } }] });
  });
});

describe('updates of some instruments', () => {
  const position = (refId: number, more: object = {}) => ({
    ...{
      refId,
      exchange: 'EXCHANGE_NSE',
      symbol: `S${refId}`,
      asset: '',
      platName: `P${refId}`,
      displayName: `d${refId}`,
    },
    ...more,
  });
  const portfolio = (...stockPositions: object[]) =>
    ({
      positionResponse: { clientCode: 'C1', totals: { pnl: 5 }, stockPositions },
      holdingResponse: null,
    }) as unknown as Parameters<PortfolioUpdates['take']>[0];
  const watching = (instruments: readonly string[]) => {
    const given: PortfolioUpdate[] = [];
    const watch = new PortfolioUpdates({
      ...OWN,
      clock: new VirtualClock(),
      parts: ['positions', 'holdings'],
      instruments,
      everyMs: 10_000,
      deliver: (update) => given.push(update),
    });
    const take = (...positions: object[]): unknown[] => {
      watch.take(portfolio(...positions));
      watch.close();
      return given.splice(0).map(({ content }) => content);
    };
    return take;
  };

  test.each([['7'], ['S7'], ['NSE:S7'], ['P7'], ['D7'], ['NSE:GOLD']])('have only their rows: %s', (name) => {
    const item = position(7, { asset: 'gold' });
    expect(watching([name])(item, position(8))).toEqual([{ clientCode: 'C1', stockPositions: [item] }]);
  });

  test('come when one of them is there first, and again when it is gone', () => {
    const take = watching(['S7']);
    expect(take(position(8))).toEqual([]);
    expect(take(position(8), position(7))).toHaveLength(1);
    expect(take(position(9), position(7))).toEqual([]);
    expect(take(position(9))).toEqual([{ clientCode: 'C1', stockPositions: [] }]);
  });

  test('have all without a choice, and nothing waits twice', () => {
    const take = watching([]);
    expect(take(position(8))).toEqual([{ clientCode: 'C1', totals: { pnl: 5 }, stockPositions: [position(8)] }]);
    expect(take(position(8))).toEqual([]);
  });
});
