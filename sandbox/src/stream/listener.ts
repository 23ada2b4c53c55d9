import { WebSocket, type RawData } from 'ws';
import type { Fault, StreamAction } from '../control/faults';
import type { Sandbox } from '../sandbox';
import type { Person } from '../sessions/people';
import type { Topic } from './hub';

const INVALID_TOKEN = 'Invalid Token';
/** Close code of a session that is dead: policy violation. */
const CLOSE_INVALID = 1008;
/** A listener that has so much unread is cut off. */
const MAX_UNREAD = 16 * 1024 * 1024;

/** Texts that subscribe (specification: Events, Connecting, rule 3): `subscribe <token> <channel> <event>`. */
const TOPICS: Record<string, Topic> = {
  'direct_intent notification': 'orders',
  'direct_portfolio NOTIFICATION_DIRECT_PORTFOLIO_UPDATE': 'portfolio',
};

/** One connection to the stream. */
export class Listener {
  readonly topics = new Set<Topic>();
  private stalledUntil = 0;
  private held: { frame: Uint8Array; about: Record<string, string | number> } | undefined;

  constructor(
    readonly socket: WebSocket,
    private readonly sandbox: Sandbox,
    readonly person: Person | undefined,
    private readonly subscribing: (topic: Topic, person: Person) => void,
  ) {
    socket.on('message', (data, binary) => {
      if (!binary) this.command(data);
    });
    socket.on('error', () => socket.terminate());
  }

  open(): void {
    if (this.person === undefined) return this.invalidate();
    this.sandbox.journal.write(this.sandbox.now(), 'stream_open', { client_code: this.person.clientCode });
  }

  /** Whether the session behind it is good at an instant, milliseconds. */
  alive(at: number): boolean {
    const session = this.person?.login.session;
    return session !== undefined && session.good && at < session.until;
  }

  ping(): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.ping();
  }

  /** The session is dead: says so and ends the connection. */
  invalidate(): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.topics.clear();
    this.socket.send(INVALID_TOKEN);
    this.socket.close(CLOSE_INVALID);
  }

  /** Sends a frame, unless a fault meets it. `about` is what the journal notes of it. */
  send(frame: Uint8Array, about: Record<string, string | number>): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    if (this.socket.bufferedAmount > MAX_UNREAD) return this.socket.terminate();
    const fault = this.sandbox.faults.frame();
    if (fault !== undefined) return this.broken(fault, frame, about);
    this.deliver(frame, about);
    this.release();
  }

  private broken({ action, args }: Fault<StreamAction>, frame: Uint8Array, about: Record<string, string | number>): void {
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
        return this.deliver(frame.map((byte, index) => (byte ^ (index * 37 + 11)) & 0xff), { ...about, fault: action });
      case 'stall':
        this.stalledUntil = Date.now() + (args.ms ?? 5_000);
        return this.deliver(frame, { ...about, fault: action });
    }
  }

  /** Frames of a stalled stream wait, in order. */
  private deliver(frame: Uint8Array, about: Record<string, string | number>): void {
    const wait = this.stalledUntil - Date.now();
    if (wait > 0) setTimeout(() => this.write(frame), wait).unref();
    else this.write(frame);
    this.note(about);
  }

  private write(frame: Uint8Array): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(frame);
  }

  /** Sends the frame that was held back to come out of order. */
  private release(): void {
    const { held } = this;
    this.held = undefined;
    if (held !== undefined) this.deliver(held.frame, held.about);
  }

  private note(about: Record<string, string | number>): void {
    const { sandbox, person } = this;
    sandbox.stats.framesSent += 1;
    sandbox.journal.write(sandbox.instant, 'frame', { client_code: person?.clientCode, ...about });
  }

  private command(data: RawData): void {
    const text = Buffer.isBuffer(data) ? data.toString() : '';
    const [, verb, token = '', rest = ''] = /^(subscribe|unsubscribe) +(\S+) +(.+?)\s*$/.exec(text) ?? [];
    if (verb === undefined) return;
    if (this.person === undefined || this.sandbox.people.sessionOwner(token, this.sandbox.now()) !== this.person) return this.invalidate();
    const topic = TOPICS[rest.replace(/\s+/g, ' ')];
    if (topic === undefined) return;
    if (verb === 'subscribe') {
      this.subscribing(topic, this.person);
      this.topics.add(topic);
    } else {
      this.topics.delete(topic);
    }
    this.sandbox.journal.write(this.sandbox.now(), verb, { client_code: this.person.clientCode, topic });
  }
}
