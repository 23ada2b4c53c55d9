/**
 * The keeper of a strategy, in virtual time: prices that move together, lists that lack a leg or show it late, replies that never come,
 * pages of a gateway, orders that fill in part, restarts with what n8n stored last, clocks that are set, and a leg that is closed by hand.
 * No leg is closed twice, none is forgotten once an exit was reached, and nothing is closed while the net profit is between stop loss and
 * target. One seed is one schedule: it is printed when it fails and replays alone with STRATEGY_SEED=n. STRATEGY_SEEDS sets how many run.
 */
import { BrokerageError } from '../../../client/base/errors';
import { positionKey } from '../../../client/closing/positions';
import {
  StrategyExitEmulator,
  type StrategyExitEvent,
  type StrategyState,
} from '../../../client/exit-emulation/strategy-exit-emulator';
import type { TradedInstrument } from '../../../client/orders/model/order-terms';
import type { Positions } from '../../../client/portfolio/portfolio';
import { marketPriceIn, type MarketPrice } from '../../../client/values/market-price';
import { fillsOf, shownPositions, sum } from '../closing/fills';
import { NIFTY_FUT } from '../orders/support';
import { BUSY_FAULTS, FAULTS, MEANING_FAULTS, PAGE_FAULTS, type Fault } from '../../support/order-service-faults';
import { OrderModel } from '../../support/order-service';
import { SimulatedProcess } from './simulated-process';
import { seedsOf } from '../../support/seeds';
import { seededRandom, VirtualTime } from '../../support/virtual-time';

const SEEDS = seedsOf('STRATEGY', 15);
/** Milliseconds that a schedule takes, and within which the faults end. */
const [FAULTY_MS, ALL_MS] = [180_000, 480_000];
const LOT = 65;
/** Paise. */
const ENTRY = 20_000;
const [STOP, TARGET] = [-500_000, 400_000];
/** Milliseconds by which the prices that are judged may be apart from each other. */
const APART_MS = 2_500;

const OPTION: TradedInstrument = { ...NIFTY_FUT, tickSize: 5 };
/** Legs of the strategy: two that are sold and one that guards them. Those by CNC were held before today. */
const LEGS = [
  { instrument: { ...OPTION, refId: 21, symbol: 'NIFTY26NOV26100CE' }, product: 'IDAY', units: -4 * LOT },
  { instrument: { ...OPTION, refId: 22, symbol: 'NIFTY26NOV26100PE' }, product: 'CNC', units: -4 * LOT },
  { instrument: { ...OPTION, refId: 23, symbol: 'NIFTY26NOV26500CE' }, product: 'CNC', units: 8 * LOT },
] as const;

class UnreadablePositions extends BrokerageError {
  constructor() {
    super('The positions could not be read.');
  }
}

/** The price of each leg over time. */
class Prices {
  private readonly steps = new Map<number, { at: number; price: number }[]>();

  set(refId: number, at: number, price: number): void {
    this.steps.set(refId, [...(this.steps.get(refId) ?? []), { at, price }]);
  }

  at(refId: number, instant: number): number {
    return this.steps.get(refId)?.findLast(({ at }) => at <= instant)?.price ?? ENTRY;
  }

  /** All prices that were so within a time. */
  within(refId: number, from: number, to: number): number[] {
    const later = (this.steps.get(refId) ?? []).filter(({ at }) => at > from && at <= to).map(({ price }) => price);
    return [this.at(refId, from), ...later];
  }
}

