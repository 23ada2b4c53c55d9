/** Corporate actions of a world: what can be announced, and what takes effect at midnight. */
import { EXTRAORDINARY_DIVIDENDS } from './data/extraordinary-dividends';
import { adjustedStrike } from '../market/corporate-actions/terms';
import type {
  CorporateAction,
  CorporateActionTerms,
  EffectiveAction,
  NewCorporateAction,
} from '../shared/corporate-actions';
import type { Calendar, Instrument, Universe } from '../market/reference/types';
import { effectiveOn } from '../shared/effective-date';
import { mulDiv, rupees } from '../shared/money';
import { istDate, istMidnight } from '../shared/time';
import type { Journal } from './journal';
import type { SimulatedBrokerageParts } from './composition';
import type { SandboxOptions } from './options';

/** The reason why a corporate action cannot be announced. */
export class CorporateActionRefusal extends Error {}

/** Maximum dividend, percent of the share's price. */
const MAX_DIVIDEND = 20;
/** Nothing makes a share cheaper than this, paise. */
const MIN_PRICE = 100;
/** Most new shares for one. */
const MAX_NEW_SHARES = 100;

interface Announcing extends Pick<SimulatedBrokerageParts, 'market' | 'corporateActions' | 'exchange'> {
  options: SandboxOptions;
  /** The share under its ref_id on each exchange that lists it. */
  listings(share: Instrument): Record<string, number>;
}

/**
 * A corporate action as it would be announced now.
 * @throws CorporateActionRefusal when it cannot be: it says why, and what to do
 */
export function planCorporateAction(
  world: Announcing,
  requested: NewCorporateAction,
  at: number,
): Omit<CorporateAction, 'id'> {
  const { market, corporateActions, exchange, options } = world;
  if (options.replay !== undefined || options.mirror !== undefined)
    throw new CorporateActionRefusal(
      'Prices of a replay or a mirror are those of a real market, which has its own corporate actions (a replay takes the list of NSE from its folder): start the sandbox without --replay and --mirror',
    );
  const share = market.universe(at).byRefId(requested.refId);
  if (share === undefined) throw new CorporateActionRefusal(`There is no instrument with ref_id ${requested.refId}`);
  if (share.derivativeType !== 'STOCK' || share.exchange === 'MCX')
    throw new CorporateActionRefusal(`${share.symbol} is no share: only shares have corporate actions`);
  const { exDate } = requested;
  checkDate(market.calendar, exDate, istDate(at));
  const refIds = Object.values(world.listings(share));
  const otherActions = corporateActions.of(share.refId);
  if (otherActions.some((action) => action.exDate === exDate))
    throw new CorporateActionRefusal(`${share.symbol} has a corporate action on ${exDate} already: take another day`);
  if (otherActions.some((action) => action.close === undefined && action.exDate > exDate))
    throw new CorporateActionRefusal(
      `${share.symbol} has a corporate action announced for a later day: announce them in the order of their days`,
    );
  const price = exchange.lastPrice(share, at);
  const { before, after, dividend } = termsOf(requested, share, price);
  const from = istMidnight(exDate);
  const pending = otherActions.filter(({ close }) => close === undefined);
  const { percent } = effectiveOn(EXTRAORDINARY_DIVIDENDS, istDate(at));
  const action: Omit<CorporateAction, 'id'> = {
    kind: requested.kind,
    symbol: share.symbol,
    refIds,
    exDate,
    from,
    announced: at,
    before,
    after,
    dividend,
    extraordinary: dividend * 100 >= price * percent,
  };
  checkContracts(market.universe(from), { ...action, id: 0 }, pending, price);
  return action;
}

/** Announces one. @throws CorporateActionRefusal as `planCorporateAction` does */
export function announce(world: Announcing, requested: NewCorporateAction, at: number): CorporateAction {
  return world.corporateActions.announce(planCorporateAction(world, requested, at));
}

type Taking = Pick<
  SimulatedBrokerageParts,
  'market' | 'corporateActions' | 'exchange' | 'accounts' | 'baskets' | 'intents'
>;

/** Lets what is due at a midnight (milliseconds) take effect, before anything trades. */
export function applyDueCorporateActions(world: Taking, journal: Journal, midnight: number): void {
  const { market, corporateActions, exchange, accounts, baskets, intents } = world;
  for (const { id, refIds, symbol, exDate, ...terms } of corporateActions.dueAt(midnight)) {
    const share = market.universe(midnight).byRefId(refIds[0]!)!;
    const action = corporateActions.takeEffect(id, market.previousClose(share, midnight));
    accounts.corporateAction(action, midnight);
    exchange.relist(refIds, midnight);
    for (const orders of [baskets, intents])
      if (movesPrices(action))
        orders.repriced(refIds, action, `${describeAction(action)}: the exchange cancels orders`, midnight);
      else orders.relist(refIds, midnight);
    const { kind, before, after, dividend, extraordinary } = terms;
    journal.write(midnight, 'corporate_action', {
      corporate_action_id: id,
      action: kind,
      symbol,
      ref_ids: [...refIds],
      ex_date: exDate,
      ...(dividend > 0 ? { dividend, extraordinary } : { before, after }),
      story: describeAction(action),
    });
  }
}

