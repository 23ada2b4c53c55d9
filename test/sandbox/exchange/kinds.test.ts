import { FUTURE, SHARE, stillMarket } from '../../support/still-market';
import { limitOrder, trading } from '../../support/trading';

describe('Stop-loss', () => {
  test.each([
    ['a regular order', {}],
    ['an iceberg', { kind: 'ICEBERG', legSize: 5 }],
  ] as const)('%s becomes one: it leaves the book and waits for its trigger', (_name, from) => {
    const t = trading();
    t.market.shown = 0;
    const id = t.place({ ...from, quantity: 10, price: 149_900 });
    expect(t.exchange.bookSnapshot(SHARE, t.now(), 5).bids).not.toEqual([]);
    const stop = { kind: 'STOPLOSS', triggerPrice: 150_100, price: 150_200 } as const;
    expect(t.exchange.modify(id, stop, t.now())).toEqual({ ok: true });
    t.pass(0);
    expect(t.order(id)).toMatchObject({ ...stop, legSize: 0, status: 'OPEN' });
    expect(t.exchange.bookSnapshot(SHARE, t.now(), 5).bids).toEqual([]);
    t.exchange.movePrice(SHARE.refId, 150_100, t.now());
    expect(t.order(id).status).toBe('TRIGGERED');
  });

  test('a buy waits outside the book and triggers at LTP ≥ trigger, then enters as a limit order', () => {
    const t = trading();
    const id = t.place({ kind: 'STOPLOSS', triggerPrice: 150_100, price: 150_200 });
    t.market.prices.set(SHARE.refId, 150_090);
    t.pass(1000);
    expect(t.order(id).status).toBe('OPEN');
    expect(t.exchange.bookSnapshot(SHARE, t.now(), 50).bids.every(({ price }) => price < 150_090)).toBe(true);
    t.market.prices.set(SHARE.refId, 150_100);
    t.pass(1000);
    expect(t.story(id)).toEqual(['received', 'sent', 'accepted', 'triggered', 'trade']);
    expect(t.fills(id)).toEqual([[150_110, 10]]);
  });

  test('a sell triggers at LTP ≤ trigger; without a counterparty within its limit it rests as TRIGGERED', () => {
    const t = trading();
    const id = t.place({ kind: 'STOPLOSS', side: 'SELL', triggerPrice: 149_900, price: 149_900 });
    t.exchange.movePrice(SHARE.refId, 149_800, t.now());
    expect(t.story(id)).toEqual(['received', 'sent', 'accepted', 'triggered']);
    expect(t.order(id).status).toBe('TRIGGERED');
  });

  test.each([
    ['BUY', 150_050, 150_100, 149_900],
    ['SELL', 149_950, 149_900, 150_100],
  ] as const)(
    'a trade with a user triggers a %s at %i, though the step ends beyond it',
    (side, triggerPrice, price, ends) => {
      const t = trading();
      t.market.shown = 0;
      t.market.traded = 60;
      const stop = t.place({ kind: 'STOPLOSS', side, triggerPrice, price, account: 'S' });
      expect(t.story(stop)).not.toContain('triggered');
      const met = t.place({ side, quantity: 10, price });
      t.market.prices.set(SHARE.refId, ends);
      t.pass(1000);
      expect(t.fills(met)).toEqual([[price, 10]]);
      expect(t.story(stop)).toContain('triggered');
    },
  );

  test('a trade between users triggers, too, and one stop-loss can set off the next', () => {
    const t = trading();
    t.market.shown = 0;
    const far = t.place({ kind: 'STOPLOSS', side: 'SELL', triggerPrice: 149_500, price: 149_000, account: 'S1' });
    const near = t.place({ kind: 'STOPLOSS', side: 'SELL', triggerPrice: 149_800, price: 149_500, account: 'S2' });
    t.place({ quantity: 10, price: 149_800, account: 'B1' });
    t.place({ quantity: 10, price: 149_500, account: 'B2' });
    t.place({ quantity: 10, price: 149_300, account: 'B3' });
    t.place({ quantity: 10, price: 149_800, side: 'SELL', account: 'C' });
    expect(t.fills(near)).toEqual([[149_500, 10]]);
    expect(t.fills(far)).toEqual([[149_300, 10]]);
  });

  test('less quantity keeps its place among those of the same trigger', () => {
    const t = trading();
    t.market.shown = 0;
    const first = t.place({ kind: 'STOPLOSS', triggerPrice: 150_100, price: 150_200, account: 'A', quantity: 20 });
    t.place({ kind: 'STOPLOSS', triggerPrice: 150_100, price: 150_200, account: 'B' });
    t.exchange.modify(first, { quantity: 10 }, t.now());
    t.pass(0);
    t.exchange.movePrice(SHARE.refId, 150_100, t.now());
    expect(t.events.filter(({ type }) => type === 'triggered').map(({ order }) => order.account)).toEqual(['A', 'B']);
  });

  test('another trigger and back sends it behind those of the same trigger', () => {
    const t = trading();
    t.market.shown = 0;
    const first = t.place({ kind: 'STOPLOSS', triggerPrice: 150_100, price: 150_200, account: 'A' });
    t.place({ kind: 'STOPLOSS', triggerPrice: 150_100, price: 150_200, account: 'B' });
    for (const triggerPrice of [150_150, 150_100]) {
      t.exchange.modify(first, { triggerPrice }, t.now());
      t.pass(0);
    }
    t.exchange.movePrice(SHARE.refId, 150_100, t.now());
    expect(t.events.filter(({ type }) => type === 'triggered').map(({ order }) => order.account)).toEqual(['B', 'A']);
  });

  test('a restart neither sets off one that waits nor lets one that was triggered wait again', () => {
    const t = trading();
    const waits = t.place({ kind: 'STOPLOSS', triggerPrice: 150_900, price: 151_000, account: 'B' });
    const rests = t.place({ kind: 'STOPLOSS', triggerPrice: 150_000, price: 150_000 });
    expect(t.order(rests).status).toBe('TRIGGERED');
    const again = t.revived();
    expect([again.order(waits).status, again.order(rests).status]).toEqual(['OPEN', 'TRIGGERED']);
    again.exchange.modify(rests, { price: 149_900 }, again.now());
    again.exchange.modify(waits, { triggerPrice: 150_800 }, again.now());
    again.pass(0);
    expect(again.order(rests)).toMatchObject({ status: 'TRIGGERED', price: 149_900 });
    expect(
      again.exchange.bookSnapshot(SHARE, again.now(), 50).bids.find(({ price }) => price === 149_900)!.quantity,
    ).toBe(110);
    expect(again.story(rests)).toEqual(['received', 'sent', 'accepted', 'triggered', 'modified']);
    expect(again.story(waits).at(-1)).toBe('modified');
    again.exchange.movePrice(SHARE.refId, 150_800, again.now());
    expect(again.story(waits)).toContain('triggered');
  });

  test('a modified trigger is followed; a triggered one is judged as a limit order', () => {
    const t = trading();
    const id = t.place({ kind: 'STOPLOSS', triggerPrice: 150_100, price: 150_200 });
    t.exchange.modify(id, { triggerPrice: 150_000, price: 150_000 }, t.now());
    t.pass(0);
    expect(t.story(id).slice(3)).toEqual(['modified', 'triggered']);
    expect(t.exchange.modify(id, { price: 149_900 }, t.now())).toEqual({ ok: true });
    t.pass(0);
    expect(t.order(id)).toMatchObject({ status: 'TRIGGERED', price: 149_900 });
    expect(t.exchange.bookSnapshot(SHARE, t.now(), 50).bids.find(({ price }) => price === 149_900)!.quantity).toBe(110);
  });
});

