/** Orders by an AI agent's tool: n8n makes a separate run for each try of a tool. */
import {
  NodeHelpers,
  type INode,
  type INodeParameters,
  type INodePropertyOptions,
  type INodeTypeDescription,
} from 'n8n-workflow';
import { Brokerage } from '../../nodes/Brokerage/Brokerage.node';
import { Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
  await engine.run({ resource: 'session', operation: 'getUser', simplify: true });
});
afterAll(async () => await sandbox.close());
afterEach(async () => await sandbox.control('DELETE', 'faults'));

const engineTool = (parameters: Parameters<Engine['tool']>[0]) => () => engine.tool(parameters);
const form = orderForm({
  quantity: "={{ $fromAI('quantity', 'How many', 'number') }}",
  ...bySymbol("={{ $fromAI('symbol', 'Which', 'string') }}"),
});
const once = async (action: string): Promise<void> =>
  void (await sandbox.control('POST', 'faults', {
    match: { method: 'POST', path: '/orders/v2/single' },
    action,
    times: 1,
  }));

describe('a tool', () => {
  it('places what the agent asks for, and the same again when it is asked again', async () => {
    const before = await sandbox.ordersReceived();
    const tool = engine.tool(form);
    for (const quantity of [1, 2, 2])
      expect(JSON.parse(await tool({ symbol: 'INFY', quantity }))).toMatchObject([
        { order_qty: quantity, already_placed: false },
      ]);
    expect(await sandbox.ordersReceived()).toBe(before + 3);
  });

  it('does not send an order of unknown outcome again: with Retry On Fail, and when the agent asks again', async () => {
    const before = await sandbox.ordersReceived();
    const tool = engine.tool(form, { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 });
    await once('drop_before');
    await expect(tool({ symbol: 'INFY', quantity: 3 })).rejects.toThrow(/not known whether the order was placed/);
    await expect(tool({ symbol: 'INFY', quantity: 3 })).rejects.toThrow(/not known whether the order was placed/);
    expect(await sandbox.ordersReceived()).toBe(before);
    expect(JSON.parse(await tool({ symbol: 'INFY', quantity: 4 }))).toMatchObject([{ already_placed: false }]);
  });

  it('returns or refuses in a retry of the agent what an earlier try placed, whatever is asked for first', async () => {
    const before = await sandbox.ordersReceived();
    const first = engine.tool(form, {}, { token: 'agent' });
    for (const quantity of [6, 7]) await first({ symbol: 'INFY', quantity });
    const again = engine.tool(form, {}, { token: 'agent', mode: 'retry' });
    await expect(again({ symbol: 'INFY', quantity: 7 })).rejects.toThrow(/^An earlier try .* Nothing was sent/);
    await expect(again({ symbol: 'INFY', quantity: 6 })).rejects.toThrow(/^An earlier try .* Nothing was sent/);
    expect(JSON.parse(await again({ symbol: 'INFY', quantity: 8 }))).toMatchObject([{ already_placed: false }]);
    const third = engine.tool(form, {}, { token: 'agent', mode: 'retry' });
    expect(JSON.parse(await third({ symbol: 'INFY', quantity: 6 }))).toMatchObject([{ already_placed: true }]);
    expect(await sandbox.ordersReceived()).toBe(before + 3);
  });

  it('finds the order whose reply was lost', async () => {
    const before = await sandbox.ordersReceived();
    const tool = engine.tool(form, { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 });
    await once('drop_after');
    expect(JSON.parse(await tool({ symbol: 'INFY', quantity: 5 }))).toMatchObject([{ order_qty: 5 }]);
    expect(await sandbox.ordersReceived()).toBe(before + 1);
  });
});

it('opens on what reads, and in a saved workflow of an earlier version on what it did', () => {
  const { properties, version, ...description } = new Brokerage().description;
  const formOf = (type: string, typeVersion: number, parameters: INodeParameters = {}) => {
    const node = { type, typeVersion, parameters } as INode;
    const described = { ...description, properties, version, name: type } as INodeTypeDescription;
    const form = NodeHelpers.getNodeParameters(properties, parameters, true, false, node, described);
    return [form?.resource, form?.operation];
  };
  expect(formOf('brokerageTool', 1.2)).toEqual(['order', 'getMany']);
  expect(formOf('brokerageTool', 1.2, { resource: 'basket' })).toEqual(['basket', 'getMany']);
  expect(formOf('brokerageTool', 1.1)).toEqual(['order', 'place']);
  expect(formOf('brokerage', 1.2)).toEqual(['order', 'place']);
});

describe('the size of what a tool may place', () => {
  const newest = { typeVersion: 1.2 };
  const orders: [string, INodeParameters][] = [
    ['place', form],
    ['placeMany', { ...form, operation: 'placeMany' }],
    ['setTargetPosition', { ...form, operation: 'setTargetPosition', target: 3 }],
  ];

  it.each(orders)('is limited, or nothing is sent (%s)', async (_operation, parameters) => {
    const before = await sandbox.ordersReceived();
    const asked = { symbol: 'INFY', quantity: 3 };
    for (const safety of [{}, { allowedExchanges: ['NSE'] }, { maxQuantity: 0 }])
      await expect(engine.tool({ ...parameters, safety }, newest)(asked)).rejects.toThrow(
        'An AI agent may place orders only within a limit on their size, and none is set.',
      );
    expect(await sandbox.ordersReceived()).toBe(before);
  });

  it.each([{ maxQuantity: 10 }, { maxOrderValue: 50_000 }, { dryRun: true }])(
    'is limited enough by %j',
    async (safety) => {
      const tool = engine.tool({ ...form, safety }, newest);
      expect(JSON.parse(await tool({ symbol: 'INFY', quantity: 9 }))).toMatchObject([{ symbol: 'INFY' }]);
    },
  );
});

