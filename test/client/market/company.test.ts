import { ServiceError, UnreadableReplyError } from '../../../client/base/errors';
import { getCorporateActions, getKeyRatios, getShareholding, getStatement } from '../../../client/market/company';
import { scriptedTransport } from '../../support/wire';

const company = { symbol: 'INFY', exchange: 'NSE', kind: 'STOCK' as const };
const ratios = (more: object = {}) => ({
  json: {
    message: 'x',
    result: { keyratios_shareholding: { symbol: 'INFY', fincode: 100209, key_ratios: { p_e_ratio: 22.5 }, ...more } },
  },
});
const notFound = (error = 'Not Found') => ({ status: 404, json: { error } });
const sheet = (data: object[], dates: unknown[] = ['202603', '202503']) => ({
  json: { result: { balance_sheet: { dates, data } } },
});
const row = (label: string, values: unknown[], more: object = {}) => ({
  label,
  is_key_ratio: false,
  values: values.map((value, at) => ({ date: ['202603', '202503'][at], value, children: null })),
  ...more,
});
const statement = (unit: 'crore' | 'rupees' = 'crore') => ({
  company,
  basis: 'STANDALONE' as const,
  statement: 'balance_sheet' as const,
  isQuarterly: false,
  periods: 5,
  unit,
});

it('asks for ratios by symbol, and passes on each plain figure', async () => {
  const { transport, requests } = scriptedTransport([
    ratios({ shareholding_keys: { promoter: 14.5, odd: { nested: 1 } }, technical_indicators: null }),
  ]);
  expect(await getKeyRatios(transport, { company, basis: 'CONSOLIDATED' })).toEqual({
    fincode: 100209,
    ratios: { p_e_ratio: 22.5 },
    holders: { promoter: 14.5 },
    indicators: {},
  });
  expect(requests[0]!.url).toMatch(
    /\/screener\/fetch_company_fundamentals\?symbol=INFY&exchange=NSE&fundamentals_type=CONSOLIDATED$/,
  );
});

it('refuses ratios of another company', async () => {
  const { transport } = scriptedTransport([ratios({ symbol: 'TCS' })]);
  await expect(getKeyRatios(transport, { company, basis: 'CONSOLIDATED' })).rejects.toThrow(/TCS.*INFY|INFY.*TCS/);
});

it.each([
  { symbol: 'NIFTY', exchange: 'NSE', kind: 'INDEX' as const },
  { symbol: 'GOLD26DECFUT', exchange: 'MCX', kind: 'FUT' as const },
])('refuses $symbol, which is no share, before anything is asked', async (other) => {
  const { transport, requests } = scriptedTransport([]);
  await expect(getCorporateActions(transport, { company: other })).rejects.toThrow('is not a share');
  expect(requests).toEqual([]);
});

it('gives one entry a period, with amounts in crores and ratios unchanged, beyond 2^53 too', async () => {
  const { transport, requests } = scriptedTransport([
    sheet([
      row('Assets', [4_908_040_840_000_000, '12000000000000000000'], {
        values: [
          { date: '202603', value: 4_908_040_840_000_000, children: [{ label: 'Cash', value: 1_000_000_000 }] },
          { date: '202503', value: '12000000000000000000', children: [] },
        ],
      }),
      row('Total', [1_000_000_000, null]),
      row('Total', [2_000_000_000, 3_000_000_000]),
      row('Debt to Equity', [0.5, 'n/a'], { is_key_ratio: true }),
    ]),
  ]);
  expect(await getStatement(transport, statement())).toEqual([
    {
      period: '202603',
      periodEnd: '2026-03-31',
      values: { Assets: 4_908_040.84, Total: 1, 'Total (2)': 2, 'Debt to Equity': 0.5 },
      parts: { Assets: { Cash: 1 } },
    },
    {
      period: '202503',
      periodEnd: '2025-03-31',
      values: { Assets: 12_000_000_000, Total: null, 'Total (2)': 3, 'Debt to Equity': null },
      parts: {},
    },
  ]);
  expect(requests[0]!.url).toMatch(
    /\/screener\/fetch_balance_sheet\?symbol=INFY&exchange=NSE&fundamentals_type=STANDALONE&result_type=ANNUAL&limit=5$/,
  );
});

it('keeps labels that are names of objects, and periods of another form', async () => {
  const { transport } = scriptedTransport([
    sheet([{ label: '__proto__', values: [{ date: '2024Q1', value: 500 }] }], ['2024Q1', '2024Q1', null]),
  ]);
  const [only, ...others] = await getStatement(transport, statement('rupees'));
  expect(others).toEqual([]);
  expect(only).toMatchObject({ period: '2024Q1', periodEnd: null });
  expect(Object.entries(only!.values)).toEqual([['__proto__', 5]]);
});

