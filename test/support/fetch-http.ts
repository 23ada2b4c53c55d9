/** The client's HTTP ports over the global fetch, for tests and benches that talk to a real server. */
import { NetworkError } from '../../client/base/errors';
import type { Http, HttpStream } from '../../client/base/ports';

export const http: Http = async ({ url, method, headers, body, timeoutMs }, signal) => {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    };
  } catch (cause) {
    throw new NetworkError('No complete reply came', { maySent: true, cause });
  }
};

export const httpStream: HttpStream = async ({ url, method, headers, body }, signal) => {
  try {
    const response = await fetch(url, { method, headers, body, signal });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      chunks: (response.body ?? []) as AsyncIterable<Uint8Array>,
    };
  } catch (cause) {
    throw new NetworkError('No reply came', { maySent: true, cause });
  }
};
