/**
 * Arguments that the command backtest takes and refuses, before anything is started; and its page. The run itself is in
 * e2e.
 */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backtest } from '../../../sandbox/src/backtest/backtest';
import type { ReportBasis } from '../../../sandbox/src/backtest/basis';
import { luckOf } from '../../../sandbox/src/backtest/luck';
import { findN8n, findNodes, N8n, withoutAnotherN8n } from '../../../sandbox/src/backtest/n8n';
import { parseBacktest } from '../../../sandbox/src/backtest/options';
import type { BacktestReport } from '../../../sandbox/src/backtest/report';
import { reportPage } from '../../../sandbox/src/backtest/report-page';
import type { RunError } from '../../../sandbox/src/backtest/runs';
import { readWorkflow, withCredential } from '../../../sandbox/src/backtest/workflow';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'backtest-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: unknown): string => {
  const at = path.join(folder, name);
  writeFileSync(at, typeof content === 'string' ? content : JSON.stringify(content));
  return at;
};
const node = (type: string, more: object = {}) => ({ name: `A ${type}`, type, parameters: {}, ...more });
const TRIGGER = node('n8n-nodes-brokerage.brokerageTrigger');
const workflow = (...nodes: object[]) => ({ name: 'Mine', nodes, connections: {} });
const ARGS = ['--replay', 'march', '--days', '2020-03-02..2020-03-31', '--workflow', 'w.json'];

describe('options', () => {
  test('hold the days, and what is left out', () => {
    expect(parseBacktest(ARGS)).toEqual({
      replay: 'march',
      from: '2020-03-02',
      to: '2020-03-31',
      workflow: 'w.json',
      n8n: undefined,
      nodes: undefined,
      out: 'backtest',
      seed: 1,
      settings: [],
      passed: ARGS,
      fill: 'queue',
      impact: 'square-root',
      fees: 'dated',
    });
    expect(parseBacktest([...ARGS.slice(0, 3), '2020-03-13', ...ARGS.slice(4)])).toMatchObject({
      from: '2020-03-13',
      to: '2020-03-13',
    });
    expect(parseBacktest(['--help'])).toBe('help');
  });

  test.each([
    [['--days', 'march'], '--days must be two days'],
    [['--days', '2020-02-30..2020-03-01x'], '--days must be two days'],
    [['--days', '2020-03-31..2020-03-02'], 'swap them'],
    [['--days', '2020-03-02..2020-03-03..2020-03-04'], '--days must be two days'],
    [['--seed', '-1'], '--seed'],
    [['--seed', '4294967296'], '--seed must be'],
    [['--replay', ' '], '--replay is missing'],
    [['--speed', '2'], 'See backtest --help'],
  ])('refuse %j', (more, words) => {
    expect(() => parseBacktest([...ARGS, ...more])).toThrow(words);
  });

  test('name each that is missing', () => {
    for (const [index, option] of ['--replay', '--days', '--workflow'].entries())
      expect(() => parseBacktest(ARGS.filter((_, at) => Math.floor(at / 2) !== index))).toThrow(`${option} is missing`);
  });
});

