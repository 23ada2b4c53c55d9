/** The trigger on market data in n8n's engine, against the sandbox's stream over a real socket. */
import { TriggerBench, is, json } from '../support/trigger-bench';
import type { Emitted } from '../support/engine-types';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

/** No test may cross midnight: a day would end in it. */
const NOON = '2026-11-25T12:00:00+05:30';

let bench: TriggerBench;

beforeAll(async () => (bench = await TriggerBench.start({ hours: 'always', start: NOON })));
afterAll(async () => await bench.close());
afterEach(async () => await bench.endTest());

const instrument = (value: string) => ({ __rl: true, mode: 'symbol', value });
const start = async (parameters: Record<string, unknown>, options = {}) =>
  await bench.activate(
    { watch: 'market', instrument: instrument('NSE:INFY'), ...parameters },
    { typeVersion: 1.1, ...options },
  );
const atLeast =
  (event: string, count: number) =>
  (emitted: Emitted): boolean =>
    is(event)(emitted) && ++seen[event]! >= count;
const seen: Record<string, number> = {};

async function refIdOf(symbol: string): Promise<number> {
  const { items } = await bench.engine.run({
    resource: 'instrument',
    operation: 'get',
    instrument: instrument(symbol),
  });
  return Number(items[0]?.json.ref_id);
}

it('gives prices in rupees, of several instruments, none twice within the gap', async () => {
  seen.tick = 0;
  const trigger = await start({ marketEvery: 1, options: { moreInstruments: 'NIFTY' } });
  await trigger.waitFor(atLeast('tick', 5));
  const infy = trigger.emitted.map(json).filter(({ symbol }) => symbol === 'INFY');
  const { price } = await bench.ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE');
  expect(infy[0]).toMatchObject({ event: 'tick', exchange: 'NSE', environment: 'sandbox', price_source: 'stream' });
  expect(Math.abs(Number(infy[0]?.price) - price / 100)).toBeLessThan(price / 1_000);
  expect(infy[0]?.price_time_ist).toMatch(/\+05:30$/);
  expect(new Set(trigger.emitted.map((emitted) => json(emitted).symbol))).toEqual(new Set(['INFY', 'NIFTY']));
  // On a busy machine a price arrives late: the next may then be of less than a second later, and starts its run a second later.
  const runs = trigger.emitted.filter((emitted) => json(emitted).symbol === 'INFY');
  const times = runs.map((run) => [Date.parse(String(json(run).event_time_ist)), run.emittedAt] as const);
  times.slice(1).forEach(([time, start], index) => {
    const [timeBefore, startBefore] = times[index]!;
    expect(Math.max(time - timeBefore, start - startBefore)).toBeGreaterThanOrEqual(990);
  });
});

it('gives only what passes its filters', async () => {
  const { price } = await bench.ask<{ price: number }>('GET', '/optionchains/INFY/price?exchange=NSE');
  const filters = { minPrice: Math.round(price * 1.03) / 100 };
  const trigger = await start({ marketEvery: 0.1, filters });
  await bench.control('POST', '/market', {
    ref_id: await refIdOf('NSE:INFY'),
    price: Math.round((price * 1.05) / 10) * 10,
  });
  const first = json(await trigger.waitFor(is('tick')));
  expect(first.price).toBeGreaterThanOrEqual(filters.minPrice);
  expect(trigger.emitted.every((emitted) => Number(json(emitted).price) >= filters.minPrice)).toBe(true);
});

it('gives closed candles that are those of the history, each once, also after a restart', async () => {
  seen.candle = 0;
  const parameters = { marketData: 'candle', interval: '1m' };
  const trigger = await start(parameters);
  await bench.control('POST', '/clock', { advance: 'PT2M' });
  await trigger.waitFor(atLeast('candle', 1));
  const staticData = JSON.parse(JSON.stringify(trigger.staticData));
  await trigger.close();
  await bench.control('POST', '/clock', { advance: 'PT3M' });
  const again = await start(parameters, { activation: 'init', staticData });
  seen.candle = 0;
  await again.waitFor(atLeast('candle', 3));
  const all = [...trigger.emitted, ...again.emitted].map(json);
  const times = all.map(({ time }) => String(time));
  expect(new Set(times).size).toBe(times.length);
  const { items } = await bench.engine.run({
    ...{ resource: 'candle', operation: 'get', instrument: instrument('NSE:INFY'), interval: '1m', range: 'custom' },
    ...{ from: times[0], to: new Date(Date.parse(times.at(-1)!) + 3_600_000).toISOString() },
    fields: ['open', 'high', 'low', 'close', 'cumulative_volume'],
  });
  const columns = (row: Record<string, unknown>) =>
    ['time', 'open', 'high', 'low', 'close', 'volume'].map((column) => row[column]);
  const history = new Map(items.map(({ json: row }) => [String(row.time), row]));
  expect(all.map(columns)).toEqual(times.map((time) => columns(history.get(time) ?? {})));
});

