import {
  bhavcopy,
  bhavcopyCsv,
  bhavcopyJson,
  bhavcopyTypes,
  type BhavcopyFile,
  type BhavcopyType,
} from '../market/prices/bhavcopy';
import { istDate, istMidnight, istText } from '../shared/time';
import { ApiError } from '../web/errors';
import { sessionUser } from '../web/authentication';
import { replySchemas } from '../web/reply-schemas';
import { parameters, SESSION_SECURITY } from '../web/schema';
import type { RouteContext } from '../web/route-context';
import { jsonList, streamReply } from '../web/chunked-reply';

const HOUR_MS = 3_600_000;
/** Hours after midnight in India at which a day's file is there; each type has its own. */
const READY: Record<BhavcopyType, number> = {
  BhavcopyCM: 17,
  BhavcopyFO: 17.5,
  FO: 17.5,
  OP: 17.5,
  PD: 18,
  PR: 18,
  BhavcopySec: 18.5,
};

const QUERY = parameters({
  format: 'Needed: csv or json',
  type: `Needed: ${bhavcopyTypes.join(', ')}, followed by the date of the path`,
});

/** End-of-day files (docs/service/market-data.md#end-of-day-files, docs/service/errors.md#situations). */
export function bhavcopyRoutes({ app, sandbox }: RouteContext): void {
  app.get(
    '/bhavcopy/nse/:date',
    {
      schema: {
        tags: ['Market data'],
        summary: 'End-of-day file of NSE',
        querystring: QUERY,
        response: replySchemas(sandbox.options).bhavcopy,
        security: SESSION_SECURITY,
      },
    },
    async (request, reply) => {
      try {
        sessionUser(sandbox, request);
      } catch (error) {
        throw new ApiError(440, error instanceof ApiError ? error.message : 'The session is not valid: log in again');
      }
      const { date } = request.params as { date: string };
      const { format, type } = request.query as { format?: string; type?: string };
      if (format !== 'csv' && format !== 'json')
        throw new ApiError(400, `format must be csv or json, not "${format ?? ''}"`);
      const code = codeOf(type ?? '', date);
      const file = fileOf(code, date);
      if (format === 'csv') return reply.type('text/csv').send(streamReply(bhavcopyCsv(file)));
      const head = JSON.stringify({ message: 'bhavcopy', type }).slice(0, -1);
      return reply
        .type('application/json; charset=utf-8')
        .send(streamReply(jsonList(`${head},"data":[`, bhavcopyJson(file), ']}')));
    },
  );

  /** @throws ApiError 440 for a date that has no file (yet). */
  function fileOf(code: BhavcopyType, date: string): BhavcopyFile {
    const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
    const midnight = istMidnight(day);
    if (Number.isNaN(midnight) || istDate(midnight) !== day)
      throw new ApiError(440, `${date} is not a date (YYYYMMDD)`);
    const { market } = sandbox.world;
    const now = sandbox.instant;
    if (day > istDate(now)) throw new ApiError(440, `${date} is in the future`);
    if (!market.calendar.isTradingDay('NSE', day)) throw new ApiError(440, `${date} is not a trading day of NSE`);
    const ready = midnight + READY[code] * HOUR_MS;
    if (now < ready)
      throw new ApiError(440, `The file of ${date} has not been generated yet: it is there from ${istText(ready)}`);
    const file = bhavcopy(market, code, Number(date));
    if (file === undefined) throw new ApiError(440, `There is no file of ${date}`);
    return file;
  }
}

/** The code of a `type`, which ends with the date of the path. @throws ApiError 400 */
function codeOf(type: string, date: string): BhavcopyType {
  const code = bhavcopyTypes.find((candidate) => type === candidate + date);
  if (code !== undefined) return code;
  throw new ApiError(
    400,
    `type must be a type code followed by the date of the path, such as BhavcopyCM${date}; the codes are ${bhavcopyTypes.join(', ')}`,
  );
}
