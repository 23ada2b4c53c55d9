/**
 * A workflow in n8n's engine, on two days of a mirror that records what it sees, and on the same two days replayed: the same fills.
 */
import type { INode } from 'n8n-workflow';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Sandbox, SandboxOptions } from '../../sandbox/src';
import { startMirror } from '../sandbox/mirror/support';
import { Engine } from '../support/engine';
import { describeWith } from '../support/needs';
import { bySymbol, orderForm } from '../support/parameters';
import { WHOLE_RUN } from '../support/sample';
import { FIRST_ACCOUNT, testSandbox } from '../support/sandbox';
import { follow } from '../support/virtual-clock';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** The day between them is a holiday. */
const DAYS = ['2026-11-23', '2026-11-25'];
const SECONDS = 70;
/** Seconds after ten o'clock at which the workflow runs. */
const RUNS = [37, 48, 60];
/** The code with which the mirror's own client has logged in is over by then. */
const LOGS_IN = 31;

let folder: string;
let options: Partial<SandboxOptions>;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mirror-replay-'));
  const latency = path.join(folder, 'latency.json');
  writeFileSync(latency, JSON.stringify({ send: [5, 5], exchange: [60, 60], list: [400, 400] }));
  options = { clock: 'manual', hours: 'exchange', rateLimit: 'off', orderInterface: 'v2', seed: 5, latency };
});
afterEach(() => rmSync(folder, { recursive: true }));

const ten = (date: string): string => `${date}T10:00:00.000+05:30`;

/** Buys at the market, and offers a part of it a little above the price at which it looked. */
const workflow = (engine: Engine) => {
  const steps: [name: string, parameters: object][] = [
    ['Price', { resource: 'quote', operation: 'getCurrentPrice', ...bySymbol('INFY') }],
    ['Buy', orderForm({ priceType: 'MARKET', product: 'IDAY', quantity: 1_500 })],
    [
      'Offer',
      orderForm({
        side: 'SELL',
        product: 'IDAY',
        quantity: 900,
        price: "={{ (Math.floor($('Price').item.json.price * 10) / 10 + 0.1).toFixed(2) }}",
      }),
    ],
  ];
  const nodes = steps.map(([name, parameters]) =>
    engine.node('brokerage', parameters as INode['parameters'], { name }),
  );
  const connections = Object.fromEntries(
    steps.slice(1).map(([name], i) => [steps[i]![0], { main: [[{ node: name, type: 'main' as const, index: 0 }]] }]),
  );
  return async () => {
    const run = await engine.runWorkflow({ nodes, connections }, { Price: [{ json: {} }] });
    if (run.data.resultData.error) throw run.data.resultData.error;
  };
};

/** Fills of the first account's orders on a day, to the microsecond: the rest of a time is drawn by each sandbox. */
function fills({ world, users: people, instant }: Sandbox): unknown[][] {
  return world.exchange
    .orders(people.all()[0]!.clientCode, instant)
    .map(({ refId, side, status, price, filledQuantity, filledValue, filledAt }) => {
      const symbol = world.universe().byRefId(refId)!.symbol;
      return [symbol, side, status, price, filledQuantity, filledValue, filledAt / 1_000_000n];
    });
}

/** Before the runs: a login takes time, which is an order's too. */
const logIn = async (engine: Engine) => await engine.run({ resource: 'session', operation: 'getUser' });

describeWith(WHOLE_RUN, 'A replay of a mirror', () =>
  it('gives the same fills, day by day', async () => {
    const record = path.join(folder, 'seen');
    const first: unknown[] = [];
    const ran: number[] = [];
    const ended: number[] = [];
    for (const date of DAYS) {
      const start = ten(date);
      const bench = await startMirror({ ...options, start, record }, { start });
      const { sandbox } = bench.mirror.running;
      const { url } = bench.mirror.running;
      follow({ now: () => sandbox.clock.now(), advance: async (ms) => await bench.pass(`PT${ms / 1_000}S`) });
      const engine = await Engine.start({
        environment: 'sandbox',
        sandboxBaseUrl: url,
        loginMethod: 'totp',
        ...FIRST_ACCOUNT,
      });
      const mirror = sandbox.mirror!;
      await bench.until(() => mirror.status().state === 'live');
      await mirror.ready([sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId]);
      const run = workflow(engine);
      for (let second = 1; second <= SECONDS; second++) {
        if (second === LOGS_IN) await logIn(engine);
        const { frames } = mirror.status();
        await bench.live.advance('PT1S');
        await bench.until(() => mirror.status().frames > frames);
        await bench.mirror.advance('PT1S');
        if (!RUNS.includes(second)) continue;
        ran.push(sandbox.clock.now());
        await run();
      }
      first.push(fills(sandbox));
      ended.push(sandbox.instant);
      await bench.close();
    }
    expect(readdirSync(record).filter((file) => file.endsWith('.gz'))).toEqual(
      DAYS.map((date) => `${date}.NSE.INFY.ticks.csv.gz`),
    );

    const replay = await testSandbox({ ...options, replay: record });
    const { sandbox } = replay.running;
    const engine = await Engine.start(replay.credential);
    const run = workflow(engine);
    const again: unknown[] = [];
    const goTo = async (at: number) => {
      await replay.control('POST', 'clock', { set: new Date(at).toISOString() });
    };
    // In this process a code that was used is used for good, and the mirror's was one of the next half minute.
    await goTo(Date.parse(ten(DAYS[0]!)));
    await logIn(engine);
    for (const day of DAYS.keys()) {
      for (const at of ran.slice(day * RUNS.length, (day + 1) * RUNS.length)) {
        await goTo(at);
        await run();
      }
      // What the last run waited for had still time to fill.
      await goTo(ended[day]!);
      again.push(fills(sandbox));
    }
    await replay.close();
    expect(first.map((day) => (day as unknown[][]).length)).toEqual(DAYS.map(() => 2 * RUNS.length));
    expect(JSON.stringify(first, text)).toContain('"FILLED"');
    expect(again).toEqual(first);
  }),
);

const text = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
