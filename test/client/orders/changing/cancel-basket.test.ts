/** The answer to a cancellation of a basket, and the time for which one of several orders is followed. */
import { ServiceError, UnknownOutcomeError } from '../../../../client/base/errors';
import { cancelBasket, cancelOrders } from '../../../../client/orders/changing/change-order';
import { placeBasket, placeOrders } from '../../../../client/orders/placing/place';
import { basketRequest, market, orderRequest } from '../support';

const answering = (status: number, text: string) =>
  market({ fault: ({ url }) => (url.includes('/basket/') ? { status, processed: false, text } : undefined) });

it.each([
  ['{"message":"Basket cancellation requested"}', 'Basket cancellation requested'],
  ['{"message":5}', ''],
  ['{}', ''],
])('the answer %s is told as %j', async (text, message) => {
  const { time, context } = answering(200, text);
  expect(await time.run(cancelBasket('77', 'NSE', context))).toBe(message);
});

it('a refusal in another form stays one where the basket is not over', async () => {
  const { time, model, context } = answering(409, '{"error":"fault"}');
  await time.run(placeBasket(basketRequest('b'), context));
  const { id } = model.journal[0]!.basket!;
  const refused = time.run(cancelBasket(String(id), 'NSE', context));
  await expect(refused).rejects.toBeInstanceOf(ServiceError);
  await expect(refused).rejects.toMatchObject({ status: 409 });
});

it('a refusal in another form proves nothing where the list does not show the basket', async () => {
  const { time, context } = answering(409, '{"error":"fault"}');
  await expect(time.run(cancelBasket('77', 'NSE', context))).rejects.toBeInstanceOf(UnknownOutcomeError);
});

it('an outage leaves it unknown', async () => {
  const { time, context } = answering(502, '<html>');
  await expect(time.run(cancelBasket('77', 'NSE', context))).rejects.toBeInstanceOf(UnknownOutcomeError);
});

it('several orders whose reply is lost are followed until all have ended, and no longer', async () => {
  const { time, model, context } = market({ fault: ({ url }) => (/cancel/i.test(url) ? 'no_reply' : undefined) });
  await time.run(placeOrders([orderRequest('a'), orderRequest('b')], context));
  await time.run(time.sleep(2_000));
  const ids = model.journal.map(({ id }) => id);
  const lists = () => model.requests.filter(({ method }) => method === 'GET').length;
  const before = lists();
  const results = await time.run(cancelOrders(ids, 60_000, context));
  expect(results.map(({ result }) => result)).toEqual(['done', 'done']);
  expect(lists() - before).toBeLessThan(4);
});
