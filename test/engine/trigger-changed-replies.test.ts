/**
 * A proxy between a trigger and the sandbox that changes one answer at a time, of each list that a trigger reads: nothing is ordered and no
 * workflow started for what was not understood, what is told names the cause, and the trigger goes on once the answers are right again.
 * REPLIES_TABLE=1 prints what became of each kind of trigger with each change.
 */
import { LosslessNumber, parse, stringify } from 'lossless-json';
import type { INodeParameters } from 'n8n-workflow';
import { describe as told } from '../support/engine';
import type { Emitted, RunningTrigger } from '../support/engine-types';
import { bySymbol, orderForm } from '../support/parameters';
import { clock } from '../support/hurried-clock';
import { CRASH } from '../support/proxied-operations';
import { startProxy, type Proxy, type ProxyReply } from '../support/proxy';
import { changeOfFields, mappedValues } from '../support/reply-changes';
import { TriggerBench, is, json } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

const NEWEST = { typeVersion: 1.2 };
/** Every change of every list; `npm test` tries a share. */
const IS_WHOLE = process.env['REPLIES_ALL'] === '1';
const ROW_MS = IS_WHOLE ? 900_000 : 240_000;
/** Seconds of the market within which it must tell what happens then. */
const GOES_ON_SECONDS = 400;
/** Seconds of the market for which an answer is changed: each list is read several times in them. */
const CHANGED_SECONDS = 25;
const OTHER_ID = new LosslessNumber('999999');
const PAGE = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking</body></html>';

type Change = (reply: ProxyReply) => ProxyReply;
const page =
  (status: number): Change =>
  () => ({ status, headers: { 'content-type': 'text/html' }, text: PAGE });
