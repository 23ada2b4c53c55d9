import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { hostAllowed, originAllowed } from '../web/access';
import { RateLimit } from '../simulation/rate-limit';
import type { Sandbox } from '../simulation/sandbox';
import type { User } from '../sessions/users';
import { BasketFrames } from './basket-frames';
import { CLOCK_CHANNEL, ClockCommands } from './clock-commands';
import { parseCommand, splitWord, wordsOf } from './command-parser';
import { IntentFrames } from './strategy-frames';
import { StreamConnection } from './connection';
import { Listeners, type StreamTopic } from './listeners';
import { MarketDataStream } from './market-data-stream';
import { Messages } from './messages';
import { OrderFrames } from './order-frames';
import { UpdateFrames, type StreamUpdate } from './update-frame';
import { PortfolioFrames } from './portfolio-frames';

/**
 * Paths of streams: the addresses that /userinfo returns, and the one known from an empty answer
 * (docs/service/login-and-session.md#user-info). Order updates and market data are told apart by the command
 * (docs/service/streams.md#market-data-commands).
 */
const STREAM_PATHS = ['/stream', '/oms-socket-latest/ws', '/ws', '/apibatch/ws'];
/** Connections of one account in so many real milliseconds: who asks for more waits, and is refused. */
const MAX_CONNECTIONS = 250;
const CONNECTIONS_MS = 10_000;
const REFUSED_AFTER_MS = 1_000;
const MAX_FRAME = 64 * 1024;
/** Interval at which prices behind portfolios and the ends of sessions are checked, real milliseconds. */
const TICK_MS = 1_000;
/** Every so many ticks a ping. */
const PING_TICKS = 30;

/** Texts that subscribe (docs/service/streams.md#connecting): `subscribe <token> <channel> <event>`. */
const TOPICS: Record<string, StreamTopic> = {
  'direct_intent notification': 'orders',
  'notifications notification': 'orders',
  'direct_portfolio NOTIFICATION_DIRECT_PORTFOLIO_UPDATE': 'portfolio',
};

