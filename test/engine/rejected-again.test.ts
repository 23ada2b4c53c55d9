/** The walk of docs/trigger.md that places a rejected order again, once: its own orders start nothing. */
import { TriggerBench, is, json } from '../support/trigger-bench';
import { orderForm } from '../support/parameters';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

it('places a rejected order again with a price near the last one, and does not start itself', async () => {
  const bench = await TriggerBench.start();
  try {
    const trigger = await bench.activate(
      { events: ['rejected'], filters: { tagsLeftOut: 'again' } },
      { typeVersion: 1.2 },
    );
    const placeAgain = async (item: Record<string, unknown>, price: number) =>
      await bench.engine.run(
        orderForm({
          instrument: { __rl: true, mode: 'symbol', value: '={{ $json.symbol }}' },
          side: '={{ $json.order_side }}',
          quantity: '={{ $json.order_qty }}',
          product: '={{ $json.order_delivery_type }}',
          pricesAs: 'percent',
          price,
          options: { tag: 'again', idempotencyKey: '={{ $json.order_id }}' },
          safety: { maxOrderValue: 100_000 },
        }),
        { items: [{ json: item as never }], typeVersion: 1.2 },
      );

    await bench.buy(3, { price_type: 'LIMIT', order_price: 900_000_00 });
    const rejected = json(await trigger.waitFor(is('rejected', 3)));
    expect(rejected).toMatchObject({ rejection_message: expect.stringMatching(/between ₹[\d,.]+ and ₹[\d,.]+ today/) });
    const { items, error } = await placeAgain(rejected, 0.1);
    expect(error).toBeUndefined();
    expect(items[0]!.json).toMatchObject({ order_qty: 3, order_side: 'BUY', tag: expect.stringMatching(/^again-/) });

    // A second price that is refused, too, is told to nobody; the next order is.
    const worse = await placeAgain({ ...rejected, order_id: '1' }, 90);
    expect(worse.error?.message).toMatch(/^The order was rejected: The price must be between/);
    const listed = await bench.engine.run(
      { resource: 'order', operation: 'getMany', returnAll: true, simplify: true, filters: { tag: 'test' } },
      { typeVersion: 1.2 },
    );
    expect(listed.items[0]!.json).toMatchObject({
      status_label: 'Rejected',
      rejection_message: expect.stringMatching(/^The price must be between ₹/),
      advice: expect.any(String),
    });
    await bench.buy(4, { price_type: 'LIMIT', order_price: 900_000_00 });
    await trigger.waitFor(is('rejected', 4));
    expect(trigger.emitted.map((emitted) => json(emitted).order_qty)).toEqual([3, 4]);
  } finally {
    await bench.close();
  }
});
