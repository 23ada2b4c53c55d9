import { describe, expect, test } from '@jest/globals';
import { bookLots, closeLots } from '../../../sandbox/src/accounts/lots';

const MONDAY = '2026-11-16';
const TUESDAY = '2026-11-17';
const lot = (quantity: number, price: number, date = MONDAY) => ({ date, quantity, price });

describe('lots of a position', () => {
  test.each([
    ['the first is opened', [], [5, 300], [lot(5, 300)]],
    [
      'the same price on the same day adds to the last one',
      [lot(1, 100), lot(2, 300)],
      [5, 300],
      [lot(1, 100), lot(7, 300)],
    ],
    ['another price opens its own', [lot(2, 100)], [5, 300], [lot(2, 100), lot(5, 300)]],
    [
      'a price of before does not join the lot of another price between',
      [lot(2, 300), lot(1, 100)],
      [5, 300],
      [lot(2, 300), lot(1, 100), lot(5, 300)],
    ],
    ['another day opens its own', [lot(2, 300, '2026-11-13')], [5, 300], [lot(2, 300, '2026-11-13'), lot(5, 300)]],
    ['short sales add up the same way', [lot(-2, 300)], [-5, 300], [lot(-7, 300)]],
  ])('are opened where %s; nothing is closed', (_what, lots, [quantity, price], expected) => {
    expect(bookLots(lots, quantity!, price!, MONDAY)).toEqual({ lots: expected, closed: [], opened: quantity });
  });

  test('are closed by an opposite quantity, the oldest first, and the rest opens the other way', () => {
    const [first, second] = [lot(3, 100), lot(4, 200)];
    expect(bookLots([first, second], -5, 300, TUESDAY)).toEqual({
      lots: [lot(2, 200)],
      closed: [
        { lot: first, quantity: 3 },
        { lot: second, quantity: 2 },
      ],
      opened: 0,
    });
    expect(bookLots([first, second], -9, 300, TUESDAY)).toMatchObject({ lots: [lot(-2, 300, TUESDAY)], opened: -2 });
  });

  test('are closed by a purchase where they were sold short, in part or in full', () => {
    const [first, second] = [lot(-3, 100), lot(-4, 200)];
    expect(closeLots([first, second], 4)).toEqual({
      lots: [lot(-3, 200)],
      closed: [
        { lot: first, quantity: -3 },
        { lot: second, quantity: -1 },
      ],
      left: 0,
    });
    expect(closeLots([first, second], 8)).toMatchObject({ lots: [], left: 1 });
  });

  test('are not closed by the same side', () => {
    expect(closeLots([lot(3, 100)], 2)).toEqual({ lots: [lot(3, 100)], closed: [], left: 2 });
  });
});
