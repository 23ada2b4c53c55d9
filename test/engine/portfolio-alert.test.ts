/** Alerts on profit, loss and margin in n8n's engine: a position in the sandbox, and prices that move it. */
import { startProxy, type Proxy } from '../support/proxy';
import { TriggerBench, is, json } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

/** No test may cross midnight: a day would end in it. */
const NOON = '2026-11-25T12:00:00+05:30';

let bench: TriggerBench;
let proxy: Proxy;
let refId: number;
let price: number;

beforeAll(async () => {
  bench = await TriggerBench.start(
    { hours: 'always', start: NOON },
    undefined,
    async (url) => (proxy = await startProxy(url)).url,
  );
  refId = await bench.infyRefId();
  ({ price } = await bench.ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE'));
  await bench.buy(100, { order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY' });
  await bench.filled(100);
});
afterAll(async () => {
  await bench.close();
  await proxy.close();
});
afterEach(async () => await bench.endTest());

const instrument = { __rl: true, mode: 'symbol', value: 'NSE:INFY' };
const start = async (parameters: Record<string, unknown>) =>
  await bench.activate({ watch: 'portfolioAlert', ...parameters }, { typeVersion: 1.2 });
const move = async (share: number) =>
  await bench.control('POST', '/market', { ref_id: refId, price: Math.round((price * share) / 10) * 10 });
/** Rupees that the position wins or loses with a share of the price. */
const worth = (share: number) => Math.round(price * share);

it("alerts once a day when the day's loss reaches an amount, by the prices, while the positions cannot be read", async () => {
  await move(1);
  const parameters = { figure: 'dayPnl', amountCondition: 'crossesBelow', amount: -worth(0.03) };
  const trigger = await start(parameters);
  for (const path of ['/portfolio/positions', '/sentinel/portfolio/positions'])
    await bench.control('POST', '/faults', { match: { method: 'GET', path }, action: 'status', args: { status: 503 } });
  await move(0.96);
  const alert = json(await trigger.waitFor(is('portfolioAlert')));
  await bench.control('DELETE', '/faults');
  const position = await start({
    figure: 'positionPnl',
    instrument,
    amountCondition: 'crossesAbove',
    amount: -worth(0.01),
    repeatAmount: 'always',
  });
  expect(alert).toMatchObject({
    ...{ event: 'portfolioAlert', figure: 'dayPnl', condition: 'crossesBelow', level: parameters.amount },
    ...{ alert_number: 1, environment: 'sandbox' },
    summary: expect.stringMatching(/^Day's Profit or Loss is at −₹[\d,]+\.\d\d \(Falls to Amount −₹[\d,]+\.\d\d\)\.$/),
  });
  expect(Number(alert.amount)).toBeLessThanOrEqual(parameters.amount);
  // Back and down again: the same day.
  await move(1);
  expect(json(await position.waitFor(is('portfolioAlert')))).toMatchObject({
    figure: 'positionPnl',
    symbol: 'INFY',
    ref_id: refId,
  });
  const again = await start({ ...parameters, repeatAmount: 'always' });
  await move(0.96);
  await again.waitFor(is('portfolioAlert'));
  expect(trigger.emitted).toHaveLength(1);
});

it('alerts when margin is used', async () => {
  const used = await bench.engine.run({ resource: 'portfolio', operation: 'getFunds' });
  const blocked = Number(used.items[0]?.json.total_margin_blocked);
  const trigger = await start({
    figure: 'marginUsed',
    amountCondition: 'crossesAbove',
    amount: blocked + 10,
    options: { priceUnit: 'paise' },
  });
  await bench.buy(50, { order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY' });
  const alert = json(await trigger.waitFor(is('portfolioAlert')));
  expect(Number(alert.amount)).toBeGreaterThanOrEqual((blocked + 10) * 100);
});

it('says that the service does not tell the margin, and waits', async () => {
  proxy.change = ({ path }, reply) =>
    path.endsWith('/user_funds_and_margin')
      ? {
          ...{ ...reply, headers: { ...reply.headers, 'content-type': 'application/json' } },
          text: reply.text.replaceAll(/"(total_margin_blocked|totalMarginBlocked)":\s*\d+/g, '"$1":null'),
        }
      : undefined;
  const trigger = await start({ figure: 'marginUsed', amountCondition: 'crossesAbove', amount: 10 });
  proxy.change = undefined;
  expect(bench.engine.logger.lines.join()).toContain('the service does not tell the margin: the alert waits');
  expect(trigger.emitted).toEqual([]);
});

it('alerts when a percentage of the margin is used', async () => {
  const used = await bench.engine.run({ resource: 'portfolio', operation: 'getFunds' }, { typeVersion: 1.2 });
  const percent = Number(used.items[0]?.json.margin_used_percent);
  const level = Math.round(percent * 100 + 1) / 100;
  const trigger = await start({
    ...{ figure: 'marginUsedPercent', amountCondition: 'crossesAbove', amount: level },
    options: { priceUnit: 'paise' },
  });
  await bench.buy(500, { order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY' });
  const alert = json(await trigger.waitFor(is('portfolioAlert')));
  expect(alert).toMatchObject({ figure: 'marginUsedPercent', figure_label: 'Margin Used, in Percent', level });
  expect(Number(alert.amount)).toBeGreaterThanOrEqual(level);
  expect(Number(alert.amount)).toBeLessThan(100);
  expect(alert.summary).toBe(`Margin Used, in Percent is at ${Number(alert.amount)} % (Rises to Amount ${level} %).`);
});

it('refuses a band whose ends are in the wrong order, and leaves nothing behind', async () => {
  await expect(start({ amountCondition: 'entersBand', lowAmount: 10, highAmount: -10 })).rejects.toMatchObject({
    message: expect.stringContaining('Lower Amount must be below Higher Amount.'),
  });
  const trigger = await start({});
  await trigger.close();
  await bench.noStreamsLeft();
});
