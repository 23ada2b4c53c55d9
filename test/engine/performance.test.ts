/** Portfolio: Get Performance against the sandbox's own session report, which another hand has worked out. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off', orderInterface: 'both' });
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());

const performance = async (parameters: INodeParameters = {}) => {
  const { items, error } = await engine.run({
    resource: 'portfolio',
    operation: 'getPerformance',
    dates: 'today',
    ...parameters,
  });
  if (error !== undefined) throw new Error(allTextOf(error));
  return items[0]!.json as Record<string, never>;
};
const trade = async (symbol: string, side: string, quantity: number, product = 'IDAY') => {
  const { error } = await engine.run(
    orderForm({
      ...bySymbol(symbol),
      side,
      quantity,
      product,
      priceType: 'MARKET',
      price: undefined,
      options: { tag: 'breakout' },
    } as never),
  );
  if (error !== undefined) throw new Error(allTextOf(error));
  await sandbox.control('POST', 'clock', { advance: 'PT2M' });
};

it('a report without a trade says that there is nothing to judge', async () => {
  expect(await performance()).toMatchObject({
    result: 0,
    closed: 0,
    open: 0,
    complete: true,
    verdict: expect.stringContaining('nothing to judge'),
    environment: 'sandbox',
  });
});

it('says to the paisa what the sandbox says, on Sandbox and on what it takes for Live', async () => {
  await trade('RELIANCE', 'BUY', 20);
  await trade('RELIANCE', 'SELL', 15);
  await trade('TCS', 'SELL', 5);
  await trade('SBIN', 'BUY', 7, 'CNC');
  const own = await sandbox.control<{
    result: number;
    costs: number;
    trades: { closed: number; open: number };
    round_trips: { net: number }[];
  }>('GET', 'performance');
  const days = {
    resource: 'candle',
    operation: 'get',
    interval: '1d',
    range: 'last7Days',
    options: { priceUnit: 'paise' },
  };
  const lastClose = (await engine.run({ ...days, ...bySymbol('NIFTY') }, { typeVersion: 1.2 })).items.at(-1)!;
  const compared = async () => {
    const found = await performance({ options: { priceUnit: 'paise' } });
    expect(found).toMatchObject({ result: own.result, costs: own.costs, complete: true, costs_complete: true });
    expect({ closed: found.closed, open: found.open }).toEqual({ closed: own.trades.closed, open: own.trades.open });
    expect((found.trades as unknown as { net: number }[]).map(({ net }) => net)).toEqual(
      own.round_trips.map(({ net }) => net),
    );
    expect(found.by_tag).toMatchObject([{ tag: 'breakout', net: own.result }]);
    expect(found.market).toMatchObject({ symbol: 'NIFTY', start: lastClose.json.close });
  };
  await compared();
  await engine.setCredential({ ...(await engine.storedCredential()), environment: 'live', liveBaseUrl: sandbox.url });
  await compared();
  await engine.setCredential(sandbox.credential as never);
});

it('tells what each instrument has earned, the most first, and draws it', async () => {
  const parameters = { resource: 'portfolio', operation: 'getPerformance', dates: 'today', options: { picture: true } };
  const { items } = await engine.run(parameters, { typeVersion: 1.2 });
  const {
    by_instrument: found,
    result,
    file_name: fileName,
  } = items[0]!.json as unknown as {
    by_instrument: { symbol: string; net: number; trades: number; open: number }[];
    result: number;
    file_name: string;
  };
  expect(found.map(({ symbol, trades, open }) => [symbol, trades, open]).sort()).toEqual([
    ['RELIANCE', 1, 1],
    ['SBIN', 0, 1],
    ['TCS', 0, 1],
  ]);
  const nets = found.map(({ net }) => net);
  expect(nets).toEqual([...nets].sort((a, b) => b - a));
  expect(nets.reduce((sum, net) => sum + net, 0)).toBeCloseTo(result, 2);
  expect(items[0]!.binary?.data).toMatchObject({ mimeType: 'image/png', fileName });
  expect(fileName).toMatch(/^result-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.png$/);
  const { summary, html, text } = items[0]!.json;
  const [sentence, line] = [
    /^Result of your trades, [^:]+: [+−]?₹[\d,.]+ after costs\. /,
    /RELIANCE: Closed trades 1, Won \d, Open 1, Costs −₹/,
  ];
  expect([summary, text]).toEqual([expect.stringMatching(sentence), expect.stringMatching(line)]);
  expect(text).toMatch(/\nBy tag\nbreakout: Closed trades 1, Won \d, Open 3, Costs −₹/);
  expect(String(html)).toMatch(/By instrument.*RELIANCE.*Total.*By tag.*breakout.*Total/);
  const before = await engine.run(parameters, { typeVersion: 1.1 });
  for (const field of ['by_instrument', 'html', 'summary']) expect(before.items[0]!.json).not.toHaveProperty(field);
  expect(before.items[0]!.binary).toBeUndefined();
});

it('a share that was held before is not counted, and is named', async () => {
  await trade('INFY', 'SELL', 3, 'CNC');
  expect(await performance()).toMatchObject({
    complete: false,
    not_counted: [{ symbol: 'INFY', quantity: 3, why: 'held before' }],
  });
});

it('amounts are in rupees unless paise are asked for; days that are the wrong way round are refused', async () => {
  const [rupees, paise] = [await performance(), await performance({ options: { priceUnit: 'paise' } })];
  expect(Number(rupees.result) * 100).toBeCloseTo(Number(paise.result), 6);
  await expect(performance({ dates: 'custom', from: '2026-11-20', to: '2026-11-19' })).rejects.toThrow(
    'is after the last day',
  );
});
