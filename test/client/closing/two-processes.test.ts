/**
 * Two processes of one n8n that set a target for one position, or close it, at the same moment, in virtual time: with the lock in their
 * credential they come to it once. TOGETHER_SEEDS sets how many rounds run; TOGETHER_SEED=n repeats one.
 */
import { closePositions } from '../../../client/closing/close-positions';
import type { ClosingResult, CloseRequest } from '../../../client/closing/closing-request';
import { ClosingOrderRegistry } from '../../../client/closing/closing-order-registry';
import { ShownPositions } from '../../../client/closing/shown-positions';
import { positionKey, type ClosablePosition } from '../../../client/closing/positions';
import type { ClosingContext } from '../../../client/closing/reconcile-position';
import type { Clock } from '../../../client/base/ports';
import { openAccountApi, KnownOrderApis } from '../../../client/orders/account/account-api';
import { PlacementRegistry } from '../../../client/orders/account/placement-registry';
import { POSITION_LOCK, SharedLock } from '../../../client/orders/account/shared-lock';
import { placeOrder } from '../../../client/orders/placing/place';
import { CredentialEntries } from '../../../client/session/credential-entries';
import { createTransport } from '../../../client/transport';
import { ProcessLife, type Stop } from '../../support/process-life';
import { FAULTS } from '../../support/order-service-faults';
import { OrderModel } from '../../support/order-service';
import { IS_WHOLE } from '../../support/sample';
import { seedsOf } from '../../support/seeds';
import { StoredLock } from '../../support/stored-lock';
import { seededRandom, VirtualTime } from '../../support/virtual-time';
import { INFY, orderRequest } from '../orders/support';
import { fillsOf, shownPositions, sum } from './fills';

const SEEDS = seedsOf('TOGETHER', IS_WHOLE ? 30 : 5);
const SCOPE = 'sandbox/me';
const POSITION = {
  refId: INFY.refId,
  symbol: INFY.symbol,
  exchange: INFY.exchange,
  segment: 'stock',
  product: 'IDAY',
  net: 0,
} satisfies ClosablePosition;
const HELD = [{ instrument: INFY, product: 'IDAY' as const, carried: 0 }];
const GOAL = 14;

interface Round {
  lock: 'in the credential' | 'none';
  kind: 'target' | 'exit';
  /**
   * Replies are lost and logins come in between; one of the processes dies at some moment; or each stops at times for up to a minute, as a
   * machine does that sleeps.
   */
  fault: 'none' | 'replies' | 'death' | 'pauses';
}

