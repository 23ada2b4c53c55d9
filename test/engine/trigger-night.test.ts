/** Orders that wait for the next session or live for days: each event comes once, over nights and restarts of n8n. */
import type { INode } from 'n8n-workflow';
import { TriggerBench, is, json } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

const PARAMETERS = { events: ['accepted', 'expired', 'cancelled', 'rejected', 'executed'] };
/** Wednesday, Thursday and Friday. */
const DAYS = ['2026-11-18', '2026-11-19', '2026-11-20'] as const;
/** By quantity, the day on which the order expires; those of the last three are good till a date. */
const EXPIRES: Readonly<Record<number, string>> = { 1: DAYS[0], 2: DAYS[0], 3: DAYS[0], 4: DAYS[1], 5: DAYS[2] };

let bench: TriggerBench;
afterAll(async () => await bench.close());

it('the events of four days come once, over the nights and two restarts of n8n', async () => {
  bench = await TriggerBench.start({
    orderInterface: 'intent',
    hours: 'exchange',
    start: '2026-11-17T16:30:00+05:30',
  });
  const refId = await bench.infyRefId();
  const { price } = await bench.ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE');
  // Within the price band of each day, and so low that nobody sells there.
  const entryPrice = Math.floor((price * 0.93) / 100) * 100;
  const events: unknown[] = [];
  let trigger = await bench.activate(PARAMETERS);
  /** n8n ends, and starts again at another time. */
  const restartAt = async (time: string): Promise<void> => {
    events.push(...trigger.emitted.map(eventOf));
    const staticData = JSON.parse(JSON.stringify(trigger.staticData)) as INode['parameters'];
    await trigger.close();
    await bench.control('POST', '/clock', { set: `${time}:00+05:30` });
    trigger = await bench.activate(PARAMETERS, { activation: 'init', staticData });
  };
  const order = { refId, side: 'BUY', deliveryType: 'CNC', priceType: 'LIMIT', isMultiLeg: false, entryPrice };
  for (const [qty, date] of Object.entries(EXPIRES))
    await bench.ask('POST', '/sentinel/orders/create', {
      orders: [
        {
          ...order,
          qty: Number(qty),
          stratTags: ['night'],
          ...(Number(qty) < 3
            ? { validityType: 'DAY' }
            : { validityType: 'GTE', goodTillDate: `${date}T23:59:00+05:30` }),
        },
      ],
    });
  for (const qty of Object.keys(EXPIRES)) await trigger.waitFor(is('accepted', Number(qty)));
  for (const day of DAYS) {
    await bench.control('POST', '/clock', { set: `${day}T00:10:00+05:30` });
    if (day !== DAYS[0]) await restartAt(`${day}T09:05`);
    await bench.control('POST', '/clock', { set: `${day}T15:40:00+05:30` });
    for (const [qty, date] of Object.entries(EXPIRES))
      if (date === day) await trigger.waitFor(is('expired', Number(qty)));
  }
  await bench.control('POST', '/clock', { set: '2026-11-21T09:00:00+05:30' });
  await bench.passSeconds();
  events.push(...trigger.emitted.map(eventOf));
  expect(events.sort()).toEqual(
    Object.entries(EXPIRES)
      .flatMap(([qty, date]) => [`accepted ${qty} 2026-11-17`, `expired ${qty} ${date}`])
      .sort(),
  );
});

function eventOf(emitted: Parameters<typeof json>[0]): string {
  const { event, order_qty: quantity, event_time_ist: time } = json(emitted);
  return `${String(event)} ${String(quantity)} ${String(time).slice(0, 10)}`;
}
