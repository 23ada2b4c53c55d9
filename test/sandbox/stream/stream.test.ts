import { request } from 'node:http';
import { WebSocket } from 'ws';
import { MARKET_ORDER, logIn, start, type Bench } from '../support';
import { StreamClient, unwrap } from './client';
import { share } from '../../support/sample';

describe('The stream', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  let token: string;
  let refId: number;
  let url: string;
  const clients: StreamClient[] = [];

  beforeEach(async () => {
    bench = await start();
    headers = await logIn(bench);
    token = headers['authorization']!.slice(7);
    const { data } = await bench.http.get('/refdata/refdata/2026-11-23', { headers });
    refId = data.refdata.find((row: { plat_name: string }) => row.plat_name === 'STOCK_INFY.NSECM').ref_id;
    url = (await bench.http.get('/userinfo', { headers })).data.env_info.order_service_ws_url;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.terminate();
    await bench.close();
  });

  async function connect(withToken = token): Promise<StreamClient> {
    const client = await new StreamClient(`${url}?token=${withToken}`).open();
    clients.push(client);
    return client;
  }

  async function subscribe(): Promise<StreamClient> {
    const client = await connect();
    client.socket.send(`subscribe ${token} direct_intent notification`);
    while (!(await bench.http.get('/_sandbox/journal?kind=subscribe')).data.length);
    return client;
  }

  const place = (more: Record<string, unknown> = {}) =>
    bench.http.post(
      '/orders/v2/single',
      {
        ...MARKET_ORDER,
        ref_id: refId,
        order_qty: 10,
        tag: 'my tag_1',
        ...more,
      },
      { headers },
    );

  it('tells the life of an order: accepted, then filled, with ids and times that lose no digit', async () => {
    const client = await subscribe();
    const { data: placed } = await place();
    await bench.advance('PT3S');
    const accepted = await client.update();
    expect(accepted).toMatchObject({
      intentOrderResponseType: 'INTENT_ORDER_RESPONSE_TYPE_ACCEPT',
      intentOrderRequstType: 'INTENT_ORDER_REQUEST_TYPE_NEW',
      intentOrderResponse: {
        intentOrderId: placed.order_id,
        orderStatus: 'INTENT_ORDER_STATUS_OPEN',
        deliveryType: 'ORDER_DELIVERY_TYPE_CNC',
        priceType: 'PRICE_TYPE_MARKET',
        validityType: 'VALIDITY_TYPE_DAY',
        stratTags: ['my-tag-1'],
        orderQty: '10',
        orderSide: 'ORDER_SIDE_BUY',
        intentOrderType: 'INTENT_ORDER_TYPE_REGULAR',
        refdata: { platName: 'STOCK_INFY.NSECM', exchange: 'NSE' },
      },
    });
    expect(accepted.intentOrderResponse).not.toHaveProperty('tradeFill');
    let filled = 0;
    let last = accepted;
    while (filled < 10) {
      last = await client.update();
      expect(last).toMatchObject({ intentOrderResponseType: 'INTENT_ORDER_RESPONSE_TYPE_FILLED' });
      filled += Number((last.intentOrderResponse['tradeFill'] as { tradeQty: string }).tradeQty);
    }
    const order = (await bench.http.get(`/orders/${placed.order_id}`, { headers })).data;
    expect(last.intentOrderResponse).toMatchObject({
      orderStatus: 'INTENT_ORDER_STATUS_EXECUTED',
      filledQty: '10',
      filledPrice: String(order.avg_filled_price),
      svcTimestamps: { intentCreatedAt: order.order_time, filledAt: order.filled_time },
    });
  });

  it('gives the reason of a rejection', async () => {
    const client = await subscribe();
    await place({ order_qty: 50_000 });
    await bench.advance('PT3S');
    const update = await client.update();
    expect(update).toMatchObject({
      intentOrderResponseType: 'INTENT_ORDER_RESPONSE_TYPE_REJECT',
      intentOrderResponse: {
        orderStatus: 'INTENT_ORDER_STATUS_REJECTED',
        rejectionMsg: expect.stringContaining('INSUFFICIENT_MARGIN'),
      },
    });
  });

  it('answers Invalid Token to a wrong token, in the address and in the command, and when the session ends', async () => {
    const stranger = await connect('wrong');
    expect(await stranger.next()).toBe('Invalid Token');
    await stranger.closed;
    const client = await connect();
    client.socket.send('subscribe wrong direct_intent notification');
    expect(await client.next()).toBe('Invalid Token');
    const other = await subscribe();
    await bench.http.post('/_sandbox/accounts/9000000001', { expire_sessions: true });
    expect(await other.next()).toBe('Invalid Token');
    await other.closed;
  });

  it('hears nothing before it subscribes, and never answers a text', async () => {
    const client = await connect();
    client.socket.send('ping');
    await place();
    await bench.advance('PT3S');
    client.socket.send(`subscribe ${token} direct_intent notification`);
    while (!(await bench.http.get('/_sandbox/journal?kind=subscribe')).data.length);
    const { data } = await place({ order_qty: 50_000 });
    await bench.advance('PT3S');
    expect((await client.update()).intentOrderResponse['intentOrderId']).toBe(data.order_id);
  });

  it('takes no frame of more than 64 KiB, and none from a page whose host is another', async () => {
    const client = await connect();
    client.socket.on('error', () => undefined);
    client.socket.send('x'.repeat(64 * 1024 + 1));
    expect(await client.closed).toBe(1009);
    const stranger = new WebSocket(`${url}?token=${token}`, { headers: { host: 'evil.example' } });
    expect(await new Promise((resolve) => stranger.on('error', ({ message }) => resolve(message)))).toContain('404');
  });

  it.each(['/stream', '/ws', '/oms-socket-latest/ws', '/apibatch/ws'])(
    'keeps pages of other sites out of %s, and takes a client that names this service or none',
    async (path) => {
      const { host } = new URL(url);
      const opened = async (origin: string | undefined): Promise<string> => {
        const socket = new WebSocket(`ws://${host}${path}?token=${token}`, {
          ...(origin === undefined ? {} : { origin }),
        });
        const how = await new Promise<string>((resolve) =>
          socket.on('open', () => resolve('open')).on('error', ({ message }) => resolve(message)),
        );
        socket.terminate();
        return how;
      };
      for (const origin of [undefined, `http://${host}`, `https://${host}`]) expect(await opened(origin)).toBe('open');
      for (const origin of ['https://evil.example', 'null', 'http://localhost:1', `http://${host}.evil.example`])
        expect(await opened(origin)).toContain('403');
    },
  );

  it.each(share(['//', '/%zz', '///stream', '/stream/../nowhere'], 4, 1))(
    'refuses an upgrade to %s and goes on',
    async (path) => {
      const { hostname, port } = new URL(url);
      const refused = await new Promise((resolve) => {
        const requested = request({
          hostname,
          port,
          path,
          headers: {
            connection: 'Upgrade',
            upgrade: 'websocket',
            'sec-websocket-version': '13',
            'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          },
        });
        requested
          .on('response', ({ statusCode }) => resolve(statusCode))
          .on('error', resolve)
          .end();
      });
      expect(refused).toBe(404);
      expect((await bench.http.get('/_sandbox/health')).status).toBe(200);
    },
  );

  it.each([
    ['duplicate_frame', 3],
    ['drop_frame', 1],
  ])('breaks on purpose: %s', async (action, frames) => {
    const client = await subscribe();
    await bench.http.post('/_sandbox/faults', { match: { stream: true }, action, times: 1 });
    await place({ order_qty: 1 });
    await bench.advance('PT3S');
    for (let count = 0; count < frames; count += 1) await client.update();
    const journal = (await bench.http.get('/_sandbox/journal?kind=frame')).data as { fault?: string }[];
    expect(journal.filter(({ fault }) => fault === action)).toHaveLength(1);
  });

  it('reorders, truncates, garbles, disconnects on purpose', async () => {
    const faults = (action: string) =>
      bench.http.post('/_sandbox/faults', { match: { stream: true }, action, times: 1 });
    const client = await subscribe();
    await faults('reorder');
    await place({ order_qty: 1 });
    await bench.advance('PT3S');
    expect(await client.update()).toMatchObject({ intentOrderResponseType: 'INTENT_ORDER_RESPONSE_TYPE_FILLED' });
    expect(await client.update()).toMatchObject({ intentOrderResponseType: 'INTENT_ORDER_RESPONSE_TYPE_ACCEPT' });
    await faults('truncate_frame');
    await faults('garbage_frame');
    await place({ order_qty: 1 });
    await bench.advance('PT3S');
    const cut = (await client.next()) as Buffer;
    expect(() => unwrap(cut)).toThrow();
    const garbled = (await client.next()) as Buffer;
    expect(garbled).not.toContain('Client');
    await faults('disconnect');
    await place({ order_qty: 1 });
    await bench.advance('PT3S');
    expect(await client.closed).toBe(1011);
  });
});
