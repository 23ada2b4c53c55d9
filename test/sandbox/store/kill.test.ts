import axios, { type AxiosInstance } from 'axios';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { DEVICE, FIRST, MARKET_ORDER, pin, readJson, totpAt } from '../support';
import { SANDBOX_PROGRAM } from '../../support/sandbox-program';
import { decodeFill } from './fills';

/** Few in `npm test`, more in CI, any number by command. A round is two seconds of work, which CI gives last. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 1);
jest.setTimeout(120_000 + ROUNDS * 60_000);

interface Running {
  child: ChildProcess;
  http: AxiosInstance;
  url: string;
}

interface AcknowledgedState {
  /** Acknowledged orders: the placed record by order id. */
  placed: Map<string, { ref_id: number; order_qty: number; tag: string }>;
  /** Quantity that the stream has told as filled, by order id. */
  filled: Map<string, number>;
  cancelAcknowledged: Set<string>;
  /** The trades of the journal by their id: it keeps only the newest entries of all kinds. */
  trades: Map<string, Traded>;
  /** The journal has been read up to this entry. Its numbers go on after a kill. */
  readTo: number;
}

describe('Durability: killed at random moments (issue: Durable)', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sandbox-kill-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** @param snapshotEvery entries of the log after which a snapshot is written: with few, some kills fall into one. */
  async function run(snapshotEvery: number): Promise<Running> {
    const args = ['--port', '0', '--data', folder, '--rate-limit', 'off', '--snapshot-every', String(snapshotEvery)];
    const child = spawn(process.execPath, [...SANDBOX_PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr!.on('data', (text: Buffer) => (errors += text.toString()));
    for await (const line of createInterface({ input: child.stdout! })) {
      const url = /(http:\/\/[\w.]+:\d+)/.exec(line)?.[1];
      if (url === undefined) continue;
      const http = axios.create({
        baseURL: url,
        validateStatus: () => true,
        timeout: 20_000,
        transformResponse: [(text: string) => (text === '' ? text : readJson(text))],
      });
      return { child, http, url };
    }
    throw new Error(`the sandbox did not start: ${errors}`);
  }

  it(`loses nothing that was acknowledged in ${ROUNDS} rounds`, async () => {
    const reported: AcknowledgedState = {
      placed: new Map(),
      filled: new Map(),
      cancelAcknowledged: new Set(),
      trades: new Map(),
      readTo: 0,
    };
    let session: Record<string, string> | undefined;
    let refIds: number[] | undefined;
    let random = 20261121;
    const draw = (max: number): number => (random = (random * 48_271) % 2_147_483_647) % max;

    for (let round = 0; round < ROUNDS; round += 1) {
      const { child, http, url } = await run([1, 20, 300, 20_000][draw(4)]!);
      if (session === undefined) {
        const code = await http.post(
          '/totp/login',
          { phone: FIRST.phone, totp: totpAt(FIRST.secret, Date.now()), otp: '' },
          { headers: { 'x-device-id': DEVICE } },
        );
        session = await pin(http, code.data.auth_token, FIRST.mpin);
      }
      const headers: Record<string, string> = session;
      expect((await http.get('/userinfo', { headers })).status).toBe(200);
      await compare(http, headers, reported);

      const socket = await listen(url, headers['authorization']!.slice(7), reported);
      refIds ??= await choose(http, headers);
      const shares = refIds;
      const ended = once(child, 'exit');
      // A moment after a drawn number of orders, in whatever it does then: by time alone a slow machine would have none.
      let left = 1 + draw(60);
      const acknowledged = () => {
        left -= 1;
        if (left === 0) setTimeout(() => child.kill('SIGKILL'), draw(15));
      };
      await Promise.all(
        [1, 2, 3].map(
          async (lane) =>
            await expect(
              trade(http, headers, shares, reported, `r${round}l${lane}`, draw, acknowledged),
            ).rejects.toMatchObject({
              code: expect.stringMatching(/^(ECONNRESET|ECONNREFUSED|EPIPE|ERR_BAD_RESPONSE)$/),
            }),
        ),
      );
      await ended;
      socket.terminate();
    }
    const last = await run(0);
    await compare(last.http, session!, reported);
    expect(reported.placed.size).toBeGreaterThanOrEqual(ROUNDS);
    last.child.kill('SIGTERM');
    await once(last.child, 'exit');
  });
});

/** Places and cancels until the connection breaks; remembers what was acknowledged. */
async function trade(
  http: AxiosInstance,
  headers: Record<string, string>,
  refIds: number[],
  reported: AcknowledgedState,
  tag: string,
  draw: (max: number) => number,
  acknowledged: () => void,
): Promise<never> {
  for (let count = 0; ; count += 1) {
    const order_qty = 1 + draw(5);
    const ref_id = refIds[draw(refIds.length)]!;
    const reply = await http.post(
      '/orders/v2/single',
      {
        ...MARKET_ORDER,
        ref_id,
        order_qty,
        order_side: draw(3) === 0 ? 'ORDER_SIDE_SELL' : 'ORDER_SIDE_BUY',
        order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
        tag: `${tag}n${count}`,
      },
      { headers },
    );
    expect(reply.status).toBe(200);
    reported.placed.set(reply.data.order_id, { ref_id, order_qty, tag: `${tag}n${count}` });
    acknowledged();
    if (draw(4) > 0) continue;
    const cancelled = await http.delete(`/orders/${reply.data.order_id}`, { headers });
    if (cancelled.status === 200) reported.cancelAcknowledged.add(reply.data.order_id);
  }
}

/** Everything that was acknowledged or told is there, and the figures hold together. */
async function compare(
  http: AxiosInstance,
  headers: Record<string, string>,
  reported: AcknowledgedState,
): Promise<void> {
  const filledBy = async () => {
    const filled = new Map<string, number>();
    for (const { order_id, quantity } of await traded(http, reported))
      filled.set(order_id, (filled.get(order_id) ?? 0) + quantity);
    return filled;
  };
  await reconcile(http, headers, reported);
  const before = await filledBy();
  const recent = [...reported.placed].slice(-300);
  const replies = await Promise.all(recent.map(async ([id]) => await http.get(`/orders/${id}`, { headers })));
  const after = await filledBy();
  for (const [index, [id, placed]] of recent.entries()) {
    const { status, data } = replies[index]!;
    expect([id, status]).toEqual([id, 200]);
    expect(data).toMatchObject(placed);
    expect(data.filled_qty).toBeLessThanOrEqual(data.order_qty);
    expect(data.filled_qty).toBeGreaterThanOrEqual(before.get(id) ?? 0);
    expect(data.filled_qty).toBeLessThanOrEqual(after.get(id) ?? 0);
    expect(data.filled_qty).toBeGreaterThanOrEqual(reported.filled.get(id) ?? 0);
  }
}

interface Traded {
  seq: number;
  trade_id: string;
  order_id: string;
  at: string;
  ref_id: number;
  side: 'BUY' | 'SELL';
  quantity: number;
}

/** Reads the trades that it has not heard of. @returns all trades so far */
async function traded(http: AxiosInstance, reported: AcknowledgedState): Promise<Traded[]> {
  for (const trade of (await http.get(`/_sandbox/journal?kind=trade&limit=200000&after=${reported.readTo}`))
    .data as Traded[]) {
    expect(trade.seq).toBeGreaterThan(reported.readTo);
    reported.trades.set(trade.trade_id, trade);
    reported.readTo = trade.seq;
  }
  return [...reported.trades.values()];
}

/** The invariants of the books: cash to the paisa, and positions that are the sums of their fills. */
async function reconcile(
  http: AxiosInstance,
  headers: Record<string, string>,
  reported: AcknowledgedState,
): Promise<void> {
  const { funds } = (await http.post(`/_sandbox/accounts/${FIRST.phone}`, {})).data;
  expect(funds.cash).toBe(funds.opening + funds.added + funds.realised - funds.charges - funds.invested);
  expect(funds.available).toBe(
    funds.cash - funds.heldForOrders - funds.heldForPositions + funds.collateralUsed - funds.unrealisedLoss,
  );
  const { now } = (await http.get('/_sandbox/clock')).data as { now: string };
  const positions = async () =>
    (await http.get('/portfolio/positions', { headers })).data.portfolio.stock_positions as
      { ref_id: number; order_side: string; qty: number }[] | null;
  // Orders of before the kill may still fill: positions are compared when no trade came between two readings of them.
  let [trades, held, after] = [await traded(http, reported), await positions(), await traded(http, reported)];
  while (after.length !== trades.length)
    [trades, held, after] = [after, await positions(), await traded(http, reported)];
  const today = trades.filter(({ at }) => at.slice(0, 10) === now.slice(0, 10));
  const sums = new Map<number, number>();
  for (const { ref_id, side, quantity } of today)
    sums.set(ref_id, (sums.get(ref_id) ?? 0) + (side === 'BUY' ? quantity : -quantity));
  const signed = (held ?? []).map(({ ref_id, order_side, qty }): [number, number] => [
    ref_id,
    order_side === 'SELL' ? -Math.abs(qty) : qty,
  ]);
  expect(new Map(signed)).toEqual(new Map([...sums].filter(([, sum]) => sum !== 0)));
}

async function choose(http: AxiosInstance, headers: Record<string, string>): Promise<number[]> {
  const today = new Date(Date.now() + 19_800_000).toISOString().slice(0, 10);
  const { data } = await http.get(`/refdata/refdata/${today}`, { headers });
  return data.refdata
    .filter((row: { plat_name: string }) => /^STOCK_(INFY|SBIN|ITC|TCS)\.NSECM$/.test(row.plat_name))
    .map((row: { ref_id: number }) => row.ref_id);
}

async function listen(url: string, token: string, reported: AcknowledgedState): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/stream?token=${token}`);
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(`subscribe ${token} direct_intent notification`);
  socket.on('message', (data: Buffer, binary) => {
    const fill = binary ? decodeFill(data) : undefined;
    if (fill !== undefined) reported.filled.set(fill.orderId, fill.filledQuantity);
  });
  return socket;
}