describe('the workflow', () => {
  test("is refused in words that name At Market Time where it starts from n8n's own Schedule Trigger", () => {
    const schedule = node('n8n-nodes-base.scheduleTrigger', { name: 'Weekdays at 09:20' });
    const both = file('schedule.json', workflow(schedule, TRIGGER));
    expect(() => readWorkflow(both)).toThrow(/"Weekdays at 09:20".*this machine.*"At Market Time"/);
    const off = file('off.json', workflow({ ...schedule, disabled: true }, TRIGGER));
    expect(readWorkflow(off).name).toBe('Mine');
  });

  test('is refused where nothing would start it, or the files hold none', () => {
    expect(() => readWorkflow(file('none.json', workflow(node('n8n-nodes-base.manualTrigger'))))).toThrow(
      'no Brokerage Trigger',
    );
    expect(() => readWorkflow(file('text.json', 'no'))).toThrow('is no JSON');
    for (const other of ['null', '{}', '{"nodes":[]}', '[]'])
      expect(() => readWorkflow(file('other.json', other))).toThrow('is no workflow of n8n');
    expect(() => readWorkflow(path.join(folder, 'missing.json'))).toThrow('cannot be read');
  });

  test('has instruments that were picked from a list by their symbol: a ref_id is that of one environment', () => {
    const picked = (value: unknown) => ({ __rl: true, mode: 'list', value });
    const parameters = {
      instrument: picked('live/NSE/1239959629/M&M'),
      legs: { leg: [{ instrument: picked('sandbox/MCX/7/GOLD26DECFUT') }] },
      others: [picked('own list'), picked(7), { mode: 'list' }, null],
    };
    const order = node('n8n-nodes-brokerage.brokerage', { parameters });
    const table = node('n8n-nodes-base.dataTable', { parameters });
    const { nodes } = readWorkflow(file('picked.json', workflow(TRIGGER, order, table)));
    expect(nodes[1]?.parameters).toEqual({
      instrument: { __rl: true, mode: 'symbol', value: 'NSE:M&M' },
      legs: { leg: [{ instrument: { __rl: true, mode: 'symbol', value: 'MCX:GOLD26DECFUT' } }] },
      others: parameters.others,
    });
    expect(nodes[2]?.parameters).toEqual(parameters);
  });

  test('gets the credential in every node of ours, and no other', () => {
    const { nodes } = withCredential(readWorkflow(file('w.json', workflow(TRIGGER, node('n8n-nodes-base.set')))), {
      id: '7',
      name: 'Brokerage Sandbox',
    });
    expect(nodes.map(({ credentials }) => credentials)).toEqual([
      { brokerageApi: { id: '7', name: 'Brokerage Sandbox' } },
      undefined,
    ]);
  });
});

test('n8n and the nodes are found where they are said to be, or the error says what to do', () => {
  mkdirSync(path.join(folder, 'node_modules', 'n8n', 'bin'), { recursive: true });
  const command = file(path.join('node_modules', 'n8n', 'bin', 'n8n'), '');
  expect(path.basename(path.dirname(path.dirname(findN8n(folder))))).toBe('n8n');
  expect(command).toContain('n8n');
  expect(() => findN8n(path.join(folder, 'nowhere'))).toThrow('--n8n');
  expect(() => findNodes(folder)).toThrow('does not hold the package');
});

test("the settings of a user's n8n do not reach the one of the backtest: its database would be theirs", () => {
  expect(
    withoutAnotherN8n({
      PATH: '/bin',
      HTTPS_PROXY: 'x',
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: 'x',
      N8N_ENCRYPTION_KEY: 'x',
      EXECUTIONS_MODE: 'queue',
      QUEUE_BULL_REDIS_HOST: 'x',
      WEBHOOK_URL: 'x',
      CREDENTIALS_OVERWRITE_DATA: 'x',
      N8N_USER_FOLDER: 'x',
    }),
  ).toEqual({ PATH: '/bin', HTTPS_PROXY: 'x' });
});

test('days that were not recorded are refused before anything is started', async () => {
  mkdirSync(path.join(folder, 'node_modules', 'n8n', 'bin'), { recursive: true });
  file(path.join('node_modules', 'n8n', 'bin', 'n8n'), '');
  const nodes = path.join(folder, 'nodes');
  mkdirSync(path.join(nodes, 'dist'), { recursive: true });
  writeFileSync(path.join(nodes, 'package.json'), JSON.stringify({ name: 'n8n-nodes-brokerage' }));
  const replay = path.join(folder, 'replay');
  mkdirSync(replay);
  writeFileSync(
    path.join(replay, 'NIFTY.csv'),
    'time,open,high,low,close,volume\n2020-03-13 09:15,9107.6,9107.6,9056.65,9080,0\n2020-03-13 09:16,9080,9090,9070,9085,0\n',
  );
  const options = {
    replay,
    from: '2020-03-02',
    to: '2020-03-03',
    workflow: file('ok.json', workflow(TRIGGER)),
    n8n: folder,
    nodes,
    out: folder,
    seed: 1,
    settings: [],
    inSample: undefined,
    parallel: undefined,
    passed: [],
    fill: 'queue',
    impact: 'square-root',
    fees: 'dated',
  };
  const serve = jest.fn();
  await expect(backtest(options, serve, () => undefined, new AbortController().signal)).rejects.toThrow(
    /none of these days/,
  );
  expect(serve).not.toHaveBeenCalled();
});

