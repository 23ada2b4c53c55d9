/**
 * A proxy between the node and the sandbox that changes one answer at a time, of each endpoint that an operation asks, over both order
 * interfaces: no order is sent for what was not understood, no item is wrong, and an error names the cause. REPLIES_TABLE=1 prints what
 * became of each operation with each change.
 */
import { parse, stringify } from 'lossless-json';
import type { INodeParameters } from 'n8n-workflow';
import { forgetInstruments } from '../../client/instruments/catalogue';
import type { NodeRun } from '../support/engine-types';
import { bySymbol, orderForm } from '../support/parameters';
import { operationCases } from '../support/operations';
import { NEVER, OPERATION_REPLY_CHANGES, type OperationReplyChange } from '../support/operation-reply-changes';
import { mappedValues } from '../support/reply-changes';
import { CRASH, proxiedOperations } from '../support/proxied-operations';
import type { ProxiedRequest, ProxyReply } from '../support/proxy';
import { IS_WHOLE as IS_LONGER } from '../support/sample';
import { FIRST_ACCOUNT } from '../support/sandbox';

/** Every change of every operation, over both interfaces: some twenty minutes. `npm test` and CI try a share. */
const IS_WHOLE = process.env['REPLIES_ALL'] === '1';
/** One operation in so many is tried on each interface. */
const OF = IS_LONGER ? 4 : 18;
/**
 * Free cash before each run, paise: after thousands of orders there would be too little for the next. The margin of what hundreds of sold
 * baskets hold moves with the market by more than one of them needs.
 */
const FUNDS = { order: 150_000_000, basket: 15_000_000_000 };
/** The changes to try: those whose names match REPLIES_ONLY. */
const CHANGES = OPERATION_REPLY_CHANGES.filter(({ name }) => new RegExp(process.env['REPLIES_ONLY'] ?? '').test(name));
/** Jest's limit for a row of the whole table: closing on intent orders reads the lists some fifty times, for each of its changes. */
const ROW_MS = IS_WHOLE ? 900_000 : undefined;

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** Operations that only ask: their items are the same when they are run again. */
const ACTS =
  /^(order|basket): (place|placeMany|modify|cancel|cancelAll|cancelMany|cancelExit|close|setTargetPosition)$|exit|email|stopTrading/i;

const table = new Map<string, Map<string, Set<string>>>();
/** Number of runs with a changed answer. */
let tried = 0;
function note(operation: string, change: string, outcome: string): void {
  tried += 1;
  const row = table.get(operation) ?? new Map<string, Set<string>>();
  row.set(change, (row.get(change) ?? new Set<string>()).add(outcome));
  table.set(operation, row);
}
afterAll(() => {
  if (process.env['REPLIES_TABLE'] !== '1') return;
  const rows = [...table].map(
    ([operation, row]) =>
      `| ${operation} | ${CHANGES.map(({ name }) => [...(row.get(name) ?? ['–'])].sort().join(', ')).join(' | ')} |`,
  );
  const head = ['Operation', ...CHANGES.map(({ name }) => name)];
  process.stdout.write(
    `${[`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows].join('\n')}\n${tried} runs with a changed answer\n`,
  );
});

/** An endpoint, whatever id is asked for. */
const nameOf = ({ method, path }: ProxiedRequest): string => `${method} ${path.replace(/\d{5,}/g, '{id}')}`;

/** Requests that trade: they place, change or cancel. */
const TRADES =
  /^(POST \/(orders\/v2\/(single|multi|basket|modify)|orders\/cancel|sentinel\/orders\/(create|modify|cancel)$)|DELETE )/;
/** The order that a request asks for: without ids, which are those of what was made before, and labels and times, which are each run's own. */
function orderIn(request: ProxiedRequest): string | undefined {
  const endpoint = nameOf(request);
  if (!TRADES.test(endpoint)) return undefined;
  // A cancellation holds nothing but ids, as many as there are open orders.
  if (endpoint.endsWith('/cancel')) return endpoint;
  const own = /^(tag|stratTags|order_id|orderId|order_ids|entry_time|exit_time)$/;
  const bare = (name: string, value: unknown): unknown => {
    // The legs of a strategy are in the order of the record that they close.
    if (name === 'legs' && Array.isArray(value)) return value.map((leg) => stringify(leg)!).sort();
    return own.test(name) ? '' : value;
  };
  const body = request.body === '' ? null : mappedValues(parse(request.body), '', bare);
  return `${endpoint} ${stringify(body)}`;
}

const JSON_TYPE = { 'content-type': 'application/json' };
/** @returns undefined where the change is none of this reply */
function changed(reply: ProxyReply, change: OperationReplyChange): ProxyReply | undefined {
  if (change.reply !== undefined) return change.reply;
  const value = change.valuesOf?.() ?? change.value;
  if (value === undefined || !/^\s*[[{]/.test(reply.text)) return undefined;
  const read = parse(reply.text);
  const before = stringify(read);
  const after = stringify(mappedValues(read, '', value));
  return after === before || after === undefined
    ? undefined
    : { ...reply, headers: { ...reply.headers, ...JSON_TYPE }, text: after };
}

/** True if an order is one of others, whose prices and quantities may have moved with the market by a twentieth. */
function isAmong(order: string, others: ReadonlySet<string>): boolean {
  if (others.has(order)) return true;
  const amounts = /"(\w*(?:price|qty|quantity)\w*)":(\d+)/gi;
  const [bare, values] = [
    order.replace(amounts, '"$1"'),
    [...order.matchAll(amounts)].map(([, , value]) => Number(value)),
  ];
  return [...others].some((other) => {
    const near = [...other.matchAll(amounts)].map(([, , value]) => Number(value));
    return (
      other.replace(amounts, '"$1"') === bare &&
      near.every((value, at) => Math.abs(value - values[at]!) <= Math.abs(value) / 20)
    );
  });
}

/** Returns output in a form that can be compared: the order of items and of list entries, and how a word is spelled, do not matter. */
function comparable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(comparable).sort().join()}]`;
  if (typeof value === 'string') return JSON.stringify(value.trim().toLowerCase());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${name}:${comparable(item)}`)
    .sort()
    .join()}}`;
}
const shownBy = ({ items }: NodeRun): string => comparable(items.map(({ json }) => json));

