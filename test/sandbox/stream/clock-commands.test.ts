import { MARKET_ORDER, logIn, start, type Bench } from '../support';
import { StreamClient } from './client';

describe('The clock of a sandbox', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  let token: string;
  let client: StreamClient;

  beforeEach(async () => {
    bench = await start({ hours: 'exchange' });
    headers = await logIn(bench);
    token = headers['authorization']!.slice(7);
    client = await new StreamClient(`${bench.running.url.replace('http', 'ws')}/stream?token=${token}`).open();
  });

  afterEach(async () => {
    client.socket.terminate();
    await bench.close();
  });

  const send = (text: string): void => client.socket.send(text);
  const follow = (what: string): void => send(`subscribe ${token} sandbox_clock ${what}`);
  const clock = async (): Promise<{ now: string; mode: string; going_to: string | null }> =>
    (await bench.http.get('/_sandbox/clock')).data;
  const setClock = async (body: Record<string, unknown>): Promise<void> => {
    const reply = await bench.http.post('/_sandbox/clock', body);
    expect({ status: reply.status, data: reply.data }).toMatchObject({ status: 200 });
  };
  const reached = async (mode: string): Promise<string> => {
    for (;;) {
      const { mode: found, now } = await clock();
      if (found === mode) return now;
    }
  };
  /** Commands of one connection are carried out in their order; a refused one tells that those before it are done. */
  const isCarriedOut = async (): Promise<void> => {
    follow('09:20');
    while (bench.running.sandbox.marketTimes.isFollowed === false) await bench.http.get('/_sandbox/health');
  };

  it('tells a client at times of the exchange, and waits until it has acknowledged', async () => {
    follow('acknowledge');
    follow('10:05,10:30:15');
    await isCarriedOut();
    follow('10:05,10:30:15');
    await setClock({ mode: 'fastest' });
    expect(await client.next()).toBe('market_time 2026-11-23T10:05:00.000+05:30');
    const { now } = await clock();
    expect(now).toBe('2026-11-23T10:05:00.000+05:30');
    expect((await clock()).now).toBe(now);
    send('acknowledge 1');
    expect(await client.next()).toBe('market_time 2026-11-23T10:30:15.000+05:30');
    expect((await clock()).now).toBe('2026-11-23T10:30:15.000+05:30');
  });

  it.each(['manual', 'real'])(
    'waits with %s at each such time that it is moved past, and then goes on to where it was moved',
    async (mode) => {
      const goal = '2026-11-23T11:00:00.000+05:30';
      follow('acknowledge');
      await isCarriedOut();
      follow('10:05,10:30:15');
      await setClock({ mode, set: goal });
      for (const time of ['10:05:00', '10:30:15']) {
        const now = `2026-11-23T${time}.000+05:30`;
        expect(await client.next()).toBe(`market_time ${now}`);
        expect(await clock()).toMatchObject({ now, going_to: goal });
        send('acknowledge 1');
      }
      for (;;) {
        const found = await clock();
        if (found.going_to !== null) continue;
        expect(found.now.slice(0, 20)).toBe(goal.slice(0, 20));
        break;
      }
    },
  );

  it('is moved while it waits, and goes there once nobody holds it', async () => {
    const now = '2026-11-23T10:05:00.000+05:30';
    const goal = '2026-11-23T11:00:00.000+05:30';
    follow('acknowledge');
    await isCarriedOut();
    follow('10:05');
    await setClock({ mode: 'manual', set: now });
    await client.next();
    await setClock({ set: goal });
    expect(await clock()).toMatchObject({ now, going_to: goal });
    send('acknowledge 1');
    for (let found = await clock(); found.going_to !== null; found = await clock());
    expect((await clock()).now).toBe(goal);
  });

  it('lets a request take a tenth of a second while it waits for a run: an order is answered', async () => {
    follow('acknowledge');
    await isCarriedOut();
    follow('10:05');
    await setClock({ mode: 'fastest' });
    expect(await client.next()).toBe('market_time 2026-11-23T10:05:00.000+05:30');
    await bench.http.get('/orders/v2', { headers });
    expect((await clock()).now).toBe('2026-11-23T10:05:00.100+05:30');
    await bench.http.get('/orders/v2', { headers });
    expect((await clock()).now).toBe('2026-11-23T10:05:00.200+05:30');
  });

  it('lets only a request of a workflow take time where it goes for workflows alone', async () => {
    bench.running.sandbox.time.goesForWaiters();
    follow('acknowledge');
    await isCarriedOut();
    follow('10:05');
    await setClock({ mode: '600x' });
    await client.next();
    await bench.http.get('/orders/v2', { headers });
    expect((await clock()).now).toBe('2026-11-23T10:05:00.000+05:30');
    await bench.http.get('/orders/v2', { headers: { ...headers, 'x-n8n-execution': '1' } });
    expect((await clock()).now).toBe('2026-11-23T10:05:00.100+05:30');
    // What a trigger orders by itself names its node, and no run.
    await bench.http.get('/orders/v2', { headers: { ...headers, 'x-n8n-node': 'Exits' } });
    expect((await clock()).now).toBe('2026-11-23T10:05:00.200+05:30');
  });

  it('waits while nobody could hold it, where it goes for those who can: also for a client that left by itself', async () => {
    const { time, clock: own } = bench.running.sandbox;
    time.goesForWaiters();
    follow('acknowledge');
    await isCarriedOut();
    expect([time.isWatched, own.isHeld]).toEqual([true, false]);
    client.socket.close(1000);
    while (time.isWatched) await bench.http.get('/_sandbox/health');
    expect(own.isHeld).toBe(true);
    client = await new StreamClient(`${bench.running.url.replace('http', 'ws')}/stream?token=${token}`).open();
    follow('acknowledge');
    while (!time.isWatched) await bench.http.get('/_sandbox/health');
    expect(own.isHeld).toBe(false);
  });

  it('goes on where the one it waits for is gone', async () => {
    follow('acknowledge');
    await isCarriedOut();
    follow('10:05');
    await setClock({ mode: 'fastest' });
    await client.next();
    client.socket.close();
    expect(await reached('manual')).toBe('2026-11-23T23:59:59.999+05:30');
  });

  it('tells of trading days only', async () => {
    await isCarriedOut();
    // A holiday (Guru Nanak), then a day of trading.
    await setClock({ set: '2026-11-24T00:00:00+05:30' });
    expect(bench.running.sandbox.marketTimes.nextDue()).toBe(Date.parse('2026-11-25T09:20:00+05:30'));
  });

  it('tells no time once more that has passed when another client leaves that began before it', async () => {
    const { marketTimes } = bench.running.sandbox;
    const other = await new StreamClient(`${bench.running.url.replace('http', 'ws')}/stream?token=${token}`).open();
    other.socket.send(`subscribe ${token} sandbox_clock 10:01`);
    await isCarriedOut();
    follow('10:05');
    while (marketTimes.nextDue() !== Date.parse('2026-11-23T10:01:00+05:30')) await bench.http.get('/_sandbox/health');
    await setClock({ mode: 'manual', set: '2026-11-23T11:00:00+05:30' });
    expect(await client.next()).toBe('market_time 2026-11-23T10:05:00.000+05:30');
    other.socket.close(1000);
    const next = Date.parse('2026-11-25T10:01:00+05:30');
    for (let due = next; due === next; due = marketTimes.nextDue()) await bench.http.get('/_sandbox/health');
    await setClock({ set: '2026-11-25T11:00:00+05:30' });
    expect(await client.next()).toBe('market_time 2026-11-25T10:05:00.000+05:30');
  });

  it('runs to the next run that a trigger starts, and past messages that start none', async () => {
    follow('acknowledge');
    await isCarriedOut();
    follow('10:05,10:10');
    await setClock({ until: 'alert' });
    await client.next();
    send('acknowledge 0');
    expect(await client.next()).toBe('market_time 2026-11-23T10:10:00.000+05:30');
    send('acknowledge 1');
    expect(await reached('manual')).toBe('2026-11-23T10:10:00.000+05:30');
  });

  it('runs to the next event of an order', async () => {
    const { data } = await bench.http.get('/refdata/refdata/2026-11-23', { headers });
    const { ref_id } = data.refdata.find((row: { plat_name: string }) => row.plat_name === 'STOCK_TCS.NSECM');
    const placed = await bench.http.post(
      '/orders/v2/single',
      {
        ...MARKET_ORDER,
        ref_id,
        order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
      },
      { headers },
    );
    expect(placed.status).toBeLessThan(300);
    await setClock({ until: 'order' });
    const now = await reached('manual');
    expect(Date.parse(now)).toBeLessThan(Date.parse('2026-11-23T10:00:01+05:30'));
    const [last] = (await bench.http.get('/_sandbox/journal?kind=order')).data.slice(-1);
    expect(last.at).toBe(now);
  });

  it('refuses to be told two things at once', async () => {
    const reply = await bench.http.post('/_sandbox/clock', { until: 'order', advance: 'PT1H' });
    expect([reply.status, JSON.stringify(reply.data)]).toEqual([400, expect.stringContaining('until stands alone')]);
  });

  it('is never stopped where it is that of the machine', async () => {
    await bench.close();
    bench = await start({ clock: 'real', start: undefined });
    const release = bench.running.sandbox.time.hold();
    expect(bench.running.sandbox.clock.isHeld).toBe(false);
    release();
  });

  it('waits on its way where it was that of the machine until somebody moved it', async () => {
    await bench.close();
    bench = await start({ clock: 'real', start: undefined, hours: 'exchange' });
    const machine = (await clock()).now;
    await setClock({ advance: 'PT1M' });
    const release = bench.running.sandbox.time.hold();
    const { now } = await clock();
    expect(Date.parse(now)).toBeGreaterThan(Date.parse(machine) + 59_000);
    expect(bench.running.sandbox.clock.isHeld).toBe(true);
    release();
  });
});
