import {
  marketClosedAdvice,
  marketHours,
  mayBeAfterHours,
  sessionWaits,
  type PlacedOrder,
} from '../../../../client/orders/account/market-closed-advice';
import { isInHours, nextOpening } from '../../../../client/market/calendar/trading-hours';
import { rejectedOrderError } from '../../../../client/orders/placing/outcome';
import { msToNanos, toIst } from '../../../../client/values/time';
import type { OrderTerms } from '../../../../client/orders/model/order-terms';
import { INFY, LIMIT_BUY } from '../support';

const at = (time: string): number => Date.parse(`${time}:00+05:30`);
const opening = (exchange: string, time: string): string | undefined => {
  const opens = nextOpening(exchange, at(time));
  return opens === undefined ? undefined : toIst(opens).slice(0, 16);
};

it.each([
  ['NSE', 'before the opening', '2026-11-20T08:00', '2026-11-20T09:15'],
  ['NSE', 'at the opening', '2026-11-20T09:15', '2026-11-23T09:15'],
  ['NSE', 'on a Friday evening', '2026-11-20T16:00', '2026-11-23T09:15'],
  ['BSE', 'on a Sunday', '2026-11-22T11:00', '2026-11-23T09:15'],
  ['NSE', 'the evening before a holiday', '2026-11-23T16:00', '2026-11-25T09:15'],
  ['NSE', 'on a holiday', '2026-11-24T11:00', '2026-11-25T09:15'],
  ['MCX', 'at night', '2026-11-19T23:58', '2026-11-20T09:00'],
  ['MCX', 'before a holiday, of whose evening nothing is known', '2026-11-23T23:58', undefined],
  ['NSE', 'after the last year whose holidays are known', '2027-12-31T16:00', undefined],
])('%s %s opens next when it is known to', (exchange, _, time, expected) => {
  expect(opening(exchange, time)).toBe(expected);
});

it.each([
  ['NSE', false, '2026-11-20T15:29', true],
  ['NSE', false, '2026-11-20T15:30', false],
  ['NSE', true, '2026-11-20T15:30', true],
  ['NSE', false, '2026-11-24T11:00', false],
  ['MCX', true, '2026-11-24T18:00', undefined],
  ['MCX', true, '2026-11-24T08:00', false],
  ['NSE', false, '2028-01-03T11:00', undefined],
])('%s, derivative %s, at %s: is in its hours: %s', (exchange, derivative, time, expected) => {
  expect(isInHours(exchange, derivative, at(time))).toBe(expected);
});

const record = (more: object = {}) => ({
  order_id: '7',
  exchange: 'NSE',
  order_status: 'ORDER_STATUS_REJECTED',
  order_time: msToNanos(at('2026-11-20T11:00')),
  ...more,
});

it.each([
  ['MARKET_CLOSED: NSE takes no orders for INFY now', true],
  ['Market is closed', true],
  ['The exchange is not open', true],
  ['Order placed outside market hours', true],
  ['After market orders are not allowed', true],
  ['INSUFFICIENT_MARGIN', false],
  ['the position is closed', false],
  ['MARKET_HALTED: trading is halted, the exchange takes no orders', false],
  ['', false],
])('%s in the hours means a closed market: %s', (reason, closed) => {
  expect(marketClosedAdvice(record(), reason) !== undefined).toBe(closed);
});

const evening = { order_time: msToNanos(at('2026-11-20T16:00')) };

it('an order that the closed market refused says when it opens next, by the time of the order', () => {
  const order = record({ ...evening, rejection_msg: 'MARKET_CLOSED: NSE takes no orders for INFY now' });
  expect(rejectedOrderError(order, 'tag').hint).toContain(
    'is closed, and the order does not wait. NSE opens next on 23 Nov',
  );
});

it('the hours tell that the market is probably closed where there is no reason', () => {
  expect(rejectedOrderError(record(evening), 'tag').hint).toContain('is probably closed');
  expect(rejectedOrderError(record(), 'tag').hint).toContain("Your broker's app");
});