/** An error without the ids in it. */
const wordsOf = (error: NodeRun['error']): string => `${error?.message} ${error?.description}`.replace(/\d{9,}/g, '#');

const operations = operationCases.filter(([, , { fails }]) => fails !== undefined);

const market = (more: INodeParameters): INodeParameters => orderForm({ product: 'IDAY', priceType: 'MARKET', ...more });
/** Orders whose price, quantity or strike is worked out from the service's replies. */
const WORKED_OUT: readonly (readonly [
  resource: string,
  operation: string,
  what: string,
  parameters: INodeParameters,
])[] = [
  ['order', 'place', 'a size by amount', market({ sizeBy: 'amount', sizeAmount: 50_000 })],
  ['order', 'place', 'a size by a share of the funds', market({ sizeBy: 'funds', sizePercent: 2 })],
  ['order', 'place', 'exits in percent', market({ exits: { stopLoss: 2, keptBy: 'trigger' } })],
  ['order', 'place', 'a limit in percent', market({ priceType: 'LIMIT', pricesAs: 'percent', price: -2 })],
  ['order', 'place', 'guards that ask for a price', market({ safety: { maxOrderValue: 1_000_000 } })],
  [
    'order',
    'setTargetPosition',
    'a limit from the last price',
    {
      ...{ ...bySymbol('INFY'), target: 10, quantityUnit: 'units', product: 'IDAY', closeAt: 'limit' },
      ...{ slackPercent: 1, openOrders: 'count', options: {}, safety: {} },
    },
  ],
  [
    'basket',
    'place',
    'a straddle at the money',
    {
      ...{ name: 'Mine', underlying: 'NIFTY', exchange: 'NSE', expiry: 'nearest', strategy: 'straddle', quantity: 1 },
      ...{ quantityUnit: 'lots', side: 'SELL', product: 'IDAY', priceType: 'MARKET', options: {}, safety: {} },
    },
  ],
];

