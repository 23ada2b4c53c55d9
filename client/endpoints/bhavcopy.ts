/** End-of-day files of NSE (docs/service/market-data.md#end-of-day-files, docs/service/errors.md#situations). */
import { MAX_REPLY_BYTES } from '../values/bytes';
import { readEndpoint, TIMEOUT_MS } from './endpoint';

/** See docs/service/market-data.md#end-of-day-files. */
export const bhavcopyEndpoints = {
  /**
   * Returns a file: CSV, or JSON of undocumented shape. `date` is YYYYMMDD, `type` a type code followed by the same date. 440 has three
   * meanings: not generated yet, no trading day, or an expired session. It therefore starts no new login.
   */
  bhavcopy: readEndpoint<{ path: { date: string }; query: { format: 'csv' | 'json'; type: string } }, never>(
    'GET',
    '/bhavcopy/nse/{date}',
    {
      keepSession: 'first',
      timeoutMs: TIMEOUT_MS.long,
      deadlineMs: TIMEOUT_MS.download,
      maxBytes: MAX_REPLY_BYTES.file,
      proves: 'proved where it is read',
    },
  ),
};
