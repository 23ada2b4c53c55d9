import type { Sandbox } from '../simulation/sandbox';
import type { Instrument } from '../market/reference/types';
import type { StreamConnection } from './connection';
import { readMarketCommand, type Channel, type MarketCommand, type Subscription } from './market-commands';
import { MarketPicture } from './market-picture';
import type { Messages } from './messages';
import { nanos } from './update-frame';

const USUAL_LEVELS = 20;
/** What a subscription weighs, and what a session may have (intent orders, section 7). */
const WEIGHTS: Record<Channel, number> = { option: 20, orderbook: 5, index_bucket: 2, index: 1, greeks: 1 };
export const BUDGET = 50_000;
/** A channel that is told every minute or less often has no limit of subscriptions. */
const UNLIMITED_MS = 60_000;

const TYPES: Record<Exclude<Channel, 'option'>, string> = {
  index: 'BatchWebSocketIndexMessage',
  index_bucket: 'BatchWebSocketIndexBucketMessage',
  orderbook: 'BatchWebSocketOrderbookMessage',
  greeks: 'BatchWebSocketGreeksMessage',
};

/** What a connection wants, and what it was told. */
interface Wanted {
  subscriptions: Map<string, Subscription>;
  /** By subscription: what was told last, as text to compare with. */
  told: Map<string, string>;
  /** By candle subscription: when the candle began that was told last, milliseconds. */
  candles: Map<string, number>;
  levels: number;
  /** How often a channel is told, where that is not at every change; milliseconds. */
  paces: Map<Channel, number>;
  /** When a channel was told last, milliseconds. */
  toldAt: Map<Channel, number>;
  postMarket: boolean;
}

/** The parts of one frame. */
interface Batch {
  indexes: object[];
  instruments: object[];
}

/** The market-data stream: ticks, candles, depth, Greeks and option chains, told when they change (intent orders, section 7). */
export class MarketDataStream {
  private readonly wanted = new Map<StreamConnection, Wanted>();
  private readonly picture: MarketPicture;

  constructor(
    private readonly messages: Messages,
    private readonly sandbox: Sandbox,
  ) {
    this.picture = new MarketPicture(messages, sandbox);
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
    this.wanted.delete(connection);
  }

