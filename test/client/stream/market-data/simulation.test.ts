import { PriceAlertMonitor, type WatchStates } from '../../../../client/stream/market-data/price-alert-monitor';
import type { ClosedCandle, MarketEvent } from '../../../../client/stream/market-data/market-data';
import { SharedMarketData } from '../../../../client/stream/market-data/shared-market-data';
import { createRandomSource } from '../../../../sandbox/src/shared/random';
import { VirtualClock } from '../../../support/clock';
import { seedsOf } from '../../../support/seeds';
import { MONDAY_TEN } from '../../../support/still-market';
import { CALM, MarketWorld, type MarketFaults, type SimulatedShare } from './market-world';

const SEEDS = seedsOf('MARKET', 10);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Long enough for a silent stream to be found, and for every request to be made again. */
const UNTIL_QUIET_MS = 4 * MINUTE;
const LEVEL = 100_300;

interface Alerted {
  price: number;
  at: number;
  /** Instant when it was told, on the service's clock. */
  reportedAt: number;
}

/** Data that n8n keeps: alerts by their key, and the trigger's memory. */
class Store {
  states: WatchStates = {};
  readonly alerts = new Map<number, Map<number, Alerted>>();
  readonly first = new Map<number, { at: number; price: number }>();
  readonly candles = new Map<number, ClosedCandle[]>();
  /** Shares whose price could not be read again and again: a crossing may be lost, and somebody was told so. */
  readonly gaps = new Set<number>();
  problems: string[] = [];
}

/** A process of n8n with an alert on all shares and a trigger on their candles. */
class Instance {
  private readonly closing = new AbortController();
  private readonly watch: PriceAlertMonitor;
  private isAlive = true;

  constructor(
    private readonly world: MarketWorld,
    private readonly store: Store,
    rearm: number,
  ) {
    this.watch = new PriceAlertMonitor({
      clock: world.deps().clock,
      settings: { rule: { kind: 'crossesAbove', level: LEVEL, rearm }, repeat: 'always' },
      instruments: world.shares.map(({ instrument }) => instrument),
      states: store.states,
      since: undefined,
      everyMs: 5 * SECOND,
      base: async () => await Promise.resolve(null),
      onAlert: (alert, tick) => {
        const alerts = store.alerts.get(tick.instrument.refId) ?? new Map<number, Alerted>();
        store.alerts.set(tick.instrument.refId, alerts);
        // n8n drops a repeat of what it has stored.
        if (!alerts.has(alert.count))
          alerts.set(alert.count, { price: alert.price, at: tick.at, reportedAt: world.clock.now() });
        store.states = this.watch.states;
      },
      onUnknown: () => undefined,
    });
  }

  async start(shared: SharedMarketData, isSlowed: boolean): Promise<void> {
    const { world, store } = this;
    const market = shared.of('a', world.deps(), 'live');
    const candles = world.shares.map(({ instrument }) => ({
      kind: 'candle' as const,
      instrument,
      interval: '1m' as const,
      since: store.candles.get(instrument.refId)?.at(-1)?.at,
    }));
    // One who is content with fewer prices comes first: the alerts must not hear fewer for it.
    const slow = world.shares.map(({ instrument }) => ({ kind: 'tick' as const, instrument, paceMs: 2 * SECOND }));
    if (isSlowed) await market.subscribe(slow, () => undefined, this.closing.signal);
    await Promise.all([
      market.subscribe(this.watch.subscriptions, (event) => this.take(event), this.closing.signal),
      market.subscribe(candles, (event) => this.take(event), this.closing.signal),
    ]);
    store.states = this.watch.states;
  }

  /** Ends, and remembers what it knows. */
  stop(): void {
    this.store.states = this.watch.states;
    this.kill();
  }

  /**
   * Ends at once: the process remembers only what was stored with the last alert. A share without anything stored
   * begins again.
   */
  kill(): void {
    this.isAlive = false;
    this.closing.abort(new Error('closed'));
    const { first, states } = this.store;
    for (const refId of [...first.keys()]) if (states[String(refId)] === undefined) first.delete(refId);
  }

