/**
 * Preloaded into n8n: gives it the sandbox's time, by the milliseconds in a file. Timers run as usual, so that
 * a wait for a reply takes as long as otherwise.
 */
import { openSync, readSync } from 'node:fs';

const realNow = Date.now;
const RealDate = Date;
const buffer = Buffer.alloc(20);
const file = openSync(process.env['BROKERAGE_BACKTEST_CLOCK'] ?? '', 'r');

function now(): number {
  const length = readSync(file, buffer, 0, buffer.length, 0);
  return realNow() + Number(buffer.toString('latin1', 0, length));
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: [], newTarget: NewableFunction) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as object,
  apply: () => new RealDate(now()).toString(),
  get: (target, key, receiver) => (key === 'now' ? now : (Reflect.get(target, key, receiver) as unknown)),
});
