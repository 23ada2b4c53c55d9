import path from 'node:path';
import { loadSync, type Message } from 'protobufjs';
import { WebSocket } from 'ws';

const root = loadSync(
  ['envelope', 'orders', 'portfolio', 'market'].map((name) => path.join(__dirname, '../../../proto', `${name}.proto`)),
);
const Any = root.lookupType('brokerage.stream.Any');

interface AnyMessage {
  typeUrl: string;
  value: Uint8Array;
}

/** A plain client of the stream, with protobufjs as its reader; it returns what it hears one by one. */
export class StreamClient {
  private readonly heard: (string | Buffer)[] = [];
  private wake = (): void => undefined;
  readonly closed: Promise<number>;
  readonly socket: WebSocket;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
    this.socket.on('message', (data: Buffer, binary) => {
      this.heard.push(binary ? data : data.toString());
      this.wake();
    });
  }

  async open(): Promise<this> {
    await new Promise((resolve, reject) => this.socket.once('open', resolve).once('error', reject));
    return this;
  }

  async next(): Promise<string | Buffer> {
    while (this.heard.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.heard.shift()!;
  }

  /** The next frame's message: its type and its JSON, 64-bit values as text and enums by name. */
  async message(): Promise<{ type: string; body: Record<string, unknown> }> {
    return unwrap((await this.next()) as Buffer);
  }

  /** The next order update. */
  async update(): Promise<{
    intentOrderResponse: Record<string, unknown>;
    intentOrderResponseType?: string;
    intentOrderRequstType?: string;
  }> {
    const { type, body } = await this.message();
    if (!type.endsWith('ToClientIntentUpdate')) throw new Error(`expected an order update, not ${type}`);
    return body as never;
  }
}

/** Unwraps the content of a frame, whatever word the service has in its type's name. */
export function unwrap(frame: Uint8Array): { type: string; body: Record<string, unknown> } {
  const outer = Any.decode(frame) as Message & AnyMessage;
  const inner = Any.decode(outer.value) as Message & AnyMessage;
  const type = inner.typeUrl.replace(/^.*[./]/, '');
  const Type = root.lookupType(
    `brokerage.stream.${type.replace(/^.*ToClientIntentUpdate$/, 'SvcToClientIntentUpdate')}`,
  );
  return { type, body: Type.toObject(Type.decode(inner.value), { longs: String, enums: String }) };
}
