import { writeAccountHistory } from '../accounts/backfill';
import { MONTHS } from '../shared/dates';
import { createUniform } from '../shared/random';
import { FIRST_USERS, usersOf } from './data/first-users';
import { OPENING_BALANCES } from './data/opening-balances';
import type { Instrument, Universe } from '../market/reference/types';
import { istDate } from '../shared/time';
import type { SimulatedBrokerageParts } from './composition';
import type { SandboxOptions } from './options';

/**
 * Opens the accounts: the first two with the months before `startAt` (milliseconds), what they own then and their statements;
 * all others with the same money and shares.
 */
export function openAccounts(
  { accounts, market, options }: Pick<SimulatedBrokerageParts, 'accounts' | 'market'> & { options: SandboxOptions },
  startAt: number,
): void {
  const universe = market.universe(startAt);
  const { history } = OPENING_BALANCES;
  const known = (symbol: string) => universe.bySymbol('NSE', symbol) ?? [];
  const holdings = OPENING_BALANCES.holdings.flatMap(({ symbol, quantity }) =>
    [known(symbol)].flat().map((instrument) => ({ instrument, quantity, averagePrice: costOf(instrument) })),
  );
  const shares = history.shares.flatMap(known);

  function costOf(instrument: Instrument): number {
    const { tickSize } = instrument;
    return (
      Math.round((market.previousClose(instrument, startAt) * OPENING_BALANCES.costPercent) / 100 / tickSize) * tickSize
    );
  }

  for (const { clientCode } of usersOf(options.accounts).slice(FIRST_USERS.length))
    accounts.open(
      clientCode,
      {
        funds: OPENING_BALANCES.funds,
        holdings: holdings.map(({ instrument: { refId }, quantity, averagePrice }) => ({
          refId,
          quantity,
          averagePrice,
        })),
      },
      startAt,
    );
  FIRST_USERS.forEach(({ clientCode, userId }, index) => {
    writeAccountHistory(
      {
        accounts,
        calendar: market.calendar,
        price: (instrument, at) => market.price(instrument, at),
        random: createUniform((options.seed ^ userId) >>> 0),
      },
      {
        account: clientCode,
        funds: OPENING_BALANCES.funds,
        holdings,
        shares,
        future: nearFuture(universe, history.future, startAt),
        until: startAt,
        days: history.days,
      },
      history.firstId + BigInt(index) * history.idsPerAccount,
    );
  });
}

/** Opens all accounts with money alone: where prices are a live market's, nothing is known of the days before. */
export function openWithMoney(
  { accounts, options }: Pick<SimulatedBrokerageParts, 'accounts'> & { options: SandboxOptions },
  startAt: number,
): void {
  for (const { clientCode } of usersOf(options.accounts))
    accounts.open(clientCode, { funds: OPENING_BALANCES.funds, holdings: [] }, startAt);
}

/** The monthly future of an asset that expires next. */
function nearFuture(universe: Universe, asset: string, at: number): Instrument | undefined {
  const [year, month] = istDate(at).split('-').map(Number) as [number, number];
  const symbols = [0, 1].map(
    (later) =>
      `${asset}${String(year + Math.floor((month - 1 + later) / 12)).slice(2)}${MONTHS[(month - 1 + later) % 12]}FUT`,
  );
  return symbols.map((symbol) => universe.bySymbol('NSE', symbol)).find((future) => future !== undefined);
}
