import type { ServiceDialect } from '../simulation/dialect';
import { multiplierByDialect } from '../web/multiplier-by-dialect';
import { stockNameByDialect } from '../web/stock-name-by-dialect';
import { settledBy } from '../market/reference/instrument-class';
import type { Calendar, Instrument, Universe } from '../market/reference/types';
import type { Market } from '../market/prices/types';
import { istDate, istMidnight } from '../shared/time';
import { ApiError } from '../web/errors';
import { sessionUser } from '../web/authentication';
import { exchangeOf } from '../web/input';
import { replySchemas } from '../web/reply-schemas';
import { EXCHANGE, parameters, SESSION_SECURITY } from '../web/schema';
import type { RouteContext } from '../web/route-context';
import { jsonList, streamReply } from '../web/chunked-reply';

const NOON_MS = 12 * 3_600_000;

/** The instrument master (docs/service/instruments.md#instrument-master). */
export function instrumentRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);
  app.get(
    '/refdata/refdata/:date',
    {
      schema: {
        tags: ['Instruments'],
        summary: 'Instrument master of a date and exchange',
        response: schemas.master,
        querystring: parameters({ exchange: EXCHANGE }),
        security: SESSION_SECURITY,
      },
    },
    async (request, reply) => {
      sessionUser(sandbox, request);
      const { date } = request.params as { date: string };
      const exchange = exchangeOf((request.query as { exchange?: string }).exchange);
      const { market } = sandbox.world;
      const requested = instant(date, market.calendar);
      const at = known(requested, sandbox.now());
      const head = { exchange, is_trading_on: market.calendar.isTradingDay(exchange, date), message: 'refdata' };
      const listed =
        at === requested ? market.universe(at) : withLotsOf(market.universe(requested), market.universe(at));
      const rows = masterRows(market, listed, exchange, at, sandbox.options.platformWord, sandbox.dialect);
      return reply
        .type('application/json; charset=utf-8')
        .send(streamReply(jsonList(`${JSON.stringify(head).slice(0, -1)},"refdata":[`, rows, ']}')));
    },
  );
}

function instant(date: string, { first, last }: Calendar): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date) ? istMidnight(date) : NaN;
  if (Number.isNaN(at) || istDate(at) !== date)
    throw new ApiError(400, `date must be a day as YYYY-MM-DD, not "${date}"`);
  if (date < first || date > last)
    throw new ApiError(400, `date must be from ${first} to ${last}: the sandbox has no instruments of ${date}`);
  return at + NOON_MS;
}

/**
 * The instant whose instruments answer for a date. Contracts and closes of later days are not known yet, so a later date
 * is answered with what is listed now. Only its lots are announced before.
 */
const known = (requested: number, now: number): number => (istDate(requested) > istDate(now) ? now : requested);

/** Returns the listed instruments with their lots of a later day; a contract that is not listed then keeps its own. */
function withLotsOf(later: Universe, listed: Universe): Pick<Universe, 'all' | 'byRefId'> {
  const withLot = (instrument: Instrument): Instrument => {
    const { lotSize, lotMultiplier } = later.byRefId(instrument.refId) ?? instrument;
    return { ...instrument, lotSize, lotMultiplier };
  };
  return {
    byRefId: (refId) => listed.byRefId(refId),
    *all(exchange) {
      for (const instrument of listed.all(exchange)) yield withLot(instrument);
    },
  };
}

/** The records of the instrument master as JSON texts (docs/service/instruments.md#instrument-record). */
export function* masterRows(
  market: Market,
  universe: Pick<Universe, 'all' | 'byRefId'>,
  exchange: 'NSE' | 'BSE' | 'MCX',
  at: number,
  platformWord: string,
  dialect: ServiceDialect,
): Iterable<string> {
  const closes = new Map<number, number>();
  /** The previous close of the underlying, else of the instrument itself: looked up once for all that have the same. */
  const previousClose = (instrument: Instrument): number => {
    const { refId, underlyingRefId, settlesInto } = instrument;
    const key = settlesInto ?? underlyingRefId ?? refId;
    const known = closes.get(key);
    if (known !== undefined) return known;
    const of = key === refId ? instrument : settledBy(instrument, (found) => universe.byRefId(found));
    const close = of === undefined ? 0 : market.previousClose(of, at);
    closes.set(key, close);
    return close;
  };
  const text = JSON.stringify;
  const [idKey, nameKey] = [text(`${platformWord}_id`), text(`${platformWord}_name`)];
  for (const instrument of universe.all(exchange)) {
    const { refId, platId, token, strikePrice, optionType, series, platName, lotSize, asset, expiry } = instrument;
    const { derivativeType, isin, assetType, tickSize } = instrument;
    const multiplier = multiplierByDialect(dialect, instrument);
    // Written out in half the time that an object takes: a list has up to 76,000 of them.
    yield (
      `{"ref_id":${refId},${idKey}:${platId},"strike_price":${strikePrice},"option_type":"${optionType}","token":${token},` +
      `"stock_name":${text(stockNameByDialect(dialect, instrument))},"series":${text(series)},${nameKey}:${text(platName)},` +
      `"lot_size":${lotSize},${multiplier === undefined ? '' : `"qty_multiplier":${multiplier},`}"asset":${text(asset)},` +
      `"expiry":${expiry},"exchange":"${exchange}","derivative_type":"${derivativeType}","isin":${text(isin)},` +
      `"asset_type":${text(assetType)},"tick_size":${tickSize},"underlying_prev_close":${previousClose(instrument)}}`
    );
  }
}
