import { monotonicBy } from '../../client/base/monotonic';
import type { Clock } from '../../client/base/ports';

/** The real time; a sleep that is aborted rejects with the signal's reason. */
export const realClock: Clock = {
  now: () => Date.now(),
  ...monotonicBy(() => performance.now()),
  sleep: async (ms, signal) =>
    await new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};