it('an intraday order that was refused without a reason shortly before the close came too late, probably', () => {
  const late = (more: object) => rejectedOrderError(record(more), 'tag').hint;
  const order_delivery_type = 'ORDER_DELIVERY_TYPE_IDAY';
  const order_time = msToNanos(at('2026-11-20T15:20'));
  expect(late({ order_time, order_delivery_type })).toMatch(/no new intraday orders .* Choose the product Delivery/);
  expect(late({ order_time, order_delivery_type })).toContain("Your broker's app");
  for (const other of [{ order_time }, { order_delivery_type }, { order_time: '-5', order_delivery_type }])
    expect(late(other)).not.toContain('intraday');
});

it('another reason counts, whatever the hour', () => {
  expect(marketClosedAdvice(record(evening), 'INSUFFICIENT_MARGIN')).toBeUndefined();
});

it('a contract trades longer than a share', () => {
  const late = record({ order_time: msToNanos(at('2026-11-20T15:35')), ref_data: { stock_name: 'NIFTY26NOVFUT' } });
  expect(marketClosedAdvice(late, '')).toBeUndefined();
});

it('no opening is named where the time of the order is not known', () => {
  expect(marketClosedAdvice(record({ order_time: '-5' }), 'Market is closed')).not.toContain('opens next');
  expect(marketClosedAdvice(record({ order_time: '-5' }), '')).toBeUndefined();
});

it('a basket is of the exchange of its legs', () => {
  const { order_time, exchange } = record(evening);
  expect(marketClosedAdvice({ order_time, orders: [{ exchange }] }, '')).toContain('NSE opens next');
});

describe('an intent order that waits for the next session', () => {
  const friday = (time: string): number => at(`2026-11-20T${time}`);
  const intent = (time: string | undefined, more: object = {}) =>
    ({
      intent_status: 'OPEN',
      order_status: 'ORDER_STATUS_OPEN',
      ...(time === undefined ? {} : { order_time: msToNanos(friday(time)) }),
      ...more,
    }) as unknown as PlacedOrder['record'];
  const asking = (preview: () => Promise<unknown>, environment: 'live' | 'sandbox' = 'live') => {
    let requested: unknown[] = [];
    const context = {
      environment,
      transport: { clock: { now: () => friday('16:00') } },
      orders: {
        preview: async (...args: unknown[]) => {
          requested = args;
          return await preview();
        },
      },
    } as unknown as Parameters<typeof sessionWaits>[1];
    return { context, asked: () => requested };
  };
  const waits = async () => ({ waits_for_next_session: true });
  const waitOf = async (record: PlacedOrder['record'], context: Parameters<typeof sessionWaits>[1]) =>
    (await sessionWaits([{ record, terms: LIMIT_BUY }], context))[0];

  it('says so, and when its market opens: by the time of the record, on Live by ours where it has none', async () => {
    for (const time of ['16:00', undefined]) {
      const { context, asked: requested } = asking(waits);
      expect(await waitOf(intent(time), context)).toEqual({
        waits_for_next_session: true,
        next_session: '2026-11-23T09:15:00.000+05:30',
      });
      expect(requested()).toMatchObject([[LIMIT_BUY], { withPortfolio: true }]);
    }
  });

  it('is asked for in the last half hour too: it may have come after the broker squared off, or in the closing auction', async () => {
    const placed = (time: string, product: OrderTerms['product']) => ({
      record: intent(time),
      terms: { ...LIMIT_BUY, product },
    });
    const waiting = { waits_for_next_session: true, next_session: '2026-11-23T09:15:00.000+05:30' };
    const { context } = asking(waits);
    const orders = [placed('15:20', 'IDAY'), placed('15:20', 'CNC'), placed('14:55', 'IDAY')];
    expect(await sessionWaits(orders, context)).toEqual([waiting, waiting, undefined]);
  });

  it.each<[string, PlacedOrder['record'], () => Promise<unknown>, 'live' | 'sandbox']>([
    ['came in the hours of its market', intent('11:00'), waits, 'live'],
    ['has ended', intent('16:00', { order_status: 'ORDER_STATUS_FILLED' }), waits, 'live'],
    ['is of the older interface', intent('16:00', { intent_status: undefined }), waits, 'live'],
    ['tells no time, where our clock says nothing', intent(undefined), waits, 'sandbox'],
    ['does not wait', intent('16:00'), async () => ({ waits_for_next_session: false }), 'live'],
    ['nobody can tell of', intent('16:00'), async () => await Promise.reject(new Error('busy')), 'live'],
  ])('is none that %s', async (_, order, preview, environment) => {
    expect(await waitOf(order, asking(preview, environment).context)).toBeUndefined();
  });

  it('is asked for once for all orders of a market, and again only where the service does not answer', async () => {
    const asked: string[] = [];
    const busy = new Set<number>();
    const { context } = asking(waits);
    const preview = async ([{ instrument, quantity }]: readonly [OrderTerms]): Promise<unknown> => {
      asked.push(`${instrument.exchange} ${quantity}`);
      if (busy.has(quantity)) throw new Error('busy');
      return { waits_for_next_session: instrument.exchange === 'NSE' };
    };
    const requested = { ...context, orders: { preview } } as unknown as Parameters<typeof sessionWaits>[1];
    const order = (quantity: number, instrument: OrderTerms['instrument'] = INFY): PlacedOrder => ({
      record: intent('16:00'),
      terms: { ...LIMIT_BUY, quantity, instrument },
    });
    const many = [
      ...Array.from({ length: 300 }, (_, index) => order(index + 1)),
      order(1, { ...INFY, exchange: 'BSE' }),
      { ...order(9), record: intent('11:00') },
    ];
    const found = await sessionWaits(many, requested);
    expect(asked).toEqual(['NSE 1', 'BSE 1']);
    expect(found.map((wait) => wait?.waits_for_next_session === true)).toEqual(many.map((_, index) => index < 300));
    for (const quantity of [1, 2]) busy.add(quantity);
    expect((await sessionWaits(many, requested)).filter(Boolean)).toHaveLength(300);
    expect(asked.slice(2)).toEqual(['NSE 1', 'NSE 2', 'NSE 3', 'BSE 1']);
    for (let quantity = 1; quantity <= 300; quantity++) busy.add(quantity);
    expect((await sessionWaits(many, requested)).filter(Boolean)).toEqual([]);
    expect(asked.slice(6)).toEqual(['NSE 1', 'NSE 2', 'NSE 3', 'BSE 1']);
  });

  it('may be after hours only where its time is known', () => {
    const { context } = asking(waits, 'sandbox');
    expect(mayBeAfterHours(intent('16:00'), INFY, context)).toBe(true);
    expect(mayBeAfterHours(intent('11:00'), INFY, context)).toBe(false);
    expect(mayBeAfterHours(intent(undefined), INFY, context)).toBe(false);
  });
});

