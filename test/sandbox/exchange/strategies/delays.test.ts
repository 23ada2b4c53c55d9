import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { intending, type Intending } from '../../../support/intents';
import { FUTURE, MONDAY_TEN, SHARE, stillMarket } from '../../../support/still-market';

const STOP = { trigger: 149_000, limit: 148_900, jump: null };
const TARGET = { trigger: 151_000, limit: 150_900 };
const exits = { stop: STOP, target: null, time: null };
const at = (time: string): number => Date.parse(`2026-11-23T${time}+05:30`);
/** Requests and orders take so long to the exchange, milliseconds. */
const slow = (send: number, exchange: number) =>
  ({ send: [send, send], exchange: [exchange, exchange], list: [0, 0] }) as const;

describe('While requests are on their way', () => {
  test('an order that has only been received takes none', () => {
    const t = intending({ latency: slow(0, 500) });
    const id = t.enter({ entry: { condition: { kind: 'ABOVE', price: 151_000 }, time: null } });
    const busy = { ok: false, code: 'REQUEST_IN_FLIGHT' };
    expect(t.intents.cancel(id, null, t.now())).toMatchObject(busy);
    expect(t.intents.modify(id, { price: 149_900 }, t.now())).toMatchObject(busy);
    t.pass(500);
    expect(t.intents.cancel(id, null, t.now())).toEqual({ ok: true });
    t.pass(500);
    expect(t.life(id)).toEqual(['received', 'accepted', 'cancelled']);
  });

  test('an order that is not there is told apart from them', () => {
    const t = intending();
    expect(t.intents.intent(1n)).toBeUndefined();
    for (const requested of [t.intents.cancel(1n, null, t.now()), t.intents.modify(1n, {}, t.now())])
      expect(requested).toMatchObject({ ok: false, code: 'ORDER_NOT_FOUND' });
  });

  test('an entry that could not be taken back at once is taken back when the exchange is free again', () => {
    const t = intending({ latency: slow(0, 3_000) });
    t.market.shown = 4;
    const id = t.enter({ price: 150_010, exits: { ...exits, target: TARGET } });
    t.pass(3_000);
    expect(t.get(id)).toMatchObject({ status: 'OPEN', filledQuantity: 4 });
    t.change(id, { price: 150_020 });
    t.price(151_000);
    expect(t.exit(id, 'target').status).toBe('TRIGGERED');
    t.pass(7_000);
    expect(t.get(id)).toMatchObject({ status: 'CANCELLED', reason: 'an exit was triggered', filledQuantity: 4 });
  });

  test('a change that comes after the trigger leaves the triggered exit unchanged', () => {
    const t = intending({ latency: slow(1_500, 0) });
    const id = t.enter({ price: 150_100, exits });
    t.pass(1_500);
    t.market.prices.set(SHARE.refId, 148_000);
    expect(t.intents.modify(id, { stop: { ...STOP, trigger: 148_500, limit: 148_400 } }, t.now())).toEqual({
      ok: true,
    });
    t.pass(1_500);
    expect(t.exit(id, 'stop')).toMatchObject({ status: 'TRIGGERED', trigger: 149_000, limit: 148_900 });
  });

  test('an exit that is over by then cannot be taken off any more', () => {
    const t = intending({ latency: slow(400, 0) });
    const id = t.enter({ price: 150_100, exits: { ...exits, target: TARGET } });
    t.pass(800);
    t.intents.cancel(id, 'stop', t.now());
    t.market.prices.set(SHARE.refId, 151_000);
    t.pass(1_000);
    expect(t.exit(id, 'stop').status).toBe('CANCELLED');
    expect(t.life(id)).toContain('cancel_rejected');
  });

  test('an order that is being taken back is not taken back again', () => {
    const t = intending({ latency: slow(0, 500) });
    const id = t.enter({ price: 149_000 });
    t.pass(500);
    t.cancel(id);
    expect(t.intents.cancel(id, null, t.now())).toMatchObject({ ok: false, code: 'REQUEST_IN_FLIGHT' });
    t.pass(500);
    expect(t.get(id).status).toBe('CANCELLED');
  });

  test('an exit time takes over as soon as the limit is back, not before and not later', () => {
    const t = intending({ latency: slow(0, 300) });
    const time = MONDAY_TEN + 10_000;
    const id = t.enter({ price: 150_100, exits: { ...exits, time } });
    t.pass(1_000);
    t.market.prices.set(SHARE.refId, 148_000);
    t.pass(time - t.now() + 299);
    expect(t.exit(id, 'stop').status).toBe('TRIGGERED');
    t.pass(1);
    expect(t.exit(id, 'stop')).toMatchObject({ status: 'CANCELLED', reason: 'the exit time took over' });
    t.pass(300);
    expect(t.exit(id, 'time')).toMatchObject({ status: 'FILLED', filledQuantity: 10 });
  });

  test('an exit that its owner took off gives no such reason', () => {
    const t = intending({ latency: slow(0, 300) });
    const id = t.enter({ price: 150_100, exits });
    t.pass(1_000);
    t.price(148_000);
    t.pass(1_000);
    t.cancel(id, 'stop');
    t.pass(1_000);
    expect(t.exit(id, 'stop')).toMatchObject({ status: 'CANCELLED', reason: '' });
  });
});

