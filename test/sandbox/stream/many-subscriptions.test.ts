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
beforeAll(async () => (bench = await start({ clock: 'manual' })));
afterAll(async () => {
  for (const { socket } of clients) socket.terminate();
  await bench.close();
});

it('are told in turns, each listener of all that it wants; a small listener hears of a change before them', async () => {
  const headers = await logIn(bench);
  const token = headers['authorization']!.slice(7);
  const { env_info } = (await bench.http.get('/userinfo', { headers })).data;
  const { world } = bench.running.sandbox;
  const infy = world.universe().bySymbol('NSE', 'INFY')!;
  const names = [...world.universe().all('NSE')]
    .filter(({ derivativeType, refId }) => derivativeType !== 'INDEX' && refId !== infy.refId)
    .slice(0, 199)
    .map(({ refId }) => String(refId));
  const listen = async (wanted: string[]): Promise<StreamClient> => {
    const client = await new StreamClient(`${env_info.market_ws_url}?token=${token}`).open();
    clients.push(client);
    client.socket.send(`batch_subscribe ${token} index ${JSON.stringify({ indexes: wanted })} NSE`);
    return client;
  };
  const large = [];
  for (let number = 0; number < 4; number++) large.push(await listen(['INFY', ...names]));
  for (const client of large) expect(ticksOf(await client.next()).size).toBe(200);
  const small = await listen(['INFY']);
  const before = ticksOf(await small.next()).get('INFY')!;

  const heard: string[] = [];
  const after = async (client: StreamClient, name: string): Promise<number | undefined> => {
    const ticks = ticksOf(await client.next());
    heard.push(name);
    return ticks.get('INFY');
  };
  const told = [after(small, 'small'), ...large.map((client) => after(client, 'large'))];
  await bench.http.post('/_sandbox/market', { ref_id: infy.refId, price: before + 1_000 });
  expect(await Promise.all(told)).toEqual(Array.from({ length: 5 }, () => before + 1_000));
  expect(heard[0]).toBe('small');
});
