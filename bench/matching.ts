/**
 * How many orders a second the matching core takes: `node --import ./scripts/typescript.mjs bench/matching.ts [orders]`.
 * Limit orders of a thousand accounts within ±20 ticks of the price of one share, a quarter of them cancelled, twenty in
 * a millisecond; every event is made and handed out.
 */
import { createChance } from '../sandbox/src/exchange/chance';
import { NO_DELAYS, USUAL_DELAYS, type Delays } from '../sandbox/src/exchange/delays';
import { createExchange } from '../sandbox/src/exchange/exchange';
import { MONDAY_TEN, SHARE, stillMarket } from '../test/support/still-market';
import { limitOrder } from '../test/support/trading';

const ORDERS = Number(process.argv[2] ?? 100_000);
const ROUNDS = 5;

/** Seconds of processor time, so that what else the machine does counts little. */
function seconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function run(delays: Delays): { orders: number; events: number } {
  const chance = createChance(7);
  const exchange = createExchange({ market: stillMarket(), chance: createChance(1), options: { hours: 'always', delays }, startAt: MONDAY_TEN });
  let events = 0;
  exchange.onEvent(() => (events += 1));
  let now = MONDAY_TEN;
  const took = seconds(() => {
    for (let n = 0; n < ORDERS; n += 1) {
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
  });
  return { orders: ORDERS / took, events: events / took };
}

for (const [name, delays] of [['without delays', NO_DELAYS], ['usual delays', USUAL_DELAYS]] as const) {
  const rounds = Array.from({ length: ROUNDS }, () => run(delays)).sort((a, b) => a.orders - b.orders);
  const { orders, events } = rounds[Math.floor(ROUNDS / 2)]!;
  console.log(`matching core, ${name}: ${Math.round(orders)} orders/s, ${Math.round(events)} events/s (median of ${ROUNDS}, per second of processor time)`);
}
