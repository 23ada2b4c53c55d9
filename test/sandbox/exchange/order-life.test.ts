import { USUAL_LATENCY } from '../../../sandbox/src/exchange/models/latency';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { Order } from '../../../sandbox/src/shared/orders';
import { CALL, FUTURE, INDEX, PUT, SHARE, stillMarket } from '../../support/still-market';
import { limitOrder, trading } from '../../support/trading';

describe('Life of an order', () => {
  test('an order is acknowledged first, then sent and accepted, then shown in the list', () => {
    const t = trading({ latency: USUAL_LATENCY });
    const placed = t.exchange.place(limitOrder({ price: 149_000 }), t.now());
    if (!placed.ok) throw new Error(placed.text);
    expect(placed.order.status).toBe('PENDING');
    expect(t.exchange.orders('A', t.now())).toEqual([]);
    const seen: string[] = [];
    let listed: number | undefined;
    for (let ms = 0; ms < 2500; ms += 1) {
      t.pass(1);
      const { status } = t.order(placed.order.id);
      if (seen.at(-1) !== status) seen.push(status);
      if (listed === undefined && t.exchange.orders('A', t.now()).length > 0) listed = ms;
      if (status !== 'OPEN') expect(listed).toBeUndefined();
    }
    expect(seen).toEqual(['PENDING', 'SENT', 'OPEN']);
    expect(listed).toBeGreaterThan(300);
  });

  test('messages never overtake each other on the line to the exchange, over a restart neither', () => {
    let t = trading({ latency: { send: [0, 50], exchange: [0, 400], list: [0, 0] } });
    const placed: bigint[] = [];
    for (let n = 0; n < 40; n += 1) {
      placed.push(t.place({ price: 149_000, account: `A${n}` }));
      if (n % 10 === 9) t = t.revived();
      t.pass(1);
    }
    t.pass(2000);
    for (const type of ['sent', 'accepted'])
      expect(t.events.filter((event) => event.type === type).map(({ order }) => order.id)).toEqual(placed);
  });

  test('identifiers have nineteen digits and cannot be doubles; times rise strictly and are not whole microseconds', () => {
    const t = trading();
    t.place({ price: 150_100 });
    t.place({ price: 149_000, account: 'B' });
    for (const { at, order } of t.events) {
      expect(String(order.id)).toHaveLength(19);
      expect(BigInt(Number(order.id))).not.toBe(order.id);
      expect(at % 10n).not.toBe(0n);
    }
    for (const [n, event] of t.events.entries()) {
      expect(event.seq).toBe(n + 1);
      if (n > 0) expect(event.at).toBeGreaterThan(t.events[n - 1]!.at);
    }
  });

  test('a cancel is acknowledged, then the order is cancelled; a second is refused while it is on its way', () => {
    const t = trading({ latency: { send: [5, 5], exchange: [100, 100], list: [300, 300] } });
    const id = t.place({ price: 149_000 });
    t.pass(1000);
    expect(t.exchange.cancel(id, t.now())).toEqual({ ok: true });
    expect(t.order(id).status).toBe('OPEN');
    expect(t.exchange.cancel(id, t.now())).toMatchObject({
      ok: false,
      text: expect.stringContaining("Can't cancel this order right now"),
    });
    t.pass(1000);
    expect(t.order(id).status).toBe('CANCELLED');
    expect(t.exchange.cancel(id, t.now())).toMatchObject({ ok: false, code: 'ORDER_NOT_PENDING' });
  });

  test('a cancel while a modify is on its way is refused; the modify takes effect', () => {
    const t = trading({ latency: { send: [5, 5], exchange: [100, 100], list: [300, 300] } });
    const id = t.place({ price: 149_000 });
    t.pass(1000);
    expect(t.exchange.modify(id, { price: 149_500 }, t.now())).toEqual({ ok: true });
    expect(t.exchange.cancel(id, t.now())).toMatchObject({
      ok: false,
      text: expect.stringContaining("Can't cancel this order right now"),
    });
    t.pass(1000);
    expect(t.order(id)).toMatchObject({ price: 149_500, status: 'OPEN' });
    expect(t.story(id)).toEqual(['received', 'sent', 'accepted', 'modified']);
  });

  test('an order may fill while its cancel is on its way: the cancel is then rejected', () => {
    const t = trading({ latency: { send: [0, 0], exchange: [100, 100], list: [0, 0] } });
    const id = t.place({ price: 150_010 });
    expect(t.exchange.cancel(id, t.now())).toEqual({ ok: true });
    t.pass(200);
    expect(t.story(id)).toEqual(['received', 'sent', 'accepted', 'trade', 'cancel_rejected']);
  });

  test('a DAY order expires at the end of the day', () => {
    const t = trading();
    const id = t.place({ price: 130_000 });
    t.pass(14 * 3_600_000 + 1);
    expect(t.order(id)).toMatchObject({ status: 'EXPIRED' });
    t.pass(11_000);
    expect(t.exchange.nextDue()! - t.now()).toBeGreaterThan(3_600_000);
  });

  test('the exchange may cancel by itself', () => {
    const t = trading();
    const id = t.place({ price: 149_000 });
    expect(t.exchange.expel(id, 'position limit of the broker', t.now())).toEqual({ ok: true });
    expect(t.events.at(-1)).toMatchObject({
      type: 'unsolicited_cancel',
      reason: 'position limit of the broker',
      order: { status: 'CANCELLED' },
    });
    expect(t.exchange.expel(id, 'again', t.now())).toMatchObject({ ok: false, code: 'ORDER_NOT_PENDING' });
  });

  test('an order that still works at midnight is in the list of the next day', () => {
    const t = trading({
      startAt: Date.parse('2026-11-23T23:59:59.900+05:30'),
      latency: { send: [50, 50], exchange: [100, 100], list: [0, 0] },
    });
    const id = t.place({ price: 149_000 });
    t.pass(1000);
    expect(t.exchange.orders('A', t.now()).map((order) => order.id)).toEqual([id]);
  });

  test('an unknown order is said to be unknown', () => {
    expect(trading().exchange.cancel(5n, 0)).toMatchObject({ ok: false, code: 'ORDER_NOT_FOUND' });
  });
});

