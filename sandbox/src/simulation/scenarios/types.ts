import type { MarketEffects } from '../../exchange/types';
import type { Market } from '../../market/prices/types';
import type { Instrument, Universe } from '../../market/reference/types';

/** What a scenario may be told. */
export interface ScenarioTerms {
  /** What it happens to; that of the definition when left out. */
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

/** Where and when a scenario begins. */
export interface Scene {
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
  /** When the session of an instrument that runs now, or the last of the day, closes; milliseconds. */
  closeOf(instrument: Instrument): number;
}

/** An account with positions on margin; money in paise. */
export interface AccountOnMargin {
  account: string;
  available: number;
  /** Those that need the most first; quantities are signed. */
  positions: { instrument: Instrument; quantity: number; margin: number }[];
}

/** What a scenario is going to do. */
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
  /** What it happens to when nothing is named: a trading symbol on NSE; null where it finds one. */
  instrument: string | null;
  percent: ScenarioNumber | null;
  minutes: ScenarioNumber | null;
  /** @throws ScenarioRefusal when it cannot happen now */
  plan(scene: Scene, instrument: Instrument, numbers: { percent: number; minutes: number }): ScenarioPlan;
  /** What it happens to when nothing is named and `instrument` is null. @throws ScenarioRefusal when there is nothing */
  choose?(scene: Scene): Instrument | undefined;
}

/** A scenario as it was started. */
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
