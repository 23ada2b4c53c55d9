/** The trigger on an account that has intent orders alone, in n8n's engine against the sandbox. */
import { TriggerBench, is, json } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

let bench: TriggerBench;
let refId: number;

beforeAll(async () => {
  bench = await TriggerBench.start({ orderInterface: 'intent' });
  refId = await bench.infyRefId();
});
afterAll(async () => await bench.close());
afterEach(async () => {
  await bench.control('DELETE', '/faults');
  await bench.endTest();
});

const create = async (item: object): Promise<void> =>
  await bench.ask('POST', '/sentinel/orders/create', {
    orders: [
      {
        refId,
        qty: 1,
        side: 'BUY',
        deliveryType: 'IDAY',
        priceType: 'MARKET',
        validityType: 'IOC',
        isMultiLeg: false,
        stratTags: ['mine'],
        ...item,
      },
    ],
  });

it('tells of fills', async () => {
  const trigger = await bench.activate({ events: ['fill', 'executed'] });
  await create({ qty: 3 });
  expect(json(await trigger.waitFor(is('fill', 3)))).toMatchObject({ order_side: 'BUY', tag: 'mine' });
  await trigger.waitFor(is('executed', 3));
});

it('recovers what the stream did not bring, also of an order that is good till a date', async () => {
  const { price } = await bench.ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE');
  await create({
    qty: 4,
    deliveryType: 'CNC',
    priceType: 'LIMIT',
    entryPrice: Math.floor((price * 0.97) / 100) * 100,
    validityType: 'GTE',
    goodTillDate: new Date(Date.now() + 10 * 86_400_000).toISOString(),
  });
  await bench.passSeconds();
  const trigger = await bench.activate({ events: ['accepted', 'fill', 'executed'], options: { compareEvery: 5 } });
  await bench.control('POST', '/faults', { match: { stream: true }, action: 'drop_frame', times: 20 });
  await create({ qty: 5 });
  expect(json(await trigger.waitFor(is('executed', 5)))).toMatchObject({ recovered: true, tag: 'mine' });
  expect(trigger.emitted.filter(is('accepted', 4))).toEqual([]);
});

