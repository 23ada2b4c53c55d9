/** Replies of the live service as people and clients print them: the client reads each, or says what the service refuses. */
import { ServiceError } from '../../client/base/errors';
import { endpoints } from '../../client/endpoints';
import { intentApi } from '../../client/orders/api/intent/intent';
import { getPositions } from '../../client/portfolio/portfolio';
import { LIMIT_BUY } from '../client/orders/support';
import { answeringTransport } from '../client/orders/answering';
import { scriptedTransport } from '../support/scripted-transport';
import printed from './replies.json';

it.each(printed.positions)('the positions are read: $name', async ({ reply, read }) => {
  const { time, transport } = answeringTransport(reply);
  const { positions } = await time.run(getPositions(transport, undefined, 'intent'));
  expect(positions).toHaveLength(read.length);
  expect(positions).toMatchObject(read);
});

it.each(printed.orders)('the orders are read: $name', async ({ reply, read }) => {
  const { time, transport } = answeringTransport(reply);
  expect(await time.run(intentApi(transport).orders.list())).toMatchObject(read);
});

it.each(printed.funds)('a preview is read: $name', async ({ reply, read }) => {
  const { time, transport } = answeringTransport(reply);
  expect(await time.run(intentApi(transport).orders.preview([LIMIT_BUY], { withPortfolio: false }))).toMatchObject(
    read,
  );
});

it.each(printed.refusals)('a refusal is told in its words, and asked no more: $name', async (refusal) => {
  const { status, reply, refused, requests: asked } = refusal;
  const answer = { status, text: JSON.stringify(reply), headers: { 'content-type': 'application/json' } };
  const { transport, requests } = scriptedTransport(Array.from({ length: 5 }, () => answer));
  const error: unknown = await transport
    .call(endpoints.intents, {})
    .then(() => undefined)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ServiceError);
  expect((error as ServiceError).message).toContain(refused);
  expect(requests).toHaveLength(asked);
});
