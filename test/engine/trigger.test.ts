/** The trigger in n8n's engine against the sandbox, over real HTTP and WebSockets. */
import { FIRST } from '../sandbox/support';
import { TriggerBench, is, json } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

/** The most shares that one order may have. */
const MAX_QUANTITY = 100_000;

let bench: TriggerBench;

beforeAll(async () => (bench = await TriggerBench.start()));
afterAll(async () => await bench.close());
afterEach(async () => await bench.endTest());

it('starts the workflow with a readable fill', async () => {
  const trigger = await bench.activate({ events: ['fill', 'executed'], options: { raw: true } });
  await bench.buy(3);
  const fill = json(await trigger.waitFor(is('fill', 3)));
  expect(fill).toMatchObject({
    event: 'fill',
    recovered: false,
    environment: 'sandbox',
    order_side: 'BUY',
    order_delivery_type: 'CNC',
    order_qty: 3,
    tag: 'test',
    exchange: 'NSE',
    plat_name: 'STOCK_INFY.NSECM',
  });
  expect(fill.order_id).toMatch(/^\d{19}$/);
  expect(fill.event_time_ist).toMatch(/\+05:30$/);
  const price = Number(fill.trade_price);
  expect(price).toBeLessThan(10_000);
  expect(fill.trade_value).toBeCloseTo(Number(fill.trade_qty) * price, 2);
  expect(fill.raw).toMatchObject({
    intentOrderResponse: { intentOrderId: fill.order_id, tradeFill: { tradePrice: Math.round(price * 100) } },
  });

  const done = json(await trigger.waitFor(is('executed')));
  expect(done).toMatchObject({ order_id: fill.order_id, filled_qty: 3, order_status: 'FILLED' });
  expect(new Set(trigger.emitted.map(({ deduplicationKey }) => deduplicationKey)).size).toBe(trigger.emitted.length);
});

it('returns what happens from the activation on, also before it listens', async () => {
  await bench.infyRefId();
  // Another program trades while n8n starts the trigger: the order is listed as filled when the day's orders are first read.
  await bench.control('POST', '/faults', {
    match: { method: 'GET', path: '/orders' },
    action: 'delay',
    args: { ms: 2_500 },
    times: 1,
  });
  const [trigger] = await Promise.all([bench.activate({ events: ['fill', 'executed'] }), bench.buy(21)]);
  const fill = json(await trigger.waitFor(is('fill', 21)));
  const done = json(await trigger.waitFor(is('executed', 21)));
  expect(done.order_id).toBe(fill.order_id);
  expect(trigger.emitted.filter((emitted) => json(emitted).order_id !== fill.order_id)).toEqual([]);
});

it('returns each trade of an order that takes several prices, once and unchanged', async () => {
  const trigger = await bench.activate({ events: ['fill', 'executed'] });
  await bench.control('POST', `/accounts/${FIRST.phone}`, { funds: 1e12 });
  /** Buys all that is offered at the best four prices, and one share at the next, as far as one order may. */
  const sweep = async (max: number) => {
    const { asks } = await bench.control<{ asks: { price: number; quantity: number }[] }>(
      'GET',
      `/page/market?ref_id=${await bench.infyRefId()}&phone=${FIRST.phone}`,
    );
    const quantity = Math.min(
      max,
      asks.slice(0, 4).reduce((sum, level) => sum + level.quantity, 1),
    );
    await bench.buy(quantity, { price_type: 'LIMIT', order_price: Math.ceil((asks[0]!.price * 1.01) / 100) * 100 });
    const done = json(await trigger.waitFor(is('executed', quantity)));
    const journal = await bench.control<{ order_id: string; quantity: number; price: number }[]>(
      'GET',
      '/journal?kind=trade',
    );
    return { quantity, trades: journal.filter(({ order_id: id }) => id === done.order_id) };
  };
  // The book moves meanwhile, and may offer much at few prices.
  let limit = MAX_QUANTITY;
  let { quantity, trades } = await sweep(limit);
  while (trades.length <= 2) ({ quantity, trades } = await sweep((limit -= 1)));
  const fills = trigger.emitted.filter(is('fill', quantity)).map((emitted) => json(emitted));
  expect(fills.map((fill) => [fill.trade_qty, fill.trade_price, fill.recovered, fill.trade_exact])).toEqual(
    trades.map((trade) => [trade.quantity, trade.price / 100, false, true]),
  );
  expect(fills.map((fill) => fill.filled_qty)).toEqual(
    trades.map((_, index) => trades.slice(0, index + 1).reduce((sum, { quantity }) => sum + quantity, 0)),
  );
});

it('returns only what was chosen', async () => {
  const trigger = await bench.activate({
    events: ['accepted', 'fill', 'executed'],
    filters: { onlyEnds: true, minQuantity: 5, sides: ['BUY'] },
  });
  await bench.buy(3);
  await bench.buy(6);
  const done = json(await trigger.waitFor(is('executed')));
  expect(done).toMatchObject({ order_qty: 6 });
  expect(trigger.emitted).toHaveLength(1);
});

it('returns what happened while the connection was down, and how long it was', async () => {
  const trigger = await bench.activate({ events: ['executed', 'connectionLost', 'connectionRestored'] });
  await bench.control('POST', '/faults', { match: { stream: true }, action: 'disconnect', times: 1 });
  await bench.buy(2);
  await trigger.waitFor(is('connectionLost'));
  const restored = json(await trigger.waitFor(is('connectionRestored')));
  expect(restored).toMatchObject({ reason: 'The stream was closed' });
  await trigger.waitFor(is('executed', 2));
});

