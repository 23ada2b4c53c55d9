/** The market's time as a sandbox's replies tell it: at its speed, over moves of its clock and of this machine's. */
import { MarketClock, machineTime } from '../../client/market-clock';
import { istDate } from '../../client/values/time';
import { VirtualTime } from '../support/virtual-time';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function made() {
  const time = new VirtualTime();
  const market = new MarketClock(time.clock);
  /** A reply that tells the sandbox's time, and its speed. */
  const reply = (at: number, speed?: number) =>
    market.onReply({
      'x-sandbox-time': String(at),
      ...(speed === undefined ? {} : { 'x-sandbox-speed': String(speed) }),
    });
  const pass = async (ms: number) => void (await time.run(time.sleep(ms)));
  return { time, market, reply, pass };
}

it("the clock is the machine's where no other is told, and where both are one", async () => {
  const { time, market, reply, pass } = made();
  expect([market.now(), market.aheadMs]).toEqual([time.clock.now(), 0]);
  reply(time.clock.now() + 1_500);
  expect(market.aheadMs).toBe(0);
  await pass(HOUR);
  expect(market.now()).toBe(time.clock.now());
  expect(machineTime(time.clock).at(7)).toBe(7);
});

it.each([60, 12.5])('goes on at %d times the speed between two replies', async (speed) => {
  const { time, market, reply, pass } = made();
  const start = time.clock.now() + DAY;
  reply(start, speed);
  await pass(10_000);
  expect(market.now()).toBe(start + 10_000 * speed);
  expect(market.aheadMs).toBe(start + 10_000 * speed - time.clock.now());
  const late = start + 10_000 * speed + 700;
  reply(late, speed);
  expect(market.now()).toBe(late);
});

it('goes on whatever the clock of the machine is set to', async () => {
  const { time, market, reply, pass } = made();
  const start = time.clock.now() + 5 * DAY;
  reply(start);
  await pass(1_000);
  time.setClock(-3 * HOUR);
  expect(market.now()).toBe(start + 1_000);
  await pass(1_000);
  expect(market.now()).toBe(start + 2_000);
});

it('knows what it was before a move, and at a speed', async () => {
  const { time, market, reply, pass } = made();
  const start = time.clock.now();
  reply(start);
  await pass(60_000);
  reply(start + 60_000 + DAY);
  await pass(60_000);
  expect(market.at(start + 30_000)).toBe(start + 30_000);
  expect(istDate(market.at(start + 30_000))).not.toBe(istDate(market.now()));
  expect(market.at(start + 90_000)).toBe(start + 90_000 + DAY);
  const fast = made();
  const began = fast.time.clock.now();
  fast.reply(began + HOUR, 60);
  await fast.pass(20 * 60_000);
  expect(fast.market.at(began)).toBe(began + HOUR);
  expect(istDate(fast.market.at(began))).not.toBe(istDate(fast.market.now()));
});

it.each(['', 'x', '-60', '1e9', '60x'])('takes no speed from %j', async (speed) => {
  const { time, market, pass } = made();
  const start = time.clock.now() + DAY;
  market.onReply({ 'x-sandbox-time': String(start), 'x-sandbox-speed': speed });
  await pass(1_000);
  expect(market.now()).toBe(start + 1_000);
});
