/** Settings of the user in the trigger, and those that could never start the workflow. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { passesFilter } from '../../client/stream/delivery/filter';
import { readDayOrders } from '../../client/orders/model/order-record';
import type { OrderEvent } from '../../client/stream/reconciliation/types';
import type { OrderEventType, OrderSnapshot } from '../../client/orders/model/order-snapshot';
import { readOrderSettings } from '../../nodes/BrokerageTrigger/watches/orderEvents';
import { readAlertSettings } from '../../nodes/BrokerageTrigger/watches/priceAlert.settings';

const context = (parameters: Record<string, unknown>) =>
  ({
    getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
    getTimezone: () => 'Asia/Kolkata',
    getNode: () => ({ typeVersion: parameters.typeVersion ?? 1.1 }),
  }) as unknown as ITriggerFunctions;
const orders = (parameters: Record<string, unknown>) => readOrderSettings(context(parameters));

const order = readDayOrders([
  { order_id: '1', ref_id: 7, order_status: 'ORDER_STATUS_FILLED', order_qty: 1, order_side: 'ORDER_SIDE_BUY' },
])[0] as OrderSnapshot;
const event = (type: OrderEventType): OrderEvent => ({
  type,
  maybe: [],
  key: '',
  recovered: false,
  order,
  fill: undefined,
  at: '0',
  happenedAt: '0',
  after: '',
  raw: undefined,
});

describe('the events chosen', () => {
  it('are the only ones, also where only those of the connection are', () => {
    expect(passesFilter(orders({ events: ['connectionLost'] }).filter, event('executed'))).toBe(false);
    expect(passesFilter(orders({ events: ['connectionLost', 'executed'] }).filter, event('executed'))).toBe(true);
  });

  it('are refused where none of them can pass "Only the End of an Order": the workflow would never start', () => {
    const onlyEnds = { onlyEnds: true };
    expect(() => orders({ events: ['fill'], filters: onlyEnds })).toThrow(
      'None of the chosen events is the end of an order.',
    );
    expect(() => orders({ events: ['fill', 'connectionLost'], filters: onlyEnds })).toThrow(
      'None of the chosen events is the end of an order.',
    );
    expect(orders({ events: ['fill', 'executed'], filters: onlyEnds }).filter.onlyEnds).toBe(true);
    expect(orders({ events: ['connectionLost'], filters: onlyEnds }).connectionEvents).toEqual(['connectionLost']);
  });
});

describe('a filter of names', () => {
  const FIELDS = [
    ['instruments', 'Instruments'],
    ['tags', 'Tags'],
    ['tagsLeftOut', 'Tags to Leave Out'],
  ] as const;

  it.each(FIELDS)('is refused where %s names nothing, as no filter or one that nothing has', (name, label) => {
    const filtered = (value: unknown) => () => orders({ events: ['fill'], filters: { [name]: value } });
    for (const value of [' , ', ',', ['', ',']])
      expect(filtered(value)).toThrow(
        expect.objectContaining({ message: `${label} names nothing. Nothing was sent.`, parameter: name }),
      );
    for (const value of ['#N/A', 'INFY, undefined', '{{ticker}}', [{}]])
      expect(filtered(value)).toThrow(
        expect.objectContaining({ message: expect.stringMatching(/which says nothing\.$/), parameter: name }),
      );
  });

  it.each(FIELDS)('takes the names in %s, and none where it is empty', (name) => {
    const words = (value: unknown) => orders({ events: ['fill'], filters: { [name]: value } }).filter[name];
    for (const value of ['', '  ', []]) expect(words(value)).toEqual([]);
    for (const value of ['NSE:INFY, A', ['NSE:INFY', 'A'], 'NSE:INFY,A,'])
      expect(words(value)).toEqual(['NSE:INFY', 'A']);
  });
});

describe('sides and products', () => {
  it('may come from an expression in any case, and what is none of them is refused', () => {
    expect(orders({ events: ['fill'], filters: { sides: 'buy', products: ['Cnc'] } }).filter).toMatchObject({
      sides: ['BUY'],
      products: ['CNC'],
    });
    expect(() => orders({ events: ['fill'], filters: { sides: ['LONG'] } })).toThrow('Sides must be one of BUY, SELL');
    expect(() => orders({ events: ['fill'], filters: { products: ['MIS'] } })).toThrow(
      'Products must be one of CNC, IDAY',
    );
  });
});

describe('a re-arm distance', () => {
  it('is refused where the price could never go back by it', () => {
    const alert = (rearm: number, condition = 'crossesAbove') =>
      readAlertSettings(context({ condition, level: 100, options: { rearm } }));
    expect(() => alert(100)).toThrow('Re-Arm Distance is so large');
    expect(alert(99.5).rule).toMatchObject({ rearm: 9_950 });
    expect(alert(500, 'crossesBelow').rule).toMatchObject({ rearm: 50_000 });
  });
});

describe('a level from the market', () => {
  const level = (more: Record<string, unknown>) =>
    readAlertSettings(context({ typeVersion: 1.2, condition: 'crossesAbove', level: 100, ...more })).rule;
  it('is passed up or down, and has days or minutes where it is of some', () => {
    expect(level({})).toEqual({ kind: 'crossesAbove', level: 10_000, rearm: 0 });
    const rule = { kind: 'movesFrom', price: 0, points: 1, rearm: 0 };
    expect(level({ levelFrom: 'previousHigh' })).toEqual({ ...rule, from: 'previousHigh', direction: 'up' });
    expect(level({ levelFrom: 'movingAverage', averageDays: 200, condition: 'crossesBelow' })).toEqual({
      ...rule,
      ...{ from: 'movingAverage', span: 200, direction: 'down' },
    });
    expect(level({ levelFrom: 'openingRangeLow' })).toMatchObject({ from: 'openingRangeLow', span: 15 });
  });
  it('is refused where it is not known here, or its length is none', () => {
    expect(() => level({ levelFrom: 'pivot' })).toThrow('Level From must be one of');
    expect(() => level({ levelFrom: 'movingAverage', averageDays: 1 })).toThrow('Days of the Average must be from 2');
    expect(() => level({ levelFrom: 'openingRangeHigh', rangeMinutes: 241 })).toThrow('Minutes of the Range must be');
  });
  it('is a typed one in earlier versions', () => {
    expect(level({ typeVersion: 1.1, levelFrom: 'previousHigh' })).toMatchObject({ level: 10_000 });
  });
});

describe('a move by percent', () => {
  const move = (more: Record<string, unknown>) =>
    readAlertSettings(context({ condition: 'moves', percent: 1.25, direction: 'down', ...more })).rule;
  it('is measured from the last alert, as before one could choose', () => {
    expect(move({})).toEqual({ kind: 'moves', hundredths: 125, direction: 'down' });
  });
  it('is measured from the previous close, the open, or a price above 0', () => {
    expect(move({ measuredFrom: 'previousClose' })).toMatchObject({ kind: 'movesFrom', from: 'previousClose' });
    expect(move({ measuredFrom: 'price', fromPrice: 1500.05 })).toMatchObject({ from: 'price', price: 150_005 });
    expect(() => move({ measuredFrom: 'price', fromPrice: 0 })).toThrow('From Price must be above 0.');
    expect(() => move({ measuredFrom: 'yesterday' })).toThrow('Measured From must be one of');
  });
});

describe('a fall or a rise by a distance', () => {
  const turn = (more: Record<string, unknown>) =>
    readAlertSettings(context({ condition: 'fallsBy', distance: 1.25, ...more })).rule;
  it('is measured from the highest or lowest since publication, unless said otherwise', () => {
    expect(turn({})).toEqual({ kind: 'fallsFromHighest', since: 'publication', hundredths: 125, rearm: 0 });
    expect(turn({ condition: 'risesBy', distanceIn: 'rupees', since: 'entry' })).toEqual({
      kind: 'risesFromLowest',
      since: 'entry',
      points: 125,
      rearm: 0,
    });
    expect(turn({ since: 'time', sinceTime: '2026-11-02T09:15:00+05:30' })).toMatchObject({
      since: Date.parse('2026-11-02T09:15:00+05:30'),
    });
  });
  it('is a move down or up from another price', () => {
    expect(turn({ turnsFrom: 'previousClose' })).toMatchObject({
      kind: 'movesFrom',
      direction: 'down',
      hundredths: 125,
    });
    expect(turn({ turnsFrom: 'lastAlert', distanceIn: 'rupees', condition: 'risesBy' })).toEqual({
      kind: 'moves',
      points: 125,
      direction: 'up',
    });
    expect(() => turn({ distance: 0 })).toThrow('Distance must be above 0');
    expect(() => turn({ since: 'time', sinceTime: 'soon' })).toThrow('Since Time');
  });
});

describe('how often to alert', () => {
  const repeat = (more: Record<string, unknown>) => readAlertSettings(context({ level: 100, ...more })).repeat;
  it('is the switch Only Once in a workflow of version 1, and Alert in later ones', () => {
    expect(repeat({ typeVersion: 1, once: true, repeat: 'onceADay' })).toBe('once');
    expect(repeat({ typeVersion: 1 })).toBe('always');
    expect(repeat({ once: true })).toBe('always');
    expect(repeat({ repeat: 'onceADay' })).toBe('onceADay');
  });
});