describe('Iceberg', () => {
  test('one leg shows at a time; the next one goes to the back of the queue', () => {
    const t = trading();
    t.market.shown = 0;
    const iceberg = t.place({ kind: 'ICEBERG', quantity: 30, legSize: 10, account: 'I' });
    const other = t.place({ quantity: 10, account: 'O' });
    expect(t.exchange.bookSnapshot(SHARE, t.now(), 5).bids).toEqual([{ price: 150_000, quantity: 20, orders: 2 }]);
    t.place({ side: 'SELL', quantity: 10, account: 'S' });
    expect(t.fills(iceberg)).toEqual([[150_000, 10]]);
    t.place({ side: 'SELL', quantity: 10, account: 'S' });
    expect(t.fills(other)).toEqual([[150_000, 10]]);
    t.place({ side: 'SELL', quantity: 15, account: 'S' });
    expect(t.fills(iceberg)).toEqual([
      [150_000, 10],
      [150_000, 10],
      [150_000, 5],
    ]);
    expect(t.exchange.bookSnapshot(SHARE, t.now(), 5).bids).toEqual([{ price: 150_000, quantity: 5, orders: 1 }]);
  });
});

describe('Modify keeps or loses priority', () => {
  const queue = (): { t: ReturnType<typeof trading>; first: bigint; second: bigint; sell(quantity: number): void } => {
    const t = trading();
    t.market.shown = 0;
    const first = t.place({ quantity: 20, account: 'A' });
    const second = t.place({ quantity: 20, account: 'B' });
    return { t, first, second, sell: (quantity) => void t.place({ side: 'SELL', quantity, account: 'S' }) };
  };

  test('less quantity keeps the place', () => {
    const { t, first, second, sell } = queue();
    t.exchange.modify(first, { quantity: 15 }, t.now());
    t.pass(0);
    sell(15);
    expect(t.order(first)).toMatchObject({ status: 'FILLED', quantity: 15 });
    expect(t.fills(second)).toEqual([]);
  });

  test.each([
    ['more quantity', [{ quantity: 25 }]],
    ['another price and back', [{ price: 149_900 }, { price: 150_000 }]],
  ])('%s loses it', (_name, changes) => {
    const { t, first, second, sell } = queue();
    for (const change of changes) {
      expect(t.exchange.modify(first, change, t.now())).toEqual({ ok: true });
      t.pass(0);
    }
    sell(20);
    expect(t.fills(first)).toEqual([]);
    expect(t.order(second).status).toBe('FILLED');
  });

  test('a price that crosses trades at once', () => {
    const t = trading();
    const id = t.place({ quantity: 10, price: 149_000 });
    t.exchange.modify(id, { price: 150_050 }, t.now());
    t.pass(0);
    expect(t.fills(id)).toEqual([[150_010, 10]]);
  });

  test('a change goes not below what is filled, nor into a stop-loss with fills; freeze quantity and band reject afterwards', () => {
    const t = trading();
    t.market.shown = 0;
    const id = t.place({ quantity: 20 });
    t.place({ side: 'SELL', quantity: 5, account: 'S' });
    expect(t.exchange.modify(id, { quantity: 5 }, t.now())).toMatchObject({ code: 'BELOW_FILLED' });
    expect(t.exchange.modify(id, { kind: 'STOPLOSS', triggerPrice: 149_900 }, t.now())).toMatchObject({
      code: 'KIND_CHANGE',
    });
    for (const [change, text] of [
      [{ quantity: 200_000 }, 'FREEZE'],
      [{ price: 200_000 }, 'PRICE_BAND_HIT'],
    ] as const) {
      expect(t.exchange.modify(id, change, t.now())).toEqual({ ok: true });
      t.pass(0);
      expect(t.events.at(-1)).toMatchObject({ type: 'modify_rejected', reason: expect.stringContaining(text) });
      expect(t.order(id)).toMatchObject({ quantity: 20, price: 150_000, status: 'PARTIAL_FILLED' });
    }
  });

  test('risk is asked right before the change takes effect', () => {
    const requested: number[] = [];
    const t = trading({
      risk: {
        hold: () => ({ ok: true }),
        amend: (_id, order) => {
          requested.push(order.quantity);
          return { ok: false, code: 'MARGIN', text: 'INSUFFICIENT_MARGIN' };
        },
      },
    });
    const id = t.place({ price: 149_000 });
    t.exchange.modify(id, { quantity: 500 }, t.now());
    expect(requested).toEqual([]);
    t.pass(0);
    expect(requested).toEqual([500]);
    expect(t.events.at(-1)).toMatchObject({ type: 'modify_rejected', reason: 'INSUFFICIENT_MARGIN' });
  });
});

