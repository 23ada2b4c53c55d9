import { MutualFundBook } from '../../sandbox/src/reports/tables/mutual-fund-book';
import type { ReportSource } from '../../sandbox/src/reports/tables/source';
import type { Sandbox } from '../../sandbox/src/simulation/sandbox';

/** Returns the source of an account's reports at the sandbox's instant. @param date of its fund book, YYYY-MM-DD */
export function reportSourceOf({ world, instant }: Sandbox, clientCode: string, date: string): ReportSource {
  return {
    client: { clientCode, name: '', email: '', phone: '', pan: '' },
    accounts: world.accounts,
    lastPrice: (instrument, at) => world.market.price(instrument, at),
    previousClose: (instrument, at) => world.market.previousClose(instrument, at),
    at: instant,
    funds: new MutualFundBook(1, clientCode, date),
  };
}