const value =
  (change: (name: string, value: unknown) => unknown): Change =>
  (reply) => {
    if (!/^\s*[[{]/.test(reply.text)) return reply;
    const text = stringify(mappedValues(parse(reply.text), '', change))!;
    return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, text };
  };
const lists = (change: (list: unknown[]) => unknown): Change =>
  value((_name, item) => (Array.isArray(item) ? change(item as unknown[]) : item));

const CHANGES: Readonly<Record<string, Change>> = {
  'price 0': value(
    changeOfFields(
      /^(price|ltp|LTP|last_price|lastPrice|cp|avg_price|avgPrice|average_price)$/,
      new LosslessNumber('0'),
    ),
  ),
  'other instrument': value((name, item) =>
    changeOfFields(/^(symbol|stock_name|stockName|display_name|displayName|asset)$/, 'OTHER')(
      name,
      changeOfFields(/^(ref_?id|refId)$/i, OTHER_ID)(name, item),
    ),
  ),
  'other account': value(changeOfFields(/^(client_code|clientCode)$/, 'SBX999')),
  'other ids': value((name, item) =>
    /^(order_id|intentOrderId|basket_id)$/.test(name) && item !== null && String(item) !== '0'
      ? typeof item === 'string'
        ? `77${item.slice(2)}`
        : new LosslessNumber(`77${String(item).slice(2)}`)
      : item,
  ),
  'null lists': lists(() => null),
  'empty lists': lists(() => []),
  'reordered lists': lists((list) => [...list].reverse()),
  'each record twice': lists((list) => [...list, ...list]),
  'page 200': page(200),
  'page 401': page(401),
  'page 403': page(403),
  'a cut JSON': (reply) => ({
    ...reply,
    headers: { ...reply.headers, 'content-type': 'application/json' },
    text: reply.text.slice(0, Math.floor(reply.text.length * 0.7)),
  }),
  'status and price apart': value(
    changeOfFields(/^(avg_filled_price|filledPrice|filled_price)$/, new LosslessNumber('0')),
  ),
};

const table = new Map<string, string>();
afterAll(() => {
  if (process.env['REPLIES_TABLE'] === '1')
    process.stdout.write(`${[...table].map(([row, outcome]) => `| ${row} | ${outcome} |`).join('\n')}\n`);
});

const nameOf = (method: string, path: string): string => `${method} ${path.replace(/\d{5,}/g, '{id}')}`;

describe.each(['v2', 'intent'] as const)('with the interface %s', (orderInterface) => {
  let bench: TriggerBench;
  let proxy: Proxy;
  let refId: number;
  let price: number;
  let quantity = 100;

  beforeAll(async () => {
    const through = async (url: string): Promise<string> => (proxy = await startProxy(url)).url;
    const options = { hours: 'always', start: '2026-11-25T12:00:00+05:30', clock: '20x', orderInterface } as const;
    bench = await TriggerBench.start(options, undefined, through);
    refId = await bench.infyRefId();
    price = await priceNow();
  });
  afterAll(async () => {
    await bench.close();
    await proxy.close();
  });

  const priceNow = async (): Promise<number> =>
    (await bench.ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE')).price;
  const move = async (share: number): Promise<void> => {
    const requested = Math.round((price * share) / 10) * 10;
    await bench.control('POST', '/market', { ref_id: refId, price: requested });
    while (Math.abs((await priceNow()) / requested - 1) > 0.005) await bench.passSeconds();
  };
  const run = async (parameters: INodeParameters): Promise<void> => {
    const { error } = await bench.engine.run(parameters, NEWEST);
    if (error !== undefined) throw new Error(told(error));
  };
  const hold = async (more: INodeParameters = {}): Promise<void> =>
    await run(
      orderForm({ priceType: 'MARKET', product: 'IDAY', quantity: 10, options: { waitFor: 'filled' }, ...more }),
    );
  const received = async (): Promise<number> =>
    (await bench.control<{ orders_received: number }>('GET', '/stats')).orders_received;

  interface Kind {
    parameters(): Record<string, unknown>;
    /** Makes what there is before the trigger is published. */
    before?(): Promise<void>;
    /** An event after which the trigger is at work; none for one that waits. */
    begins?: string;
    /** Makes what starts the workflow. @returns the event that it must tell, once */
    happens(): Promise<(emitted: Emitted) => boolean>;
    /** Orders that it sends after that. */
    orders: number;
  }
  const held = (more: Record<string, unknown>): Kind => ({
    parameters: () => ({ watch: 'orderExits', heldProducts: ['IDAY'], heldExits: { stopLoss: 3 }, ...more }),
    before: async () => await hold(),
    begins: 'exitsKept',
    happens: async () => {
      await move(0.95);
      return is('positionClosed');
    },
    orders: 1,
  });
  const KINDS: Readonly<Record<string, Kind>> = {
    'order events': {
      parameters: () => ({ events: ['accepted', 'fill', 'executed'], options: { compareEvery: 5 } }),
      before: async () => {
        await hold({ quantity: 3, product: 'CNC' });
        await pass(5);
      },
      happens: async () => {
        quantity += 1;
        const own = quantity;
        await hold({ quantity: own, product: 'CNC' });
        return is('executed', own);
      },
      orders: 0,
    },
    'exits of what is held': held({ exitsOf: 'held', ...bySymbol('INFY') }),
    'exits of everything': held({ exitsOf: 'all' }),
    'exits of a strategy': {
      ...held({}),
      parameters: () => ({
        ...{ watch: 'orderExits', exitsOf: 'strategy', strategyLegs: 'INFY', heldProducts: ['IDAY'] },
        strategyExits: { exitsIn: 'profit', stopLoss: Math.round((price * 10 * 0.03) / 100) },
      }),
    },
    'a price alert since the entry': {
      parameters: () => ({
        ...{ watch: 'price', instrument: bySymbol('INFY').instrument, condition: 'fallsBy', distance: 3 },
        since: 'entry',
      }),
      before: async () => await hold({ product: 'CNC', quantity: 2 }),
      happens: async () => {
        await move(0.95);
        return is('priceAlert');
      },
      orders: 0,
    },
    ...(orderInterface === 'intent'
      ? {}
      : {
          'exits on an order': {
            parameters: () => ({ watch: 'orderExits' }),
            before: async () => await hold({ exits: { keptBy: 'trigger', stopLoss: 3, target: 3 } }),
            begins: 'stopPlaced',
            happens: async () => {
              await move(1.05);
              return is('positionClosed');
            },
            orders: 1,
          } satisfies Kind,
        }),
  };

  const pass = async (seconds: number): Promise<void> => await clock.sleep(seconds * 1_000);
  const reset = async (): Promise<void> => {
    proxy.change = undefined;
    await bench.settle();
    await bench.engine.run({ resource: 'portfolio', operation: 'exitAll', closeAt: 'market' });
    await move(1);
    await bench.passSeconds();
  };
  const begin = async (kind: Kind): Promise<RunningTrigger> => {
    const trigger = await bench.activate(kind.parameters(), NEWEST);
    if (kind.begins !== undefined) await trigger.waitFor(is(kind.begins));
    return trigger;
  };
  /** Returns what the trigger told of a fault: failed executions, lines of the log, and its own events. */
  const said = (trigger: RunningTrigger, lines: readonly string[], events: readonly Emitted[]): string =>
    [
      ...[...trigger.failedExecutions, ...trigger.errors].map(({ message }) => message),
      ...lines.filter((line) => /^(warn|error)/i.test(line)),
      ...events.map((emitted) => String(json(emitted).error_message ?? '')).filter((text) => text !== ''),
    ].join(' ¦ ');

  it.each(Object.keys(KINDS).map((name, at) => ({ name, at })))(
    '$name go on after an answer that was changed',
    async ({ name, at }) => {
      const kind = KINDS[name]!;
      const asked = new Map<string, ProxyReply>();
      await reset();
      await kind.before?.();
      proxy.change = ({ method, path }, reply) => {
        const isList = method === 'GET' && reply.status === 200 && !/refdata|userinfo|_sandbox|stream/.test(path);
        if (isList) asked.set(nameOf(method, path), reply);
        return undefined;
      };
      await begin(kind);
      await pass(CHANGED_SECONDS);
      const all = [...asked].flatMap(([endpoint, usual]) =>
        Object.entries(CHANGES).flatMap(([change, made]) =>
          made(usual).text === usual.text ? [] : [{ endpoint, change, made }],
        ),
      );
      const faults: string[] = [];
      for (const { endpoint, change, made } of IS_WHOLE ? all : [all[(at * 5) % all.length]!]) {
        await reset();
        await kind.before?.();
        const where = `${orderInterface}, ${name}, ${change} at ${endpoint}`;
        const trigger = await begin(kind);
        const [events, sent, lines] = [trigger.emitted.length, await received(), bench.engine.logger.lines.length];
        let count = 0;
        proxy.change = (request, reply) => {
          if (nameOf(request.method, request.path) !== endpoint) return undefined;
          const other = made(reply);
          if (other.text === reply.text) return undefined;
          count += 1;
          return other;
        };
        await pass(CHANGED_SECONDS);
        const during = trigger.emitted.slice(events);
        const told = said(trigger, bench.engine.logger.lines.slice(lines), during);
        // An exit that cannot be kept is told; everything else would be a start of the workflow for what has not happened.
        const wrong = during.map(({ items }) => items[0]?.json.event).filter((event) => event !== 'exitFailed');
        const orders = (await received()) - sent;
        proxy.change = undefined;
        if (count === 0) continue;
        if (orders > 0) faults.push(`${where}: sent ${orders} orders`);
        if (wrong.length > 0) faults.push(`${where}: started the workflow for ${wrong.join()}`);
        if (CRASH.test(told)) faults.push(`${where}: ${told}`);
        const requested = await kind.happens();
        const before = await received();
        const came = await Promise.race([trigger.waitFor(requested), pass(GOES_ON_SECONDS)]);
        if (came === undefined) faults.push(`${where}: does not go on`);
        await pass(10);
        const times = trigger.emitted.filter(requested).length;
        if (times > 1) faults.push(`${where}: told ${times} times`);
        if ((await received()) - before > kind.orders)
          faults.push(`${where}: sent more than ${kind.orders} orders then`);
        table.set(where, `${count} replies changed; ${told.slice(0, 300)}`);
      }
      expect(faults).toEqual([]);
    },
    ROW_MS,
  );
});
