/** A trigger that was just published, where the first lists lack what happened before, in n8n's engine against the sandbox. */
import { TriggerBench, is, json } from '../support/trigger-bench';
import { share } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

const OLD = 8;

describe.each([
  ['v2', '/orders', '[]'],
  ['intent', '/sentinel/orders', '{"orders":{"open":[],"executed":[]}}'],
] as const)('on %s orders', (orderInterface, path, empty) => {
  let bench: TriggerBench;
  beforeAll(async () => (bench = await TriggerBench.start({ orderInterface })));
  afterAll(async () => await bench.close());
  afterEach(async () => {
    await bench.control('DELETE', '/faults');
    await bench.endTest();
  });

  const buy = async (quantity: number): Promise<void> => {
    if (orderInterface === 'v2') return await bench.buy(quantity);
    const terms = { side: 'BUY', deliveryType: 'IDAY', priceType: 'MARKET', validityType: 'IOC', isMultiLeg: false };
    const order = { ...terms, refId: await bench.infyRefId(), qty: quantity, stratTags: ['mine'] };
    await bench.ask('POST', '/sentinel/orders/create', { orders: [order] });
  };

  it.each(share([1, 2, 3], 3, orderInterface === 'v2' ? 0 : 2))(
    'nothing starts for the old fills where the first %d lists are empty',
    async (times) => {
      const before = await bench.activate({ events: ['executed'] });
      for (let quantity = 1; quantity <= OLD; quantity++) await buy(quantity);
      await before.waitFor(is('executed', OLD));
      await bench.endTest();
      await bench.control('POST', '/faults', {
        match: { method: 'GET', path },
        action: 'status',
        args: { status: 200, body: empty },
        times,
      });
      const trigger = await bench.activate({ events: ['accepted', 'fill', 'executed'], options: { compareEvery: 5 } });
      // What the stream does not bring is found by a list, which shows all.
      await bench.control('POST', '/faults', { match: { stream: true }, action: 'drop_frame', times: 20 });
      await buy(50);
      expect(json(await trigger.waitFor(is('executed', 50)))).toMatchObject({ recovered: true });
      expect(trigger.emitted.filter((emitted) => json(emitted).order_qty !== 50)).toEqual([]);
      expect(await bench.control('GET', '/faults')).not.toContainEqual(expect.objectContaining({ used: 0 }));
    },
  );
});