describe.each(['v2', 'intent'] as const)('over %s', (orderInterface) => {
  const proxied = proxiedOperations(orderInterface);
  const { received } = proxied;

  const rows = [
    ...operations.map(([resource, operation, { parameters }]) => ({ resource, operation, what: '', parameters })),
    ...WORKED_OUT.map(([resource, operation, what, parameters]) => ({
      ...{ resource, operation, what: `, ${what}` },
      parameters: () => parameters,
    })),
  ].map((row, at) => ({ ...row, name: `${row.resource}: ${row.operation}${row.what}`, at }));
  it.each(IS_WHOLE ? rows : rows.filter(({ at }) => at % OF === (orderInterface === 'v2' ? 0 : OF / 2)))(
    'a changed reply is read right or refused by $name',
    async ({ name, resource, operation, parameters, at }) => {
      const { world, proxy } = proxied;
      const kind = `${resource}: ${operation}`;
      const run = async (): Promise<NodeRun> =>
        await world.engine.run({ resource, operation, ...parameters() }, { typeVersion: 1.1 });
      /** Replies without any change, by endpoint. */
      const asked = new Map<string, ProxyReply[]>();
      /** Orders of runs without any change. */
      const usual = new Set<string>();
      const prepare = async (): Promise<void> => {
        await world.sandbox.control('POST', `accounts/${FIRST_ACCOUNT.phone}`, {
          funds: resource === 'basket' ? FUNDS.basket : FUNDS.order,
        });
        await world.prepare(resource, operation);
      };
      const unchanged = async (): Promise<NodeRun> => {
        await prepare();
        forgetInstruments();
        proxy.change = (request, reply) => {
          const endpoint = nameOf(request);
          asked.set(endpoint, [...(asked.get(endpoint) ?? []), reply]);
          const order = orderIn(request);
          if (order !== undefined) usual.add(order);
          return undefined;
        };
        const made = await run();
        proxy.change = undefined;
        return made;
      };
      const whole = await unchanged();
      const faults: string[] = [];
      for (const change of IS_WHOLE ? CHANGES : CHANGES.filter((_change, index) => index % 20 === at % 20))
        for (const [endpoint, replies] of asked) {
          if (change.of?.test(kind) === false) continue;
          if (change.at !== undefined && !change.at.test(endpoint.replace('{id}', '123456'))) continue;
          if (replies.every((reply) => changed(reply, change) === undefined)) continue;
          await prepare();
          const isCompared = change.isHarmless === true && !ACTS.test(kind) && whole.error === undefined;
          const first = isCompared ? [shownBy(await run())] : [];
          const before = await received();
          let changes = 0;
          const orders: string[] = [];
          proxy.change = (request, reply) => {
            const order = orderIn(request);
            if (order !== undefined) orders.push(order);
            if (nameOf(request) !== endpoint) return undefined;
            const made = changed(reply, change);
            if (made !== undefined) changes += 1;
            return made;
          };
          // The list is read again where it is what is changed; for every other answer that takes a quarter of the time and proves nothing.
          const isInOtherReply = [...asked].some(
            ([other, otherReplies]) =>
              other !== endpoint && otherReplies.some((reply) => changed(reply, change) !== undefined),
          );
          const isList = endpoint.includes('/refdata/');
          if (isList) forgetInstruments();
          const made = await run();
          if (isList) forgetInstruments();
          const { error, items } = made;
          if (changes === 0) continue;
          const sent = (await received()) - before;
          const where = `${name}, ${change.name} at ${endpoint}`;
          // What is sent all the same is what would be sent if nothing were changed: no price, strike or size comes of the change.
          // Without a list that shows it executed, a cancellation goes to the service, which refuses it.
          const isAsked = (order: string): boolean => /: cancel/.test(kind) && order.endsWith('/cancel');
          const others = (): string[] => orders.filter((order) => !isAmong(order, usual) && !isAsked(order));
          if (others().length > 0) await unchanged();
          if (others().length > 0) faults.push(`${where}: sent ${others().join()}`);
          const end = error === undefined ? 'item' : wordsOf(error) === wordsOf(whole.error) ? 'as always' : 'error';
          note(name, change.name, orders.length > 0 ? `${end}, sent as without` : end);
          if (end === 'as always') continue;
          if (error !== undefined) {
            const errorText = `${error.message} ${error.description}`;
            // What was sent all the same is named.
            const isNamed = sent === 0 || /\btag\b|\d{9,}/.test(errorText);
            if (CRASH.test(errorText) || !change.says.test(errorText) || !isNamed)
              faults.push(`${where}: tells ${errorText}`);
            continue;
          }
          const shown = JSON.stringify(items.map(({ json }) => json));
          for (const never of [isInOtherReply ? undefined : change.neverAlone, change.never, NEVER[change.name]])
            if (never?.test(shown) === true) faults.push(`${where}: shows ${shown}`);
          if (isCompared) {
            // Time may have passed, such as for a candle that is not over: then nothing can be compared.
            first.push(shownBy(await run()));
            if (first[0] === first[1] && shownBy(made) !== first[0])
              faults.push(`${where}: shows ${shownBy(made)}\nand not ${first[0]}`);
          }
        }
      expect(faults).toEqual([]);
    },
    ROW_MS,
  );
});
