import { istClock, istDate, istMidnight, istText } from '../shared/time';
import type { MirrorStatus } from '../market/mirror/types';
import type { Sandbox } from '../simulation/sandbox';

const DAY_MS = 86_400_000;
const PHASES = {
  PRE_OPEN: 'Pre-open auction',
  OPEN: 'Market open',
  CLOSING_AUCTION: 'Closing auction',
  POST_CLOSE: 'After the close',
  CLOSED: 'Market closed',
};
const weekday = new Intl.DateTimeFormat('en-IN', { timeZone: 'Asia/Kolkata', weekday: 'long' });
const shortDay = new Intl.DateTimeFormat('en-IN', {
  timeZone: 'Asia/Kolkata',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});

/** The top of the page: time, and whether the market is open, with the reason. */
export function statusView(sandbox: Sandbox) {
  const { clock, instant, world } = sandbox;
  const phase = world.phase();
  const halted = isHalted(sandbox);
  return {
    now: istText(instant),
    mode: clock.mode,
    speed: clock.speed,
    open: phase === 'OPEN' && !halted,
    phase: halted ? 'Trading halted' : PHASES[phase],
    reason: halted
      ? 'equity does not trade now'
      : world.options.hours === 'always'
        ? whyAlways(sandbox)
        : whyNow(sandbox),
    /** Fault of the live market that is mirrored; empty for nothing. */
    trouble: liveTrouble(sandbox),
    /** Address of n8n, for links to its executions; null where it is not known. */
    n8n: sandbox.options.n8n ?? null,
    mirror: mirrorShown(sandbox),
    replay: sandbox.recordings !== undefined,
    /** Service that it behaves like: see `--as`. */
    as: sandbox.options.as,
  };
}

/** Returns true if the session of equity runs, and trade in it is stopped: by hand, or by a circuit breaker of an index. */
function isHalted({ world, instant }: Sandbox): boolean {
  const nifty = world.universe().bySymbol('NSE', 'NIFTY');
  if (nifty === undefined) return false;
  return world.exchange.session(nifty, instant).open && !world.exchange.isOpen(nifty, instant);
}

/** The host of the live market that is mirrored, how it is heard and how many seconds it is behind; null where there is none. */
function mirrorShown({ mirror }: Sandbox): Pick<MirrorStatus, 'of' | 'state' | 'behind'> | null {
  if (mirror === undefined) return null;
  const { of, state, behind } = mirror.status();
  return { of, state, behind };
}

function liveTrouble({ mirror }: Sandbox): string {
  const status = mirror?.status();
  return status === undefined || status.state === 'live' ? '' : `Mirror: ${status.text}.`;
}

/** The reason why it trades although the exchanges may be closed. */
function whyAlways({ world, instant }: Sandbox): string {
  const { calendar } = world.market;
  const date = istDate(instant);
  if (!calendar.isTradingDay('NSE', date)) return `open on a ${closedDay(instant)}`;
  const inSession = calendar
    .sessions('NSE', false, date)
    .some(({ phase, from, to }) => phase === 'OPEN' && from <= instant && instant < to);
  return inSession ? 'trades around the clock' : 'outside exchange hours';
}

/** Until when the exchange's phase lasts, or when it opens again. */
function whyNow({ world, instant }: Sandbox): string {
  const { calendar } = world.market;
  const date = istDate(instant);
  const sessions = calendar.sessions('NSE', false, date);
  const current = sessions.find(({ from, to }) => from <= instant && instant < to);
  if (current !== undefined) {
    // A halt of a recorded day cuts the session in two: the page does not tell it before it comes.
    const last = sessions.findLast(({ phase }) => phase === current.phase) ?? current;
    return `until ${minuteOf(last.to)}`;
  }
  const later = sessions.find(({ phase, from }) => phase === 'OPEN' && from > instant);
  if (later !== undefined) return `opens at ${minuteOf(later.from)}`;
  const next = calendar.nextTradingDay('NSE', date);
  const opens = calendar.sessions('NSE', false, next).find(({ phase }) => phase === 'OPEN');
  const why = sessions.length > 0 ? '' : `${closedDay(instant)}; `;
  return opens === undefined ? why : `${why}opens ${shortDay.format(opens.from)}, ${minuteOf(opens.from)}`;
}

function closedDay(instant: number): string {
  const day = weekday.format(istMidnight(istDate(instant)) + DAY_MS / 2);
  return day === 'Saturday' || day === 'Sunday' ? day : 'holiday';
}

/** The time of day as HH:MM. */
function minuteOf(at: number): string {
  return istClock(at).slice(0, 5);
}
