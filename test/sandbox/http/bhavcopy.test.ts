import { parse } from 'csv-parse/sync';
import { share } from '../../support/sample';
import { logIn, start, type Bench } from '../support';

describe('End-of-day files', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  beforeAll(async () => {
    bench = await start({ start: '2026-11-23T16:59:59.000+05:30' });
    headers = await logIn(bench);
  });
  afterAll(() => bench.close());

  const file = (date: string, type: string, format = 'csv', by = headers) =>
    bench.http.get(`/bhavcopy/nse/${date}`, { params: { format, type }, headers: by });

  it.each(share(['FO', 'BhavcopyCM', 'BhavcopyFO', 'BhavcopySec', 'OP', 'PR', 'PD'], 2, 1))(
    'serves %s as CSV that another parser reads',
    async (code) => {
      const { status, data, headers: reply } = await file('20261120', `${code}20261120`);
      expect(status).toBe(200);
      expect(reply['content-type']).toMatch(/^text\/csv/);
      const rows = parse(data, { trim: true, relax_column_count: false }) as string[][];
      expect(rows.length).toBeGreaterThan(code === 'PR' ? 1 : 10);
    },
  );

  it('serves JSON with the same figures', async () => {
    const csv = parse((await file('20261120', 'BhavcopyCM20261120')).data, { columns: true }) as Record<
      string,
      string
    >[];
    const { data } = await file('20261120', 'BhavcopyCM20261120', 'json');
    expect(data.data).toEqual(csv);
  });

  it('has its last price where the daily candle closes', async () => {
    const csv = parse((await file('20261120', 'BhavcopyCM20261120')).data, { columns: true }) as Record<
      string,
      string
    >[];
    const infy = csv.find(({ TckrSymb, SctySrs }) => TckrSymb === 'INFY' && SctySrs === 'EQ')!;
    const { data } = await bench.http.post(
      '/charts/timeseries',
      {
        query: [
          {
            exchange: 'NSE',
            type: 'STOCK',
            values: ['INFY'],
            fields: ['close'],
            startDate: '2026-11-19T18:30:00.000Z',
            endDate: '2026-11-20T18:30:00.000Z',
            interval: '1d',
          },
        ],
      },
      { headers },
    );
    expect(Math.round(Number(infy['LastPric']) * 100)).toBe(data.result[0].values[0].INFY.close[0].v);
  });

  it('answers 440 for a file that is not generated yet, and has it when it is', async () => {
    const early = await file('20261123', 'BhavcopyCM20261123');
    expect([early.status, early.data.error]).toEqual([440, expect.stringContaining('not been generated')]);
    await bench.advance('PT1S');
    expect((await file('20261123', 'BhavcopyCM20261123')).status).toBe(200);
  });

  it.each([
    ['a future date', '20261201'],
    ['an invalid date', '20261331'],
    ['a Sunday', '20261122'],
  ])('answers 440 for %s', async (_what, date) => {
    expect((await file(date, `BhavcopyCM${date}`)).status).toBe(440);
  });

  it('answers 440 for an invalid session and for none', async () => {
    expect((await file('20261120', 'BhavcopyCM20261120', 'csv', {})).status).toBe(440);
    expect(
      (await file('20261120', 'BhavcopyCM20261120', 'csv', { ...headers, authorization: 'Bearer x' })).status,
    ).toBe(440);
  });

  it('fails when the date of the type differs, the type or the format is unknown', async () => {
    expect((await file('20261120', 'BhavcopyCM20261119')).status).toBe(400);
    expect((await file('20261120', 'XX20261120')).status).toBe(400);
    expect((await file('20261120', 'BhavcopyCM20261120', 'xml')).status).toBe(400);
  });
});