/** @returns what was held in the end, and what each said */
async function round(seed: number, { lock, kind, fault }: Round): Promise<{ net: number; closed: ClosingResult[] }> {
  const random = seededRandom(seed);
  const isSpoilt = fault === 'replies';
  const time = new VirtualTime();
  if (isSpoilt && seed % 3 === 0) time.setClockAtRandom(seed);
  /** So old at most is what is shown of positions, milliseconds. */
  const lag = [1, 2_000, 6_000][seed % 3]!;
  let isSetUp = false;
  const model: OrderModel = new OrderModel(time, {
    fault: ({ method }) =>
      isSetUp && isSpoilt && method === 'POST' && random() < 0.2
        ? FAULTS[Math.floor(random() * FAULTS.length)]
        : undefined,
    latency: () => 5 + random() * 400,
    listDelay: () => (isSetUp ? random() * 8_000 : 0),
    life: () => [{ after: random() * 500, status: 'FILLED' }],
    exitDelay: () => undefined,
    changeDelay: () => random() * 2_000,
    has: () => 'both',
  });
  const credential = new StoredLock(time, random);
  const process = (life: ProcessLife): ClosingContext => {
    const clock: Clock = { ...time.clock, sleep: async (...wait) => await life.after(time.sleep(...wait)) };
    const transport = createTransport({
      http: async (...request) => await life.after(model.http(...request)),
      clock,
      random,
      baseUrl: `https://t${seed}.broker.example`,
      deviceId: 'n8n',
    });
    const store = credential.usedBy(life);
    const entries = new CredentialEntries(() => store, clock, random);
    return {
      ...openAccountApi(transport, { choice: 'automatic', known: new KnownOrderApis(), scope: SCOPE }),
      environment: 'sandbox',
      placements: new PlacementRegistry(clock),
      sentExits: new ClosingOrderRegistry(clock),
      shown: new ShownPositions(clock),
      scope: SCOPE,
      positions: async () => {
        await life.after(time.sleep(5 + random() * 300));
        return shownPositions(model, HELD, Math.floor(time.now() / lag) * lag);
      },
      positionLock: lock === 'none' ? undefined : new SharedLock(entries, clock, random, POSITION_LOCK),
    };
  };
  if (kind === 'exit')
    await time.run(placeOrder(orderRequest('in', { terms: bought(10) }), process(new ProcessLife(time))));
  await time.run(time.sleep(21_000));
  const stops = stopsOf(fault, time.now(), random);
  const processes = stops.map((of) => process(new ProcessLife(time, of)));
  isSetUp = true;
  const request = (name: string): CloseRequest => ({
    position: POSITION,
    instrument: INFY,
    ...(kind === 'target' ? { goal: { units: GOAL, countsOpen: true } } : {}),
    request: (terms, part) =>
      orderRequest(`${name}-${part.length}${part.at(-1)}`, { terms, keyed: false, isRepeat: false }),
    placed: () => undefined,
  });
  const logIns = isSpoilt ? credential.logIns(4) : Promise.resolve();
  const runs = processes.map(async (context, index) => {
    await time.sleep(random() * 1_500);
    return await closePositions([request(`p${index}`)], 10_000, context);
  });
  const closed = await time.run(Promise.all(fault === 'death' ? runs.slice(1) : runs));
  await time.run(logIns);
  await time.run(time.sleep(60_000));
  model.runDueEvents();
  // A login that stores an older copy at that moment may bring the record back: it is taken for one of a process that has died.
  if (fault === 'none') expect(credential.locked).toBe('');
  return { net: sum(fillsOf(model, time.now()), positionKey(POSITION)), closed: closed.flat() };
}

/** Stops of each process: the first one may die. */
function stopsOf(fault: Round['fault'], now: number, random: () => number): readonly (readonly Stop[])[] {
  if (fault === 'death') return [[{ from: now + random() * 10_000, until: Infinity }], []];
  const pause = (): Stop => {
    const from = now + random() * 15_000;
    return { from, until: from + random() ** 2 * 60_000 };
  };
  return fault === 'pauses' ? [[pause(), pause()], [pause()]] : [[], []];
}

const bought = (quantity: number) => ({
  instrument: INFY,
  kind: 'REGULAR' as const,
  side: 'BUY' as const,
  quantity,
  product: 'IDAY' as const,
  validity: 'DAY' as const,
  priceType: 'LIMIT' as const,
  price: 150_000,
});

const ROUNDS = (['target', 'exit'] as const).flatMap((kind) =>
  (['none', 'replies', 'death', 'pauses'] as const).map((fault) => ({
    kind,
    fault,
    lock: 'in the credential' as const,
  })),
);

it.each(ROUNDS)(
  `$kind, fault: $fault: two processes at once come to it once (${SEEDS.schedules})`,
  async (of) => {
    const ends = await SEEDS.run(async (seed) => {
      const { net, closed } = await round(seed, of);
      const goal = of.kind === 'target' ? GOAL : 0;
      const isUnclear = closed.some(({ error }) => error !== undefined);
      // What nobody knows of is not sent again: then less may have been traded, never more.
      const wanting = isUnclear ? [0, of.kind === 'target' ? 0 : 10, goal] : [goal];
      expect([seed, wanting.includes(net), net]).toEqual([seed, true, net]);
      return [isUnclear ? 'unclear' : 'reached'];
    });
    expect([...ends]).toContain('reached');
  },
  SEEDS.limitMs,
);

it('two processes come to twice of it without the lock', async () => {
  let twice = 0;
  for (let seed = 0; seed < 20; seed++) {
    const { net } = await round(seed, { kind: 'target', fault: 'none', lock: 'none' });
    if (net > GOAL) twice += 1;
  }
  expect(twice).toBeGreaterThan(0);
});
