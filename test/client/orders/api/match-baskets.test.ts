/** A reply to a basket is taken for it only with its tag and its legs; of any other the list tells. */
import { matchBaskets } from '../../../../client/orders/api/match-reply';
import { placeBasket } from '../../../../client/orders/placing/place';
import type { JsonObject } from '../../../../client/values/json';
import { market, SPREAD, basketRequest } from '../support';

const leg = (ref_id: number, side: string): JsonObject => ({ ref_id, order_side: `ORDER_SIDE_${side}` });
const OWN = [leg(9, 'BUY'), leg(10, 'SELL')];

it.each<[string, JsonObject, boolean]>([
  ['its legs', { orders: OWN }, true],
  ['its legs by ref_id', { orders: { 9: OWN[0]!, 10: OWN[1]! } }, true],
  ['one of them: the other is not sent yet', { orders: [OWN[1]!] }, true],
  ['legs that do not tell what they are', { orders: [{}, {}] }, true],
  ['no legs', {}, true],
  ['another instrument', { orders: [OWN[0]!, leg(11, 'SELL')] }, false],
  ['another side', { orders: [OWN[0]!, leg(10, 'BUY')] }, false],
  ['another tag', { orders: OWN, tag: 'other' }, false],
  ['no id', { orders: OWN, basket_id: '' }, false],
])('a record with %s matches the basket or not', (_, fields, isIts) => {
  const record = { basket_id: '5', tag: 'mine', ...fields };
  expect(matchBaskets([{ terms: SPREAD, tag: 'mine' }], [record]).has('mine')).toBe(isIts);
});

it('a reply about other legs is not believed: what the list shows of the basket counts', async () => {
  const text = '{"basket_id":77,"tag":"a","orders":[{"ref_id":99,"order_side":"ORDER_SIDE_BUY"}]}';
  let faults = 1;
  const { time, model, context } = market({
    fault: ({ method }) => (method === 'POST' && faults-- > 0 ? { status: 200, processed: true, text } : undefined),
  });
  const outcome = await time.run(placeBasket(basketRequest('a'), context));
  expect(outcome).toMatchObject({ outcome: 'confirmed', alreadyPlaced: false });
  expect(outcome.outcome === 'confirmed' && outcome.id).not.toBe('77');
  expect(model.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