/** A corporate action in a few words. */
export function describeAction({
  kind,
  symbol,
  exDate,
  before,
  after,
  dividend,
  extraordinary,
}: CorporateAction): string {
  if (kind === 'split') return `${symbol} splits 1 share into ${after} on ${exDate}`;
  if (kind === 'bonus') return `${symbol} gives ${after - before} bonus for ${before} held on ${exDate}`;
  return `${symbol} pays ${extraordinary ? 'an extraordinary' : 'a'} dividend of Rs ${rupees(dividend)} a share on ${exDate}`;
}

/** True if orders at prices of before make no sense any more. */
const movesPrices = ({ dividend, extraordinary }: EffectiveAction): boolean => dividend === 0 || extraordinary;

function checkDate(calendar: Calendar, exDate: string, today: string): void {
  const midnight = istMidnight(exDate);
  if (Number.isNaN(midnight) || istDate(midnight) !== exDate)
    throw new CorporateActionRefusal(`ex_date must be a day such as 2026-11-24, not "${exDate}"`);
  if (exDate <= today)
    throw new CorporateActionRefusal(`ex_date must be after today, ${today}: it takes effect at midnight`);
  if (exDate > calendar.last) throw new CorporateActionRefusal(`There is no market after ${calendar.last}`);
  if (!calendar.isTradingDay('NSE', exDate))
    throw new CorporateActionRefusal(
      `${exDate} is no trading day of NSE: the next one is ${calendar.nextTradingDay('NSE', exDate)}`,
    );
}

/** Returns the numbers of shares before and after, and paise a share. */
function termsOf(
  requested: CorporateActionTerms,
  { symbol }: Instrument,
  price: number,
): Pick<CorporateAction, 'before' | 'after' | 'dividend'> {
  if (requested.kind === 'dividend') {
    const { perShare } = requested;
    const max = mulDiv(price, MAX_DIVIDEND, 100);
    if (!Number.isSafeInteger(perShare) || perShare < 1 || perShare > max)
      throw new CorporateActionRefusal(
        `per_share must be whole paise from 1 to ${max} (${MAX_DIVIDEND} % of the price of ${symbol}), not ${perShare}`,
      );
    return { before: 1, after: 1, dividend: perShare };
  }
  const counts = requested.kind === 'split' ? [requested.from, requested.to] : [requested.issued, requested.held];
  if (counts.some((count) => !Number.isSafeInteger(count) || count < 1 || count > MAX_NEW_SHARES))
    throw new CorporateActionRefusal(
      `${requested.kind === 'split' ? 'from and to' : 'issued and held'} must be whole numbers from 1 to ${MAX_NEW_SHARES}, not ${counts.join(' and ')}`,
    );
  if (requested.kind === 'bonus')
    return { before: requested.held, after: requested.held + requested.issued, dividend: 0 };
  const { from, to } = requested;
  if (from <= to || from % to !== 0)
    throw new CorporateActionRefusal(
      `A split takes the face value down to a part of it, such as from 10 to 2, not from ${from} to ${to}`,
    );
  return { before: 1, after: from / to, dividend: 0 };
}

/** Lots must stay whole, strikes apart from each other, and the share above the lowest price. */
function checkContracts(
  universe: Universe,
  action: CorporateAction,
  pending: readonly CorporateAction[],
  price: number,
): void {
  const { symbol, refIds } = action;
  const all = [...pending, action];
  const product = (of: (corporateAction: CorporateAction) => number): number =>
    all.reduce((factor, corporateAction) => factor * of(corporateAction), 1);
  const [before, after] = [
    product((corporateAction) => corporateAction.before),
    product((corporateAction) => corporateAction.after),
  ];
  if (mulDiv(price, before, after) < MIN_PRICE)
    throw new CorporateActionRefusal(`${symbol} would cost less than Rs ${rupees(MIN_PRICE)}: take fewer new shares`);
  const exchange = universe.byRefId(refIds[0]!)?.exchange ?? 'NSE';
  for (const { lotSize } of universe.futures(exchange, symbol))
    if ((lotSize * after) % before !== 0)
      throw new CorporateActionRefusal(
        `The lot of ${lotSize} of the contracts on ${symbol} would be no whole number of shares: take another ratio`,
      );
  const effects = all.map((corporateAction): EffectiveAction => ({ ...corporateAction, close: price }));
  for (const expiry of universe.expiries(exchange, symbol)) {
    const { ce } = universe.options(exchange, symbol, expiry);
    const strikes = new Set(ce.map((option) => adjustedStrike(option.strikePrice, effects)));
    if (strikes.size < ce.length)
      throw new CorporateActionRefusal(`Strikes of options on ${symbol} would fall together: take fewer new shares`);
  }
}
