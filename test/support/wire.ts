/** A client's transport whose service answers from a script, one entry a request; what was sent is kept. */
import type { WireRequest, WireResponse } from '../../client/base/ports';
import { createTransport, type Transport, type TransportOptions } from '../../client/transport';
import { VirtualClock } from './clock';

export type ScriptedReply = Partial<Omit<WireResponse, 'body'>> & { json?: unknown; text?: string; bytes?: Uint8Array };

let counter = 0;

/** @param options of the transport, in place of those of the script */
export function scriptedTransport(
  replies: ScriptedReply[],
  options: Partial<TransportOptions> = {},
): {
  transport: Transport;
  requests: WireRequest[];
  bodies: () => unknown[];
} {
  const requests: WireRequest[] = [];
  const transport = createTransport({
    http: async (request) => {
      requests.push(request);
      const reply = replies.shift();
      if (reply === undefined) throw new Error('more requests than the script has');
      const text = reply.text ?? (reply.json === undefined ? '' : JSON.stringify(reply.json));
      return { status: reply.status ?? 200, headers: reply.headers ?? {}, body: reply.bytes ?? Buffer.from(text) };
    },
    clock: new VirtualClock(),
    random: () => 0.5,
    baseUrl: `https://scripted-${counter++}.example`,
    deviceId: 'device-1',
    ...options,
  });
  return {
    transport,
    requests,
    bodies: () => requests.map(({ body }) => (body === undefined ? undefined : (JSON.parse(body) as unknown))),
  };
}
