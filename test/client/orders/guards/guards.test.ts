import { InputError } from '../../../../client/base/errors';
import { dayValueOf } from '../../../../client/orders/guards/day-value';
import { readGuards, readLimits, withNodeGuards, type Guards } from '../../../../client/orders/model/guard-settings';
import { checkGuards, requireOrdersAllowed, type GuardFacts } from '../../../../client/orders/guards/guards';
import { hoursState } from '../../../../client/market/calendar/trading-hours';
import { LIMIT_BUY, NIFTY_FUT } from '../support';
import { facts, OPEN } from './support';

const ON_FUTURE = { ...LIMIT_BUY, instrument: NIFTY_FUT };
async function refusedBy(
  guards: Partial<Guards>,
  changes: Partial<GuardFacts> = {},
  terms = LIMIT_BUY,
): Promise<string> {
  try {
    await checkGuards(terms, { ...OPEN, ...guards }, facts(changes));
    return '';
  } catch (error) {
    if (error instanceof InputError) return /guard "(.+?)"/.exec(error.message)?.[1] ?? error.message;
    throw error;
  }
}

describe('every guard, from both sides of its bound', () => {
  it('Allow Live Orders refuses a live order unless it is on', async () => {
    expect(await refusedBy({}, { environment: 'live' })).toBe('Allow Live Orders');
    expect(await refusedBy({ allowLiveOrders: true }, { environment: 'live' })).toBe('');
    expect(await refusedBy({}, { environment: 'uat' })).toBe('');
    expect(() => requireOrdersAllowed('live', OPEN)).toThrow(/Allow Live Orders/);
  });

  it('Largest Quantity refuses one more than its bound', async () => {
    expect(await refusedBy({ maxQuantity: 10 })).toBe('');
    expect(await refusedBy({ maxQuantity: 9 })).toBe('Largest Quantity');
  });

  it('Latest Time refuses from its minute on, in India', async () => {
    const latestTime = readLimits({ latestTime: ' 15:00 ' }).latestTime!;
    const at = (time: string) => ({ marketTime: async () => Date.parse(`2026-11-20T${time}+05:30`) });
    expect(await refusedBy({ latestTime }, at('14:59:59'))).toBe('');
    expect(await refusedBy({ latestTime }, at('15:00:00'))).toBe('Latest Time');
    expect(await refusedBy({ latestTime }, at('23:59:59'))).toBe('Latest Time');
    await expect(checkGuards(LIMIT_BUY, { ...OPEN, latestTime }, facts(at('15:04:10')))).rejects.toMatchObject({
      message: 'Refused by the guard "Latest Time": it is 15:04 IST, and no order is sent from 15:00 on.',
      hint: 'Nothing was sent. The limit is under "Safety Limits" in the node.',
    });
    expect(withNodeGuards(OPEN, { latestTime })).toMatchObject([{ latestTime }]);
  });

  it.each(['3 pm', '24:00', '15:60', '15', '9:5', 15, true, ' ', ['15:00']])('Latest Time is not %j', (latestTime) => {
    expect(() => readLimits({ latestTime } as never)).toThrow(
      'Latest Time must be a time of the day (IST) such as 15:00',
    );
  });

  it('a value that nobody can compute, as the instrument has no last price, is above every limit', async () => {
    const atMarket = { ...LIMIT_BUY, priceType: 'MARKET', price: undefined } as const;
    const untraded = { lastPrice: async () => ({ none: 'the service gives 0' }) };
    expect(await refusedBy({ maxOrderValue: 1 }, untraded, atMarket)).toBe('Largest Order Value');
    expect(await refusedBy({ maxDayValue: 1 }, untraded, atMarket)).toBe('Largest Day Value');
    expect(await refusedBy({ maxPriceDistance: 1_000 }, untraded)).toBe('Largest Distance From Last Price');
    expect(await refusedBy({ maxOrderValue: 1_500_050 }, untraded)).toBe('');
    await expect(checkGuards(atMarket, { ...OPEN, maxOrderValue: 1 }, facts(untraded))).rejects.toThrow(
      'INFY has no last price',
    );
  });

  it('Largest Order Value counts the limit price or the last price', async () => {
    expect(await refusedBy({ maxOrderValue: 1_500_050 })).toBe('');
    expect(await refusedBy({ maxOrderValue: 1_500_049 })).toBe('Largest Order Value');
    await expect(checkGuards(LIMIT_BUY, { ...OPEN, maxOrderValue: 10_00_000 }, facts({}))).rejects.toMatchObject({
      message: 'Refused by the guard "Largest Order Value": the order is worth ₹15,000.50, above ₹10,000.00.',
      hint: 'Nothing was sent. The limits are under "Limit Orders" in the credential, and under "Safety Limits" in the node.',
    });
    const atMarket = { ...LIMIT_BUY, priceType: 'MARKET', price: undefined } as const;
    expect(await refusedBy({ maxOrderValue: 1_500_000 }, {}, atMarket)).toBe('');
    expect(await refusedBy({ maxOrderValue: 1_499_999 }, {}, atMarket)).toBe('Largest Order Value');
  });

  it('Largest Day Value counts the orders of the day', async () => {
    const orders = async () => [{ order_qty: 5, order_price: 100_000, order_status: 'ORDER_STATUS_OPEN' }];
    const day = (): GuardFacts['day'] => ({ ...facts().day, orders });
    expect(await refusedBy({ maxDayValue: 2_000_050 }, { day: day() })).toBe('');
    expect(await refusedBy({ maxDayValue: 2_000_049 }, { day: day() })).toBe('Largest Day Value');
  });

  it('a sale counts at the last price where that is above its limit: the market may pay more', async () => {
    const sale = { ...LIMIT_BUY, side: 'SELL', price: 5 } as const;
    expect(await refusedBy({ maxOrderValue: 1_500_000 }, {}, sale)).toBe('');
    expect(await refusedBy({ maxOrderValue: 1_499_999 }, {}, sale)).toBe('Largest Order Value');
    expect(await refusedBy({ maxDayValue: 1_499_999 }, {}, sale)).toBe('Largest Day Value');
    expect(await refusedBy({ maxOrderValue: 1_500_049 }, {}, { ...sale, price: 150_005 })).toBe('Largest Order Value');
    expect(await refusedBy({ maxOrderValue: 1_500_050 }, {}, { ...sale, price: 150_005 })).toBe('');
    const untraded = { lastPrice: async () => ({ none: 'the service gives 0' }) };
    expect(await refusedBy({ maxOrderValue: 100_000_000 }, untraded, sale)).toBe('Largest Order Value');
    expect(await refusedBy({ maxDayValue: 100_000_000 }, untraded, sale)).toBe('Largest Day Value');
  });

  it('Largest Distance From Last Price bounds the side that costs money: a dear purchase, a cheap sale', async () => {
    const at = (price: number, side: 'BUY' | 'SELL') => ({ ...LIMIT_BUY, price, side });
    expect(await refusedBy({ maxPriceDistance: 250 }, {}, at(153_750, 'BUY'))).toBe('');
    expect(await refusedBy({ maxPriceDistance: 250 }, {}, at(153_755, 'BUY'))).toBe('Largest Distance From Last Price');
    expect(await refusedBy({ maxPriceDistance: 250 }, {}, at(100_000, 'BUY'))).toBe('');
    expect(await refusedBy({ maxPriceDistance: 250 }, {}, at(146_250, 'SELL'))).toBe('');
    expect(await refusedBy({ maxPriceDistance: 250 }, {}, at(146_245, 'SELL'))).toBe(
      'Largest Distance From Last Price',
    );
    expect(await refusedBy({ maxPriceDistance: 250 }, {}, at(200_000, 'SELL'))).toBe('');
  });

  it('Largest Distance From Last Price looks at the limits of exits and at what an entry waits for', async () => {
    const short = { ...LIMIT_BUY, side: 'SELL', price: 150_000 } as const;
    const stopAt = (limit: number) => ({ ...short, exits: { stop: { trigger: 152_000, limit } } });
    expect(await refusedBy({ maxPriceDistance: 500 }, {}, stopAt(157_500))).toBe('');
    expect(await refusedBy({ maxPriceDistance: 500 }, {}, stopAt(225_000))).toBe('Largest Distance From Last Price');
    const waiting = { ...LIMIT_BUY, priceType: 'MARKET', price: undefined } as const;
    const from = (price: number) => ({ ...waiting, condition: { when: 'AT_OR_ABOVE' as const, price } });
    expect(await refusedBy({ maxPriceDistance: 500 }, {}, from(157_500))).toBe('');
    expect(await refusedBy({ maxPriceDistance: 500 }, {}, from(300_000))).toBe('Largest Distance From Last Price');
    await expect(checkGuards(stopAt(225_000), { ...OPEN, maxPriceDistance: 500 }, facts())).rejects.toThrow(
      'the stop-loss limit ₹2,250.00 is more than 5 % above the last price ₹1,500.00.',
    );
  });

  it('a market entry counts at the price that it waits for, a short at the limit of its stop loss', async () => {
    const waiting = { ...LIMIT_BUY, priceType: 'MARKET', price: undefined } as const;
    const from = { ...waiting, condition: { when: 'AT_OR_ABOVE' as const, price: 300_000 } };
    expect(await refusedBy({ maxOrderValue: 3_000_000 }, {}, from)).toBe('');
    expect(await refusedBy({ maxOrderValue: 2_999_999 }, {}, from)).toBe('Largest Order Value');
    expect(await refusedBy({ maxDayValue: 2_999_999 }, {}, from)).toBe('Largest Day Value');
    const short = { ...LIMIT_BUY, side: 'SELL', exits: { stop: { trigger: 152_000, limit: 225_000 } } } as const;
    expect(await refusedBy({ maxOrderValue: 2_250_000 }, {}, short)).toBe('');
    expect(await refusedBy({ maxOrderValue: 2_249_999 }, {}, short)).toBe('Largest Order Value');
  });

  it('Allowed Exchanges, Products and Instruments refuse all others', async () => {
    expect(await refusedBy({ allowedExchanges: ['NSE'] })).toBe('');
    expect(await refusedBy({ allowedExchanges: ['BSE', 'MCX'] })).toBe('Allowed Exchanges');
    expect(await refusedBy({ allowedProducts: ['CNC'] })).toBe('');
    expect(await refusedBy({ allowedProducts: ['IDAY'] })).toBe('Allowed Products');
    expect(await refusedBy({ allowedInstruments: ['INFY'] })).toBe('');
    expect(await refusedBy({ allowedInstruments: ['INF'] })).toBe('Allowed Instruments');
    expect(await refusedBy({ allowedInstruments: ['NIFTY'] }, {}, ON_FUTURE)).toBe('');
    expect(await refusedBy({ allowedInstruments: ['NIFTY26NOVFUT'] }, {}, ON_FUTURE)).toBe('');
  });

  it.each([
    ['2026-11-20T09:14:59+05:30', false],
    ['2026-11-20T09:15:00+05:30', true],
    ['2026-11-20T15:29:59+05:30', true],
    ['2026-11-20T15:30:00+05:30', false],
    ['2026-11-21T11:00:00+05:30', false],
  ])('Market Hours Only at %s lets an order through: %s', async (at, open) => {
    expect(await refusedBy({ marketHoursOnly: true }, { marketTime: async () => Date.parse(at) })).toBe(
      open ? '' : 'Market Hours Only',
    );
  });

  it.each([
    // Muhurat trading on a Sunday, and a Saturday in two parts.
    ['2026-11-08T17:59:59+05:30', false],
    ['2026-11-08T18:00:00+05:30', true],
    ['2026-11-08T18:59:59+05:30', true],
    ['2026-11-08T19:00:00+05:30', false],
    ['2026-11-08T11:00:00+05:30', false],
    ['2024-03-02T09:30:00+05:30', true],
    ['2024-03-02T10:30:00+05:30', false],
    ['2024-03-02T12:29:59+05:30', true],
  ])('Market Hours Only knows special sessions: at %s it lets an order through: %s', async (at, open) => {
    const facts = { marketTime: async () => Date.parse(at) };
    expect(await refusedBy({ marketHoursOnly: true }, facts)).toBe(open ? '' : 'Market Hours Only');
    expect(await refusedBy({ marketHoursOnly: true }, { ...facts, isTradingDay: async () => true })).toBe(
      open ? '' : 'Market Hours Only',
    );
  });

  it('Market Hours Only takes a Saturday on which the service trades, though no table has it', async () => {
    const facts = { marketTime: async () => Date.parse('2026-12-05T11:00:00+05:30') };
    expect(await refusedBy({ marketHoursOnly: true }, { ...facts, isTradingDay: async () => true })).toBe('');
    expect(await refusedBy({ marketHoursOnly: true }, { ...facts, isTradingDay: async () => false })).toBe(
      'Market Hours Only',
    );
    expect(await refusedBy({ marketHoursOnly: true }, facts)).toBe('Market Hours Only');
  });

  it('Market Hours Only knows a holiday when it is told', async () => {
    expect(await refusedBy({ marketHoursOnly: true }, { isTradingDay: async () => false })).toBe('Market Hours Only');
    expect(await refusedBy({ marketHoursOnly: true }, { isTradingDay: async () => true })).toBe('');
  });
});

