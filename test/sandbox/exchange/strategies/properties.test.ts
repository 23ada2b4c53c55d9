import fc from 'fast-check';
import type { IntentChange, NewIntent } from '../../../../sandbox/src/exchange/strategies/types';
import { USUAL_LATENCY } from '../../../../sandbox/src/exchange/models/latency';
import { intending, type Intending } from '../../../support/intents';
import { IS_WHOLE } from '../../../support/sample';
import { MONDAY_TEN, SHARE, stillMarket } from '../../../support/still-market';

const RUNS = Number(process.env.PROPERTY_RUNS ?? (IS_WHOLE ? 150 : 25));
const DAY_MS = 86_400_000;

type Deed =
  | { do: 'place'; order: Partial<NewIntent> }
  | { do: 'modify'; which: number; change: IntentChange }
  | { do: 'cancel'; which: number; slot: 'stop' | 'target' | null }
  | { do: 'close'; which: number }
  | { do: 'price'; ticks: number }
  | { do: 'shown'; quantity: number }
  | { do: 'pass'; ms: number };

const ticks = (from: number, to: number) => fc.integer({ min: from, max: to });
const order: fc.Arbitrary<Partial<NewIntent>> = fc
  .record({
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    quantity: fc.integer({ min: 1, max: 400 }),
    kind: fc.constantFrom('LIMIT' as const, 'LIMIT' as const, 'MARKET' as const),
    price: ticks(-15, 15),
    validity: fc.constantFrom('DAY' as const, 'DAY' as const, 'GTE' as const, 'IOC' as const),
    product: fc.constantFrom('CNC' as const, 'IDAY' as const),
    condition: fc.option(ticks(-10, 10), { nil: null }),
    stop: fc.option(fc.record({ away: ticks(1, 12), limit: ticks(0, 5), jump: fc.option(ticks(1, 4), { nil: null }) })),
    target: fc.option(fc.record({ away: ticks(1, 12), limit: ticks(0, 5) })),
    exitAfter: fc.option(fc.integer({ min: 31_000, max: 600_000 }), { nil: null }),
    iceberg: fc.option(fc.integer({ min: 2, max: 20 }), { nil: null }),
    days: fc.integer({ min: 0, max: 6 }),
  })
  .map((o) => {
    const market = o.kind === 'MARKET';
    const condition = o.condition === null ? null : { kind: 'AT_OR_ABOVE' as const, price: 150_000 + 10 * o.condition };
    const price = 150_000 + 10 * o.price;
    const reference = market ? (condition?.price ?? 150_000) : price;
    const d = o.side === 'BUY' ? 1 : -1;
    const gte = o.validity === 'GTE' && !market;
    const iceberg = o.iceberg !== null && !market && o.validity !== 'IOC' && o.quantity > o.iceberg;
    return {
      side: o.side,
      quantity: o.quantity,
      priceType: o.kind,
      price: market ? 0 : price,
      validity: market ? 'IOC' : o.validity,
      product: gte ? 'CNC' : o.product,
      goodTill: gte ? MONDAY_TEN + o.days * DAY_MS : null,
      entry: { condition, time: null },
      exits: {
        stop: o.stop && {
          trigger: reference - d * 10 * o.stop.away,
          limit: reference - d * 10 * (o.stop.away + o.stop.limit),
          jump: o.stop.jump && 10 * o.stop.jump,
        },
        target: o.target && {
          trigger: reference + d * 10 * (o.target.away + o.target.limit),
          limit: reference + d * 10 * o.target.away,
        },
        time: gte || o.exitAfter === null ? null : MONDAY_TEN + 1_200_000 + o.exitAfter,
      },
      iceberg: iceberg ? { maxQuantity: o.iceberg, legs: null } : null,
    } satisfies Partial<NewIntent>;
  });
const which = fc.nat(10);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('place' as const), order }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('price' as const), ticks: ticks(-25, 25) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('shown' as const), quantity: fc.integer({ min: 1, max: 200 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 60_000, max: 2_000_000 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('modify' as const),
      which,
      change: fc.oneof(
        fc.record({ price: ticks(-15, 15).map((n) => 150_000 + 10 * n) }),
        fc.record({ quantity: fc.integer({ min: 1, max: 400 }) }),
        fc.record({
          stop: ticks(1, 20).map((n) => ({ trigger: 150_000 - 10 * n, limit: 150_000 - 10 * n - 20, jump: 20 })),
        }),
        fc.constant({ target: null }),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('cancel' as const), which, slot: fc.constantFrom('stop', 'target', null) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), which }) },
);

