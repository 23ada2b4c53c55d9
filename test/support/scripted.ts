/** A server that answers as a test says, for what no well-behaved service would do; everything else runs against the sandbox. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** What the server does with a request: a reply, or the connection cut before or in the middle of one. */
export type Answer =
  { status: number; body?: string | Uint8Array; headers?: Record<string, string> } | 'cut' | 'truncate';

export interface ScriptedServer {
  url: string;
  seen: Seen[];
  close(): Promise<void>;
}

function reply(answer: Answer, response: ServerResponse): void {
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
  response.end(answer.body ?? '');
}

/** Starts on a free port of this machine. */
export async function scripted(answer: (request: Seen) => Answer): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(one);
      reply(answer(one), response);
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
