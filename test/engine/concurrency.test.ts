/** Items that only ask go out together and come back in order; those that change something go one after another. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Engine } from '../support/engine';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const ITEMS = 12;

/** A service that answers orders only when so many of them wait, the last first; everything else at once. */
async function service(together: number) {
  const waiting: { id: string; response: ServerResponse }[] = [];
  let max = 0;
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    response.setHeader('content-type', 'application/json');
    const id = /^\/orders\/(\d+)$/.exec(request.url ?? '')?.[1];
    if (id === undefined) {
      response.end('{"auth_token":"a","session_token":"s"}');
      return;
    }
    waiting.push({ id, response });
    max = Math.max(max, waiting.length);
    if (waiting.length < together) return;
    for (const item of waiting.splice(0).reverse())
      item.response.end(`{"order_id":${item.id},"order_status":"ORDER_STATUS_OPEN"}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: () => ({ most: max, requests }),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const credential = (url: string) => ({
  environment: 'sandbox',
  sandboxBaseUrl: url,
  loginMethod: 'totp',
  phone: '9000000001',
  mpin: '1357',
  deviceId: 'test',
  totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU',
  sessionToken: '',
  orderInterface: 'v2',
});
const items = Array.from({ length: ITEMS }, (_, item) => ({ json: { id: String(item + 1) } }));

it('orders are asked for together and are returned in the order of the items', async () => {
  const server = await service(ITEMS);
  const engine = await Engine.start(credential(server.url));
  const { items: output, error } = await engine.run(
    { resource: 'order', operation: 'get', orderId: '={{ $json.id }}' },
    { items },
  );
  expect(error).toBeUndefined();
  expect(output.map(({ json, pairedItem }) => [json.order_id, pairedItem])).toEqual(
    items.map(({ json }, item) => [json.id, { item }]),
  );
  expect(server.seen().most).toBe(ITEMS);
  await server.close();
});

it('cancellations go out one after another', async () => {
  const server = await service(1);
  const engine = await Engine.start(credential(server.url));
  const { error } = await engine.run({ resource: 'order', operation: 'cancel', orderId: '={{ $json.id }}' }, { items });
  expect(error).toBeUndefined();
  const { most: max, requests } = server.seen();
  expect(max).toBe(1);
  expect(requests).toBeGreaterThanOrEqual(ITEMS);
  await server.close();
});