it('finds the stream when the service gives no address for it', async () => {
  await bench.control('PUT', '/dialect', { order_service_ws_url: 'empty' });
  const trigger = await bench.activate({ events: ['fill'], options: { compareEvery: 6 } });
  await bench.control('PUT', '/dialect', { order_service_ws_url: 'full' });
  await bench.buy(13);
  expect(json(await trigger.waitFor(is('fill', 13)))).toMatchObject({ recovered: false });
});

it('goes on after a restart of n8n, and starts afresh when it is activated by hand', async () => {
  const first = await bench.activate({ events: ['executed'] });
  await bench.buy(1);
  const past = json(await first.waitFor(is('executed', 1)));
  await bench.filled(1);
  await first.close();
  await bench.buy(7);
  await bench.filled(7);
  await bench.passSeconds();

  const afresh = await bench.activate({ events: ['executed'] });
  await bench.buy(8);
  expect(json(await afresh.waitFor(is('executed', 8)))).toMatchObject({ recovered: false });
  expect(afresh.emitted.filter(is('executed', 7))).toHaveLength(0);
  await bench.filled(8);
  await afresh.close();
  await bench.buy(9);
  await bench.filled(9);

  const restarted = await bench.activate({ events: ['executed'] }, { activation: 'init' });
  const missed = json(await restarted.waitFor(is('executed', 9)));
  expect(missed).toMatchObject({ recovered: true });
  expect(restarted.emitted).toHaveLength(1);
  expect(missed.order_id).not.toBe(past.order_id);
});

it('shares one connection between two workflows, and leaves none behind', async () => {
  const runningTrigger = await bench.activate({ events: ['executed'] });
  const two = await bench.activate({ events: ['fill'] });
  expect(await bench.streamsOpen()).toBe(1);
  await runningTrigger.close();
  await bench.buy(5);
  await two.waitFor(is('fill'));
  expect(runningTrigger.emitted).toHaveLength(0);
  await two.close();
  await bench.noStreamsLeft();
});

it('alerts when a price reaches its level', async () => {
  const refId = await bench.infyRefId();
  const { price } = await bench.ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE');
  const level = Math.round(price * 1.02);
  const trigger = await bench.activate({
    watch: 'price',
    instrument: { __rl: true, mode: 'symbol', value: 'NSE:INFY' },
    condition: 'crossesAbove',
    level: level / 100,
    options: { askEvery: 1 },
  });
  await bench.control('POST', '/market', { ref_id: refId, price: Math.round(price * 1.05) });
  const alert = json(await trigger.waitFor(is('priceAlert')));
  expect(alert).toMatchObject({
    condition: 'crossesAbove',
    symbol: 'INFY',
    exchange: 'NSE',
    level: level / 100,
    alert_number: 1,
    environment: 'sandbox',
  });
  expect(alert.price).toBeGreaterThan(level / 100);
});

it('waits in a manual run only when asked to listen, and does not touch what the active workflow remembers', async () => {
  const trigger = await bench.activate({ events: ['executed'] }, { mode: 'manual', activation: 'manual' });
  await bench.noStreamsLeft();
  await trigger.response.manualTriggerFunction?.();
  await bench.buy(12);
  await trigger.waitFor(is('executed', 12));
  expect(trigger.staticData).toEqual({});
});

it('ends cleanly when it is closed while it is still connecting', async () => {
  const trigger = await bench.activate({ events: ['executed'] }, { mode: 'manual', activation: 'manual' });
  const opening = trigger.response.manualTriggerFunction?.().catch(() => undefined);
  await trigger.close();
  await opening;
  await bench.noStreamsLeft();
});

it('names the parameter that is at fault before anything is sent', async () => {
  const opened = async () =>
    ((await bench.control('GET', '/journal')) as { kind: string }[]).filter(({ kind }) => kind === 'stream_open')
      .length;
  const before = await opened();
  await expect(bench.activate({ events: [] })).rejects.toThrow('No event is chosen');
  expect(await opened()).toBe(before);
});

describe('an event that was given to n8n just before its process ended', () => {
  const keysAfter = async (activation: 'init' | 'activate', settings?: { saveDataSuccessExecution: 'none' }) => {
    const before = await bench.activate({ events: ['executed'] });
    await bench.buy(4);
    const { deduplicationKey } = await before.waitFor(is('executed', 4));
    const staticData = JSON.parse(JSON.stringify(before.staticData));
    const [event] = staticData.handed.events;
    expect(deduplicationKey).toBe(`workflow-1:brokerageTrigger-id:${event.key}`);
    staticData.handed = { by: 'a process that was killed', events: [{ ...event, key: 'left' }] };
    const trigger = await bench.activate({ events: ['executed'] }, { activation, staticData, settings });
    await bench.buy(5);
    await trigger.waitFor(is('executed', 5));
    return trigger.emitted.map((emitted) => emitted.deduplicationKey);
  };
  const LEFT = 'workflow-1:brokerageTrigger-id:left';

  it('is given again after the restart under its key, by which n8n knows whether it has run', async () => {
    expect((await keysAfter('init'))[0]).toBe(LEFT);
  });

  it('is not given again where n8n does not keep executions, and would run it twice', async () => {
    expect(await keysAfter('init', { saveDataSuccessExecution: 'none' })).not.toContain(LEFT);
  });

  it('is past when the workflow is switched on by hand', async () => {
    expect(await keysAfter('activate')).not.toContain(LEFT);
  });
});
