/** Sentences of alerts and of kept exits, from their parts. */
import { closingEarnings, earningsText } from '../../client/closing/average-fill';
import { basketWords } from '../../nodes/Brokerage/trading/basketSummary';
import { withRepeatNote } from '../../nodes/Brokerage/trading/orderOutput';
import {
  basketChangeDryRunWords,
  basketDryRunWords,
  changeDryRunWords,
  dryRunWords,
  previewWords,
} from '../../nodes/Brokerage/trading/previewSummary';
import { closedWords, levelWords } from '../../nodes/BrokerageTrigger/watches/exitItems';
import { figureText } from '../../nodes/BrokerageTrigger/watches/optionChain';
import { portfolioAlertFields } from '../../nodes/BrokerageTrigger/watches/portfolioAlert.fields';
import { priceAlertFields } from '../../nodes/BrokerageTrigger/watches/priceAlert.fields';
import { alertSummary, exitSummary } from '../../nodes/BrokerageTrigger/watches/summaries';

const price = (value: string) => ({ fields: priceAlertFields, name: 'condition', value });

describe('the sentence of an alert', () => {
  it.each([
    ['crossesAbove', { levels: ['₹1,510.00'] }, 'INFY is at ₹1,510.20 (Rises to Level ₹1,510.00).'],
    ['crossesBelow', { levels: ['₹1,500.00'] }, 'INFY is at ₹1,510.20 (Falls to Level ₹1,500.00).'],
    [
      'entersBand',
      { levels: ['₹1,500.00', '₹1,520.00'] },
      'INFY is at ₹1,510.20 (Enters Band ₹1,500.00 to ₹1,520.00).',
    ],
    ['movesByPercent', { moved: '+3.01% from ₹1,466.00' }, 'INFY is at ₹1,510.20 (+3.01% from ₹1,466.00).'],
    ['crossesAbove', {}, 'INFY is at ₹1,510.20 (Rises to Level).'],
    ['a later one', { levels: ['₹1.00'] }, 'INFY is at ₹1,510.20 (a later one ₹1.00).'],
  ])('names %s as the panel does', (condition, more, sentence) => {
    expect(alertSummary({ subject: 'INFY', value: '₹1,510.20', ...more }, price(condition))).toBe(sentence);
  });

  it('names the condition of a portfolio alert as its own field does', () => {
    const condition = { fields: portfolioAlertFields, name: 'amountCondition', value: 'crossesBelow' };
    const subject = { subject: "Day's Profit or Loss", value: '−₹5,012.50', levels: ['−₹5,000.00'] };
    expect(alertSummary(subject, condition)).toBe(
      "Day's Profit or Loss is at −₹5,012.50 (Falls to Amount −₹5,000.00).",
    );
  });
});

it.each([
  ['straddlePrice', 27_060, '₹270.60'],
  ['atmIv', 1_204, '12.04%'],
  ['ivRank', 8_750, '87.5%'],
  ['skew', -231, '−2.31 percentage points'],
  ['callInterestChange', 302_250, '3,02,250 units'],
  ['putInterestChange', -1_500, '−1,500 units'],
  ['putCallRatio', 12_004, '1.2004'],
] as const)('a figure of an option chain has its unit: %s', (figure, value, text) => {
  expect(figureText(figure, value)).toBe(text);
});

describe('the sentence of a kept exit', () => {
  it('names the event, what it is about, and why it failed', () => {
    expect(exitSummary('stopReached', 'INFY (Delivery), price ₹1,470.00')).toBe(
      'Stop loss reached: INFY (Delivery), price ₹1,470.00.',
    );
    expect(exitSummary('exitFailed', 'INFY (Delivery)', 'It is halted.')).toBe(
      'Exits could not be kept: INFY (Delivery). It is halted.',
    );
  });

  it('tells levels that are set, in rupees', () => {
    expect(levelWords({ 'stop loss at': 147_000, 'target at': undefined, 'trailing stop at': -20_000 })).toEqual([
      'stop loss at ₹1,470.00',
      'trailing stop at −₹200.00',
    ]);
  });

  const result = (closed: number, orders: { filled: number; record: object }[]) =>
    ({ closed, orders }) as unknown as Parameters<typeof closedWords>[0];
  const filled = (quantity: number, price: number) => ({
    filled: quantity,
    record: { order_status: 'FILLED', order_qty: quantity, filled_qty: quantity, avg_filled_price: price },
  });

  it('tells the average price of several orders, and no price where one is not known', () => {
    expect(closedWords(result(0, []), 1)).toEqual([]);
    expect(closedWords(result(1_800, [filled(1_200, 10_000), filled(600, 10_600)]), -1)).toEqual([
      'bought 1,800 at ₹102.00',
    ]);
    expect(closedWords(result(10, [{ filled: 10, record: { order_status: 'FILLED' } }]), 1)).toEqual(['sold 10']);
  });
});

