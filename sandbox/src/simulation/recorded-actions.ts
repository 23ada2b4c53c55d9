/** The corporate actions of a recorded market: each is announced before its ex-date, as in the real market. */
import type { CorporateActions } from '../market/corporate-actions/corporate-actions';
import type { Market } from '../market/prices/types';
import type { RecordedAction } from '../market/recordings/types';
import { exchangeListings } from '../market/reference/exchange-listings';
import { effectiveOn } from '../shared/effective-date';
import { DAY, formatDayNumber, startOfDay } from '../shared/dates';
import { EXTRAORDINARY_DIVIDENDS } from './data/extraordinary-dividends';

/** Companies tell the exchange at least so many days before. */
const NOTICE_MS = 7 * DAY;

/** Announces those that take effect after the world has begun. @param startAt when that is, milliseconds */
export function announceRecorded(
  market: Market,
  corporateActions: CorporateActions,
  actions: readonly RecordedAction[],
  startAt: number,
): void {
  for (const { exchange, symbol, day, kind, before, after, dividend } of actions) {
    const from = startOfDay(day);
    const share = market.universe(from).bySymbol(exchange, symbol);
    if (from <= startAt || share === undefined) continue;
    const exDate = formatDayNumber(day);
    const { percent } = effectiveOn(EXTRAORDINARY_DIVIDENDS, exDate);
    corporateActions.announce({
      kind,
      symbol,
      refIds: Object.values(exchangeListings(market.universe(from), share)),
      exDate,
      from,
      announced: Math.max(startAt, from - NOTICE_MS),
      before,
      after,
      dividend,
      extraordinary: dividend * 100 >= market.previousClose(share, from) * percent,
    });
  }
}
