/** A sandbox on the day before an ex-date. */
import { DEFAULT_OPTIONS } from '../../../../sandbox/src/simulation/options';
import { Sandbox } from '../../../../sandbox/src/simulation/sandbox';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';

export const ACCOUNT = 'SBX001';
export const [BEFORE, EX] = ['2026-11-17', '2026-11-18'];
/** A time of day in IST, milliseconds. */
export const at = (date: string, time: string) => Date.parse(`${date}T${time}:00+05:30`);
/** Instant when an action with this ex-date takes effect. */
export const MIDNIGHT = at(EX, '00:00');

/** A sandbox on the day before the ex-date, at ten o'clock where nothing else is said, whose time the test moves. */
export function begin(hours: 'exchange' | 'always' = 'exchange', time = '10:00') {
  let now = at(BEFORE, time);
  const start = `${BEFORE}T${time}:00+05:30`;
  const sandbox = new Sandbox({ ...DEFAULT_OPTIONS, seed: 5, hours, clock: 'manual', start }, () => now);
  const { world } = sandbox;
  return {
    world,
    sandbox,
    share: (symbol = 'RELIANCE'): Instrument => world.universe().bySymbol('NSE', symbol)!,
    go: (to: number) => {
      now = to;
      sandbox.clock.set(now);
      sandbox.now();
    },
    holding: (refId: number) => {
      const listings = Object.values(world.listings(world.instrument(refId)!));
      return world.accounts.holdings(ACCOUNT).find((holding) => listings.includes(holding.refId));
    },
    lastLedger: () => world.accounts.ledger(ACCOUNT).at(-1)!,
  };
}
export type Begun = ReturnType<typeof begin>;