  /** Tells every connection what has changed of what it wants. */
  look(): void {
    const { instant } = this.sandbox;
    for (const [connection, wanted] of this.wanted) {
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
        [...wanted.subscriptions.values()].filter(({ channel }) => due.has(channel)),
      );
    }
  }

  private wantedOf(connection: StreamConnection): Wanted {
    const known = this.wanted.get(connection);
    if (known !== undefined) return known;
    const wanted: Wanted = {
      subscriptions: new Map(),
      told: new Map(),
      candles: new Map(),
      levels: USUAL_LEVELS,
      paces: new Map(),
      toldAt: new Map(),
      postMarket: false,
    };
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
    this.tell(connection, wanted, [...fresh.values()]);
  }

  /** What all connections of an account weigh together. */
  private weightOf(account: string | undefined): number {
    let sum = 0;
    for (const [connection, wanted] of this.wanted)
      if (connection.person?.clientCode === account) sum += weigh(wanted, wanted.subscriptions.values());
    return sum;
  }

  private tell(connection: StreamConnection, wanted: Wanted, subscriptions: Subscription[]): void {
    const batches = new Map<Exclude<Channel, 'option'>, Batch>();
    const batch = (channel: Exclude<Channel, 'option'>): Batch => {
      const known = batches.get(channel) ?? { indexes: [], instruments: [] };
      batches.set(channel, known);
      return known;
    };
    for (const one of subscriptions) {
      if (one.channel === 'option') this.tellChain(connection, wanted, one);
      else {
        const found = this.fresh(wanted, one);
        if (found.messages.length === 0) continue;
        batch(one.channel)[found.isIndex ? 'indexes' : 'instruments'].push(...found.messages);
      }
    }
    const timestamp = nanos(this.sandbox.instant);
    for (const [channel, parts] of batches) this.send(connection, channel, TYPES[channel], { timestamp, ...parts });
  }

  /** What of a subscription has changed since it was told last. */
  private fresh(
    wanted: Wanted,
    one: Exclude<Subscription, { channel: 'option' }>,
  ): { isIndex: boolean; messages: object[] } {
    const { picture } = this;
    const instrument = 'refId' in one ? picture.byRefId(one.refId) : picture.instrument(one.exchange, one.name);
    if (instrument !== undefined && !picture.isKnown(instrument)) return { isIndex: false, messages: [] };
    if (instrument === undefined || !this.isShown(wanted, instrument)) return { isIndex: false, messages: [] };
    const isIndex =
      (one.channel === 'index' || one.channel === 'index_bucket') && instrument.derivativeType === 'INDEX';
    return { isIndex, messages: this.changes(wanted, one, instrument) };
  }

  private changes(wanted: Wanted, one: Exclude<Subscription, { channel: 'option' }>, instrument: Instrument): object[] {
    const { picture, sandbox } = this;
    const key = keyOf(one);
    switch (one.channel) {
      case 'index': {
        const tick = picture.tick(instrument, one.name);
        return isNew(wanted, key, tick) ? [{ ...tick, timestamp: nanos(sandbox.instant) }] : [];
      }
      case 'orderbook': {
        const book = picture.book(instrument, wanted.levels);
        return isNew(wanted, key, book) ? [{ ...book, timestamp: picture.time(instrument.refId) }] : [];
      }
      case 'greeks': {
        if (instrument.derivativeType !== 'OPT') return [];
        const greeks = picture.greeks(instrument);
        return isNew(wanted, key, greeks) ? [{ ...greeks, ts: picture.time(instrument.refId) }] : [];
      }
      case 'index_bucket': {
        const buckets = picture.buckets(instrument, one.name, one.interval, wanted.candles.get(key));
        const last = buckets.at(-1);
        if (last === undefined) return [];
        wanted.candles.set(key, last.at);
        const told = wanted.told.get(key);
        const changed = buckets.filter(({ message }) => JSON.stringify(message) !== told);
        wanted.told.set(key, JSON.stringify(last.message));
        return changed.map(({ message }) => ({ ...message, timestamp: nanos(sandbox.instant) }));
      }
    }
  }

  private tellChain(
    connection: StreamConnection,
    wanted: Wanted,
    one: Extract<Subscription, { channel: 'option' }>,
  ): void {
    const chain = this.picture.chain(one.exchange, one.asset, one.expiry);
    if (chain === undefined || !this.isShown(wanted, chain.first)) return;
    if (!isNew(wanted, keyOf(one), chain.message)) return;
    const timed = (legs: { refId: number }[]) => legs.map((leg) => ({ ...leg, ts: this.picture.time(leg.refId) }));
    const { ce, pe } = chain.message;
    this.send(connection, 'option', 'WebSocketMsgOptionChainUpdate', {
      ...chain.message,
      ce: timed(ce),
      pe: timed(pe),
    });
  }

  /** Outside of its sessions an instrument is silent, but for those who want the day's last picture. */
  private isShown(wanted: Wanted, instrument: Instrument): boolean {
    return wanted.postMarket || this.picture.inSession(instrument);
  }

  private send(connection: StreamConnection, key: string, typeName: string, body: object): void {
    connection.send(this.messages.marketFrame(key, typeName, body), undefined);
  }
}

function set(wanted: Wanted, on: boolean, command: Exclude<MarketCommand, { kind: 'subscriptions' }>): void {
  if (command.kind === 'depth') wanted.levels = on ? command.levels : USUAL_LEVELS;
  else if (command.kind === 'post_market') wanted.postMarket = on && command.on;
  else if (on) wanted.paces.set(command.channel, command.ms);
  else wanted.paces.delete(command.channel);
}

function weigh({ paces }: Wanted, subscriptions: Iterable<Subscription>): number {
  let sum = 0;
  for (const { channel } of subscriptions) if ((paces.get(channel) ?? 0) < UNLIMITED_MS) sum += WEIGHTS[channel];
  return sum;
}

/** Whether something is not what was told last; from now on it is. */
function isNew({ told }: Wanted, key: string, message: object): boolean {
  const mark = JSON.stringify(message);
  if (told.get(key) === mark) return false;
  told.set(key, mark);
  return true;
}

function keyOf(subscription: Subscription): string {
  return Object.values(subscription).join(' ');
}