it('gives market depth as deep as wanted', async () => {
  const trigger = await start({ marketData: 'depth', levels: 3, marketEvery: 1 });
  const depth = json(await trigger.waitFor(is('depth')));
  expect(depth).toMatchObject({ symbol: 'INFY', bids: expect.any(Array), asks: expect.any(Array) });
  expect((depth.bids as unknown[]).length).toBeLessThanOrEqual(3);
  expect(Number(depth.best_bid)).toBeLessThan(Number(depth.best_ask));
});

it('gives the Greeks of an option, and a whole chain with the options that pass', async () => {
  const filters = { minDelta: 0.3, maxDelta: 0.7 };
  // On the evening of an expiry day nothing is traded of the nearest one any more.
  const requested = { marketData: 'chain', underlying: 'NIFTY', exchange: 'NSE', expiry: 'next' };
  const chain = await start({ ...requested, marketEvery: 1, filters });
  const item = json(await chain.waitFor(is('optionChain')));
  const calls = item.calls as Record<string, number>[];
  expect(item).toMatchObject({
    asset: 'NIFTY',
    exchange: 'NSE',
    expiry: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    puts: [],
  });
  expect(calls.length).toBeGreaterThan(1);
  expect(calls.every(({ delta }) => delta! >= 0.3 && delta! <= 0.7)).toBe(true);
  const middle = calls[Math.floor(calls.length / 2)];
  const greeks = await start({
    ...{ marketData: 'greeks', marketEvery: 1 },
    instrument: { __rl: true, mode: 'id', value: String(middle?.ref_id) },
  });
  const option = json(await greeks.waitFor(is('greeks')));
  expect(option).toMatchObject({ ref_id: middle?.ref_id, strike_price: middle?.strike_price });
  expect(Math.abs(Number(option.delta) - Number(middle?.delta))).toBeLessThan(0.2);
});

it('refuses filters on what the data does not tell, by the name of the field', async () => {
  await expect(start({ filters: { minIv: 10 } })).rejects.toMatchObject({
    message: expect.stringContaining('IV is not in the chosen data'),
    context: { parameter: 'minIv' },
  });
  await expect(start({ filters: { minPrice: 10, maxPrice: 9 } })).rejects.toThrow('must not be above');
});

it('shares one socket among all triggers, and leaves none behind', async () => {
  const triggers = [await start({}), await start({ marketData: 'depth' }), await start({ watch: 'price', level: 1 })];
  expect(await bench.streamsOpen()).toBe(1);
  for (const trigger of triggers) await trigger.close();
  await bench.noStreamsLeft();
});

it('Get Live Snapshot takes its prices from the stream that a trigger keeps open, and otherwise from REST', async () => {
  const snapshot = async () => {
    const { items, error } = await bench.engine.run({
      ...{ resource: 'quote', operation: 'getLiveSnapshot', instrument: instrument('NSE:INFY') },
      options: { moreInstruments: 'NIFTY, TCS, NSE:INFY' },
    });
    expect(error).toBeUndefined();
    return items.map((item) => item.json);
  };
  const symbols = ['INFY', 'NIFTY', 'TCS', 'INFY'];
  // The stream brings all of them already: of others the first price has to come within a moment of a clock that runs fast.
  const trigger = await start({ marketEvery: 1, options: { moreInstruments: 'NIFTY, TCS' } });
  const seenSymbols = new Set<unknown>();
  await trigger.waitFor((emitted) => is('tick')(emitted) && seenSymbols.add(json(emitted).symbol).size === 3);
  const streamed = await snapshot();
  expect(streamed.map(({ symbol }) => symbol)).toEqual(symbols);
  for (const iDataObject of streamed)
    expect(iDataObject).toMatchObject({ price_source: 'stream', day_high: expect.any(Number), environment: 'sandbox' });
  await trigger.close();
  const requested = await snapshot();
  expect(requested.map(({ symbol }) => symbol)).toEqual(symbols);
  requested.forEach((iDataObject, at) => {
    expect(iDataObject).toMatchObject({ price_source: 'rest', day_high: null });
    expect(Object.keys(iDataObject)).toEqual(Object.keys(streamed[at] ?? {}));
    expect(iDataObject.prev_close).toBe(streamed[at]?.prev_close);
  });
});