const INDEX = { open: 910_760, high: 1_015_940, low: 855_515, close: 995_520, previous_close: 959_015 };
const BASIS: ReportBasis = {
  instruments: [{ symbol: 'NIFTY <FUT>', exchange: 'NSE', prices: 'worked out', how: 'from NIFTY as recorded' }],
  models: { fill: 'a book', impact: 'a root', latency: 'retail', charges: 'dated' },
  capital: 100_000_000,
  return_percent: -0.12,
  largest_invested: 55_000_000,
  return_on_invested_percent: -0.22,
  largest_blocked: 7_000_000,
  return_on_blocked_percent: -1.76,
  own_impact: 1_234_500,
  holding_index: -23_200_000,
  months: [{ month: '2020-03', result: -123_456, trades: 1, market: -23.2 }],
  bars: [],
};

/** A report with the parts that the page needs. */
const reportWith = (curve: object[], errors: RunError[] = []): BacktestReport =>
  ({
    from: '2020-03-02',
    to: '2020-03-31',
    verdict: 'Few & small',
    result: -1_234_56,
    costs: 100,
    slippage: 5,
    drawdown: null,
    trades: { closed: 1, win_rate: 0, profit_factor: null },
    sharpe: null,
    worst_day: { date: '2020-03-13', result: -123_456, trades: 1, market: 3.81, index: INDEX },
    market: { symbol: 'NIFTY', start: 1_000, end: 768, change: -23.2 },
    days: [
      { date: '2020-03-12', result: 0, trades: 0, market: null, index: null },
      { date: '2020-03-13', result: -123_456, trades: 1, market: -2, index: INDEX },
    ],
    basis: BASIS,
    luck: null,
    partial: null,
    pictures: [],
    round_trips: [],
    curve,
    runs: { total: 1, failed: errors.length, handled: 0, unfinished: 0, errors },
  }) as unknown as BacktestReport;

test('the page shows a loss by a sign too, and takes names as text', () => {
  const report = reportWith([
    { at: '2020-03-13T09:15:00.000+05:30', result: 0, drawdown: 0, market: 1 },
    { at: '2020-03-13T15:29:00.000+05:30', result: -123_456, drawdown: 123_456, market: 2 },
  ]);
  const page = reportPage(report, '<script>x</script>');
  expect(page).toContain('<dd>−23.2 %</dd>');
  expect(page).not.toContain('<script>');
  expect(page).toContain('Few &#38; small');
  expect(page).toContain('▼ −₹1,234.56');
  expect(page).toContain('13 Mar 2020');
  expect(page.match(/<polyline/g)).toHaveLength(2);
  expect(page).toContain('1 run of the workflow, 0 failed.');
});

test('the page says first that a backtest was stopped, and how far it came', () => {
  const page = reportPage({ ...reportWith([]), partial: { until: '2020-03-12 11:20', days_passed: 3, days: 10 } }, 'x');
  expect(page.indexOf('stopped at 2020-03-12 11:20, when 3 of 10 days had passed')).toBeGreaterThan(0);
  expect(page.indexOf('Partial')).toBeLessThan(page.indexOf('Worst day'));
  expect(reportPage(reportWith([]), 'x')).not.toContain('Partial');
});

