/** A market that moves against who trades on margin. */
import { contractValue } from '../../market/reference/contract-value';
import type { Instrument } from '../../market/reference/types';
import { priceCourse, logReturnOf, MINUTE, movedBy, requireOpen, NO_EFFECTS } from './moves';
import { ScenarioRefusal, type AccountOnMargin, type Scenario, type ScenarioStart } from './types';

/** Beyond it no instrument could follow: bands and halts are in the way. Percent. */
const MAX_TARGETS = 20;
/** Of a loss so much is left after the margin of a smaller position value is free again. */
const NET = 0.75;
/** The shortfall that is aimed at, of the margin of the positions: one that is not waited for. */
const SHORTFALL = 0.7;

/** Effect of a move against an account. */
interface Target {
  account: string;
  instrument: Instrument;
  /** True if a fall is what it loses by. */
  long: boolean;
  /** The move (percent, above 0) that takes more than is available. */
  percent: number;
}

export const marginCall: Scenario = {
  name: 'margin_call',
  title: 'Margin call',
  text: 'The market moves against the account that can bear the least, until its positions are closed by the broker.',
  instrument: null,
  percent: null,
  minutes: { usual: 10, least: 1, most: 240 },
  choose(scene) {
    const target = weakest(scene);
    if (target !== undefined) return target.instrument;
    throw new ScenarioRefusal('No account has a future, a sold option or an intraday position: open one first');
  },
  plan(scene, instrument, { minutes }) {
    const target = weakest(scene, instrument);
    if (target === undefined)
      throw new ScenarioRefusal(
        `No account has a future, a sold option or an intraday position that ${instrument.symbol} moves: open one first`,
      );
    requireOpen(scene, target.instrument);
    const { account, long, percent } = target;
    if (percent > MAX_TARGETS)
      throw new ScenarioRefusal(
        `${account} has too much money for a margin call: even a move by ${MAX_TARGETS} % against ${target.instrument.symbol} leaves enough. Open more, or take funds out`,
      );
    const { at } = scene;
    const { of, asset } = movedBy(scene, target.instrument);
    const move = logReturnOf(scene, of, 1 + ((long ? -1 : 1) * percent) / 100);
    const length = minutes * MINUTE;
    return {
      effects: { ...NO_EFFECTS, prices: [priceCourse(asset, at, [[length, move]])] },
      from: at,
      to: at + length,
      story: `${of.symbol} ${long ? 'falls' : 'rises'} by ${percent.toFixed(1)} % within ${minutes} minutes: more than ${account} can bear with its ${target.instrument.symbol}.`,
    };
  },
};

/** The account that the smallest move brings to a margin call, of those with a position that an instrument moves. */
function weakest(scene: ScenarioStart, instrument?: Instrument): Target | undefined {
  const requested = instrument && movedBy(scene, instrument).of.refId;
  const targets = scene.onMargin().flatMap((accountOnMargin) => targetsOf(scene, accountOnMargin, requested));
  return targets.sort((a, b) => a.percent - b.percent)[0];
}

function targetsOf(
  scene: ScenarioStart,
  { available, account, positions }: AccountOnMargin,
  requested?: number,
): Target[] {
  const required = positions.reduce((sum, { margin }) => sum + margin, 0);
  return positions.flatMap(({ instrument, quantity }) => {
    const { of } = movedBy(scene, instrument);
    if (requested !== undefined && of.refId !== requested) return [];
    const value = contractValue(instrument, scene.market.price(of, scene.at), Math.abs(quantity));
    const percent = (100 * (Math.max(0, available) + SHORTFALL * required)) / (NET * value);
    return [{ account, instrument, long: quantity > 0 === (instrument.optionType !== 'PE'), percent }];
  });
}
