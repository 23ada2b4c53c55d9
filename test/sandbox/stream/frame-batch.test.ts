import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { FrameBatch } from '../../../sandbox/src/stream/frame-batch';

/** The messages that a client reads of bytes which are written to its connection. */
async function received(bytes: Buffer, count: number): Promise<Buffer[]> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (_socket, request) => request.socket.write(bytes));
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const messages: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    client.on('error', reject);
    client.on('close', () => reject(new Error('the client could not read the bytes')));
    client.on('message', (data: Buffer, isBinary) => {
      if (isBinary && messages.push(data) === count) resolve();
    });
  }).finally(() => {
    client.terminate();
    server.close();
  });
  return messages;
}

const batchOf = (frames: readonly Buffer[]) =>
  new FrameBatch(frames.map((frame) => ({ frame, about: undefined, at: 0 })));

describe('frames as the bytes of a connection', () => {
  it('are messages of every length, in order', async () => {
    const lengths = [0, 1, 125, 126, 127, 742, 65_535, 65_536, 70_000];
    const frames = lengths.map((length, index) => Buffer.alloc(length, index + 1));
    const messages = await received(batchOf(frames).bytes, frames.length);
    expect(messages.map(({ length }) => length)).toEqual(lengths);
    expect(messages.map((message, index) => message.equals(frames[index]!))).toEqual(lengths.map(() => true));
  });

  it('are put together once', () => {
    const batch = batchOf([Buffer.from('one')]);
    expect(batch.bytes).toBe(batch.bytes);
  });
});
