/** Price alerts in n8n's engine, against the sandbox. */
import { TriggerBench, is, json } from '../support/trigger-bench';
import type { Emitted } from '../support/engine-types';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

/** No test may cross midnight: a day would end in it. */
const NOON = '2026-11-25T12:00:00+05:30';

let bench: TriggerBench;

beforeAll(async () => (bench = await TriggerBench.start({ hours: 'always', start: NOON })));
afterAll(async () => await bench.close());
afterEach(async () => await bench.endTest());

const NEWEST = { typeVersion: 1.2 };
const instrument = (value: string) => ({ __rl: true, mode: 'symbol', value });

/** Last price in paise, and the ref_id. */
async function priceOf(symbol: string): Promise<{ price: number; prev_close: number }> {
  return await bench.ask('GET', `/optionchains/${symbol}/price?exchange=NSE`);
}

async function refIdOf(symbol: string): Promise<number> {
  const { items } = await bench.engine.run({
    resource: 'instrument',
    operation: 'get',
    instrument: instrument(`NSE:${symbol}`),
  });
  return Number(items[0]?.json.ref_id);
}

async function move(symbol: string, price: number): Promise<void> {
  await bench.control('POST', '/market', { ref_id: await refIdOf(symbol), price: Math.round(price / 10) * 10 });
}

const isOf =
  (symbol: string) =>
  (emitted: Emitted): boolean =>
    is('priceAlert')(emitted) && json(emitted).symbol === symbol;

it('gives a workflow of version 1 what it always gave', async () => {
  const { price } = await priceOf('INFY');
  const level = Math.round(price * 1.02) / 100;
  const parameters = {
    watch: 'price',
    instrument: instrument('NSE:INFY'),
    condition: 'crossesAbove',
    level,
    once: true,
  };
  const trigger = await bench.activate(parameters);
  await move('INFY', price * 1.05);
  const alert = json(await trigger.waitFor(is('priceAlert')));
  expect(alert).toEqual({
    event: 'priceAlert',
    condition: 'crossesAbove',
    symbol: 'INFY',
    exchange: 'NSE',
    price: expect.any(Number),
    level,
    alert_number: 1,
    event_time_ist: expect.stringMatching(/\+05:30$/),
    ref_id: await refIdOf('INFY'),
    environment: 'sandbox',
  });
  expect(alert.price).toBeGreaterThanOrEqual(level);
});

it('watches many instruments at once, an index among them, each with its own alerts', async () => {
  const tcs = await priceOf('TCS');
  const trigger = await bench.activate(
    {
      watch: 'price',
      instrument: instrument('NSE:TCS'),
      condition: 'moves',
      percent: 2,
      direction: 'up',
      measuredFrom: 'price',
      fromPrice: tcs.price / 100,
      options: { moreInstruments: 'NIFTY, TCS26DECFUT, TCS' },
    },
    NEWEST,
  );
  await move('TCS', tcs.price * 1.03);
  const alert = json(await trigger.waitFor(isOf('TCS')));
  expect(alert).toMatchObject({
    condition: 'moves',
    summary: expect.stringMatching(/^TCS is at ₹[\d,]+\.\d\d \(\+3\.\d\d% from ₹[\d,]+\.\d\d\)\.$/),
    measured_from: 'price',
    moved_from: tcs.price / 100,
    alert_number: 1,
    recovered: false,
    price_source: expect.stringMatching(/^(stream|rest)$/),
    price_time_ist: expect.stringMatching(/\+05:30$/),
  });
  expect(alert.change_percent).toBeGreaterThanOrEqual(2);
  await move('TCS26DECFUT', tcs.price * 1.04);
  const { summary } = json(await trigger.waitFor(isOf('TCS26DECFUT')));
  expect(summary).toMatch(/^TCS Dec( 2026)? future is at ₹/);
  expect(Object.keys(trigger.staticData.alerts as object)).toHaveLength(3);
});

it.each([
  ['previousClose', 'HDFCBANK'],
  ['open', 'RELIANCE'],
] as const)('measures a move from the %s', async (measuredFrom, symbol) => {
  const before = await priceOf(symbol);
  const candles = await bench.engine.run({
    ...{ resource: 'candle', operation: 'get', instrument: instrument(`NSE:${symbol}`) },
    ...{ interval: '1m', range: 'today', fields: ['open'] },
  });
  const base = measuredFrom === 'open' ? Number(candles.items[0]?.json.open) : before.prev_close / 100;
  const trigger = await bench.activate(
    {
      ...{ watch: 'price', instrument: instrument(`NSE:${symbol}`), condition: 'moves', percent: 9 },
      ...{ direction: 'up', measuredFrom, repeat: 'onceADay' },
    },
    NEWEST,
  );
  await move(symbol, base * 110);
  const alert = json(await trigger.waitFor(isOf(symbol)));
  expect(alert).toMatchObject({ measured_from: measuredFrom, moved_from: base });
  expect(alert.change_percent).toBeGreaterThanOrEqual(9);
  expect(alert.change_percent).toBeLessThan(12);
});

it('refuses an instrument of the list that there is not, by the name of its field', async () => {
  const parameters = {
    watch: 'price',
    instrument: instrument('NSE:TCS'),
    level: 10,
    options: { moreInstruments: ['TCS', 'NOSUCH'] },
  };
  await expect(bench.activate(parameters, NEWEST)).rejects.toMatchObject({
    message: expect.stringContaining('NOSUCH'),
    context: { parameter: 'moreInstruments' },
  });
});

