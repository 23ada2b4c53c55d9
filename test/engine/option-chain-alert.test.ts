/** Alerts on a whole option chain in n8n's engine: the sandbox's chain, checked against sums over what the service's own chain tells. */
import { TriggerBench, is, json } from '../support/trigger-bench';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/hurried-clock'));

interface Leg {
  sp: number;
  ltp: number;
  iv: number;
  oi: number;
  prev_oi: number;
  delta: number;
}
interface Chain {
  asset: string;
  expiry: string;
  ce: Leg[];
  pe: Leg[];
  atm: number;
  cp: number;
}

/** No test may cross midnight: a day would end in it. */
const NOON = '2026-11-25T12:00:00+05:30';

let bench: TriggerBench;

beforeAll(async () => {
  bench = await TriggerBench.start({ hours: 'always', start: NOON });
});
afterAll(async () => await bench.close());
afterEach(async () => await bench.endTest());

const start = async (parameters: Record<string, unknown>) =>
  await bench.activate(
    { watch: 'optionChain', underlying: 'NIFTY', exchange: 'NSE', expiry: 'next', ...parameters },
    { typeVersion: 1.2 },
  );
const alerted = is('optionChainAlert');

/** Computes the figures by their definitions, over the chain that the service tells. */
function figuresBySums({ ce, pe, atm }: Chain) {
  const sum = (legs: Leg[]) => legs.reduce((all, { oi }) => all + oi, 0);
  const strikes = [...new Set([...ce, ...pe].map(({ sp }) => sp))].sort((a, b) => a - b);
  const pain = (at: number) =>
    ce.reduce((all, { sp, oi }) => all + oi * Math.max(0, at - sp), 0) +
    pe.reduce((all, { sp, oi }) => all + oi * Math.max(0, sp - at), 0);
  const [call, put] = [ce.find(({ sp }) => sp === atm)!, pe.find(({ sp }) => sp === atm)!];
  const most = (legs: Leg[]) => [...legs].sort((a, b) => b.oi - a.oi)[0]!;
  return {
    put_call_ratio: Math.round((sum(pe) / sum(ce)) * 10_000) / 10_000,
    max_pain: [...strikes].sort((a, b) => pain(a) - pain(b))[0]! / 100,
    straddle_price: (call.ltp + put.ltp) / 100,
    iv_at_the_money: Math.round(((call.iv + put.iv) / 2) * 10_000) / 100,
    most_calls: {
      strike_price: most(ce).sp / 100,
      open_interest: most(ce).oi,
      open_interest_change: most(ce).oi - most(ce).prev_oi,
    },
  };
}

it('alerts when the straddle moves, with figures that are those of sums over the chain', async () => {
  const trigger = await start({ chainFigure: 'straddlePrice', chainCondition: 'moves', chainPercent: 0.01 });
  const item = json(await trigger.waitFor(alerted));
  const compact = String(item.expiry).replaceAll('-', '');
  const { chain } = await bench.ask<{ chain: Chain }>('GET', `/optionchains/NIFTY?exchange=NSE&expiry=${compact}`);
  expect(item).toMatchObject({
    ...{ event: 'optionChainAlert', figure: 'straddlePrice', condition: 'moves', alert_number: 1, asset: 'NIFTY' },
    moved_from: expect.any(Number),
    environment: 'sandbox',
    summary: expect.stringMatching(
      /^Straddle Price of NIFTY, expiry \d{4}-\d\d-\d\d, is at ₹[\d,.]+ \(from ₹[\d,.]+\)\.$/,
    ),
  });
  expect(item.value).toBe(item.straddle_price);
  expect(item.value).not.toBe(item.moved_from);
  const expected = figuresBySums(chain);
  // The chain is asked for a moment after the frame: prices have moved a little, open interest hardly.
  const near = (value: unknown, expectedValue: number, share: number) =>
    expect(Math.abs(Number(value) / expectedValue - 1)).toBeLessThan(share);
  near(item.put_call_ratio, expected.put_call_ratio, 0.01);
  near(item.max_pain, expected.max_pain, 0.005);
  near((item.most_calls as { open_interest: number }).open_interest, expected.most_calls.open_interest, 0.05);
  near(item.iv_at_the_money, expected.iv_at_the_money, 0.1);
  near(item.value, expected.straddle_price, 0.1);
});

it('alerts each time, once a day or once, as set', async () => {
  const asked = { chainFigure: 'straddlePrice', chainCondition: 'moves', chainPercent: 0.01 };
  const always = await start({ ...asked, chainRepeat: 'always' });
  const daily = await start({ ...asked, chainRepeat: 'onceADay' });
  await daily.waitFor(alerted);
  await always.waitFor((item) => alerted(item) && Number(json(item).alert_number) > 3);
  expect(daily.emitted.filter(alerted)).toHaveLength(1);
});

it('begins with a condition that already holds without an alert', async () => {
  const asked = { chainFigure: 'straddlePrice', chainRepeat: 'always' };
  const first = await start({ ...asked, chainCondition: 'crossesAbove', chainLevel: 1 });
  const moves = await start({ ...asked, chainCondition: 'moves', chainPercent: 0.01 });
  await moves.waitFor(alerted);
  expect(first.emitted).toEqual([]);
});

it.each([
  [{ chainCondition: 'entersBand', chainLow: 2, chainHigh: 1 }, 'Lower Value must be below Higher Value.'],
  [{ chainFigure: 'skew', chainCondition: 'moves' }, 'This figure can be 0 or negative'],
  [{ chainCondition: 'changes' }, 'Changes is for strikes and max pain'],
  [{ chainCondition: 'crossesAbove', chainLevel: 0.123456 }, 'has more than 4 decimals'],
  [{ chainCondition: 'moves', chainPercent: 0 }, 'Percent of the Figure must be above 0'],
  [{ chainFigure: 'callInterestChange', chainCondition: 'crossesAbove', chainLevel: 1.5 }, 'must be a whole number'],
  [{ exchange: 'MCX', underlying: 'CRUDEOIL', chainFigure: 'ivRank' }, 'IV Rank needs the closes'],
  [
    { chainCondition: 'leavesBand', chainLow: 1, chainHigh: 2, options: { chainRearm: 1 } },
    'Re-Arm Distance is so large that the figure could never be back in the band.',
  ],
])('refuses %j', async (parameters, message) => {
  await expect(start(parameters)).rejects.toMatchObject({ message: expect.stringContaining(message) });
});

it('leaves nothing behind', async () => {
  const trigger = await start({});
  await trigger.close();
  await bench.noStreamsLeft();
});
