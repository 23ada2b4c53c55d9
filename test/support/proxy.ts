/** A proxy between a client and the sandbox that answers in the sandbox's place, or changes what it answers. */
import {
  createServer,
  request as send,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A reply as it goes to the client; its body is text. */
export interface ProxyReply {
  status: number;
  /** Headers of the reply. A change is handed the date alone. */
  headers: Record<string, string>;
  text: string;
}

/** A request that the proxy received. */
export interface ProxiedRequest {
  method: string;
  /** Without its query. */
  path: string;
  body: string;
}

/** Change of one reply by the proxy; undefined leaves it unchanged. */
export type Change = (asked: ProxiedRequest, reply: ProxyReply) => ProxyReply | undefined;

export interface Proxy {
  url: string;
  /** Change to make from now on; undefined for none. */
  change: Change | undefined;
  close(): Promise<void>;
}

/** Returns a reply with its body; undefined if the connection ends before it. */
async function readReply(onward: ClientRequest): Promise<[IncomingMessage, Buffer[]] | undefined> {
  try {
    const [reply] = (await once(onward, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk as Buffer);
    return [reply, chunks];
  } catch {
    return undefined;
  }
}

/**
 * Starts one in front of an address. What it does not change passes byte for byte. The sandbox is told the proxy's host, so that its stream
 * passes through too.
 */
export async function startProxy(target: string): Promise<Proxy> {
  const tunnels = new Set<Duplex>();
  const server = createServer((request, response) => void pass(request, response));
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request;
    // A kept connection may be closed by the sandbox at the moment at which it is used again.
    const onward = send(`${target}${url}`, { method, headers, agent: false });
    const sent: Buffer[] = [];
    request.on('data', (chunk: Buffer) => sent.push(chunk));
    request.pipe(onward);
    const read = await readReply(onward);
    // The service is gone: the client sees the same.
    if (read === undefined) return void response.destroy();
    const [reply, chunks] = read;
    const body = Buffer.concat(chunks);
    const status = reply.statusCode ?? 500;
    const changed = proxy.change?.(
      { method, path: url.split('?', 1)[0]!, body: Buffer.concat(sent).toString() },
      { status, headers: reply.headers.date === undefined ? {} : { date: reply.headers.date }, text: body.toString() },
    );
    // Its own date would be that of the machine, not that of the sandbox.
    response.sendDate = false;
    if (changed === undefined) response.writeHead(status, reply.rawHeaders).end(body);
    else response.writeHead(changed.status, changed.headers).end(changed.text);
  };
  const { hostname, port } = new URL(target);
  server.on('upgrade', ({ url = '/', rawHeaders }, client, head) => {
    const there = connect(Number(port), hostname, () => {
      const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
      there.write(`GET ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      there.write(head);
      there.pipe(client).pipe(there);
    });
    for (const socket of [there, client]) {
      tunnels.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => [there, client].forEach((either) => either.destroy()));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    change: undefined,
    close: async () => {
      server.closeAllConnections();
      for (const socket of tunnels) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
