/** The options that choose how orders meet the market. */
import { USUAL_TARIFF } from '../../../sandbox/src/accounts/tariff';
import { parseBacktest } from '../../../sandbox/src/backtest/options';
import { modelLines, modelsOf } from '../../../sandbox/src/simulation/models';
import { DEFAULT_OPTIONS } from '../../../sandbox/src/simulation/options';
import { parseOptions } from '../../../sandbox/src/simulation/command-line';
import { Sandbox } from '../../../sandbox/src/simulation/sandbox';

const of = (given: Partial<typeof DEFAULT_OPTIONS>) => modelsOf({ ...DEFAULT_OPTIONS, ...given });

test('the usual law of the sandbox applies without options', () => {
  const { fill, impact, fees } = of({});
  expect([fill.participation, fill.beyond, fees.tariff]).toEqual([Infinity, false, USUAL_TARIFF]);
  expect(impact.curvesOf({ volume: 1_000, lot: 1, volatility: 0.01, everywhere: null })[0]!.curve.shape).toBe('root');
});

test('each is named in words, with its numbers', () => {
  const lines = (given: Partial<typeof DEFAULT_OPTIONS>): string => modelLines({ ...DEFAULT_OPTIONS, ...given });
  expect(lines({})).toMatch(/order book[\s\S]*square root[\s\S]*retail: orders take[\s\S]*dated tables/);
  expect(lines({ fill: 'touch:10' })).toMatch(/^Fill: touch: .* at most 10 %/);
  expect(lines({ impact: 'fixed:12.5' })).toMatch(/12\.5 hundredths/);
  expect(lines({ impact: 'volume-share:5:0.2' })).toMatch(/0\.2 times the square .* at most 5 %/);
  expect(lines({ impact: 'none', fees: 'none' })).toMatch(/Impact: none[\s\S]*Charges: none/);
  expect(lines({ fees: 'fixed:20' })).toContain('₹20 for each order');
  expect(lines({ fees: 'percent:0.03' })).toContain('0.03 % of the traded value');
});

test('fees are an amount an order, a part of the value, or nothing; and no tax is beside them', () => {
  const { brokerage, depository, interest, statutory } = of({ fees: 'fixed:12.5' }).fees.tariff;
  expect([brokerage.futures, depository, interest, statutory]).toEqual([{ perOrder: 1_250 }, 0, 0, false]);
  expect(of({ fees: 'percent:0.03' }).fees.tariff.brokerage.delivery).toEqual({
    perCrore: 3_000,
    cap: Number.MAX_SAFE_INTEGER,
  });
  expect(of({ fees: 'none' }).fees.tariff.brokerage.options).toEqual({ perOrder: 0 });
});

test.each([
  [{ fill: 'queues' }, /--fill must be queue, touch or through, each also as queue:10, not "queues"/],
  [{ fill: 'toString' }, /--fill must be/],
  [{ fill: 'queue:0' }, /--fill queue:0: a number must be above 0 and at most 100/],
  [{ fill: 'queue:101' }, /at most 100/],
  [{ fill: 'queue:1:2' }, /--fill queue:1:2: after a model come at most 1 numbers/],
  [{ fill: 'queue:-1' }, /each after a colon/],
  [{ impact: 'square-root:1' }, /--impact must be/],
  [{ impact: 'volume-share:2.5' }, /--impact must be/],
  [{ impact: 'fixed:1001' }, /at most 1000/],
  [{ impact: 'linear' }, /--impact must be square-root, volume-share/],
  [{ fees: 'fixed' }, /--fees must be dated, fixed:20/],
  [{ fees: 'fixed:0.001' }, /at most 2 decimals/],
  [{ fees: 'percent:11' }, /at most 10/],
  [{ fees: 'none', tariff: 'tariff.json' }, /--tariff goes with --fees dated/],
] as [Partial<typeof DEFAULT_OPTIONS>, RegExp][])('%o is refused', (given, says) => {
  expect(() => of(given)).toThrow(says);
});

test('both commands take the options, and the sandbox tells them', () => {
  const given = ['--fill', 'touch:5', '--impact', 'fixed:10', '--fees', 'none'];
  const chosen = { fill: 'touch:5', impact: 'fixed:10', fees: 'none' };
  const backtest = parseBacktest([...given, '--replay', 'x', '--days', '2020-03-02', '--workflow', 'y']);
  expect(backtest).toMatchObject(chosen);
  const options = parseOptions([...given, '--port', '0', '--clock', 'manual']);
  if (typeof options === 'string') throw new Error(options);
  expect(options).toMatchObject(chosen);
  const sandbox = new Sandbox(options);
  expect(sandbox.modelWords).toMatchObject({
    fill: expect.stringContaining('touch'),
    impact: expect.stringContaining('10 hundredths'),
    charges: expect.stringContaining('none'),
  });
});
