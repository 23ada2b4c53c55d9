import { WebSocket, type RawData } from 'ws';
import type { Greeks } from '../market/prices/types';
import type { MirrorQuote } from '../market/mirror/types';
import { Messages } from '../stream/messages';
import { parseQuote, wholeNumber } from './parse-quote';

/** A subscription: an order book, an index by its symbol, the Greeks of an option. */
export type LiveSubscription =
  { channel: 'orderbook' | 'greeks'; refId: number } | { channel: 'index'; symbol: string; exchange: string };

/** Listener to the stream. */
export interface StreamListener {
  /** The stream is open: everything that is wished for is told again. */
  opened(): void;
  /** It has ended; `displaced` where the service says that the session is no longer good. */
  ended(displaced: boolean): void;
  /** @param quote undefined where what was told of it is nonsense. */
  book(refId: number, quote: MirrorQuote | undefined): void;
  index(exchange: string, symbol: string, last: number, previousClose: number | undefined): void;
  greeks(refId: number, greeks: Greeks, openInterest: number): void;
  /**
   * A frame has come. What it holds is told after that, where it is to be.
   * @param isReadable true if it could be read. @param sent when the live side sent it, milliseconds by its clock; undefined where it
   * does not say. @returns true if it is to be told
   */
  frame(isReadable: boolean, sent: number | undefined): boolean;
  /** All that the frame holds has been told. */
  onRows(): void;
}

