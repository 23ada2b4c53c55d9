/** Waiting on the clock that is handed in. */
import type { Clock } from './base/ports';

/** Waits for `ms` milliseconds. @returns false if the signal cut it short. */
export async function pauseUnlessAborted(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return await clock.sleep(ms, signal).then(
    () => !signal.aborted,
    () => false,
  );
}

/** Returns the result of `act` if it settles within `ms` milliseconds. Otherwise returns undefined and aborts the signal given to `act`. */
export async function withTimeout<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  try {
    return await Promise.race([act(either), pauseUnlessAborted(clock, ms, either).then(() => undefined)]);
  } finally {
    enough.abort();
  }
}

/** Resolves with the promise, or rejects as soon as the signal is aborted; others go on waiting. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
