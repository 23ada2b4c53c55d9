import { logIn, start, type Bench } from '../support';

/** A record of an intent order as it comes over the wire. */
export interface IntentRecord {
  intentOrderId: string;
  status: string;
  isMulti: boolean;
  orderQty: number;
  filledQty: number;
  filledPrice: number;
  orderPrice?: number;
  stratTags: string[];
  rejectionMsg: string;
  timestamps: Record<string, string | null>;
  exitConfig: Record<string, Record<string, unknown>> | null;
  [name: string]: unknown;
}

export interface Reply {
  status: number;
  data: Record<string, never> & { message: string; error: string; orders: never };
}

/** A sandbox with the first account logged in, and intent orders at hand. */
export interface IntentBench extends Bench {
  headers: Record<string, string>;
  /** INFY on NSE: its ref_id, tick and last price (paise). */
  refId: number;
  tick: number;
  last(): Promise<number>;
  /** A price so many ticks from the last one. */
  near(ticks: number): Promise<number>;
  post(path: string, body: unknown): Promise<Reply>;
  get(path: string): Promise<Reply>;
  /** Places one item and gives its record; a refusal fails the test. */
  place(item: Record<string, unknown>): Promise<IntentRecord>;
  /** Places one item that is refused, and gives the text. */
  refusal(item: Record<string, unknown>, status?: number): Promise<string>;
  /** All records of the list by bucket. */
  list(query?: string): Promise<Record<string, IntentRecord[]>>;
  /** One record of the list, with its bucket. */
  find(id: string): Promise<IntentRecord & { bucket: string }>;
  cancel(id: string, exitTriggerKind?: string): Promise<Reply>;
  modify(id: string, change: Record<string, unknown>): Promise<Reply>;
  /** Moves a price (paise). */
  move(refId: number, price: number): Promise<void>;
}

export async function startIntents(options: Parameters<typeof start>[0] = {}): Promise<IntentBench> {
  const bench = await start({ rateLimit: 'off', ...options });
  const headers = await logIn(bench);
  return intentBench(bench, headers);
}

export function intentBench(bench: Bench, headers: Record<string, string>): IntentBench {
  const { world } = bench.running.sandbox;
  const instrument = world.universe().bySymbol('NSE', 'INFY')!;
  const { refId, tickSize: tick } = instrument;
  const post = (path: string, body: unknown) => bench.http.post(path, body, { headers }) as Promise<Reply>;
  const get = (path: string) => bench.http.get(path, { headers }) as Promise<Reply>;
  const last = async (): Promise<number> => {
    const { data } = await bench.http.get(`/optionchains/INFY/price?exchange=NSE`, { headers });
    return (data as { price: number }).price;
  };
  const list = async (query = ''): Promise<Record<string, IntentRecord[]>> => {
    const { data, status } = await get(`/sentinel/orders${query}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(data)}`);
    return data.orders;
  };
  return {
    ...bench,
    headers,
    refId,
    tick,
    last,
    near: async (ticks) => (await last()) + ticks * tick,
    post,
    get,
    async place(item) {
      const { status, data } = await post('/sentinel/orders/create', { orders: [item] });
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(data)}`);
      return (data.orders as IntentRecord[])[0]!;
    },
    async refusal(item, expected = 400) {
      const { status, data } = await post('/sentinel/orders/create', { orders: [item] });
      expect(status).toBe(expected);
      return data.error;
    },
    list,
    async find(id) {
      for (const [bucket, records] of Object.entries(await list())) {
        const found = records?.find(({ intentOrderId }) => String(intentOrderId) === id);
        if (found !== undefined) return { ...found, bucket };
      }
      throw new Error(`order ${id} is not in the list`);
    },
    cancel: (orderId, exitTriggerKind) =>
      post('/sentinel/orders/cancel', { orders: [{ orderId, ...(exitTriggerKind && { exitTriggerKind }) }] }),
    modify: (orderId, change) => post('/sentinel/orders/modify', { orders: [{ orderId, ...change }] }),
    async move(of, price) {
      await bench.http.post('/_sandbox/market', { ref_id: of, price });
    },
  };
}

/** A limit order to buy 10 INFY, with what is given in its place. */
export function item(bench: IntentBench, given: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    refId: bench.refId,
    qty: 10,
    side: 'BUY',
    deliveryType: 'CNC',
    priceType: 'MARKET',
    validityType: 'IOC',
    isMultiLeg: false,
    executionMode: 'ENTRY',
    stratTags: ['test'],
    ...given,
  };
}

/** The same as a limit order of the day. */
export function limit(
  bench: IntentBench,
  entryPrice: number,
  given: Record<string, unknown> = {},
): Record<string, unknown> {
  return item(bench, { priceType: 'LIMIT', validityType: 'DAY', entryPrice, ...given });
}
