/** A session with the sandbox as the live service, and the present values of words in the kept data. */
import { DEVICE, FIRST, now, pin, totpAt, type Bench } from '../sandbox/support';

/** Logs in as public clients do, with the code as a number. @returns the headers of the session */
export async function liveSession({ http }: Bench): Promise<Record<string, string>> {
  const totp = Number(totpAt(FIRST.secret, await now(http)));
  const { data } = await http.post('/totp/login', { phone: FIRST.phone, totp }, { headers: { 'x-device-id': DEVICE } });
  return await pin(http, String(data.auth_token), FIRST.mpin);
}

/** Returns the present values of the words in the data. */
function words({ running }: Bench): Record<string, number | string> {
  const { world, instant } = running.sandbox;
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
  const time = (fromNow: number): string => new Date(instant + fromNow).toISOString();
  return {
    SHARE: share.refId,
    CRUDE: universe.futures('MCX', 'CRUDEOIL')[0]!.refId,
    CALL: call.refId,
    PUT: put.refId,
    LOT: call.lotSize,
    STRIKE: call.strikePrice,
    EXPIRY: String(expiry),
    NET: -(world.lastPrice(call) + world.lastPrice(put)),
    PRICE: price,
    ABOVE: price + 40 * share.tickSize,
    BELOW: price - 40 * share.tickSize,
    NOW: time(0),
    MINUTES_AGO: time(-10 * 60_000),
    NINE_DAYS_AGO: time(-9 * 86_400_000),
    SOON: time(3_600_000),
    TOMORROW: time(2 * 86_400_000),
  };
}

/** Returns the data with present values for its words; of a path, in its query. */
export function present(bench: Bench, value: unknown): unknown {
  return filled(value, words(bench));
}

function filled(value: unknown, meanings: Record<string, number | string>): unknown {
  if (typeof value === 'string' && value.startsWith('/'))
    return value.replace(/[A-Z_]{5,}$/, (word) => String(meanings[word] ?? word));
  if (typeof value === 'string') return meanings[value] ?? value;
  if (Array.isArray(value)) return value.map((one) => filled(one, meanings));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, name === 'side' ? one : filled(one, meanings)]),
  );
}
