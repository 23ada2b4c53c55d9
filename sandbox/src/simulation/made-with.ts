import { OptionError } from '../shared/option-error';
import type { EventLog } from '../store/event-log';
import type { ExecutionModels } from './models';
import { DEFAULT_OPTIONS, type SandboxOptions } from './options';

/** Words for the options of a log where they were others; those that are not here by their name and value. */
const WORDS: Record<string, (made: string) => string> = {
  replay: (made) =>
    `${made === '' ? 'without --replay' : 'with another --replay, or its files have changed'}: start it as it was`,
  latency: (made) =>
    `with ${made === '' ? `--latency ${DEFAULT_OPTIONS.latency}` : 'another --latency'}: start it as it was`,
  tariff: (made) => `${made === '' ? 'without --tariff' : 'with another --tariff'}: start it as it was`,
  fill: (made) => `with --fill ${made || DEFAULT_OPTIONS.fill}: start it with that`,
  impact: (made) => `with --impact ${made || DEFAULT_OPTIONS.impact}: start it with that`,
  fees: (made) => `with --fees ${made || DEFAULT_OPTIONS.fees}: start it with that`,
  accounts: (made) => `with --accounts ${made || DEFAULT_OPTIONS.accounts}: start it with that`,
  funds: (made) => `with --funds ${made || DEFAULT_OPTIONS.funds}: start it with that`,
  rules: (made) => `with --rules ${made || 'off'}: start it with that`,
};

/**
 * Returns the options on which a log depends, by name, as text: with another of these the same commands would make another world.
 * @param recordings digest of the recordings that are replayed; undefined for the made-up market
 */
export function madeWith(
  { seed, universe, hours, rules, funds, accounts, latency, tariff, fill, impact, fees }: SandboxOptions,
  models: ExecutionModels,
  recordings: string | undefined,
): Record<string, string> {
  return {
    seed: String(seed),
    universe,
    hours,
    replay: recordings ?? '',
    rules: rules === 'off' ? '' : rules,
    funds: funds === DEFAULT_OPTIONS.funds ? '' : funds,
    accounts: accounts === DEFAULT_OPTIONS.accounts ? '' : String(accounts),
    latency: latency === DEFAULT_OPTIONS.latency ? '' : JSON.stringify(models.latency),
    tariff: tariff === undefined ? '' : JSON.stringify(models.fees.tariff),
    fill: fill === DEFAULT_OPTIONS.fill ? '' : fill,
    impact: impact === DEFAULT_OPTIONS.impact ? '' : impact,
    fees: fees === DEFAULT_OPTIONS.fees ? '' : fees,
  };
}

/**
 * Compares what a log was made with and the options of this start.
 * @param facts see `madeWith`. @throws OptionError that says the option, and what to do
 */
export function refuseOtherOptions(store: EventLog, facts: Record<string, string>, data: string): void {
  for (const [name, value] of Object.entries(facts)) {
    const made = store.meta(name) ?? '';
    if (made === value) continue;
    const how = WORDS[name]?.(made) ?? `with --${name} ${made}: start it with that`;
    throw new OptionError(`--data ${data} was made ${how}, or take another folder.`);
  }
}
