/** The trigger: from a frame that comes in to the emit, with everything that makes it sure: compare, filter, checkpoint, output. */
import { monotonicBy } from '../client/base/monotonic';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket as PlainSocket } from 'ws';
import { WebSocketServer } from 'ws';
import type { AddressInfo } from 'node:net';
import { Consumer } from '../client/stream/delivery/consumer';
import { AccountFeed } from '../client/stream/account-feed/account-feed';
import { orderOutput } from '../client/stream/delivery/order-output';
import type { Clock, StreamSocket } from '../client/base/ports';
import { EVERYTHING } from '../test/client/stream/instance';
import { percentile, type MakeRow } from './row';
import { protobufAnyType, orderFrames, orderUpdateType } from './support/frames';

const FILLS = 9;
const clock: Clock = {
  now: () => Date.now(),
  ...monotonicBy(() => performance.now()),
  sleep: async (ms, signal) => await pause(ms, undefined, { signal, ref: false }),
};

/** A service that sends frames on one socket. */
class OrderSender {
  private readonly server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  private readonly subscribed: Promise<PlainSocket>;

  constructor() {
    this.subscribed = new Promise((resolve) =>
      this.server.on('connection', (socket) => socket.once('message', () => resolve(socket))),
    );
  }

  async url(): Promise<string> {
    if (this.server.address() === null) await once(this.server, 'listening');
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/stream`;
  }

  async send(frames: readonly Buffer[]): Promise<void> {
    const socket = await this.subscribed;
    for (const frame of frames) socket.send(frame);
  }

  close(): void {
    for (const client of this.server.clients) client.terminate();
    this.server.close();
  }
}

/** One round: what was sent has come out. */
interface Receiver {
  open(url: string): Promise<void>;
  /** Resolves when so many more events have come out. */
  until(count: number): Promise<void>;
  emitted: (json: unknown) => void;
  close(): Promise<void>;
}

abstract class Counting {
  emitted: (json: unknown) => void = () => undefined;
  private left = 0;
  private done: () => void = () => undefined;

  async until(count: number): Promise<void> {
    this.left = count;
    await new Promise<void>((resolve) => (this.done = resolve));
  }

  protected emit(json: unknown): void {
    this.emitted(json);
    if (--this.left === 0) this.done();
  }
}

class Ours extends Counting implements Receiver {
  private feed: AccountFeed | undefined;

  async open(url: string): Promise<void> {
    const feed = new AccountFeed(
      {
        clock,
        random: Math.random,
        makeSocket: (address) => new WebSocket(address) as unknown as StreamSocket,
        access: async () => ({ url, token: 'token' }),
        orders: async () => ({ orders: [], odd: [], ahead: undefined }),
        baskets: async () => [],
      },
      { environment: 'sandbox', subscriptions: ['orders'], checkEveryMs: 3_600_000 },
    );
    this.feed = feed;
    const deliver = (events: Parameters<ConstructorParameters<typeof Consumer>[0]['deliver']>[0]): undefined => {
      for (const event of events) this.emit(orderOutput(event, { environment: 'sandbox', unit: 'rupees', raw: false }));
    };
    const consumer = new Consumer({
      raw: true,
      clock,
      filter: EVERYTHING,
      batches: { count: 1, waitMs: 0 },
      deliver,
      onLag: () => undefined,
    });
    await feed.start((event) => consumer.take(event));
    consumer.begin({}, undefined, 'a', feed.reconciler);
  }

  async close(): Promise<void> {
    await this.feed?.stop();
  }
}

/** The quickest program to write: decode and emit, without comparing anything. */
class Plain extends Counting implements Receiver {
  private socket: WebSocket | undefined;

  async open(url: string): Promise<void> {
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => {
      const value = (bytes: Uint8Array): Uint8Array =>
        (protobufAnyType.decode(bytes) as unknown as { value: Uint8Array }).value;
      const update = orderUpdateType.decode(value(value(new Uint8Array(data as ArrayBuffer))));
      this.emit(orderUpdateType.toObject(update, { defaults: true, enums: String, longs: String }));
    };
    await new Promise<void>((resolve) => (socket.onopen = () => resolve()));
    socket.send('subscribe token direct_intent notification');
  }

  async close(): Promise<void> {
    this.socket?.close();
  }
}

const make: MakeRow = async ({ short }) => {
  const orders = short ? 10 : 2_000;
  let next = 0;
  const batch = (): Buffer[] => Array.from({ length: orders }, () => orderFrames(next++, FILLS)).flat();
  const senders = { ours: new OrderSender(), plain: new OrderSender() };
  const receivers = { ours: new Ours(), plain: new Plain() };
  for (const side of ['ours', 'plain'] as const) await receivers[side].open(await senders[side].url());
  const frames = orders * (FILLS + 1);
  /** Each order ends with a separate event: completed. */
  const events = frames + orders;
  const batches = Array.from({ length: short ? 1 : 12 }, batch);
  const round = (side: 'ours' | 'plain', count: number) => async () => {
    const out = receivers[side].until(count);
    await senders[side].send(side === 'ours' ? (batches.shift() ?? batch()) : (batches[0] ?? batch()));
    await out;
  };
  return {
    title: 'Trigger: frame in → emit',
    work: `${frames} frames over a socket, ${orders} orders in ten steps`,
    sides: [
      { name: 'ours', role: 'ours', run: round('ours', events) },
      { name: 'ws + protobufjs straight into emit', role: 'alternative', run: round('plain', frames) },
    ],
    goals: [],
    figures: async () => {
      const rate = await measureRate(receivers.ours, senders.ours, short ? 100 : 20_000, () => next++);
      const delays = await measureDelays(receivers.ours, senders.ours, short ? 50 : 3_000, () => next++);
      return [
        { name: 'sustained', value: Math.round(rate), unit: 'events/s', atLeast: 50_000 },
        { name: 'added delay at 1,000/s, median', value: percentile(delays, 50), unit: 'ms' },
        { name: 'added delay at 1,000/s, 99th percentile', value: percentile(delays, 99), unit: 'ms', atMost: 2 },
      ];
    },
    close: async () => {
      for (const side of ['ours', 'plain'] as const) {
        await receivers[side].close();
        senders[side].close();
      }
    },
  };
};
export default make;

async function measureRate(receiver: Ours, sender: OrderSender, orders: number, number: () => number): Promise<number> {
  const frames = Array.from({ length: orders }, () => orderFrames(number(), FILLS)).flat();
  const out = receiver.until(frames.length + orders);
  const from = performance.now();
  await sender.send(frames);
  await out;
  return ((frames.length + orders) / (performance.now() - from)) * 1_000;
}

/** Milliseconds from the sending of each frame to its event, one frame each millisecond. */
async function measureDelays(
  receiver: Ours,
  sender: OrderSender,
  count: number,
  number: () => number,
): Promise<number[]> {
  const sentAt: number[] = [];
  const delays: number[] = [];
  const frames = Array.from({ length: count }, () => orderFrames(number(), 1)[0] as Buffer);
  const out = receiver.until(count);
  receiver.emitted = () => delays.push(performance.now() - (sentAt[delays.length] as number));
  const start = performance.now();
  for (let index = 0; index < count;) {
    while (index < count && performance.now() - start >= index) {
      sentAt.push(performance.now());
      await sender.send([frames[index++] as Buffer]);
    }
    await pause(0);
  }
  await out;
  receiver.emitted = () => undefined;
  return delays;
}
