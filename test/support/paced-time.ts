/**
 * Time that this process has had: no more of it passes between two turns of the event loop than `MAX_STEP_MS`. Where a busy machine holds the
 * process up for a second, a test's deadlines of half a second do not pass meanwhile, neither for the client nor for the sandbox.
 */
const TICK_MS = 5;
const MAX_STEP_MS = 10;

const passedSince = (moment: number): number => Math.min(performance.now() - moment, MAX_STEP_MS);

/** @returns milliseconds since the epoch at the first call, and from then on as the process gets on. */
export function pacedTime(): () => number {
  let base = Date.now();
  let ticked = performance.now();
  setInterval(() => {
    base += passedSince(ticked);
    ticked = performance.now();
  }, TICK_MS).unref();
  return () => base + passedSince(ticked);
}
