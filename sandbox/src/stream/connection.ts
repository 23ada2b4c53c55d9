import type { Duplex } from 'node:stream';
import { WebSocket, type RawData } from 'ws';
import type { Fault, StreamAction } from '../simulation/faults';
import type { Sandbox } from '../simulation/sandbox';
import { isAlive, type User } from '../sessions/users';
import type { FrameBatch, OutgoingFrame } from './frame-batch';

const INVALID_TOKEN = 'Invalid Token';
/** Close code of a session that is dead: policy violation. */
const CLOSE_INVALID = 1008;
/** Close code of a text that is too long. */
const CLOSE_TOO_LONG = 1009;
/** The longest text that is read of a client who has not logged in yet, bytes. */
const MAX_COMMAND_BEFORE_LOGIN = 8 * 1024;
/** Close codes of a client that has no more need of the stream. */
const LEFT = [1000, 1001, 1005];
/** A connection that has so much unread is cut off. */
const MAX_UNREAD = 16 * 1024 * 1024;

/** One connection to a stream, and the faults that meet it. */
export class StreamConnection {
  /** Frames that wait while the stream is stalled. */
  private stalled: Uint8Array[] | undefined;
  private held: OutgoingFrame | undefined;
  /** Actions that let the clock go on, for each message that is not acknowledged; undefined where none will be. */
  private unacknowledged: (() => void)[] | undefined;
  private isInvalid = false;

  /** User of its session; undefined until a session is named. */
  user: User | undefined;

  constructor(
    readonly socket: WebSocket,
    /** Stream to which its bytes are written. */
    private readonly carrier: Duplex,
    private readonly sandbox: Sandbox,
    command: (connection: StreamConnection, text: string) => void,
  ) {
    socket.on('message', (data: RawData, binary) => {
      if (binary || !Buffer.isBuffer(data)) return;
      if (this.user === undefined && data.length > MAX_COMMAND_BEFORE_LOGIN) return this.refuseLong();
      command(this, data.toString());
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => {
      if (this.unacknowledged === undefined) return;
      sandbox.time.mayHold(false);
      if (!this.isInvalid && !LEFT.includes(code)) this.waitForReturn();
      for (const release of this.unacknowledged.splice(0)) release();
    });
  }

  /** Stops the clock after each message, from now on, until the client has acknowledged it: its runs are done then. */
  holdsClock(): void {
    if (this.unacknowledged !== undefined || this.socket.readyState !== WebSocket.OPEN) return;
    this.unacknowledged = [];
    this.sandbox.time.mayHold(true);
    this.sandbox.time.returned(this.user?.clientCode ?? '');
  }

  /** True if the clock is stopped after each message. */
  get mayHoldClock(): boolean {
    return this.unacknowledged !== undefined;
  }

  private waitForReturn(): void {
    this.sandbox.time.waitForReturn(this.user?.clientCode ?? '');
  }

  /** The oldest message is acknowledged. */
  acknowledged(): void {
    this.unacknowledged?.shift()?.();
  }

  /** A good session was named: in the address, in a header of the upgrade, or in a command. */
  identify(user: User): void {
    if (this.user !== undefined) return;
    this.user = user;
    this.sandbox.journal.writeOnce(this.sandbox.instant, 'stream_open', { client_code: user.clientCode });
  }

  /** True if the session behind it has ended. */
  hasEnded(): boolean {
    return this.user !== undefined && !isAlive(this.user.login.session, this.sandbox.moment);
  }

  /** Ends the connection of a client who sends more than is read of a stranger. */
  private refuseLong(): void {
    this.socket.close(CLOSE_TOO_LONG, `A command before a login has at most ${MAX_COMMAND_BEFORE_LOGIN} bytes`);
  }

  /** Says something in words. */
  answer(text: string): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(text);
    this.unacknowledged?.push(this.sandbox.time.holdForMessage());
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

  /**
   * Sends frames that others get, too: all by one writing, where no fault can meet them and nothing is held back.
   * @returns true if they went out like that, which the caller notes for all listeners together
   */
  sendTogether(batch: FrameBatch): boolean {
    if (!this.isPlain) {
      for (const outgoing of batch.frames) this.send(outgoing);
      return false;
    }
    if (this.isCutOff()) return false;
    this.carrier.write(batch.bytes);
    this.sandbox.stats.framesSent += batch.frames.length;
    return true;
  }

  /** True if every frame goes out unchanged and at once. */
  private get isPlain(): boolean {
    const { stalled, held, unacknowledged } = this;
    return !this.sandbox.faults.any && stalled === undefined && held === undefined && unacknowledged === undefined;
  }

  /** True if nothing can be sent any more; who leaves too much unread is cut off. */
  private isCutOff(): boolean {
    if (this.socket.readyState !== WebSocket.OPEN) return true;
    if (this.socket.bufferedAmount <= MAX_UNREAD) return false;
    this.socket.terminate();
    return true;
  }

  /** Sends a frame, unless a fault meets it. */
  send(outgoing: OutgoingFrame): void {
    if (this.isCutOff()) return;
    const fault = this.sandbox.faults.frame();
    if (fault !== undefined) return this.broken(fault, outgoing);
    this.deliver(outgoing);
    this.release();
  }

  private broken({ action, args }: Fault<StreamAction>, outgoing: OutgoingFrame): void {
    const { frame } = outgoing;
    const faulty = { ...outgoing, about: { ...outgoing.about, fault: action } };
    switch (action) {
      case 'disconnect':
        this.note(faulty);
        return this.socket.close(args.code ?? 1011);
      case 'invalid_token':
        this.note(faulty);
        return this.invalidate();
      case 'drop_frame':
        return this.note(faulty);
      case 'duplicate_frame':
        this.deliver(outgoing);
        return this.deliver(faulty);
      case 'reorder':
        this.release();
        this.held = faulty;
        return;
      case 'truncate_frame':
        return this.deliver({ ...faulty, frame: frame.subarray(0, Math.floor(frame.length / 2)) });
      case 'garbage_frame':
        return this.deliver({ ...faulty, frame: frame.map((byte, index) => (byte ^ (index * 37 + 11)) & 0xff) });
      case 'stall':
        this.stall(args.ms ?? 5_000);
        return this.deliver(faulty);
    }
  }

  private deliver(outgoing: OutgoingFrame): void {
    if (this.stalled === undefined) this.write(outgoing.frame);
    else this.stalled.push(outgoing.frame);
    this.note(outgoing);
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
    this.unacknowledged?.push(this.sandbox.time.holdForMessage());
    this.sandbox.stats.framesSent += 1;
  }

  /** Sends the frame that was held back to come out of order. */
  private release(): void {
    const { held } = this;
    this.held = undefined;
    if (held !== undefined) this.deliver(held);
  }

  private note({ about, at }: OutgoingFrame): void {
    if (about === undefined) return;
    this.sandbox.journal.writeOnce(at, 'frame', { client_code: this.user?.clientCode, ...about });
  }
}
