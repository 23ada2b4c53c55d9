/**
 * Orders as the live service's makers and users print them: the sandbox accepts each of them, like the live service, or
 * refuses it with the service's reason.
 */
import printed from './orders.json';
import { totpAt, FIRST, DEVICE, now, pin, start, type Bench } from '../sandbox/support';

let bench: Bench;
let headers: Record<string, string>;
beforeAll(async () => {
  bench = await start({ as: 'live', rateLimit: 'off' });
  const totp = Number(totpAt(FIRST.secret, await now(bench.http)));
  const { data } = await bench.http.post(
    '/totp/login',
    { phone: FIRST.phone, totp },
    { headers: { 'x-device-id': DEVICE } },
  );
  headers = await pin(bench.http, String(data.auth_token), FIRST.mpin);
});
afterAll(async () => await bench.close());

/** Returns the present values of the words in the data. */
function words(): Record<string, number | string> {
  const { world, instant } = bench.running.sandbox;
  const universe = world.universe();
  const share = universe.bySymbol('NSE', 'INFY')!;
  const [expiry] = universe.expiries('NSE', 'NIFTY');
  const index = world.lastPrice(universe.bySymbol('NSE', 'NIFTY')!);
  const { ce, pe } = universe.options('NSE', 'NIFTY', expiry!);
  const near = (options: typeof ce) =>
    options.reduce((best, one) =>
      Math.abs(one.strikePrice - index) < Math.abs(best.strikePrice - index) ? one : best,
    );
  const [call, put] = [near(ce), near(pe)];
  const price = world.lastPrice(share);
  return {
    SHARE: share.refId,
    CRUDE: universe.futures('MCX', 'CRUDEOIL')[0]!.refId,
    CALL: call.refId,
    PUT: put.refId,
    LOT: call.lotSize,
    NET: -(world.lastPrice(call) + world.lastPrice(put)),
    PRICE: price,
    ABOVE: price + 40 * share.tickSize,
    BELOW: price - 40 * share.tickSize,
    SOON: new Date(instant + 3_600_000).toISOString(),
    TOMORROW: new Date(instant + 2 * 86_400_000).toISOString(),
  };
}

function filled(value: unknown, meanings: Record<string, number | string>): unknown {
  if (typeof value === 'string') return meanings[value] ?? value;
  if (Array.isArray(value)) return value.map((one) => filled(one, meanings));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, name === 'side' ? one : filled(one, meanings)]),
  );
}

it.each(printed.orders)('an order is taken or refused: $name', async ({ item, refused }) => {
  const reply = await bench.http.post('/sentinel/orders/create', { orders: [filled(item, words())] }, { headers });
  if (refused === undefined) {
    expect([reply.status, reply.data.error]).toEqual([201, undefined]);
    await bench.advance('PT3S');
    const id = reply.data.orders[0].intentOrderId as number;
    const { status, reason } = bench.running.sandbox.world.intents.intent(BigInt(id))!;
    expect([status, reason]).toEqual([expect.stringMatching(/^(OPEN|EXECUTED)$/), '']);
  } else {
    expect([reply.status, reply.data.error]).toEqual([400, expect.stringContaining(refused)]);
  }
});
