import type { Sandbox } from '../simulation/sandbox';
import type { StreamConnection } from './connection';
import { readMarketCommand, type Channel, type Subscription } from './market-commands';
import { MarketLooks } from './market-looks';
import type { Messages } from './messages';
import { SharedLooks, type Look } from './shared-looks';
import { Turns } from './turns';
import { nanos } from './update-frame';
import { BUDGET, WEIGHTS, newWanted, set, weigh, type Wanted } from './wanted';

/** Up to so many subscriptions of all connections together are told at every change. */
const AT_ONCE = 500;
/** Where there are more, a connection of at most so many is still told at every change. */
const SMALL = 100;
/** So many pictures are made in one turn of the event loop. */
const LOOKS_A_TURN = 25;

const TYPES: Record<Channel, string> = {
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
  /** What tells these parts from those of another frame of the same turn. */
  ids: string[];
}

/** The market-data stream: ticks, candles, depth, Greeks and option chains, told when they change (intent orders, section 7). */
export class MarketDataStream {
  private readonly wanted = new Map<StreamConnection, Wanted>();
  private readonly looks: MarketLooks;
  private readonly turns = new Turns();
  /** Who is still to be told in the turns that are under way. */
  private readonly waiting = new Set<StreamConnection>();

  constructor(
    private readonly messages: Messages,
    private readonly sandbox: Sandbox,
  ) {
    this.looks = new MarketLooks(messages, sandbox);
  }

  /** Carries out a command of a connection whose session is good; what is no command is not answered. */
  command(connection: StreamConnection, on: boolean, topic: string, rest: string): void {
    const command = readMarketCommand(topic, rest);
    if (command === undefined) return;
    const wanted = this.wantedOf(connection);
    if (command.kind === 'subscriptions') this.subscribe(connection, wanted, on, command.of);
    else set(wanted, on, command);
  }

  /** A connection has ended. */
  forget(connection: StreamConnection): void {
    this.waiting.delete(connection);
    this.wanted.delete(connection);
  }

  /**
   * Tells connections what has changed of what they want. Few subscriptions are told at every change. Many would keep all else
   * waiting, orders too: those are told once a second, a part of them in each turn of the event loop.
   * @param isTick whether a second has passed; otherwise something has changed.
   */
  look(isTick: boolean): void {
    const now = this.isMuch() ? upTo(AT_ONCE, [...this.wanted].filter(isSmall)) : [...this.wanted];
    const shared = new SharedLooks();
    for (const [connection, wanted] of now) this.tellDue(connection, wanted, shared);
    if (!isTick || now.length === this.wanted.size || this.turns.isRunning) return;
    for (const connection of this.wanted.keys()) this.waiting.add(connection);
    for (const [connection] of now) this.waiting.delete(connection);
    this.turns.run(this.tellWaiting());
  }

  close(): void {
    this.turns.stop();
  }

  /** Whether there are too many subscriptions to tell all of them at every change. */
  private isMuch(): boolean {
    let sum = 0;
    for (const { subscriptions } of this.wanted.values()) sum += subscriptions.size;
    return sum > AT_ONCE;
  }

  /** Looks at all that is wanted by those who wait, then tells each. */
  private *tellWaiting(): Generator<void, void> {
    const shared = new SharedLooks();
    let count = 0;
    for (const connection of this.waiting) {
      const wanted = this.wanted.get(connection);
      for (const [key, one] of wanted?.subscriptions ?? []) {
        if (one.channel !== 'index_bucket' && this.sharedLook(shared, key, wanted!, one).isNew) count += 1;
        if (count >= LOOKS_A_TURN) {
          count = 0;
          yield;
        }
      }
    }
    for (const connection of this.waiting) {
      this.waiting.delete(connection);
      const wanted = this.wanted.get(connection);
      if (wanted !== undefined) this.tellDue(connection, wanted, shared);
      yield;
    }
  }

  /** Tells a connection of the channels whose pace allows it now. */
  private tellDue(connection: StreamConnection, wanted: Wanted, shared: SharedLooks): void {
    const { instant } = this.sandbox;
    const due = new Set<Channel>();
    for (const channel of Object.keys(WEIGHTS) as Channel[]) {
      const last = wanted.toldAt.get(channel);
      const pace = wanted.paces.get(channel) ?? 0;
      if (last !== undefined && instant < last + pace && instant >= last) continue;
      due.add(channel);
      wanted.toldAt.set(channel, instant);
    }
    this.tell(
      connection,
      wanted,
      [...wanted.subscriptions].filter(([, { channel }]) => due.has(channel)),
      shared,
    );
  }

