/** Profit and loss between two readings: what a reading at the new prices would say. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LivePnl } from '../../../client/portfolio/live-pnl';
import type { Positions } from '../../../client/portfolio/portfolio';
import { knownPrice } from '../../support/price';

interface HeldPositionRow {
  quantity: number;
  average: number;
  realised: number;
}

const pnlOf = ({ quantity, average, realised }: HeldPositionRow, price: number): number =>
  realised + (quantity === 0 ? 0 : quantity * (price - average));

/** Positions that the service would report at these prices. */
function reading(held: readonly HeldPositionRow[], prices: readonly number[]): Positions {
  const pnls = held.map((held, index) => pnlOf(held, prices[index] as number));
  return {
    client_code: 'C',
    stats: { total_pnl: pnls.reduce((sum, pnl) => sum + pnl, 0) },
    positions: held.map(({ quantity }, index) => ({
      segment: quantity === 0 ? 'closed' : 'stock',
      ref_id: index,
      exchange: 'NSE',
      qty: Math.abs(quantity),
      order_side: quantity === 0 ? 'C' : quantity > 0 ? 'BUY' : 'SELL',
      ltp: prices[index],
      pnl: pnls[index],
    })),
  } as Positions;
}

const price = fc.integer({ min: 100, max: 1_000_000 });
const held = fc.record({ quantity: fc.integer({ min: -500, max: 500 }), average: price, realised: fc.integer() });

describe('profit between two readings', () => {
  test('is that of a reading at the new prices, of all and of each', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(held, price, price), { minLength: 1, maxLength: 6 }), (rows) => {
        const positions = rows.map(([item]) => item);
        const now = rows.map(([, , after]) => after);
        const pnl = new LivePnl();
        pnl.read(
          reading(
            positions,
            rows.map(([, before]) => before),
          ),
        );
        now.forEach((value, index) => pnl.price(index, knownPrice(value)));
        expect(pnl.all).toBe(reading(positions, now).stats.total_pnl);
        positions.forEach((position, index) => expect(pnl.of(index)).toBe(pnlOf(position, now[index] as number)));
      }),
    );
  });

  test('is that of the reading, of all, until each open position has a newer price; of one it moves with its own', () => {
    const pnl = new LivePnl();
    const held = [10, -10, 0].map((quantity) => ({ quantity, average: 100, realised: 0 }));
    pnl.read(reading(held, [100, 100, 100]));
    pnl.price(0, knownPrice(150));
    expect([pnl.all, pnl.of(0)]).toEqual([0, 500]);
    pnl.price(1, knownPrice(150));
    expect(pnl.all).toBe(0);
    pnl.price(1, knownPrice(160));
    expect(pnl.all).toBe(-100);
  });

  test('adds up positions in both products of an instrument, takes a price of 0 for none, and is none of what is not held', () => {
    const pnl = new LivePnl();
    const [first, second] = reading(
      [
        { quantity: 10, average: 100, realised: 0 },
        { quantity: -4, average: 100, realised: 7 },
      ],
      [100, 100],
    ).positions;
    pnl.read({
      client_code: 'C',
      stats: {},
      positions: [
        { ...first!, ref_id: 5 },
        { ...second!, ref_id: 5 },
      ],
    });
    pnl.price(5, knownPrice(110));
    expect([pnl.all, pnl.of(5), pnl.of(6)]).toEqual([67, 67, undefined]);
    expect(pnl.open).toEqual([{ refId: 5, exchange: 'NSE' }]);
  });

  test.each([0, null, -1, 2 ** 31 - 1])('is none while the last price of an open position is %p', (ltp) => {
    const pnl = new LivePnl();
    const read = reading(
      [
        { quantity: 10, average: 100, realised: 0 },
        { quantity: 10, average: 100, realised: 0 },
      ],
      [110, 110],
    );
    const [first, second] = read.positions;
    const positions = [
      { ...first!, ref_id: 5 },
      { ...second!, ref_id: 6, ltp, symbol: 'TCS' },
    ];
    pnl.read({ ...read, positions });
    expect([pnl.all, pnl.of(5), pnl.of(6)]).toEqual([undefined, 100, undefined]);
    const lack = { what: 'last price', symbols: ['TCS'] };
    expect([pnl.missing(), pnl.missing(6), pnl.missing(5).symbols]).toEqual([lack, lack, []]);
    // Its profit was worked out from that price too where its units or its side are not clear.
    for (const unclear of [{ qty: 'ten' }, { order_side: '' }]) {
      pnl.read({ ...read, positions: [positions[0]!, { ...positions[1]!, ...unclear }] });
      expect([pnl.all, pnl.of(6)]).toEqual([undefined, undefined]);
    }
    pnl.read(read);
    expect([pnl.all, pnl.missing().symbols]).toEqual([200, []]);
  });

  test('is not known where the service does not tell it: it is not 0', () => {
    const pnl = new LivePnl();
    const read = reading(
      [
        { quantity: 10, average: 100, realised: 0 },
        { quantity: 0, average: 100, realised: -700 },
      ],
      [110, 110],
    );
    const positions = read.positions.map((position, at) => ({ ...position, symbol: at === 0 ? 'INFY' : 'TCS' }));
    positions[1]!.pnl = null as never;
    pnl.read({ ...read, positions });
    // The total is the service's own.
    expect([pnl.all, pnl.of(0), pnl.of(1)]).toEqual([-600, 100, undefined]);
    pnl.read({ ...read, stats: { total_pnl: null }, positions });
    expect([pnl.all, pnl.of(0)]).toEqual([undefined, 100]);
    expect(pnl.missing()).toEqual({ what: 'profit', symbols: ['TCS'] });
  });
});
