/**
 * Deadlines that pass when the test says so. A test file says
 * `jest.mock('../../nodes/host/requestDeadline', () => jest.requireActual('../support/deadlines'))`.
 */
let running: { ms: number; controller: AbortController }[] = [];

export function requestDeadline(ms: number): AbortSignal {
  const controller = new AbortController();
  running.push({ ms, controller });
  return controller.signal;
}

/** Lets every deadline pass that was set so far. @returns the milliseconds of the newest. */
export function passDeadlines(): number | undefined {
  const passed = running;
  running = [];
  for (const { controller } of passed) controller.abort(new DOMException('The time is over', 'TimeoutError'));
  return passed.at(-1)?.ms;
}