describe('the hours of an instrument now', () => {
  const requested = (environment: 'live' | 'sandbox', now: string, headers?: Record<string, string>) =>
    ({
      environment,
      transport: {
        clock: { now: () => at(now) },
        fetch: async () => (headers === undefined ? await Promise.reject(new Error('down')) : { headers }),
      },
    }) as unknown as Parameters<typeof marketHours>[2];

  it('are told by our clock on Live, and by the service where it may have another', async () => {
    const open = { in_market_hours: true, next_session: null };
    const closed = { in_market_hours: false, next_session: '2026-11-23T09:15:00.000+05:30' };
    const unknown = { in_market_hours: null, next_session: null };
    expect(await marketHours(INFY, false, requested('live', '2026-11-20T11:00'))).toEqual(open);
    expect(await marketHours(INFY, false, requested('live', '2026-11-20T16:00'))).toEqual(closed);
    const late = { ...closed, in_market_hours: true };
    expect(await marketHours(INFY, true, requested('live', '2026-11-20T15:12'))).toEqual(late);
    const date = new Date(at('2026-11-20T16:00')).toUTCString();
    expect(await marketHours(INFY, false, requested('sandbox', '2026-11-20T11:00', { date }))).toEqual(closed);
    expect(await marketHours(INFY, false, requested('sandbox', '2026-11-20T11:00', {}))).toEqual(unknown);
    expect(await marketHours(INFY, false, requested('sandbox', '2026-11-20T11:00'))).toEqual(unknown);
  });
});
