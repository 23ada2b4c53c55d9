/** Closing a position in virtual time: what bounds it, and what is said. */
import { closePositions } from '../../../client/closing/close-positions';
import { heldPositions, unknownProductBeside, whyNotClosable } from '../../../client/closing/positions';
import { UnknownOutcomeError } from '../../../client/base/errors';
import { PlacementRegistry } from '../../../client/orders/account/placement-registry';
import { placeOrder } from '../../../client/orders/placing/place';
import { tagFrom } from '../../../client/orders/model/tags';
import type { Position } from '../../../client/portfolio/portfolio';
import { bought, POSITION, shown } from './support';
import { INFY, LIMIT_BUY, NIFTY_FUT, orderRequest } from '../orders/support';

const MORE_SHOWN = (units: number): string =>
  `${units} of INFY (Intraday) may still be open: the list of positions shows more than the orders of the day lead to.`;

it.each([false, true])(
  'sells nothing once the list shows that somebody else has sold, whichever read shows it first, or is empty (%s)',
  async (isEmpty) => {
    let reads = 0;
    for (let soldAt = 1; soldAt <= 9; soldAt++) {
      const { close, sales, context } = await bought({ listDelay: () => 0 }, !isEmpty);
      const { list } = context.orders;
      let count = 0;
      context.orders = {
        ...context.orders,
        list: async (signal) => {
          if ((count += 1) === soldAt && sales().length === 0) {
            const terms = { ...LIMIT_BUY, product: 'IDAY', side: 'SELL' } as const;
            const elsewhere = {
              ...context,
              orders: { ...context.orders, list },
              placements: new PlacementRegistry(context.transport.clock),
            };
            await placeOrder(orderRequest('elsewhere', { terms }), { ...elsewhere, hasPosition: true });
            if (isEmpty) return [];
          }
          return await list(signal);
        },
      };
      await close('ours');
      reads = Math.max(reads, count);
      expect(sales()).toEqual([10]);
    }
    expect(reads).toBeGreaterThan(4);
  },
);

it('counts an order with a key that is just being placed, and lets none be placed while it closes', async () => {
  const { time, close, sales, context, model } = await bought({ listDelay: () => 0 });
  const placing = context.orders.place.bind(context.orders);
  const order: string[] = [];
  context.orders = {
    ...context.orders,
    place: async (request) => {
      order.push(request.terms.side);
      await context.transport.clock.sleep(request.terms.side === 'BUY' ? 3_000 : 0);
      return await placing(request);
    },
  };
  const key = (name: string) => tagFrom('', { kind: 'key', key: name, terms: LIMIT_BUY }, 'sandbox/me');
  const buy = async (name: string) =>
    await placeOrder(orderRequest(key(name), { terms: { ...LIMIT_BUY, product: 'IDAY' }, keyed: true }), context);
  await time.run(Promise.all([buy('before'), close('ours'), buy('after')]));
  expect(order).toEqual(['BUY', 'SELL', 'BUY']);
  expect(sales()).toHaveLength(1);
  expect(model.journal).toHaveLength(4);
});

it('closes what is there, once: the position that is shown late is not closed again', async () => {
  const { close, sales } = await bought();
  expect(await close('first')).toMatchObject({ closed: 10, left: 0 });
  // Another execution, while the service still shows ten.
  const again = await close('second');
  expect(again).toMatchObject({ closed: 0, left: 0, orders: [] });
  expect(again.error).toBeUndefined();
  expect(sales()).toEqual([10]);
});

it('a key closes what it closed, and not what was opened since', async () => {
  const { time, close, sales, context, show } = await bought();
  await close('alert');
  await time.run(placeOrder(orderRequest('more', { terms: { ...LIMIT_BUY, product: 'IDAY', quantity: 4 } }), context));
  show(shown(4));
  await time.run(time.sleep(5_000));
  const again = await close('alert');
  expect(again).toMatchObject({ closed: 0, left: 4 });
  expect(again.error?.message).toMatch(/^An earlier try already placed order \d+ for this\.$/);
  expect(sales()).toEqual([10]);
  expect(await close('another alert')).toMatchObject({ closed: 4, left: 0 });
});

it('closes the smaller one where positions and orders of the day do not agree', async () => {
  const { close, sales, show } = await bought();
  show(shown(25));
  expect(await close('first')).toMatchObject({ closed: 10, left: undefined, error: { message: MORE_SHOWN(15) } });
  expect(sales()).toEqual([10]);
});

it('does not call closed what the list shows beyond the orders of the day, which others of the day hide', async () => {
  const { time, close, sales, context, show } = await bought();
  const sell = { ...LIMIT_BUY, product: 'IDAY', side: 'SELL', quantity: 6 } as const;
  await time.run(placeOrder(orderRequest('before', { terms: sell }), { ...context, hasPosition: true }));
  show(shown(10));
  await time.run(time.sleep(5_000));
  expect(await close('first')).toMatchObject({ closed: 4, left: undefined, error: { message: MORE_SHOWN(6) } });
  expect(sales()).toEqual([6, 4]);
});

