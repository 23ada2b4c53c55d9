import type { Calendar } from '../market/reference/types';
import { istDate, istMidnight } from '../shared/time';

const DAY_MS = 86_400_000;

/** Somebody who wants to be told at times of the exchange. */
interface Follower {
  /** Milliseconds since midnight in India, each once, ascending. */
  times: readonly number[];
  notify(at: number): void;
}

/** Milliseconds since midnight of `09:20` or `15:10:30`; undefined when it is no time of a day. */
export function timeOfDay(text: string): number | undefined {
  const [, hours, minutes, seconds = '0'] = /^(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  const parts = [Number(hours), Number(minutes), Number(seconds)] as const;
  if (!(parts[0] < 24 && parts[1] < 60 && parts[2] < 60)) return undefined;
  return ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000;
}

/** Tells those who want to know when it is a time of the exchange, on the trading days of NSE. */
export class MarketTimes {
  private readonly followers = new Set<Follower>();
  private next = Infinity;

  constructor(private readonly calendar: () => Calendar) {}

  /** True if anybody wants to be told. */
  get isFollowed(): boolean {
    return this.followers.size > 0;
  }

  /** The next time that somebody wants to be told of; milliseconds, Infinity for none. */
  nextDue(): number {
    return this.next;
  }

  /**
   * Tells at times of the day from now on.
   * @param times milliseconds since midnight in India
   * @param present the instant that is worked on, also when it ends: what has passed by then is not told to the others once more
   * @returns how to end it
   */
  follow(times: readonly number[], present: () => number, notify: (at: number) => void): () => void {
    const follower = { times: [...new Set(times)].sort((a, b) => a - b), notify };
    this.followers.add(follower);
    this.look(present());
    return () => {
      this.followers.delete(follower);
      this.look(present());
    };
  }

  /** Time has begun again at an instant. */
  restart(now: number): void {
    this.look(now);
  }

  /** Tells what is due at an instant, and finds what is due next. */
  run(now: number): void {
    if (now < this.next) return;
    const at = this.next;
    this.look(at);
    const offset = at - istMidnight(istDate(at));
    for (const { times, notify } of [...this.followers]) if (times.includes(offset)) notify(at);
  }

  /** Finds the next time after an instant. */
  private look(after: number): void {
    this.next = Math.min(...[...this.followers].map(({ times }) => this.nextOf(times, after)), Infinity);
  }

  private nextOf(times: readonly number[], after: number): number {
    const calendar = this.calendar();
    const first = istMidnight(istDate(after));
    const today = calendar.isTradingDay('NSE', istDate(after)) ? times.find((time) => first + time > after) : undefined;
    if (today !== undefined) return first + today;
    const date = istDate(first + DAY_MS) > calendar.last ? undefined : calendar.nextTradingDay('NSE', istDate(after));
    return date === undefined || times.length === 0 ? Infinity : istMidnight(date) + times[0]!;
  }
}
