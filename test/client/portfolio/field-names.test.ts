/** Records of the newer portfolio paths, whose fields may be there under two names. */
import { describe, expect, it } from '@jest/globals';
import { holdingInOlderNames, positionInOlderNames } from '../../../client/portfolio/field-names';
import { withNumbers } from '../../../client/portfolio/field-numbers';
import { netQuantityOf } from '../../../client/portfolio/net-quantity';

describe('a field that a record has under two names', () => {
  it.each([
    [{ netQuantity: -75, net_qty: -75 }, -75],
    [{ netQuantity: '-75', net_qty: -75 }, -75],
    [{ netQuantity: null, net_qty: 50 }, 50],
    [{ net_quantity: 50, net_qty: null }, 50],
    [{ netQuantity: -75, net_qty: 75 }, undefined],
    [{ netQty: 75, netQuantity: 150, qty: 75, order_side: 'BUY' }, undefined],
    [{ net_qty: 'many', qty: 75, order_side: 'BUY' }, undefined],
  ])('is the position %j of %p units', (record, units) => {
    expect(netQuantityOf({ ...positionInOlderNames(record), segment: 'stock' })).toBe(units);
  });

  it('is no price where the two differ, and stays the text of the first', () => {
    const record = {
      avgPrice: 100,
      avg_price: 200,
      displayName: 'Infosys',
      display_name: 'INFY',
      prevClose: 5,
      prev_close: 5,
    };
    expect(withNumbers(holdingInOlderNames(record))).toEqual({
      avg_price: null,
      displayName: 'Infosys',
      prev_close: 5,
    });
  });
});
