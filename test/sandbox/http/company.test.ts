import { logIn, start, type Bench } from '../support';

interface Cell {
  date: string;
  value: number;
  children: { label: string; value: number }[] | null;
}
interface Row {
  label: string;
  is_key_ratio: boolean;
  values: Cell[];
}

describe('Company figures', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  beforeAll(async () => {
    bench = await start({ rateLimit: 'off' });
    headers = await logIn(bench);
  });
  afterAll(() => bench.close());

  const get = (path: string) => bench.http.get(`/screener/${path}`, { headers });
  const ratios = async (symbol: string, more = '') =>
    (await get(`fetch_company_fundamentals?symbol=${symbol}${more}`)).data.result.keyratios_shareholding;
  const statement = async (name: string, symbol: string, more = '') => {
    const { status, data } = await get(`fetch_${name}?symbol=${symbol}${more}`);
    expect([status, data.error]).toEqual([200, undefined]);
    const { dates, data: rows } = data.result[name] as { dates: string[]; data: Row[] };
    const cell = (label: string, at: number): Cell => rows.find((row) => row.label === label)!.values[at]!;
    const part = (label: string, child: string, at: number): number =>
      cell(label, at).children!.find((one) => one.label === child)!.value;
    return { dates, rows, cell, part };
  };
  const actions = async (symbol: string) =>
    (await get(`fetch_corporate_actions?symbol=${symbol}`)).data.result.corporate_actions as {
      action_type: string;
      execution_date: string;
      amount: number | null;
      upcoming_event: boolean;
      ratio1: number | null;
      ratio2: number | null;
    }[];
  const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0);

  const SHARES = ['INFY', 'RELIANCE', 'SBIN', 'HDFCBANK', 'ITC', 'TATASTEEL'];
  const BASES = ['CONSOLIDATED', 'STANDALONE'];
  const SPANS = ['ANNUAL', 'QUARTERLY'];
  const all = SHARES.flatMap((symbol) =>
    BASES.flatMap((basis) => SPANS.map((span) => [symbol, `&fundamentals_type=${basis}&result_type=${span}&limit=40`])),
  ) as [string, string][];

  it.each(all)(
    '%s%s has balance sheets that balance, and cash flows that lead from one to the next',
    async (symbol, more) => {
      const sheet = await statement('balance_sheet', symbol, more);
      const flow = await statement('cash_flow', symbol, more);
      const profit = await statement('profit_loss', symbol, more);
      expect(sheet.dates.length).toBeGreaterThan(4);
      expect(flow.dates).toEqual(sheet.dates);
      for (const at of sheet.dates.keys()) {
        for (const label of ['Assets', 'Equity and Liabilities', 'Equity'])
          expect(sum(sheet.cell(label, at).children!.map(({ value }) => value))).toBe(sheet.cell(label, at).value);
        expect(sheet.cell('Assets', at).value).toBe(sheet.cell('Equity and Liabilities', at).value);
        for (const { value } of sheet.cell('Assets', at).children!) expect(value).toBeGreaterThan(0);
        expect(sheet.part('Assets', 'Cash', at)).toBe(flow.cell('Closing Cash', at).value);
        expect(flow.cell('Opening Cash', at).value + flow.cell('Net Cash Flow', at).value).toBe(
          flow.cell('Closing Cash', at).value,
        );
        expect(profit.cell('Total Income', at).value - profit.cell('Expenses', at).value).toBe(
          profit.cell('Profit Before Tax', at).value,
        );
        expect(profit.cell('Profit Before Tax', at).value - profit.cell('Tax', at).value).toBe(
          profit.cell('Net Profit', at).value,
        );
        for (const { value } of profit.cell('Expenses', at).children!) expect(value).toBeGreaterThanOrEqual(0);
        expect(flow.part('Cash from Operating Activities', 'Net Profit', at)).toBe(profit.cell('Net Profit', at).value);
        if (at + 1 === sheet.dates.length) continue;
        // Equity grows by what was earned and not paid out.
        expect(sheet.cell('Equity', at).value - sheet.cell('Equity', at + 1).value).toBe(
          profit.cell('Net Profit', at).value + flow.part('Cash from Financing Activities', 'Dividends', at),
        );
        expect(flow.cell('Opening Cash', at).value).toBe(sheet.part('Assets', 'Cash', at + 1));
      }
      for (const { values } of [...sheet.rows, ...flow.rows, ...profit.rows])
        for (const { value } of values) expect(Math.abs(value)).toBeLessThan(Number.MAX_SAFE_INTEGER);
    },
  );

  it('a year is the sum of its quarters', async () => {
    const years = await statement('profit_loss', 'INFY', '&limit=3');
    const quarters = await statement('profit_loss', 'INFY', '&result_type=QUARTERLY&limit=40');
    expect(years.dates).toEqual(['202603', '202503', '202403']);
    const first = quarters.dates.indexOf('2026Q1');
    expect(years.cell('Net Profit', 0).value).toBe(
      sum([0, 1, 2, 3].map((more) => quarters.cell('Net Profit', first + more).value)),
    );
  });

  it.each(SHARES)('%s has the ratios of price and books', async (symbol) => {
    const found = await ratios(symbol);
    const quarters = await statement('profit_loss', symbol, '&result_type=QUARTERLY&limit=4');
    const sheet = await statement('balance_sheet', symbol, '&result_type=QUARTERLY&limit=1');
    const profit = sum([0, 1, 2, 3].map((at) => quarters.cell('Net Profit', at).value));
    const { market_cap: cap, p_e_ratio, p_b_ratio, roe, roa, eps } = found.key_ratios;
    expect(p_e_ratio).toBeCloseTo(cap / profit, 2);
    expect(p_b_ratio).toBeCloseTo(cap / sheet.cell('Equity', 0).value, 2);
    expect(roe).toBeCloseTo((100 * profit) / sheet.cell('Equity', 0).value, 2);
    expect(roa).toBeCloseTo((100 * profit) / sheet.cell('Assets', 0).value, 2);
    // So much is earned a share, and the price is so many times that.
    expect(Math.abs(p_e_ratio * eps * 100 - found.ltp) / found.ltp).toBeLessThan(0.02);
    expect(p_e_ratio).toBeGreaterThan(4);
    expect(p_e_ratio).toBeLessThan(120);
    expect(sum(Object.values(found.shareholding_keys))).toBeCloseTo(100, 6);
    const { data } = await get(`fetch_shareholding_pattern?fincode=${found.fincode}`);
    const pattern = data.result.shareholding_pattern as { dates: string[]; data: Row[] };
    for (const at of pattern.dates.keys())
      expect(sum(pattern.data.map(({ values }) => values[at]!.value))).toBeCloseTo(100, 6);
    expect(pattern.data[0]!.values[0]!.value).toBe(found.shareholding_keys.promoter);
  });

  it('a share on either exchange is one company', async () => {
    expect((await ratios('TCS', '&exchange=BSE')).fincode).toBe((await ratios('TCS')).fincode);
    expect((await ratios('TCS')).fincode).not.toBe((await ratios('INFY')).fincode);
  });

  it('lists the dividends that the account was paid, and meetings to come', async () => {
    const { data } = await bench.http.post(
      '/report/dividend',
      { action_type: 'VIEW', from_date: '2026-06-01T00:00:00+05:30', to_date: '2026-11-22T00:00:00+05:30' },
      { headers },
    );
    expect(data.error).toBeUndefined();
    const paid = data.res.sections[0].rows as { date: string; symbol: string; per_share: number }[];
    expect(paid.length).toBeGreaterThan(1);
    for (const { date, symbol, per_share } of paid)
      expect(await actions(symbol)).toContainEqual(
        expect.objectContaining({
          action_type: 'Dividend',
          execution_date: date,
          amount: per_share,
          upcoming_event: false,
        }),
      );
    const meetings = (await actions('INFY')).filter(({ action_type }) => action_type === 'Board_Meeting');
    expect(meetings.filter(({ upcoming_event }) => upcoming_event)).toHaveLength(1);
    expect(meetings).toHaveLength(5);
  });

  it.each([
    ['fetch_company_fundamentals', 400, 'symbol is required'],
    ['fetch_balance_sheet?symbol=NIFTY', 404, 'There is no company NIFTY'],
    ['fetch_balance_sheet?symbol=GOLDBEES', 404, 'There is no company GOLDBEES'],
    ['fetch_profit_loss?symbol=INFY&result_type=MONTHLY', 400, 'result_type must be ANNUAL or QUARTERLY'],
    ['fetch_cash_flow?symbol=INFY&fundamentals_type=x', 400, 'fundamentals_type must be CONSOLIDATED or STANDALONE'],
    ['fetch_shareholding_pattern', 400, 'fincode is required'],
    ['fetch_shareholding_pattern?fincode=12', 404, 'There is no company with fincode 12'],
    ['fetch_cash_flow?symbol=INFY&limit=99', 400, 'limit must be a whole number from 0 to 40'],
  ])('%s is refused', async (path, status, error) => {
    expect(await get(path)).toMatchObject({ status, data: { error: expect.stringContaining(error) } });
  });

  it('a split, a bonus issue and a dividend change what is told of a share, and not its earnings', async () => {
    const years = async () => (await statement('profit_loss', 'INFY', '&limit=5')).rows;
    const own = (rows: Row[]) => rows.filter(({ label }) => label !== 'EPS');
    const [before, booked] = [await ratios('INFY'), await years()];
    const capital = async () =>
      (await statement('balance_sheet', 'INFY', '&limit=1')).part('Equity', 'Share Capital', 0);
    const paidIn = await capital();
    const announce = async (body: object) => {
      const { status, data } = await bench.http.post('/_sandbox/corporate-actions', { symbol: 'INFY', ...body });
      expect([status, data.error]).toEqual([200, undefined]);
    };
    await announce({ kind: 'bonus', issued: 1, held: 1, ex_date: '2026-11-25' });
    await announce({ kind: 'dividend', per_share: 900, ex_date: '2026-11-26' });
    expect((await actions('INFY')).filter(({ upcoming_event }) => upcoming_event)).toHaveLength(3);
    await bench.advance('P3D');
    headers = await logIn(bench);
    const after = await ratios('INFY');
    expect(own(await years())).toEqual(own(booked));
    expect(after.key_ratios.eps).toBeCloseTo(before.key_ratios.eps / 2, 1);
    expect(Math.abs(after.key_ratios.market_cap / before.key_ratios.market_cap - 1)).toBeLessThan(0.1);
    expect(await capital()).toBe(paidIn);
    expect(await actions('INFY')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action_type: 'Bonus', ratio1: 1, ratio2: 1, upcoming_event: false }),
        expect.objectContaining({ action_type: 'Dividend', amount: 900, execution_date: '2026-11-26' }),
      ]),
    );
    // The cash flow of its quarter shows the dividend of nine rupees, once that is published.
    await bench.advance('P100D');
    headers = await logIn(bench);
    const flow = await statement('cash_flow', 'INFY', '&result_type=QUARTERLY&limit=1');
    const shares = after.key_ratios.market_cap / after.ltp;
    expect(flow.dates).toEqual(['2026Q4']);
    expect(-flow.part('Cash from Financing Activities', 'Dividends', 0)).toBeGreaterThanOrEqual(900 * shares);
  });
});
