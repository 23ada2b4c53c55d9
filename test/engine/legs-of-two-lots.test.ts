/** A basket whose legs have lots of two sizes, as contracts before and after a change of the lot: a number of lots of the whole says nothing. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { bySymbol } from '../support/parameters';
import { testSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

it('is changed in units only', async () => {
  const sandbox = await testSandbox({
    orderInterface: 'intent',
    hours: 'exchange',
    start: '2025-11-28T11:00:00+05:30',
  });
  const engine = await Engine.start(sandbox.credential);
  const leg = (symbol: string, side: string): INodeParameters => ({
    ...bySymbol(symbol),
    ...{ quantity: 1, quantityUnit: 'lots', side },
  });
  const { items, error } = await engine.run({
    ...{ resource: 'basket', operation: 'place', name: 'Calendar', strategy: 'legs', side: 'BUY', product: 'CNC' },
    legs: { leg: [leg('NIFTY25DECFUT', 'BUY'), leg('NIFTY26JANFUT', 'SELL')] },
    ...{ priceType: 'LIMIT', price: -9_000, simplify: true, options: {}, safety: {} },
  } as never);
  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({ order_qty: 5, legs: [{ order_qty: 75 }, { order_qty: 65 }] });
  const modified = async (fields: INodeParameters) =>
    await engine.run({
      ...{ resource: 'basket', operation: 'modify', basketId: String(items[0]?.json.basket_id), simplify: true },
      ...{ updateFields: fields, options: { waitSeconds: 5 }, safety: {} },
    });
  const inLots = await modified({ quantity: 2, quantityUnit: 'lots' });
  expect(inLots.error && allTextOf(inLots.error)).toMatch(
    /in lots, and the legs of this basket have lots of 75 and 65/,
  );
  expect(inLots.error && allTextOf(inLots.error)).toContain(
    'the basket has 5 now, and for twice as much of each leg give 10',
  );
  const inUnits = await modified({ quantity: 10, quantityUnit: 'units' });
  expect(inUnits.items[0]?.json).toMatchObject({ order_qty: 10, legs: [{ order_qty: 150 }, { order_qty: 130 }] });
  await sandbox.close();
});
