import { logIn, start, type Bench } from '../../support';

const NOW = '2026-11-23T11:00:00.000+05:30';
const LATER = '2026-12-15';
const SHARES = 50;

interface Row {
  ref_id: number;
  stock_name: string;
  derivative_type: string;
  expiry: number;
  strike_price: number;
  underlying_prev_close: number;
}

/** The bot: it reads the master of a date to come, and buys the shares that will stand higher then. */
describe('Leak 1: the master of a future date', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  beforeAll(async () => {
    bench = await start({ start: NOW, rateLimit: 'off' });
    headers = await logIn(bench);
  });
  afterAll(() => bench.close());

  const master = async (date: string): Promise<Row[]> =>
    (await bench.http.get(`/refdata/refdata/${date}?exchange=NSE`, { headers })).data.refdata;

  it('tells nothing that is not known now', async () => {
    const now = await master('2026-11-23');
    const later = await master(LATER);
    const spread = await master('2033-12-30');
    expect(later).toEqual(now);
    expect(spread).toEqual(now);
  });

  it('does not know the closes to come, nor the strikes and series that will be listed around them', async () => {
    const read = new Map((await master(LATER)).map((row) => [row.ref_id, row.underlying_prev_close]));
    await bench.http.post('/_sandbox/clock', { set: `${LATER}T11:00:00.000+05:30` });
    headers = await logIn(bench);
    const came = (await master(LATER)).filter(({ derivative_type: kind }) => kind === 'STOCK').slice(0, SHARES);
    const right = came.filter((row) => read.get(row.ref_id) === row.underlying_prev_close);
    expect(came).toHaveLength(SHARES);
    expect(right.length).toBeLessThan(SHARES / 5);
  });
});
