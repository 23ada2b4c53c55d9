/**
 * Whatever somebody in between makes of the reply to a request that the service took: a page, an empty body, half of a JSON, a redirect to a
 * login. Each operation that places or changes, over both order interfaces: nothing is sent twice, nothing is told that the list does not show.
 */
import { operationCases } from '../support/operations';
import { CRASH, proxiedOperations } from '../support/proxied-operations';
import type { ProxyReply } from '../support/proxy';
import { share } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const json = (text: string, status = 200): ProxyReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  text,
});
const redirect = (status: number) => (): ProxyReply => ({
  status,
  headers: { 'content-type': 'text/html', location: '/orders' },
  text: '<html>Found</html>',
});

const REPLIES: readonly [string, (reply: ProxyReply) => ProxyReply][] = [
  ['an empty body', () => json('')],
  ['204', () => ({ status: 204, headers: {}, text: '' })],
  [
    'garbage that calls itself gzip',
    () => ({ ...json('\u001f\u008b garbage'), headers: { 'content-encoding': 'gzip' } }),
  ],
  ['garbage', () => json('\u001f\u0008\u0000\u0000\u00ff')],
  ['half of it', ({ text }) => json(text.slice(0, Math.floor(text.length / 2)))],
  ['a byte order mark before it', ({ text }) => json(`\ufeff${text}`)],
  ['it twice', ({ text }) => json(`${text}${text}`)],
  ['it twice on two lines', ({ text }) => json(`${text}\n${text}\n`)],
  ['302 to a login', redirect(302)],
  ['307 to a login', redirect(307)],
  ['308 to a login', redirect(308)],
  ['an empty object', () => json('{}')],
  ['an empty list', () => json('[]')],
  ['null', () => json('null')],
  ['a word in quotes', () => json('"ok"')],
  ['a number', () => json('1')],
  ['text', () => ({ status: 200, headers: { 'content-type': 'text/plain' }, text: 'OK' })],
  [
    'a login page',
    () => ({ status: 200, headers: { 'content-type': 'application/json' }, text: '\n <HTML>Sign in</HTML>' }),
  ],
  ['an error in a 200', () => json('{"error":"Please sign in"}')],
  ['a refusal of the gateway', () => json('{"message":"Forbidden"}', 403)],
  ['an object with a list of nothing', () => json('{"orders":[{}]}')],
  ['an id of 0', () => json('{"order_id":0,"basket_id":0,"orders":[{"intentOrderId":0}]}')],
];

/** Operations that place or change. */
const ACTS =
  /^(order: (place|placeMany|modify|cancel|cancelAll|cancelMany|setTargetPosition)|basket: (place|modify|cancel|close)|portfolio: (exitAll|exitPosition))$/;
const acting = operationCases.filter(([resource, operation]) => ACTS.test(`${resource}: ${operation}`));

describe.each(['v2', 'intent'] as const)('over %s', (orderInterface) => {
  const proxied = proxiedOperations(orderInterface);
  const { received } = proxied;

  const rows = acting.map(([resource, operation, item], at) => ({ resource, operation, item, at }));
  it.each(share(rows, 2, orderInterface === 'v2' ? 0 : 1))(
    '$resource: $operation sends nothing twice, whatever answers',
    async ({ resource, operation, item, at }) => {
      const { world, proxy } = proxied;
      for (const [name, change] of share(REPLIES, REPLIES.length, at)) {
        await world.prepare(resource, operation);
        // The orders of an earlier basket have come by then.
        await world.sandbox.control('POST', 'clock', { advance: 'PT3S' });
        const before = await received();
        let writes = 0;
        proxy.change = ({ method, path }, reply) => {
          if (method === 'GET' || !/^\/(sentinel\/)?orders/.test(path) || /margin|funds/.test(path)) return undefined;
          writes += 1;
          return { ...change(reply), headers: { ...reply.headers, ...change(reply).headers } };
        };
        const { error, items } = await world.engine.run({ resource, operation, ...item.parameters() });
        proxy.change = undefined;
        const most = resource === 'basket' || operation === 'placeMany' ? 2 : 1;
        const sent = (await received()) - before;
        expect([name, sent <= most, sent]).toEqual([name, true, expect.any(Number)]);
        if (/^place/.test(operation)) expect([name, writes]).toEqual([name, 1]);
        // The change was taken, whatever the reply to it said: an order that was cancelled is not called refused.
        if (/^cancel/.test(operation) && resource === 'order' && writes > 0)
          expect([name, error?.message]).toEqual([name, undefined]);
        if (error !== undefined)
          expect([name, `${error.message} ${error.description}`]).toEqual([name, expect.not.stringMatching(CRASH)]);
        else if (/^(place|modify|cancel|close)/.test(operation))
          for (const { json: output } of items)
            expect([name, output.order_id ?? output.basket_id]).toEqual([name, expect.stringMatching(/^[1-9]\d*$/)]);
      }
    },
  );
});