it('alerts when the price has fallen from its highest since publication, and from that since the entry', async () => {
  const { price } = await priceOf('SBIN');
  const falls = { watch: 'price', instrument: instrument('NSE:SBIN'), condition: 'fallsBy', distance: 2 };
  const trigger = await bench.activate(falls, NEWEST);
  await move('SBIN', price * 1.03);
  while ((await priceOf('SBIN')).price < price * 1.02) await bench.passSeconds();
  await move('SBIN', price);
  const alert = json(await trigger.waitFor(isOf('SBIN')));
  expect(alert).toMatchObject({ condition: 'fallsBy', measured_from: 'highest', alert_number: 1 });
  expect(alert.moved_from).toBeGreaterThan((price * 1.015) / 100);
  expect(alert.price).toBeLessThanOrEqual(alert.level as number);
  expect(alert.change_percent).toBeLessThanOrEqual(-2);
});

it('refuses a time that is yet to come, and names what it waits for', async () => {
  const parameters = {
    watch: 'price',
    instrument: instrument('NSE:SBIN'),
    condition: 'risesBy',
    distance: 2,
    since: 'time',
    sinceTime: '2030-01-01',
  };
  await expect(bench.activate(parameters, NEWEST)).rejects.toMatchObject({
    message: expect.stringContaining('is in the future'),
  });
});

it('measures from the entry of what is held, from the beginning of the day, and from a time', async () => {
  await bench.buy(5);
  await bench.filled(5);
  const { price } = await priceOf('INFY');
  const rises = { watch: 'price', instrument: instrument('NSE:INFY'), condition: 'fallsBy', distance: 3 };
  const entry = await bench.activate({ ...rises, since: 'entry' }, NEWEST);
  const day = await bench.activate({ ...rises, since: 'day' }, NEWEST);
  const time = await bench.activate({ ...rises, since: 'time', sinceTime: '2026-01-01' }, NEWEST);
  await bench.passSeconds();
  await move('INFY', price * 0.95);
  const alert = json(await entry.waitFor(isOf('INFY')));
  expect(alert.moved_from).toBeGreaterThanOrEqual((price * 0.99) / 100);
  expect(alert.price).toBeLessThanOrEqual(alert.level as number);
  expect(json(await day.waitFor(isOf('INFY')))).toMatchObject({ measured_from: 'highest', alert_number: 1 });
  // Long past the distance from the highest of a year: no alert.
  expect(time.emitted.filter(isOf('INFY'))).toEqual([]);
});

it('a level that was reached while nothing answered is told afterwards, with the time at which it was reached', async () => {
  const { price } = await priceOf('INFY');
  const refId = await bench.infyRefId();
  const level = Math.round(price * 1.02) / 100;
  const now = async (): Promise<string> => (await bench.control<{ now: string }>('GET', '/clock')).now;
  const advance = async (by: string): Promise<void> => void (await bench.control('POST', '/clock', { advance: by }));
  const trigger = await bench.activate(
    { watch: 'price', instrument: instrument('NSE:INFY'), condition: 'crossesAbove', level, once: true },
    NEWEST,
  );
  await advance('PT5S');
  await bench.control('POST', '/faults', { match: { path: '*' }, action: 'drop_before' });
  await bench.control('POST', '/faults', { match: { stream: true }, action: 'disconnect', times: 1 });
  await advance('PT20S');
  const before = await now();
  const to = async (paise: number): Promise<unknown> =>
    await bench.control('POST', '/market', { ref_id: refId, price: Math.round(paise / 10) * 10 });
  await to(price * 1.05);
  await advance('PT30S');
  await to(price);
  const after = await now();
  await advance('PT90S');
  await bench.control('DELETE', '/faults');
  const alert = json(await trigger.waitFor(isOf('INFY')));
  expect(alert).toMatchObject({ recovered: true, price_source: 'history', alert_number: 1 });
  const [reached, reportedAt] = [String(alert.price_time_ist), String(alert.event_time_ist)].map(Date.parse) as [
    number,
    number,
  ];
  expect(reached).toBeGreaterThanOrEqual(Date.parse(before) - 1_000);
  expect(reached).toBeLessThanOrEqual(Date.parse(after));
  expect(reportedAt).toBeGreaterThanOrEqual(Date.parse(after) + 90_000);
});

it('takes the level from the candles before today, and says which it is', async () => {
  const { items } = await bench.engine.run({
    ...{ resource: 'candle', operation: 'get', instrument: instrument('NSE:ITC') },
    ...{ interval: '1d', range: 'last7Days', fields: ['high'] },
  });
  const before = items.filter(({ json: { time } }) => String(time) < NOON.slice(0, 10));
  const high = Number(before.at(-1)?.json.high);
  await move('ITC', high * 99);
  const parameters = { watch: 'price', instrument: instrument('NSE:ITC'), condition: 'crossesAbove' };
  const trigger = await bench.activate({ ...parameters, levelFrom: 'previousHigh' }, NEWEST);
  await move('ITC', high * 101);
  const alert = json(await trigger.waitFor(isOf('ITC')));
  expect(alert).toMatchObject({
    condition: 'crossesAbove',
    level: high,
    level_from: 'previousHigh',
    level_from_label: "Previous Day's High",
    summary: expect.stringMatching(
      /^ITC is at ₹[\d,]+\.\d\d \(Rises to Level ₹[\d,]+\.\d\d, Previous Day's High\)\.$/,
    ) as string,
  });
  expect(alert).not.toHaveProperty('moved_from');
  expect(Number(alert.price)).toBeGreaterThan(high);
});
