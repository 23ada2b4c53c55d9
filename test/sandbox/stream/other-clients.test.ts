/**
 * A client of another maker: plain ws and protobufjs, the .proto files, and the full names of docs/service/streams.md. Nothing of ours but the sandbox itself.
 */
import { once } from 'node:events';
import path from 'node:path';
import { loadSync } from 'protobufjs';
import { WebSocket, type ClientOptions } from 'ws';
import { MARKET_ORDER, logIn, start, type Bench } from '../support';
import { share } from '../../support/sample';

const root = loadSync(
  ['envelope', 'orders', 'portfolio', 'market'].map((name) => path.join(__dirname, '../../../proto', `${name}.proto`)),
);
const NAMES = 'type.googleapis.com/protos.platsecurities.svcfrontend.';

type Row = Record<string, unknown>;
interface StreamMessage {
  key: string;
  type: string;
  body: Row & { indexes: Row[]; instruments: Row[]; ce: Row[]; pe: Row[] };
}

function read(frame: Buffer): StreamMessage {
  const { key, data } = decode('GenericData', frame) as unknown as {
    key: string;
    data: { typeUrl: string; value: Uint8Array };
  };
  if (!data.typeUrl.startsWith(NAMES)) throw new Error(`unknown type ${data.typeUrl}`);
  const type = data.typeUrl.slice(NAMES.length);
  return { key, type, body: decode(type, data.value) as StreamMessage['body'] };
}

function decode(type: string, bytes: Uint8Array): Row {
  const Type = root.lookupType(`brokerage.stream.${type}`);
  return Type.toObject(Type.decode(bytes), { longs: String, enums: String, arrays: true }) as Row;
}

class Client {
  readonly socket: WebSocket;
  private readonly heard: (Buffer | string)[] = [];
  private wake = (): void => undefined;

  constructor(url: string, options: ClientOptions = {}) {
    this.socket = new WebSocket(url, options);
    this.socket.on('message', (data: Buffer, binary) => {
      this.heard.push(binary ? data : data.toString());
      this.wake();
    });
  }

  send(text: string): void {
    this.socket.send(text);
  }

