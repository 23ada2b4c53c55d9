import type { MarketEffects } from '../../exchange/types';
import type { Market } from '../../market/prices/types';
import type { Instrument, Universe } from '../../market/reference/types';

/** Terms of a scenario. */
export interface ScenarioTerms {
  /** Instrument that it happens to; that of the definition when left out. */
  refId?: number;
  percent?: number;
  minutes?: number;
}

/** A number that a scenario takes. */
export interface ScenarioNumber {
  usual: number;
  least: number;
  most: number;
}

/** Place and time at which a scenario begins. */
export interface ScenarioStart {
  /** Milliseconds. */
  at: number;
  hours: 'always' | 'exchange';
  /** As it has been moved so far. */
  market: Market;
  universe: Universe;
  /** True if an instrument trades continuously now. */
  isOpen(instrument: Instrument): boolean;
  /** Accounts with positions on margin, and what they have left. */
  onMargin(): AccountOnMargin[];
  /** Returns the close of an instrument's present session, or of the last of the day; milliseconds. */
  closeOf(instrument: Instrument): number;
}

/** An account with positions on margin; money in paise. */
export interface AccountOnMargin {
  account: string;
  available: number;
  /** Those that need the most first; quantities are signed. */
  positions: { instrument: Instrument; quantity: number; margin: number }[];
}

/** Plan of a scenario. */
export interface ScenarioPlan {
  effects: MarketEffects;
  /** Milliseconds. */
  from: number;
  to: number;
  /** In one sentence. */
  story: string;
  /** While the broker cannot be reached; milliseconds, end exclusive. */
  outage?: { from: number; to: number };
}

/** Something that can happen to a market or a broker. */
export interface Scenario {
  name: string;
  title: string;
  text: string;
  /** Instrument that it happens to when none is named: a trading symbol on NSE; null where it finds one. */
  instrument: string | null;
  percent: ScenarioNumber | null;
  minutes: ScenarioNumber | null;
  /** @throws ScenarioRefusal when it cannot happen now */
  plan(scene: ScenarioStart, instrument: Instrument, numbers: { percent: number; minutes: number }): ScenarioPlan;
  /** Chooses the instrument when none is named and `instrument` is null. @throws ScenarioRefusal when there is nothing */
  choose?(scene: ScenarioStart): Instrument | undefined;
}

/** A started scenario. */
export interface StartedScenario {
  id: number;
  name: string;
  /** Milliseconds. */
  from: number;
  to: number;
  story: string;
  outage?: { from: number; to: number };
}

/** The reason why a scenario cannot happen. */
export class ScenarioRefusal extends Error {}
