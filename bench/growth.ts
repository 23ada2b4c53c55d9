/** Checks that the cost grows no faster than the work: instruments, items, and the time span of candles. */
import { monotonicBy } from '../client/base/monotonic';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getCandles, type CandleField } from '../client/market/candles';
import { MasterParser } from '../client/instruments/parser';
import { prepareSearch, searchInstruments } from '../client/instruments/search';
import { InstrumentStore } from '../client/instruments/store';
import { createTransport } from '../client/transport';
import { clock } from '../nodes/host/clock';
import { Engine } from '../test/support/engine';
import { masterJson, masterRows } from '../test/support/master';
import { median, type Figure, type MakeRow } from './row';

const TODAY = '2026-11-20';
const FIELDS: CandleField[] = ['open', 'high', 'low', 'close', 'cumulative_volume'];
const FROM = Date.parse('2026-08-24T09:15:00+05:30');
/** Candles of a minute: an hour, a day of trading, a month of them. */
const SPANS = { '1 hour': 60, '1 day': 375, '1 month': 375 * 21 };
/** Small works are not free: what each costs at least counts only once it is exceeded. */
const TOLERANCE = 1.3;

interface Step {
  label: string;
  work: number;
  run: () => Promise<unknown> | unknown;
}

/** Milliseconds of one run, the middle of several; each repeated for at least a tenth of a second. */
async function cost({ run }: Step, short: boolean): Promise<number> {
  await run();
  const times: number[] = [];
  for (let round = 0; round < (short ? 1 : 3); round++) {
    const from = performance.now();
    let runs = 0;
    do {
      await run();
      runs++;
    } while (!short && performance.now() - from < 100);
    times.push((performance.now() - from) / runs);
  }
  return median(times);
}

/** The cost of each step, and by how much the cost for one piece of work grew from the first step to the last. */
async function growth(what: string, unit: string, steps: readonly Step[], short: boolean): Promise<Figure[]> {
  const costs: number[] = [];
  for (const step of steps) costs.push(await cost(step, short));
  const each = (at: number): number => costs.at(at)! / steps.at(at)!.work;
  return [
    ...steps.map(({ label }, at): Figure => ({ name: `${what}, ${label}`, value: costs[at]!, unit: 'ms' })),
    {
      name: `${what}: cost of one ${unit}, last against first`,
      value: each(-1) / each(0),
      unit: '×',
      atMost: TOLERANCE,
    },
  ];
}

function masterStep(count: number): Step {
  const bytes = masterJson(masterRows(count));
  return {
    label: `${count / 1000}k instruments`,
    work: count,
    run: () => {
      const parser = new MasterParser();
      parser.push(bytes);
      parser.finish();
      const store = new InstrumentStore(parser.columns, parser.envelope, TODAY);
      prepareSearch(store);
      if (searchInstruments([store], 'INFY', { today: TODAY, limit: 1 }).length !== 1)
        throw new Error('INFY is not found');
    },
  };
}

function candleStep(label: string, bars: number): Step {
  const points = Array.from(
    { length: bars },
    (_, at) => `{"ts":${FROM + Math.floor(at / 375) * 86_400_000 + (at % 375) * 60_000}000000,"v":${1000 + at}}`,
  ).join(',');
  const body = Buffer.from(
    `{"message":"charts","result":[{"exchange":"NSE","type":"STOCK","values":[{"INFY":{${FIELDS.map((field) => `"${field}":[${points}]`).join(',')}}}]}]}`,
  );
  const transport = createTransport({
    http: () => Promise.resolve({ status: 200, headers: {}, body }),
    clock: { now: () => 0, ...monotonicBy(() => 0), sleep: () => Promise.resolve() },
    random: () => 0.5,
    baseUrl: 'http://candles.bench',
    deviceId: 'bench',
  });
  return {
    label,
    work: bars,
    run: async () => {
      const { rows } = await getCandles(transport, {
        exchange: 'NSE',
        type: 'STOCK',
        symbols: ['INFY'],
        fields: FIELDS,
        interval: '1m',
        from: FROM,
        to: FROM + 40 * 86_400_000,
        unit: 'rupees',
      });
      if (rows.length !== bars) throw new Error(`${rows.length} rows instead of ${bars}`);
    },
  };
}

/** A service that knows every order, by the older interface. */
async function orderService(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    if (request.url?.startsWith('/sentinel') === true) {
      response.statusCode = 404;
      return void response.end('{"message":"not found"}');
    }
    const id = /^\/orders\/(\d+)$/.exec(request.url ?? '')?.[1];
    response.end(
      id === undefined
        ? request.url?.startsWith('/orders') === true
          ? '[]'
          : '{"auth_token":"auth","session_token":"session"}'
        : `{"order_id":${id},"order_status":"ORDER_STATUS_OPEN"}`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Items through the node in n8n's engine: an order asked for with each. */
function itemStep(engine: Engine, count: number): Step {
  const items = Array.from({ length: count }, (_, item) => ({ json: { id: String(item + 1) } }));
  return {
    label: `${count} item${count === 1 ? '' : 's'}`,
    work: count,
    run: async () => {
      const { items: output, error } = await engine.run(
        { resource: 'order', operation: 'get', orderId: '={{ $json.id }}', simplify: true, options: {} },
        { items },
      );
      if (error !== undefined || output.length !== count)
        throw error ?? new Error(`${output.length} items instead of ${count}`);
    },
  };
}

const make: MakeRow = async ({ short }) => {
  // Nobody waits for a turn of the rate limit.
  clock.sleep = () => Promise.resolve();
  const service = await orderService();
  const engine = await Engine.start({
    environment: 'sandbox',
    sandboxBaseUrl: service.url,
    loginMethod: 'totp',
    phone: '9000000001',
    mpin: '1357',
    totpSecret: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU',
    deviceId: 'bench',
    sessionToken: '',
  });
  const instruments = short ? [1_000, 2_000] : [10_000, 50_000, 100_000, 250_000];
  const masters = instruments.map(masterStep);
  const candles = Object.entries(SPANS).map(([label, bars]) => candleStep(label, bars));
  const items = [1, 10, 100, 1_000].map((count) => itemStep(engine, count));
  return {
    title: 'Growth',
    work: 'the same work in several sizes; the cost of one piece must not grow with their number',
    sides: [],
    goals: [],
    figures: async () => [
      ...(await growth('instrument master to searchable', 'instrument', masters, short)),
      ...(await growth('candles of a minute', 'candle', candles, short)),
      ...(await growth('items through the node', 'item', items, short)),
    ],
    close: async () => service.close(),
  };
};
export default make;
