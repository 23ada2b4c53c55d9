/** Quantities and ids that a service writes in another way: read exactly, or refused in words, never taken for 0 or for another one. */
import { UnreadableReplyError } from '../../../client/base/errors';
import { heldPositions } from '../../../client/closing/positions';
import { netQuantityOf } from '../../../client/portfolio/net-quantity';
import { intentApi } from '../../../client/orders/api/intent/intent';
import { v2Api } from '../../../client/orders/api/v2/v2';
import { filledPriceOf, filledQuantityOf, quantityOf } from '../../../client/orders/model/order-record';
import { readJson, type Json } from '../../../client/values/json';
import { unitsAt } from '../../../client/values/record';
import { heldQuantities, unitsInHoldings } from '../../../client/closing/held';
import { getHoldings, type Position } from '../../../client/portfolio/portfolio';
import { scriptedTransport } from '../../support/wire';
import { answeringTransport } from './answering';

const LISTS = {
  v2: (qty: unknown) => [
    { order_id: '5', ref_id: 7, order_status: 'ORDER_STATUS_FILLED', order_qty: qty, filled_qty: qty },
  ],
  intent: (qty: unknown) => ({
    orders: { executed: [{ intentOrderId: '5', refId: 7, orderQty: qty, filledQty: qty }] },
  }),
} as const;

describe.each(['v2', 'intent'] as const)('an order of %s', (kind) => {
  const list = async (qty: unknown): Promise<readonly [number, number][]> => {
    const { transport, time } = answeringTransport(LISTS[kind](qty));
    const { orders } = kind === 'v2' ? v2Api(transport) : intentApi(transport);
    return (await time.run(orders.list())).map((order) => [quantityOf(order), filledQuantityOf(order)] as const);
  };

  it.each([
    [10, 10],
    ['10', 10],
    ['10.00', 10],
    ['1,010', 1_010],
    ['1,00,000.0', 100_000],
    [-10, 10],
    [null, 0],
    ['', 0],
  ])('has the quantity %j as %d', async (qty, units) => {
    expect(await list(qty)).toEqual([[units, units]]);
  });

  it.each(['ten', '१०', '10.5', 10.5, '1e3', '1,2', true, [10], 2 ** 60])(
    'is refused with the quantity %j',
    async (qty) => {
      await expect(list(qty)).rejects.toThrow(/[qQ]ty is no whole number, but/);
      await expect(list(qty)).rejects.toBeInstanceOf(UnreadableReplyError);
    },
  );
});

describe('a position', () => {
  const position = (qty: Json, order_side: Json = 'ORDER_SIDE_BUY', more: object = {}): Position =>
    ({ ref_id: 7, product: 'ORDER_DELIVERY_TYPE_CNC', segment: 'future', qty, order_side, ...more }) as Position;

  it.each<[Json, Json, number | undefined]>([
    ['75.00', 'ORDER_SIDE_SELL', -75],
    ['1,05,000', 'ORDER_SIDE_BUY', 105_000],
    [-75, 'ORDER_SIDE_SELL', -75],
    [-75, '', -75],
    [-75, 'ORDER_SIDE_BUY', undefined],
    [10.5, 'ORDER_SIDE_BUY', undefined],
    ['ten', 'ORDER_SIDE_BUY', undefined],
    [75, 'B', undefined],
    ['0.00', '', 0],
  ])('has, of %j on the side %j, the net %j', (qty, side, net) => {
    expect(netQuantityOf(position(qty, side))).toBe(net);
  });

  it('has no known quantity where it comes twice: it may be one or two', () => {
    expect(heldPositions([position(75), position(75)])).toMatchObject([{ refId: 7, net: undefined }]);
    expect(heldPositions([position(75), position(150)])).toMatchObject([{ refId: 7, net: undefined }]);
    expect(heldPositions([position(75), position(0)])).toMatchObject([{ refId: 7, net: 75 }]);
    expect(heldPositions([position(0), position(0)])).toEqual([]);
  });
});

it('units that are missing are 0, and those that cannot be read are refused', () => {
  expect(unitsAt<{ qty: number }>({}, 'qty')).toBe(0);
  expect(() => unitsAt<{ qty: number }>({ qty: 'ten' }, 'qty')).toThrow('qty is no whole number, but "ten"');
});

it.each(['1795150842178391595.0', '1.7951508421783916e18'])(
  'an id that was rounded on the way is refused: %s',
  (id) => {
    const read = (key: string): Json => readJson(Buffer.from(`[{"${key}":${id}}]`));
    for (const key of ['order_id', 'intentOrderId', 'basket_id'])
      expect(() => read(key)).toThrow(`The service sent ${key} as 1795150842178391600: its last digits are lost.`);
    // Nobody acts by it.
    expect(read('exchange_order_id')).toEqual([{ exchange_order_id: '1795150842178391600' }]);
    expect(readJson(Buffer.from('[{"order_id":5.0}]'))).toEqual([{ order_id: '5' }]);
  },
);

describe.each(['v2', 'intent'] as const)('the mean price of a fill of %s', (kind) => {
  const LIST = {
    v2: (price: unknown) => [{ ...LISTS.v2(10)[0], avg_filled_price: price }],
    intent: (price: unknown) => ({
      orders: { executed: [{ ...LISTS.intent(10).orders.executed[0], filledPrice: price }] },
    }),
  };
  const priceOf = async (price: unknown): Promise<number | undefined> => {
    const { transport, time } = answeringTransport(LIST[kind](price));
    const { orders } = kind === 'v2' ? v2Api(transport) : intentApi(transport);
    const [order] = await time.run(orders.list());
    return filledPriceOf(order!);
  };

  it.each([
    [1234.5625, 1234.5625],
    ['1234.5625', 1234.5625],
    [' 150033.33333333334 ', 150_033.33333333334],
    ['123450', 123_450],
    ['1,23,450', 123_450],
  ])('is %j as %d paise', async (price, paise) => {
    expect(await priceOf(price)).toBe(paise);
  });

  // In groups and with decimals it is how rupees are printed, also where these are 0; what is cut, or no number, is none.
  it.each([
    ['1,234.50'],
    ['1,234.00'],
    ['123,450.00'],
    ['1234,50'],
    ['1234.'],
    ['.5'],
    ['12.34.56'],
    ['1e5'],
    ['₹1234.50'],
    ['NaN'],
    [''],
    [null],
    [0],
  ])('is not known from %j', async (price) => {
    expect(await priceOf(price)).toBeUndefined();
  });
});

it.each([['qty'], ['t1_qty'], ['pledged_qty']])('a holding whose %s cannot be read is refused, not 0', async (name) => {
  const holdings = async (value: Json): Promise<number> => {
    const json = { portfolio: { holdings: [{ ref_id: 7, qty: 10, [name]: value }] } };
    const read = await getHoldings(scriptedTransport([{ json }]).transport);
    return name === 'pledged_qty'
      ? heldQuantities([{ refId: 7, symbol: 'INFY', exchange: 'NSE' }], { positions: [] }, read)[0]!.held.units
      : unitsInHoldings({ refId: 7 }, read, 0);
  };
  await expect(holdings('10 shares')).rejects.toThrow(`${name} is no whole number, but "10 shares"`);
  await expect(holdings('1e1')).rejects.toThrow(name);
  expect(await holdings(null)).toBe(name === 'qty' ? 0 : 10);
});
