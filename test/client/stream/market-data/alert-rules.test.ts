import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstState, levelsOf, takePrice, type AlertRule } from '../../../../client/stream/market-data/alert-rules';

/** The indices of the prices at which an alert came. */
function alerts(rule: AlertRule, prices: number[]): number[] {
  const state = firstState(rule, prices[0] as number);
  const at: number[] = [];
  prices.slice(1).forEach((price, index) => {
    if (takePrice(rule, state, price)) at.push(index + 1);
  });
  return at;
}

describe('price alerts', () => {
  test('alert at a level that is reached from below, once until the price was below again', () => {
    expect(alerts({ kind: 'crossesAbove', level: 100, rearm: 0 }, [90, 99, 100, 105, 99, 100])).toEqual([2, 5]);
  });
  test('do not alert at a level that holds already at the start', () => {
    expect(alerts({ kind: 'crossesAbove', level: 100, rearm: 0 }, [105, 110, 99, 101])).toEqual([3]);
    expect(alerts({ kind: 'crossesBelow', level: 100, rearm: 0 }, [95, 90, 101, 100])).toEqual([3]);
    expect(alerts({ kind: 'entersBand', low: 95, high: 105, rearm: 0 }, [100, 101, 106, 105])).toEqual([3]);
  });
  test('alert once for a price hovering at the level, until it has gone back by the re-arm distance', () => {
    expect(alerts({ kind: 'crossesAbove', level: 100, rearm: 5 }, [98, 100, 99, 100, 96, 100, 95, 100])).toEqual([
      1, 7,
    ]);
    expect(alerts({ kind: 'crossesBelow', level: 100, rearm: 5 }, [102, 100, 101, 100, 105, 99])).toEqual([1, 5]);
  });
  test('alert for a band that is entered and left', () => {
    expect(alerts({ kind: 'entersBand', low: 95, high: 105, rearm: 0 }, [90, 95, 110, 100])).toEqual([1, 3]);
    expect(alerts({ kind: 'leavesBand', low: 95, high: 105, rearm: 2 }, [100, 106, 105, 106, 103, 94])).toEqual([1, 5]);
  });
  test('take a jump over the whole band for leaving it, not for entering it', () => {
    expect(alerts({ kind: 'entersBand', low: 95, high: 105, rearm: 0 }, [90, 110])).toEqual([]);
    expect(alerts({ kind: 'leavesBand', low: 95, high: 105, rearm: 0 }, [100, 200])).toEqual([1]);
  });
  test('measure a move by percent from the last alert, to the paisa', () => {
    expect(
      alerts({ kind: 'moves', hundredths: 100, direction: 'both' }, [10_000, 10_099, 10_100, 10_200, 10_201, 10_099]),
    ).toEqual([2, 4]);
    expect(alerts({ kind: 'moves', hundredths: 100, direction: 'down' }, [10_000, 10_500, 9_900])).toEqual([2]);
  });

  test('measure a move by rupees from the last alert and from a price', () => {
    expect(alerts({ kind: 'moves', points: 150, direction: 'both' }, [1_000, 1_149, 1_150, 1_001, 1_000])).toEqual([
      2, 4,
    ]);
    const from = { kind: 'movesFrom', from: 'price', price: 1_000, points: 150, rearm: 0 } as const;
    expect(levelsOf({ ...from, direction: 'down' }, 1_000)).toMatchObject({ kind: 'crossesBelow', level: 850 });
    expect(levelsOf({ ...from, direction: 'up' }, 1_000)).toMatchObject({ kind: 'crossesAbove', level: 1_150 });
  });
  test('follow each new highest for a fall from it, and alert once until the price is back', () => {
    const rule = { kind: 'fallsFromHighest', since: 'publication', hundredths: 1_000, rearm: 0 } as const;
    expect(alerts(rule, [100, 110, 120, 109, 108, 100, 109, 108, 150, 136, 135])).toEqual([4, 7, 10]);
  });
  test('alert for a rise from the lowest, in rupees, and with a re-arm distance', () => {
    const rule = { kind: 'risesFromLowest', since: 'publication', points: 10, rearm: 5 } as const;
    expect(alerts(rule, [100, 90, 99, 100, 99, 100, 95, 100, 80, 90])).toEqual([3, 7, 9]);
  });
  test('do not alert where the first price is past the distance, measured from an earlier highest', () => {
    const rule = { kind: 'fallsFromHighest', since: 'entry', points: 10, rearm: 0 } as const;
    expect(firstState(rule, 85, 100)).toEqual({ armed: false, reference: 100, count: 0 });
    expect(firstState(rule, 95, 100)).toEqual({ armed: true, reference: 100, count: 0 });
  });
  test('take a turn at any prices at the first one that far from the extreme', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 2 }),
        fc.integer({ min: 1, max: 50 }),
        (prices, points) => {
          const [first] = alerts({ kind: 'fallsFromHighest', since: 'publication', points, rearm: 0 }, prices);
          const expected = prices.findIndex((price, at) => Math.max(...prices.slice(0, at + 1)) - price >= points);
          expect(first ?? -1).toBe(expected);
        },
      ),
    );
  });

  test('take no move in one direction for one in the other, nor one where the price does not change', () => {
    const move = { kind: 'moves', hundredths: 100 } as const;
    expect(alerts({ ...move, direction: 'up' }, [10_000, 9_000, 10_100, 10_100, 10_201])).toEqual([2, 4]);
    expect(alerts({ ...move, direction: 'down' }, [10_000, 11_000, 9_900, 9_801])).toEqual([2, 3]);
    // Any move, from any price.
    expect(alerts({ kind: 'moves', hundredths: 0, direction: 'up' }, [0, 0, 1])).toEqual([2]);
    expect(alerts({ kind: 'moves', hundredths: 0, direction: 'down' }, [1, 1, 0])).toEqual([2]);
  });
  test('take a band for entered again after the distance on either side, and for left again after it inside', () => {
    const enters = { kind: 'entersBand', low: 95, high: 105, rearm: 3 } as const;
    expect(alerts(enters, [90, 100, 93, 95, 92, 95])).toEqual([1, 5]);
    expect(alerts(enters, [110, 100, 107, 105, 108, 105])).toEqual([1, 5]);
    const leaves = { kind: 'leavesBand', low: 95, high: 105, rearm: 3 } as const;
    expect(alerts(leaves, [100, 94, 97, 94, 98, 94])).toEqual([1, 5]);
    expect(alerts(leaves, [100, 106, 103, 106, 102, 106])).toEqual([1, 5]);
    expect(alerts({ ...enters, rearm: 0 }, [100, 95, 94, 95, 105, 106, 105])).toEqual([3, 6]);
  });

  test('alert at a level for any prices only where the price was beyond it by the distance since the last alert', () => {
    const prices = fc.array(fc.integer({ min: 80, max: 120 }), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(prices, fc.integer({ min: 0, max: 10 }), (list, rearm) => {
        const at = alerts({ kind: 'crossesAbove', level: 100, rearm }, list);
        let from = 0;
        for (const index of at) {
          expect(list[index]).toBeGreaterThanOrEqual(100);
          const between = list.slice(from, index);
          const needed = from === 0 ? 99 : Math.min(99, 100 - rearm);
          expect(Math.min(...between)).toBeLessThanOrEqual(needed);
          from = index;
        }
        // And none is missed: after the last alert, no price reaches the level once armed again.
        const rest = list.slice(from);
        const back = rest.findIndex(
          (price, index) => (from === 0 || index > 0) && price <= (from === 0 ? 99 : Math.min(99, 100 - rearm)),
        );
        if (back >= 0 && (at.length > 0 || (list[0] as number) < 100))
          expect(Math.max(...rest.slice(back))).toBeLessThan(100);
      }),
    );
  });
});