test('the picture leaves out what is of no day of trading, such as the night before a holiday', () => {
  const point = (at: string) => ({ at, result: 0, drawdown: 0, market: 1 });
  const points = [
    point('2020-03-11T15:29:00.000+05:30'),
    point('2020-03-12T09:15:00.000+05:30'),
    point('2020-03-12T15:29:00.000+05:30'),
    point('2020-03-13T15:29:00.000+05:30'),
    point('2020-03-14T23:59:00.000+05:30'),
  ];
  const page = reportPage(reportWith(points), 'x');
  expect(page.match(/<polyline points="([^"]*)"/)![1]!.split(' ')).toHaveLength(3);
  expect(page).not.toMatch(/>1[14] Mar</);
});

test('the page says capital, returns, months, the index held, and where prices come from; nothing is an arrow at 0', () => {
  const page = reportPage(reportWith([]), 'x');
  for (const said of [
    '<dt>Capital</dt><dd>₹10,00,000.00</dd>',
    '<dt>Return on capital</dt><dd>−0.12 %</dd>',
    '<dt>Largest amount invested</dt><dd>₹5,50,000.00</dd>',
    '<dt>Return on what was blocked</dt><dd>−1.76 %</dd>',
    'Who had put the capital of ₹10,00,000.00 into NIFTY and held it made −₹2,32,000.00 (−23.2 %)',
    '<td>Mar 2020</td><td class="loss">▼ −₹1,234.56</td><td>1</td><td>−23.2 %</td>',
    '<td>8,555.15</td><td>10,159.40</td><td>9,955.20</td>',
    'NIFTY &#60;FUT&#62;</td><td class="text">NSE</td><td class="text">worked out</td>',
    '<dt>Sharpe ratio, annualised</dt>',
    '<td>12 Mar 2020</td><td>₹0.00</td>',
    'width=device-width, initial-scale=1',
    '@page{size:A4',
  ])
    expect(page).toContain(said);
});

describe('a coin in place of the rule', () => {
  const trip = (day: string, minute: string, gross: number, more: object = {}) => ({
    entry_at: `${day}T${minute}:07.000+05:30`,
    exit_at: `${day}T15:00:00.000+05:30`,
    gross,
    costs: 100,
    slippage: 50,
    net: gross - 100,
    ...more,
  });
  const report = (trips: object[]) =>
    ({
      days: [{ date: '2020-03-12' }, { date: '2020-03-13' }],
      round_trips: trips,
    }) as unknown as BacktestReport;

  test('gains or loses what the price moved for one trade, and pays costs and slippage on either side', () => {
    const luck = luckOf(report([trip('2020-03-12', '09:20', 950)]), 1)!;
    expect([luck.low, luck.high]).toEqual([-1_000 - 150, 1_000 - 150]);
    expect(luck.worse_percent).toBeGreaterThan(45);
    expect(luck.worse_percent).toBeLessThan(55);
    expect(luck.band).toEqual([
      { date: '2020-03-12', low: -1_150, high: 850 },
      { date: '2020-03-13', low: -1_150, high: 850 },
    ]);
  });

  test('takes legs that were entered in one minute together: a spread that gained nothing has no luck', () => {
    const luck = luckOf(report([trip('2020-03-12', '09:20', 1_000), trip('2020-03-12', '09:20', -1_100)]), 1)!;
    expect([luck.low, luck.middle, luck.high]).toEqual([-300, -300, -300]);
  });

  test('has nine of ten sums of many trades within the band of a fair coin', () => {
    const trips = Array.from({ length: 100 }, (_, i) =>
      trip(i < 50 ? '2020-03-12' : '2020-03-13', `10:${String(i % 50).padStart(2, '0')}`, 10_000, {
        slippage: 0,
        costs: 0,
      }),
    );
    const luck = luckOf(report(trips), 7)!;
    // 1.645 standard deviations of a sum of 100 steps of 10,000.
    for (const bound of [-luck.low, luck.high]) expect(Math.abs(bound - 164_500)).toBeLessThan(25_000);
    expect(luck.worse_percent).toBe(100);
    expect(luckOf(report(trips), 7)).toEqual(luck);
  });

  test('is told of no report in which nothing was closed', () => {
    expect(luckOf(report([trip('2020-03-12', '09:20', 1, { exit_at: null })]), 1)).toBeUndefined();
  });
});

