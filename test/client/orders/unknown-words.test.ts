/** Words that no list of the service has, in records of both interfaces and in messages of the stream: none of them means anything else. */
import fc from 'fast-check';
import { openUnits } from '../../../client/closing/open-orders';
import { intentApi } from '../../../client/orders/api/intent/intent';
import { v2Api } from '../../../client/orders/api/v2/v2';
import { readBasket } from '../../../client/orders/model/basket-record';
import { requireKnownBasket } from '../../../client/orders/model/known-words';
import { readOrder } from '../../../client/orders/model/order-record';
import { endFrom } from '../../../client/orders/model/order-snapshot';
import { statusFrom } from '../../../client/orders/model/order-status';
import { LivePnl } from '../../../client/portfolio/live-pnl';
import { getPositions, type Positions } from '../../../client/portfolio/portfolio';
import { readOrderMessage } from '../../../client/stream/reconciliation/order-message';
import { knownPrice } from '../../support/price';
import { updateOf } from '../stream/wire';
import { answeringTransport } from './answering';

const FINAL = ['FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED', 'CLOSED', 'PARTIAL_FILLED'];
/** Words of letters and underscores that the service does not have, in any spelling. */
const unknown = fc
  .stringMatching(/^[A-Za-z][A-Za-z_]{1,20}$/)
  .filter((word) => endFrom(statusFrom(word)) === '' && !FINAL.includes(statusFrom(word)));

it('an unknown status is never filled, cancelled or rejected, whatever the quantities', () => {
  fc.assert(
    fc.property(unknown, fc.nat(20), fc.nat(20), (word, quantity, filled) => {
      const order = { order_id: '5', ref_id: 7, order_qty: quantity, filled_qty: filled };
      const fills = Math.min(filled, quantity);
      const seen = [
        readOrder({ ...order, filled_qty: fills, order_status: `ORDER_STATUS_${word}` }),
        readBasket({ basket_id: '5', basket_status: `BASKET_STATUS_${word}`, orders: [] }),
        readOrderMessage(updateOf({ intentOrderId: '5', refId: 7, orderStatus: 77, orderQty: quantity }, [77, 77]))!
          .order,
      ];
      // What the fills prove is believed where the word waits for them.
      const isProved = fills > 0 && ['PENDING', 'SENT', 'OPEN'].includes(statusFrom(word));
      expect(seen.map(({ end }) => end)).toEqual(isProved ? [expect.anything(), '', ''] : ['', '', '']);
      if (!isProved) expect(FINAL).not.toContain(seen[0]!.status);
    }),
  );
});

const ORDER = {
  ...{ order_id: '5', ref_id: 7, order_qty: 10, filled_qty: 0, exchange: 'NSE', order_status: 'ORDER_STATUS_OPEN' },
  ...{ order_side: 'ORDER_SIDE_SELL', order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY', price_type: 'LIMIT' },
  ...{ validity_type: 'DAY', order_type: 'ORDER_TYPE_REGULAR' },
};
const INTENT = {
  ...{ intentOrderId: '5', refId: 7, orderQty: 10, filledQty: 0, exchange: 'NSE', side: 'SELL' },
  ...{ deliveryType: 'IDAY', priceType: 'LIMIT', validityType: 'DAY', intentOrderType: 'REGULAR' },
};
type Spell = (word: string) => string;
const spelled = (record: object, spell: Spell): object =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'string' && /\D/.test(value) ? spell(value) : value,
    ]),
  );
const LISTS = {
  v2: (spell: Spell) => [spelled(ORDER, spell)],
  intent: (spell: Spell) => ({ orders: { open: [spelled(INTENT, spell)] } }),
} as const;

describe.each(['v2', 'intent'] as const)('an order of %s', (kind) => {
  const read = async (spell: Spell) => {
    const { transport, time } = answeringTransport(LISTS[kind](spell) as never);
    const { orders } = kind === 'v2' ? v2Api(transport) : intentApi(transport);
    return await time.run(orders.list());
  };

  it.each<[string, Spell]>([
    ['small letters', (word) => word.toLowerCase()],
    ['blanks', (word) => `  ${word} `],
  ])('is the same with its words in %s', async (_, spell) => {
    const [usual] = await read((word) => word);
    const [other] = await read(spell);
    expect(readOrder(other!)).toEqual(readOrder(usual!));
  });

  it('is not counted among those that are open where its side is not known', async () => {
    const orders = await read((word) => (word.endsWith('SELL') ? 'SHORT' : word));
    expect(openUnits(orders, { refId: 7, product: 'IDAY' })).toEqual({
      units: 0,
      why: 'order 5 on it does not tell its side in words that are known here',
    });
  });
});

it.each([
  ['SHORT', 'IDAY', /Basket 9 has the leg .*, which has the side "SHORT", which is not known here: it was not closed/],
  ['', 'IDAY', /which does not tell its side/],
  ['BUY', 'MTF', /^Basket 9 has the product "MTF"/],
])('a basket with the side %j and the product %j is not closed by what they might be', (side, product, says) => {
  const basket = {
    basket_id: '9',
    basket_params: { order_delivery_type: `ORDER_DELIVERY_TYPE_${product}` },
    orders: [{ ref_id: 7, order_side: `ORDER_SIDE_${side}`, filled_qty: 5 }],
  };
  expect(() => requireKnownBasket(basket, 'closed')).toThrow(says);
});

describe('a position', () => {
  const read = async (position: object): Promise<Positions> => {
    const held = { ref_id: 7, qty: 10, ltp: 100, pnl: 50, order_side: 'SELL', exchange: 'NSE', ...position };
    const { transport, time } = answeringTransport({ portfolio: { positions: [held] } } as never);
    return await time.run(getPositions(transport, undefined, 'intent'));
  };

  it.each([
    [{ derivativeType: 'opt', symbol: 'X' }, 'option'],
    [{ derivativeType: 'PARKED', symbol: 'NIFTY26NOV25900CE' }, 'option'],
    [{ derivativeType: 'PARKED', symbol: 'NIFTY26NOVFUT' }, 'future'],
    [{ derivativeType: 'PARKED', symbol: 'INFY' }, 'stock'],
  ])('is, of %j, of the kind %s', async (position, segment) => {
    expect((await read(position)).positions).toMatchObject([{ segment }]);
  });

  it('keeps the profit of its reading while prices move where its side is not known', async () => {
    const profits = await Promise.all(
      ['SELL', ' sell ', 'PARKED'].map(async (side) => {
        const pnl = new LivePnl();
        pnl.read(await read({ order_side: side, lot_size: 1, derivative_type: 'STOCK' }));
        pnl.price(7, knownPrice(90));
        return pnl.all;
      }),
    );
    expect(profits).toEqual([150, 150, 50]);
  });
});
