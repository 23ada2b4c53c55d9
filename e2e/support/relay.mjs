/** A relay between n8n and the sandbox that passes everything on unchanged, and tells of each frame of a stream. */
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';

/**
 * Starts one in front of the sandbox's port.
 * @param {(frame: Buffer) => void} onFrame called with each frame once it is sent to n8n
 * @returns {Promise<{url: string, close(): Promise<void>}>}
 */
export async function startRelay(port, onFrame) {
  const target = { host: '127.0.0.1', port };
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const onward = send({ ...target, method, path, headers }, (reply) => {
      response.sendDate = false;
      response.writeHead(reply.statusCode, reply.rawHeaders);
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) => {
    const { authorization } = request.headers;
    const service = new WebSocket(`ws://127.0.0.1:${port}${request.url}`, {
      headers: authorization === undefined ? {} : { authorization },
      perMessageDeflate: false,
    });
    service.once('error', () => socket.destroy());
    service.once('open', () => sockets.handleUpgrade(request, socket, head, (client) => join(client, service)));
  });
  const join = (client, service) => {
    client.on('message', (data, binary) => service.send(data, { binary }));
    service.on('message', (data, binary) => {
      client.send(data, { binary });
      onFrame(data);
    });
    client.on('close', () => service.terminate());
    service.on('close', () => client.terminate());
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: async () => {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