  private take(event: MarketEvent): void {
    if (!this.isAlive) return;
    const { store } = this;
    if (event.kind === 'tick') {
      const { refId } = event.tick.instrument;
      if (!store.first.has(refId)) store.first.set(refId, { at: event.tick.at, price: event.tick.lastPrice });
      this.watch.take(event.tick);
    } else if (event.kind === 'candle') {
      const { refId } = event.candle.instrument;
      store.candles.set(refId, [...(store.candles.get(refId) ?? []), event.candle]);
    } else if (event.kind === 'gap') store.gaps.add(event.instrument.refId);
    else if (event.kind === 'fatal') store.problems.push(event.error.message);
  }
}

/** Each seed has its own mix of faults: some of each kind, or many of one. */
function faultsOf(world: MarketWorld): MarketFaults {
  const faults = { ...CALM };
  if (world.hits(100)) return faults;
  const kinds = Object.keys(faults) as (keyof MarketFaults)[];
  const many = world.hits(300) ? world.pick(kinds) : undefined;
  for (const kind of kinds) {
    const calm = ['disconnect', 'invalidToken', 'halfOpen', 'stall'].includes(kind);
    if (kind === many || (many === undefined && world.hits(400)))
      faults[kind] = world.chance.between(1, kind === 'silent' ? 500 : calm ? 60 : 200);
  }
  return faults;
}

/** Alerts that must have come: one each time that the price gets to the level, after it was back by the distance. */
function expectedAlerts(share: SimulatedShare, first: { at: number; price: number }, rearm: number) {
  let isArmed = first.price < LEVEL;
  const alerts: { at: number; price: number }[] = [];
  for (const { at, price } of share.changes) {
    if (at <= first.at) continue;
    if (!isArmed) isArmed = price < LEVEL && price <= LEVEL - rearm;
    else if (price >= LEVEL) {
      alerts.push({ at, price });
      isArmed = false;
    }
  }
  return alerts;
}

interface Outcome {
  wrong: string[];
  alerts: number;
  late: number;
  candles: number;
  recovered: number;
  gaps: number;
  isCalm: boolean;
  leftSockets: number;
}

async function simulate(seed: number): Promise<Outcome> {
  const clock = new VirtualClock(MONDAY_TEN);
  const end = MONDAY_TEN + 8 * MINUTE;
  const world = new MarketWorld(clock, seed, MONDAY_TEN, end);
  const store = new Store();
  const rearm = world.pick([0, 300]);
  const clockChance = createRandomSource(seed * 37);
  const setsClock = clockChance.between(1, 4) === 1;
  const isSlowed = createRandomSource(seed * 41).between(1, 3) === 1;
  let isOver = false;
  const running = world.run(() => isOver);
  let shared = new SharedMarketData();
  let instance = new Instance(world, store, rearm);
  await instance.start(shared, isSlowed);
  await clock.sleep(2 * SECOND);
  world.faults = faultsOf(world);
  let isCalm = Object.values(world.faults).every((perMille) => perMille === 0);
  while (clock.now() < end) {
    await clock.sleep(world.pick([2, 10, 30, 60]) * SECOND);
    if (world.hits(40)) {
      isCalm = false;
      world.dropAll();
    }
    if (setsClock && clockChance.between(1, 8) === 1) {
      isCalm = false;
      world.ahead += (clockChance.between(0, 1) * 2 - 1) * clockChance.between(6, 90) * SECOND;
    }
    if (world.hits(40)) {
      isCalm = false;
      if (world.hits(500)) instance.stop();
      else instance.kill();
      shared = new SharedMarketData();
      await clock.sleep(world.pick([1, 500, 3 * SECOND, 40 * SECOND]));
      for (;;) {
        instance = new Instance(world, store, rearm);
        const [started] = await Promise.allSettled([instance.start(shared, isSlowed)]);
        if (started.status === 'fulfilled') break;
        instance.kill();
        await clock.sleep(SECOND);
      }
    }
  }
  world.faults = CALM;
  await clock.sleep(UNTIL_QUIET_MS);
  instance.kill();
  isOver = true;
  await running;
  await clock.sleep(SECOND);
  return judge(world, store, rearm, isCalm);
}

