/** A machine of this network that writes down what comes to it. */
import { createServer } from 'node:http';

/**
 * Starts it on this machine.
 * @param {string} [target] the sandbox to which requests are forwarded, and whose replies come back unchanged; without it, each is answered
 * with `{}`, as a sandbox that tells its time
 * @param {{isSandbox?: boolean}} [options] false for a service that does not answer as a sandbox does
 * @returns {Promise<{url: string, seen: {method: string, url: string, headers: Record<string, string>, body: string}[], stop():
 * Promise<void>}>}
 */
export async function startRecorder(target, { isSandbox = true } = {}) {
  const seen = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body });
    const json = { 'content-type': 'application/json' };
    if (target === undefined)
      return response.writeHead(200, { ...json, 'x-sandbox-time': String(Date.now()) }).end('{}');
    const { host: _host, connection: _connection, 'content-length': _length, ...others } = headers;
    try {
      const reply = await fetch(`${target}${url}`, {
        method,
        headers: { ...others, connection: 'close' },
        ...(body === '' ? {} : { body }),
      });
      const told = [...reply.headers].filter(
        ([name]) => name === 'content-type' || (isSandbox && name.startsWith('x-sandbox-')),
      );
      response
        .writeHead(reply.status, { ...json, ...Object.fromEntries(told) })
        .end(Buffer.from(await reply.arrayBuffer()));
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
