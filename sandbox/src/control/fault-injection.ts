import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { errorBody } from '../web/errors';
import type { Fault, Faults, RequestAction } from '../simulation/faults';

/**
 * Puts the faults between the socket and the service: what a client sees is broken, what the service does is not.
 * @param isDown true if the broker cannot be reached now
 * @param now the sandbox's time, milliseconds: replies are dated by it, those of faults too
 */
export function withFaults(
  faults: Faults,
  isDown: () => boolean,
  serviceWord: string,
  handler: RequestListener,
  now: () => number,
): RequestListener {
  return (request, response) => {
    response.setHeader('date', new Date(now()).toUTCString());
    const path = (request.url ?? '/').split('?', 1)[0]!;
    const ours = path.startsWith('/_sandbox');
    if (!ours && isDown()) return answer(response, 503, errorBody(serviceWord, DOWN));
    const fault = ours ? undefined : faults.request(request.method ?? 'GET', path);
    if (fault === undefined) return handler(request, response);
    inject(fault, serviceWord, request, response, () => handler(request, response));
  };
}

const DOWN = { message: 'The service is not available now', code: '', more: {} };

function inject(
  { action, args }: Fault<RequestAction>,
  serviceWord: string,
  request: IncomingMessage,
  response: ServerResponse,
  proceed: () => void,
): void {
  switch (action) {
    case 'delay':
      setTimeout(proceed, args.ms ?? 1_000);
      return;
    case 'status':
      answer(
        response,
        args.status ?? 500,
        args.body ?? errorBody(serviceWord, { message: 'Something went wrong', code: '', more: {} }),
      );
      return;
    case 'drop_before':
      request.socket.destroy();
      return;
    case 'drop_after':
      reshape(response, () => request.socket.destroy());
      proceed();
      return;
    case 'truncate':
      reshape(response, (body, head) => {
        // Without a length the reply would go in chunks, and half of it would be no reply at all.
        response.removeHeader('transfer-encoding');
        response.setHeader('content-length', body.length);
        head();
        response.socket?.write(body.subarray(0, Math.floor(body.length / 2)), () => request.socket.destroy());
      });
      proceed();
      return;
    case 'malformed':
      reshape(response, (body) => {
        response.removeHeader('content-length');
        answer(
          response,
          response.statusCode,
          `{"message": ${body.subarray(0, Math.floor(body.length / 2)).toString()}`,
        );
      });
      proceed();
  }
}

function answer(response: ServerResponse, status: number, body: string | Record<string, unknown>): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Collects the reply instead of sending it, then hands it over; `head` sends its status and headers as they were. */
function reshape(response: ServerResponse, send: (body: Buffer, head: () => void) => void): void {
  const { writeHead, end, write } = response;
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as Uint8Array));
  };
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    response.statusCode = status;
    const headers = rest.findLast((part) => typeof part === 'object' && part !== null) as
      Record<string, string> | undefined;
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    return response;
  }) as typeof response.writeHead;
  response.write = ((chunk: unknown) => {
    keep(chunk);
    return true;
  }) as typeof response.write;
  response.end = ((chunk: unknown) => {
    keep(chunk);
    Object.assign(response, { writeHead, end, write });
    send(Buffer.concat(chunks), () => {
      response.flushHeaders();
    });
    return response;
  }) as typeof response.end;
}
