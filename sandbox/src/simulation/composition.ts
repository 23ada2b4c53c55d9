/** The market, the exchange and what is built on it, put together for one world. */
import { createAccounts } from '../accounts/accounts';
import { MarginCalls } from '../accounts/margin-calls';
import { intradayStop, SquareOff } from '../accounts/square-off';
import type { Accounts } from '../accounts/types';
import { createBaskets } from '../exchange/strategies/v2-baskets';
import type { BasketEvent, Baskets } from '../exchange/strategies/v2-basket-types';
import { createExchange } from '../exchange/exchange';
import { MarketHalts } from '../exchange/halt';
import { withHalts, withoutHaltedTrades } from '../exchange/halted-market';
import { createIntentOrders } from '../exchange/strategies/strategies';
import type { IntentEvent, IntentOrders } from '../exchange/strategies/types';
import type { ExchangeEvent } from '../exchange/types';
import { withAdjustedCandles } from '../market/corporate-actions/adjusted-candles';
import { withCorporateActions } from '../market/corporate-actions/as-traded';
import { CorporateActions } from '../market/corporate-actions/corporate-actions';
import { LIVE_STEP_MS } from '../market/mirror/types';
import { cachedMarket } from '../market/prices/market-cache';
import { withPriceOverrides } from '../market/prices/overridden-market';
import { PriceOverrides } from '../market/prices/price-overrides';
import type { Market } from '../market/prices/types';
import type { Recordings } from '../market/recordings/types';
import { exchangeListings } from '../market/reference/exchange-listings';
import type { Instrument } from '../market/reference/types';
import { createRandomSource } from '../shared/random';
import { istDate } from '../shared/time';
import { announceRecorded } from './recorded-actions';
import { buyInPrice } from './delivery-auction';
import type { Journal } from './journal';
import { journalBasketEvent, journalIntentEvent, journalMarginCall } from './journal-entries';
import type { ExecutionModels } from './models';
import type { SandboxOptions } from './options';
import type { Exchange } from '../exchange/contract';
import type { SimulatedBrokerageState } from './types';

/** Length of the steps in which orders meet a market, unless it is seen more often; milliseconds. */
const STEP_MS = 1_000;
/** Intent orders draw from a separate random source. */
const INTENT_SALT = 0x1a7e_0001;

/** Exchange, market and accounts of a simulated brokerage. */
export interface SimulatedBrokerageParts {
  /** The market as everybody sees it: in a halt nothing of it moves. */
  market: Market;
  /** The market without what users and scenarios did to it. */
  marketAlone: Market;
  corporateActions: CorporateActions;
  /** Moves of the market's prices, and trades of users. */
  priceOverrides: PriceOverrides;
  exchange: Exchange;
  accounts: Accounts;
  baskets: Baskets;
  intents: IntentOrders;
}

/** Context that the parts are given. Instants are milliseconds. */
export interface SandboxPartsContext {
  startAt: number;
  /** Instant of the world. */
  at: number;
  journal: Journal;
  models: ExecutionModels;
  /** Recordings of a real market; undefined where all of it is made up. */
  recordings: Recordings | undefined;
  /** The live market that is mirrored; undefined where there is none. */
  live: Market | undefined;
  /** Told of everything that happens to an order, in order, once. */
  orderEvent(event: ExchangeEvent): void;
  /** The same of baskets. */
  basketEvent(event: BasketEvent): void;
  /** The same of intent orders. */
  intentEvent(event: IntentEvent): void;
}

