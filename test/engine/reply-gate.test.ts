/**
 * A proxy between the node and the sandbox that changes one answer at a time, over every operation: the page of a proxy with each
 * status, a reply about something else. No order is sent twice, no item is wrong, and the error names the cause.
 */
import { forgetInstruments } from '../../client/instruments/catalogue';
import { openOperationWorld, operationCases, type OperationWorld } from '../support/operations';
import { startProxy, type Proxy, type ProxyReply } from '../support/proxy';
import { share } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const PAGE = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking</body></html>';
const page = (status: number) => (): ProxyReply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  text: PAGE,
});

/** Replaces the value of a field, wherever it is. */
const other =
  (field: string, value: string) =>
  (reply: ProxyReply): ProxyReply => {
    const text = reply.text.replace(new RegExp(`"${field}":("[^"]*"|-?\\d+)`, 'g'), `"${field}":${value}`);
    return { ...reply, headers: { 'content-type': 'application/json' }, text };
  };

/**
 * Changes of a reply, each with the words of the error that it must lead to. A field is changed only where it proves
 * something.
 */
const CHANGES: readonly { name: string; change: (reply: ProxyReply) => ProxyReply; at?: RegExp; says: RegExp }[] = [
  ...[200, 401, 403, 404, 407, 429, 440, 511].map((status) => ({
    name: `page ${status}`,
    change: page(status),
    says: /between n8n and the service|too many requests/i,
  })),
  {
    name: 'other instrument',
    change: other('ref_id', '999999'),
    at: /^\/orderbooks\//,
    says: /of 999999, but n8n asked for that of/,
  },
  {
    name: 'other exchange',
    change: other('exchange', '"XXX"'),
    at: /^\/(optionchains|charts)\//,
    says: /of XXX, but n8n asked for that of/,
  },
  {
    name: 'other expiry',
    change: other('expiry', '"20300101"'),
    at: /^\/optionchains\/\w+$/,
    says: /of 2030-01-01, but n8n asked for that of/,
  },
  {
    name: 'other order',
    change: other('order_id', '1'),
    at: /^\/orders\/\d+$/,
    says: /of 1, but n8n asked for that of/,
  },
];

/** Pattern that no item may match. */
const OTHERS = /999999|"XXX"|2030-01-01|Just a moment/;

let world: OperationWorld;
let proxy: Proxy;
beforeAll(async () => {
  world = await openOperationWorld(async (url) => (proxy = await startProxy(url)).url);
});
afterAll(async () => {
  await proxy.close();
  await world.sandbox.close();
});

const received = async (): Promise<number> =>
  (await world.sandbox.journal()).filter(({ kind, event }) => kind === 'order' && event === 'received').length;

/** Operations whose requests pass through a proxy. */
const asking = operationCases.filter(([, , { fails }]) => fails !== undefined);

const rows = asking.map(([resource, operation, item], at) => ({ resource, operation, item, at }));

it.each(share(rows, 6, 0))(
  'a reply that is not about $resource: $operation is refused',
  async ({ resource, operation, item: { parameters, fails = '' }, at }) => {
    for (const { name, change, at: where, says } of share(CHANGES, 18, at)) {
      await world.prepare(resource, operation);
      if (fails === '/refdata') forgetInstruments();
      const before = await received();
      let changes = 0;
      proxy.change = ({ path }, reply) => {
        if (where === undefined ? !path.startsWith(fails) : !where.test(path)) return undefined;
        changes += 1;
        return change(reply);
      };
      const { error, items } = await world.engine.run({ resource, operation, ...parameters() });
      proxy.change = undefined;
      // A basket is two orders, one for each leg; closing it is two others.
      const most = resource === 'basket' ? 2 : 1;
      expect([name, (await received()) - before <= most]).toEqual([name, true]);
      if (changes === 0) continue;
      if (error !== undefined)
        expect([name, `${error.message} ${error.description}`]).toEqual([name, expect.stringMatching(says)]);
      // What is told of an order that was looked up all the same is the list's.
      else
        expect([name, items.length > 0, JSON.stringify(items)]).toEqual([
          name,
          true,
          expect.not.stringMatching(OTHERS),
        ]);
    }
  },
);
