/** A day of an account in a sandbox, and each place that tells its result. */
import type { JsonObject } from '../../client/values/json';
import { allTextOf, Engine } from '../support/engine';
import { FIRST_ACCOUNT, testSandbox, type TestSandbox } from '../support/sandbox';

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
export class Day {
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

  /** The first account. */
  get account(): string {
    return this.world.accounts.ids()[0]!;
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
    if (error !== undefined) throw new Error(allTextOf(error));
    return items[0]!.json as JsonObject;
  }

  shown(): Promise<Account> {
    return this.sandbox.control('GET', `page/account?phone=${phone}`);
  }

  async equity(from = this.today, to = this.today): Promise<Report['equity']> {
    return (await this.sandbox.control<Report>('GET', `performance?phone=${phone}&from=${from}&to=${to}`)).equity;
  }

  /** Checks that the page, the performance, the worth of the account and the report agree. @returns the result after all charges */
  async agrees({ apart = 0 } = {}): Promise<number> {
    const { day_profit: shown, funds } = await this.shown();
    const { start, end, result, held_before, external, set_by_hand } = await this.equity();
    expect(result + held_before).toBe(shown);
    expect(end - start - external - set_by_hand).toBe(shown);
    const report = await this.report();
    expect(report).toMatchObject({ day_result: shown + apart, day_result_after: 'all_charges' });
    expect(report['text']).toContain('After brokerage, taxes and fees.');
    expect(this.world.accounts.funds(this.account).charges).toBe(funds.charges);
    return shown;
  }
}
