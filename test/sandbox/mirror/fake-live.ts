import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { Messages } from '../../../sandbox/src/stream/messages';

/** An order book as a frame tells it; `timestamp` is nanoseconds by the clock of the live side. */
export interface FakeBook {
  refId: number;
  ltp: number;
  volume?: number;
  bids?: { price: number; quantity: number; orders?: number }[];
  asks?: { price: number; quantity: number; orders?: number }[];
  timestamp?: string;
}

/** Answers of the live side to requests, by `METHOD /path`. */
type Answers = Record<string, { status?: number; body: unknown }>;

export const SHARE = 101;
export const OTHER_SHARE = 102;
const ROW = {
  exchange: 'NSE',
  derivative_type: 'STOCK',
  lot_size: 1,
  tick_size: 5,
  underlying_prev_close: 100_000,
  series: 'EQ',
};
export const MASTER = [
  { ...ROW, ref_id: SHARE, stock_name: 'ALPHA', plat_name: 'STOCK_ALPHA.NSECM' },
  { ...ROW, ref_id: OTHER_SHARE, stock_name: 'BETA', plat_name: 'STOCK_BETA.NSECM' },
];

/** A live side that says what a test wants it to say, nonsense included. */
export class FakeLive {
  readonly asked: string[] = [];
  /** Texts that came over its stream, without their token. */
  readonly commands: string[] = [];
  answers: Answers = {};
  private readonly messages = new Messages({ platformWord: 'plat', serviceWord: 'svc' });
  private readonly server: Server;
  private readonly sockets: WebSocketServer;
  private socket: WebSocket | undefined;

  constructor(master: unknown[] = MASTER) {
    this.server = createServer((request, reply) => {
      const path = request.url!.split('?', 1)[0]!;
      this.asked.push(`${request.method} ${path}`);
      request.resume();
      this.reply(reply, `${request.method} ${path}`, request.url!.includes('exchange=NSE') ? master : []);
    });
    this.sockets = new WebSocketServer({ server: this.server });
    this.sockets.on('connection', (socket) => {
      this.socket = socket;
      socket.on('message', (data: Buffer) => this.commands.push(data.toString().replace(/ \S+/, '')));
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Tells order books in one frame. @param sent when, milliseconds by its clock */
  sendBooks(books: FakeBook[], sent = 1_000_000): void {
    const timestamp = String(BigInt(sent) * 1_000_000n);
    const instruments = books.map((book) => ({ timestamp, volume: 1_000, orders: 1, ...book }));
    this.send(this.messages.marketFrame('orderbook', 'BatchWebSocketOrderbookMessage', { timestamp, instruments }));
  }

  send(frame: Uint8Array | string): void {
    this.socket!.send(frame);
  }

  /** Ends the stream. @param code 1008 says that the session is no longer good */
  end(code: number): void {
    this.socket!.close(code);
  }

  async close(): Promise<void> {
    this.sockets.close();
    for (const socket of this.sockets.clients) socket.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private reply(reply: ServerResponse, line: string, master: unknown[]): void {
    const { status = 200, body } = this.answers[line] ?? { body: usual(line, master) };
    reply.writeHead(status, { 'content-type': 'application/json' });
    reply.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

function usual(line: string, master: unknown[]): object {
  if (line.startsWith('GET /refdata/')) return { refdata: master };
  return {};
}
