/** Prices that open elsewhere than they closed. */
import { istDate } from '../../shared/time';
import type { Instrument } from '../../market/reference/types';
import { logReturnOf, movedBy, NO_EFFECTS } from './moves';
import { ScenarioRefusal, type Scenario, type ScenarioPlan, type ScenarioStart } from './types';

function gap(scene: ScenarioStart, instrument: Instrument, percent: number): ScenarioPlan {
  const { of, asset } = movedBy(scene, instrument);
  const from = nextOpening(scene, of);
  const value = logReturnOf(scene, of, 1 + percent / 100);
  return {
    effects: { ...NO_EFFECTS, prices: [{ asset, from, knots: [{ at: from, value, ramp: false }] }] },
    from,
    to: from,
    story: `${of.symbol} opens ${Math.abs(percent)} % ${percent < 0 ? 'lower' : 'higher'}.`,
  };
}

/** Returns the instant at which the next opening price is made; around the clock, the next second. */
function nextOpening({ at, hours, market: { calendar } }: ScenarioStart, { exchange }: Instrument): number {
  if (hours === 'always') return (Math.floor(at / 1_000) + 1) * 1_000;
  let date = istDate(at);
  for (let days = 0; days < 10; days++) {
    const sessions = calendar.isTradingDay(exchange, date) ? calendar.sessions(exchange, false, date) : [];
    const opening = sessions.find(({ phase }) => phase === 'OPEN');
    const before = sessions.find(({ phase }) => phase === 'PRE_OPEN');
    const known = before?.to ?? opening?.from;
    if (known !== undefined && known > at) return known;
    date = calendar.nextTradingDay(exchange, date);
  }
  throw new ScenarioRefusal('There is no trading day to come');
}

const PERCENT = { usual: 3, least: 0.1, most: 20 };

export const gapUp: Scenario = {
  name: 'gap_up',
  title: 'Gap up',
  text: 'The next opening price lies above the last close; around the clock, the next price above the last.',
  instrument: 'NIFTY',
  percent: PERCENT,
  minutes: null,
  plan: (scene, instrument, { percent }) => gap(scene, instrument, percent),
};

export const gapDown: Scenario = {
  name: 'gap_down',
  title: 'Gap down',
  text: 'The next opening price lies below the last close; around the clock, the next price below the last.',
  instrument: 'NIFTY',
  percent: PERCENT,
  minutes: null,
  plan: (scene, instrument, { percent }) => gap(scene, instrument, -percent),
};
