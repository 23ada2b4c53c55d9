/** A proxy between a client and the sandbox that answers in the sandbox's place, or changes what it answers. */
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

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

/** Starts one in front of an address. What it does not change passes byte for byte. */
export async function startProxy(target: string): Promise<Proxy> {
  const server = createServer((request, response) => void pass(request, response));
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request;
    const onward = send(`${target}${url}`, { method, headers: { ...headers, host: new URL(target).host } });
    const sent: Buffer[] = [];
    request.on('data', (chunk: Buffer) => sent.push(chunk));
    request.pipe(onward);
    const [reply] = (await once(onward, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk as Buffer);
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    change: undefined,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