function carryOut(t: Intending, ids: bigint[], deed: Deed): void {
  const id = 'which' in deed && ids.length > 0 ? ids[deed.which % ids.length] : undefined;
  if (deed.do === 'place') {
    const placed = t.intents.place(
      {
        account: ['A', 'B'][ids.length % 2]!,
        multi: false,
        legs: [{ refId: SHARE.refId, unit: deed.order.side === 'BUY' ? 1 : -1 }],
        tag: `t-${ids.length}`,
        echo: 'null',
        ...deed.order,
      } as NewIntent,
      false,
      t.now(),
    );
    if (placed.ok) ids.push(placed.intent.id);
  } else if (deed.do === 'price') {
    t.market.prices.set(SHARE.refId, 150_000 + 10 * deed.ticks);
    t.pass(1_000);
  } else if (deed.do === 'shown') t.market.shown = deed.quantity;
  else if (deed.do === 'pass') t.pass(deed.ms);
  else if (id === undefined) return;
  else if (deed.do === 'modify') t.intents.modify(id, deed.change, t.now());
  else if (deed.do === 'cancel') t.intents.cancel(id, deed.slot, t.now());
  else t.intents.close(id, t.now());
}

function runs(deeds: Deed[], hours: 'always' | 'exchange', revive = false): { t: Intending; ids: bigint[] } {
  let t = intending({ hours, latency: USUAL_LATENCY, seed: 4, market: stillMarket() });
  const ids: bigint[] = [];
  for (const deed of deeds) {
    carryOut(t, ids, deed);
    if (revive) t = t.revived();
  }
  t.pass(120_000);
  return { t, ids };
}

const days = fc.array(deed, { maxLength: 30 });
const hours = fc.constantFrom('always' as const, 'exchange' as const);

describe('Exits, whatever happens', () => {
  test('never exceed what is filled; at most one of stop, target and time fills a quantity; stop and target never both', () => {
    fc.assert(
      fc.property(days, hours, (deeds, open) => {
        const { t, ids } = runs(deeds, open);
        for (const { intent } of t.strategyEvents) {
          const leg = intent.legs[0]!;
          expect(leg.exitQuantity).toBeLessThanOrEqual(leg.filledQuantity);
          expect(leg.filledQuantity).toBeLessThanOrEqual(intent.quantity);
          expect(intent.exits.filter(({ status }) => status === 'TRIGGERED').length).toBeLessThanOrEqual(1);
        }
        for (const id of ids) {
          const fills = t.trades(id);
          const of = (requested: string) => fills.reduce((sum, [from, , , n]) => sum + (from === requested ? n : 0), 0);
          const { legs, exits, side } = t.get(id);
          expect(of('stop') > 0 && of('target') > 0).toBe(false);
          expect(of('stop') + of('target') + of('time') + of('request')).toBe(legs[0]!.exitQuantity);
          expect(legs[0]!.exitQuantity).toBeLessThanOrEqual(of('entry'));
          expect(exits.filter(({ status }) => status === 'FILLED').length).toBeLessThanOrEqual(1);
          for (const [from, sold] of fills) expect(sold === side).toBe(from === 'entry');
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('a trail never moves back, but by its owner', () => {
    fc.assert(
      fc.property(days, (deeds) => {
        const { t } = runs(deeds, 'always');
        const stops = new Map<bigint, number>();
        for (const { intent, type } of t.strategyEvents) {
          const stop = intent.exits.find(({ slot }) => slot === 'stop');
          if (stop === undefined) continue;
          const before = stops.get(intent.id);
          stops.set(intent.id, stop.trigger);
          if (before === undefined || type === 'modified') continue;
          expect((intent.side === 'BUY' ? 1 : -1) * (stop.trigger - before)).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('everything survives any restart: the same events, whether or not it went through its state', () => {
    fc.assert(
      fc.property(days, hours, (deeds, open) => {
        expect(runs(deeds, open, true).t.strategyEvents).toEqual(runs(deeds, open).t.strategyEvents);
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  });

  test('nothing is left at the exchange of an order that is over', () => {
    fc.assert(
      fc.property(days, hours, (deeds, open) => {
        const { t, ids } = runs(deeds, open);
        t.pass(1_000);
        for (const account of ['A', 'B']) {
          for (const order of t.exchange.orders(account, t.now() + 10_000)) {
            if (!['OPEN', 'PARTIAL_FILLED', 'PENDING', 'SENT'].includes(order.status)) continue;
            const of = ids.includes(order.intentId!) ? t.get(order.intentId!) : undefined;
            const alive = of?.status === 'OPEN' || of?.exits.some(({ status }) => status === 'TRIGGERED');
            expect([order.status, alive]).toEqual([order.status, true]);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});
