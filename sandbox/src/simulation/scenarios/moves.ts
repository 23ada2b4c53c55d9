import { WHOLE_MARKET, type PriceCourse } from '../../market/prices/price-overrides';
import type { FactorExposure } from '../../market/prices/exposures';
import type { Instrument } from '../../market/reference/types';
import type { MarketEffects } from '../../exchange/types';
import { ScenarioRefusal, type Scenario, type ScenarioPlan, type ScenarioStart } from './types';

const { exp, log } = Math;

export const MINUTE = 60_000;
export const NO_EFFECTS = { prices: [], volatilities: [], books: [], haltCheckTimes: [] };

/** Returns the moves of a scenario that happens to an instrument: its underlying, and the whole market for an index. */
export function movedBy(
  { market, universe }: ScenarioStart,
  instrument: Instrument,
): { of: Instrument; asset: string } {
  const { underlyingRefId } = instrument;
  const of = (underlyingRefId === null ? undefined : universe.byRefId(underlyingRefId)) ?? instrument;
  const { asset, members } = market.exposure(of.refId);
  return { of, asset: of.derivativeType === 'INDEX' && members.length > 0 ? WHOLE_MARKET : asset };
}

/** The logarithm by which what `movedBy` names must move so that an instrument's price becomes `times` what it is. */
export function logReturnOf({ market }: ScenarioStart, instrument: Instrument, times: number): number {
  const exposure = market.exposure(instrument.refId);
  if (instrument.derivativeType !== 'INDEX' || exposure.members.length === 0) return log(times);
  let [low, high] = [-3, 3];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (withMarket(exposure, middle) < times) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Returns the factor of a price when the market moves by a logarithm. */
function withMarket({ beta, members }: FactorExposure, move: number): number {
  if (members.length === 0) return exp(beta * move);
  return members.reduce((sum, { of, weight }) => sum + weight * withMarket(of, move), 0);
}

/** A course through points [milliseconds since it began, logarithm]. */
export function priceCourse(
  asset: string,
  from: number,
  points: readonly (readonly [after: number, value: number])[],
): PriceCourse {
  return { asset, from, knots: points.map(([after, value]) => ({ at: from + after, value, ramp: true })) };
}

/** @throws ScenarioRefusal when an instrument does not trade now */
export function requireOpen(scene: ScenarioStart, instrument: Instrument): void {
  if (!scene.isOpen(instrument))
    throw new ScenarioRefusal(
      `${instrument.symbol} does not trade now: move the clock into its session, or start the sandbox with --hours always`,
    );
}

/** The instants of each second of a span, the first of them a second after it begins; milliseconds. */
export function everySecond(from: number, to: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / 1_000) }, (_, second) => from + (second + 1) * 1_000);
}

/** Moment that `overMinutes` gives to a scenario: what it moves, its numbers, and their minutes in milliseconds. */
export interface ScenarioContext extends Pick<ScenarioStart, 'at' | 'market'> {
  scene: ScenarioStart;
  of: Instrument;
  asset: string;
  percent: number;
  minutes: number;
  length: number;
}

/** A scenario that begins at once, where its instrument trades, and goes on for its minutes. */
export function overMinutes(
  facts: Omit<Scenario, 'plan'>,
  happen: (moment: ScenarioContext) => { effects: Partial<MarketEffects> } & Pick<ScenarioPlan, 'story' | 'outage'>,
): Scenario {
  return {
    ...facts,
    plan(scene, instrument, { percent, minutes }) {
      requireOpen(scene, instrument);
      const { at, market } = scene;
      const length = minutes * MINUTE;
      const { effects, ...reported } = happen({
        scene,
        at,
        market,
        ...movedBy(scene, instrument),
        percent,
        minutes,
        length,
      });
      return { effects: { ...NO_EFFECTS, ...effects }, from: at, to: at + length, ...reported };
    },
  };
}
