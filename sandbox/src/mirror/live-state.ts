import type { MirrorStatus } from '../market/mirror/types';
import { istText } from '../shared/time';

/** A message that is later than this, milliseconds, shows a market that is no longer there. */
const TOO_LATE_MS = 5_000;
const SECOND = 1_000;

/** State of the connection to the live side, with its delay. Instants are milliseconds of the sandbox's time, unless something else is said. */
export class LiveState {
  private state: MirrorStatus['state'] = 'behind';
  private why = 'its stream is being opened';
  private frames = 0;
  private unreadable = 0;
  /** Smallest difference between this machine's clock and that of the live side: what is more is delay. */
  private difference = Infinity;
  private late = 0;
  private said = '';

  /** @param of the live side: its host */
  constructor(
    private readonly of: string,
    private since: number,
  ) {}

  get isLive(): boolean {
    return this.state === 'live';
  }

  get isDisplaced(): boolean {
    return this.state === 'displaced';
  }

  /** Turns, and says so. */
  turn(state: MirrorStatus['state'], why: string, at: number): void {
    Object.assign(this, { state, why, since: at });
    if (state !== 'live') return this.say(this.text);
    this.difference = Infinity;
    this.late = 0;
    this.say(this.text);
  }

  /**
   * A frame has come, or one that cannot be read. The clocks need not agree: what counts is by how much later than the quickest one it is.
   * @param sent by the clock of the live side; undefined where it does not say. @param now by this machine's
   * @returns true if it is in time
   */
  frame(isReadable: boolean, sent: number | undefined, now: number): boolean {
    if (isReadable) this.frames += 1;
    else this.unreadable += 1;
    if (sent === undefined) return true;
    this.difference = Math.min(this.difference, now - sent);
    this.late = now - sent - this.difference;
    return this.late <= TOO_LATE_MS;
  }

  /** Something that was told of an instrument is nonsense. */
  nonsense(): void {
    this.unreadable += 1;
  }

  /** Tells whoever runs it, once in a row. */
  say(text: string): void {
    if (text !== this.said) process.stderr.write(`Mirror: ${text}.\n`);
    this.said = text;
  }

  /** @param watched instruments that are watched, @param unseen those of them that were never seen, @param at the present */
  status(watched: number, unseen: number, at: number): MirrorStatus {
    const { of, state, since, text, frames, unreadable } = this;
    const behind = Math.floor((state === 'live' ? this.late : Math.max(at - since, 0)) / SECOND);
    return { of, state, since, behind, text, watched, unseen, frames, unreadable };
  }

  get text(): string {
    const since = istText(this.since).slice(0, 19).replace('T', ' ');
    if (this.state === 'live') return `live since ${since}`;
    if (this.state === 'displaced')
      return `stopped at ${since}: the live side no longer takes its session, as another login has ended it or its time is over. It does not log in again: put a new session into the file of --mirror and start it anew`;
    return `behind since ${since}: ${this.why}. Nothing trades until it is live again`;
  }
}
