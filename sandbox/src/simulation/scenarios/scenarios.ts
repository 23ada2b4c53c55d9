/** Things that can happen to a market, started by the user or a test. */
import type { Instrument } from '../../market/reference/types';
import { brokerOutage, flashCrash, marketHalt } from './falls';
import { gapDown, gapUp } from './gaps';
import { marginCall } from './margin-call';
import { expiryPinning, limitUp, volatilityCrush } from './limits';
import {
  ScenarioRefusal,
  type Scenario,
  type ScenarioNumber,
  type ScenarioPlan,
  type ScenarioTerms,
  type ScenarioStart,
  type StartedScenario,
} from './types';

export const SCENARIOS: readonly Scenario[] = [
  flashCrash,
  gapUp,
  gapDown,
  limitUp,
  volatilityCrush,
  expiryPinning,
  marketHalt,
  brokerOutage,
  marginCall,
];

/** Started scenarios that are remembered. */
const KEPT = 100;

/** Scenarios that have been started, as plain data. */
export interface ScenariosState {
  started: StartedScenario[];
  last: number;
}

/** The scenarios of a world. */
export class Scenarios {
  private started: StartedScenario[];
  private last: number;

  constructor(from: ScenariosState = { started: [], last: 0 }) {
    this.started = [...from.started];
    this.last = from.last;
  }

  /**
   * Returns the plan of a scenario now.
   * @throws ScenarioRefusal when there is none of that name, a term is not one it takes, or it cannot happen now
   */
  plan(name: string, terms: ScenarioTerms, scene: ScenarioStart): ScenarioPlan {
    const scenario = SCENARIOS.find((scenario) => scenario.name === name);
    if (scenario === undefined)
      throw new ScenarioRefusal(
        `There is no scenario ${name}; there are ${SCENARIOS.map((scenario) => scenario.name).join(', ')}`,
      );
    const percent = number('percent', scenario.percent, terms.percent, name);
    const minutes = number('minutes', scenario.minutes, terms.minutes, name);
    return scenario.plan(scene, instrumentOf(scenario, terms, scene), { percent, minutes });
  }

  /** Remembers one that begins. */
  note(name: string, { from, to, story, outage }: ScenarioPlan): StartedScenario {
    const begun = { id: ++this.last, name, from, to, story, ...(outage && { outage }) };
    this.started = [...this.started, begun].slice(-KEPT);
    return begun;
  }

  /** Those that begin or go on after an instant (milliseconds), oldest first. */
  running(at: number): StartedScenario[] {
    return this.started.filter(({ to }) => to > at);
  }

  /** True if the broker cannot be reached at an instant. */
  isDown(at: number): boolean {
    return this.started.some(({ outage }) => outage !== undefined && outage.from <= at && at < outage.to);
  }

  state(): ScenariosState {
    return { started: [...this.started], last: this.last };
  }
}

function number(name: string, takes: ScenarioNumber | null, given: number | undefined, scenario: string): number {
  if (takes === null) {
    if (given === undefined) return 0;
    throw new ScenarioRefusal(`${scenario} takes no ${name}`);
  }
  const { usual, least, most: max } = takes;
  const value = given ?? usual;
  if (value >= least && value <= max) return value;
  throw new ScenarioRefusal(`${name} of ${scenario} must be from ${least} to ${max}, not ${value}`);
}

function instrumentOf(
  { name, instrument, choose }: Scenario,
  { refId }: ScenarioTerms,
  scene: ScenarioStart,
): Instrument {
  const { universe } = scene;
  const chosenInstrument =
    refId !== undefined
      ? universe.byRefId(refId)
      : instrument === null
        ? choose?.(scene)
        : universe.bySymbol('NSE', instrument);
  if (chosenInstrument !== undefined) return chosenInstrument;
  throw new ScenarioRefusal(
    refId === undefined
      ? `${name}: name an instrument by ref_id or symbol`
      : `There is no instrument with ref_id ${refId}`,
  );
}
