/** A machine of this network that writes down what comes to it. */
import { createServer } from 'node:http';

/**
 * Starts it on this machine.
 * @param {string} [target] the server to which requests are forwarded, and whose replies come back unchanged; without it, each is answered
 * with `{}`
 * @returns {Promise<{url: string, seen: {method: string, url: string, headers: Record<string, string>, body: string}[], stop():
 * Promise<void>}>}
 */
export async function startRecorder(target) {
  const seen = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body });
    if (target === undefined) return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    const { host: _host, connection: _connection, 'content-length': _length, ...others } = headers;
    try {
      const reply = await fetch(`${target}${url}`, {
        method,
        headers: { ...others, connection: 'close' },
        ...(body === '' ? {} : { body }),
      });
      const type = reply.headers.get('content-type') ?? 'application/json';
      response.writeHead(reply.status, { 'content-type': type }).end(Buffer.from(await reply.arrayBuffer()));
    } catch {
      response.destroy();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
