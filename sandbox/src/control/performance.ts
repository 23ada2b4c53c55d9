import type { FastifyReply } from 'fastify';
import {
  performanceCsv,
  performanceDocument,
  PERFORMANCE_TABLES,
  type PerformanceTable,
} from '../reports/performance/document';
import { performanceOf } from '../reports/performance/performance';
import { performanceRecord, type PerformanceRecord } from '../reports/performance/record';
import type { ReportedDays, PerformanceSource } from '../reports/performance/types';
import { toPdf } from '../reports/formats/pdf';
import { istDate, istMidnight } from '../shared/time';
import type { User } from '../sessions/users';
import { indexDay } from '../simulation/published-index-day';
import { originOf } from '../simulation/price-origins';
import type { Sandbox } from '../simulation/sandbox';
import { ApiError } from '../web/errors';
import { parameters } from '../web/schema';
import type { RouteContext } from '../web/route-context';
import { controlSchemas } from './reply-schemas';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The index that a result is shown beside, unless a replay has no recording of it: a made-up index says nothing about those days. */
export const INDEX = ['NSE', 'NIFTY'] as const;

const QUERY = parameters({
  phone: 'Of this account; the first one when left out',
  from: 'First day, YYYY-MM-DD; the day on which the sandbox began when left out',
  to: 'Last day, YYYY-MM-DD; today when left out',
  format: 'json (default), csv or pdf',
  table: `With csv: ${PERFORMANCE_TABLES.join(', ')}; trades when left out`,
});
type Query = Partial<Record<'phone' | 'from' | 'to' | 'format' | 'table', string>>;

/** Reports the earnings of the trades of an account: the session report. */
export function performanceRoutes({ app, sandbox }: RouteContext): void {
  app.get(
    '/_sandbox/performance',
    {
      schema: {
        tags: ['Control plane'],
        summary: 'What an account has earned: result, drawdown, trades, days, by workflow and tag',
        response: controlSchemas(sandbox.options).performance,
        querystring: QUERY,
      },
    },
    async (request, reply) => {
      const query = request.query as Query;
      const user = personOf(sandbox, query.phone);
      const report = reportOf(sandbox, user, periodOf(sandbox, query));
      return await answered(sandbox, user, report, query, reply);
    },
  );
}

/** The session report of an account as JSON holds it. */
export function reportOf(sandbox: Sandbox, { clientCode }: User, period: ReportedDays): PerformanceRecord {
  const { world } = sandbox;
  return performanceRecord(
    performanceOf(sourceOf(sandbox, clientCode, period), period),
    (refId) => world.instrument(refId)?.symbol ?? String(refId),
  );
}

function sourceOf(sandbox: Sandbox, account: string, period: ReportedDays): PerformanceSource {
  const { world, instant: now } = sandbox;
  const price = (refId: number, at: number): number => {
    const instrument = world.instrument(refId);
    if (instrument === undefined) return 0;
    return at >= now ? world.lastPrice(instrument) : world.market.price(instrument, at);
  };
  const chosenInstrument = world.universe().bySymbol(...INDEX);
  const isMadeUp =
    chosenInstrument === undefined ||
    (sandbox.recordings !== undefined && originOf(sandbox, chosenInstrument).prices !== 'recorded');
  const index = isMadeUp ? undefined : chosenInstrument;
  return {
    account,
    accounts: world.accounts,
    instrument: (refId) => world.instrument(refId),
    price,
    market:
      index === undefined
        ? undefined
        : {
            symbol: index.symbol,
            price: (at) => price(index.refId, at),
            day: (date) => indexDay(sandbox, index, date),
          },
    instants: (from, to) => instantsOf(sandbox, period, from, to),
    now,
  };
}

/** Instants in sessions: five minutes apart over up to a week, a quarter of an hour over up to a quarter, else the ends of sessions. */
function instantsOf(sandbox: Sandbox, period: ReportedDays, from: number, to: number): number[] {
  const { world, options } = sandbox;
  const days = (istMidnight(period.to) - istMidnight(period.from)) / DAY_MS;
  const step = days <= 7 ? 5 * MINUTE_MS : days <= 92 ? 15 * MINUTE_MS : DAY_MS;
  const found: number[] = [];
  for (let midnight = istMidnight(istDate(from)); midnight <= to; midnight += DAY_MS) {
    const date = istDate(midnight);
    const sessions =
      options.hours === 'always'
        ? [{ from: midnight, to: midnight + DAY_MS }]
        : world.market.calendar.sessions('NSE', false, date).filter(({ phase }) => phase === 'OPEN');
    for (const session of sessions) {
      for (let at = session.from; at < session.to; at += step) found.push(at);
      found.push(session.to - 1);
    }
  }
  return found.filter((at) => at >= from && at <= to);
}

async function answered(
  sandbox: Sandbox,
  user: User,
  report: PerformanceRecord,
  { format = 'json', table = 'trades' }: Query,
  reply: FastifyReply,
): Promise<unknown> {
  const name = `performance_${user.clientCode}_${report.from}_${report.to}`;
  const attached = (type: string, ending: string): FastifyReply =>
    reply.header('content-type', type).header('content-disposition', `attachment; filename="${name}.${ending}"`);
  if (format === 'json') return report;
  if (format === 'pdf')
    return attached('application/pdf', 'pdf').send(await toPdf(performanceDocument(report), user, sandbox.instant));
  if (format !== 'csv') throw new ApiError(400, `format must be json, csv or pdf, not "${format}"`);
  if (!PERFORMANCE_TABLES.some((name) => name === table))
    throw new ApiError(400, `table must be one of ${PERFORMANCE_TABLES.join(', ')}, not "${table}"`);
  return attached('text/csv; charset=utf-8', 'csv').send(performanceCsv(report, table as PerformanceTable));
}

function personOf(sandbox: Sandbox, phone: string | undefined): User {
  const [first] = sandbox.users.all();
  const user = phone === undefined || phone === '' ? first : sandbox.users.phone(phone);
  if (user === undefined) throw new ApiError(404, `No account has the phone number ${phone}`);
  return user;
}

/** Period of a query. @throws ApiError for an invalid day, or a period that ends before it begins or begins after today. */
function periodOf(sandbox: Sandbox, query: Query): ReportedDays {
  const today = istDate(sandbox.instant);
  const from = dateOf('from', query.from) ?? istDate(sandbox.world.startAt);
  const to = dateOf('to', query.to) ?? today;
  if (from > to) throw new ApiError(400, `from (${from}) must not be after to (${to})`);
  if (from > today) throw new ApiError(400, `from (${from}) must not be after today, ${today}`);
  return { from, to: to > today ? today : to };
}

function dateOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const isDate =
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && istDate(istMidnight(text)) === text;
  if (isDate) return text;
  throw new ApiError(400, `${name} must be a day such as 2026-11-20, not "${text}"`);
}
