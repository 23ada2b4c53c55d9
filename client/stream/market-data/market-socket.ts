/** The market-data socket of a credential: what is subscribed to, counted and weighed, and a connection that is kept for it. */
import type { Moment } from '../../base/ports';
import { decodeBatchWebSocketIndexMessage } from '../../../proto/generated/messages';
import { DecodeError } from '../../../proto/reader';
import { BrokerageError, InputError } from '../../base/errors';
import { ReconnectingSocket, type ConnectionDeps, type ConnectionUser } from '../connection/reconnecting-socket';
import type { StreamAccess, StreamConnection } from '../connection/socket';
import { ChannelPaces } from './channel-throttling';
import { SUBSCRIPTION_BUDGET, channelCommands, channelKey, weightOf, type MarketChannel } from './channels';
import { ReferenceCounts } from './reference-counts';
import type { SubscriptionDemand } from './subscription-demand';
import { readMarketFrame, type MarketFrame } from './market-frames';

/** Levels of depth that the service sends where it is not asked for another number. */
const USUAL_LEVELS = 20;
/** The service's answer to a command that exceeds the account's limit. It refuses the whole command, and does not name it. */
const REFUSAL = /subscription limit exceeded(?:: \d+ of \d+)?/i;
/** Milliseconds after which what was refused is asked for once more: others on the account may have given back what they had. */
const REFUSED_MS = 10 * 60_000;
/** Milliseconds without a refusal after which all that was asked for is taken: the service refuses at once. */
const TAKEN_MS = 10_000;

/** Hears of the socket, at once and in order; must not throw. */
export interface MarketSocketListener {
  /** The service has told where to connect. */
  reached(access: StreamAccess): void;
  /** A connection is open, and all subscriptions are sent. */
  opened(): void;
  /** The connection was lost, or an attempt failed. */
  lost(error: BrokerageError | string): void;
  /** Its prices are only there until this returns. */
  frame(frame: MarketFrame): void;
  /** Subscriptions of this connection were refused for the first time. @param said the service's words. */
  refused(said: string): void;
  /** A frame could not be read. */
  badFrame(cause: string): void;
  /** Nothing is possible without the person: the socket has stopped. */
  fatal(error: BrokerageError): void;
}

export class MarketSocket {
  /** Time of the stream's last frame, or of its opening. */
  lastMessageAt: Moment;
  /** Time of the connection's opening. */
  openedAt: Moment;
  /** The service's words, where it has refused subscriptions of this connection; it does not tell which. */
  refusal: string | undefined;
  private refusedAt: Moment | undefined;
  /** Time of the last request for all subscriptions; a refused request is repeated after it. */
  private requestedAt: Moment;
  private resubscribeAt: Moment | undefined;
  private readonly stopping = new AbortController();
  private readonly subscriptions = new Map<string, { channel: MarketChannel; count: number }>();
  /** Number of subscribers for each number of levels. */
  private readonly levels = new ReferenceCounts<number>();
  private sentLevels = USUAL_LEVELS;
  private readonly paces = new ChannelPaces();
  private weight = 0;
  private connection: (StreamConnection & { token: string }) | undefined;
  /** True if the clock is a sandbox's, which waits for us: it leaps without any loss. */
  holdsClock = false;
  /** Every frame of prices is read into this one. */
  private readonly ticks = decodeBatchWebSocketIndexMessage(new Uint8Array(0));

  constructor(
    private readonly deps: ConnectionDeps,
    private readonly listener: MarketSocketListener,
  ) {
    this.lastMessageAt = deps.clock.moment();
    this.openedAt = deps.clock.moment();
    this.requestedAt = deps.clock.moment();
  }

  get isOpen(): boolean {
    return this.connection !== undefined;
  }

  /** True if there are subscriptions. */
  get hasSubscriptions(): boolean {
    return this.subscriptions.size > 0;
  }

  /** Connects, and again whenever the connection is lost, until it is stopped. To be called once. */
  start(): void {
    void new ReconnectingSocket(this.deps, this.user).run(this.stopping.signal);
  }

  stop(): void {
    this.stopping.abort(new Error('The market data was stopped'));
  }

  /** The connection is of no use: another one is made at once. */
  reconnect(): void {
    this.connection?.stop();
  }

  /**
   * Subscribes to what nobody has wanted yet.
   * @throws InputError if all together would be more than the service allows; nothing is changed then.
   */
  subscribe({ channels, levels, paces }: SubscriptionDemand): void {
    const fresh = channels.filter((channel) => !this.subscriptions.has(channelKey(channel)));
    const weight = fresh.reduce((sum, channel) => sum + weightOf(channel), this.weight);
    if (weight > SUBSCRIPTION_BUDGET)
      throw new InputError(
        `All that is listened to would weigh ${weight}, and the service allows ${SUBSCRIPTION_BUDGET} for an account.`,
        {
          hint: 'Listen to fewer instruments. A price weighs 1, a candle 2, market depth 5, an option chain 20.',
        },
      );
    for (const channel of channels) {
      const key = channelKey(channel);
      const subscription = this.subscriptions.get(key);
      if (subscription !== undefined) subscription.count += 1;
      else {
        this.subscriptions.set(key, { channel, count: 1 });
        this.weight += weightOf(channel);
      }
    }
    for (const number of levels) this.levels.add(number);
    this.paces.add(paces);
    if (this.paces.isTooSlow) return this.reconnect();
    this.sendSettings();
    this.send('batch_subscribe', fresh);
  }

