/**
 * Preload for a process whose clock a test sets: its time is ahead of the machine's, or behind it, by the milliseconds in a file. The
 * monotonic clock is ahead by a second number there, for a test in which time passes. Timers run unchanged.
 */
const { openSync, readSync } = require('node:fs');

const RealDate = Date;
const realNow = Date.now;
const realElapsed = performance.now.bind(performance);
const WIDTH = 20;
const buffer = Buffer.alloc(WIDTH);
const file = openSync(process.env.E2E_CLOCK, 'r');

/** One of the file's numbers; 0 where it is not written yet. */
function numberAt(index) {
  const length = readSync(file, buffer, 0, WIDTH, index * WIDTH);
  return Number(buffer.toString('latin1', 0, length));
}

const now = () => realNow() + numberAt(0);
performance.now = () => realElapsed() + numberAt(1);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
});
