/** Each place that tells the result of a day tells the same, and says what it is after (docs/sandbox.md#the-result-of-a-day). */
import type { JsonObject } from '../../client/values/json';
import { describe as told, Engine } from '../support/engine';
import { FIRST_ACCOUNT, TEST_START, testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const { phone } = FIRST_ACCOUNT;

interface Account {
  day_profit: number;
  funds: { charges: number };
  positions: { ref_id: number; profit: number }[];
}
interface Report {
  equity: { start: number; end: number; result: number; held_before: number; external: number; set_by_hand: number };
}

/** A sandbox with an engine, and its figures. */
class Day {
  private constructor(
    readonly sandbox: TestSandbox,
    private readonly engine: Engine,
  ) {}

  static async begin(...args: Parameters<typeof testSandbox>): Promise<Day> {
    const sandbox = await testSandbox(...args);
    const day = new Day(sandbox, await Engine.start(sandbox.credential));
    // The login takes time, and no later report does.
    await day.report();
    return day;
  }

  get world() {
    return this.sandbox.running.sandbox.world;
  }

  get today(): string {
    return new Date(this.sandbox.running.sandbox.instant + 19_800_000).toISOString().slice(0, 10);
  }

  share(symbol: string): number {
    return this.world.universe().bySymbol('NSE', symbol)!.refId;
  }

  /** The call on NIFTY whose strike is nearest. */
  call() {
    const universe = this.world.universe();
    const price = this.world.lastPrice(universe.bySymbol('NSE', 'NIFTY')!);
    const { ce } = universe.options('NSE', 'NIFTY', universe.expiries('NSE', 'NIFTY')[1]!);
    return [...ce].sort((a, b) => Math.abs(a.strikePrice - price) - Math.abs(b.strikePrice - price))[0]!;
  }

  async order(ref_id: number, side: 'BUY' | 'SELL', quantity: number, product: 'CNC' | 'IDAY'): Promise<void> {
    await this.sandbox.control('POST', 'page/orders', { phone, ref_id, side, quantity, product, kind: 'MARKET' });
    await this.pass('PT5M');
  }

  async pass(advance: string): Promise<void> {
    await this.sandbox.control('POST', 'clock', { advance });
  }

  async report(): Promise<JsonObject> {
    const { items, error } = await this.engine.run({
      resource: 'portfolio',
      operation: 'getReport',
      parts: [],
      options: { priceUnit: 'paise' },
    });
    if (error !== undefined) throw new Error(told(error));
    return items[0]!.json as JsonObject;
  }

  account(): Promise<Account> {
    return this.sandbox.control('GET', `page/account?phone=${phone}`);
  }

  async equity(from = this.today, to = this.today): Promise<Report['equity']> {
    return (await this.sandbox.control<Report>('GET', `performance?phone=${phone}&from=${from}&to=${to}`)).equity;
  }

  /** Checks that the page, the performance, the worth of the account and the report agree. @returns the result after all charges */
  async agrees({ apart = 0 } = {}): Promise<number> {
    const { day_profit: shown, funds } = await this.account();
    const { start, end, result, held_before, external, set_by_hand } = await this.equity();
    expect(result + held_before).toBe(shown);
    expect(end - start - external - set_by_hand).toBe(shown);
    const report = await this.report();
    expect(report).toMatchObject({ day_result: shown + apart, day_result_after: 'all_charges' });
    expect(report['text']).toContain('After brokerage, taxes and fees.');
    expect(this.world.accounts.funds(this.world.accounts.ids()[0]!).charges).toBe(funds.charges);
    return shown;
  }
}

/** On the first day there is no closing auction yet: the official close is a mean, and not the price of the last trade. */
const MARKETS = [
  { hours: 'exchange', start: '2026-07-10T10:30:00+05:30' },
  { hours: 'exchange', start: TEST_START },
  { hours: 'always', start: TEST_START },
] as const;

describe.each(MARKETS)(
  'With --hours $hours from $start the page, the performance and the report',
  ({ hours, start }) => {
    it('tell one result of a day with a holding, a sale of it, an intraday trade, an option and a fund, and of the next day', async () => {
      const day = await Day.begin({ hours, start, orderInterface: 'v2' });
      try {
        await day.agrees();
        await day.order(day.share('SBIN'), 'BUY', 10, 'CNC');
        await day.order(day.share('TCS'), 'BUY', 3, 'IDAY');
        await day.order(day.share('TCS'), 'SELL', 3, 'IDAY');
        await day.order(day.share('INFY'), 'SELL', 7, 'CNC');
        await day.order(day.share('NIFTYBEES'), 'BUY', 20, 'CNC');
        const option = day.call();
        await day.order(option.refId, 'BUY', option.lotSize, 'CNC');
        await day.agrees();
        await day.order(option.refId, 'SELL', option.lotSize, 'CNC');
        expect(await day.agrees()).not.toBe(0);
        // Over midnight, and in exchange hours over a weekend.
        const first = day.today;
        await day.pass(hours === 'always' ? 'P1D' : 'P3D');
        await day.agrees();
        await day.order(day.share('NIFTYBEES'), 'SELL', 5, 'CNC');
        await day.order(day.share('SBIN'), 'SELL', 4, 'CNC');
        await day.order(day.share('TCS'), 'BUY', 3, 'IDAY');
        const second = await day.agrees();
        // The days together are the period: each begins with the prices with which the one before ended.
        const [one, two, both] = [
          await day.equity(first, first),
          await day.equity(),
          await day.equity(first, day.today),
        ];
        expect(second).toBe(two.result + two.held_before);
        expect([both.start, both.end]).toEqual([one.start, two.end]);
        expect(two.start).toBe(one.end);
      } finally {
        await day.sandbox.close();
      }
    });

    it('differ by what an option that was carried over made before, and by nothing else', async () => {
      const day = await Day.begin({ hours, start, orderInterface: 'v2' });
      try {
        const option = day.call();
        await day.order(option.refId, 'BUY', option.lotSize, 'CNC');
        await day.pass(hours === 'always' ? 'P1D' : 'P3D');
        const account = day.world.accounts.ids()[0]!;
        const [position] = day.world.accounts.positions(account);
        const close = day.world.accounts.closes(account).at(-1)!.closes[option.refId]!;
        if (hours === 'exchange')
          expect(close).toBe(day.world.market.previousClose(option, day.sandbox.running.sandbox.instant));
        const apart = close * position!.openQuantity - position!.openValue;
        expect(apart).not.toBe(0);
        await day.agrees({ apart });
        await day.order(option.refId, 'SELL', option.lotSize, 'CNC');
        await day.agrees({ apart });
        expect((await day.report())['text']).toContain('An option that was carried over counts from its purchase.');
      } finally {
        await day.sandbox.close();
      }
    });
  },
);

it('The report on the newer interface says that it is before taxes and fees', async () => {
  const day = await Day.begin({ hours: 'always', orderInterface: 'intent' });
  try {
    await day.order(day.share('TCS'), 'BUY', 3, 'IDAY');
    await day.order(day.share('TCS'), 'SELL', 3, 'IDAY');
    const { day_profit: shown, funds } = await day.account();
    const report = await day.report();
    const { accounts } = day.world;
    const brokerage = accounts
      .trades(accounts.ids()[0]!)
      .filter(({ date }) => date === day.today)
      .reduce((sum, { charges }) => sum + charges.brokerage, 0);
    expect(report).toMatchObject({
      day_result: shown + funds.charges - brokerage,
      day_result_after: 'brokerage',
      text: expect.stringContaining('Before taxes and fees'),
    });
  } finally {
    await day.sandbox.close();
  }
});