describe('an order at once', () => {
  test.each([
    ['lot', { refId: FUTURE.refId, quantity: 66 }, 'quantity entered is not a multiple of current lots size'],
    ['tick', { price: 150_005 }, 'nearest are 150000 and 150010'],
    ['no quantity', { quantity: 0 }, 'order_qty must be'],
    ['a fraction', { quantity: 1.5 }, 'order_qty must be'],
    ['largest quantity', { quantity: 100_000_001 }, 'exceeds the maximum order quantity limit'],
    ['no price', { price: 0 }, 'order_price must be'],
    ['index', { refId: INDEX.refId }, "can't be traded"],
    ['unknown ref_id', { refId: 1 }, 'fetch the instrument master anew'],
    ['buy trigger above price', { kind: 'STOPLOSS', triggerPrice: 150_010 }, 'must not be above order_price'],
    [
      'sell trigger below price',
      { kind: 'STOPLOSS', side: 'SELL', triggerPrice: 149_990 },
      'must not be below order_price',
    ],
    ['trigger of a regular order', { triggerPrice: 149_990 }, 'only for ORDER_TYPE_STOPLOSS'],
    ['iceberg leg', { kind: 'ICEBERG', legSize: 10 }, 'must exceed'],
    ['iceberg without leg', { kind: 'ICEBERG' }, 'algo_params.leg_size must be'],
    ['stop-loss IOC', { kind: 'STOPLOSS', triggerPrice: 149_990, validity: 'IOC' }, 'validity_type DAY'],
  ] as const)('is refused or taken: %s', (_name, order, text) => {
    const t = trading();
    expect(t.refused(order).text).toContain(text);
    expect(t.events).toEqual([]);
  });
});

