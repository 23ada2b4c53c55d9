/** A service that gives one answer to everything, and what it was asked. */
import type { WireRequest } from '../../../client/base/ports';
import { createTransport } from '../../../client/transport';
import { seededRandom, VirtualTime } from '../../support/virtual-time';

let made = 0;

export function answeringTransport(reply: unknown) {
  const time = new VirtualTime();
  const requested: WireRequest[] = [];
  const transport = createTransport({
    http: async (request) => {
      requested.push(request);
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(reply)) };
    },
    clock: time.clock,
    random: seededRandom(1),
    baseUrl: `https://answering-${made++}.broker.example`,
    deviceId: 'n8n',
  });
  return { time, asked: requested, transport };
}
