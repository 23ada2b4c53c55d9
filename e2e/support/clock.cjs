/**
 * Preloaded into a process whose clock a test sets: its time is ahead of the machine's, or behind it, by the
 * milliseconds that stand in a file. Timers run as ever.
 */
const { openSync, readSync } = require('node:fs');

const RealDate = Date;
const realNow = Date.now;
const buffer = Buffer.alloc(20);
const file = openSync(process.env.E2E_CLOCK, 'r');

function now() {
  const length = readSync(file, buffer, 0, buffer.length, 0);
  return realNow() + Number(buffer.toString('latin1', 0, length));
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
});
