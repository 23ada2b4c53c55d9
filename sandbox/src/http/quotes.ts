import { instrumentNamed } from '../market/reference/instrument-named';
import { sessionUser } from '../web/authentication';
import { exchangeOf, wholeOf } from '../web/input';
import { ApiError } from '../web/errors';
import { nanoseconds } from '../web/records';
import { replySchemas } from '../web/reply-schemas';
import { EXCHANGE, parameters, SESSION_SECURITY } from '../web/schema';
import { int64 } from '../shared/json';
import type { RouteContext } from '../web/route-context';

const TAGS = ['Market data'];
const USUAL_LEVELS = 5;
const MAX_LEVELS = 20;
const LEVELS = parameters({ levels: `Levels of each side, at most ${MAX_LEVELS}; ${USUAL_LEVELS} when left out` });

/** Market quote and current price (docs/service/market-data.md). */
export function quoteRoutes({ app, sandbox }: RouteContext): void {
  const schemas = replySchemas(sandbox.options);
  app.get(
    '/orderbooks/:ref_id',
    {
      schema: {
        tags: TAGS,
        summary: 'Order book of an instrument',
        response: schemas.book,
        querystring: LEVELS,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      sessionUser(sandbox, request);
      const { ref_id } = request.params as { ref_id: string };
      const { levels } = request.query as { levels?: string };
      const { world } = sandbox;
      const instrument = world.universe().byRefId(wholeOf('ref_id', ref_id, 0, Number.MAX_SAFE_INTEGER));
      if (instrument === undefined)
        throw new ApiError(404, `There is no instrument with ref_id ${ref_id} in this environment today`);
      const at = sandbox.instant;
      const shown = Math.max(1, wholeOf('levels', levels, USUAL_LEVELS, MAX_LEVELS));
      const book = world.exchange.bookSnapshot(instrument, at, shown);
      const ts = int64(nanoseconds(at, instrument.refId));
      const previousClose = world.market.previousClose(instrument, at);
      if (sandbox.dialect.order_book_names === 'long') {
        const long = (side: typeof book.bids) =>
          side.map(({ price, quantity, orders }) => ({ price, quantity, num_orders: orders }));
        return {
          orderBook: {
            inst_id: instrument.token,
            ref_id: instrument.refId,
            timestamp: ts,
            bid: long(book.bids),
            ask: long(book.asks),
            last_traded_price: book.lastPrice,
            last_traded_quantity: book.lastQuantity,
            volume: book.volume,
            prev_close: previousClose,
          },
        };
      }
      const short = (side: typeof book.bids) =>
        side.map(({ price, quantity, orders }) => ({ p: price, q: quantity, o: orders }));
      return {
        orderBook: {
          inst_id: instrument.token,
          ref_id: instrument.refId,
          ts,
          bid: short(book.bids),
          ask: short(book.asks),
          ltp: book.lastPrice,
          ltq: book.lastQuantity,
          volume: book.volume,
          prev_close: previousClose,
        },
      };
    },
  );

  app.get(
    '/optionchains/:instrument/price',
    {
      schema: {
        tags: TAGS,
        summary: 'Current price',
        response: schemas.price,
        querystring: parameters({ exchange: EXCHANGE }),
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      sessionUser(sandbox, request);
      const { instrument: symbol } = request.params as { instrument: string };
      const exchange = exchangeOf((request.query as { exchange?: string }).exchange);
      const { world } = sandbox;
      const at = sandbox.instant;
      const instrument = instrumentNamed(world.universe(), exchange, symbol);
      // A commodity has no price; its futures have (docs/service/instruments.md#names-for-prices).
      if (instrument === undefined && exchange === 'MCX' && world.universe().futures(exchange, symbol).length > 0)
        throw new ApiError(400, 'Invalid asset name');
      if (instrument === undefined)
        throw new ApiError(404, `${symbol} is not an instrument of ${exchange}: pass its trading symbol and exchange`);
      const price = world.lastPrice(instrument);
      const previous = world.market.previousClose(instrument, at);
      const indicative = world.indicativeClose(instrument);
      return {
        message: 'current price',
        exchange,
        price,
        prev_close: previous,
        change: previous === 0 ? 0 : Math.round(((price - previous) / previous) * 1_000_000) / 10_000,
        ...(indicative === undefined ? {} : { indicative_close_price: indicative }),
      };
    },
  );
}