it('closes nothing where they disagree about the direction', async () => {
  const { close, sales, show } = await bought();
  show(shown(-10));
  const result = await close('first', { ...POSITION, net: -10 });
  expect(result).toMatchObject({ closed: 0, left: undefined });
  expect(result.error?.message).toContain('its position and its orders do not agree');
  expect(sales()).toEqual([]);
});

it('calls no position closed where the list lacks the orders that led to it', async () => {
  const { close, sales, context } = await bought();
  context.orders.list = async () => await Promise.resolve([]);
  const result = await close('first');
  expect(result).toMatchObject({ closed: 0, left: undefined, orders: [] });
  expect(result.error?.message).toContain('the list of orders lacks order');
  expect(sales()).toEqual([]);
});

it('sells no more of a future held since yesterday than is there, also when the list shows a recent sale late', async () => {
  const { time, close, sales, context, show } = await bought();
  const { refId, lotSize } = NIFTY_FUT;
  const future = (lots: number): Position =>
    shown(lots * lotSize, { ref_id: refId, segment: 'future', product: 'ORDER_DELIVERY_TYPE_CNC' });
  const terms = {
    ...LIMIT_BUY,
    instrument: NIFTY_FUT,
    product: 'CNC',
    side: 'SELL',
    quantity: lotSize,
    price: 150_010,
  } as const;
  await time.run(placeOrder(orderRequest('stop loss', { terms }), context));
  show(shown(0), future(3));
  // Twenty seconds later the position is shown without what was sold.
  void time.clock.sleep(20_000).then(() => show(shown(0), future(2)));
  const position = { ...POSITION, refId, segment: 'future', product: 'CNC', net: 3 * lotSize } as const;
  expect(await close('first', position)).toMatchObject({ closed: 2 * lotSize, left: 0 });
  expect(sales()).toEqual([lotSize, 2 * lotSize]);
});

it('places orders until nothing is left to close', async () => {
  const sold: number[] = [];
  const { close, sales } = await bought({
    life: ({ order_side: side, order_qty: quantity }) => {
      if (side !== 'ORDER_SIDE_SELL') return [{ after: 50, status: 'FILLED' }];
      sold.push(Number(quantity));
      return sold.length === 1 ? [{ after: 50, status: 'CANCELLED', filled: 4 }] : [{ after: 50, status: 'FILLED' }];
    },
  });
  expect(await close('first')).toMatchObject({ closed: 6 + 4, left: 0, orders: [{ filled: 4 }, { filled: 6 }] });
  expect(sales()).toEqual([10, 6]);
});

it.each([
  ['a share of today', POSITION, 4],
  [
    'a future held since yesterday',
    { ...POSITION, refId: NIFTY_FUT.refId, segment: 'future', product: 'CNC', net: 195 },
    65,
  ],
] as const)('does not call %s closed that a list lacks after a part of it was sold', async (_, position, part) => {
  let hide: () => void = () => undefined;
  const { close, sales, show } = await bought({
    life: ({ order_side: side }) => {
      if (side !== 'ORDER_SIDE_SELL') return [{ after: 50, status: 'FILLED' }];
      hide();
      return [{ after: 50, status: 'CANCELLED', filled: part }];
    },
  });
  const record = shown(position.net, {
    ref_id: position.refId,
    segment: position.segment,
    product: `ORDER_DELIVERY_TYPE_${position.product}`,
  });
  show(record);
  hide = () => show(shown(5, { ref_id: 99, symbol: 'SBIN' }));
  const result = await close('first', position);
  expect(result).toMatchObject({ closed: part, left: undefined });
  expect(result.error?.message).toMatch(
    new RegExp(`^${position.net - part} of INFY .* may still be open: the list of positions does not show them`),
  );
  expect(sales()).toEqual([position.net]);
});

it('stops where nobody trades, and says what is left', async () => {
  const { close, sales } = await bought({
    life: ({ order_side: side }) => [{ after: 50, status: side === 'ORDER_SIDE_SELL' ? 'CANCELLED' : 'FILLED' }],
  });
  const closed = await close('first');
  expect(closed).toMatchObject({ closed: 0, left: 10 });
  expect(closed.error?.message).toContain('found no');
  expect(sales()).toEqual([10]);
});

it('does not close what an order of unknown outcome may have closed', async () => {
  let isLost = true;
  const { close, model } = await bought({
    fault: ({ method, body }) => (isLost && method === 'POST' && body?.includes('SELL') ? 'lost' : undefined),
  });
  const first = await close('first');
  expect(first.error).toBeInstanceOf(UnknownOutcomeError);
  isLost = false;
  const second = await close('second');
  expect(second.error).toBeInstanceOf(UnknownOutcomeError);
  expect(second.error?.message).toContain('it is not known yet whether an earlier order closed it');
  expect(model.journal).toHaveLength(1);
});

