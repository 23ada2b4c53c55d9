import type { Sandbox } from '../simulation/sandbox';
import type { StreamConnection } from './connection';
import { readMarketCommand, type MarketChannel, type MarketSubscription } from './market-commands';
import { SubscriptionMessages } from './subscription-messages';
import type { Messages } from './messages';
import { SharedMessages } from './shared-messages';
import { CooperativeWork } from '../shared/cooperative';
import { nanosOf } from './update-frame';
import {
  SUBSCRIPTION_BUDGET,
  CHANNEL_WEIGHTS,
  newSubscriptionState,
  applyCommand,
  weightOf,
  type SubscriptionState,
} from './subscription-state';

/** Up to so many subscriptions of all connections together are told at every change. */
const AT_ONCE = 500;
/**
 * Largest number of subscriptions with which a connection is told at every change where there are more; a larger one is told its seconds in
 * turns.
 */
const SMALL = 100;
/** Number of new subscriptions that are told at once; more of them in turns, as what nobody has looked at yet takes longest. */
const FIRST_AT_ONCE = 25;

const TYPES: Record<MarketChannel, string> = {
  index: 'BatchWebSocketIndexMessage',
  index_bucket: 'BatchWebSocketIndexBucketMessage',
  orderbook: 'BatchWebSocketOrderbookMessage',
  greeks: 'BatchWebSocketGreeksMessage',
  option: 'WebSocketMsgOptionChainUpdate',
};

/** The parts of one frame. */
interface Batch {
  indexes: object[];
  instruments: object[];
  /** Key by which these parts differ from those of another frame of the same turn. */
  ids: string[];
}

/** The market-data stream: ticks, candles, depth, Greeks and option chains, told when they change (docs/service/streams.md#market-data-commands). */
export class MarketDataStream {
  private readonly subscriptions = new Map<StreamConnection, SubscriptionState>();
  private readonly subscriptionMessages: SubscriptionMessages;
  private readonly turns = new CooperativeWork();
  /** Connections that are still to be told in the present turns. */
  private readonly waiting = new Set<StreamConnection>();

  constructor(
    private readonly messages: Messages,
    private readonly sandbox: Sandbox,
  ) {
    this.subscriptionMessages = new SubscriptionMessages(messages, sandbox);
  }

  /** Carries out a command of a connection whose session is good; what is no command is not answered. */
  command(connection: StreamConnection, on: boolean, topic: string, rest: string): void {
    const command = readMarketCommand(topic, rest);
    if (command === undefined) return;
    const requested = this.subscriptionsOf(connection);
    if (command.kind === 'subscriptions') this.subscribe(connection, requested, on, command.of);
    else applyCommand(requested, on, command);
  }

  /** A connection has ended. */
  forget(connection: StreamConnection): void {
    this.waiting.delete(connection);
    this.subscriptions.delete(connection);
  }

  /**
   * Tells connections what has changed of what they want. Few subscriptions are told at every change. Many would keep all else
   * waiting, orders too: those are told once a second. What is told every second to connections that want much is told in turns
   * of the event loop.
   * @param isTick true if a second has passed; otherwise something has changed.
   */
  look(isTick: boolean): void {
    const now = upTo(AT_ONCE, [...this.subscriptions].filter(this.isAtOnce(isTick)));
    const shared = new SharedMessages();
    for (const [connection, requested] of now)
      atOnce(this.nextSend(connection, requested, this.due(requested), shared));
    if (!isTick || now.length === this.subscriptions.size || this.turns.isRunning) return;
    for (const connection of this.subscriptions.keys()) this.waiting.add(connection);
    for (const [connection] of now) this.waiting.delete(connection);
    this.turns.run(this.sendWaiting());
  }

  close(): void {
    this.turns.stop();
  }

  /** Says of a connection whether it is told without giving the event loop back. */
  private isAtOnce(isTick: boolean): (entry: [StreamConnection, SubscriptionState]) => boolean {
    let sum = 0;
    for (const { subscriptions } of this.subscriptions.values()) sum += subscriptions.size;
    const isMuch = sum > AT_ONCE;
    return ([connection, { subscriptions }]) => {
      // Who is told in turns already would hear from them what is older.
      if (this.waiting.has(connection)) return false;
      return subscriptions.size <= SMALL || (!isMuch && (!isTick || connection.mayHoldClock));
    };
  }

  /** Tells each who waits; of what several want alike, each look serves all. */
  private *sendWaiting(): Generator<void, void> {
    const shared = new SharedMessages();
    for (const connection of this.waiting) {
      const requested = this.subscriptions.get(connection);
      if (requested !== undefined) yield* this.nextSend(connection, requested, this.due(requested), shared);
      this.waiting.delete(connection);
      yield;
    }
  }

  private subscriptionsOf(connection: StreamConnection): SubscriptionState {
    const subscriptionState = this.subscriptions.get(connection);
    if (subscriptionState !== undefined) return subscriptionState;
    const requested = newSubscriptionState();
    this.subscriptions.set(connection, requested);
    return requested;
  }

