/** A limit order that the exchange rejects after the service has acknowledged it, in n8n's engine: by the node's version. */
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { testSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

it('a limit that the exchange rejects is an error from version 1.2 on, unless nobody waits', async () => {
  const sandbox = await testSandbox({ orderInterface: 'v2', hours: 'always' });
  try {
    const engine = await Engine.start(sandbox.credential);
    // A share that the account does not hold cannot be sold for delivery; with intent orders that is seen before it is
    // sent.
    const sale = (options = {}) => ({
      ...orderForm({
        side: 'SELL',
        priceType: 'LIMIT',
        price: 2_400,
        product: 'CNC',
        quantity: 1,
        options: { roundToTick: 'safe', ...options },
      }),
      instrument: { __rl: true, mode: 'symbol', value: 'NSE:TCS' },
    });
    const newest = await engine.run(sale(), { typeVersion: 1.2 });
    expect(newest.error?.message).toMatch(/reject/i);
    const unwaited = await engine.run(sale({ waitSeconds: 0 }), { typeVersion: 1.2 });
    expect([unwaited.error, unwaited.items.length]).toEqual([undefined, 1]);
    const before = await engine.run(sale(), { typeVersion: 1.1 });
    expect([before.error, before.items.length]).toEqual([undefined, 1]);
    expect(unwaited.items[0]!.json).toMatchObject({ product_label: 'Delivery', status_label: expect.any(String) });
    expect(before.items[0]!.json).not.toHaveProperty('product_label');
  } finally {
    await sandbox.close();
  }
});
