/**
 * Time that this process has had: no more of it passes between two turns of the event loop than `MAX_STEP_MS`. Where a busy machine holds the
 * process up for a second, a test's deadlines of half a second do not pass meanwhile, neither for the client nor for the sandbox.
 */
import { realClock } from './real-clock';

const TICK_MS = 5;
const MAX_STEP_MS = 10;

let base = Date.now();
let tickedAt = performance.now();
const sinceTick = (): number => Math.min(performance.now() - tickedAt, MAX_STEP_MS);
setInterval(() => {
  base += sinceTick();
  tickedAt = performance.now();
}, TICK_MS).unref();

/** @returns milliseconds since the epoch at the start of the file, and from then on as the process gets on. */
export const pacedNow = (): number => base + sinceTick();

/** Sleeps for so many milliseconds of that time. @throws the signal's reason */
export async function pacedSleep(ms: number, signal?: AbortSignal): Promise<void> {
  const end = pacedNow() + ms;
  do await realClock.sleep(Math.max(0, end - pacedNow()), signal);
  while (pacedNow() < end);
}
