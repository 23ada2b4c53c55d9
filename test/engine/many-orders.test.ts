/** Many items in one execution: what they ask the service for does not grow with their number, and each has its own end. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { IS_WHOLE, share } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const COUNT = IS_WHOLE ? 40 : 10;
/** Session, account, instrument, lists and waiting. */
const ASIDE = 16;
const TIMES = { within: '2026-11-20T10:30:00+05:30', after: '2026-11-20T18:00:00+05:30' };

const open: TestSandbox[] = [];
afterAll(async () => await Promise.all(open.map(async (sandbox) => await sandbox.close())));

async function world(orderInterface: 'intent' | 'v2', start: string) {
  const sandbox = await testSandbox({ orderInterface, start, rateLimit: 'off' });
  open.push(sandbox);
  const engine = await Engine.start({ ...sandbox.credential, ordersPerSecond: 100 });
  const requests = async () => (await sandbox.control<{ requests: number }>('GET', 'stats')).requests;
  return { sandbox, engine, requests };
}
const market = (more: INodeParameters = {}) => orderForm({ priceType: 'MARKET', product: 'IDAY', ...more });

describe.each(['intent', 'v2'] as const)('over %s', (orderInterface) => {
  it.each(share(['within', 'after'] as const, 2, orderInterface === 'v2' ? 0 : 1))(
    'one read serves all items %s hours',
    async (when) => {
      const { engine, requests } = await world(orderInterface, TIMES[when]);
      const items = Array.from({ length: COUNT }, () => ({ json: {} }));
      for (const operation of ['place', 'placeMany'])
        for (const options of [{}, { waitFor: 'filled', waitSeconds: 30 }]) {
          const before = await requests();
          const run = await engine.run(market({ operation, options }), { items });
          expect(run.error).toBeUndefined();
          expect(run.items.map(({ json }) => json.order_id)).toHaveLength(COUNT);
          if ('waitFor' in options)
            expect(new Set(run.items.map(({ json }) => json.order_status))).toEqual(new Set(['FILLED']));
          expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
          const sent = (await requests()) - before;
          expect(sent).toBeLessThanOrEqual((operation === 'place' ? COUNT : 1) + ASIDE);
        }
    },
  );

  it.each(share(['place', 'placeMany'], 2, orderInterface === 'v2' ? 0 : 1))(
    '%s gives an order that is rejected while all are waited for as the error of its item',
    async (operation) => {
      const { engine } = await world(orderInterface, TIMES.within);
      const items = [1, 5_000_000, 2].map((quantity) => ({ json: { quantity } }));
      const form = market({ operation, quantity: '={{ $json.quantity }}', options: { waitFor: 'filled' } });
      const { items: made } = await engine.run(form, { items, onError: 'continueRegularOutput' });
      expect(made.map(({ json }) => json.order_status ?? json.error)).toEqual([
        'FILLED',
        expect.stringContaining('rejected'),
        'FILLED',
      ]);
      const unsaid = await engine.run(
        { ...form, options: {} },
        { items, typeVersion: 1.2, onError: 'continueRegularOutput' },
      );
      expect(unsaid.items.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
      const { error } = await engine.run(form, { items });
      expect(error?.message).toContain('rejected');
      expect(error?.context?.itemIndex).toBe(1);
      const placedLists = error?.description?.match(/Placed before this error, and still there: ([\d, ]+)/g);
      expect(placedLists).toHaveLength(1);
      expect(placedLists?.[0]?.match(/\d{4,}/g)).toHaveLength(2);
    },
  );
});