/** Longest silence, pings included, before the stream is given up, milliseconds. */
const SILENCE_MS = 75_000;
/** After so long a silence it is asked whether it is there; one that has answered before and does not within as long again is given up. */
const ASK_MS = 2_500;
/** Waits before it is opened again, milliseconds: so long after the first end, the second and so on. */
const WAITS_MS = [250, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
const POLICY_VIOLATION = 1008;
const MAX_FRAME = 4 * 1024 * 1024;
/** Wishes of one command. */
const TOGETHER = 100;
/** Weight of a subscription, and budget of a session (docs/service/streams.md#weights). */
const WEIGHTS: Record<LiveSubscription['channel'], number> = { orderbook: 5, index: 1, greeks: 1 };
const BUDGET = 50_000;
/** Age beyond which an older message has not been overtaken by the last one: a clock was set back. */
const OVERTAKEN_NS = 10_000_000_000n;
const MS_NS = 1_000_000n;

type Fields = Record<string, unknown>;

/** The market-data stream of the live side: it only subscribes, and opens again whenever it ends. */
export class LiveStream {
  private readonly messages = new Messages({ platformWord: '', serviceWord: '' });
  private readonly subscriptions = new Map<string, LiveSubscription>();
  /** Instant when each book was told last, nanoseconds on the live side. */
  private readonly receivedAt = new Map<number, bigint>();
  private socket: WebSocket | undefined;
  private timer: NodeJS.Timeout | undefined;
  private silence: NodeJS.Timeout | undefined;
  private answersPings = false;
  private failures = 0;
  private weight = 0;
  private isOver = false;

  constructor(
    private readonly address: string,
    private readonly token: string,
    private readonly listener: StreamListener,
  ) {}

  open(): void {
    const url = new URL(this.address);
    url.searchParams.set('token', this.token);
    const socket = new WebSocket(url, { maxPayload: MAX_FRAME, handshakeTimeout: 10_000, perMessageDeflate: false });
    this.socket = socket;
    let isDisplaced = false;
    socket.on('open', () => {
      this.receivedAt.clear();
      this.answersPings = false;
      socket.ping();
      this.onFrame();
      this.listener.opened();
      this.request([...this.subscriptions.values()]);
    });
    socket.on('ping', () => this.onFrame());
    socket.on('pong', () => {
      this.answersPings = true;
      this.onFrame();
    });
    socket.on('message', (data: RawData, binary) => {
      this.onFrame();
      if (binary) this.read(data as Buffer);
      else isDisplaced ||= /invalid token/i.test((data as Buffer).toString());
    });
    // An error is followed by the end, which says all there is to say.
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => {
      clearTimeout(this.silence);
      if (this.isOver) return;
      isDisplaced ||= code === POLICY_VIOLATION;
      if (isDisplaced) this.close();
      else this.reopen();
      this.listener.ended(isDisplaced);
    });
  }

  /** Subscribes to what is not subscribed to yet. @returns true if the service allows so many; otherwise nothing has been done */
  subscribe(subscriptions: readonly LiveSubscription[]): boolean {
    const fresh = subscriptions.filter((request) => !this.subscriptions.has(keyOf(request)));
    const weight = fresh.reduce((sum, { channel }) => sum + WEIGHTS[channel], this.weight);
    if (weight > BUDGET) return false;
    this.weight = weight;
    for (const request of fresh) this.subscriptions.set(keyOf(request), request);
    if (this.socket?.readyState === WebSocket.OPEN) this.request(fresh);
    return true;
  }

  /** Ends the connection; it is opened again. */
  restart(): void {
    this.socket?.terminate();
  }

  /** True if a book has been told since the stream was opened. */
  hasReceived(refId: number): boolean {
    return this.receivedAt.has(refId);
  }

  close(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.socket?.terminate();
  }

  private reopen(): void {
    const wait = WAITS_MS[Math.min(this.failures, WAITS_MS.length - 1)]!;
    this.failures += 1;
    this.timer = setTimeout(() => this.open(), wait);
    this.timer.unref();
  }

  /** The stream lives. */
  private onFrame(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.socket?.ping();
      const rest = this.answersPings ? ASK_MS : SILENCE_MS - ASK_MS;
      this.silence = setTimeout(() => this.socket?.terminate(), rest).unref();
    }, ASK_MS).unref();
  }

  private request(subscriptions: readonly LiveSubscription[]): void {
    for (let from = 0; from < subscriptions.length; from += TOGETHER)
      for (const command of commandsOf(subscriptions.slice(from, from + TOGETHER)))
        this.socket?.send(`batch_subscribe ${this.token} ${command}`);
  }

  private read(frame: Uint8Array): void {
    const reported = this.decoded(frame);
    const sent = reported === undefined ? 0n : BigInt(String(reported.body['timestamp'] ?? 0));
    const isReported = this.listener.frame(reported !== undefined, sent > 0n ? Number(sent / MS_NS) : undefined);
    if (reported !== undefined && isReported) {
      this.failures = 0;
      for (const fields of listIn(reported.body, 'instruments').concat(listIn(reported.body, 'indexes')))
        this.notify(reported.name, fields);
    }
    this.listener.onRows();
  }

  private notify(name: string, one: Fields): void {
    const refId = wholeNumber(one['refId']);
    if (name === 'BatchWebSocketOrderbookMessage' && refId !== undefined) {
      const at = BigInt(String(one['timestamp'] ?? 0));
      const last = this.receivedAt.get(refId);
      // Frames may come out of order: what has been overtaken says nothing.
      if (last !== undefined && at < last && last - at < OVERTAKEN_NS) return;
      this.receivedAt.set(refId, at);
      const { ltp = 0, volume = 0, bids, asks } = one;
      this.listener.book(refId, parseQuote(ltp, volume, bids, asks));
    } else if (name === 'BatchWebSocketIndexMessage') {
      const last = wholeNumber(one['indexValue']);
      if (last === undefined || last === 0) return;
      this.listener.index(
        String(one['exchange'] ?? ''),
        String(one['indexname'] ?? ''),
        last,
        wholeNumber(one['prevClose']),
      );
    } else if (name === 'BatchWebSocketGreeksMessage' && refId !== undefined) {
      const number = (field: string): number => {
        const value = Number(one[field] ?? 0);
        return Number.isFinite(value) ? value : 0;
      };
      const greeks = {
        iv: number('iv'),
        delta: number('delta'),
        gamma: number('gamma'),
        theta: number('theta'),
        vega: number('vega'),
      };
      this.listener.greeks(refId, greeks, wholeNumber(one['oi']) ?? 0);
    }
  }

  /** The message of a frame; undefined for what is none. */
  private decoded(frame: Uint8Array): { name: string; body: Fields } | undefined {
    try {
      const { messages } = this;
      const outer = messages.type('GenericData').decode(frame) as unknown as {
        data?: { typeUrl: string; value: Uint8Array };
      };
      const name = outer.data?.typeUrl.split('.').at(-1) ?? '';
      const type = messages.type(name);
      return { name, body: type.toObject(type.decode(outer.data!.value), { longs: String }) };
    } catch {
      return undefined;
    }
  }
}

function keyOf(request: LiveSubscription): string {
  return Object.values(request).join(' ');
}

/** The texts that ask for some wishes, without the token; the JSON must hold no blanks. */
function commandsOf(requests: readonly LiveSubscription[]): string[] {
  const commands: string[] = [];
  for (const channel of ['orderbook', 'greeks'] as const) {
    const instruments = requests.flatMap((request) => (request.channel === channel ? [request.refId] : []));
    if (instruments.length > 0) commands.push(`${channel} ${JSON.stringify({ instruments })}`);
  }
  const indices = requests.filter((request) => request.channel === 'index');
  for (const exchange of new Set(indices.map((request) => request.exchange))) {
    const indexes = indices.filter((request) => request.exchange === exchange).map(({ symbol }) => symbol);
    commands.push(`index ${JSON.stringify({ indexes })} ${exchange}`);
  }
  return commands;
}

function listIn(object: Fields, name: string): Fields[] {
  const list = object[name];
  return Array.isArray(list) ? (list as Fields[]) : [];
}
