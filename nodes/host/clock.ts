import { sleep } from 'n8n-workflow';
import { monotonicBy } from '../../client/base/monotonic';
import type { Clock } from '../../client/base/ports';

/** The real time, for the client. */
export const clock: Clock = {
  now: () => Date.now(),
  ...monotonicBy(() => performance.now()),
  sleep: async (ms, signal) => await sleep(ms, signal),
};
