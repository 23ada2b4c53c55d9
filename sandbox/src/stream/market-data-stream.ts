import type { WebSocket } from 'ws';
import type { ExchangeCode, Instrument } from '../market/reference/types';
import type { Sandbox } from '../simulation/sandbox';
import { istDate, istMidnight } from '../shared/time';
import { nanoseconds } from '../web/records';
import { StreamConnection } from './connection';
import { long, type Messages } from './messages';

/** Where the market-data stream is served; /userinfo gives it out as market_ws_url. */
export const MARKET_PATH = '/market';
const LEVELS = 5;
const MOST_INSTRUMENTS = 500;

/** What a connection wants, and what each was told last, as text to compare with. */
interface Wanted {
  indexes: Map<string, Instrument>;
  books: Map<number, Instrument>;
  told: Map<string, string>;
}

/** The market-data stream: indices and order books, told when they change (wire facts, section 2). */
export class MarketDataStream {
  readonly connections = new Set<StreamConnection>();
  private readonly wanted = new WeakMap<StreamConnection, Wanted>();

  constructor(
    private readonly messages: Messages,
    private readonly sandbox: Sandbox,
  ) {}

  accept(socket: WebSocket, token: string): void {
    const { sandbox } = this;
    const connection = new StreamConnection(
      socket,
      sandbox,
      sandbox.people.sessionOwner(token, sandbox.now()),
      (by, text) => this.command(by, text),
    );
    this.connections.add(connection);
    this.wanted.set(connection, { indexes: new Map(), books: new Map(), told: new Map() });
    sandbox.stats.streamsOpen += 1;
    socket.on('close', () => {
      this.connections.delete(connection);
      sandbox.stats.streamsOpen -= 1;
    });
    connection.open();
  }

  /** Tells every connection what has changed of what it wants. */
  look(): void {
    for (const connection of this.connections) {
      const wanted = this.wanted.get(connection);
      if (wanted === undefined || !connection.alive(this.sandbox.instant)) connection.invalidate();
      else this.tell(connection, wanted);
    }
  }

  private tell(connection: StreamConnection, { indexes, books, told }: Wanted): void {
    const fresh = <T extends object>(key: string, mark: unknown, make: () => T): T[] => {
      const text = JSON.stringify(mark);
      if (told.get(key) === text) return [];
      told.set(key, text);
      return [make()];
    };
    const timestamp = long(BigInt(this.sandbox.instant) * 1_000_000n);
    const ticks = [...indexes.entries()].flatMap(([name, index]) => {
      const tick = this.indexTick(name, index);
      return fresh(`index ${name}`, tick, () => ({ ...tick, timestamp }));
    });
    if (ticks.length > 0) this.send(connection, 'index', 'IndexBatch', { timestamp, indexes: ticks });
    const shown = [...books.values()].flatMap((instrument) => {
      const book = this.book(instrument);
      return fresh(`book ${instrument.refId}`, book, () => ({
        ...book,
        timestamp: long(nanoseconds(this.sandbox.instant, instrument.refId)),
      }));
    });
    if (shown.length > 0) this.send(connection, 'orderbook', 'OrderBookBatch', { timestamp, instruments: shown });
  }

  private send(connection: StreamConnection, key: string, name: string, body: object): void {
    const { messages } = this;
    const data = { typeUrl: `type.googleapis.com/stream.${name}`, value: messages.type(name).encode(body).finish() };
    connection.send(
      messages.outer('GenericData', messages.type('GenericData').encode({ key, data }).finish()),
      undefined,
    );
  }

  private indexTick(name: string, index: Instrument) {
    const { world, instant } = this.sandbox;
    const price = world.lastPrice(index);
    const close = world.market.previousClose(index, instant);
    const [day] = world.market.bars(index, '1d', istMidnight(istDate(instant)), instant + 1, instant + 1);
    const indicative = world.indicativeClose(index);
    return {
      indexname: name,
      indexValue: price,
      highIndexValue: Math.max(price, day?.high ?? price),
      lowIndexValue: Math.min(price, day?.low ?? price),
      volume: day?.volume ?? 0,
      changepercent: close === 0 ? 0 : ((price - close) / close) * 100,
      prevClose: close,
      exchange: index.exchange,
      ...(indicative === undefined ? {} : { indicativeClosePrice: indicative }),
    };
  }

  private book(instrument: Instrument) {
    const { bids, asks, lastPrice, lastQuantity, volume } = this.sandbox.world.exchange.bookSnapshot(
      instrument,
      this.sandbox.instant,
      LEVELS,
    );
    return { instId: instrument.token, bids, asks, ltp: lastPrice, ltq: lastQuantity, volume, refId: instrument.refId };
  }

  /** `batch_subscribe <token> index {"indexes":["NIFTY"]} NSE`, `batch_subscribe <token> orderbook {"instruments":[70115]}`. */
  private command(connection: StreamConnection, text: string): void {
    const [, verb, token = '', topic = '', json = '', exchange = 'NSE'] =
      /^(batch_subscribe|batch_unsubscribe) (\S+) (index|orderbook) (\S+)(?: (NSE|BSE|MCX))?\s*$/.exec(text) ?? [];
    const wanted = this.wanted.get(connection);
    if (verb === undefined || wanted === undefined) return;
    if (this.sandbox.people.sessionOwner(token, this.sandbox.now()) !== connection.person)
      return connection.invalidate();
    const universe = this.sandbox.world.universe();
    const asked = readAsked(json);
    const found =
      topic === 'index'
        ? (asked.indexes ?? []).map(
            (name) => [name, universe.bySymbol(exchange as ExchangeCode, String(name))] as const,
          )
        : (asked.instruments ?? []).map((refId) => [refId, universe.byRefId(Number(refId))] as const);
    for (const [key, instrument] of found) {
      const map: Map<unknown, Instrument> = topic === 'index' ? wanted.indexes : wanted.books;
      if (verb === 'batch_unsubscribe') {
        map.delete(key);
        wanted.told.delete(`${topic === 'index' ? 'index' : 'book'} ${String(key)}`);
      } else if (instrument !== undefined && wanted.books.size + wanted.indexes.size < MOST_INSTRUMENTS)
        map.set(key, instrument);
    }
    this.tell(connection, wanted);
  }
}

/** What a command names; nothing when it is no JSON object. */
function readAsked(json: string): { indexes?: unknown[]; instruments?: unknown[] } {
  try {
    const asked = JSON.parse(json) as { indexes?: unknown; instruments?: unknown } | null;
    return {
      ...(Array.isArray(asked?.indexes) ? { indexes: asked.indexes } : {}),
      ...(Array.isArray(asked?.instruments) ? { instruments: asked.instruments } : {}),
    };
  } catch {
    return {};
  }
}