describe('the sentence of a basket with exits', () => {
  const basketSummary = (more: object, product = 'CNC', stop = -16_230): unknown =>
    basketWords(
      {
        ...{ basket_id: '5', basket_status: 'FILLED', ...more },
        basket_params: { order_delivery_type: `ORDER_DELIVERY_TYPE_${product}`, stoploss_price: stop },
      } as never,
      'Condor',
    ).summary;

  it('says how long the exits of legs are kept that are carried over', () => {
    const stopped = 'Condor: Filled, stop loss where closing costs ₹162.30';
    expect(basketSummary({})).toBe(`${stopped}, exits only until today's close.`);
    expect(basketSummary({ good_till_date: '2026-12-01T10:00:00Z' })).toBe(`${stopped}, exits until 1 Dec 2026.`);
    expect(basketSummary({}, 'IDAY')).toBe(`${stopped}.`);
    expect(basketSummary({}, 'CNC', 0)).toBe('Condor: Filled.');
    expect(basketSummary({ basket_status: 'CLOSED' })).not.toContain('until');
  });

  it('does not tell the levels of a basket that is over, but which exit has closed it', () => {
    const exit = (status: string) => [{ kind: 'STOPLOSS', trigger_price: -16_230, limit_price: -16_400, status }];
    const closed = { basket_status: 'CLOSED' };
    expect(basketSummary(closed)).toBe('Condor: Closed.');
    expect(basketSummary({ ...closed, exits: exit('CANCELLED') })).toBe('Condor: Closed.');
    expect(basketSummary({ ...closed, exits: exit('FILLED') })).toBe('Condor: Closed, closed by its stop loss.');
  });

  it('says that a stop loss was reached and has not filled', () => {
    const exits = [{ kind: 'STOPLOSS', trigger_price: -16_230, limit_price: -16_400, status: 'TRIGGERED' }];
    expect(basketSummary({ exits }, 'IDAY')).toBe(
      'Condor: Filled, stop loss where closing costs ₹162.30, reached but not filled yet.',
    );
  });
});

describe('the sentence of a preview', () => {
  const terms = {
    instrument: { symbol: 'INFY', derivative: false },
    ...{ side: 'BUY', quantity: 1_000, product: 'CNC', priceType: 'LIMIT', price: 1_49_950 },
  } as unknown as Parameters<typeof previewWords>[0];

  it.each([
    [
      'Preview: buy 1,000 INFY (Delivery) at ₹1,499.50, margin ₹14,99,500.00, charges ₹29.05.',
      {},
      { total_margin: 14_99_500_00, total_charges: 29_05 },
    ],
    [
      'Preview: sell 1,000 NIFTY Dec 2026 future (Carried over) at the market, margin ₹1,000.00.',
      { instrument: { symbol: 'NIFTY26DECFUT', derivative: true }, side: 'SELL', priceType: 'MARKET' },
      { total_margin: 1_000_00 },
    ],
    ['Preview: buy 1,000 INFY (Intraday) at ₹1,499.50.', { product: 'IDAY' }, { total_margin: null }],
  ])('%s', (summary, more, margin) => {
    expect(previewWords({ ...terms, ...more } as typeof terms, margin)).toMatchObject({ summary });
  });
});

describe('the sentence of a dry run', () => {
  const at = (time: string): number => Date.parse(`2026-11-20T${time}:00+05:30`);
  const order = {
    instrument: { symbol: 'NIFTY26NOV24500CE', derivative: true },
    ...{ side: 'BUY', quantity: 65, product: 'IDAY', priceType: 'MARKET' },
  } as unknown as Parameters<typeof dryRunWords>[0];

  it.each([
    ['buy 65 NIFTY Nov 2026 24,500 CE (Intraday) at the market.', {}],
    [
      'buy 65 NIFTY Nov 2026 24,500 CE (Intraday) at the market, stop loss at ₹100.00, target at ₹200.00, exit on 20 Nov 2026 at 15:10.',
      {
        exits: {
          stop: { trigger: 10_000, limit: 9_900 },
          target: { trigger: 20_000, limit: 20_000 },
          time: at('15:10'),
        },
      },
    ],
    [
      'sell 65 NIFTY Nov 2026 24,500 CE (Carried over) at ₹99.00 once the price reaches ₹100.00, until 24 Nov 2026.',
      { side: 'SELL', product: 'CNC', priceType: 'LIMIT', price: 9_900, triggerPrice: 10_000, goodTill: '2026-11-24' },
    ],
    [
      'buy 65 NIFTY Nov 2026 24,500 CE (Intraday) at the market, trailing stop at ₹100.00.',
      { exits: { stop: { trigger: 10_000, limit: 9_900, jump: 100 } } },
    ],
    ['buy 65 NIFTY Nov 2026 24,500 CE (Intraday) at the market, stop loss at ₹100.00.', { kept: { stop: 10_000 } }],
  ])('tells an order in rupees: %s', (summary, more) => {
    expect(dryRunWords({ ...order, ...more } as typeof order)).toMatchObject({
      summary: `Dry run, nothing was sent: ${summary}`,
    });
  });

  it('names each leg of a basket', () => {
    const leg = (symbol: string) => ({ side: 'SELL', quantity: 65, instrument: { symbol } });
    const terms = {
      ...{ name: 'Straddle', product: 'IDAY', multiplier: 2, priceType: 'LIMIT', price: -30_000 },
      ...{ legs: [leg('CE'), leg('PE')], stopLossPrice: -39_000, targetPrice: -15_000, exitTime: at('15:10') },
    } as unknown as Parameters<typeof basketDryRunWords>[0];
    expect(basketDryRunWords(terms).summary).toBe(
      'Dry run, nothing was sent: Straddle (Intraday), sell 130 CE, sell 130 PE at ₹300.00 received for each unit, stop loss where closing costs ₹390.00, target where closing costs ₹150.00, exit on 20 Nov 2026 at 15:10.',
    );
  });
});