describe('Prices, bands', () => {
  test.each([
    ['at the upper edge', 180_000, 'OPEN'],
    ['above it', 180_010, 'REJECTED'],
    ['at the lower edge', 120_000, 'OPEN'],
    ['below it', 119_990, 'REJECTED'],
  ])('the fixed band of 20%% holds: %s', (_name, price, status) => {
    const t = trading();
    t.market.shown = 0;
    expect(t.order(t.place({ price, side: 'BUY' })).status).toBe(status);
  });

  test('the dynamic band of 10 % slides in steps of 5 %', () => {
    const t = trading();
    t.market.shown = 0;
    const share = { ...SHARE, refId: 8001, bandPercent: null };
    const market = trading({ market: Object.assign(t.market, { universe: () => ({ byRefId: () => share }) }) });
    t.market.prices.set(8001, 150_000);
    expect(market.order(market.place({ refId: 8001, price: 165_010 })).reason).toContain('165000');
    t.market.prices.set(8001, 164_900);
    market.pass(1000);
    expect(market.order(market.place({ refId: 8001, price: 165_010 })).status).toBe('OPEN');
    expect(market.order(market.place({ refId: 8001, price: 172_510 })).reason).toContain('142500 to 172500');
  });
});

test('derivatives trade in whole lots, whatever quantity others trade', () => {
  const t = trading();
  t.market.shown = 0;
  const id = t.place({ refId: FUTURE.refId, quantity: 130 });
  t.market.traded = 100;
  t.pass(1000);
  expect(t.fills(id)).toEqual([[150_000, 65]]);
});

test('a market order counts for risk at its protection price', () => {
  const prices: number[] = [];
  const t = trading({
    risk: { hold: (_id, _order, price) => (prices.push(price), { ok: true }), amend: () => ({ ok: true }) },
  });
  t.exchange.place(limitOrder({ priceType: 'MARKET', price: 0 }), t.now());
  expect(prices).toEqual([150_750]);
});

test('an intraday order in a series for delivery is refused at once, a delivery order is taken', () => {
  const t = trading({ market: stillMarket(150_000, [{ ...SHARE, series: 'BE' }]) });
  expect(t.refused({ product: 'IDAY' })).toEqual({
    ok: false,
    code: 'DELIVERY_ONLY',
    text: 'INFY is in series BE of NSE: trade for trade, intraday orders are not allowed',
  });
  expect(t.order(t.place({ product: 'CNC' })).product).toBe('CNC');
});
