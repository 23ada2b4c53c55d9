/** Requests of public clients that work on the live service: the sandbox answers each like the live service (`--as live`). */
import sent from './requests.json';
import { MARKET_ORDER, start, type Bench } from '../sandbox/support';
import { liveSession, present } from './live';

interface Sent {
  name: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  status: number;
  has?: string[];
  refused?: string;
}

let bench: Bench;
let headers: Record<string, string>;
beforeAll(async () => {
  bench = await start({ as: 'live', rateLimit: 'off' });
  headers = await liveSession(bench);
  const { refId } = bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!;
  await bench.http.post('/orders/v2/single', { ...MARKET_ORDER, ref_id: refId }, { headers });
  await bench.advance('PT3S');
});
afterAll(async () => await bench.close());

/** The part of a reply at a path such as `orders.0.id`; undefined where there is none. */
function at(reply: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], reply);
}

it.each(sent.requests as Sent[])(
  'a request is answered: $name',
  async ({ method, path, body, status, has, refused, ...more }) => {
    const reply = await bench.http.request<Record<string, unknown>>({
      method,
      url: String(present(bench, path)),
      headers: { ...headers, ...more.headers },
      data: present(bench, body),
    });
    expect([reply.status, reply.status === status ? undefined : reply.data]).toEqual([status, undefined]);
    for (const name of has ?? []) expect([name, at(reply.data, name)]).toEqual([name, expect.anything()]);
    if (refused !== undefined) expect(String(reply.data.error)).toContain(refused);
  },
);
