/** A relay in front of a sandbox that passes everything on unchanged, and tells of each frame of a stream. */
import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer, type RawData } from 'ws';

export interface Relay {
  url: string;
  close(): Promise<void>;
}

/** @param port of the sandbox. @param onFrame told of each binary frame, just before it is passed on to the client */
export async function startRelay(port: number, onFrame: (frame: Buffer) => void): Promise<Relay> {
  const target = { host: '127.0.0.1', port };
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const onward = send({ ...target, method, path, headers }, (reply) => {
      response.sendDate = false;
      response.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const join = (client: WebSocket, service: WebSocket): void => {
    client.on('message', (data: RawData, binary) => service.send(data, { binary }));
    service.on('message', (data: RawData, binary) => {
      if (binary) onFrame(data as Buffer);
      client.send(data, { binary });
    });
    client.on('close', () => service.terminate());
    service.on('close', () => client.terminate());
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { authorization } = request.headers;
    const service = new WebSocket(`ws://127.0.0.1:${port}${request.url}`, {
      headers: authorization === undefined ? {} : { authorization },
      perMessageDeflate: false,
    });
    service.once('error', () => socket.destroy());
    service.once('open', () => sockets.handleUpgrade(request, socket, head, (client) => join(client, service)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
