/**
 * The matching core alone: limit orders of a thousand accounts within ±20 ticks of the price of one share, a quarter of
 * them cancelled, twenty in a millisecond; every event is made and handed out.
 */
import { createRandomSource } from '../sandbox/src/shared/random';
import { NO_LATENCY, USUAL_LATENCY, type OrderLatency } from '../sandbox/src/exchange/models/latency';
import { createExchange } from '../sandbox/src/exchange/exchange';
import { MONDAY_TEN, SHARE, stillMarket } from '../test/support/still-market';
import { limitOrder } from '../test/support/trading';
import type { MakeRow } from './row';

/** Places the orders; returns the number of resulting events, and their seconds of processor time. */
function run(orders: number, latency: OrderLatency): { events: number; seconds: number } {
  const chance = createRandomSource(7);
  const exchange = createExchange({
    market: stillMarket(),
    random: createRandomSource(1),
    options: { hours: 'always', latency },
    startAt: MONDAY_TEN,
  });
  let events = 0;
  exchange.onEvent(() => (events += 1));
  let now = MONDAY_TEN;
  const before = process.cpuUsage();
  for (let n = 0; n < orders; n += 1) {
    if (n % 20 === 0) now += 1;
    const placed = exchange.place(
      limitOrder({
        account: `account ${chance.between(0, 999)}`,
        side: chance.between(0, 1) === 0 ? 'BUY' : 'SELL',
        quantity: chance.between(1, 50),
        price: 150_000 + SHARE.tickSize * chance.between(-20, 20),
      }),
      now,
    );
    if (!placed.ok) throw new Error(placed.text);
    if (chance.between(0, 3) === 0) exchange.cancel(placed.order.id, now);
    exchange.advance(now);
  }
  exchange.advance(now + 5000);
  const { user, system } = process.cpuUsage(before);
  return { events, seconds: (user + system) / 1e6 };
}

const make: MakeRow = ({ short }) => {
  const orders = short ? 1_000 : 50_000;
  return {
    title: 'the matching core of the sandbox',
    work: `${orders} limit orders around one price, a quarter of them cancelled`,
    sides: [
      { name: 'without delays', role: 'ours', run: () => run(orders, NO_LATENCY) },
      { name: 'with the usual delays', role: 'alternative', run: () => run(orders, USUAL_LATENCY) },
    ],
    goals: [],
    figures: () => {
      const { events, seconds } = run(orders, NO_LATENCY);
      return [
        { name: 'orders', value: orders / seconds, unit: 'per second of processor time' },
        { name: 'events', value: events / seconds, unit: 'per second of processor time' },
      ];
    },
  };
};

export default make;
