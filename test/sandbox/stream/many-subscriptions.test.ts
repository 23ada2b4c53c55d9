/** Many subscriptions: told once a second in turns, while small listeners hear of each change at once. */
import path from 'node:path';
import { loadSync } from 'protobufjs';
import { logIn, start, type Bench } from '../support';
import { StreamClient } from './client';

const root = loadSync(['envelope', 'market'].map((name) => path.join(__dirname, '../../../proto', `${name}.proto`)));

/** The ticks of a frame: their names, and their values in paise. */
function ticksOf(frame: unknown): Map<string, number> {
  const decode = (type: string, bytes: Uint8Array) => {
    const Type = root.lookupType(`brokerage.stream.${type}`);
    return Type.toObject(Type.decode(bytes), { longs: Number }) as Record<string, unknown>;
  };
  const { data } = decode('GenericData', frame as Uint8Array) as { data: { value: Uint8Array } };
  const { instruments } = decode('BatchWebSocketIndexMessage', data.value) as {
    instruments: { indexname: string; indexValue: number }[];
  };
  return new Map(instruments.map(({ indexname, indexValue }) => [indexname, indexValue]));
}

let bench: Bench;
const clients: StreamClient[] = [];
/** A client that listens to instruments. */
let listen: (requested: string[]) => Promise<StreamClient>;
beforeAll(async () => {
  bench = await start({ clock: 'manual' });
  const headers = await logIn(bench);
  const token = headers['authorization']!.slice(7);
  const { env_info } = (await bench.http.get('/userinfo', { headers })).data;
  listen = async (requested) => {
    const client = await new StreamClient(`${env_info.market_ws_url}?token=${token}`).open();
    clients.push(client);
    client.socket.send(`batch_subscribe ${token} index ${JSON.stringify({ indexes: requested })} NSE`);
    return client;
  };
});
afterAll(async () => {
  for (const { socket } of clients) socket.terminate();
  await bench.close();
});

/** Shares on NSE by their ref_id, but for INFY. */
function names(from: number, to: number): string[] {
  return [...bench.running.sandbox.world.universe().all('NSE')]
    .filter(({ derivativeType, symbol }) => derivativeType !== 'INDEX' && symbol !== 'INFY')
    .slice(from, to)
    .map(({ refId }) => String(refId));
}

it('a first subscription of hundreds is answered in turns: who comes after it does not wait for all of it', async () => {
  const [large, small] = [await listen(names(200, 500)), await listen(['INFY'])];
  const received: string[] = [];
  const first = async (client: StreamClient, name: string): Promise<number> => {
    const { size } = ticksOf(await client.next());
    received.push(name);
    return size;
  };
  expect(await Promise.all([first(large, 'large'), first(small, 'small')])).toEqual([300, 1]);
  expect(received).toEqual(['small', 'large']);
  for (const { socket } of clients.splice(0)) socket.terminate();
});

it('changes are told in turns, each listener of all that it wants; a small listener hears of a change before them', async () => {
  const infy = bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!;
  const large = [];
  for (let number = 0; number < 4; number++) large.push(await listen(['INFY', ...names(0, 199)]));
  for (const client of large) expect(ticksOf(await client.next()).size).toBe(200);
  const small = await listen(['INFY']);
  const before = ticksOf(await small.next()).get('INFY')!;

  const received: string[] = [];
  const after = async (client: StreamClient, name: string): Promise<number | undefined> => {
    const ticks = ticksOf(await client.next());
    received.push(name);
    return ticks.get('INFY');
  };
  const reported = [after(small, 'small'), ...large.map((client) => after(client, 'large'))];
  await bench.http.post('/_sandbox/market', { ref_id: infy.refId, price: before + 1_000 });
  expect(await Promise.all(reported)).toEqual(Array.from({ length: 5 }, () => before + 1_000));
  expect(received[0]).toBe('small');
});
