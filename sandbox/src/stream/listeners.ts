import type { StreamConnection } from './connection';
import { FrameBatch, type OutgoingFrame } from './frame-batch';
import { CooperativeWork } from '../shared/cooperative';

export type StreamTopic = 'orders' | 'portfolio';

/** Parts of a connection that are needed here. */
export type Listener = Pick<StreamConnection, 'mayHoldClock' | 'sendTogether'>;

/** A frame that is still to go out. */
type WaitingFrame = OutgoingFrame & { topic: StreamTopic };

/** Number of frames that go to one listener at a stretch. */
const FRAMES_A_TURN = 200;

/**
 * Listeners by topic and account, and the frames on their way to them. A burst of orders makes thousands, and there may be a hundred
 * listeners: what happens within one turn of the event loop goes to each of them together, a part of it in each of the turns that follow,
 * so that no request waits for all of it. Each listener gets every frame, in order.
 */
export class Listeners {
  /** @param note takes down an unchanged frame that went out to a number of listeners of an account */
  constructor(private readonly note: (account: string, sent: OutgoingFrame, listeners: number) => void) {}

  private readonly topics = new Map<Listener, Set<StreamTopic>>();
  private readonly byAccount = new Map<string, Set<Listener>>();
  private waiting = new Map<string, WaitingFrame[]>();
  /** Present delivery. */
  private delivery: Iterator<void> | undefined;
  private readonly turns = new CooperativeWork();

  /** True if anyone of an account listens to a topic. */
  has(account: string, topic: StreamTopic): boolean {
    for (const connection of this.byAccount.get(account) ?? [])
      if (this.topics.get(connection)?.has(topic) === true) return true;
    return false;
  }

  /** Accounts with a listener to a topic. */
  accounts(topic: StreamTopic): string[] {
    return [...this.byAccount.keys()].filter((account) => this.has(account, topic));
  }

  /** From now on a connection of an account listens to a topic: it gets nothing that was before. */
  add(account: string, connection: Listener, topic: StreamTopic): void {
    this.flush();
    const connections = this.byAccount.get(account) ?? new Set();
    this.byAccount.set(account, connections.add(connection));
    this.topics.set(connection, (this.topics.get(connection) ?? new Set()).add(topic));
  }

  /** A connection listens to a topic no longer; it gets all that was before. */
  remove(connection: Listener, topic: StreamTopic): void {
    this.flush();
    this.topics.get(connection)?.delete(topic);
  }

  /** A connection has ended. */
  forget(connection: Listener): void {
    this.topics.delete(connection);
    for (const [account, connections] of this.byAccount)
      if (connections.delete(connection) && connections.size === 0) this.byAccount.delete(account);
  }

  /**
   * Sends a frame to everyone of an account who listens to a topic. One who holds the clock gets it at once: time must not go on before.
   */
  send(account: string, topic: StreamTopic, outgoing: OutgoingFrame): void {
    const waiting = this.waiting.get(account) ?? [];
    if (waiting.push({ topic, ...outgoing }) === 1) this.waiting.set(account, waiting);
    if ([...(this.byAccount.get(account) ?? [])].some((connection) => connection.mayHoldClock)) this.flush();
    else if (!this.turns.isRunning) this.turns.run(this.inTurns());
  }

  /** Sends all that waits. */
  flush(): void {
    while (this.deliverSome());
    this.turns.stop();
  }

  private *inTurns(): Generator<void, void> {
    while (this.deliverSome()) yield;
  }

  /** Sends some frames to one listener. @returns false where nothing waits any more */
  private deliverSome(): boolean {
    if (this.delivery === undefined) {
      if (this.waiting.size === 0) return false;
      this.delivery = this.deliveryOf(this.waiting);
      this.waiting = new Map();
    }
    if (this.delivery.next().done === true) this.delivery = undefined;
    return true;
  }

  private *deliveryOf(waiting: ReadonlyMap<string, readonly WaitingFrame[]>): Generator<void, void> {
    for (const [account, frames] of waiting) {
      for (let from = 0; from < frames.length; from += FRAMES_A_TURN) {
        const batches = new Batches(frames.slice(from, from + FRAMES_A_TURN));
        for (const connection of this.byAccount.get(account) ?? []) {
          batches.sendTo(connection, this.topics.get(connection) ?? new Set());
          yield;
        }
        for (const [sent, listeners] of batches.sent()) this.note(account, sent, listeners);
      }
    }
  }
}

/** The same frames for all listeners of an account: to each what it listens to. */
class Batches {
  private readonly batches = new Map<
    string,
    { batch: FrameBatch; topics: ReadonlySet<StreamTopic>; listeners: number }
  >();

  constructor(private readonly frames: readonly WaitingFrame[]) {}

  sendTo(connection: Listener, topics: ReadonlySet<StreamTopic>): void {
    const alike = [...topics].sort().join();
    const known = this.batches.get(alike) ?? {
      batch: new FrameBatch(this.frames.filter(({ topic }) => topics.has(topic))),
      topics: new Set(topics),
      listeners: 0,
    };
    this.batches.set(alike, known);
    if (connection.sendTogether(known.batch)) known.listeners += 1;
  }

  /** Yields the frames that were sent unchanged, in order, with the number of their listeners. */
  *sent(): Generator<[WaitingFrame, listeners: number]> {
    const batches = [...this.batches.values()];
    for (const frame of this.frames) {
      const listeners = batches.reduce(
        (sum, { topics, listeners }) => sum + (topics.has(frame.topic) ? listeners : 0),
        0,
      );
      if (listeners > 0) yield [frame, listeners];
    }
  }
}