function judge(world: MarketWorld, store: Store, rearm: number, isCalm: boolean): Outcome {
  const outcome: Outcome = {
    wrong: [...store.problems],
    alerts: 0,
    late: 0,
    candles: 0,
    recovered: 0,
    gaps: store.gaps.size,
    isCalm,
    leftSockets: world.openSockets,
  };
  for (const share of world.shares) {
    const { refId, symbol } = share.instrument;
    const alerts = [...(store.alerts.get(refId) ?? [])].sort(([a], [b]) => a - b).map(([, alert]) => alert);
    const first = store.first.get(refId);
    if (first === undefined) outcome.wrong.push(`${symbol}: no price was told`);
    else if (!store.gaps.has(refId)) {
      const expected = expectedAlerts(share, first, rearm);
      const shown = (list: readonly { price: number }[]): string => list.map(({ price }) => price).join(' ');
      if (shown(alerts) !== shown(expected))
        outcome.wrong.push(`${symbol}: alerts\n  ${shownAll(alerts)}\nfor\n  ${shownAll(expected)}`);
      else {
        outcome.alerts += alerts.length;
        outcome.late += alerts.filter(({ reportedAt: sentAt }, at) => sentAt - expected[at]!.at > 100).length;
      }
    }
    const candles = store.candles.get(refId) ?? [];
    const from = candles[0]?.at ?? 0;
    const last = share.changes.at(-1)!.at;
    const bars = world.bars(share, MINUTE, from, last);
    const plain = (list: readonly object[]): string =>
      JSON.stringify(list.map((item) => ({ ...item, instrument: 0, interval: 0, recovered: 0 })).map(sortedValues));
    if (plain(candles.filter(({ at }) => at < last)) !== plain(bars))
      outcome.wrong.push(`${symbol}: candles\n  ${plain(candles)}\nfor\n  ${plain(bars)}`);
    outcome.candles += candles.length;
    outcome.recovered += candles.filter(({ recovered }) => recovered).length;
  }
  return outcome;
}

function shownAll(list: readonly { at: number; price: number }[]): string {
  return list.map(({ at, price }) => `${(at - MONDAY_TEN) / SECOND}s:${price}`).join(' ');
}

function sortedValues(item: object): unknown[] {
  return Object.entries(item)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([, value]) => value as unknown);
}

it(
  `each crossing alerts once and each candle comes once, as the history has it, in worlds of faults (${SEEDS.schedules})`,
  async () => {
    const sum = { alerts: 0, late: 0, candles: 0, recovered: 0, gaps: 0 };
    const ends = await SEEDS.run(async (seed) => {
      const outcome = await simulate(seed);
      expect(outcome.wrong).toEqual([]);
      expect(outcome.leftSockets).toBe(0);
      // Where nothing goes wrong, the tick that crosses is the one that alerts.
      if (outcome.isCalm) expect(outcome.late).toBe(0);
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += outcome[name];
      return [outcome.isCalm ? 'calm' : 'faults'];
    });
    // Worlds without alerts, or without anything to recover, would prove nothing.
    if (SEEDS.isRepeat) return;
    const worlds = SEEDS.count;
    expect(sum.alerts).toBeGreaterThan(worlds * 10);
    expect(sum.candles).toBeGreaterThan(worlds * 15);
    if (worlds >= 20) expect([sum.late > worlds, sum.recovered > worlds, ends.has('calm')]).toEqual([true, true, true]);
    // A price that could not be had is told; it is the exception.
    expect(sum.gaps).toBeLessThanOrEqual(Math.max(3, worlds / 4));
  },
  SEEDS.limitMs,
);