it('derivatives and commodities have their own hours, dated', () => {
  const open = (exchange: string, derivative: boolean, at: string): boolean =>
    hoursState(exchange, derivative, Date.parse(`${at}+05:30`)).inHours;
  expect(open('NSE', true, '2026-07-31T15:35:00')).toBe(false);
  expect(open('NSE', true, '2026-08-03T15:35:00')).toBe(true);
  expect(open('MCX', true, '2026-07-15T23:29:00')).toBe(true);
  expect(open('MCX', true, '2026-07-15T23:31:00')).toBe(false);
  expect(open('MCX', true, '2026-10-30T23:45:00')).toBe(false);
  expect(open('MCX', true, '2026-11-02T23:45:00')).toBe(true);
  expect(open('MCX', true, '2026-03-06T23:45:00')).toBe(true);
  expect(open('MCX', true, '2026-03-09T23:45:00')).toBe(false);
});

describe('the guards of credential and node', () => {
  const fields = {
    limitOrders: true,
    maxQuantity: 5,
    maxOrderValue: '1000.50',
    maxDayValue: 0,
    maxPriceDistance: 2.5,
    allowedExchanges: ['NSE', 'BSE'],
    allowedProducts: [],
    allowedInstruments: 'infy, tcs',
    marketHoursOnly: true,
    dryRun: true,
    allowLiveOrders: true,
  };

  it('are read in their units', () => {
    expect(readGuards(fields)).toEqual({
      allowLiveOrders: true,
      dryRun: true,
      maxQuantity: 5,
      maxOrderValue: 100_050,
      maxPriceDistance: 250,
      allowedExchanges: ['NSE', 'BSE'],
      allowedInstruments: ['INFY', 'TCS'],
      marketHoursOnly: true,
      refuseUnauthorisedSales: true,
    });
    expect(readGuards({ ...fields, limitOrders: false })).toEqual({
      allowLiveOrders: true,
      dryRun: true,
      marketHoursOnly: false,
      refuseUnauthorisedSales: true,
    });
    expect(() => readLimits({ maxQuantity: 'many' })).toThrow(/Largest Quantity/);
    expect(readGuards({ dryRun: 'true', limitOrders: 'true', maxQuantity: 5 })).toMatchObject({
      dryRun: true,
      maxQuantity: 5,
    });
    for (const name of ['dryRun', 'limitOrders'] as const)
      expect(() => readGuards({ [name]: 'yes' })).toThrow(/must be true or false/);
    expect(() => readLimits({ marketHoursOnly: 1 })).toThrow(/Market Hours Only/);
  });

  it('count both, the stricter of each', () => {
    const [joined, second] = withNodeGuards(readGuards(fields), {
      maxQuantity: 3,
      maxOrderValue: 200_000,
      allowedExchanges: ['BSE', 'MCX'],
      allowedInstruments: ['NIFTY'],
    });
    expect(joined).toMatchObject({
      maxQuantity: 3,
      maxOrderValue: 100_050,
      allowedExchanges: ['BSE'],
      allowedInstruments: ['INFY', 'TCS'],
      dryRun: true,
      allowLiveOrders: true,
    });
    expect(second).toMatchObject({ allowedInstruments: ['NIFTY'] });
    expect(withNodeGuards({ ...OPEN }, { allowLiveOrders: true })[0]).toMatchObject({ allowLiveOrders: false });
  });
});

