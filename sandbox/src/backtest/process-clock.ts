/**
 * Preloaded into n8n: its time is that of the sandbox, by the milliseconds that stand in a file. Timers run as ever, so that
 * what waits for a reply waits as long as it does otherwise.
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
