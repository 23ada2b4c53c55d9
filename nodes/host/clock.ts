import { sleep } from 'n8n-workflow';
import type { Clock } from '../../client/base/ports';

/** The real time, for the client. */
export const clock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => await sleep(ms, signal),
};