describe('an order after the acknowledgement', () => {
  test('is rejected above the freeze quantity', () => {
    const t = trading();
    const id = t.place({ refId: FUTURE.refId, quantity: 65 * 28 });
    expect(t.order(id)).toMatchObject({
      status: 'REJECTED',
      reason: expect.stringContaining('ORDER QTY IS GREATER THAN FREEZE QTY'),
    });
    expect(t.story(id)).toEqual(['received', 'sent', 'rejected']);
  });

  test('is rejected by risk', () => {
    const t = trading({
      risk: { hold: () => ({ ok: false, code: 'MARGIN', text: 'INSUFFICIENT_MARGIN' }), amend: () => ({ ok: true }) },
    });
    const id = t.place();
    expect(t.order(id)).toMatchObject({ status: 'REJECTED', reason: 'INSUFFICIENT_MARGIN' });
    expect(t.story(id)).toEqual(['received', 'rejected']);
  });

  test('is rejected in a halt', () => {
    const t = trading();
    t.exchange.halt(true, t.now());
    expect(t.order(t.place()).reason).toContain('MARKET_HALTED');
    t.exchange.halt(false, t.now());
    expect(t.order(t.place()).status).toBe('OPEN');
  });

  test.each([
    ['11:00', 0.9, 45],
    ['13:30', 0.9, 15],
    ['14:45', 0.9, 0],
    ['11:00', 1.15, 105],
    ['13:30', 0.85, 45],
  ])(
    'is rejected in a market-wide halt at %s when the index is at %d of its close: %d minutes',
    (time, share, minutes) => {
      const t = trading({ startAt: Date.parse(`2026-11-23T${time}+05:30`) });
      const resting = t.place({ price: 149_000 });
      const stop = t.place({ kind: 'STOPLOSS', triggerPrice: 152_000, price: 152_500 });
      t.exchange.movePrice(INDEX.refId, 150_000 * share, t.now());
      for (const id of [resting, stop]) expect(t.order(id).status).toBe(minutes > 0 ? 'CANCELLED' : 'OPEN');
      if (minutes > 0) {
        expect(t.order(resting).reason).toMatch(/^MARKET_HALTED: .* has moved by 1[05] %.*cancelled all orders/);
        expect(t.story(resting).at(-1)).toBe('unsolicited_cancel');
        expect(t.order(t.place()).reason).toContain('MARKET_HALTED');
        t.pass(minutes * 60_000 - 1);
        expect(t.order(t.place()).reason).toContain('MARKET_HALTED');
        t.pass(1);
      }
      expect(t.order(t.place()).status).toBe('OPEN');
    },
  );

  test('shares open by a call auction after a market-wide halt: it takes limit orders, and all trade at its price', () => {
    const t = trading({ startAt: Date.parse('2026-11-23T11:00:00+05:30') });
    t.exchange.movePrice(INDEX.refId, 135_000, t.now());
    t.pass(45 * 60_000);
    expect(t.exchange.lastPrice(SHARE, t.now())).toBe(150_000);
    t.market.prices.set(SHARE.refId, 146_000);
    const stop = t.place({ kind: 'STOPLOSS', triggerPrice: 152_000, price: 152_500 });
    expect(t.order(stop).reason).toContain('regular orders only');
    const buyer = t.place({ price: 147_000 });
    const future = t.place({ refId: FUTURE.refId, quantity: FUTURE.lotSize });
    expect(t.order(future).reason).toContain('MARKET_HALTED');
    expect(t.order(buyer)).toMatchObject({ status: 'OPEN', filledQuantity: 0 });
    expect(t.exchange.isOpen(SHARE, t.now())).toBe(false);
    t.pass(15 * 60_000);
    expect(t.fills(buyer).flat()).toContain(146_000);
    expect(t.exchange.isOpen(SHARE, t.now())).toBe(true);
    t.exchange.movePrice(INDEX.refId, 134_000, t.now());
    expect(t.exchange.isOpen(SHARE, t.now())).toBe(true);
    t.exchange.movePrice(INDEX.refId, 126_000, t.now());
    expect(t.exchange.isOpen(SHARE, t.now())).toBe(false);
  });

  test.each([
    ['BUY', 6_000, 8_400, 'OPEN'],
    ['BUY', 6_000, 8_405, 'REJECTED'],
    ['BUY', 100, 2_100, 'FILLED'],
    ['BUY', 100, 2_105, 'REJECTED'],
    ['SELL', 6_000, 3_600, 'OPEN'],
    ['SELL', 6_000, 3_595, 'REJECTED'],
    ['SELL', 6_000, 60_000, 'OPEN'],
    ['BUY', 6_000, 5, 'OPEN'],
  ] as const)(
    'limit-price protection rejects %s of an option at %d with a limit of %d',
    (side, price, limit, status) => {
      const t = trading({ market: stillMarket(price, [SHARE, CALL, PUT]) });
      const id = t.place({ refId: CALL.refId, side, quantity: CALL.lotSize, price: limit });
      const { status: found, reason } = t.order(id);
      if (status === 'REJECTED')
        expect([found, reason]).toEqual([status, expect.stringContaining('LIMIT_PRICE_PROTECTION')]);
      else expect(['OPEN', 'FILLED', 'PARTIALLY_FILLED']).toContain(found);
    },
  );

  test('limit-price protection leaves shares and futures alone, and judges a stop-loss by its trigger', () => {
    const t = trading({ market: stillMarket(6_000, [SHARE, CALL]) });
    const stop = (price: number) =>
      t.order(t.place({ refId: CALL.refId, quantity: CALL.lotSize, kind: 'STOPLOSS', triggerPrice: 9_000, price }));
    expect(stop(12_600).status).toBe('OPEN');
    expect(stop(12_605).reason).toContain('LIMIT_PRICE_PROTECTION');
  });

  test('a halt of 20 % lasts for the day; prices stand still; cancels are taken', () => {
    const t = trading();
    const resting = t.place({ price: 149_000 });
    t.exchange.movePrice(INDEX.refId, 120_000, t.now());
    t.market.prices.set(SHARE.refId, 148_000);
    t.pass(13 * 3_600_000);
    expect(t.fills(resting)).toEqual([]);
    t.exchange.cancel(resting, t.now());
    t.pass(0);
    expect(t.order(resting).status).toBe('CANCELLED');
    t.pass(3_600_000);
    expect(t.order(t.place({ price: 148_000 })).status).toBe('OPEN');
  });

  test('a market-wide halt leaves MCX open; a halt by hand stops all of it, whatever a circuit breaker ends', () => {
    const crude: Instrument = {
      ...FUTURE,
      refId: 7100,
      exchange: 'MCX',
      symbol: 'CRUDEOIL26DECFUT',
      lotSize: 100,
      lotMultiplier: 100,
    };
    const t = trading({
      startAt: Date.parse('2026-11-23T13:30:00+05:30'),
      market: stillMarket(150_000, [SHARE, INDEX, crude]),
    });
    const buyCrude = (): Order => t.order(t.place({ refId: crude.refId, quantity: 100, price: 148_000 }));
    t.exchange.movePrice(INDEX.refId, 135_000, t.now());
    expect(t.exchange.isOpen(SHARE, t.now())).toBe(false);
    expect(t.exchange.isOpen(crude, t.now())).toBe(true);
    t.market.prices.set(crude.refId, 149_000).set(SHARE.refId, 149_000);
    t.pass(60_000);
    expect(t.exchange.lastPrice(crude, t.now())).toBe(149_000);
    expect(buyCrude().status).toBe('OPEN');
    expect(t.order(t.place()).reason).toContain('MARKET_HALTED');
    t.exchange.halt(true, t.now());
    expect(buyCrude().reason).toContain('MARKET_HALTED');
    t.pass(15 * 60_000);
    expect(t.order(t.place()).reason).toContain('MARKET_HALTED');
    t.exchange.halt(false, t.now());
    expect(t.order(t.place({ price: 148_000 })).status).toBe('OPEN');
    expect(buyCrude().status).toBe('OPEN');
  });

  test('is rejected in a closed market', () => {
    const t = trading({ hours: 'exchange', startAt: Date.UTC(2026, 10, 22, 5) });
    expect(t.order(t.place()).reason).toContain('MARKET_CLOSED');
  });
});

