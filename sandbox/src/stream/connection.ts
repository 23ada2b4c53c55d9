import { WebSocket, type RawData } from 'ws';
import type { Fault, StreamAction } from '../simulation/faults';
import type { JournalEntry } from '../simulation/journal';
import type { Sandbox } from '../simulation/sandbox';
import type { Person } from '../sessions/people';

const INVALID_TOKEN = 'Invalid Token';
/** Close code of a session that is dead: policy violation. */
const CLOSE_INVALID = 1008;
/** Close codes of a client that has no more need of the stream. */
const LEFT = [1000, 1001, 1005];
/** A connection that has so much unread is cut off. */
const MAX_UNREAD = 16 * 1024 * 1024;

/** What the journal notes of a frame; undefined for frames that are too many to note. */
export type About = Record<string, string | number> | undefined;

const notes = new WeakMap<object, JournalEntry['data']>();

/** One connection to a stream, and the faults that meet it. */
export class StreamConnection {
  /** Frames that wait while the stream is stalled. */
  private stalled: Uint8Array[] | undefined;
  private held: { frame: Uint8Array; about: About } | undefined;
  /** How the clock goes on, for each message that is not acknowledged; undefined where none will be. */
  private unacknowledged: (() => void)[] | undefined;
  private isInvalid = false;

  /** Whose session it belongs to; undefined until a session is named. */
  person: Person | undefined;

  constructor(
    readonly socket: WebSocket,
    private readonly sandbox: Sandbox,
    command: (connection: StreamConnection, text: string) => void,
  ) {
    socket.on('message', (data: RawData, binary) => {
      if (!binary && Buffer.isBuffer(data)) command(this, data.toString());
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => {
      if (this.unacknowledged === undefined) return;
      sandbox.time.mayHold(false);
      if (!this.isInvalid && !LEFT.includes(code)) this.waitForReturn();
      for (const release of this.unacknowledged.splice(0)) release();
    });
  }

  /** From now on the clock stands still after each message until the client has acknowledged it: its runs are done then. */
  holdsClock(): void {
    if (this.unacknowledged !== undefined || this.socket.readyState !== WebSocket.OPEN) return;
    this.unacknowledged = [];
    this.sandbox.time.mayHold(true);
    this.sandbox.time.returned(this.person?.clientCode ?? '');
  }

  private waitForReturn(): void {
    this.sandbox.time.waitForReturn(this.person?.clientCode ?? '');
  }

  /** The oldest message is acknowledged. */
  acknowledged(): void {
    this.unacknowledged?.shift()?.();
  }

  /** A good session was named: in the address, in a header of the upgrade, or in a command. */
  identify(person: Person): void {
    if (this.person !== undefined) return;
    this.person = person;
    this.sandbox.journal.writeOnce(this.sandbox.instant, 'stream_open', { client_code: person.clientCode });
  }

  /** Whether the session behind it has ended at an instant, milliseconds. */
  hasEnded(at: number): boolean {
    if (this.person === undefined) return false;
    const { session } = this.person.login;
    return session === undefined || !session.good || at >= session.until;
  }

  /** Says something in words. */
  answer(text: string): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(text);
    this.unacknowledged?.push(this.sandbox.time.hold());
  }

  ping(): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.ping();
  }

  /** The session is dead: says so and ends the connection. */
  invalidate(): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    if (this.unacknowledged !== undefined && !this.isInvalid) this.waitForReturn();
    this.isInvalid = true;
    this.socket.send(INVALID_TOKEN);
    this.socket.close(CLOSE_INVALID);
  }

  /** Sends a frame, unless a fault meets it. `about` is what the journal notes of it. */
  send(frame: Uint8Array, about: About): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    if (this.socket.bufferedAmount > MAX_UNREAD) return this.socket.terminate();
    const fault = this.sandbox.faults.frame();
    if (fault !== undefined) return this.broken(fault, frame, about);
    this.deliver(frame, about);
    this.release();
  }

  private broken({ action, args }: Fault<StreamAction>, frame: Uint8Array, about: About): void {
    const note = (): void => this.note({ ...about, fault: action });
    switch (action) {
      case 'disconnect':
        note();
        return this.socket.close(args.code ?? 1011);
      case 'invalid_token':
        note();
        return this.invalidate();
      case 'drop_frame':
        return note();
      case 'duplicate_frame':
        this.deliver(frame, about);
        return this.deliver(frame, { ...about, fault: action });
      case 'reorder':
        this.release();
        this.held = { frame, about: { ...about, fault: action } };
        return;
      case 'truncate_frame':
        return this.deliver(frame.subarray(0, Math.floor(frame.length / 2)), { ...about, fault: action });
      case 'garbage_frame':
        return this.deliver(
          frame.map((byte, index) => (byte ^ (index * 37 + 11)) & 0xff),
          { ...about, fault: action },
        );
      case 'stall':
        this.stall(args.ms ?? 5_000);
        return this.deliver(frame, { ...about, fault: action });
    }
  }

  private deliver(frame: Uint8Array, about: About): void {
    if (this.stalled === undefined) this.write(frame);
    else this.stalled.push(frame);
    this.note(about);
  }

  /** Holds all frames back for so many real milliseconds; then they go out in order. */
  private stall(ms: number): void {
    if (this.stalled !== undefined) return;
    this.stalled = [];
    setTimeout(() => {
      const waiting = this.stalled ?? [];
      this.stalled = undefined;
      waiting.forEach((frame) => this.write(frame));
    }, ms).unref();
  }

  private write(frame: Uint8Array): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(frame);
    this.unacknowledged?.push(this.sandbox.time.hold());
    this.sandbox.stats.framesSent += 1;
  }

  /** Sends the frame that was held back to come out of order. */
  private release(): void {
    const { held } = this;
    this.held = undefined;
    if (held !== undefined) this.deliver(held.frame, held.about);
  }

  private note(about: About): void {
    if (about === undefined) return;
    this.sandbox.journal.writeOnce(this.sandbox.instant, 'frame', this.noteOf(about));
  }

  /** What the journal notes of a frame: one object for all listeners of an account, as there may be hundreds. */
  private noteOf(about: Exclude<About, undefined>): JournalEntry['data'] {
    const known = notes.get(about);
    if (known !== undefined) return known;
    const note = { client_code: this.person?.clientCode, ...about };
    notes.set(about, note);
    return note;
  }
}
