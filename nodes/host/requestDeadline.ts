/** Fires when so many milliseconds of real time have passed: the end of a request that goes on for ever. */
export const requestDeadline = (ms: number): AbortSignal => AbortSignal.timeout(ms);
