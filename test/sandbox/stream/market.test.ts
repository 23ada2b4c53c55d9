import path from 'node:path';
import { loadSync } from 'protobufjs';
import { logIn, start, type Bench } from '../support';
import { StreamClient } from './client';

const root = loadSync(['envelope', 'market'].map((name) => path.join(__dirname, '../../../proto', `${name}.proto`)));
const decode = (type: string, bytes: Uint8Array): Record<string, unknown> => {
  const Type = root.lookupType(`brokerage.stream.${type}`);
  return Type.toObject(Type.decode(bytes), { longs: String }) as Record<string, unknown>;
};

/** A frame of market data: its key, and what it holds. */
function market(frame: Uint8Array): { key: string; body: Record<string, Record<string, unknown>[]> } {
  const { key, data } = decode('GenericData', frame) as { key: string; data: { typeUrl: string; value: Uint8Array } };
  return {
    key,
    body: decode(data.typeUrl.replace(/^.*\./, ''), data.value) as Record<string, Record<string, unknown>[]>,
  };
}

describe('Market-data stream', () => {
  let bench: Bench;
  let token: string;
  let client: StreamClient;
  let headers: Record<string, string>;
  beforeEach(async () => {
    bench = await start();
    headers = await logIn(bench);
    token = headers['authorization']!.slice(7);
    const { env_info } = (await bench.http.get('/userinfo', { headers })).data;
    client = await new StreamClient(`${env_info.market_ws_url}?token=${token}`).open();
  });
  afterEach(async () => {
    client.socket.terminate();
    await bench.close();
  });

  it('tells an index at once and when it changes, and leaves the indicative close out of regular updates', async () => {
    client.socket.send(`batch_subscribe ${token} index {"indexes":["NIFTY"]} NSE`);
    const first = market((await client.next()) as Buffer);
    expect(first.key).toBe('index');
    const { data } = await bench.http.get('/optionchains/NIFTY/price?exchange=NSE', { headers });
    expect(first.body['indexes']![0]).toMatchObject({
      indexname: 'NIFTY',
      indexValue: String(data.price),
      prevClose: String(data.prev_close),
      exchange: 'NSE',
    });
    expect(first.body['indexes']![0]).not.toHaveProperty('indicativeClosePrice');
    await bench.advance('PT30S');
    const second = market((await client.next()) as Buffer);
    expect(second.body['indexes']![0]!['indexValue']).toBe(
      String((await bench.http.get('/optionchains/NIFTY/price?exchange=NSE', { headers })).data.price),
    );
  });

  it('tells an order book that agrees with the quote', async () => {
    const refId = bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId;
    client.socket.send(`batch_subscribe ${token} orderbook {"instruments":[${refId}]}`);
    const { key, body } = market((await client.next()) as Buffer);
    expect(key).toBe('orderbook');
    const { orderBook } = (await bench.http.get(`/orderbooks/${refId}?levels=20`, { headers })).data;
    const reported = body['instruments']![0] as unknown as {
      refId: string;
      ltp: string;
      bids: { price: string; quantity: string; orders: string }[];
    };
    expect([reported.refId, reported.ltp]).toEqual([String(refId), String(orderBook.ltp)]);
    expect(
      reported.bids.map(({ price, quantity, orders }) => ({
        p: Number(price),
        q: Number(quantity),
        o: Number(orders),
      })),
    ).toEqual(orderBook.bid);
  });

  it('tells range and volume of a day without a session, where trading goes on around the clock', async () => {
    await bench.close();
    bench = await start({ hours: 'always', start: '2026-11-22T18:00:00+05:30' });
    headers = await logIn(bench);
    token = headers['authorization']!.slice(7);
    const { env_info } = (await bench.http.get('/userinfo', { headers })).data;
    client = await new StreamClient(`${env_info.market_ws_url}?token=${token}`).open();
    client.socket.send(`batch_subscribe ${token} index {"instruments":["INFY"]} NSE`);
    const [infy] = market((await client.next()) as Buffer).body['instruments']!;
    const refId = bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId;
    const { orderBook } = (await bench.http.get(`/orderbooks/${refId}`, { headers })).data;
    expect(infy!['volume']).toBe(String(orderBook.volume));
    expect(Number(infy!['highIndexValue'])).toBeGreaterThan(Number(infy!['lowIndexValue']));
  });

  it('drops an instrument, and tells it again when it is asked for again', async () => {
    const refIds = [...bench.running.sandbox.world.universe().all('NSE')].slice(0, 51).map(({ refId }) => refId);
    const command = (verb: string, ids: number[]) =>
      client.socket.send(`batch_${verb} ${token} orderbook {"instruments":${JSON.stringify(ids)}}`);
    const reported = async () =>
      market((await client.next()) as Buffer).body['instruments']!.map(({ refId }) => Number(refId));
    command('subscribe', refIds.slice(0, 50));
    expect(await reported()).toHaveLength(50);
    command('unsubscribe', refIds.slice(0, 2));
    command('subscribe', [refIds[50]!, refIds[0]!]);
    expect(await reported()).toEqual([refIds[50], refIds[0]]);
  });

  it('answers Invalid Token to a wrong one', async () => {
    client.socket.send('batch_subscribe wrong index {"indexes":["NIFTY"]} NSE');
    expect(await client.next()).toBe('Invalid Token');
  });
});
