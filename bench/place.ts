/** A thousand orders placed in the sandbox: our node in n8n's engine, the HTTP Request node there, and bare requests. */
import type { INode, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';
import { Engine } from '../test/support/engine';
import { orderForm } from '../test/support/parameters';
import { clock } from '../nodes/host/clock';
import type { MakeRow } from './row';
import { builtInNodes } from './support/n8n';
import { agent, ask, logIn, orderBody, refIdOf, requests, startSandbox, stop, type Running } from './support/sandbox';

const AFTER = 'ours, Place Many: after hours';
const BARE = 'bare POSTs over 16 kept connections';
const BARE_AFTER = 'bare POSTs, after hours';
const HTTP = 'HTTP Request node, all at once';
const HTTP_AFTER = 'HTTP Request node, after hours';
const ENGINE = 'n8n alone: a node that reads the side of each item';
/** The sandbox takes so many orders in one request. */
const MAX_IN_ONE = 100;

/** The session that all sides share: a login ends the session of the one before. Our limit is lifted as that of the sandbox is. */
const credentialOf = (url: string, headers: Record<string, string>) => ({
  environment: 'sandbox',
  sandboxBaseUrl: url,
  loginMethod: 'sessionToken',
  pastedToken: headers.authorization!,
  deviceId: headers['x-device-id']!,
  sessionToken: '',
  ordersPerSecond: MAX_IN_ONE,
});

/** Returns buy and sell in turns, so that the account stays unchanged. */
const sideOf = (number: number): 'BUY' | 'SELL' => (number % 2 === 0 ? 'BUY' : 'SELL');

/** The cost of the engine without any order: a node that has n8n evaluate the one expression for each item. */
const READER: INodeType = {
  description: {
    displayName: 'Reader',
    name: 'reader',
    group: ['transform'],
    version: 1,
    description: '',
    defaults: { name: 'Reader' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [{ displayName: 'Side', name: 'side', type: 'string', default: '' }],
  },
  async execute() {
    return [
      this.getInputData().map((_, item): INodeExecutionData => ({
        json: { side: String(this.getNodeParameter('side', item)) },
        pairedItem: { item },
      })),
    ];
  },
};

/** A sandbox that trades around the clock, at an hour. */
interface World {
  running: Omit<Running, 'headers'>;
  /** At which its clock starts, milliseconds since the epoch. */
  startsAt: number;
  /** The sandbox's time before ours, milliseconds. */
  ahead: number;
  headers: Record<string, string>;
}

async function worldAt(start: string): Promise<World> {
  const running = await startSandbox('--start', start);
  const startsAt = Date.parse(start);
  return { running, startsAt, ahead: startsAt - Date.now(), headers: await logIn(running.url, startsAt) };
}

/** A day that has seen no orders, at the hour at which the sandbox started. */
async function beginDay(world: World): Promise<void> {
  const { running, startsAt } = world;
  await ask(`${running.url}/_sandbox/reset`, 'POST', {});
  world.ahead = startsAt - Date.now();
  world.headers = await logIn(running.url, startsAt);
}

const make: MakeRow = async ({ short }) => {
  const count = short ? 20 : 1_000;
  const within = await worldAt('2026-11-20T10:30:00+05:30');
  const after = await worldAt('2026-11-20T18:00:00+05:30');
  const nodes = { ...builtInNodes(), 'bench.reader': READER };
  const engine = await Engine.start(credentialOf(within.running.url, within.headers), nodes);
  // Nobody waits for a turn.
  clock.sleep = () => Promise.resolve();
  let world = within;
  clock.now = () => Date.now() + world.ahead;
  const items = Array.from({ length: count }, (_, number) => ({ json: { side: sideOf(number) } }));
  const form = orderForm({ side: '={{ $json.side }}', product: 'IDAY', priceType: 'MARKET' });

  const execution = async (operation: 'place' | 'placeMany', part: typeof items) => {
    const { items: placed, error } = await engine.run({ ...form, operation }, { items: part });
    if (error !== undefined || placed.length !== part.length) throw error ?? new Error(`${placed.length} orders`);
  };
  const parts = Array.from({ length: Math.ceil(count / MAX_IN_ONE) }, (_, part) =>
    items.slice(part * MAX_IN_ONE, (part + 1) * MAX_IN_ONE),
  );
  const inTurn = async () => {
    for (const part of parts) await execution('placeMany', part);
  };
  const atOnce = async () => await Promise.all(parts.map((part) => execution('placeMany', part)));
  const inWorld = (of: World, run: () => Promise<unknown>) => async () => {
    world = of;
    await engine.setCredential(credentialOf(of.running.url, of.headers));
    return await run();
  };
  const refId = await refIdOf(
    { url: within.running.url, headers: within.headers },
    'STOCK_INFY.NSECM',
    Date.now() + within.ahead,
  );
  const urlOf = (of: World): string => `${of.running.url}/orders/v2/single`;
  const bareIn = (of: World) => () =>
    requests(count, (number) => ask(urlOf(of), 'POST', of.headers, orderBody(refId, sideOf(number))));
  const body = orderBody(refId).replace('ORDER_SIDE_BUY', 'ORDER_SIDE_{{ $json.side }}');
  const parametersIn = (of: World): INodeParameters => ({
    method: 'POST',
    url: urlOf(of),
    sendHeaders: true,
    headerParameters: { parameters: Object.entries(of.headers).map(([name, value]) => ({ name, value })) },
    sendBody: true,
    specifyBody: 'json',
    jsonBody: `=${body}`,
    options: {},
  });
  const through = async (
    type: string,
    typeVersion: number,
    parameters: INodeParameters,
    part: INodeExecutionData[],
  ) => {
    const node: INode = { id: 'other', name: 'Other', type, typeVersion, position: [0, 0], parameters };
    const { data } = await engine.runWorkflow({ nodes: [node], connections: {} }, { Other: part });
    const made = data.resultData.runData.Other?.[0]?.data?.main?.[0] ?? [];
    if (data.resultData.error !== undefined || made.length !== part.length)
      throw data.resultData.error ?? new Error(`${made.length} items`);
  };
  const theirsIn = (of: World) => async () => await through('n8n-nodes-base.httpRequest', 4.2, parametersIn(of), items);
  const nothing = async () => {
    for (const part of parts) await through('bench.reader', 1, { side: form.side! }, part);
  };
  const one = () => execution('place', items);
  return {
    title: 'Placing orders',
    work: `${count} orders on a day that has seen none, with the rate limits lifted; the sandbox runs on the same processors`,
    sides: [
      // The same concurrency as on the other sides: bare requests use sixteen lanes, and the HTTP Request node sends everything at once.
      { name: 'ours, Place Many: ten executions at once', role: 'ours', run: inWorld(within, atOnce) },
      { name: AFTER, role: 'alternative', run: inWorld(after, atOnce) },
      {
        name: 'ours, Place Many: ten executions in turn',
        role: 'alternative',
        run: inWorld(within, inTurn),
      },
      {
        name: 'ours, Place: one after another, each sure',
        role: 'alternative',
        run: inWorld(within, one),
        rounds: 2,
      },
      { name: 'the same, after hours', role: 'alternative', run: inWorld(after, one), rounds: 2 },
      { name: BARE, role: 'limit', run: bareIn(within) },
      { name: BARE_AFTER, role: 'limit', run: bareIn(after) },
      { name: HTTP, role: 'alternative', run: theirsIn(within) },
      { name: HTTP_AFTER, role: 'alternative', run: theirsIn(after) },
      { name: ENGINE, role: 'alternative', run: nothing },
    ],
    // Ours looks at the day's orders before it sends any; the orders that other sides leave behind are no part of its work.
    before: async () => {
      await beginDay(within);
      await beginDay(after);
    },
    goals: [
      { against: BARE, times: 1.4 },
      { against: HTTP, times: 0.3 },
      { of: AFTER, against: BARE_AFTER, times: 1.6 },
      { of: AFTER, against: HTTP_AFTER, times: 0.35 },
    ],
    close: async () => {
      agent.destroy();
      await Promise.all([stop(within.running), stop(after.running)]);
    },
  };
};
export default make;