  async next(): Promise<Buffer | string> {
    while (this.heard.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.heard.shift()!;
  }

  async readMessage(): Promise<StreamMessage> {
    return read((await this.next()) as Buffer);
  }
}

describe('Streams as clients of other makers read them', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  let token: string;
  let urls: { market_ws_url: string; order_service_ws_url: string; user_ws_url: string };
  const clients: Client[] = [];

  const begin = async (options: Parameters<typeof start>[0] = {}): Promise<void> => {
    bench = await start(options);
    headers = await logIn(bench);
    token = headers['authorization']!.slice('Bearer '.length);
    urls = (await bench.http.get('/userinfo', { headers })).data.env_info;
  };
  const connect = async (url: string, options?: ClientOptions): Promise<Client> => {
    const client = new Client(url, options);
    clients.push(client);
    await once(client.socket, 'open');
    return client;
  };
  const market = async (): Promise<{ client: Client; say(text: string, verb?: string): void }> => {
    const client = await connect(`${urls.market_ws_url}?token=${token}`);
    return { client, say: (text, verb = 'subscribe') => client.send(`batch_${verb} ${token} ${text}`) };
  };
  const refIdOf = (symbol: string): number => bench.running.sandbox.world.universe().bySymbol('NSE', symbol)!.refId;
  const chain = async () =>
    (await bench.http.get('/optionchains/NIFTY?exchange=NSE', { headers })).data.chain as {
      expiry: string;
      atm: number;
      cp: number;
      ce: { ref_id: number; sp: number; ltp: number; iv: number }[];
    };

  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.terminate();
    await bench.close();
  });

  test('/userinfo returns the older address of updates, and that of market data', async () => {
    await begin();
    expect(new URL(urls.market_ws_url).pathname).toBe('/apibatch/ws');
    expect(new URL(urls.user_ws_url).pathname).toBe('/ws');
  });

  test.each([
    ['?token= in the address', (): [string, ClientOptions] => [`${urls.market_ws_url}?token=${token}`, {}]],
    [
      'an Authorization header',
      (): [string, ClientOptions] => [urls.market_ws_url, { headers: { authorization: `Bearer ${token}` } }],
    ],
    ['the command alone', (): [string, ClientOptions] => [urls.market_ws_url, {}]],
  ])('the session comes in %s', async (_name, how) => {
    await begin();
    const client = await connect(...how());
    client.send(`batch_subscribe ${token} index {"indexes":["NIFTY"]} NSE`);
    expect((await client.readMessage()).body.indexes[0]).toMatchObject({ indexname: 'NIFTY' });
  });

  test('a header with an expired token, and a command with one, are answered Invalid Token', async () => {
    await begin();
    const byHeader = await connect(urls.market_ws_url, { headers: { authorization: 'Bearer wrong' } });
    expect(await byHeader.next()).toBe('Invalid Token');
    const byCommand = await connect(urls.user_ws_url);
    byCommand.send('subscribe wrong notifications notification');
    expect(await byCommand.next()).toBe('Invalid Token');
  });

  test('index: tells indices and instruments apart, by symbol, by the name of an index and by full name, as asked', async () => {
    await begin();
    const { client, say } = await market();
    say('index {"indexes":["Nifty 50","HDFCBANK"],"instruments":["NIFTY","STOCK_INFY.NSECM"]} NSE');
    const { key, type, body } = await client.readMessage();
    expect([key, type]).toEqual(['index', 'BatchWebSocketIndexMessage']);
    expect(body.indexes.map(({ indexname }) => indexname)).toEqual(['Nifty 50', 'NIFTY']);
    expect(body.indexes[0]!['indexValue']).toBe(body.indexes[1]!['indexValue']);
    expect(body.instruments.map(({ indexname }) => indexname)).toEqual(['HDFCBANK', 'STOCK_INFY.NSECM']);
    const { data } = await bench.http.get('/optionchains/INFY/price?exchange=NSE', { headers });
    expect(body.instruments[1]).toMatchObject({ indexValue: String(data.price), prevClose: String(data.prev_close) });
  });

  test('a wrong exchange is taken without an error and never ticks; batch_unsubscribe ends what it names', async () => {
    await begin();
    const { client, say } = await market();
    say('index {"indexes":["NIFTY"]} BSE');
    say('index {"indexes":["BANKNIFTY","FINNIFTY"]} NSE');
    expect((await client.readMessage()).body.indexes).toHaveLength(2);
    say('index {"indexes":["FINNIFTY"]} NSE', 'unsubscribe');
    say('index {"indexes":["MIDCPNIFTY"]} NSE');
    expect((await client.readMessage()).body.indexes.map(({ indexname }) => indexname)).toEqual(['MIDCPNIFTY']);
    await bench.advance('PT30S');
    const names = (await client.readMessage()).body.indexes.map(({ indexname }) => indexname);
    expect(names).toEqual(['BANKNIFTY', 'MIDCPNIFTY']);
  });

  test('index_bucket: tells the running candle, and the closed one in full as the history has it', async () => {
    await begin();
    await bench.advance('PT2M20S');
    const { client, say } = await market();
    say('index_bucket {"indexes":["NIFTY","INFY"]} 5m NSE');
    const first = await client.readMessage();
    expect([first.key, first.type]).toEqual(['index_bucket', 'BatchWebSocketIndexBucketMessage']);
    expect(first.body.indexes[0]).toMatchObject({ interval: 'CANDLE_INTERVAL_5M', exchange: 'NSE' });
    expect(first.body.instruments[0]!['indexname']).toBe('INFY');
    const began = String(first.body.indexes[0]!['bucketTimestamp']);
    expect(began).toBe(`${Date.parse('2026-11-23T10:00:00+05:30')}000000`);
    await bench.advance('PT3M');
    const rows = (await client.readMessage()).body.indexes;
    expect(rows.map(({ bucketTimestamp }) => Number(bucketTimestamp) / 1e9 - Number(began) / 1e9)).toEqual([0, 300]);
    const { data } = await bench.http.post(
      '/charts/timeseries',
      {
        query: [
          {
            exchange: 'NSE',
            type: 'INDEX',
            values: ['NIFTY'],
            fields: ['open', 'high', 'low', 'close'],
            startDate: '2026-11-23T04:30:00.000Z',
            endDate: '2026-11-23T04:35:00.000Z',
            interval: '5m',
          },
        ],
      },
      { headers },
    );
    const points = data.result[0].values[0].NIFTY as Record<string, { v: number }[]>;
    for (const field of ['open', 'high', 'low', 'close']) expect(Number(rows[0]![field])).toBe(points[field]![0]!.v);
  });

  test.each(share(['5s', '10m', '2h', '4h', '1d', '1w', '1mt'], 4, 0))(
    'index_bucket of %s has its number',
    async (interval) => {
      await begin();
      const { client, say } = await market();
      say(`index_bucket {"indexes":["NIFTY"]} ${interval} NSE`);
      const [row] = (await client.readMessage()).body.indexes;
      expect(row!['interval']).toBe(`CANDLE_INTERVAL_${interval.toUpperCase()}`);
      const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) => Number(row![name]));
      expect(Math.max(open!, close!, low!)).toBeLessThanOrEqual(high!);
      expect(low!).toBeGreaterThan(0);
    },
  );

  test('orderbook: tells twenty levels, or as many as orderbook_depth says before it', async () => {
    await begin();
    const { client, say } = await market();
    say(`orderbook {"instruments":[${refIdOf('INFY')}]}`);
    const { key, type, body } = await client.readMessage();
    expect([key, type]).toEqual(['orderbook', 'BatchWebSocketOrderbookMessage']);
    expect([body.instruments[0]!['bids'], body.instruments[0]!['asks']].map((side) => (side as Row[]).length)).toEqual([
      20, 20,
    ]);
    say('orderbook_depth 5');
    say(`orderbook {"instruments":[${refIdOf('TCS')}]}`);
    expect(((await client.readMessage()).body.instruments[0]!['bids'] as Row[]).length).toBe(5);
  });

  test('greeks: are those of the option chain, with the close of the day before', async () => {
    await begin();
    const { ce } = await chain();
    const option = ce[Math.floor(ce.length / 2)]!;
    const { client, say } = await market();
    say(`greeks {"instruments":[${option.ref_id},${refIdOf('INFY')}]}`);
    const { key, type, body } = await client.readMessage();
    expect([key, type, body.instruments.length]).toEqual(['greeks', 'BatchWebSocketGreeksMessage', 1]);
    expect(body.instruments[0]).toMatchObject({ refId: String(option.ref_id), ltp: String(option.ltp) });
    expect(body.instruments[0]!['iv']).toBeCloseTo(option.iv, 4);
    expect(Number(body.instruments[0]!['pricePcp'])).toBeGreaterThan(0);
  });

  test('option: comes as one frame a chain', async () => {
    await begin();
    const { expiry, ce, atm, cp } = await chain();
    const { client, say } = await market();
    say(`option [{"exchange":"NSE","asset":"NIFTY","expiry":"${expiry}"}]`);
    const { key, type, body } = await client.readMessage();
    expect([key, type]).toEqual(['option', 'WebSocketMsgOptionChainUpdate']);
    expect(body).toMatchObject({ asset: 'NIFTY', expiry, atm: String(atm), currentprice: String(cp), exchange: 'NSE' });
    expect(body.ce.map(({ sp }) => Number(sp))).toEqual(ce.map(({ sp }) => sp));
  });

  test('socket_interval slows a channel down', async () => {
    await begin();
    const { client, say } = await market();
    say('socket_interval index 1m');
    say('index {"indexes":["NIFTY"]} NSE');
    say(`orderbook {"instruments":[${refIdOf('INFY')}]}`);
    expect([(await client.readMessage()).key, (await client.readMessage()).key]).toEqual(['index', 'orderbook']);
    const keys: string[] = [];
    for (let step = 0; step < 6; step += 1) await bench.advance('PT20S');
    while (keys.filter((key) => key === 'orderbook').length < 6) keys.push((await client.readMessage()).key);
    expect(keys.filter((key) => key === 'index').length).toBeLessThanOrEqual(2);
  });

  test('post_market: tells nothing after the close but the last values to those who ask for it', async () => {
    await begin({ hours: 'exchange' });
    await bench.advance('PT6H30M');
    const { client, say } = await market();
    say('index {"indexes":["NIFTY"]} NSE');
    say('post_market true');
    say('index {"indexes":["BANKNIFTY"]} NSE');
    expect((await client.readMessage()).body.indexes.map(({ indexname }) => indexname)).toEqual(['BANKNIFTY']);
  });

  test('a session has a budget of 50,000: a chain weighs 20, depth 5, candles 2, a tick 1; a command beyond it is refused', async () => {
    await begin();
    const { client, say } = await market();
    const asset = (n: number) => `{"exchange":"NSE","asset":"NONE${n}","expiry":"20261124"}`;
    const chains = (from: number, to: number) =>
      `option [${Array.from({ length: to - from }, (_, n) => asset(from + n)).join(',')}]`;
    for (let from = 0; from < 2500; from += 500) say(chains(from, from + 500));
    say('index {"indexes":["NIFTY"]} NSE');
    expect(await client.next()).toBe('Subscription limit exceeded: 50001 of 50000');
    say(chains(0, 1), 'unsubscribe');
    say('index {"indexes":["NIFTY"]} NSE');
    expect((await client.readMessage()).key).toBe('index');
    const { client: other, say: sayThere } = await market();
    sayThere(`orderbook {"instruments":[1,2,3,4]}`);
    expect(await other.next()).toBe('Subscription limit exceeded: 50001 of 50000');
  });

  test('/ws: tells order updates after notifications notification and market data, told apart by the command, under full names', async () => {
    await begin();
    const client = await connect(urls.user_ws_url);
    client.send(`subscribe ${token} notifications notification`);
    client.send(`batch_subscribe ${token} index {"indexes":["NIFTY"]} NSE`);
    expect((await client.readMessage()).type).toBe('BatchWebSocketIndexMessage');
    client.send(`batch_unsubscribe ${token} index {"indexes":["NIFTY"]} NSE`);
    client.send(`batch_subscribe ${token} index {"indexes":["BANKNIFTY"]} BSE`);
    await bench.http.post(
      '/orders/v2/single',
      {
        ...MARKET_ORDER,
        ref_id: refIdOf('INFY'),
      },
      { headers },
    );
    await bench.advance('PT3S');
    let reported = await client.readMessage();
    while (reported.type === 'BatchWebSocketIndexMessage') reported = await client.readMessage();
    expect(reported.type).toBe('SvcToClientIntentUpdate');
    expect(reported.body['intentOrderResponseType']).toBe('INTENT_ORDER_RESPONSE_TYPE_ACCEPT');
  });

  test.each([
    ['its account', 'with its session', () => `${urls.user_ws_url}?token=${token}`, () => urls.market_ws_url],
    ['its address', 'without one', () => urls.user_ws_url, () => `${urls.market_ws_url}?token=${token}`],
  ])(
    '250 connections of %s are served in ten seconds, made %s; more wait, and are refused, and others are not',
    async (_of, _how, its, another) => {
      await begin();
      const attempt = async (): Promise<string> => {
        const socket = new WebSocket(its());
        const result = await new Promise<string>((resolve) =>
          socket.once('open', () => resolve('open')).once('error', ({ message }) => resolve(message)),
        );
        socket.terminate();
        return result;
      };
      const seen = { open: 0, refused: 0 };
      for (let batch = 0; batch < 26; batch += 1)
        for (const result of await Promise.all(Array.from({ length: 10 }, attempt)))
          if (result === 'open') seen.open += 1;
          else if (result.includes('429')) seen.refused += 1;
      expect(seen).toEqual({ open: 250, refused: 10 });
      await connect(another());
    },
  );
});