async function simulate(seed: number) {
  const random = seededRandom(seed);
  const chance = (probability: number): boolean => random() < probability;
  const among = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const time = new VirtualTime();
  if (seed % 3 === 0) time.setClockAtRandom(seed);
  const faultRate = among([0, 0.1, 0.3, 0.5]);
  const restarts = chance(0.4);
  const slowest = restarts ? 2_000 : among([500, 2_500]);
  const lag = restarts ? among([0, 5_000]) : among([0, 1_000, 5_000, 15_000]);
  let isFaulty = false;
  const model: OrderModel = new OrderModel(time, {
    fault: ({ method }) =>
      isFaulty && chance(method === 'GET' ? faultRate / 4 : faultRate)
        ? among<Fault>([...FAULTS, ...MEANING_FAULTS, ...(method === 'GET' ? PAGE_FAULTS : BUSY_FAULTS)])
        : undefined,
    latency: () => 5 + random() * 400,
    listDelay: () => random() * slowest,
    life: (body) => {
      const open = { after: random() * 300, status: 'OPEN' };
      if (isFaulty && chance(0.1)) return [{ after: random() * 1_000, status: 'REJECTED' }];
      const some = Math.floor((random() * Number(body.order_qty)) / LOT) * LOT;
      if (isFaulty && chance(0.3)) return [open, { after: random() * 1_000, status: 'CANCELLED', filled: some }];
      return [open, { after: random() * 1_500, status: 'FILLED' }];
    },
    changeDelay: () => random() * 2_000,
  });
  const prices = new Prices();
  const start = time.now();
  const held = LEGS.map(({ instrument, product, units }) => ({
    instrument,
    product,
    carried: product === 'CNC' ? units : 0,
  }));
  /** Trades a leg without the keeper. */
  const trades = ({ instrument, product }: (typeof LEGS)[number], units: number): void => {
    const body = {
      ref_id: instrument.refId,
      order_qty: Math.abs(units),
      order_side: `ORDER_SIDE_${units > 0 ? 'BUY' : 'SELL'}`,
      order_delivery_type: `ORDER_DELIVERY_TYPE_${product}`,
    };
    model.take(body, 0).life = [{ at: time.now(), status: 'FILLED' }];
  };
  for (const leg of LEGS) if (leg.product === 'IDAY') trades(leg, leg.units);
  /** The profit of a leg until `filled`, at its price: paise. */
  const earned = ({ instrument: { refId }, product, units }: (typeof LEGS)[number], price: number, filled: number) => {
    const fills = fillsOf(model, filled).filter(({ key }) => key === positionKey({ refId, product }));
    return fills.reduce(
      (total, fill) => total + (price - prices.at(refId, fill.at)) * fill.units,
      product === 'CNC' ? (price - ENTRY) * units : 0,
    );
  };
  /** The least and the most that the net profit may have been taken for until an instant. */
  const profitsAt = (instant: number): { least: number; most: number } => {
    const bounds = LEGS.map((leg) => {
      // The last reading may be of before a trade, too.
      const fills = fillsOf(model, instant).flatMap(({ at }) => [at - 1, at]);
      const shown = [instant, instant - lag - 1_000, ...fills];
      const amounts = shown
        .filter((at) => at >= instant - 2 * lag - 20_000)
        .flatMap((at) =>
          prices.within(leg.instrument.refId, instant - APART_MS, instant).map((price) => earned(leg, price, at)),
        );
      return { least: Math.min(...amounts), most: Math.max(...amounts) };
    });
    return {
      least: bounds.reduce((total, { least }) => total + least, 0),
      most: bounds.reduce((total, { most }) => total + most, 0),
    };
  };
  /** Until when a list lacks a leg, and which. */
  let missing = { refId: 0, until: 0 };
  const positions = async (): Promise<Positions> => {
    await time.sleep(5 + random() * 300);
    if (isFaulty && chance(faultRate / 3)) throw new UnreadablePositions();
    const shownAt = Math.max(start, lag === 0 ? time.now() : Math.floor(time.now() / lag) * lag);
    const shown = shownPositions(model, held, shownAt)
      .filter((position) => position.ref_id !== missing.refId || missing.until <= time.now())
      .map((position, _, all) => {
        const leg = LEGS.find(({ instrument }) => instrument.refId === position.ref_id)!;
        const price = prices.at(leg.instrument.refId, shownAt);
        const isOdd = isFaulty && all.length > 0 && chance(0.05);
        return {
          ...position,
          ...(position.segment === 'closed' ? {} : { segment: 'option' as const }),
          asset: 'NIFTY',
          lot_size: LOT,
          ltp: isOdd ? 0 : price,
          pnl: earned(leg, price, shownAt),
          ...(isFaulty && chance(0.1) ? {} : { avg_price: ENTRY }),
        };
      });
    const ordered = chance(0.3) ? shown.reverse() : shown;
    return { client_code: '', stats: {}, positions: ordered } as unknown as Positions;
  };

  const events: { event: StrategyExitEvent; at: number }[] = [];
  let stored: StrategyState = {};
  /** The time at which an exit was decided, and the bounds of the net profit then. */
  let decided: { at: number; reason: string; least: number; most: number } | undefined;
  const boot = () => {
    const process = new SimulatedProcess({
      model,
      time,
      random,
      baseUrl: `https://s${seed}.broker.example`,
      scope: 'sandbox/me',
    });
    const context = process.closingContext(async () => (await positions()).positions);
    const state = structuredClone(stored);
    const noteDecision = (): void => {
      const reached = state.current?.reached;
      if (process.isAlive && decided === undefined && reached !== undefined)
        decided = { at: time.now(), reason: reached.reason, ...profitsAt(time.now()) };
    };
    const emulator = new StrategyExitEmulator({
      context,
      exits: { stop: { profit: -STOP }, target: { profit: TARGET } },
      instruments: () => Promise.resolve(LEGS.map(({ instrument }) => instrument)),
      products: [],
      state,
      positions,
      requireSending: () => Promise.resolve(),
      notify: (event) => {
        if (!process.isAlive) return;
        noteDecision();
        events.push({ event, at: time.now() });
        // n8n stores it with an event.
        stored = structuredClone(state);
      },
    });
    const running = emulator.run();
    return {
      onPrice: (refId: number) => {
        if (!process.isAlive) return;
        emulator.onPrice(refId, {
          lastPrice: marketPriceIn(prices.at(refId, time.now())) as MarketPrice,
          source: 'stream',
          at: time.now(),
        });
        noteDecision();
      },
      die: () => process.die(),
      end: async () => await process.end(running),
    };
  };

  let handAt: number | undefined;
  let process = boot();
  let isOver = false;
  /** All legs move together: within 15 s by more than stop loss and target, and between two ticks by less. */
  const trade = async (): Promise<void> => {
    await time.sleep(2_000);
    for (let common = 0, drift = 0, step = 250; !isOver; common += step) {
      if (Math.abs(common + step) > 10_000) step = -step;
      for (const { instrument } of LEGS) {
        const { refId } = instrument;
        prices.set(refId, time.now(), ENTRY + common + (refId === 21 ? drift : 0));
        await time.sleep(random() * 60);
        process.onPrice(refId);
      }
      if (goal !== 0) drift = goal;
      await time.sleep(isFaulty ? 1_800 : 4_800);
    }
  };
  let goal = 0;
  const trading = trade();
  await time.run(time.sleep(30_000));
  isFaulty = true;
  // A loss or a profit of the leg that was sold: 260 units, with a short sign.
  const aim = among([0, 0, 'stop', 'target'] as const);
  if (aim !== 0)
    void time
      .sleep(random() * 100_000)
      .then(() => (goal = aim === 'stop' ? Math.ceil((-STOP * 2) / 260) : -Math.ceil((TARGET * 2) / 260)));
  const byHand = chance(0.3) ? among(LEGS) : undefined;
  if (byHand !== undefined)
    void time.sleep(random() * 150_000).then(() => {
      const { refId } = byHand.instrument;
      const { carried } = held.find(({ instrument }) => instrument.refId === refId)!;
      const net = carried + sum(fillsOf(model, time.now()), positionKey({ refId, product: byHand.product }));
      if (net === 0 || decided !== undefined) return;
      handAt = time.now();
      trades(byHand, -net);
    });
  for (let gone = 0; gone < FAULTY_MS; gone += 15_000) {
    if (chance(faultRate) && missing.until + 10_000 <= time.now())
      missing = { refId: among(LEGS).instrument.refId, until: time.now() + random() * 25_000 };
    await time.run(time.sleep(15_000));
    if (!restarts || !chance(0.2)) continue;
    process.die();
    await time.run(time.sleep(random() * 20_000));
    process = boot();
  }
  isFaulty = false;
  await time.run(time.sleep(ALL_MS - FAULTY_MS));
  isOver = true;
  await time.run(trading);
  await time.run(process.end());
  model.runDueEvents();
  return { model, events, decided, aim, handAt, now: time.now(), start };
}