  private wantedOf(connection: StreamConnection): Wanted {
    const known = this.wanted.get(connection);
    if (known !== undefined) return known;
    const wanted = newWanted();
    this.wanted.set(connection, wanted);
    return wanted;
  }

  private subscribe(connection: StreamConnection, wanted: Wanted, on: boolean, asked: Subscription[]): void {
    if (!on) {
      for (const key of asked.map(keyOf)) {
        wanted.subscriptions.delete(key);
        wanted.told.delete(key);
        wanted.candles.delete(key);
      }
      return;
    }
    const fresh = new Map(asked.map((one) => [keyOf(one), one]));
    for (const key of wanted.subscriptions.keys()) fresh.delete(key);
    const weight = this.weightOf(connection.person?.clientCode) + weigh(wanted, fresh.values());
    if (weight > BUDGET) {
      connection.answer(`Subscription limit exceeded: ${weight} of ${BUDGET}`);
      return;
    }
    for (const [key, one] of fresh) {
      wanted.subscriptions.set(key, one);
      if (!wanted.toldAt.has(one.channel)) wanted.toldAt.set(one.channel, this.sandbox.instant);
    }
    if (fresh.size > SMALL && this.isMuch()) return;
    this.waiting.delete(connection);
    this.tell(connection, wanted, [...fresh], new SharedLooks());
  }

  /** What all connections of an account weigh together. */
  private weightOf(account: string | undefined): number {
    let sum = 0;
    for (const [connection, wanted] of this.wanted)
      if (connection.person?.clientCode === account) sum += weigh(wanted, wanted.subscriptions.values());
    return sum;
  }

  private tell(
    connection: StreamConnection,
    wanted: Wanted,
    subscriptions: [key: string, Subscription][],
    shared: SharedLooks,
  ): void {
    const batches = new Map<Exclude<Channel, 'option'>, Batch>();
    for (const [key, one] of subscriptions) {
      if (one.channel === 'index_bucket') {
        const candles = this.looks.candles(wanted, key, one);
        if (candles !== undefined)
          batchOf(batches, one.channel)[candles.isIndex ? 'indexes' : 'instruments'].push(...candles.messages);
      } else {
        const { id, look } = this.sharedLook(shared, key, wanted, one);
        if (look === undefined || wanted.told.get(key) === look.mark) continue;
        wanted.told.set(key, look.mark);
        if (one.channel === 'option')
          connection.send(
            shared.frame(id, () => this.frame('option', look.message)),
            undefined,
          );
        else {
          const batch = batchOf(batches, one.channel);
          batch.ids.push(id);
          batch[look.isIndex ? 'indexes' : 'instruments'].push(look.message);
        }
      }
    }
    const timestamp = nanos(this.sandbox.instant);
    for (const [channel, { ids, ...parts }] of batches) {
      const make = (): Uint8Array => this.frame(channel, { timestamp, ...parts });
      // Candles depend on what the connection was told before.
      connection.send(channel === 'index_bucket' ? make() : shared.frame(ids.join(), make), undefined);
    }
  }

  private sharedLook(
    shared: SharedLooks,
    key: string,
    wanted: Wanted,
    one: Exclude<Subscription, { channel: 'index_bucket' }>,
  ): { id: string; isNew: boolean; look: Look | undefined } {
    const id = `${key} ${wanted.levels} ${wanted.postMarket}`;
    const isNew = !shared.has(id);
    return { id, isNew, look: shared.look(id, () => this.looks.at(wanted, one)) };
  }

  private frame(channel: Channel, body: object): Uint8Array {
    return this.messages.marketFrame(channel, TYPES[channel], body);
  }
}

const isSmall = ([, { subscriptions }]: [StreamConnection, Wanted]): boolean => subscriptions.size <= SMALL;

/** The first of them, of so many subscriptions together. */
function upTo(most: number, all: readonly [StreamConnection, Wanted][]): readonly [StreamConnection, Wanted][] {
  let sum = 0;
  const end = all.findIndex(([, { subscriptions }]) => (sum += subscriptions.size) > most);
  return end === -1 ? all : all.slice(0, end);
}

function batchOf(batches: Map<Exclude<Channel, 'option'>, Batch>, channel: Exclude<Channel, 'option'>): Batch {
  const batch = batches.get(channel) ?? { indexes: [], instruments: [], ids: [] };
  batches.set(channel, batch);
  return batch;
}

function keyOf(subscription: Subscription): string {
  return Object.values(subscription).join(' ');
}
