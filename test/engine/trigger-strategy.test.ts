/**
 * Output of a trigger for the trades of a strategy of intent orders: the entry or the exit that traded, and on which
 * side.
 */
import { TriggerBench, is, json } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

let bench: TriggerBench;
let refIds: { bought: number; sold: number };

beforeAll(async () => {
  bench = await TriggerBench.start({ orderInterface: 'intent' });
  const { world } = bench.sandbox.sandbox;
  const refIdOf = (symbol: string): number => world.universe().bySymbol('NSE', symbol)!.refId;
  refIds = { bought: refIdOf('INFY'), sold: refIdOf('TCS') };
});
afterAll(async () => await bench.close());
afterEach(async () => {
  await bench.control('DELETE', '/faults');
  await bench.endTest();
});

const EVENTS = ['accepted', 'fill', 'executed', 'stopLossTriggered', 'targetTriggered'];
const onTick = (paise: number): number => Math.round(paise / 10) * 10;
const priceOf = async (symbol: string): Promise<number> =>
  (await bench.ask<{ price: number }>('GET', `/optionchains/${symbol}/price?exchange=NSE`)).price;

/** Buys INFY and sells TCS as one order at the market, with a target and a stop loss on their difference. */
async function enter(qty: number): Promise<void> {
  const net = (await priceOf('INFY')) - (await priceOf('TCS'));
  const exit = (rupees: number): { value: number } => ({ value: onTick(net + rupees * 100) });
  await bench.ask('POST', '/sentinel/orders/create', {
    orders: [
      {
        qty,
        side: 'BUY',
        deliveryType: 'IDAY',
        priceType: 'MARKET',
        validityType: 'IOC',
        isMultiLeg: true,
        stratTags: ['pair'],
        executionMode: 'ENTRY_AND_EXIT',
        legs: [
          { refId: refIds.bought, unitQty: 1 },
          { refId: refIds.sold, unitQty: -1 },
        ],
        exitConfig: {
          targetParams: { targetProfitTriggerPrice: exit(30), targetProfitLimitPrice: exit(1) },
          stoplossParams: { stoplossTriggerPrice: exit(-40), stoplossLimitPrice: exit(-400) },
        },
      },
    ],
  });
}

/** The trades of a leg: what each is of, its side and quantity, and whether it was recovered. */
const tradesOf = (emitted: { items: { json: object }[] }[], refId: number, qty: number): unknown[] =>
  emitted
    .map((item) => json(item as never))
    .filter(({ event, ref_id: of, order_qty: ordered }) => event === 'fill' && of === refId && ordered === qty)
    .map(({ fill_of: of, trade_side: side, trade_qty: traded, recovered }) => [of, side, traded, recovered]);
/** The end of a strategy that only a list told. */
const isRecoveredEnd =
  (qty: number) =>
  (emitted: Parameters<typeof json>[0]): boolean =>
    is('executed', qty)(emitted) && json(emitted).recovered === true && json(emitted).order_status === 'CLOSED';

it('says of each trade whether it is the entry or an exit, and its side', async () => {
  const trigger = await bench.activate({ events: EVENTS, options: { compareEvery: 5 } });
  await enter(3);
  await trigger.waitFor(is('executed', 3));
  const before = await priceOf('INFY');
  await bench.control('POST', '/market', { ref_id: refIds.bought, price: onTick(before + 6_000) });
  await trigger.waitFor(is('targetTriggered', 3));
  await trigger.waitFor(
    (emitted) => is('fill', 3)(emitted) && json(emitted).ref_id === refIds.sold && json(emitted).fill_of !== 'entry',
  );
  await trigger.waitFor(
    (emitted) => is('fill', 3)(emitted) && json(emitted).ref_id === refIds.bought && json(emitted).fill_of !== 'entry',
  );
  expect(tradesOf(trigger.emitted, refIds.bought, 3)).toEqual([
    ['entry', 'BUY', 3, false],
    ['target', 'SELL', 3, false],
  ]);
  expect(tradesOf(trigger.emitted, refIds.sold, 3)).toEqual([
    ['entry', 'SELL', 3, false],
    ['target', 'BUY', 3, false],
  ]);
  await bench.control('POST', '/market', { ref_id: refIds.bought, price: before });
});

it('recovers the trades of an exit that the stream did not bring, without a price', async () => {
  const trigger = await bench.activate({ events: EVENTS, options: { compareEvery: 5 } });
  await enter(4);
  await trigger.waitFor(is('executed', 4));
  await bench.control('POST', '/faults', { match: { stream: true }, action: 'drop_frame', times: 40 });
  const before = await priceOf('INFY');
  await bench.control('POST', '/market', { ref_id: refIds.bought, price: onTick(before - 6_000) });
  await trigger.waitFor(isRecoveredEnd(4));
  expect(tradesOf(trigger.emitted, refIds.bought, 4)).toEqual([
    ['entry', 'BUY', 4, false],
    ['stop', 'SELL', 4, true],
  ]);
  expect(tradesOf(trigger.emitted, refIds.sold, 4)).toEqual([
    ['entry', 'SELL', 4, false],
    ['stop', 'BUY', 4, true],
  ]);
  const recovered = trigger.emitted.filter((emitted) => is('fill', 4)(emitted) && json(emitted).recovered === true);
  expect(recovered.map((emitted) => json(emitted).trade_price)).toEqual([null, null]);
  expect(new Set(trigger.emitted.map(({ deduplicationKey: key }) => key)).size).toBe(trigger.emitted.length);
  await bench.control('POST', '/market', { ref_id: refIds.bought, price: before });
});

it('the steps of a strategy before the trigger began are past', async () => {
  await enter(5);
  await bench.passSeconds();
  const trigger = await bench.activate({ events: EVENTS, options: { compareEvery: 5 } });
  await bench.control('POST', '/faults', { match: { stream: true }, action: 'drop_frame', times: 40 });
  await enter(6);
  await trigger.waitFor((emitted) => is('executed', 6)(emitted) && json(emitted).recovered === true);
  expect([...new Set(trigger.emitted.map((emitted) => json(emitted).order_qty))]).toEqual([6]);
});