describe('A change', () => {
  const changes = (t: Intending): number => t.events.filter(({ type }) => type === 'modified').length;

  test('asks nothing of the exchange where it is of exits alone, nor where the price is the same', () => {
    const t = intending();
    const id = t.enter({ price: 149_900, exits });
    t.change(id, { stop: { ...STOP, limit: 148_800 } });
    t.pass(2_000);
    t.change(id, { price: 149_900 });
    expect([t.life(id).filter((type) => type === 'modified').length, changes(t)]).toEqual([2, 0]);
    t.pass(2_000);
    t.change(id, { price: 149_800 });
    expect(changes(t)).toBe(1);
  });
});

describe('At the close', () => {
  test('an entry that waits expires, and an exit that rests ends with its order', () => {
    const t = intending({ hours: 'exchange', startAt: at('15:29:57') });
    const waits = t.enter({ entry: { condition: { kind: 'ABOVE', price: 151_000 }, time: null } });
    const stopped = t.enter({ price: 150_100, exits });
    t.price(148_000);
    expect(t.exit(stopped, 'stop').status).toBe('TRIGGERED');
    t.pass(1_999);
    expect(t.get(waits).status).toBe('OPEN');
    t.pass(1);
    expect(t.get(waits)).toMatchObject({ status: 'EXPIRED', reason: 'DAY: not filled by the close' });
    expect(t.life(waits).at(-1)).toBe('expired');
    expect(t.exit(stopped, 'stop').status).toBe('CANCELLED');
  });

  test('the next look is at the first of the sessions that orders wait for', () => {
    const t = intending({ hours: 'exchange', startAt: at('09:05:00') });
    t.enter();
    t.enter({ legs: [{ refId: FUTURE.refId, unit: 1 }], quantity: 65, product: 'IDAY' });
    expect(t.exchange.nextDue()).toBe(at('09:08:00'));
  });
});

test('an entry that the exchange refuses when its time has come is rejected with the reason', () => {
  const market = stillMarket();
  const universe = market.universe(MONDAY_TEN);
  let share: Instrument = SHARE;
  market.universe = () => ({ ...universe, byRefId: () => share });
  const t = intending({ market });
  const id = t.enter({ price: 150_100, entry: { condition: null, time: MONDAY_TEN + 1_000 } });
  share = { ...SHARE, lotSize: 15, lotMultiplier: 15 };
  t.pass(1_000);
  expect(t.get(id)).toMatchObject({ status: 'REJECTED', reason: expect.stringContaining('15') });
  expect(t.life(id).at(-1)).toBe('rejected');
});