it('leaves a position alone on which an order cannot be cancelled', async () => {
  const { time, close, sales, context } = await bought({
    life: ({ order_qty: quantity }) => [{ after: 50, status: quantity === 3 ? 'OPEN' : 'FILLED' }],
    fault: ({ url }) => (url.includes('/cancel') ? 400 : undefined),
  });
  await time.run(
    placeOrder(orderRequest('rests', { terms: { ...LIMIT_BUY, product: 'IDAY', side: 'SELL', quantity: 3 } }), context),
  );
  await time.run(time.sleep(5_000));
  const closed = await close('first');
  expect(closed).toMatchObject({ closed: 0, cancelled: [{ result: 'refused' }] });
  expect(closed.error).toBeDefined();
  expect(sales()).toEqual([3]);
});

describe('positions', () => {
  it.each([
    ['the same, read a moment apart', shown(10, { pnl: 100 }), shown(10, { pnl: 200 })],
    ['that of the day within that of all days', shown(4), shown(10)],
    ['of the other side', shown(10), shown(-4)],
  ])('have no quantity where a list shows one twice: %s', (_, ...list) => {
    const [held, ...more] = heldPositions(list);
    expect([held?.net, more]).toEqual([undefined, []]);
    expect(whyNotClosable(held!)).toBe('the service does not say for certain how many were bought or sold');
    expect(heldPositions([...list.slice(0, 1), shown(0)])[0]?.net).toBe(list[0].qty);
  });

  it('are told apart by instrument and product, with their sign; closed ones are left out', () => {
    const held = heldPositions([
      shown(10),
      shown(-4, { product: 'ORDER_DELIVERY_TYPE_CNC' }),
      shown(0, { ref_id: 99 }),
      shown(5, { ref_id: 5, order_side: 'ORDER_SIDE_SELL', product: 'IDAY' }),
    ]);
    expect(held.map(({ refId, product, net }) => [refId, product, net])).toEqual([
      [7, 'IDAY', 10],
      [7, 'CNC', -4],
      [5, 'IDAY', -5],
    ]);
  });

  it.each<[string, object, RegExp]>([
    ['shares that were sold from the holdings', { product: 'CNC', order_side: 'SELL' }, /sold from the holdings/],
    ['a product that is not known', { product: 'MTF' }, /"MTF" is not known/],
    ['a direction that is not told', { order_side: '' }, /bought or sold/],
    ['a side that is not known', { order_side: 'ORDER_SIDE_PARKED' }, /the side "PARKED", which is not known here/],
    ['an instrument that is not told', { ref_id: undefined }, /of which instrument/],
  ])('are not closed: %s', (_, more, why) => {
    const [position] = heldPositions([shown(10, more)]);
    expect(whyNotClosable(position!)).toMatch(why);
  });
});

it('tells of a product beside a position that is not known', () => {
  const held = heldPositions([shown(10), shown(4, { product: 'ORDER_DELIVERY_TYPE_PARKED' })]);
  expect(unknownProductBeside(held, { refId: 7 })).toMatch(/the product "PARKED", which is not known here/);
  expect(unknownProductBeside(held.slice(0, 1), { refId: 7 })).toBeUndefined();
});

it('buys back what was sold before it sells what may hedge it, and answers in the order of the requests', async () => {
  const { time, model, context, show } = await bought();
  const sold = {
    ...POSITION,
    refId: NIFTY_FUT.refId,
    symbol: NIFTY_FUT.symbol,
    segment: 'future' as const,
    net: -NIFTY_FUT.lotSize,
  };
  show(shown(10), shown(-NIFTY_FUT.lotSize, { ref_id: sold.refId, symbol: sold.symbol, segment: 'future' }));
  await time.run(
    placeOrder(
      orderRequest('short', {
        terms: {
          ...LIMIT_BUY,
          instrument: NIFTY_FUT,
          side: 'SELL',
          product: 'IDAY',
          quantity: NIFTY_FUT.lotSize,
          price: 2_400_000,
        },
      }),
      context,
    ),
  );
  await time.run(time.sleep(10_000));
  const before = model.journal.length;
  const results = await time.run(
    closePositions(
      [POSITION, sold].map((position) => ({
        position,
        instrument: position.refId === INFY.refId ? INFY : NIFTY_FUT,
        request: (terms, part) =>
          orderRequest(
            tagFrom(
              '',
              { kind: 'key', key: `${position.refId}`, part, terms: { close: position.refId } },
              'sandbox/me',
            ),
            {
              terms,
              keyed: true,
            },
          ),
        placed: () => undefined,
      })),
      5_000,
      context,
    ),
  );
  expect(results.map(({ request, closed }) => [request.position.refId, closed])).toEqual([
    [INFY.refId, 10],
    [NIFTY_FUT.refId, NIFTY_FUT.lotSize],
  ]);
  const sent = model.journal.slice(before).map(({ body }) => body.order_side);
  expect(sent).toEqual(['ORDER_SIDE_BUY', 'ORDER_SIDE_SELL']);
});