test('identifiers differ from run to run with one seed: a restarted exchange never gives an order the number of an earlier one', () => {
  const ids = (startAt: number) => {
    const t = trading({ startAt });
    return [1, 2, 3].map(() => String(t.place({ price: 149_000 })));
  };
  const at = trading().now();
  expect(ids(at)).toEqual(ids(at));
  expect(ids(at).filter((id) => ids(at + 60_000).includes(id))).toEqual([]);
  for (const id of ids(at)) {
    expect(id).toMatch(/^\d{19}$/);
    expect(BigInt(Number(id))).not.toBe(BigInt(id));
  }
});

test('an order that the broker ends on its way is rejected, and never comes to the exchange', () => {
  const t = trading({ latency: USUAL_LATENCY });
  const id = t.place();
  expect(t.exchange.expel(id, 'square-off', t.now())).toEqual({ ok: true });
  t.pass(1_000);
  expect([t.order(id).status, t.order(id).reason]).toEqual(['REJECTED', 'square-off']);
  expect(t.story(id).at(-1)).toBe('rejected');
});

test('the list of all times has an order that the account’s list does not show yet', () => {
  const t = trading({ latency: USUAL_LATENCY });
  const id = t.place({ price: 149_000 });
  expect(t.exchange.orders('A', t.now())).toEqual([]);
  expect(t.exchange.orders('A', Infinity).map((order) => order.id)).toEqual([id]);
});
