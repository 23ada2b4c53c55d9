import type { Random } from '../../base/ports';

const FIRST_MS = 500;
const MAX_PAUSE_MS = 60_000;

/** Milliseconds before connection attempt `attempt` (1 for the first repeat): full jitter below a doubling ceiling. */
export function pauseBeforeAttempt(attempt: number, random: Random): number {
  const ceiling = Math.min(FIRST_MS * 2 ** Math.min(attempt - 1, 20), MAX_PAUSE_MS);
  return Math.round(random() * ceiling);
}
