/**
 * The market's time. On Live and UAT it is this machine's. A sandbox's clock can be moved, and run faster: each of its replies has its time
 * and its speed, and every use of market time reads that clock. Between two replies it is measured, so that it continues whatever the
 * machine's clock is set to. Waits and deadlines stay on the machine's clock.
 */
import { attempt } from './attempt';
import { InputError } from './base/errors';
import type { Clock, Http, Moment } from './base/ports';
import { showDate, istDate, istTimeOfDay } from './values/time';

/** The market's time. */
export interface MarketTime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds by which it is ahead of this machine's time; 0 if both are one. */
  readonly aheadMs: number;
  /** The run of a sandbox and its day; undefined if nobody tells one. */
  readonly run: string | undefined;
  /** The market's time at an instant of this machine, both in milliseconds since the epoch, as far as this process has seen it. */
  at(machineMs: number): number;
}

/** Returns a market time that equals the machine's. */
export const machineTime = (clock: Clock): MarketTime => ({
  now: () => clock.now(),
  aheadMs: 0,
  run: undefined,
  at: (machineMs) => machineMs,
});

/** Maximum difference that counts as the delay of a reply, milliseconds. */
const ON_THE_WAY_MS = 2_000;
const TIMEOUT_MS = 3_000;
const TIME = /^\d{12,14}$/;
const RUN = /^[\da-f]{16} \d{4}-\d\d-\d\d$/;
const SPEED = /^\d{1,6}(\.\d{1,6})?$/;
/** Maximum number of clock moves kept; the oldest are dropped first. */
const MAX_MOVES = 100;

/** The sandbox's clock as a reply reported it. */
interface Reading {
  /** Milliseconds since the epoch; of the sandbox, and of this machine. */
  time: number;
  machine: number;
  at: Moment;
  /** Milliseconds of the sandbox that pass in one of this machine. */
  speed: number;
}

/** Counts of the replies that told a clock, and of the changes that they showed. */
export interface MarketClockState {
  replies: number;
  changes: number;
}

/** The clock of one sandbox, from its replies. */
export class MarketClock implements MarketTime {
  private reading: Reading | undefined;
  /** The readings at which it was found to have been moved, the first one among them. */
  private readonly moves: Reading[] = [];
  private runNow: string | undefined;
  private replies = 0;
  private changes = 0;

  constructor(private readonly clock: Clock) {}

  now(): number {
    const { reading } = this;
    return reading === undefined ? this.clock.now() : this.since(reading);
  }

  get aheadMs(): number {
    return this.now() - this.clock.now();
  }

  get run(): string | undefined {
    return this.runNow;
  }

  at(machineMs: number): number {
    const before = this.moves.findLast(({ machine }) => machine <= machineMs) ?? this.moves[0];
    return before === undefined ? machineMs : before.time + Math.round((machineMs - before.machine) * before.speed);
  }

  /** A reply of the sandbox has come. @param headers their names in small letters */
  onReply(headers: Readonly<Record<string, string>>): void {
    const { 'x-sandbox-time': time = '', 'x-sandbox-run': run = '', 'x-sandbox-speed': reportedSpeed = '' } = headers;
    if (TIME.test(time)) this.read(Number(time), SPEED.test(reportedSpeed) ? Number(reportedSpeed) : 1);
    if (!RUN.test(run) || run === this.runNow) return;
    this.runNow = run;
    this.changes++;
  }

  /** State of the clock, for `hasMoved`; undefined before the first reply. */
  get state(): MarketClockState | undefined {
    return this.reading === undefined ? undefined : { replies: this.replies, changes: this.changes };
  }

  /** Returns true if the clock was moved, or another run was seen, since an earlier state. Asks the sandbox if it has not replied since. */
  async hasMoved(since: MarketClockState, http: Http, baseUrl: string): Promise<boolean> {
    if (this.replies === since.replies) await this.measure(http, baseUrl);
    return this.changes !== since.changes;
  }

  private read(time: number, speed: number): void {
    const machine = this.clock.now();
    const isOne = speed === 1 && Math.abs(time - machine) <= ON_THE_WAY_MS;
    const reading = { time: isOne ? machine : time, machine, at: this.clock.moment(), speed };
    const before = this.reading;
    const isMoved =
      before?.speed !== speed || Math.abs(this.since(before) - reading.time) > ON_THE_WAY_MS * Math.max(1, speed);
    if (isMoved) this.changes++;
    if (isMoved && this.moves.push(reading) > MAX_MOVES) this.moves.shift();
    this.replies++;
    this.reading = reading;
  }

  private since({ time, at, speed }: Reading): number {
    return time + Math.round(this.clock.since(at) * speed);
  }

  /**
   * Asks the sandbox for its time, without a session. A missing answer is reported at the request that needs it.
   * @returns whether anything answered
   */
  async measure(http: Http, baseUrl: string, signal?: AbortSignal): Promise<boolean> {
    const url = `${baseUrl}/_sandbox/health`;
    const reply = await attempt(http({ method: 'GET', url, headers: {}, timeoutMs: TIMEOUT_MS }, signal));
    if (reply.ok) this.onReply(reply.value.headers);
    return reply.ok;
  }

  /** @throws InputError if no sandbox has answered yet at an address that may be of a service with real money */
  requireSandbox(baseUrl: string): void {
    if (this.reading !== undefined || !mayBeLive(baseUrl)) return;
    throw new InputError(
      `Environment is Sandbox, but ${new URL(baseUrl).host} does not answer as brokerage-sandbox does. It may be a service with real money.`,
      {
        parameter: 'sandboxBaseUrl',
        hint: 'Nothing was sent. Enter the address at which brokerage-sandbox runs, such as http://127.0.0.1:8787, or choose Live or UAT as the Environment.',
      },
    );
  }
}

/**
 * Returns true if an address may be of a service with real money. Plain `http:` is not: it is taken only for this machine, where another
 * simulation of the service may run.
 */
export const mayBeLive = (baseUrl: string): boolean => new URL(baseUrl).protocol !== 'http:';

const shared = new Map<string, MarketClock>();
const MAX_CLOCKS = 200;

/** The one clock of the process for a sandbox at a base address. */
export function sharedMarketClock(baseUrl: string, clock: Clock): MarketClock {
  const cachedClock = shared.get(baseUrl);
  if (cachedClock !== undefined) return cachedClock;
  if (shared.size >= MAX_CLOCKS) shared.clear();
  const made = new MarketClock(clock);
  shared.set(baseUrl, made);
  return made;
}

/** Returns the instance of a sandbox from the text that identifies its run and its day. */
export const instanceOf = (run: string): string => run.slice(0, run.indexOf(' '));

/** Returns true if two runs are known and differ. */
export function isOtherRun(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

const HOUR_MS = 3_600_000;

/** Returns the difference of a sandbox's clock from this machine's, in hours or minutes, and its time; '' if they are the same. */
export function clockDifference(market: MarketTime): string {
  const { aheadMs } = market;
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  if (minutes === 0) return '';
  const hours = Math.round((Math.abs(aheadMs) / HOUR_MS) * 10) / 10;
  const much = minutes < 60 ? `${minutes} minute${minutes === 1 ? '' : 's'}` : `${hours} hour${hours === 1 ? '' : 's'}`;
  const now = market.now();
  const there = `${showDate(istDate(now))} at ${istTimeOfDay(now)} IST`;
  return `The sandbox's clock is ${much} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's: there it is ${there}.`;
}
