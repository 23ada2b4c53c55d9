/** The orders that close more than one order may hold: which comes next, and which an earlier try placed. */
import { nextClosingOrder } from '../../../client/closing/closing-order';
import type { CloseRequest } from '../../../client/closing/closing-request';
import type { Guards } from '../../../client/orders/model/guard-settings';
import { placeOrder } from '../../../client/orders/placing/place';
import { tagFrom } from '../../../client/orders/model/tags';
import { market, NIFTY_FUT, orderRequest } from '../orders/support';

function setUp(guards: Guards[] = []) {
  const { time, context } = market({ life: () => [{ after: 50, status: 'FILLED' }], listDelay: () => 0 });
  const request: CloseRequest = {
    position: { refId: 8, symbol: 'NIFTY', exchange: 'NSE', segment: 'future', product: 'IDAY', net: 3_900 },
    instrument: NIFTY_FUT,
    request: (terms, part) =>
      orderRequest(tagFrom('', { kind: 'key', key: 'exit', part, terms: { close: 8 } }, ''), {
        terms,
        keyed: true,
        guards,
      }),
    placed: () => undefined,
  };
  const next = async (net: number, round: number) => await time.run(nextClosingOrder(request, net, round, context));
  return { time, context, next };
}

it('is as much as one order may hold, and then the rest', async () => {
  const { next } = setUp();
  expect(await next(3_900, 0)).toMatchObject({ isCut: true, request: { terms: { side: 'SELL', quantity: 1_755 } } });
  expect(await next(-2_145, 1)).toMatchObject({ isCut: true, request: { terms: { side: 'BUY', quantity: 1_755 } } });
  expect(await next(390, 2)).toMatchObject({ isCut: false, request: { terms: { quantity: 390 } } });
  expect(await next(390, 2)).not.toHaveProperty('earlier');
});

it('is what an earlier try placed, whether that saw more or less than one order may hold', async () => {
  const { time, context, next } = setUp();
  const { request: first } = await next(3_900, 0);
  await time.run(placeOrder(first, context));
  expect(await next(390, 0)).toMatchObject({ isCut: true, earlierOrder: { alreadyPlaced: true, tag: first.tag } });
  const { request: second } = await next(390, 1);
  await time.run(placeOrder(second, context));
  expect(await next(3_900, 1)).toMatchObject({ isCut: false, earlierOrder: { alreadyPlaced: true, tag: second.tag } });
});

it('is refused where a guard refuses the whole', async () => {
  const { next } = setUp([{ allowLiveOrders: false, marketHoursOnly: false, dryRun: false, maxQuantity: 2_000 }]);
  expect(await next(3_900, 0)).toMatchObject({
    request: { refusal: { message: expect.stringContaining('the quantity 3900 is above 2000') } },
  });
  expect((await next(1_755, 0)).request.refusal).toBeUndefined();
});