test('the page says what the worst day cost and what the index did meanwhile, and marks it in the picture', () => {
  const page = reportPage(
    reportWith([
      { at: '2020-03-12T15:29:00.000+05:30', result: 0, drawdown: 0, market: 959_015 },
      { at: '2020-03-13T09:20:00.000+05:30', result: -99, drawdown: 99, market: 862_405 },
      { at: '2020-03-13T15:29:00.000+05:30', result: -123_456, drawdown: 123_456, market: 995_520 },
    ]),
    'x',
  );
  expect(page).toContain(
    'Worst day: 13 Mar 2020, −₹1,234.56, when NIFTY was between 8,555.15 and 10,159.40 and closed at 9,955.20, 3.81 % above the day before.',
  );
  expect(page).toMatch(/<rect x="500" y="0" width="500.0"/);
  expect(page).toContain('>13 Mar: −₹1,234.56</text>');
  const won = { ...reportWith([]), worst_day: { date: '2020-03-13', result: 5, trades: 1, market: null, index: null } };
  expect(reportPage(won, 'x')).not.toContain('Worst day:');
});

test('the page shows the errors of runs as text, and says where the rest are', () => {
  const errors = Array.from({ length: 25 }, (_, i) => {
    return { at: '2020-03-13', node: 'Buy', message: `<b>${i}</b>`, count: 1, handled: i > 0 };
  });
  const page = reportPage(reportWith([], errors), 'x');
  expect(page).toContain('&#60;b&#62;19&#60;/b&#62;');
  expect(page).not.toContain('&#62;20&#60;');
  expect(page).toContain('5 more stand in report.json');
});

test.each([
  ['three days', [100, 100, 100], ['2 Mar', '3 Mar', '4 Mar']],
  ['a day that was halted at once', [100, 1, 100], ['2 Mar', '3 Mar']],
  ['a last day of a moment', [100, 100, 1], ['2 Mar', '3 Mar']],
  ['many days', Array.from({ length: 28 }, () => 10), expect.any(Array)],
] as const)('the labels of the time axis do not touch: %s', (_what, pointsOfDays, labels) => {
  const curve = pointsOfDays.flatMap((points, day) =>
    Array.from({ length: points }, () => ({
      at: `2020-03-${String(day + 2).padStart(2, '0')}T09:15:00.000+05:30`,
      result: 0,
      drawdown: 0,
      market: 1,
    })),
  );
  const [day] = reportWith([]).days;
  const days = [...new Set(curve.map(({ at }) => at.slice(0, 10)))].map((date) => ({ ...day!, date }));
  const page = reportPage({ ...reportWith(curve), days }, 'x');
  const texts = [...page.matchAll(/<text x="([\d.]+)" y="\d+" font-size="11">([^<]+)</g)];
  expect(texts.map(([, , label]) => label)).toEqual(labels);
  const places = texts.map(([, x]) => Number(x));
  for (const [index, place] of places.entries()) {
    expect((places[index + 1] ?? Infinity) - place).toBeGreaterThanOrEqual(79);
    expect(place).toBeLessThanOrEqual(960);
  }
});

test('an n8n that ends by itself is noticed at once, with its status and its last words', async () => {
  const separate = mkdtempSync(path.join(folder, 'ends-'));
  const n8n = new N8n(file('n8n-that-ends.js', 'process.exit(1)'), separate, path.join(separate, 'clock'));
  await expect(n8n.start(separate)).rejects.toThrow(/^n8n ended with status 1\. Its last words:\n/);
});
