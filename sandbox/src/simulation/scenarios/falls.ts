/** Markets that fall. */
import { WHOLE_MARKET } from '../../market/prices/price-overrides';
import { priceCourse, everySecond, logReturnOf, MINUTE, overMinutes } from './moves';

const { log } = Math;

/** Part of the whole fall of a flash crash at each part of its time; what is left at the end stays. */
const CRASH = [
  [0.15, 0.25],
  [0.25, 0.7],
  [0.3, 1],
  [0.4, 0.6],
  [0.7, 0.4],
  [1, 0.3],
] as const;
/** Volatility that options show, times their usual one: at the bottom, at the end, and when it is as before again. */
const FEAR = { bottom: 1.8, end: 1.25, forgotten: 120 * MINUTE };

export const flashCrash = overMinutes(
  {
    name: 'flash_crash',
    title: 'Flash crash',
    text: 'Falls within minutes, while hardly anybody offers to trade, and takes back most of it. Options get dearer.',
    instrument: 'NIFTY',
    percent: { usual: 8, least: 1, most: 40 },
    minutes: { usual: 15, least: 1, most: 240 },
  },
  ({ scene, at, of, asset, percent, minutes, length }) => {
    const fall = logReturnOf(scene, of, 1 - percent / 100);
    const bottom = 0.3 * length;
    return {
      effects: {
        prices: [
          priceCourse(
            asset,
            at,
            CRASH.map(([part, fallen]) => [part * length, fallen * fall]),
          ),
        ],
        volatilities: [
          priceCourse(asset, at, [
            [bottom, log(FEAR.bottom)],
            [length, log(FEAR.end)],
            [length + FEAR.forgotten, 0],
          ]),
        ],
        books: [{ asset, from: at, to: at + 0.6 * length, part: 0.1, ticks: 4, trading: true }],
        haltCheckTimes: asset === WHOLE_MARKET ? everySecond(at, at + 0.5 * length) : [],
      },
      story: `${of.symbol} falls by ${percent} % within ${(bottom / MINUTE).toFixed(1)} minutes; after ${minutes} most of it is back.`,
    };
  },
);

/** The first stage of the market-wide circuit breakers is 10 %. */
const HALTING = 10.4;

export const marketHalt = overMinutes(
  {
    name: 'trading_halt',
    title: 'Trading halt and reopening',
    text: 'NIFTY falls by ten percent: equity and its derivatives are halted, shares open again by a call auction. MCX trades on.',
    instrument: 'NIFTY',
    percent: null,
    minutes: { usual: 3, least: 1, most: 30 },
  },
  ({ scene, at, market, of, asset, minutes, length }) => {
    const now = market.price(of, at) / market.previousClose(of, at);
    const fall = logReturnOf(scene, of, (1 - HALTING / 100) / now);
    return {
      effects: {
        prices: [priceCourse(asset, at, [[length, fall]])],
        volatilities: [
          priceCourse(asset, at, [
            [length, log(FEAR.bottom)],
            [length + FEAR.forgotten, log(FEAR.end)],
          ]),
        ],
        // What it does on its own in the meantime may hold it back for a while.
        haltCheckTimes: everySecond(at, at + 2 * length),
      },
      story: `${of.symbol} falls to ${HALTING} % below its previous close within ${minutes} minutes. From 14:30 on no such fall halts trading.`,
    };
  },
);

export const brokerOutage = overMinutes(
  {
    name: 'broker_outage',
    title: 'Broker outage at the worst moment',
    text: 'While the market falls the broker answers nothing: requests get 503, streams break. The exchange trades on.',
    instrument: 'NIFTY',
    percent: { usual: 3, least: 0, most: 20 },
    minutes: { usual: 5, least: 1, most: 240 },
  },
  ({ scene, at, of, asset, percent, minutes, length }) => {
    const fall = logReturnOf(scene, of, 1 - percent / 100);
    return {
      effects: {
        prices: [
          priceCourse(asset, at, [
            [0.8 * length, fall],
            [length, 0.8 * fall],
          ]),
        ],
      },
      story: `The broker cannot be reached for ${minutes} minutes, in which ${of.symbol} falls by ${percent} %.`,
      outage: { from: at, to: at + length },
    };
  },
);
