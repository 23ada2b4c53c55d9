import { UnknownOutcomeError } from '../../../../client/base/errors';
import type { BasketRecord } from '../../../../client/endpoints/baskets';
import type { OrderRecord } from '../../../../client/endpoints/orders';
import type { Outcome } from '../../../../client/orders/placing/outcome';
import { placeBasket, placeOrder, placeOrders } from '../../../../client/orders/placing/place';
import type { PlacementContext } from '../../../../client/orders/account/placement-context';
import { LIST_DELAY_MS, PlacementRegistry } from '../../../../client/orders/account/placement-registry';
import { market, posts, orderRequest, basketRequest } from '../support';

type AnyOutcome = Outcome<OrderRecord | BasketRecord>;

describe('the list of the day before sending', () => {
  const lists = ({ requests }: { requests: { method: string }[] }): number =>
    requests.filter(({ method }) => method === 'GET').length;

  it('serves the orders of a second, and is read again after it', async () => {
    const { time, model, context } = market();
    for (const tag of ['a', 'b', 'c']) await time.run(placeOrder(orderRequest(tag), context));
    expect(lists(model)).toBe(1);
    await time.run(time.sleep(1_001));
    await time.run(placeOrder(orderRequest('d'), context));
    expect(lists(model)).toBe(2);
  });

  it('is read for each basket', async () => {
    const { time, model, context } = market();
    for (const tag of ['a', 'b']) await time.run(placeBasket(basketRequest(tag), context));
    expect(lists(model)).toBe(2);
  });

  it('serves nobody where it could not be read', async () => {
    let faults = 1;
    const { time, model, context } = market({
      fault: ({ method }) => (method === 'GET' && faults-- > 0 ? 403 : undefined),
    });
    expect(await time.run(placeOrder(orderRequest('a'), context))).toMatchObject({ outcome: 'refused' });
    expect(await time.run(placeOrder(orderRequest('b'), context))).toMatchObject({ outcome: 'confirmed' });
    expect(posts(model)).toBe(1);
  });

  it('serves no keyed order where it was read before the order was wanted: another worker may have placed it since', async () => {
    const { time, model, context } = market();
    const other = { ...context, placements: new PlacementRegistry(time.clock) };
    await time.run(time.sleep(LIST_DELAY_MS));
    await time.run(placeOrder(orderRequest('k', { keyed: true }), other));
    await time.run(time.sleep(500));
    await time.run(placeOrder(orderRequest('a'), context));
    await time.run(time.sleep(600));
    expect(await time.run(placeOrder(orderRequest('k', { keyed: true }), context))).toMatchObject({
      alreadyPlaced: true,
    });
    expect(posts(model)).toBe(2);
  });

  it('is read once for all keyed orders that ask before it is asked for', async () => {
    const { time, model, context } = market();
    await time.run(time.sleep(LIST_DELAY_MS));
    const keyed = Array.from({ length: 20 }, (_, index) =>
      placeOrder(orderRequest(`k${index}`, { keyed: true }), context),
    );
    await time.run(Promise.all(keyed));
    expect(lists(model)).toBe(1);
    expect(posts(model)).toBe(20);
  });

  it('must show what a process before this one placed, where there is a key', async () => {
    const { time, context } = market();
    await time.run(placeOrder(orderRequest('k', { keyed: true }), context));
    const next = { ...context, placements: new PlacementRegistry(time.clock) };
    expect(await time.run(placeOrder(orderRequest('k', { keyed: true }), next))).toMatchObject({ alreadyPlaced: true });
  });

  it('does not hide what this process placed, when it cannot be read', async () => {
    let isDown = false;
    const { time, context } = market({ fault: ({ method }) => (isDown && method === 'GET' ? 500 : undefined) });
    await time.run(placeOrder(orderRequest('a'), context));
    isDown = true;
    await time.run(time.sleep(2_000));
    expect(await time.run(placeOrders([orderRequest('a'), orderRequest('b')], context))).toMatchObject([
      { outcome: 'confirmed', alreadyPlaced: true },
      { outcome: 'refused' },
    ]);
  });
});

describe('what another process may have tried before', () => {
  const retry = { isRepeat: true };

  it.each([
    [
      'order',
      async (context: PlacementContext): Promise<AnyOutcome> => await placeOrder(orderRequest('a', retry), context),
    ],
    ['basket', async (context) => await placeBasket(basketRequest('a', retry), context)],
  ] satisfies [string, (context: PlacementContext) => Promise<AnyOutcome>][])(
    'is unknown while the list of the day cannot be read: %s',
    async (noun, place) => {
      const { time, model, context } = market({ fault: ({ method }) => (method === 'GET' ? 503 : undefined) });
      const outcome = await time.run(place(context));
      expect(outcome).toMatchObject({
        outcome: 'unknown',
        tag: 'a',
        error: expect.any(UnknownOutcomeError) as unknown,
      });
      const error = outcome.outcome === 'unknown' ? outcome.error : undefined;
      expect(error?.message).toMatch(
        new RegExp(`^Nothing was sent now, and it is not known whether an earlier try placed the ${noun}: `),
      );
      expect(error?.hint).not.toMatch(/Nothing was placed/);
      expect(posts(model)).toBe(0);
    },
  );

  it('is looked for in a list that is read again, and that shows what a process before this one placed', async () => {
    const { time, model, context } = market();
    await time.run(placeOrder(orderRequest('a'), context));
    const next = { ...context, placements: new PlacementRegistry(time.clock) };
    expect(await time.run(placeOrder(orderRequest('a', retry), next))).toMatchObject({ alreadyPlaced: true });
    expect(posts(model)).toBe(1);
  });
});
