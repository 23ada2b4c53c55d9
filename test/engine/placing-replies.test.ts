/**
 * A reply to placing that is wrong about the orders which were taken: about their ids, their number, their terms or their end. Each is looked
 * up by its tag before anything is said; none is sent twice, and none that lives is called failed.
 */
import { LosslessNumber, parse, stringify } from 'lossless-json';
import type { INodeParameters } from 'n8n-workflow';
import { operationCases } from '../support/operations';
import { proxiedOperations } from '../support/proxied-operations';
import { share } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

type Fields = Record<string, unknown>;
interface Answer {
  status?: number;
  value?: unknown;
  text?: string;
}

const ID = /^(order_id|intentOrderId|basket_id)$/;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !(value instanceof LosslessNumber) && !Array.isArray(value);

/** Each value of a JSON by its name, from the inside out. */
function mapped(value: unknown, change: (name: string, value: unknown) => unknown, name = ''): unknown {
  if (Array.isArray(value))
    return change(
      name,
      value.map((item) => mapped(item, change, '')),
    );
  if (!isObject(value)) return change(name, value);
  return change(
    name,
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner, change, key)])),
  );
}
const fields =
  (names: RegExp, to: unknown) =>
  (value: unknown): Answer => ({
    value: mapped(value, (name, inner) => (names.test(name) && inner !== null ? to : inner)),
  });
/** A reply's records, changed as a list. */
const records =
  (change: (list: Fields[], idName: string) => readonly Fields[]) =>
  (value: unknown): Answer => {
    const { orders } = isObject(value) ? value : { orders: undefined };
    const isList =
      Array.isArray(orders) && (orders as Fields[]).every((order) => 'intentOrderId' in order || 'tag' in order);
    const list = Array.isArray(value) ? (value as Fields[]) : isList ? (orders as Fields[]) : [value as Fields];
    const idName = ['basket_id', 'intentOrderId', 'order_id'].find((name) => name in (list[0] ?? {})) ?? 'order_id';
    const made = change(list, 'order_id' in (list[0] ?? {}) ? 'order_id' : idName);
    if (Array.isArray(value)) return { value: made };
    return { value: isList ? { ...(value as Fields), orders: made } : (made[0] ?? {}) };
  };
const text = (status: number, body: string) => (): Answer => ({ status, text: body });

/** Id of an order, or of a basket, that was placed before. */
let earlierId = '1';
const CHANGES: Readonly<Record<string, (value: unknown) => Answer>> = {
  'no id': fields(ID, null),
  'an id of 0': fields(ID, new LosslessNumber('0')),
  'an id that is negative': fields(ID, new LosslessNumber('-5')),
  'an id in words': fields(ID, 'abc'),
  'an id of 400 digits': fields(ID, '9'.repeat(400)),
  'an id with a fraction': fields(ID, new LosslessNumber('12.5')),
  'the id of an earlier one': (value) => fields(ID, new LosslessNumber(earlierId))(value),
  'one id for all': records((list, id) => list.map((record) => ({ ...record, [id]: list[0]![id] }))),
  'one record fewer': records((list) => list.slice(1)),
  'one record more': records((list, id) => [...list, { ...list[0], [id]: 77, tag: 'zzz', stratTags: ['zzz'] }]),
  'each record twice': records((list) => [...list, ...list]),
  'each record twice, first with an earlier id': records((list, id) => [
    ...list.map((record) => ({ ...record, [id]: new LosslessNumber(earlierId) })),
    ...list,
  ]),
  'its records reversed': records((list) => [...list].reverse()),
  'no tags': fields(/^(tag|stratTags)$/, null),
  'other tags': (value) => ({
    value: mapped(value, (name, inner) => (name === 'tag' ? 'other' : name === 'stratTags' ? ['other'] : inner)),
  }),
  'another quantity': fields(/^(order_qty|orderQty)$/, new LosslessNumber('999')),
  'another side': fields(/^(order_side|side)$/, 'SELL'),
  'another instrument': fields(/^(ref_id|refId)$/, new LosslessNumber('1')),
  'the word rejected': (value) => ({
    value: mapped(value, (name, inner) =>
      name === 'order_status' ? 'ORDER_STATUS_REJECTED' : /^(status|basket_status)$/.test(name) ? 'REJECTED' : inner,
    ),
  }),
  'a failure in a 200': text(200, '{"status":"error","message":"Something went wrong","order_id":null}'),
  'a refusal in a 200': text(200, '{"error":"order_qty must be a multiple of the lot","svc_error_code":"X"}'),
  '202': text(202, '{"message":"Accepted"}'),
  '202 without a body': text(202, ''),
  '200 without a body': text(200, ''),
  '400, as if it were a duplicate': text(
    400,
    '{"error":"duplicate order, its tag is already in use","svc_error_code":"X"}',
  ),
  '409, as if it were a duplicate': text(409, '{"error":"duplicate order already exists","svc_error_code":"X"}'),
};

/** Wrong ids that only the list shows as such. It is read where orders are waited for. */
const WRONG_IDS: Readonly<Record<string, (value: unknown) => Answer>> = {
  'the ids of its orders exchanged': records((list, id) =>
    list.map((record, at) => ({ ...record, [id]: list[list.length - 1 - at]![id] })),
  ),
  'an id that there is not': fields(ID, new LosslessNumber('4711')),
  'one id that there is not': records((list, id) =>
    list.map((record, at) => (at === 0 ? { ...record, [id]: new LosslessNumber('4712') } : record)),
  ),
};