async function check(seed: number): Promise<string[]> {
  const { model, events, decided, aim, handAt, now, start } = await simulate(seed);
  const ends: string[] = events.map(({ event }) => event.what);
  const fills = fillsOf(model, now).sort((a, b) => a.at - b.at);
  if (handAt !== undefined) ends.push('by hand');
  // Nothing is closed while the net profit is between stop loss and target.
  if (decided?.reason === 'stop') expect(decided.least).toBeLessThanOrEqual(STOP);
  if (decided?.reason === 'target') expect(decided.most).toBeGreaterThanOrEqual(TARGET);
  const own = fills.filter(({ at }) => at !== handAt && at !== start);
  if (decided === undefined) expect(own).toEqual([]);
  else expect(own.every(({ at }) => at >= decided.at)).toBe(true);
  const gaveUp = events.some(({ event }) => event.what === 'failed' && event.isFinal);
  if (gaveUp) ends.push('gave up');
  for (const { instrument, product, units } of LEGS) {
    const key = positionKey({ refId: instrument.refId, product });
    let net: number = product === 'CNC' ? units : 0;
    for (const fill of fills.filter((item) => item.key === key)) {
      net += fill.units;
      if (fill.at === start) continue;
      // Never past flat.
      expect([key, Math.sign(net) === -Math.sign(units)]).toEqual([key, false]);
    }
    // Never forgotten.
    if (decided !== undefined && !gaveUp) expect([key, net]).toEqual([key, 0]);
  }
  // What has reached an exit is decided, unless a hand has changed what the legs earn.
  if (aim !== 0 && handAt === undefined) expect(decided?.reason).toBe(aim);
  return ends;
}

it(
  `a strategy is closed once, whole, and only at its stop loss or target (${SEEDS.schedules})`,
  async () => {
    const ends = await SEEDS.run(check);
    if (!SEEDS.isRepeat)
      expect([...ends]).toEqual(expect.arrayContaining(['kept', 'reached', 'closed', 'failed', 'by hand']));
  },
  SEEDS.limitMs,
);
