/** A server that answers as a test says, for what no well-behaved service would do; everything else runs against the sandbox. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Reaction of the server to a request: a reply, or the connection cut before or in the middle of one. */
export type Answer =
  | {
      status: number;
      body?: string | Uint8Array | AsyncIterable<string | Uint8Array>;
      headers?: Record<string, string>;
    }
  | 'cut'
  | 'truncate'
  /** The connection stays open, and no byte comes. */
  | 'nothing';

export interface ScriptedServer {
  url: string;
  seen: Seen[];
  close(): Promise<void>;
}

function reply(answer: Answer, response: ServerResponse): void {
  if (answer === 'nothing') return;
  if (answer === 'cut') {
    response.socket?.destroy();
    return;
  }
  if (answer === 'truncate') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"a":', () => response.socket?.destroy());
    return;
  }
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  const { body = '' } = answer;
  if (typeof body === 'string' || body instanceof Uint8Array) response.end(body);
  else Readable.from(body).pipe(response);
}

/** Starts on a free port of this machine. */
export async function scripted(answer: (request: Seen) => Answer | Promise<Answer>): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const item = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(item);
      void Promise.resolve(answer(item)).then((chosen) => reply(chosen, response));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * Works as `scripted`, in front of another server: what the test does not answer goes there and comes back unchanged.
 */
export async function inFrontOf(url: string, answer: (request: Seen) => Answer | undefined): Promise<ScriptedServer> {
  return await scripted(async (request) => answer(request) ?? (await forward(url, request)));
}

async function forward(url: string, { method, url: path, headers, body }: Seen): Promise<Answer> {
  const { host: _host, connection: _connection, 'content-length': _length, ...others } = headers;
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: others as Record<string, string>,
    ...(body === '' ? {} : { body }),
  });
  const {
    'content-encoding': _encoding,
    'content-length': _size,
    'transfer-encoding': _transfer,
    ...kept
  } = Object.fromEntries(reply.headers);
  return { status: reply.status, headers: kept, body: new Uint8Array(await reply.arrayBuffer()) };
}