describe('a limit of value and a contract whose worth nothing tells', () => {
  const gold = (lotMultiplier: number | null) => ({
    ...LIMIT_BUY,
    instrument: { ...NIFTY_FUT, exchange: 'MCX', symbol: 'GOLD26DECFUT', asset: 'GOLD', lotSize: 1, lotMultiplier },
    quantity: 1,
    price: 15_925_000,
  });

  it('does not let it pass, however large the limit is, by order or by day, and says why', async () => {
    expect(await refusedBy({ maxOrderValue: Number.MAX_SAFE_INTEGER }, {}, gold(null))).toBe('Largest Order Value');
    expect(await refusedBy({ maxDayValue: Number.MAX_SAFE_INTEGER }, {}, gold(null))).toBe('Largest Day Value');
    expect(await refusedBy({}, {}, gold(null))).toBe('');
    await expect(checkGuards(gold(null), { ...OPEN, maxOrderValue: 1 }, facts())).rejects.toThrow(
      /what GOLD26DECFUT is worth cannot be told.*a lot of 1.*₹100 on one lot/,
    );
  });

  it('counts what the contract is worth where it is told: one lot of GOLD is a crore and a half', async () => {
    expect(await refusedBy({ maxOrderValue: 159_250_000_0 - 1 }, {}, gold(100))).toBe('Largest Order Value');
    expect(await refusedBy({ maxOrderValue: 159_250_000_0 }, {}, gold(100))).toBe('');
  });

  it('counts the orders of the day by what they are worth, and refuses where that is not known', async () => {
    const record = (refData: object) => ({
      order_status: 'ORDER_STATUS_FILLED',
      order_side: 'ORDER_SIDE_BUY',
      order_qty: 1,
      filled_qty: 1,
      avg_filled_price: 15_925_000,
      exchange: 'MCX',
      ref_data: { asset: 'GOLD', stock_name: 'GOLD26DECFUT', lot_size: 1, ...refData },
    });
    const { placements } = facts().day;
    expect(dayValueOf([record({ qty_multiplier: 100 })], placements, 's')).toBe(159_250_000_0);
    expect(() => dayValueOf([record({})], placements, 's')).toThrow(/Largest Day Value.*GOLD26DECFUT/);
    expect(dayValueOf([{ ...record({}), order_status: 'ORDER_STATUS_REJECTED' }], placements, 's')).toBe(0);
  });
});

