import type { NewIntent } from '../../../../sandbox/src/exchange/strategies/types';
import { intending, type Intending } from '../../../support/intents';
import { CALL, FUTURE, MONDAY_TEN, PUT, SHARE, stillMarket } from '../../../support/still-market';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY_MS = 24 * HOUR;
const NIGHT = MONDAY_TEN + 12 * HOUR;
const TUESDAY = MONDAY_TEN + DAY_MS;
const exits = {
  stop: { trigger: 149_000, limit: 148_900, jump: null },
  target: { trigger: 152_000, limit: 151_900 },
  time: null,
};

describe('Good till expiry', () => {
  const future: Partial<NewIntent> = {
    legs: [{ refId: FUTURE.refId, unit: 1 }],
    quantity: 65,
    validity: 'GTE',
    goodTill: TUESDAY,
    price: 150_100,
  };

  test('an entry ends with its contract, and so do the exits of one that is entered', () => {
    const t = intending({ hours: 'exchange', stepMs: MINUTE });
    const [waits, entered] = [t.enter({ ...future, price: 149_000 }), t.enter({ ...future, exits })];
    expect(t.get(entered).status).toBe('EXECUTED');
    t.pass(DAY_MS);
    expect([t.get(waits).status, t.exit(entered, 'stop').status]).toEqual(['OPEN', 'OPEN']);
    t.pass(6 * HOUR);
    expect(t.get(waits)).toMatchObject({ status: 'EXPIRED' });
    expect(t.get(entered).exits.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED']);
  });

  test('an entry beyond the expiry is refused; an instrument that is gone ends what waits for it', () => {
    const market = stillMarket();
    const t = intending({ hours: 'exchange', stepMs: MINUTE, market });
    expect(t.refusal({ ...future, goodTill: TUESDAY + DAY_MS })).toContain('beyond the asset expiry');
    const id = t.enter({ price: 149_000, validity: 'GTE', goodTill: MONDAY_TEN + 10 * DAY_MS });
    const before = market.universe(0);
    market.universe = (at) =>
      at < NIGHT
        ? before
        : { ...before, byRefId: (refId) => (refId === SHARE.refId ? undefined : before.byRefId(refId)) };
    t.pass(6 * HOUR);
    expect(t.get(id).status).toBe('OPEN');
    t.pass(DAY_MS);
    expect(t.get(id)).toMatchObject({ status: 'EXPIRED', reason: 'the contract has expired' });
  });

  test('an entry waits over a holiday; one whose last day is a holiday is over before the next session', () => {
    const market = stillMarket();
    const { calendar } = market;
    market.calendar = {
      ...calendar,
      isTradingDay: (exchange, date) => date !== '2026-11-24' && calendar.isTradingDay(exchange, date),
      sessions: (exchange, derivative, date) =>
        date === '2026-11-24' ? [] : calendar.sessions(exchange, derivative, date),
    };
    let t = intending({ hours: 'exchange', stepMs: MINUTE, market });
    const over = t.enter({ price: 149_000, validity: 'GTE', goodTill: TUESDAY });
    const lives = t.enter({ price: 149_000, validity: 'GTE', goodTill: TUESDAY + DAY_MS, tag: 'lives' });
    t.pass(DAY_MS);
    t.price(148_990);
    t = t.revived();
    t.pass(HOUR);
    expect([t.trades(over), t.trades(lives)]).toEqual([[], []]);
    expect(t.get(lives).status).toBe('OPEN');
    t.pass(DAY_MS);
    expect(t.get(over)).toMatchObject({ status: 'EXPIRED', filledQuantity: 0 });
    expect(t.get(lives).status).toBe('EXECUTED');
  });
});

describe('Strategies over days', () => {
  const straddle: Partial<NewIntent> = {
    multi: true,
    legs: [
      { refId: CALL.refId, unit: 1 },
      { refId: PUT.refId, unit: 1 },
    ],
    quantity: 65,
    priceType: 'LIMIT',
    validity: 'DAY',
    price: 20_500,
  };
  function strategies(): { t: Intending; set(call: number, put: number): void } {
    const t = intending({ hours: 'exchange', stepMs: MINUTE });
    t.market.shown = 1040;
    const set = (call: number, put: number): void => {
      t.market.prices.set(CALL.refId, call);
      t.market.prices.set(PUT.refId, put);
      t.pass(MINUTE);
    };
    set(12_000, 8_000);
    return { t, set };
  }

  test('a strategy that is good till a date is entered the day after, and expires on its day', () => {
    const { t, set } = strategies();
    const gte = { ...straddle, validity: 'GTE' as const, goodTill: TUESDAY };
    const [enters, expires] = [t.enter({ ...gte, price: 19_000 }), t.enter({ ...gte, price: 10_000 })];
    t.pass(DAY_MS);
    expect([t.get(enters).status, t.get(expires).status]).toEqual(['OPEN', 'OPEN']);
    set(11_000, 8_000);
    expect(t.get(enters)).toMatchObject({ status: 'EXECUTED', filledQuantity: 65 });
    t.pass(6 * HOUR);
    expect(t.get(expires).status).toBe('EXPIRED');
  });

  test('a stop trails the net price in whole jumps from the net fill, never back, and closes the strategy as one', () => {
    const { t, set } = strategies();
    const id = t.enter({
      ...straddle,
      exits: { stop: { trigger: 19_000, limit: 15_000, jump: 500 }, target: null, time: null },
    });
    expect(t.get(id).filledPrice).toBe(20_010);
    const stops = [
      [12_500, 8_500],
      [12_600, 8_900],
      [12_000, 8_400],
    ].map(([call, put]) => {
      set(call!, put!);
      return t.exit(id, 'stop').trigger;
    });
    expect(stops).toEqual([19_500, 20_000, 20_000]);
    set(11_900, 8_100);
    expect(t.exit(id, 'stop')).toMatchObject({ status: 'FILLED', filledQuantity: 65 });
    expect(t.get(id).legs.map(({ filledQuantity, exitQuantity }) => filledQuantity - exitQuantity)).toEqual([0, 0]);
  });

  test('a modification changes base quantity, net price and date of a waiting strategy, and the exits of an entered one', () => {
    const { t, set } = strategies();
    const target = { trigger: 25_000, limit: 24_000 };
    const gte = { ...straddle, validity: 'GTE' as const, goodTill: MONDAY_TEN, price: 19_000 };
    const id = t.enter({ ...gte, exits: { stop: null, target, time: null } });
    t.change(id, { quantity: 130, price: 19_500, goodTill: TUESDAY });
    expect(t.get(id)).toMatchObject({ quantity: 130, price: 19_500, goodTill: TUESDAY });
    expect(t.get(id).legs.map(({ quantity }) => quantity)).toEqual([130, 130]);
    t.pass(DAY_MS);
    set(11_500, 8_000);
    expect(t.get(id)).toMatchObject({ status: 'EXECUTED', filledQuantity: 130 });
    t.change(id, { target: { trigger: 21_000, limit: 20_500 } });
    set(13_000, 8_100);
    expect(t.exit(id, 'target')).toMatchObject({ status: 'FILLED', filledQuantity: 130 });
  });

  test('a strategy whose leg finds nothing to trade with is taken back, and its held part is tried to be closed less often', () => {
    const { t } = strategies();
    const depth = t.market.depth.bind(t.market);
    t.market.depth = (instrument, at, around, levels) =>
      instrument.refId === PUT.refId ? { bids: [], asks: [] } : depth(instrument, at, around, levels);
    const id = t.enter(straddle);
    t.pass(HOUR);
    expect(t.get(id)).toMatchObject({ status: 'CANCELLED' });
    expect(t.get(id).legs).toMatchObject([
      { filledQuantity: 65, exitQuantity: 65 },
      { filledQuantity: 0, exitQuantity: 0 },
    ]);
    const orders = t.events.filter(({ type, order }) => type === 'received' && order.refId === PUT.refId);
    expect(orders).toHaveLength(3);
  });
});
