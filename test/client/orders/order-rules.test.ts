/** Rules of exits, entries, baskets and limits, from both sides of each bound. */
import { checkBasket, type BasketTerms } from '../../../client/orders/model/basket-terms';
import { checkExits, exitTerms, expectedEntry } from '../../../client/orders/model/exits';
import { readGuards, readLimits, withNodeGuards } from '../../../client/orders/model/guard-settings';
import type { OrderTerms } from '../../../client/orders/model/order-terms';
import { checkOrder } from '../../../client/orders/model/order-rules';
import { requireTrading } from '../../../client/orders/guards/kill-switch';
import { refusal } from '../../support/refusal';
import { LIMIT_BUY, NIFTY_FUT, SPREAD } from './support';
import { knownPrice } from '../../support/price';

describe('a number that no price has, such as a time', () => {
  const stop = { trigger: 147_000, limit: 146_900 };
  const TIME = 179_516_760_000;
  it.each<[string, Partial<OrderTerms>]>([
    ['price', { price: TIME }],
    ['conditionPrice', { condition: { when: 'AT_OR_ABOVE', price: TIME } }],
    ['triggerPrice', { kind: 'STOPLOSS', side: 'SELL', triggerPrice: TIME }],
    ['trailingJump', { exits: { stop: { ...stop, jump: TIME } } }],
    ['trailingJump', { side: 'SELL', exits: { stop: { trigger: 160_000, limit: 160_100, jump: 150_000 } } }],
  ])('is refused as %s: %j', (parameter, terms) => {
    const refused = refusal(() => checkOrder({ ...LIMIT_BUY, price: 150_000, ...terms }, 'rupees'));
    expect([refused.parameter, refused.message]).toEqual([
      parameter,
      expect.stringMatching(/no price is as high|cannot fall by as much/),
    ]);
  });

  it('is no jump of what may rise by more than its price', () => {
    const exits = { stop: { ...stop, jump: 150_000 } };
    expect(() => checkOrder({ ...LIMIT_BUY, price: 150_000, exits }, 'rupees')).not.toThrow();
  });
});

describe('exits', () => {
  type Exits = Parameters<typeof checkExits>[0];
  const at = (trigger: number, limit: number) => ({ trigger, limit });
  const bought = { direction: 1, entry: 1_000, unit: 'rupees' } as const;
  const sold = { ...bought, direction: -1 } as const;

  it.each<[string, Exits, Parameters<typeof checkExits>[1], string | undefined]>([
    ['a stop loss below what was bought', { stop: at(900, 890) }, bought, undefined],
    ['one whose limit is its trigger', { stop: at(900, 900) }, bought, undefined],
    ['one at the entry', { stop: at(1_000, 990) }, bought, 'stopLoss'],
    ['one whose limit is above its trigger', { stop: at(900, 905) }, bought, 'stopLossLimit'],
    ['a stop loss above what was sold', { stop: at(1_100, 1_110) }, sold, undefined],
    ['one below what was sold', { stop: at(900, 910) }, sold, 'stopLoss'],
    ['one whose limit is below its trigger, sold', { stop: at(1_100, 1_095) }, sold, 'stopLossLimit'],
    ['a target above what was bought', { target: at(1_100, 1_090) }, bought, undefined],
    ['one whose limit is above its trigger, bought', { target: at(1_100, 1_105) }, bought, 'targetLimit'],
    ['one whose limit is the entry', { target: at(1_100, 1_000) }, bought, 'target'],
    ['a target below what was sold', { target: at(900, 910) }, sold, undefined],
    ['one whose limit is below its trigger, of what was sold', { target: at(900, 895) }, sold, 'targetLimit'],
    ['a stop loss below a target', { stop: at(900, 890), target: at(1_100, 1_090) }, bought, undefined],
    [
      'a stop loss at a target, of what has filled',
      { stop: at(900, 890), target: at(900, 890) },
      { ...bought, entry: undefined },
      'stopLoss',
    ],
    [
      'a stop loss above the entry, of what has filled',
      { stop: at(1_100, 1_090) },
      { ...bought, entry: undefined },
      undefined,
    ],
    ['a trigger of nothing', { stop: at(0, 0) }, bought, 'stopLoss'],
    ['a limit of nothing', { stop: at(5, 0) }, bought, 'stopLossLimit'],
    ['a target that is no number', { target: at(NaN, 5) }, sold, 'target'],
    ['a target whose limit is no whole number', { target: at(900, 900.5) }, sold, 'targetLimit'],
    ['a net price below 0', { stop: at(-900, -910) }, { ...bought, entry: -800, allowNegative: true }, undefined],
    ['a price below 0', { stop: at(-900, -910) }, bought, 'stopLoss'],
    ['a price as high as none is', { target: at(2 ** 31, 2_000) }, bought, 'target'],
    ['the highest price', { target: at(2 ** 31 - 2, 2_000) }, bought, undefined],
    ['a net price that is no whole number', { stop: at(-900.5, -910) }, { ...bought, allowNegative: true }, 'stopLoss'],
  ])('are allowed or refused: %s', (_, exits, rules, parameter) => {
    if (parameter === undefined) expect(() => checkExits(exits, rules)).not.toThrow();
    else expect(refusal(() => checkExits(exits, rules)).parameter).toBe(parameter);
  });

  it('say on which side they must be', () => {
    const said = (rules: typeof bought | typeof sold, exits: Exits): string =>
      refusal(() => checkExits(exits, rules)).message;
    expect(said(bought, { stop: at(1_100, 1_090) })).toBe(
      'The stop loss ₹11.00 must be below the entry ₹10.00. Nothing was sent.',
    );
    expect(said(sold, { stop: at(900, 910) })).toBe(
      'The stop loss ₹9.00 must be above the entry ₹10.00. Nothing was sent.',
    );
    expect(said(bought, { target: at(900, 890) })).toBe(
      'The target ₹8.90 must be above the entry ₹10.00. Nothing was sent.',
    );
    expect(said(sold, { target: at(1_100, 1_110) })).toBe(
      'The target ₹11.10 must be below the entry ₹10.00. Nothing was sent.',
    );
  });

  it('have a target that is sold at its trigger where no limit is given, and an error that names what it is about', () => {
    const from = { entry: knownPrice(1_000), direction: 1, tickSize: 5 } as const;
    expect(exitTerms({ target: { points: 100 } }, from).target).toEqual({ trigger: 1_100, limit: 1_100 });
    expect(exitTerms({ target: { points: 100 }, targetLimit: { points: 50 } }, from).target).toEqual({
      trigger: 1_100,
      limit: 1_050,
    });
    const refused = { ...from, rounding: 'refuse' as const };
    expect(refusal(() => exitTerms({ target: { price: 1_101 } }, refused)).parameter).toBe('target');
    expect(refusal(() => exitTerms({ stop: { price: 901 } }, refused)).parameter).toBe('stopLoss');
  });

  it('are measured from the limit, at the market from what is waited for', () => {
    const condition = { when: 'AT_OR_ABOVE', price: 7 } as const;
    expect(expectedEntry({ priceType: 'LIMIT', price: 5, condition })).toBe(5);
    expect(expectedEntry({ priceType: 'MARKET', price: 5, condition })).toBe(7);
    expect(expectedEntry({ priceType: 'MARKET', price: 5 })).toBeUndefined();
  });
});

