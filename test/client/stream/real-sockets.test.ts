/**
 * The stream over real sockets against the sandbox, through faults. Some seconds of them by default; ten minutes with
 * STREAM_CHAOS_MS=600000.
 */
import { getEventListeners } from 'node:events';
import { Agent } from 'node:http';
import axios from 'axios';
import { expect, test } from '@jest/globals';
import { createTransport } from '../../../client/transport';
import { requestStreamAddress } from '../../../client/stream/connection/stream-address';
import { v2Api } from '../../../client/orders/api/v2/v2';
import { requestDayBaskets, requestDayOrders } from '../../../client/stream/account-feed/day-requests';
import type { FeedDeps } from '../../../client/stream/account-feed/types';
import type { StreamSocket } from '../../../client/base/ports';
import { startSandbox, type RunningSandbox } from '../../../sandbox/src';
import { createRandomSource } from '../../../sandbox/src/shared/random';
import type { ExchangeEvent } from '../../../sandbox/src/exchange/types';
import { logIn, DEVICE } from '../../sandbox/support';
import { http as fetchHttp } from '../../support/fetch-http';
import { heldAtMost, heldMemory } from '../../support/held-memory';
import { realClock } from '../../support/real-clock';
import { Instance, Store } from './instance';
import { differences } from './oracle';

const CHAOS_MS = Number(process.env['STREAM_CHAOS_MS'] ?? 1_500);
/** Least number of events that must be returned. */
const MIN_GIVEN = CHAOS_MS / 200;
const SEED = Number(process.env['STREAM_SEED'] ?? 11);
const PATIENCE_MS = 60_000;

const FAULTS: [action: string, probability: number, args?: object][] = [
  ['disconnect', 0.02],
  ['drop_frame', 0.05],
  ['duplicate_frame', 0.05],
  ['reorder', 0.05],
  ['truncate_frame', 0.03],
  ['garbage_frame', 0.03],
  ['stall', 0.01, { ms: 1_500 }],
];

class Chaos {
  readonly journal: ExchangeEvent[] = [];
  /** Ends what the feed does; everything that waits listens to it. */
  feedSignal: AbortSignal | undefined;
  private readonly chance = createRandomSource(SEED);
  private readonly http;
  private changes = 0;

  constructor(
    readonly running: RunningSandbox,
    readonly headers: Record<string, string>,
    private readonly refId: number,
  ) {
    running.sandbox.onOrderEvent((event) => this.journal.push(event));
    // A new connection for each request: one that is kept may just be closing when it is used again.
    const httpAgent = new Agent({ keepAlive: false });
    this.http = axios.create({
      baseURL: running.url,
      headers,
      httpAgent,
      validateStatus: () => true,
      transformResponse: [(text: string) => text],
    });
  }

  deps(): FeedDeps {
    const transport = createTransport({
      http: fetchHttp,
      clock: realClock,
      random: Math.random,
      baseUrl: this.running.url,
      deviceId: DEVICE,
      authenticate: () => this.headers,
    });
    return {
      clock: realClock,
      random: () => Math.random() / 4,
      makeSocket: (url) => new WebSocket(url) as unknown as StreamSocket,
      access: async (signal) => {
        this.feedSignal = signal;
        return {
          ...(await requestStreamAddress(transport, 'orders', '', signal)),
          token: String(this.headers['authorization']).slice(7),
        };
      },
      orders: async (signal) => await requestDayOrders(transport, v2Api, signal),
      baskets: async (signal) => await requestDayBaskets(transport, v2Api, signal),
    };
  }

  async fault(action: string, probability: number, args = {}): Promise<void> {
    await this.http.post('/_sandbox/faults', { match: { stream: true }, action, probability, args, seed: SEED });
  }

  async calm(): Promise<void> {
    await this.http.delete('/_sandbox/faults');
  }

  between(low: number, high: number): number {
    return this.chance.between(low, high);
  }

  /** Places, changes or cancels something. */
  async trade(): Promise<void> {
    const open = [...new Map(this.journal.map(({ order }) => [order.id, order])).values()].filter(({ status }) =>
      ['OPEN', 'PARTIAL_FILLED', 'TRIGGERED'].includes(status),
    );
    const item = open[this.between(0, Math.max(0, open.length - 1))];
    const what = this.between(1, 10);
    if (item && what >= 9) await this.http.delete(`/orders/${item.id}`);
    else if (item && what >= 7) {
      // Terms that the order never had: the list does not tell of a modification that changes nothing.
      this.changes += 1;
      const body = {
        order_qty: item.filledQuantity + 60 + this.changes,
        order_price: item.price + 10,
        exchange: 'NSE',
        order_type: `ORDER_TYPE_${item.kind}`,
        algo_params: { trigger_price: item.triggerPrice, leg_size: item.legSize },
      };
      await this.http.post(`/orders/v2/modify/${item.id}`, body);
    } else await this.place();
  }