describe('the sentence of a change that a dry run keeps back', () => {
  it.each([
    [
      'change INFY to quantity 20, price ₹1,510.00, stop loss ₹1,480.00, no target, exit time 20 Nov 2026 at 15:10.',
      {
        ...{ quantity: 20, price: 151_000, stop: { trigger: 148_000, limit: 146_500 }, target: null },
        exitTime: Date.parse('2026-11-20T15:10:00+05:30'),
      },
    ],
    [
      'change INFY to type Stop Loss, leg size 5, trigger price ₹1,490.00, good till 24 Nov 2026.',
      { kind: 'STOPLOSS', legSize: 5, triggerPrice: 149_000, goodTill: '2026-11-24' },
    ],
    [
      'change INFY to no entry condition, no entry time, no exit time.',
      { condition: null, entryTime: null, exitTime: null },
    ],
    ['change INFY to the same.', {}],
  ] as const)('tells an order in rupees: %s', (summary, change) => {
    expect(changeDryRunWords('INFY', change).summary).toBe(`Dry run, nothing was sent: ${summary}`);
  });

  it('tells a basket by what it costs and brings', () => {
    const change = {
      ...{ quantity: 130, price: -30_000, goodTill: '2026-11-24', exitTime: null },
      ...{ stop: { trigger: -39_000, limit: -40_000 }, target: { trigger: 1_500, limit: 1_500 } },
    };
    expect(basketChangeDryRunWords('Straddle', change).summary).toBe(
      'Dry run, nothing was sent: change Straddle to quantity 130, price ₹300.00 received for each unit, stop loss where closing costs ₹390.00, target where closing brings ₹15.00, no exit time, good till 24 Nov 2026.',
    );
  });
});

describe('the result of a closing', () => {
  const order = (filled: number, price: number) => ({
    filled,
    record: { order_status: 'FILLED', filled_qty: filled, avg_filled_price: price },
  });
  const closing = (closed: number, lotMultiplier: number | null, ...orders: ReturnType<typeof order>[]) =>
    ({ closed, orders, instrument: { lotSize: 10, lotMultiplier } }) as unknown as Parameters<
      typeof closingEarnings
    >[0];

  it.each([
    ['bought', 1, 10_000, 'result +₹50.00 before charges'],
    ['sold short', -1, 10_000, 'result −₹50.00 before charges'],
    ['of an unknown average', 1, undefined, undefined],
  ] as const)('counts from the average price what was %s', (_, direction, average, earnings) => {
    const orders = [order(4, 10_400), order(6, 10_566.6667)];
    expect(earningsText(closingEarnings(closing(10, 10, ...orders), average, direction))).toBe(earnings);
  });

  it('counts a commodity by the worth of its lot, and is not told where that or a fill is not known', () => {
    expect(closingEarnings(closing(10, 100, order(10, 10_100)), 10_000, 1)).toBe(10_000);
    expect(closingEarnings(closing(10, null, order(10, 10_100)), 10_000, 1)).toBeUndefined();
    expect(closingEarnings(closing(10, 10, order(9, 10_100)), 10_000, 1)).toBeUndefined();
    expect(closingEarnings(closing(10, 10, order(10, 0)), 10_000, 1)).toBeUndefined();
  });
});

it('an order that was placed before says so in its sentence', () => {
  const item = { summary: 'Filled: bought 65 INFY (Delivery) at ₹1,500.00.' };
  expect(withRepeatNote(item, true).summary).toBe(`${item.summary} It was placed before: nothing was sent again.`);
  expect(withRepeatNote(item, false)).toBe(item);
});