describe('an order', () => {
  const ON_FUTURE = { ...LIMIT_BUY, instrument: NIFTY_FUT, quantity: 650, price: 2_500_000 };
  it.each<[Partial<OrderTerms>, string | undefined, RegExp?]>([
    [{}, undefined],
    [{ price: 0.5 }, 'price', /^Limit Price must be above 0/],
    [{ price: NaN }, 'price'],
    [{ price: -10 }, 'price'],
    [{ price: 2_500_005 }, 'price', /^Limit Price ₹25,000\.05/],
    [{ kind: 'STOPLOSS', triggerPrice: undefined }, 'triggerPrice', /^Trigger Price/],
    [
      { kind: 'STOPLOSS', triggerPrice: 2_500_010 },
      'triggerPrice',
      /purchase must not be above its limit price ₹25,000\.00/,
    ],
    [{ kind: 'STOPLOSS', side: 'SELL', triggerPrice: 2_499_990 }, 'triggerPrice', /sale must not be below/],
    [{ condition: { when: 'AT_OR_ABOVE', price: 2_500_003 } }, 'conditionPrice', /^Condition Price/],
    [{ condition: { when: 'AT_OR_ABOVE', price: 2_400_000 } }, undefined],
    [{ kind: 'STOPLOSS', triggerPrice: 2_499_990, condition: { when: 'AT_OR_ABOVE', price: 2_400_000 } }, 'condition'],
    [{ kind: 'ICEBERG', slices: 1 }, 'slices'],
    [{ kind: 'ICEBERG', slices: 2 }, undefined],
    [{ kind: 'ICEBERG', slices: 10 }, undefined],
    [{ kind: 'ICEBERG', slices: 11 }, 'slices'],
    [{ kind: 'ICEBERG', slices: 2, priceType: 'MARKET', price: undefined }, 'priceType'],
    [{ kind: 'ICEBERG', legSize: 64 }, 'legSize', /^Leg Size 64/],
    [{ slices: 1 }, undefined],
    [{ exits: { stop: { trigger: 2_600_000, limit: 2_600_000 } } }, 'stopLoss'],
    [{ side: 'SELL', exits: { stop: { trigger: 2_600_000, limit: 2_600_000 } } }, undefined],
  ])('is allowed or refused by its field: %j', (changes, parameter, message = /./) => {
    const check = (): void => checkOrder({ ...ON_FUTURE, ...changes }, 'rupees');
    if (parameter === undefined) expect(check).not.toThrow();
    else expect(refusal(check)).toMatchObject({ parameter, message: expect.stringMatching(message) as string });
  });

  it('says to a stop loss on which side its trigger must be', () => {
    const hint = (side: 'BUY' | 'SELL', triggerPrice: number): string =>
      refusal(() => checkOrder({ ...ON_FUTURE, kind: 'STOPLOSS', side, triggerPrice }, 'rupees')).hint;
    expect(hint('BUY', 2_500_010)).toBe('To buy: trigger at or below the limit price.');
    expect(hint('SELL', 2_499_990)).toBe('To sell: trigger at or above the limit price.');
  });
});