  private async place(): Promise<void> {
    const last = JSON.parse(String((await this.http.get('/optionchains/INFY/price?exchange=NSE')).data)) as {
      price: number;
    };
    const buys = this.between(0, 1) === 0;
    const market = this.between(1, 4) === 1;
    const price = Math.round((last.price + (buys ? -1 : 1) * this.between(-30, 60)) / 10) * 10;
    await this.http.post('/orders/v2/single', {
      ref_id: this.refId,
      order_type: 'ORDER_TYPE_REGULAR',
      order_qty: this.between(1, 60),
      order_side: buys ? 'ORDER_SIDE_BUY' : 'ORDER_SIDE_SELL',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
      validity_type: market ? 'IOC' : 'DAY',
      price_type: market ? 'MARKET' : 'LIMIT',
      order_price: market ? 0 : price,
      tag: 'chaos',
    });
  }
}

async function begin(): Promise<Chaos> {
  const running = await startSandbox({ seed: SEED, rateLimit: 'off' });
  const http = axios.create({ baseURL: running.url, validateStatus: () => true });
  const headers = await logIn({ running, http } as never);
  const today = new Date(Date.now() + 19_800_000).toISOString().slice(0, 10);
  const { data } = await http.get(`/refdata/refdata/${today}?exchange=NSE`, { headers });
  const infy = (data as { refdata: { ref_id: number; plat_name: string }[] }).refdata.find(
    (row) => row.plat_name === 'STOCK_INFY.NSECM',
  );
  return new Chaos(running, headers, infy?.ref_id as number);
}

/** Waits for a moment; nothing is judged by how long it was. */
const moment = async (ms: number): Promise<void> => await realClock.sleep(ms);

async function activate(chaos: Chaos, stores: readonly Store[]): Promise<Instance> {
  for (;;) {
    const instance = new Instance(chaos.deps(), stores, 1, 2_000);
    try {
      await instance.start();
      return instance;
    } catch {
      await instance.kill();
    }
  }
}

/** @returns the number of events that came */
async function runChaos(): Promise<{ given: number; recovered: number; restarts: number; listeners: number }> {
  const chaos = await begin();
  const stores = [new Store(), new Store()];
  let restarts = 0;
  let instance = await activate(chaos, stores);
  for (const fault of FAULTS) await chaos.fault(...fault);
  const given = (): number => stores.reduce((sum, { executions }) => sum + executions.length, 0);
  // A busy machine takes longer over as many.
  for (const end = Date.now() + CHAOS_MS; Date.now() < end || given() <= MIN_GIVEN;) {
    await chaos.trade();
    await moment(chaos.between(1, 60));
    if (chaos.between(1, 80) === 1) {
      await instance.kill();
      instance = await activate(chaos, stores);
      restarts += 1;
    }
  }
  await chaos.calm();
  const wrong = (): string[] => stores.flatMap(({ executions }) => differences(chaos.journal, executions, new Map()));
  for (const end = Date.now() + PATIENCE_MS; wrong().length > 0 && Date.now() < end;) await moment(200);
  expect(wrong()).toEqual([]);
  const listeners = getEventListeners(chaos.feedSignal as AbortSignal, 'abort').length;
  await instance.kill();
  await chaos.running.close();
  return {
    given: given(),
    recovered: stores.reduce((sum, { executions }) => sum + executions.filter(({ recovered }) => recovered).length, 0),
    restarts,
    listeners,
  };
}

/** Sockets, servers and timers that are open, each by its kind. */
const openHandles = (): string[] => process.getActiveResourcesInfo().toSorted();

test(
  `${CHAOS_MS / 1_000} seconds of faults over real sockets lose nothing, repeat nothing and leave nothing behind`,
  async () => {
    // A first sandbox loads what stays loaded.
    await (await begin()).running.close();
    const before = { handles: openHandles(), bytes: heldMemory().heapUsed };
    const { given, recovered, restarts, listeners } = await runChaos();
    expect(given).toBeGreaterThan(MIN_GIVEN);
    expect(recovered).toBeGreaterThan(0);
    expect(listeners).toBeLessThan(10);
    for (const end = Date.now() + PATIENCE_MS; openHandles().length > before.handles.length && Date.now() < end;)
      await moment(100);
    const more = openHandles().length - before.handles.length;
    const grownBy = (await heldAtMost(before.bytes + 30e6, ({ heapUsed }) => heapUsed)) - before.bytes;
    if (CHAOS_MS > 60_000)
      process.stdout.write(
        `${JSON.stringify({ given, recovered, restarts, listeners, moreHandles: more, grownByMb: grownBy / 1e6 })}\n`,
      );
    // Ours is the timer of this moment.
    expect(more).toBeLessThanOrEqual(1);
    expect(grownBy).toBeLessThanOrEqual(30e6);
  },
  2 * CHAOS_MS + 3 * PATIENCE_MS,
);
