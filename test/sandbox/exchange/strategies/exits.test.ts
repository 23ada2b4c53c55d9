import { USUAL_LATENCY } from '../../../../sandbox/src/exchange/models/latency';
import { intending } from '../../../support/intents';
import { CALL, MONDAY_TEN, PUT, SHARE, stillMarket } from '../../../support/still-market';

const STOP = { trigger: 149_000, limit: 148_900, jump: null };
const TARGET = { trigger: 151_000, limit: 150_900 };
const exits = { stop: STOP, target: TARGET, time: null };
const MINUTE = 60_000;
const DAY_MS = 86_400_000;

describe('Exits of a single order', () => {
  test('a stop sells what the entry filled, at its limit or better, and the target is cancelled', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits });
    expect(t.get(id)).toMatchObject({ status: 'EXECUTED', filledQuantity: 10, filledPrice: 150_010 });
    t.price(149_000);
    expect(t.life(id)).toEqual(['received', 'accepted', 'executed', 'exit_triggered', 'exit_filled']);
    expect(t.trades(id).at(-1)).toEqual(['stop', 'SELL', 148_990, 10]);
    expect(t.exit(id, 'stop').status).toBe('FILLED');
    expect(t.exit(id, 'target').status).toBe('CANCELLED');
    expect(t.get(id)).toMatchObject({ filledQuantity: 10, filledPrice: 150_010 });
    t.price(152_000);
    expect(t.trades(id)).toHaveLength(2);
  });

  test('a target sells at its limit or better, and the stop is cancelled', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits });
    t.price(151_000);
    expect(t.trades(id).at(-1)).toEqual(['target', 'SELL', 150_990, 10]);
    expect(t.exit(id, 'stop').status).toBe('CANCELLED');
  });

  test('the exits of a sale are mirrored: the stop buys above, the target below', () => {
    const mirrored = {
      stop: { trigger: 151_000, limit: 151_100, jump: null },
      target: { trigger: 149_000, limit: 149_100 },
      time: null,
    };
    const up = intending();
    const stopped = up.enter({ side: 'SELL', product: 'IDAY', price: 149_900, exits: mirrored });
    up.price(151_000);
    expect(up.trades(stopped).at(-1)).toEqual(['stop', 'BUY', 151_010, 10]);
    const down = intending();
    const won = down.enter({ side: 'SELL', product: 'IDAY', price: 149_900, exits: mirrored });
    down.price(149_000);
    expect(down.trades(won).at(-1)).toEqual(['target', 'BUY', 149_010, 10]);
  });

  test('the limit after a trigger rests: a price that has jumped over it is not sold at', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits });
    t.price(148_000);
    expect(t.exit(id, 'stop')).toMatchObject({ status: 'TRIGGERED', filledQuantity: 0 });
    t.price(148_950);
    expect(t.trades(id).at(-1)).toEqual(['stop', 'SELL', 148_900, 10]);
  });

  test('are armed only for what is filled; a trigger takes the rest of the entry back', () => {
    const t = intending();
    t.market.shown = 4;
    const id = t.enter({ price: 150_010, quantity: 10, exits });
    expect(t.get(id)).toMatchObject({ status: 'OPEN', filledQuantity: 4 });
    t.market.shown = 100;
    t.price(151_000);
    expect(t.trades(id)).toEqual([
      ['entry', 'BUY', 150_010, 4],
      ['target', 'SELL', 150_990, 4],
    ]);
    expect(t.get(id)).toMatchObject({ status: 'CANCELLED', reason: 'an exit was triggered' });
  });

  test('an exit without a fill is not armed', () => {
    const t = intending();
    const id = t.enter({ price: 149_500, exits });
    t.price(152_000);
    expect(t.exit(id, 'target').status).toBe('OPEN');
    expect(t.trades(id)).toEqual([]);
  });

  test('a trail counts whole jumps from the average entry fill, and never goes back', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits: { ...exits, stop: { ...STOP, jump: 200 }, target: null } });
    t.price(150_200);
    expect(t.exit(id, 'stop')).toMatchObject({ trigger: 149_000, limit: 148_900 });
    t.price(150_430);
    expect(t.exit(id, 'stop')).toMatchObject({ trigger: 149_400, limit: 149_300 });
    t.price(150_000);
    expect(t.exit(id, 'stop').trigger).toBe(149_400);
    expect(t.life(id).filter((type) => type === 'trail_updated')).toHaveLength(1);
    t.price(149_400);
    expect(t.trades(id).at(-1)).toEqual(['stop', 'SELL', 149_390, 10]);
  });

  test('a jump that is no multiple of the tick moves the stop by whole ticks', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits: { ...exits, stop: { ...STOP, jump: 7 }, target: null } });
    const moved = [150_110, 150_130, 150_200, 150_430].map((price) => {
      t.price(price);
      return t.exit(id, 'stop').trigger - 149_000;
    });
    // Filled at 150_010: 14, 17, 27 and 60 jumps of 7 paise, in ticks of 10.
    expect(moved).toEqual([90, 110, 180, 420]);
    expect(t.exit(id, 'stop').limit).toBe(148_900 + 420);
  });

  test('an exit time sells at market, and takes over a limit that is not filled', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits: { ...exits, time: MONDAY_TEN + 10 * MINUTE } });
    t.price(148_000);
    expect(t.exit(id, 'stop').status).toBe('TRIGGERED');
    t.pass(10 * MINUTE);
    expect(t.exit(id, 'stop').status).toBe('CANCELLED');
    expect(t.exit(id, 'time')).toMatchObject({ status: 'FILLED', filledQuantity: 10 });
    expect(t.trades(id).at(-1)).toEqual(['time', 'SELL', 147_990, 10]);
  });

  test('the exits of a DAY order end at the close: there is no stop tomorrow', () => {
    const t = intending({ hours: 'exchange', stepMs: MINUTE });
    const id = t.enter({ price: 150_100, exits });
    t.pass(6 * 60 * MINUTE);
    expect(t.get(id).exits.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED']);
    t.pass(DAY_MS);
    t.price(148_950);
    expect(t.trades(id)).toHaveLength(1);
  });

  test('the exits of a GTE order stay: an exit limit that the close took away is there again the next day', () => {
    const t = intending({ hours: 'exchange', stepMs: MINUTE });
    const id = t.enter({ price: 150_100, validity: 'GTE', goodTill: MONDAY_TEN + 3 * DAY_MS, exits });
    t.price(148_000);
    t.pass(MINUTE);
    expect(t.exit(id, 'stop').status).toBe('TRIGGERED');
    t.pass(DAY_MS);
    t.price(148_950);
    t.pass(MINUTE);
    expect(t.trades(id).at(-1)).toEqual(['stop', 'SELL', 148_900, 10]);
  });

  test('one exit is taken off alone; the order and the other stay', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits });
    t.cancel(id, 'stop');
    expect(t.exit(id, 'stop').status).toBe('CANCELLED');
    t.price(148_000);
    expect(t.trades(id)).toHaveLength(1);
    t.price(151_000);
    expect(t.trades(id).at(-1)![0]).toBe('target');
  });

  test('a cancel of what is wholly entered takes all its exits off', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits });
    t.cancel(id);
    expect(t.get(id)).toMatchObject({ status: 'EXECUTED' });
    expect(t.get(id).exits.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED']);
  });

  test('a close that comes when nothing is open any more is refused, and no exit fills twice', () => {
    const t = intending({ latency: USUAL_LATENCY });
    const id = t.enter({ price: 150_100, exits });
    t.pass(1_000);
    t.market.prices.set(SHARE.refId, 151_000);
    for (let ms = 0; ms < 3_000 && t.trades(id).length < 2; ms += 1) {
      const running = t.exit(id, 'target').status === 'TRIGGERED';
      if (running) t.intents.close(id, t.now());
      t.pass(1);
    }
    t.pass(5_000);
    expect(t.get(id).exits.filter(({ status }) => status === 'FILLED')).toHaveLength(1);
    expect(t.get(id).legs[0]).toMatchObject({ filledQuantity: 10, exitQuantity: 10 });
  });

  test('a stop that the exchange rejects is over, and says why', () => {
    const t = intending({
      risk: {
        hold: (_id, order) =>
          order.side === 'SELL' ? { ok: false, code: 'X', text: 'INSUFFICIENT_HOLDINGS' } : { ok: true },
        amend: () => ({ ok: true }),
      },
    });
    const id = t.enter({ price: 150_100, exits });
    t.price(149_000);
    expect(t.exit(id, 'stop')).toMatchObject({ status: 'CANCELLED', reason: 'INSUFFICIENT_HOLDINGS' });
    t.pass(60 * MINUTE);
    expect(t.trades(id)).toHaveLength(1);
  });

  test('entry and exit go in slices above the freeze quantity', () => {
    const t = intending({ market: stillMarket(150_000, [{ ...SHARE, freezeQty: 30 }]) });
    t.market.shown = 1000;
    const id = t.enter({ price: 150_100, quantity: 70, exits });
    expect(t.get(id).legs[0]!.exchangeOrderIds).toHaveLength(3);
    t.price(149_000);
    expect(
      t
        .trades(id)
        .filter(([of]) => of === 'stop')
        .map(([, , , quantity]) => quantity),
    ).toEqual([30, 30, 10]);
    expect(t.exit(id, 'stop').status).toBe('FILLED');
  });
});