  private subscribe(
    connection: StreamConnection,
    state: SubscriptionState,
    on: boolean,
    asked: MarketSubscription[],
  ): void {
    if (!on) {
      for (const key of asked.map(keyOf)) {
        state.subscriptions.delete(key);
        state.sent.delete(key);
        state.candles.delete(key);
      }
      return;
    }
    const fresh = new Map(asked.map((subscription) => [keyOf(subscription), subscription]));
    for (const key of state.subscriptions.keys()) fresh.delete(key);
    const weight = this.weightOf(connection.user?.clientCode) + weightOf(state, fresh.values());
    if (weight > SUBSCRIPTION_BUDGET) {
      connection.answer(`Subscription limit exceeded: ${weight} of ${SUBSCRIPTION_BUDGET}`);
      return;
    }
    for (const [key, subscription] of fresh) {
      state.subscriptions.set(key, subscription);
      if (!state.sentAt.has(subscription.channel)) state.sentAt.set(subscription.channel, this.sandbox.instant);
    }
    // Time must not go on before one who holds the clock has heard.
    if (connection.mayHoldClock || (fresh.size <= FIRST_AT_ONCE && !this.waiting.has(connection)))
      return atOnce(this.nextSend(connection, state, [...fresh], new SharedMessages()));
    this.waiting.add(connection);
    if (!this.turns.isRunning) this.turns.run(this.sendWaiting());
  }

  /** Returns the weight of all connections of an account together. */
  private weightOf(account: string | undefined): number {
    let sum = 0;
    for (const [connection, requested] of this.subscriptions)
      if (connection.user?.clientCode === account) sum += weightOf(requested, requested.subscriptions.values());
    return sum;
  }

  /** Tells a connection what has changed of some of its subscriptions; one look at each step. */
  private *nextSend(
    connection: StreamConnection,
    state: SubscriptionState,
    subscriptions: readonly [key: string, MarketSubscription][],
    shared: SharedMessages,
  ): Generator<void, void> {
    const batches = new Map<Exclude<MarketChannel, 'option'>, Batch>();
    for (const [key, subscription] of subscriptions) {
      yield;
      if (!state.subscriptions.has(key)) continue;
      if (subscription.channel === 'index_bucket') {
        const candles = this.subscriptionMessages.candles(state, key, subscription);
        if (candles !== undefined)
          batchOf(batches, subscription.channel)[candles.isIndex ? 'indexes' : 'instruments'].push(...candles.messages);
      } else {
        const messagesByKey = shared.alike(state);
        let look = messagesByKey.get(key);
        if (look === undefined && !messagesByKey.has(key))
          messagesByKey.set(key, (look = this.subscriptionMessages.at(state, subscription)));
        if (look === undefined || state.sent.get(key) === look.fingerprint) continue;
        state.sent.set(key, look.fingerprint);
        const id = `${key} ${state.levels} ${state.postMarket}`;
        if (subscription.channel === 'option')
          this.send(
            connection,
            shared.frame(id, () => this.frame('option', look.message)),
          );
        else {
          const batch = batchOf(batches, subscription.channel);
          batch.ids.push(id);
          batch[look.isIndex ? 'indexes' : 'instruments'].push(look.message);
        }
      }
    }
    const timestamp = nanosOf(this.sandbox.instant);
    for (const [channel, { ids, ...parts }] of batches) {
      const make = (): Uint8Array => this.frame(channel, { timestamp, ...parts });
      // Candles depend on what the connection was told before.
      this.send(connection, channel === 'index_bucket' ? make() : shared.frame(ids.join(), make));
    }
  }

  /** The journal notes nothing of it: such frames are too many. */
  private send(connection: StreamConnection, frame: Uint8Array): void {
    connection.send({ frame, about: undefined, at: this.sandbox.instant });
  }

  /**
   * Returns the messages that are due for a connection now: what it has not heard at all, and the channels whose pace allows it; they count
   * as told.
   */
  private due({
    paces,
    sentAt,
    sent: reported,
    subscriptions,
  }: SubscriptionState): [key: string, MarketSubscription][] {
    const { instant } = this.sandbox;
    const due = new Set<MarketChannel>();
    for (const channel of Object.keys(CHANNEL_WEIGHTS) as MarketChannel[]) {
      const last = sentAt.get(channel);
      if (last !== undefined && instant < last + (paces.get(channel) ?? 0) && instant >= last) continue;
      due.add(channel);
      sentAt.set(channel, instant);
    }
    return [...subscriptions].filter(([key, { channel }]) => due.has(channel) || !reported.has(key));
  }

  private frame(channel: MarketChannel, body: object): Uint8Array {
    return this.messages.marketFrame(channel, TYPES[channel], body);
  }
}

/** Does a work without giving the event loop back. */
function atOnce(work: Iterator<void>): void {
  while (work.next().done !== true);
}

/** The first of them, of so many subscriptions together. */
function upTo(
  max: number,
  all: readonly [StreamConnection, SubscriptionState][],
): readonly [StreamConnection, SubscriptionState][] {
  let sum = 0;
  const end = all.findIndex(([, { subscriptions }]) => (sum += subscriptions.size) > max);
  return end === -1 ? all : all.slice(0, end);
}

function batchOf(
  batches: Map<Exclude<MarketChannel, 'option'>, Batch>,
  channel: Exclude<MarketChannel, 'option'>,
): Batch {
  const batch = batches.get(channel) ?? { indexes: [], instruments: [], ids: [] };
  batches.set(channel, batch);
  return batch;
}

function keyOf(subscription: MarketSubscription): string {
  return Object.values(subscription).join(' ');
}
