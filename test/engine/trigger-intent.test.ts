/** The trigger on an account that has intent orders alone, in n8n's engine against the sandbox. */
import { TriggerBench, is, json } from '../support/trigger-bench';

let bench: TriggerBench;
let refId: number;

beforeAll(async () => {
  bench = await TriggerBench.start({ orderInterface: 'intent' });
  refId = await bench.infyRefId();
});
afterAll(async () => await bench.close());
afterEach(async () => await bench.settle());

const create = async (item: object): Promise<void> =>
  await bench.ask('POST', '/sentinel/orders/create', {
    orders: [
      {
        refId,
        qty: 1,
        side: 'BUY',
        deliveryType: 'IDAY',
        priceType: 'MARKET',
        validityType: 'IOC',
        isMultiLeg: false,
        stratTags: ['mine'],
        ...item,
      },
    ],
  });

it('tells of fills', async () => {
  const trigger = await bench.activate({ events: ['fill', 'executed'] });
  await create({ qty: 3 });
  expect(json(await trigger.waitFor(is('fill', 3)))).toMatchObject({ order_side: 'BUY', tag: 'mine' });
  await trigger.waitFor(is('executed', 3));
});

it('recovers what the stream did not bring, also of an order that is good till a date', async () => {
  const { price } = await bench.ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE');
  await create({
    qty: 4,
    deliveryType: 'CNC',
    priceType: 'LIMIT',
    entryPrice: Math.floor((price * 0.97) / 100) * 100,
    validityType: 'GTE',
    goodTillDate: new Date(Date.now() + 10 * 86_400_000).toISOString(),
  });
  await bench.passSeconds();
  const trigger = await bench.activate({ events: ['accepted', 'fill', 'executed'], options: { compareEvery: 5 } });
  await bench.control('POST', '/faults', { match: { stream: true }, action: 'drop_frame', times: 20 });
  await create({ qty: 5 });
  expect(json(await trigger.waitFor(is('executed', 5)))).toMatchObject({ recovered: true, tag: 'mine' });
  expect(trigger.emitted.filter(is('accepted', 4))).toEqual([]);
});