describe('Entries', () => {
  const condition = (kind: 'ABOVE' | 'BELOW' | 'AT_OR_ABOVE' | 'AT_OR_BELOW') => ({
    entry: { condition: { kind, price: 150_500 }, time: null },
  });
  test.each([
    ['ABOVE', 150_500, 150_510],
    ['AT_OR_ABOVE', 150_490, 150_500],
    ['BELOW', 150_500, 150_490],
    ['AT_OR_BELOW', 150_510, 150_500],
  ] as const)('%s waits at %i and starts at %i', (kind, waits, starts) => {
    const t = intending();
    t.price(waits);
    const id = t.enter({ priceType: 'MARKET', price: 0, validity: 'IOC', ...condition(kind) });
    t.price(waits);
    expect(t.trades(id)).toEqual([]);
    t.price(starts);
    expect(t.trades(id)).toHaveLength(1);
    expect(t.life(id)).toEqual(['received', 'accepted', 'entry_triggered', 'executed']);
  });

  test('a condition and a time must both hold', () => {
    const t = intending();
    const entry = { ...condition('AT_OR_ABOVE').entry, time: MONDAY_TEN + 5 * MINUTE };
    const id = t.enter({ priceType: 'MARKET', price: 0, validity: 'IOC', entry });
    t.price(150_600);
    expect(t.trades(id)).toEqual([]);
    t.price(150_000);
    t.pass(5 * MINUTE);
    expect(t.trades(id)).toEqual([]);
    t.price(150_500);
    expect(t.trades(id)).toHaveLength(1);
  });

  test('an order after hours waits for the next session', () => {
    const t = intending({ hours: 'exchange', startAt: MONDAY_TEN + 8 * 60 * MINUTE });
    const id = t.enter({ price: 150_100 });
    expect(t.life(id)).toEqual(['received', 'accepted']);
    t.pass(DAY_MS - 9 * 60 * MINUTE);
    expect(t.trades(id)).toEqual([]);
    t.pass(30 * MINUTE);
    expect(t.get(id).status).toBe('EXECUTED');
  });

  test('a DAY order that is not filled expires at the close', () => {
    const t = intending({ hours: 'exchange', stepMs: MINUTE });
    const [waits, rests] = [t.enter({ ...condition('ABOVE') }), t.enter({ price: 149_000 })];
    t.pass(6 * 60 * MINUTE);
    expect([t.get(waits).status, t.get(rests).status]).toEqual(['EXPIRED', 'EXPIRED']);
  });

  test('a GTE order stays over nights, weekends and restarts, and expires on its day', () => {
    let t = intending({ hours: 'exchange', stepMs: MINUTE });
    const friday = t.enter({ price: 149_000, validity: 'GTE', goodTill: MONDAY_TEN + 4 * DAY_MS });
    const next = t.enter({ price: 149_000, validity: 'GTE', goodTill: MONDAY_TEN + 8 * DAY_MS, tag: 'next' });
    for (let day = 0; day < 4; day += 1) {
      t.pass(DAY_MS);
      t = t.revived();
      expect([t.get(friday).status, t.get(next).status]).toEqual(['OPEN', 'OPEN']);
    }
    t.pass(6 * 60 * MINUTE);
    expect([t.get(friday).status, t.get(next).status]).toEqual(['EXPIRED', 'OPEN']);
    t.pass(3 * DAY_MS - 4 * 60 * MINUTE);
    t.price(148_990);
    t.pass(MINUTE);
    expect(t.get(next).status).toBe('EXECUTED');
  });

  test('an iceberg shows a slice at a time', () => {
    const t = intending();
    const id = t.enter({ price: 149_500, quantity: 100, iceberg: { maxQuantity: null, legs: 4 } });
    const child = t.exchange.orders('A', t.now() + 5_000).find(({ intentId }) => intentId === id)!;
    expect(child).toMatchObject({ kind: 'ICEBERG', legSize: 25, quantity: 100 });
  });

  test('a cancel within five seconds of a modification is refused in the seen words', () => {
    const t = intending();
    const id = t.enter({ price: 149_500 });
    t.change(id, { price: 149_400 });
    expect(t.get(id).price).toBe(149_400);
    t.pass(4_999);
    expect(() => t.cancel(id)).toThrow("Can't cancel this order right now");
    t.pass(1);
    t.cancel(id);
    expect(t.get(id).status).toBe('CANCELLED');
  });

  test('a modification changes quantity, exits and dates of a waiting order', () => {
    const t = intending();
    const id = t.enter({ ...condition('ABOVE'), exits });
    t.change(id, { quantity: 20, price: 150_200, stop: { ...STOP, trigger: 149_500, limit: 149_500 }, target: null });
    expect(t.get(id)).toMatchObject({ quantity: 20, price: 150_200 });
    expect(t.exit(id, 'stop').trigger).toBe(149_500);
    expect(t.exit(id, 'target').status).toBe('CANCELLED');
    t.price(150_510);
    t.price(150_190);
    expect(t.trades(id)[0]).toEqual(['entry', 'BUY', 150_200, 20]);
  });
});