const CASES = operationCases.filter(([resource, operation]) =>
  /^(order: place|order: placeMany|basket: place)$/.test(`${resource}: ${operation}`),
);

describe.each(['v2', 'intent'] as const)('over %s', (orderInterface) => {
  const proxied = proxiedOperations(orderInterface);

  it.each(share(Object.entries(WRONG_IDS), 4, orderInterface === 'v2' ? 0 : 2))(
    'gives the order that has the tag where orders are waited for and the reply has %s',
    async (_, change) => {
      const { world, proxy } = proxied;
      const [, , { parameters }] = operationCases.find(([, operation]) => operation === 'placeMany')!;
      for (const count of [1, 3]) {
        const items = ['TCS', 'INFY', 'ITC']
          .slice(0, count)
          .map((symbol, at) => ({ json: { symbol, quantity: 3 + at } }));
        const asked = {
          ...{ resource: 'order', ...parameters(), operation: count === 1 ? 'place' : 'placeMany' },
          ...{ instrument: { __rl: true, mode: 'symbol', value: '={{ $json.symbol }}' }, priceType: 'MARKET' },
          ...{ quantity: '={{ $json.quantity }}', options: { waitFor: 'filled', waitSeconds: 10 } },
        };
        let writes = 0;
        proxy.change = ({ method, path }, reply) => {
          if (method === 'GET' || !/^\/(sentinel\/)?orders/.test(path) || /margin|funds/.test(path)) return undefined;
          writes += 1;
          return {
            ...{ status: reply.status, headers: { ...reply.headers, 'content-type': 'application/json' } },
            text: stringify(change(parse(reply.text)).value)!,
          };
        };
        const { error, items: placedItems } = await world.engine.run(asked, { typeVersion: 1.1, items });
        proxy.change = undefined;
        expect([error?.message, writes]).toEqual([undefined, 1]);
        const { items: listed } = await world.engine.run({ resource: 'order', operation: 'getMany', returnAll: true });
        const seen = (list: typeof listed) =>
          list.map(({ json }) => ({ tag: json.tag, id: json.order_id, symbol: json.symbol, qty: json.order_qty }));
        const tags = placedItems.map(({ json }) => json.tag);
        expect(placedItems.map(({ json }) => [json.symbol, json.order_qty, json.wait_reached])).toEqual(
          items.map(({ json }) => [json.symbol, json.quantity, true]),
        );
        expect(seen(placedItems)).toEqual(tags.map((tag) => seen(listed).find((order) => order.tag === tag)));
      }
    },
  );

  const changes = Object.entries(CHANGES).map(([name, change], at) => [name, change, at] as const);
  it.each(share(changes, 8, orderInterface === 'v2' ? 0 : 4))(
    'tells what the list shows where the reply has %s',
    async (_, change, at) => {
      const { world, proxy } = proxied;
      const listed = async (resource: string): Promise<Map<string, unknown>> => {
        await world.sandbox.control('POST', 'clock', { advance: 'PT20S' });
        const { items } = await world.engine.run({ resource, operation: 'getMany', returnAll: true });
        return new Map(items.map(({ json }) => [String(json.order_id ?? json.basket_id), json.order_qty]));
      };
      const runs = share(CASES, 3, at).map(
        ([resource, operation, { parameters }]): [string, INodeParameters, number] =>
          operation === 'placeMany'
            ? [resource, { resource, ...parameters(), operation, quantity: '={{ $json.quantity }}' }, 3]
            : [resource, { resource, operation, ...parameters() }, 1],
      );
      for (const [resource, parameters, count] of runs) {
        const items = Array.from({ length: count }, (_item, at) => ({ json: { quantity: 3 + at } }));
        const [first] = (await world.engine.run(parameters, { typeVersion: 1.1, items })).items;
        earlierId = String(first?.json.order_id ?? first?.json.basket_id);
        const before = await listed(resource);
        let writes = 0;
        proxy.change = ({ method, path }, reply) => {
          if (method === 'GET' || !/^\/(sentinel\/)?orders/.test(path) || /margin|funds/.test(path)) return undefined;
          writes += 1;
          const answer = change(parse(reply.text));
          return {
            status: answer.status ?? reply.status,
            headers: { ...reply.headers, 'content-type': 'application/json' },
            text: answer.text ?? stringify(answer.value)!,
          };
        };
        const run = await world.engine.run(parameters, { typeVersion: 1.1, items });
        proxy.change = undefined;
        const made = [...(await listed(resource))].filter(([id]) => !before.has(id));
        expect([resource, run.error?.message, writes, made.length]).toEqual([resource, undefined, 1, count]);
        const idsAndQuantities = run.items.map(({ json }) => [String(json.order_id ?? json.basket_id), json.order_qty]);
        expect([resource, [...idsAndQuantities].sort()]).toEqual([resource, made.sort()]);
        if (count > 1)
          expect(idsAndQuantities.map(([, quantity]) => quantity)).toEqual(items.map(({ json }) => json.quantity));
      }
    },
  );
});