const EXIT_EVENTS = [
  ...['fill', 'executed', 'cancelled', 'exitArmed', 'exitCancelled', 'exitFilled', 'exitTimeReached'],
  ...['stopLossTriggered', 'targetTriggered', 'trailUpdated'],
];
const price = async (): Promise<number> =>
  (await bench.ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE')).price;
const onTick = (paise: number): number => Math.round(paise / 10) * 10;
const withExits = async (qty: number, last: number, more: object = {}): Promise<void> =>
  await create({
    qty,
    executionMode: 'ENTRY_AND_EXIT',
    exitConfig: {
      stoplossParams: {
        stoplossTriggerPrice: { value: onTick(last * 0.97) },
        stoplossLimitPrice: { value: onTick(last * 0.95) },
        ...more,
      },
      targetParams: {
        targetProfitTriggerPrice: { value: onTick(last * 1.03) },
        targetProfitLimitPrice: { value: onTick(last * 1.02) },
      },
    },
  });
const exitEventsOf = (emitted: { items: { json: object }[] }[], qty: number) =>
  emitted
    .map((item) => json(item as never))
    .filter(({ order_qty: of }) => of === qty)
    .map(({ event, exit_kind: kind, recovered }) => [event, kind, recovered]);

it('gives the life of exits, each step once, with fills on their own side', async () => {
  const trigger = await bench.activate({ events: EXIT_EVENTS, options: { compareEvery: 5 } });
  const last = await price();
  await withExits(7, last);
  await trigger.waitFor(is('exitArmed', 7));
  await bench.control('POST', '/market', { ref_id: refId, price: onTick(last * 1.04) });
  await trigger.waitFor(is('exitFilled', 7));
  await trigger.waitFor(is('exitCancelled', 7));
  expect(exitEventsOf(trigger.emitted, 7).sort()).toEqual(
    [
      ['executed', undefined, false],
      ['exitArmed', 'stop', false],
      ['exitArmed', 'target', false],
      ['exitCancelled', 'stop', false],
      ['exitFilled', 'target', false],
      ['fill', undefined, false],
      ['fill', 'target', false],
      ['targetTriggered', 'target', false],
    ].sort(),
  );
  const fills = trigger.emitted.filter(is('fill', 7)).map((emitted) => json(emitted));
  expect(fills.map(({ fill_of: of, trade_side: side, trade_qty: qty }) => [of, side, qty])).toEqual([
    ['entry', 'BUY', 7],
    ['target', 'SELL', 7],
  ]);
  // Each has its own time, price and quantity; none is called partial, as each is whole.
  const [entry, target] = fills;
  expect(Number(target?.['trade_price'])).toBeGreaterThan(Number(entry?.['trade_price']));
  expect(BigInt(String(target?.['event_time'])) > BigInt(String(entry?.['event_time']))).toBe(true);
  expect(fills.map(({ order_status: status }) => status)).toEqual(['FILLED', 'FILLED']);
  expect(json(trigger.emitted.find(is('exitFilled', 7)) as never)).toMatchObject({
    fill_of: 'target',
    trade_side: 'SELL',
    trade_qty: 7,
    trade_price: target?.['trade_price'],
    trade_value: target?.['trade_value'],
    trade_exact: true,
  });
  expect(new Set(trigger.emitted.map(({ deduplicationKey: key }) => key)).size).toBe(trigger.emitted.length);
  await bench.control('POST', '/market', { ref_id: refId, price: last });
});

it('recovers what became of exits while the stream was silent', async () => {
  const trigger = await bench.activate({ events: EXIT_EVENTS, options: { compareEvery: 5 } });
  const last = await price();
  await withExits(8, last);
  await trigger.waitFor(is('exitArmed', 8));
  await bench.control('POST', '/faults', { match: { stream: true }, action: 'drop_frame', times: 40 });
  await bench.control('POST', '/market', { ref_id: refId, price: onTick(last * 0.96) });
  await trigger.waitFor(is('exitFilled', 8));
  await bench.control('DELETE', '/faults');
  expect(exitEventsOf(trigger.emitted, 8).filter(([, , recovered]) => recovered === true)).toEqual(
    expect.arrayContaining([
      ['stopLossTriggered', 'stop', true],
      ['fill', 'stop', true],
      ['exitFilled', 'stop', true],
      ['exitCancelled', 'target', true],
    ]),
  );
  expect(
    trigger.emitted.filter(is('fill', 8)).map((emitted) => [json(emitted).fill_of, json(emitted).trade_qty]),
  ).toEqual([
    ['entry', 8],
    ['stop', 8],
  ]);
  await bench.control('POST', '/market', { ref_id: refId, price: last });
});

it('a trailing stop moves, and an exit that is taken off is no cancelled order', async () => {
  const trigger = await bench.activate({ events: EXIT_EVENTS, options: { compareEvery: 5 } });
  const last = await price();
  await withExits(9, last, { stoplossTrailJump: { value: onTick(last * 0.01) } });
  await trigger.waitFor(is('exitArmed', 9));
  await bench.control('POST', '/market', { ref_id: refId, price: onTick(last * 1.02) });
  const moved = json(await trigger.waitFor(is('trailUpdated', 9)));
  expect(moved).toMatchObject({ exit_kind: 'stop', order_status: 'FILLED' });
  expect(Number(moved.exit_trigger_price)).toBeGreaterThan((last * 0.97) / 100);
  await bench.ask('POST', '/sentinel/orders/cancel', {
    orders: [{ orderId: String(moved.order_id), exitTriggerKind: 'TARGET_PROFIT' }],
  });
  expect(json(await trigger.waitFor(is('exitCancelled', 9)))).toMatchObject({
    exit_kind: 'target',
    order_status: 'FILLED',
  });
  expect(exitEventsOf(trigger.emitted, 9).map(([event]) => event)).not.toContain('cancelled');
});