describe('a basket', () => {
  it.each<[Partial<BasketTerms>, string | undefined]>([
    [{ legs: [{ ...SPREAD.legs[0]!, quantity: 65.5 }] }, 'legs'],
    [{ legs: [{ ...SPREAD.legs[0]!, quantity: 0 }, SPREAD.legs[1]!] }, 'legs'],
    [{ goodTill: '2026-11-27', exitTime: 1 }, 'exitTime'],
    [{ goodTill: '2026-11-27' }, undefined],
    [{ targetPrice: 1_500 }, undefined],
    [{ targetPrice: 995 }, 'targetPrice'],
    [{ stopLossPrice: 995, targetPrice: 1_005 }, undefined],
    [{ priceType: 'MARKET', price: undefined, targetPrice: 1_005 }, undefined],
    [{ priceType: 'MARKET', price: undefined, stopLossPrice: 1_005 }, undefined],
  ])('is allowed or refused by its field: %j', (changes, parameter) => {
    const check = (): void => checkBasket({ ...SPREAD, ...changes }, 'rupees');
    if (parameter === undefined) expect(check).not.toThrow();
    else expect(refusal(check).parameter).toBe(parameter);
  });
});

describe('limits', () => {
  it.each([0, '0', '', null, undefined])('are not set by %p', (unset) => {
    expect(readLimits({ maxQuantity: unset, maxOrderValue: unset, maxPriceDistance: unset })).toEqual({
      marketHoursOnly: false,
    });
  });

  it.each([null, undefined, '', []])('allow all where a list is %p', (unset) => {
    expect(readLimits({ allowedExchanges: unset, allowedProducts: unset })).toEqual({ marketHoursOnly: false });
  });

  it.each([',', ' , ', [''], [' '], 5, {}, ['NSE', 5], true])(
    'refuse a list of %j, which must not allow all',
    (value) => {
      expect(refusal(() => readLimits({ allowedExchanges: value })).parameter).toBe('allowedExchanges');
    },
  );

  it('keep only products that exist', () => {
    expect(readLimits({ allowedProducts: ['cnc', 'MTF'] })).toMatchObject({ allowedProducts: ['CNC'] });
    expect(readLimits({ allowedProducts: 'CNC, IDAY' })).toMatchObject({ allowedProducts: ['CNC', 'IDAY'] });
  });

  it.each(['x', -1, '1.005'])('refuse a distance of %p', (value) => {
    expect(refusal(() => readLimits({ maxPriceDistance: value })).parameter).toBe('maxPriceDistance');
    expect(readLimits({ maxPriceDistance: '1.05' })).toMatchObject({ maxPriceDistance: 105 });
  });

  it('let live orders out only by a switch that is on', () => {
    for (const allowLiveOrders of [false, 'true', 1, undefined, null])
      expect(readGuards({ allowLiveOrders }).allowLiveOrders).toBe(false);
    expect(readGuards({ allowLiveOrders: true }).allowLiveOrders).toBe(true);
  });

  it('a dry run of credential or node is one', () => {
    const [requested] = withNodeGuards(readGuards({}), { dryRun: true });
    expect(requested).toMatchObject({ dryRun: true });
    const [set] = withNodeGuards(readGuards({ dryRun: true }), {});
    expect(set).toMatchObject({ dryRun: true });
    const [neither] = withNodeGuards(readGuards({}), { dryRun: false });
    expect(neither).toMatchObject({ dryRun: false, marketHoursOnly: false });
  });
});

describe('trading that was stopped', () => {
  it.each([undefined, null, false, '', 'false'])('is not meant by %p', (tradingStopped) => {
    expect(() => requireTrading({ tradingStopped })).not.toThrow();
  });

  it.each([true, 'true', 'no', 0, 1])('is meant by %p, which is not clearly off', (tradingStopped) => {
    expect(refusal(() => requireTrading({ tradingStopped }))).toMatchObject({
      parameter: 'tradingStopped',
      hint: expect.stringContaining('switch "Trading Stopped" off') as string,
    });
  });
});
