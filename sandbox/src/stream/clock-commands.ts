import type { Sandbox } from '../simulation/sandbox';
import { timeOfDay } from '../simulation/market-time-events';
import { istText } from '../shared/time';
import { splitWord } from './command-parser';
import type { StreamConnection } from './connection';

/** The channel of the clock: `subscribe <token> sandbox_clock acknowledge` and `subscribe <token> sandbox_clock 09:20,15:10:30`. */
export const CLOCK_CHANNEL = 'sandbox_clock';
const ACKNOWLEDGE = 'acknowledge';
/** Equals the most that the node's trigger sends. */
const MAX_TIMES = 400;

/**
 * Commands of a sandbox, which the service has not: a client may be told at times of the exchange, and have the clock stopped while it
 * works on what came.
 */
export class ClockCommands {
  private readonly endings = new Map<StreamConnection, () => void>();

  constructor(private readonly sandbox: Sandbox) {}

  /**
   * Takes an acknowledgement: `acknowledge 1` where the message has started a run, else `acknowledge 0`. It counts from who has logged in.
   * @returns true if the text is one
   */
  acknowledged(connection: StreamConnection, text: string): boolean {
    const [word, runs] = splitWord(text);
    if (word !== ACKNOWLEDGE || !/^\d{1,6}$/.test(runs)) return false;
    if (connection.user === undefined) return true;
    if (Number(runs) > 0) this.sandbox.time.reached('alert');
    connection.acknowledged();
    return true;
  }

  /** @param what `acknowledge`, or times of the day, separated by commas; each time replaces those before */
  subscribe(connection: StreamConnection, what: string): void {
    if (what === ACKNOWLEDGE) return connection.holdsClock();
    const times = what.split(',').map((time) => timeOfDay(time.trim()));
    if (times.length > MAX_TIMES || times.includes(undefined)) return;
    this.forget(connection);
    const end = this.sandbox.marketTimes.follow(
      times as number[],
      () => this.sandbox.instant,
      (at) => connection.answer(`market_time ${istText(at)}`),
    );
    this.endings.set(connection, end);
    this.sandbox.changed();
  }

  forget(connection: StreamConnection): void {
    this.endings.get(connection)?.();
    this.endings.delete(connection);
  }
}
