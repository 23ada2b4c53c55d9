/**
 * Exits that a trigger keeps where days pass as fast as they go, as in a backtest: the clock waits from the price that reaches an exit until
 * its orders are answered. So they are filled within seconds of the market, and with the same seed at the same instant but for the reads of
 * a slow machine: a closing reads until what it reads has been the same for a time of the machine.
 */
import { bySymbol } from '../support/parameters';
import type { HurriedTime } from '../support/hurried-clock';
import { pacedNow } from '../support/paced-time';
import { TriggerBench, is, json } from '../support/trigger-bench';
import { describeWith } from '../support/needs';
import { share, WHOLE_RUN } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

const START_MS = Date.parse('2026-11-23T09:30:00+05:30');
const EXIT_AT_MS = Date.parse('2026-11-23T09:31:00+05:30');
const QUANTITY = 10;
/** The sandbox's first account. */
const ACCOUNT = 'SBX001';
/** Until an exit is filled, milliseconds of the market: each request of a closing takes a tenth of a second, the order its latency. */
const MAX_MS = 5_000;
/** Market time of the reads that a busy machine makes more or fewer, milliseconds. */
const READS_MS = 1_000;
/** Paise by which the price must fall. */
const STOP_PAISE = 200;

/** Milliseconds of the node's machine that pass in one of this machine: a closing waits for seconds between two reads. */
const SPEED = 10;
const began = pacedNow();
const machine: HurriedTime = {
  now: () => began + (pacedNow() - began) * SPEED,
  speed: SPEED,
};

/** Instants of the market in milliseconds: at which the price or the time was there, and of the fill at a price in paise. */
interface Exit {
  reachedAt: number;
  filledAt: number;
  price: number;
}

/** Buys INFY, keeps the exits, and lets the day pass as fast as it goes until the position is closed. */
async function exitOf(
  parameters: object,
  isReached: (moved: number, instant: number) => boolean,
): Promise<Exit & { placedBy: unknown }> {
  const start = new Date(START_MS).toISOString();
  const bench = await TriggerBench.start({ hours: 'exchange', clock: 'manual', start }, machine);
  const { sandbox } = bench.sandbox;
  const { world, time } = sandbox;
  time.goesForWaiters();
  const infy = world.universe().byRefId(await bench.infyRefId())!;
  const fills = () =>
    world.accounts
      .trades(ACCOUNT)
      .map(({ trade }) => ({ ...trade, at: Number(trade.at / 1_000_000n) }))
      .filter(({ refId, at }) => refId === infy.refId && at > START_MS);
  await bench.buy(QUANTITY, { order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY' });
  while (fills().length === 0) await bench.passSeconds();
  const [entry] = fills();
  const trigger = await bench.activate(
    { watch: 'orderExits', heldProducts: ['IDAY'], ...parameters },
    { typeVersion: 1.1 },
  );
  await trigger.waitFor(is('exitsKept'));
  let reachedAt: number | undefined;
  sandbox.onChange(() => {
    if (isReached(world.lastPrice(infy) - entry!.price, sandbox.instant)) reachedAt ??= sandbox.instant;
  });
  await bench.control('POST', '/clock', { mode: 'fastest' });
  expect(json(await trigger.waitFor(is('positionClosed'))).event).toBe('positionClosed');
  const exit = fills().at(-1)!;
  expect([exit.side, exit.quantity]).toEqual(['SELL', QUANTITY]);
  const journal = await bench.control<{ placed_by?: unknown }[]>('GET', '/journal?kind=order');
  await bench.close();
  return { reachedAt: reachedAt!, filledAt: exit.at, price: exit.price, placedBy: journal.at(-1)!.placed_by };
}

const fell = (moved: number): boolean => moved <= -STOP_PAISE;
const STRATEGY = {
  exitsOf: 'strategy',
  strategyLegs: 'INFY',
  strategyExits: { stopLoss: (QUANTITY * STOP_PAISE) / 100 },
};
const HELD = { exitsOf: 'held', ...bySymbol('INFY') };

const EXITS: readonly [what: string, exits: object, isReached: (moved: number, instant: number) => boolean][] = [
  ['an exit at a time', { ...HELD, heldExits: { exitTime: '09:31' } }, (_moved, instant) => instant >= EXIT_AT_MS],
  ['a stop of a holding', { ...HELD, heldExits: { exitsIn: 'points', stopLoss: STOP_PAISE / 100 } }, fell],
  ['a stop on the net profit', STRATEGY, fell],
];

it.each(share(EXITS, 3, 0))(
  '%s is filled within seconds of the market, and the journal names the trigger that placed it',
  async (what, parameters, isReached) => {
    const { reachedAt, filledAt, placedBy } = await exitOf(parameters, isReached);
    if (what === 'an exit at a time') expect(reachedAt).toBe(EXIT_AT_MS);
    expect(filledAt - reachedAt).toBeLessThan(MAX_MS);
    expect(placedBy).toMatchObject({ node: 'Brokerage Trigger', execution: '' });
  },
);

describeWith(WHOLE_RUN, 'A stop on the net profit', () => {
  it('is filled with the same seed in the same second', async () => {
    const first = await exitOf(STRATEGY, fell);
    const again = await exitOf(STRATEGY, fell);
    expect(again).toMatchObject({ reachedAt: first.reachedAt, placedBy: first.placedBy });
    expect(Math.abs(again.filledAt - first.filledAt)).toBeLessThan(READS_MS);
  });
});
