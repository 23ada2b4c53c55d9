import { MARKET_ORDER, logIn, start, type Bench } from '../support';

describe('Faults on requests', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  let ref_id: number;
  beforeAll(async () => {
    bench = await start();
    headers = await logIn(bench);
    const { data } = await bench.http.get('/refdata/refdata/2026-11-23', { headers });
    ref_id = data.refdata.find((row: { plat_name: string }) => row.plat_name === 'STOCK_INFY.NSECM').ref_id;
  });
  afterEach(() => bench.http.delete('/_sandbox/faults'));
  afterAll(() => bench.close());

  const arm = async (rule: Record<string, unknown>) => {
    const { status, data } = await bench.http.post('/_sandbox/faults', {
      match: { method: 'POST', path: '/orders/v2/single' },
      times: 1,
      ...rule,
    });
    expect([status, data.error]).toEqual([200, undefined]);
  };
  const place = () =>
    bench.http.post(
      '/orders/v2/single',
      {
        ...MARKET_ORDER,
        ref_id,
      },
      { headers },
    );
  const received = async () => (await bench.http.get('/_sandbox/stats')).data.orders_received as number;

  it('drop_before sends no reply, and places no order', async () => {
    const before = await received();
    await arm({ action: 'drop_before' });
    await expect(place()).rejects.toThrow(/hang up|ECONNRESET|EPIPE/);
    expect(await received()).toBe(before);
    expect((await place()).status).toBe(200);
  });

  it('drop_after sends no reply, but the order is there', async () => {
    const before = await received();
    await arm({ action: 'drop_after' });
    await expect(place()).rejects.toThrow(/hang up|ECONNRESET|EPIPE/);
    expect(await received()).toBe(before + 1);
  });

  it('truncate sends half of a reply that is streamed, too', async () => {
    const whole = JSON.stringify((await bench.http.get('/refdata/refdata/2026-11-23', { headers })).data);
    await arm({ action: 'truncate', match: { path: '/refdata/*' } });
    const reply = await fetch(`${bench.running.url}/refdata/refdata/2026-11-23`, { headers });
    const read: Buffer[] = [];
    await expect(
      (async () => {
        for await (const part of reply.body!) read.push(Buffer.from(part as Uint8Array));
      })(),
    ).rejects.toThrow('terminated');
    const half = Buffer.concat(read).toString();
    expect(half.length).toBeGreaterThan(1_000);
    expect(whole.startsWith(half)).toBe(true);
  });

  it('a close code that may not be sent, and a delay longer than a timer, are refused', async () => {
    for (const [action, args] of [
      ['disconnect', { code: 7 }],
      ['disconnect', { code: 1005 }],
      ['stall', { ms: 5e9 }],
    ] as const) {
      expect((await bench.http.post('/_sandbox/faults', { match: { stream: true }, action, args })).status).toBe(400);
    }
    expect(
      (
        await bench.http.post('/_sandbox/faults', {
          match: { stream: true },
          action: 'disconnect',
          args: { code: 4000 },
        })
      ).status,
    ).toBe(200);
  });

  it('truncate sends half of the reply, then the end, and the order is there', async () => {
    const before = await received();
    await arm({ action: 'truncate' });
    await expect(place()).rejects.toThrow(/aborted|hang up|ECONNRESET|EPIPE/);
    expect(await received()).toBe(before + 1);
  });

  it('malformed sends a whole reply that is no JSON, and the order is there', async () => {
    const before = await received();
    await arm({ action: 'malformed' });
    await expect(place()).rejects.toThrow(SyntaxError);
    expect(await received()).toBe(before + 1);
  });

  it('status sends the status and body that were asked for, and places no order', async () => {
    const before = await received();
    await arm({ action: 'status', args: { status: 503, body: { message: 'busy' } } });
    const reply = await place();
    expect([reply.status, reply.data]).toEqual([503, { message: 'busy' }]);
    expect(await received()).toBe(before);
  });

  it('delay sends the reply later', async () => {
    await arm({ action: 'delay', args: { ms: 80 } });
    const began = performance.now();
    expect((await place()).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(70);
  });

  it('matches paths with *, by probability drawn from the seed, and never the control plane', async () => {
    const pattern = async () => {
      await bench.http.delete('/_sandbox/faults');
      await bench.http.post('/_sandbox/faults', {
        match: { path: '/user*' },
        action: 'status',
        args: { status: 500 },
        probability: 0.5,
        seed: 4,
      });
      const statuses: number[] = [];
      for (let count = 0; count < 20; count += 1)
        statuses.push((await bench.http.get('/userinfo', { headers })).status);
      return statuses;
    };
    const first = await pattern();
    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await pattern()).toEqual(first);
    await bench.http.post('/_sandbox/faults', { match: {}, action: 'status', args: { status: 500 } });
    expect((await bench.http.get('/_sandbox/health')).status).toBe(200);
    expect((await bench.http.get('/_sandbox/faults')).data).toHaveLength(2);
  });

  it('a rule with after begins when another has been applied, and goes with that one', async () => {
    await bench.http.delete('/_sandbox/faults');
    const post = async (rule: object) => (await bench.http.post('/_sandbox/faults', rule)).data as { id: number }[];
    const [first] = await post({ match: { path: '/userinfo' }, action: 'status', args: { status: 503 }, times: 1 });
    const [second] = await post({
      match: { path: '/orders' },
      action: 'status',
      args: { status: 500 },
      after: first!.id,
    });
    await post({ match: { path: '/portfolio/*' }, action: 'status', args: { status: 500 }, after: second!.id });
    const status = async (path: string) => (await bench.http.get(path, { headers })).status;
    expect(await status('/orders')).toBe(200);
    expect(await status('/userinfo')).toBe(503);
    expect([await status('/userinfo'), await status('/orders'), await status('/orders')]).toEqual([200, 500, 500]);
    await bench.http.delete(`/_sandbox/faults/${first!.id}`);
    expect((await bench.http.get('/_sandbox/faults')).data).toEqual([]);
    expect(await status('/orders')).toBe(200);
    expect((await bench.http.post('/_sandbox/faults', { match: {}, action: 'delay', after: first!.id })).status).toBe(
      400,
    );
  });

  it('refuses rules that mix stream and requests, or that are unknown', async () => {
    const post = async (rule: unknown) => (await bench.http.post('/_sandbox/faults', rule)).status;
    expect(await post({ match: {}, action: 'drop_frame' })).toBe(400);
    expect(await post({ match: { stream: true }, action: 'delay' })).toBe(400);
    expect(await post({ match: {}, action: 'explode' })).toBe(400);
    expect(await post({ match: { pth: '/x' }, action: 'delay' })).toBe(400);
  });
});