it('asks for holders by the fincode of the ratios', async () => {
  const { transport, requests } = scriptedTransport([
    ratios(),
    {
      json: {
        result: {
          shareholding_pattern: {
            dates: ['202609'],
            data: [
              {
                label: 'Institutions',
                values: [{ date: '202609', value: 40.5, shareholding_children: [{ label: 'FII', value: 30 }] }],
              },
            ],
          },
        },
      },
    },
  ]);
  expect(await getShareholding(transport, { company, periods: 4 })).toEqual([
    { period: '202609', periodEnd: '2026-09-30', values: { Institutions: 40.5 }, parts: { Institutions: { FII: 30 } } },
  ]);
  expect(requests[1]!.url).toMatch(/\/screener\/fetch_shareholding_pattern\?fincode=100209&limit=4$/);
});

it('says where there is no fincode to ask for holders by', async () => {
  const { transport } = scriptedTransport([ratios({ fincode: null })]);
  await expect(getShareholding(transport, { company, periods: 4 })).rejects.toThrow(UnreadableReplyError);
});

it('tries the other path, and says plainly when the service knows the company and not the question', async () => {
  const { transport, requests } = scriptedTransport([notFound(), notFound(), ratios()]);
  const error: unknown = await getCorporateActions(transport, { company }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    message: 'The service knows INFY, but does not offer this operation (status 404 Not Found).',
    hint: 'On the live service only Get Key Ratios is known to work. Use Get Key Ratios, or the sandbox.',
  });
  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([
    '/screener/fetch_corporate_actions',
    '/screener/fetch_company_fundamentals/corporate_actions',
    '/screener/fetch_company_fundamentals',
  ]);
});

it('says the company where the service does not know it either', async () => {
  const { transport } = scriptedTransport([notFound('x'), notFound('x'), notFound('There is no company INFY')]);
  await expect(getStatement(transport, statement())).rejects.toThrow('There is no company INFY');
});

it('takes what the other path answers', async () => {
  const { transport } = scriptedTransport([
    notFound(),
    {
      json: {
        result: {
          corporate_actions: [
            {
              corp_action_name: 'Board Meeting',
              action_type: 'Board_Meeting',
              upcoming_event: true,
              record_date: null,
            },
          ],
        },
      },
    },
  ]);
  expect(await getCorporateActions(transport, { company })).toEqual([
    {
      name: 'Board Meeting',
      type: 'Board_Meeting',
      upcoming: true,
      record_date: null,
      execution_date: null,
      ratio1: null,
      ratio2: null,
      dividend_type: null,
      amount: null,
    },
  ]);
});

describe('a corporate action', () => {
  const BONUS = {
    ...{ corp_action_name: 'Bonus 1:1', action_type: 'Bonus', upcoming_event: true, record_date: '2026-12-01' },
    ...{ execution_date: '2026-12-01', ratio1: 1, ratio2: 1, dividend_type: null, amount: null },
  };
  const read = async (...actions: object[]) =>
    await getCorporateActions(scriptedTransport([{ json: { result: { corporate_actions: actions } } }]).transport, {
      company,
    });

  it.each<[object, object]>([
    [
      { ratio1: '2', ratio2: '1.0' },
      { ratio1: 2, ratio2: 1 },
    ],
    [{ amount: '12.5' }, { amount: 12.5 }],
    [{ amount: '' }, { amount: null }],
    [{ upcoming_event: 'true' }, { upcoming: true }],
    [{ upcoming_event: 1 }, { upcoming: true }],
    [{ upcoming_event: 'False' }, { upcoming: false }],
    [{ upcoming_event: null }, { upcoming: false }],
  ])('has of %j what it means: %j', async (given, expectedAction) => {
    expect(await read({ ...BONUS, ...given })).toEqual([expect.objectContaining(expectedAction)]);
  });

  it.each<[object, string]>([
    [{ amount: '12,50' }, 'its amount is "12,50"'],
    [{ amount: -5 }, 'its amount is -5'],
    [{ amount: true }, 'its amount is true'],
    [{ ratio1: [1] }, 'its ratio1 is [1]'],
    [{ upcoming_event: 'soon' }, 'its upcoming_event is "soon"'],
    [{ record_date: ['2026-12-01'] }, 'its record_date is ["2026-12-01"]'],
    [{ corp_action_name: null, action_type: '' }, 'its corp_action_name is null'],
  ])('is refused with %j', async (given, said) => {
    await expect(read({ ...BONUS, ...given })).rejects.toThrow(`A corporate action cannot be read: ${said}.`);
  });

  it('counts once where it comes twice, and an answer without their list is no empty one', async () => {
    expect(await read(BONUS, BONUS)).toHaveLength(1);
    expect(await read()).toEqual([]);
    const { transport } = scriptedTransport([{ json: { result: {} } }]);
    await expect(getCorporateActions(transport, { company })).rejects.toThrow('holds no list of corporate actions');
  });
});

it('other refusals pass through unchanged', async () => {
  const { transport, requests } = scriptedTransport([{ status: 403, json: { error: 'no' } }]);
  await expect(getStatement(transport, statement())).rejects.toMatchObject({ status: 403 });
  expect(requests).toHaveLength(1);
});
