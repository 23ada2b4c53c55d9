import { writeHistory } from './accounts/opening';
import { createRandom } from './control/random';
import { FIRST_PEOPLE } from './data/people';
import { OPENING } from './data/opening';
import type { Instrument, Universe } from './market/types';
import { istDate } from './time';
import type { World } from './world';

/** Opens the first accounts with the months before `startAt` (milliseconds): what they own then, and their statements. */
export function openAccounts({ accounts, market, options }: Pick<World, 'accounts' | 'market' | 'options'>, startAt: number): void {
  const universe = market.universe(startAt);
  const { history } = OPENING;
  const known = (symbol: string) => universe.bySymbol('NSE', symbol) ?? [];
  const holdings = OPENING.holdings.flatMap(({ symbol, quantity }) =>
    [known(symbol)].flat().map((instrument) => ({ instrument, quantity, averagePrice: costOf(instrument) })),
  );
  const shares = history.shares.flatMap(known);

  function costOf(instrument: Instrument): number {
    const { tickSize } = instrument;
    return Math.round((market.previousClose(instrument, startAt) * OPENING.costPercent) / 100 / tickSize) * tickSize;
  }

  FIRST_PEOPLE.forEach(({ clientCode, userId }, index) => {
    writeHistory(
      {
        accounts,
        calendar: market.calendar,
        price: (instrument, at) => market.price(instrument, at),
        random: createRandom((options.seed ^ userId) >>> 0),
      },
      { account: clientCode, funds: OPENING.funds, holdings, shares, future: nearFuture(universe, history.future, startAt), until: startAt, days: history.days },
      history.firstId + BigInt(index) * history.idsPerAccount,
    );
  });
}

/** The future of an asset that expires next. */
function nearFuture(universe: Universe, asset: string, at: number): Instrument | undefined {
  const today = Number(istDate(at).replaceAll('-', ''));
  let near: Instrument | undefined;
  for (const instrument of universe.all('NSE')) {
    if (instrument.derivativeType !== 'FUT' || instrument.asset !== asset || instrument.expiry < today) continue;
    if (near === undefined || instrument.expiry < near.expiry) near = instrument;
  }
  return near;
}