describe('the guards of a credential and of a node', () => {
  const LIMITS = ['maxQuantity', 'maxOrderValue', 'maxDayValue', 'maxPriceDistance'] as const;

  it.each(LIMITS)('take of %s the smaller, whichever has it, and the one where only one has it', (name) => {
    const joined = (credential: number | undefined, node: number | undefined): number | undefined =>
      withNodeGuards({ ...OPEN, [name]: credential }, { [name]: node })[0]![name];
    expect([joined(3, 5), joined(5, 3), joined(3, undefined), joined(undefined, 5)]).toEqual([3, 3, 3, 5]);
    expect(joined(undefined, undefined)).toBeUndefined();
  });

  it('take of two lists only what both allow, and the one where only one has it', () => {
    const joined = (credential: Partial<Guards>, node: Partial<Guards>) =>
      withNodeGuards({ ...OPEN, ...credential }, node);
    expect(joined({ allowedProducts: ['CNC', 'IDAY'] }, { allowedProducts: ['IDAY'] })[0]!.allowedProducts).toEqual([
      'IDAY',
    ]);
    for (const [credential, node] of [
      [{ allowedExchanges: ['NSE'] }, {}],
      [{}, { allowedExchanges: ['NSE'] }],
    ] as const)
      expect(joined(credential, node)[0]!.allowedExchanges).toEqual(['NSE']);
    expect(joined({}, { allowedInstruments: ['INFY'] })).toEqual([
      expect.objectContaining({ allowedInstruments: ['INFY'] }) as Guards,
    ]);
  });

  it('a switch that holds orders back counts where either has it, and off is off in each of its spellings', () => {
    expect(withNodeGuards(OPEN, { marketHoursOnly: true })[0]).toMatchObject({ marketHoursOnly: true });
    expect(withNodeGuards({ ...OPEN, marketHoursOnly: true }, {})[0]).toMatchObject({ marketHoursOnly: true });
    expect(withNodeGuards(OPEN, {})[0]).toMatchObject({ marketHoursOnly: false, dryRun: false });
    for (const off of [undefined, null, '', false, 'false'])
      expect(readGuards({ dryRun: off, limitOrders: off })).toMatchObject({ dryRun: false });
  });

  it.each([
    ['maxDayValue', 'Largest Day Value'],
    ['maxOrderValue', 'Largest Order Value'],
    ['maxQuantity', 'Largest Quantity'],
    ['maxPriceDistance', 'Largest Distance From Last Price'],
  ] as const)('%s that is no number is refused by its name in the panel', (parameter, label) => {
    expect(() => readLimits({ [parameter]: 'many' })).toThrow(
      expect.objectContaining({ parameter, message: expect.stringContaining(label) as string }),
    );
  });

  it('the limit of the day in rupees counts in paise', () => {
    expect(readLimits({ maxDayValue: 1_000.5, maxOrderValue: '0' })).toEqual({
      maxDayValue: 100_050,
      marketHoursOnly: false,
    });
  });
});