/** @param from what another world of the same options and start has come to: its parts go on from there. */
export function createParts(
  options: SandboxOptions,
  context: SandboxPartsContext,
  from?: SimulatedBrokerageState,
): SimulatedBrokerageParts {
  const { seed, universe, hours, funds } = options;
  const { startAt, at, journal, models, recordings, live } = context;
  const { latency } = models;
  const corporateActions = new CorporateActions(from?.corporateActions);
  const halts = new MarketHalts();
  const haltsOf = (instrument: Instrument) => halts.of(instrument);
  const own = withoutHaltedTrades(
    withCorporateActions(
      live ?? cachedMarket({ seed, universe, hours, ...(recordings && { recordings }) }),
      corporateActions,
      recordings !== undefined,
    ),
    haltsOf,
  );
  const priceOverrides = new PriceOverrides(models.impact.curvesOf);
  const market = withHalts(withAdjustedCandles(withPriceOverrides(own, priceOverrides), corporateActions), haltsOf);
  const { calendar } = own;
  if (from === undefined && recordings !== undefined)
    announceRecorded(market, corporateActions, recordings.actions, startAt);
  const universeAt = (instant: number) => market.universe(Math.max(instant, startAt));
  const stops = {
    intradayStop: (instrument: Instrument, instant: number) => intradayStop(calendar, instrument, instant),
  };
  const accounts = createAccounts(
    {
      calendar,
      instrument: (refId, instant) => universeAt(instant).byRefId(refId),
      listings: (instrument, instant) => Object.values(exchangeListings(universeAt(instant), instrument)),
      lastPrice: (instrument, instant) =>
        instant < startAt ? own.price(instrument, instant) : exchange.lastPrice(instrument, instant),
      previousClose: (instrument, instant) => market.previousClose(instrument, instant),
      closeOut: (instrument, side, quantity, instant) =>
        instant < startAt ? own.price(instrument, instant) : exchange.closeOut(instrument, side, quantity, instant),
      buyIn: (instrument, soldOn, instant) =>
        buyInPrice(market, seed, instrument, soldOn, instant, dividendOf(corporateActions, instrument, instant)),
      tariff: models.fees.tariff,
      onCredit: funds === 'unchecked',
      // What expires is settled by the official close, not by the last price: it is an average, or what an auction has found. Whoever pushes that
      // close by trading must not be paid for all that is settled by it.
      settlement: (underlying, instant) => market.settlementPrice(underlying, instant),
      ...(hours === 'exchange' ? stops : {}),
    },
    from?.accounts,
  );
  const exchange = createExchange(
    {
      market: own,
      priceOverrides,
      halts,
      random: createRandomSource(seed),
      risk: accounts,
      options: {
        hours,
        latency,
        fill: models.fill,
        stepMs: live === undefined ? (recordings?.stepMs ?? STEP_MS) : LIVE_STEP_MS,
      },
      startAt,
    },
    from?.exchange,
  );
  exchange.onEvent(context.orderEvent);
  const instrument = (refId: number, instant: number): Instrument | undefined =>
    market.universe(instant).byRefId(refId);
  const built = { exchange, instrument, startAt, latency };
  const baskets = createBaskets({ ...built, random: createRandomSource(~seed) }, from?.baskets);
  baskets.onEvent((event) => {
    journalBasketEvent(context, event);
    context.basketEvent(event);
  });
  const intents = createIntentOrders(
    { ...built, random: createRandomSource(seed ^ INTENT_SALT), ...(hours === 'exchange' ? stops : {}) },
    from?.intents,
  );
  intents.onEvent((event) => {
    journalIntentEvent(context, event);
    context.intentEvent(event);
  });
  if (hours === 'exchange') exchange.attach(new SquareOff({ accounts, exchange, calendar }, at));
  exchange.attach(
    new MarginCalls({
      accounts,
      exchange,
      endOrdersOn: (position, reason, instant) => {
        for (const orders of [baskets, intents]) orders.closedByBroker(position, reason, instant);
      },
      onMarginCall: (event) => journalMarginCall({ journal }, event),
    }),
  );
  return {
    market,
    marketAlone: withHalts(own, haltsOf),
    corporateActions,
    priceOverrides,
    exchange,
    accounts,
    baskets,
    intents,
  };
}

/** Returns the ordinary dividend of a share that goes ex on the day of an instant, paise a share: the close before still holds it. */
function dividendOf(corporateActions: CorporateActions, { refId }: Instrument, at: number): number {
  return corporateActions
    .effective(refId, at)
    .filter(({ exDate, extraordinary }) => exDate === istDate(at) && !extraordinary)
    .reduce((sum, { dividend }) => sum + dividend, 0);
}
