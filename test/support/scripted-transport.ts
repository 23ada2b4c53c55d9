/** A transport whose service answers from a script, for what needs no sandbox. */
import type { NetworkError } from '../../client/base/errors';
import type { WireRequest, WireResponse } from '../../client/base/ports';
import { createTransport, type Transport, type TransportOptions } from '../../client/transport';
import { VirtualClock } from './clock';

/** A reply: 200 and no headers where not given. */
export type Scripted = Partial<Omit<WireResponse, 'body'>> & { text?: string };

let counter = 0;

/** One entry of the script answers one request; each transport has a separate address, so that no rate is shared. */
export function scriptedTransport(
  replies: (Scripted | NetworkError)[],
  options: Partial<TransportOptions> = {},
): { transport: Transport; requests: WireRequest[]; clock: VirtualClock } {
  const requests: WireRequest[] = [];
  const clock = new VirtualClock();
  const transport = createTransport({
    http: (request) => {
      requests.push(request);
      const reply = replies.shift();
      if (reply === undefined) throw new Error('more requests than the script has');
      if (reply instanceof Error) return Promise.reject(reply);
      return Promise.resolve({
        status: reply.status ?? 200,
        headers: reply.headers ?? {},
        body: Buffer.from(reply.text ?? ''),
      });
    },
    clock,
    random: () => 0.5,
    baseUrl: `https://service-${counter++}.example`,
    deviceId: 'device-1',
    ...options,
  });
  return { transport, requests, clock };
}