/** All streams: who listens to what, and how frames reach them (docs/service/streams.md#order-update-messages). */
export class StreamServer {
  private readonly server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_FRAME });
  private readonly connections = new Set<StreamConnection>();
  private readonly listeners: Listeners;
  private readonly messages: Messages;
  private readonly openings: RateLimit;
  private readonly market: MarketDataStream;
  private readonly portfolios: PortfolioFrames;
  private readonly clock: ClockCommands;
  private readonly ticks: NodeJS.Timeout;
  private tick = 0;

  constructor(private readonly sandbox: Sandbox) {
    this.messages = new Messages(sandbox.options);
    this.openings = new RateLimit(sandbox.options.rateLimit === 'off' ? Infinity : MAX_CONNECTIONS, CONNECTIONS_MS);
    // One entry for all listeners: a hundred would fill the journal with the frames of a few orders.
    this.listeners = new Listeners((account, { about, at }, listeners) =>
      sandbox.journal.writeOnce(at, 'frame', {
        client_code: account,
        ...about,
        ...(listeners > 1 ? { listeners } : {}),
      }),
    );
    const updates = new UpdateFrames(this.messages, sandbox);
    const frames = new OrderFrames(updates);
    sandbox.onOrderEvent((event) => {
      const { account, refId, basketId, intentId } = event.order;
      if (basketId !== 0n || intentId !== undefined || !this.listeners.has(account, 'orders')) return;
      const instrument = sandbox.world.instrument(refId);
      const update = frames.of(event, instrument, instrument === undefined ? 0 : sandbox.world.lastPrice(instrument));
      if (update !== undefined) this.send(account, 'orders', update);
    });
    const basketFrames = new BasketFrames(updates);
    sandbox.onBasketEvent((event) => {
      const { world } = sandbox;
      const { account } = event.basket;
      if (!this.listeners.has(account, 'orders')) return;
      const update = basketFrames.of(
        event,
        (refId) => world.instrument(refId),
        world.baskets.netPrice(event.basket, sandbox.instant),
      );
      if (update !== undefined) this.send(account, 'orders', update);
    });
    const intentFrames = new IntentFrames(updates);
    sandbox.onIntentEvent((event) => {
      const { world } = sandbox;
      const { account } = event.intent;
      if (!this.listeners.has(account, 'orders')) return;
      const price = world.intents.netPrice(event.intent, sandbox.instant);
      const update = intentFrames.of(event, (refId) => world.instrument(refId), price);
      if (update !== undefined) this.send(account, 'orders', update);
    });
    sandbox.onSessionEnd((user) => {
      this.listeners.flush();
      for (const connection of [...this.connections]) if (connection.user === user) connection.invalidate();
    });
    this.market = new MarketDataStream(this.messages, sandbox);
    this.portfolios = new PortfolioFrames(this.messages, sandbox);
    this.clock = new ClockCommands(sandbox);
    sandbox.onChange(() => this.look(false));
    this.ticks = setInterval(() => this.ticked(), TICK_MS);
    this.ticks.unref();
  }

  /** Takes over a connection that asks for a stream. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Not by new URL(): an address such as // is none for it, and would end the process.
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const { host, origin, authorization = '' } = request.headers;
    if (!STREAM_PATHS.includes(path) || !hostAllowed(host, this.sandbox.options.host))
      return refuse(socket, '404 Not Found');
    if (this.sandbox.isDown()) return refuse(socket, '503 Service Unavailable');
    // A page of another site may open a WebSocket to any address; no browser keeps it from reading what comes.
    if (!originAllowed(origin, host)) return refuse(socket, '403 Forbidden');
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    const token = new URLSearchParams(query).get('token') ?? bearer;
    this.sandbox.now();
    const owner = token === undefined ? undefined : this.sandbox.users.sessionOwner(token, this.sandbox.moment);
    if (!this.openings.allows(owner?.clientCode ?? request.socket.remoteAddress ?? '', Date.now())) {
      const late = (): void => refuse(socket, '429 Too Many Requests', 'Retry-After: 10\r\n');
      socket.on('error', () => socket.destroy());
      setTimeout(late, REFUSED_AFTER_MS).unref();
      return;
    }
    this.server.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = this.accept(webSocket, socket);
      if (owner !== undefined) connection.identify(owner);
      else if (token !== undefined) connection.invalidate();
    });
  }

  private send(account: string, topic: StreamTopic, update: StreamUpdate): void {
    this.listeners.send(account, topic, { ...update, at: this.sandbox.instant });
  }

  close(): void {
    clearInterval(this.ticks);
    this.listeners.flush();
    this.market.close();
    for (const connection of [...this.connections]) connection.socket.terminate();
    this.server.close();
  }

  private ticked(): void {
    if (this.connections.size === 0) return;
    this.sandbox.now();
    this.look(true);
    this.tick += 1;
    if (this.tick % PING_TICKS === 0) [...this.connections].forEach((connection) => connection.ping());
  }

  /** Ends streams whose session has ended by itself, and tells what has changed in portfolios that are listened to. */
  private look(isTick: boolean): void {
    if (this.sandbox.isDown()) return this.connections.forEach((connection) => connection.socket.terminate());
    const ended = [...this.connections].filter((connection) => connection.hasEnded());
    if (ended.length > 0) this.listeners.flush();
    for (const connection of ended) connection.invalidate();
    this.market.look(isTick);
    for (const account of this.listeners.accounts('portfolio')) {
      const frame = this.portfolios.next(account);
      if (frame !== undefined) this.send(account, 'portfolio', { frame, about: { topic: 'portfolio' } });
    }
  }

  private accept(socket: WebSocket, carrier: Duplex): StreamConnection {
    const { sandbox } = this;
    const connection = new StreamConnection(socket, carrier, sandbox, (by, text) => this.command(by, text));
    this.connections.add(connection);
    sandbox.stats.streamsOpen += 1;
    socket.on('close', () => {
      this.connections.delete(connection);
      this.listeners.forget(connection);
      this.market.forget(connection);
      this.clock.forget(connection);
      sandbox.time.watchesPrices(connection, false);
      sandbox.stats.streamsOpen -= 1;
    });
    return connection;
  }

  /** Takes a text of a client; what is no command gets no answer (docs/service/streams.md#silence-and-pings). */
  private command(connection: StreamConnection, text: string): void {
    if (this.clock.acknowledged(connection, text)) return;
    const command = parseCommand(text);
    if (command === undefined) return;
    const { isBatch, token, rest } = command;
    const at = this.sandbox.now();
    const owner = this.sandbox.users.sessionOwner(token, this.sandbox.moment);
    if (owner === undefined || (connection.user !== undefined && connection.user !== owner))
      return connection.invalidate();
    connection.identify(owner);
    const on = command.verb === 'subscribe';
    const [topic, what] = splitWord(rest);
    if (topic === CLOCK_CHANNEL) return on ? this.clock.subscribe(connection, what) : undefined;
    if (!isBatch) return this.orderCommand(connection, owner, on, wordsOf(rest).join(' '), at);
    this.sandbox.time.watchesPrices(connection, true);
    this.market.command(connection, on, topic, what);
  }

  private orderCommand(connection: StreamConnection, user: User, on: boolean, what: string, at: number): void {
    const topic = Object.hasOwn(TOPICS, what) ? TOPICS[what] : undefined;
    if (topic === undefined) return;
    if (on) {
      if (topic === 'portfolio' && !this.listeners.has(user.clientCode, topic)) this.portfolios.begin(user.clientCode);
      this.listeners.add(user.clientCode, connection, topic);
      if (topic === 'portfolio') this.sandbox.time.watchesPrices(connection, true);
    } else {
      this.listeners.remove(connection, topic);
    }
    this.sandbox.journal.writeOnce(at, on ? 'subscribe' : 'unsubscribe', { client_code: user.clientCode, topic });
  }
}

/** Answers an upgrade in words; `headers` end with a line break each. */
function refuse(socket: Duplex, status: string, headers = ''): void {
  // A client that is gone before it reads the refusal is no reason to end.
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n${headers}Content-Length: 0\r\n\r\n`);
}