  /** Asks once more for what was refused, where it is time; the service ignores what it tells already. */
  resubscribe(): void {
    const { clock } = this.deps;
    const isDue = this.resubscribeAt !== undefined && clock.since(this.resubscribeAt) >= 0;
    if (this.refusal === undefined || !isDue) return;
    this.resubscribeAt = clock.moment(REFUSED_MS);
    this.sendAll();
  }

  /** Returns true if the service accepts all subscriptions, including those that it refused before. */
  takesAll(): boolean {
    const { clock } = this.deps;
    const sinceRequestMs = clock.since(this.requestedAt);
    const isRefused = this.refusedAt !== undefined && clock.since(this.refusedAt) <= sinceRequestMs;
    if (!this.isOpen || isRefused || sinceRequestMs < TAKEN_MS) return false;
    this.refusal = undefined;
    return true;
  }

  /** Gives back what was wanted before. */
  unsubscribe({ channels, levels, paces }: SubscriptionDemand): void {
    this.paces.remove(paces);
    const ended = channels.filter((channel) => {
      const subscription = this.subscriptions.get(channelKey(channel))!;
      subscription.count -= 1;
      if (subscription.count > 0) return false;
      this.subscriptions.delete(channelKey(channel));
      this.weight -= weightOf(channel);
      return true;
    });
    for (const number of levels) this.levels.remove(number);
    this.send('batch_unsubscribe', ended);
    if (ended.length > 0) this.resubscribeAt = this.deps.clock.moment();
  }

  private sendAll(): void {
    this.requestedAt = this.deps.clock.moment();
    this.send(
      'batch_subscribe',
      [...this.subscriptions.values()].map(({ channel }) => channel),
    );
  }

  private send(verb: 'batch_subscribe' | 'batch_unsubscribe', channels: readonly MarketChannel[]): void {
    const { connection } = this;
    if (connection === undefined) return;
    for (const text of channelCommands(verb, connection.token, channels)) connection.send(text);
  }

  /** Fewer levels than usual, and fewer messages than changes, spare the service work, and the line bytes. */
  private sendSettings(): void {
    const { connection } = this;
    if (connection === undefined) return;
    for (const command of this.paces.commands(connection.token)) connection.send(command);
    const max = this.maxLevels();
    if (max === this.sentLevels) return;
    connection.send(levelsCommand(connection.token, max));
    this.sentLevels = max;
  }

  private maxLevels(): number {
    const { keys } = this.levels;
    return keys.length === 0 ? USUAL_LEVELS : Math.max(...keys);
  }

  /** Callbacks of the socket. */
  private get user(): ConnectionUser {
    const { listener } = this;
    return {
      reached: (access) => {
        this.holdsClock = access.runsDone !== undefined;
        listener.reached(access);
        return [];
      },
      frame: (bytes) => this.take(bytes),
      text: (text) => this.onMessage(text),
      opened: async (connection, { token }) => {
        this.begin({ ...connection, token });
        await connection.ended;
        this.connection = undefined;
      },
      closed: (why) => listener.lost(why),
      failed: (error) => {
        listener.lost(error instanceof BrokerageError ? error : 'The connection failed');
        return true;
      },
      fatal: (error) => listener.fatal(error),
    };
  }

  /** A connection is open: all that is wanted is asked for. */
  private begin(connection: StreamConnection & { token: string }): void {
    this.connection = connection;
    this.lastMessageAt = this.deps.clock.moment();
    this.openedAt = this.lastMessageAt;
    this.refusal = undefined;
    this.sentLevels = USUAL_LEVELS;
    this.paces.renew();
    this.sendSettings();
    this.sendAll();
    this.listener.opened();
  }

  private take(bytes: Uint8Array): void {
    this.lastMessageAt = this.deps.clock.moment();
    const frame = this.read(bytes);
    if (frame !== undefined) this.listener.frame(frame);
  }

  private onMessage(text: string): void {
    const said = REFUSAL.exec(text)?.[0];
    if (said === undefined) return;
    const isFirst = this.refusal === undefined;
    this.refusal = said;
    this.refusedAt = this.deps.clock.moment();
    this.resubscribeAt = this.deps.clock.moment(REFUSED_MS);
    if (isFirst) this.listener.refused(said);
  }

  private read(bytes: Uint8Array): MarketFrame | undefined {
    try {
      return readMarketFrame(bytes, this.ticks);
    } catch (error) {
      this.listener.badFrame(error instanceof DecodeError ? error.fault : 'not a message of the stream');
      return undefined;
    }
  }
}

function levelsCommand(token: string, levels: number): string {
  return `batch_subscribe ${token} orderbook_depth ${levels}`;
}
