import fc from 'fast-check';
import { item, limit, startIntents, type IntentBench } from './support';
import { IS_WHOLE } from '../../support/sample';

const RUNS = Number(process.env['AGREEMENT_RUNS'] ?? (IS_WHOLE ? 4 : 2));
type Figures = Record<string, number>;
type Deed =
  | { by: 'v2' | 'intent'; side: 'BUY' | 'SELL'; quantity: number; ticks: number; product: 'CNC' | 'IDAY' }
  | { by: 'intent with exits'; quantity: number }
  | { by: 'cancel'; on: 'v2' | 'intent' }
  | { by: 'price'; ticks: number };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      by: fc.constantFrom('v2' as const, 'intent' as const),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      quantity: fc.integer({ min: 1, max: 60 }),
      ticks: fc.integer({ min: -8, max: 8 }),
      product: fc.constantFrom('CNC' as const, 'IDAY' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ by: fc.constant('intent with exits' as const), quantity: fc.integer({ min: 1, max: 60 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      by: fc.constant('cancel' as const),
      on: fc.constantFrom('v2' as const, 'intent' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ by: fc.constant('price' as const), ticks: fc.integer({ min: -60, max: 60 }) }),
  },
);

/** Carries a deed out; what the service refuses is as good as what it takes. */
async function carryOut(b: IntentBench, deed: Deed): Promise<void> {
  if (deed.by === 'price') return b.move(b.refId, await b.near(deed.ticks));
  if (deed.by === 'cancel') {
    const open = Object.values(await b.list()).flatMap((records) => records ?? []);
    const id = open.find(({ status }) => status === 'OPEN')?.intentOrderId;
    if (id === undefined) return;
    if (deed.on === 'intent') await b.cancel(String(id));
    else await b.http.delete(`/orders/${id}`, { headers: b.headers });
    return;
  }
  if (deed.by === 'intent with exits') {
    const last = await b.near(0);
    const value = (ticks: number) => ({ value: last + ticks * b.tick });
    const exitConfig = {
      stoplossParams: { stoplossTriggerPrice: value(-20), stoplossLimitPrice: value(-40) },
      targetParams: { targetProfitTriggerPrice: value(30), targetProfitLimitPrice: value(20) },
    };
    const order = item(b, { qty: deed.quantity, executionMode: 'ENTRY_AND_EXIT', exitConfig });
    await b.post('/sentinel/orders/create', { orders: [order] });
    return;
  }
  const price = await b.near(deed.ticks);
  if (deed.by === 'intent') {
    const more = { side: deed.side, qty: deed.quantity, deliveryType: deed.product };
    await b.post('/sentinel/orders/create', { orders: [limit(b, price, more)] });
    return;
  }
  await b.post('/orders/v2/single', {
    ref_id: b.refId,
    order_type: 'ORDER_TYPE_REGULAR',
    order_qty: deed.quantity,
    order_side: `ORDER_SIDE_${deed.side}`,
    order_delivery_type: `ORDER_DELIVERY_TYPE_${deed.product}`,
    validity_type: 'DAY',
    price_type: 'LIMIT',
    order_price: price,
  });
}

/** The answer of a path, without its types. */
async function read<T>(b: IntentBench, path: string): Promise<T> {
  const { status, data } = await b.get(path);
  expect(status).toBe(200);
  return data as unknown as T;
}

async function agree(b: IntentBench): Promise<void> {
  const v2 = (await read<Record<string, Figures>>(b, '/portfolio/user_funds_and_margin'))['port_funds_and_margin']!;
  const intent = (await read<Record<string, Figures>>(b, '/sentinel/portfolio/user_funds_and_margin'))[
    'portFundsAndMargin'
  ]!;
  expect([intent['netMarginAvailable'], intent['totalMarginBlocked'], intent['startOfDayFunds']]).toEqual([
    v2['net_margin_available'],
    v2['total_margin_blocked'],
    v2['start_of_day_funds'],
  ]);

  type Older = { ref_id: number; product: string; order_side: string; qty: number; avg_buy_price: number; pnl: number };
  const older = (await read<{ portfolio: Record<string, Older[] | null> }>(b, '/portfolio/positions')).portfolio;
  type Newer = { refId: number; deliveryType: string; netQuantity: number; avgBuyPrice: number; pnl: number };
  const newer = (await read<{ portfolio: { positions: Newer[] } }>(b, '/sentinel/portfolio/positions')).portfolio;
  const lists = ['stock_positions', 'fut_positions', 'opt_positions', 'close_positions'] as const;
  const before = lists.flatMap((list) =>
    (older[list] ?? []).map(({ ref_id, product, order_side, qty, avg_buy_price, pnl }) => ({
      refId: ref_id,
      product: product.replace('ORDER_DELIVERY_TYPE_', ''),
      // The older list shows of a closed position what was traded.
      net: list === 'close_positions' ? 0 : order_side === 'SELL' ? -qty : qty,
      bought: avg_buy_price,
      pnl,
    })),
  );
  const now = newer.positions.map(({ refId, deliveryType, netQuantity, avgBuyPrice, pnl }) => ({
    refId,
    product: deliveryType,
    net: netQuantity,
    bought: avgBuyPrice,
    pnl,
  }));
  const sorted = <T extends { refId: number; product: string }>(list: T[]) =>
    [...list].sort((a, c) => a.refId - c.refId || a.product.localeCompare(c.product));
  expect(sorted(now)).toEqual(sorted(before));

  const records = Object.values(await b.list()).flatMap((bucket) => bucket ?? []);
  type Order = { order_id: string; filled_qty: number; avg_filled_price: number; order_qty: number };
  const orders = (await read<Order[] | null>(b, '/orders/v2')) ?? [];
  expect(
    orders
      .map(({ order_id, order_qty, filled_qty, avg_filled_price }) => [
        String(order_id),
        order_qty,
        filled_qty,
        avg_filled_price,
      ])
      .sort(),
  ).toEqual(
    records
      .map(({ intentOrderId, orderQty, filledQty, filledPrice }) => [
        String(intentOrderId),
        orderQty,
        filledQty,
        filledPrice,
      ])
      .sort(),
  );
}

test('books and funds agree on both interfaces, whatever is traded on either', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 10 }), async (deeds) => {
      const b = await startIntents();
      try {
        for (const deed of deeds) {
          await carryOut(b, deed);
          await b.advance('PT6S');
          await agree(b);
        }
      } finally {
        await b.close();
      }
    }),
    { numRuns: RUNS },
  );
});
