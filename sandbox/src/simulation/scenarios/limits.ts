/** Prices that are held: by their band, or by a strike. */
import { istDate, istMidnight } from '../../shared/time';
import { fixedBand } from '../../market/reference/fixed-band';
import type { Instrument } from '../../market/reference/types';
import { priceCourse, logReturnOf, MINUTE, requireOpen, movedBy, NO_EFFECTS, overMinutes } from './moves';
import { ScenarioRefusal, type Scenario, type ScenarioStart } from './types';

const { log, min } = Math;

/** So far beyond its band a price would go if it could: the market's own moves do not bring it back in. */
const BEYOND = 0.15;
/** Many wait to buy, and nobody sells to them. */
const QUEUE = { part: 20, ticks: 0, trading: false };

export const limitUp: Scenario = {
  name: 'limit_up',
  title: 'Limit-up without sellers',
  text: 'A share rises to the upper end of its price band and stays there until the close: many want to buy, and nobody sells.',
  instrument: null,
  percent: null,
  minutes: { usual: 2, least: 1, most: 60 },
  choose: ({ universe }) => {
    for (const instrument of universe.all('NSE', ['STOCK']))
      if (instrument.series === 'EQ' && instrument.bandPercent !== null && instrument.bandPercent >= 5)
        return instrument;
    return undefined;
  },
  plan(scene, instrument, { minutes }) {
    const { at, market } = scene;
    const { bandPercent, derivativeType, exchange, symbol, tickSize } = instrument;
    if (bandPercent === null || derivativeType !== 'STOCK')
      throw new ScenarioRefusal(`${symbol} has no fixed price band: name a share without futures and options`);
    requireOpen(scene, instrument);
    const { asset } = movedBy(scene, instrument);
    const { high } = fixedBand(market.previousClose(instrument, at), bandPercent, tickSize);
    const price = market.price(instrument, at);
    const end = scene.closeOf(instrument);
    const nextDay = istMidnight(market.calendar.nextTradingDay(exchange, istDate(at)));
    // From the next day on it goes on from the price at which it was held.
    const after = log(high / market.previousClose(instrument, nextDay));
    const knots = [
      { at: at + minutes * MINUTE, value: log(high / price) + BEYOND, ramp: true },
      { at: end, value: log(high / price) + BEYOND, ramp: true },
      { at: nextDay, value: after, ramp: false },
    ];
    return {
      effects: {
        ...NO_EFFECTS,
        prices: [{ asset, from: at, knots }],
        books: [{ asset, ...QUEUE, from: knots[0]!.at, to: end }],
      },
      from: at,
      to: end,
      story: `${symbol} rises to ${high / 100}, the end of its band, within ${minutes} minutes, and stays there until the close.`,
    };
  },
};

/** At the strike a price still moves by so much of what it would have moved. */
const LEFT = 0.05;
/** Interval at which the pull of the strike is computed again. */
const STEP = 5 * MINUTE;

export const expiryPinning: Scenario = {
  name: 'expiry_pinning',
  title: 'Expiry pinning',
  text: 'On the day of its expiry an underlying is drawn to the strike next to it, and stays there until the settlement.',
  instrument: 'NIFTY',
  percent: null,
  minutes: { usual: 60, least: 5, most: 360 },
  plan(scene, instrument, { minutes }) {
    requireOpen(scene, instrument);
    const { at, market } = scene;
    const { of, asset } = movedBy(scene, instrument);
    const strike = strikeNextTo(scene, of);
    const end = scene.closeOf(of);
    const points: [number, number][] = [];
    const nextDay = istMidnight(market.calendar.nextTradingDay(of.exchange, istDate(at)));
    for (let then = at + STEP; then < end + STEP; then += STEP) {
      const instant = min(then, end - 1);
      const pull = (1 - LEFT) * min((instant - at) / (minutes * MINUTE), 1);
      // What is settled is settled by the official close, which is not the last price.
      const price = then < end ? market.price(of, instant) : market.previousClose(of, nextDay);
      points.push([instant - at, logReturnOf(scene, of, (strike / price) ** pull)]);
    }
    return {
      effects: { ...NO_EFFECTS, prices: [priceCourse(asset, at, points)] },
      from: at,
      to: end,
      story: `${of.symbol} is drawn to ${strike / 100} within ${minutes} minutes, and stays there until its options are settled.`,
    };
  },
};

/** @throws ScenarioRefusal where no option expires today */
function strikeNextTo({ at, market, universe }: ScenarioStart, { exchange, symbol, refId }: Instrument): number {
  const today = Number(istDate(at).replaceAll('-', ''));
  const expiries = universe.expiries(exchange, symbol);
  if (!expiries.includes(today)) {
    const next = expiries[0];
    throw new ScenarioRefusal(
      next === undefined
        ? `${symbol} has no options`
        : `No option on ${symbol} expires today: the next expiry is ${next}`,
    );
  }
  const price = market.price(universe.byRefId(refId)!, at);
  const strikes = universe.options(exchange, symbol, today).ce.map(({ strikePrice }) => strikePrice);
  return strikes.reduce((best, strike) => (Math.abs(strike - price) < Math.abs(best - price) ? strike : best));
}

export const volatilityCrush = overMinutes(
  {
    name: 'volatility_crush',
    title: 'Volatility crush',
    text: 'The volatility that options show falls, as after results or a budget. Their underlying does not move.',
    instrument: 'NIFTY',
    percent: { usual: 35, least: 1, most: 90 },
    minutes: { usual: 5, least: 1, most: 360 },
  },
  ({ at, market, of, percent, minutes, length }) => {
    const { asset } = market.exposure(of.refId);
    return {
      effects: { volatilities: [priceCourse(asset, at, [[length, log(1 - percent / 100)]])] },
      story: `The volatility of options on ${of.symbol} falls by ${percent} % within ${minutes} minutes.`,
    };
  },
);