describe('what a tool tells an agent', () => {
  const newest = { typeVersion: 1.2 };

  it('is in the message of an error: n8n passes nothing else on', async () => {
    const limited = engine.tool({ ...form, safety: { maxQuantity: 2 } }, newest);
    await expect(limited({ symbol: 'INFY', quantity: 3 })).rejects.toThrow(
      /^Refused by the guard "Largest Quantity".*\nNothing was sent\./,
    );
    await once('drop_before');
    await expect(
      engine.tool({ ...form, safety: { maxQuantity: 9 } }, newest)({ symbol: 'INFY', quantity: 9 }),
    ).rejects.toThrow(/^It is not known whether the order was placed.*\n.*tag/s);
  });

  it('is a sentence where there is nothing, and not an empty text', async () => {
    const list = { resource: 'order', operation: 'getMany', returnAll: true, filters: { tag: 'nobody' } };
    expect(JSON.parse(await engine.tool(list, newest)({}))).toEqual([{ summary: expect.stringMatching(/^No order/) }]);
    expect(await engine.tool(list, { typeVersion: 1.1 })({})).not.toContain('No order');
  });

  it.each(['getReport', 'getPerformance'])('is no HTML, which costs tokens (%s)', async (operation) => {
    const [item] = JSON.parse(await engine.tool({ resource: 'portfolio', operation }, newest)({})) as object[];
    expect(item).toMatchObject({ text: expect.any(String), subject: expect.any(String) });
    expect(item).not.toHaveProperty('html');
  });
});

describe('a name that an agent gives', () => {
  const instrument = bySymbol("={{ $fromAI('symbol', 'Which', 'string') }}");
  const get = engineTool({ resource: 'instrument', operation: 'get', ...instrument });

  it.each([
    ['infosys', 'INFY'],
    ['NSE:INFY-EQ', 'INFY'],
    ['M_M', 'M&M'],
    ['NIFTY BANK', 'BANKNIFTY'],
    ['NSE:NIFTY50-INDEX', 'NIFTY'],
  ])('is understood in the same way as in a field: %s', async (symbol, expected) => {
    expect(JSON.parse(await get()({ symbol }))).toMatchObject([{ symbol: expected }]);
  });

  it('gets what is called nearly so, as data and without advice, where it names nothing', async () => {
    const before = await sandbox.ordersReceived();
    const [item] = JSON.parse(await engine.tool(form)({ symbol: 'INFYX', quantity: 1 })) as Record<string, unknown>[];
    expect(item).toEqual({
      error: 'There is no instrument "INFYX" on NSE, BSE, MCX today.',
      parameter: 'instrument',
      choices: expect.arrayContaining([
        { ref_id: expect.any(Number), exchange: 'NSE', symbol: 'INFY', label: expect.stringContaining('INFY · ') },
      ]),
    });
    expect(JSON.stringify(item)).not.toMatch(/mean:|hint/);
    expect(await sandbox.ordersReceived()).toBe(before);
  });

  it('gets the strikes, or the expiries, that there are, where its contract is not there', async () => {
    const [option] = JSON.parse(await get()({ symbol: 'NIFTY 23 NOV 24510.05 CE' })) as { choices: object[] }[];
    expect(option?.choices).toHaveLength(4);
    expect(option?.choices[0]).toEqual({ strike_price: expect.any(Number) });
    const [future] = JSON.parse(await get()({ symbol: 'NSE:NIFTY FUT' })) as { choices: object[] }[];
    expect(future?.choices[0]).toEqual({ expiry: expect.stringMatching(/^2026-/) });
  });

  it('never gets another index for an index', async () => {
    await expect(get()({ symbol: 'NIFTY 51' })).rejects.toThrow('no instrument "NIFTY 51"');
  });
});

it.each(['totpGenerate', 'totpEnable', 'totpDisable', 'requestOtp', 'logInWithOtp', 'logOut'])(
  'does not make, show or change secrets and logins (%s)',
  async (operation) => {
    const before = await sandbox.control<{ requests: number }>('GET', 'stats');
    const tool = engine.tool({ resource: 'session', operation, otp: '123456', confirmWith: 'code', code: '123456' });
    await expect(tool({})).rejects.toThrow(/not for AI agents/);
    const after = await sandbox.control<{ logins: number; requests: number }>('GET', 'stats');
    expect(after.requests).toBeLessThanOrEqual(before.requests + 1);
    const offered = new Brokerage().description.properties
      .filter(({ name }) => name === 'operation')
      .flatMap(({ options }) => (options ?? []) as INodePropertyOptions[])
      .find(({ value }) => value === operation);
    expect(offered?.displayOptions).toEqual({ hide: { '@tool': [true] } });
  },
);