describe('Strategies', () => {
  const straddle = {
    multi: true,
    legs: [
      { refId: CALL.refId, unit: 1 },
      { refId: PUT.refId, unit: 1 },
    ],
    quantity: 65,
    product: 'IDAY' as const,
    priceType: 'MARKET' as const,
    validity: 'IOC' as const,
    price: 0,
  };
  function strategies() {
    const t = intending();
    t.market.shown = 1040;
    const set = (call: number, put: number): void => {
      t.market.prices.set(CALL.refId, call);
      t.market.prices.set(PUT.refId, put);
      t.pass(1_000);
    };
    set(12_000, 8_000);
    return { ...t, set };
  }

  test('are entered as one, and closed as one by their net price', () => {
    const t = strategies();
    const id = t.enter({
      ...straddle,
      exits: {
        stop: { trigger: 18_000, limit: 17_000, jump: null },
        target: { trigger: 22_000, limit: 21_000 },
        time: null,
      },
    });
    expect(t.get(id)).toMatchObject({ status: 'EXECUTED', filledQuantity: 65, filledPrice: 20_010 });
    t.set(13_500, 8_500);
    expect(t.exit(id, 'target')).toMatchObject({ status: 'FILLED', filledQuantity: 65 });
    expect(t.get(id).legs.map(({ exitQuantity }) => exitQuantity)).toEqual([65, 65]);
  });

  test('a net limit waits; a credit is negative', () => {
    const t = strategies();
    const short = { ...straddle, legs: straddle.legs.map((leg) => ({ ...leg, unit: -1 })) };
    const id = t.enter({ ...short, priceType: 'LIMIT', validity: 'DAY', price: -21_000 });
    t.set(12_400, 8_500);
    expect(t.get(id).status).toBe('OPEN');
    t.set(12_500, 8_500);
    expect(t.get(id)).toMatchObject({ status: 'EXECUTED', filledPrice: -20_990 });
  });

  test('a strategy whose leg is rejected is taken back', () => {
    const t = intending({
      risk: {
        hold: (_id, order) =>
          order.refId === PUT.refId && order.side === 'BUY'
            ? { ok: false, code: 'X', text: 'NO_MARGIN' }
            : { ok: true },
        amend: () => ({ ok: true }),
      },
    });
    t.market.shown = 1040;
    const id = t.enter(straddle);
    t.pass(5_000);
    expect(t.get(id)).toMatchObject({ status: 'CANCELLED', reason: 'NO_MARGIN' });
    expect(t.get(id).legs.map(({ filledQuantity, exitQuantity }) => filledQuantity - exitQuantity)).toEqual([0, 0]);
  });
});
