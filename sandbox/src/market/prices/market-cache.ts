import { withDailyLimits } from './daily-limits';
import { createMarket, type MarketOptions } from './market';
import { withRecordedTicks } from './tick-market';
import { nameOf, type Recordings } from '../recordings/types';
import type { Instrument } from '../reference/types';
import type { Market } from './types';

/** Markets that were made last, the newest first; as they never change, worlds of one process share them. */
const made: { options: MarketOptions; market: Market }[] = [];
const MAX_KEPT = 6;
/** Recordings may take hundreds of megabytes. */
const MAX_KEPT_RECORDED = 2;

/** The market of a seed: the one that was made before, where it was. */
export function cachedMarket(options: MarketOptions): Market {
  const { seed, universe, hours, recordings } = options;
  const isSame = ({ options: other }: (typeof made)[number]) =>
    other.seed === seed && other.universe === universe && other.hours === hours && other.recordings === recordings;
  const at = made.findIndex(isSame);
  const [found] = at < 0 ? [{ options, market: replayed(options) }] : made.splice(at, 1);
  made.unshift(found!);
  const recorded = made.filter((entry) => entry.options.recordings !== undefined);
  const dropped = recorded[MAX_KEPT_RECORDED] ?? made[MAX_KEPT];
  if (dropped !== undefined) made.splice(made.indexOf(dropped), 1);
  return found!.market;
}

/** The market of some options with the ticks of its recordings. */
function replayed(options: MarketOptions): Market {
  const { recordings } = options;
  const market = withDailyLimits(createMarket(options), (instrument) => !isRecorded(recordings, instrument));
  return recordings === undefined ? market : withRecordedTicks(market, recordings);
}

const isRecorded = (recordings: Recordings | undefined, instrument: Instrument): boolean =>
  recordings !== undefined &&
  (recordings.instruments.has(nameOf(instrument)) || recordings.ticks.has(nameOf(instrument)));
