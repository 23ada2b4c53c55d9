/** A list or a message that shows an order as another one: nothing of it is used. */
import { describe, expect, test } from '@jest/globals';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import { FOREVER } from '../listening';
import { Service, stopLoss, message, accepted } from './account-orders-bench';

describe('an order that is shown as another one', () => {
  const other = (more: object): OrderSnapshot[] =>
    stopLoss('FILLED', 10).map((order): OrderSnapshot => {
      const made = { ...order, ...more };
      return { ...made, legs: made.legs.map((leg) => ({ ...leg, refId: made.instrument.refId })) };
    });
  const [own] = stopLoss('OPEN');
  const OTHERS = [
    ['of another instrument', { instrument: { ...own!.instrument, refId: 8 } }],
    ['on the other side', { side: 'SELL' }],
  ] as const;

  test.each(OTHERS)('makes a list unreadable, and the next one is read: %s', async (_, more) => {
    const service = new Service();
    service.listed = stopLoss('OPEN').map((order) => ({ ...order, side: 'BUY' }));
    await service.account.look(FOREVER);
    service.account.finishReading();
    service.events.length = 0;
    service.listed = other(more);
    expect(await service.account.compare(false, FOREVER)).toBe('unreadable');
    expect(service.account.problem).toMatch(/^Order 5 is shown as .*, and was .*something on the way/);
    expect(service.news).toEqual([]);
    service.listed = stopLoss('FILLED', 10).map((order) => ({ ...order, side: 'BUY' }));
    await service.compare();
    expect(service.news).toEqual(['day entryTriggered recovered fill recovered executed recovered']);
    expect(service.account.problem).toBe('');
  });

  test.each([
    ['of another instrument', { refId: 8 }],
    ['on the other side', { orderSide: 2 }],
  ])('makes a message one that is not used: %s', async (_, more) => {
    const service = new Service();
    service.listed = stopLoss('PENDING').map((order) => ({ ...order, side: 'BUY' }));
    await service.account.look(FOREVER);
    service.events.length = 0;
    expect(service.account.take(message(1, 1, 1, more))).toMatch(/^Order 5 is shown as /);
    expect(service.news).toEqual([]);
    expect(service.account.take(accepted)).toBeUndefined();
    expect(service.news).toEqual(['update accepted']);
  });

  test('makes a list unreadable that shows it under another id, and a second order of the same is one', async () => {
    const service = new Service();
    const [first] = stopLoss('OPEN');
    service.listed = [first!];
    await service.account.look(FOREVER);
    await service.compare();
    service.events.length = 0;
    service.listed = [{ ...first!, orderId: '77' }];
    expect(await service.account.compare(false, FOREVER)).toBe('unreadable');
    expect(service.account.problem).toMatch(/^Order 5 is no longer in the list, which shows it as 77/);
    service.listed = [first!, { ...first!, orderId: '77' }];
    await service.compare();
    expect(service.news).toEqual(['confirmed', 'day accepted recovered']);
  });

  test('is what the list says where a message came before it, and all of its events are told', async () => {
    const service = new Service();
    await service.account.look(FOREVER);
    const ended = message(3, 1, 2, { refId: 8, filledQty: 10 });
    expect(service.account.take(ended)).toBeUndefined();
    expect(service.news.at(-1)).toMatch(/executed/);
    service.listed = stopLoss('OPEN');
    await service.compare();
    expect(service.news).toEqual(['forgotten', 'confirmed', 'day accepted recovered']);
    service.listed = stopLoss('FILLED', 10);
    await service.compare();
    expect(service.news).toEqual(['confirmed', 'day entryTriggered recovered fill recovered executed recovered']);
  });

  test('is what the list says where a message waited for it at a reconnection', async () => {
    const service = new Service();
    await service.account.look(FOREVER);
    service.account.hold();
    expect(service.account.take(message(3, 1, 2, { refId: 8, filledQty: 10 }))).toBeUndefined();
    service.listed = stopLoss('OPEN');
    service.events.length = 0;
    const { contradictions } = await service.account.catchUp(FOREVER);
    expect(contradictions).toEqual([expect.stringMatching(/^Order 5 is shown as .*ref_id 8/)]);
    expect(service.news).toEqual(['day accepted recovered']);
  });
});

describe('a message with the id of another order', () => {
  const [TAG, OTHER_TAG] = ['abcdefghijkl', 'mnopqrstuvwx'];
  const at = (seconds: number): string => `17951655${45 + seconds}000000000`;
  const stamps = (created: string, lastModifiedAt = '0'): object => ({
    svcTimestamps: { intentCreatedAt: created, lastModifiedAt },
  });
  const filled = { filledQty: 10 };

  /** An account that knows the order by its list, with a tag, and by the message of its acceptance. */
  async function following(tag: string): Promise<Service> {
    const service = new Service();
    service.listed = stopLoss('PENDING').map((order) => ({ ...order, tags: [tag] }));
    await service.account.look(FOREVER);
    expect(service.account.take(message(1, 1, 1, { stratTags: [tag], ...stamps(at(0)) }))).toBeUndefined();
    service.events.length = 0;
    return service;
  }

  test.each<[string, object]>([
    ['the tag', { stratTags: [OTHER_TAG] }],
    ['a tag that is another one than before', { stratTags: ['mine'] }],
    ['the time of placing', stamps(at(1))],
    ['the quantity', { orderQty: 20, filledQty: 20 }],
    ['the legs', { refId: 0, intentOrderType: 4, isMulti: true, legs: [{ refId: 8, unitQty: 1 }] }],
  ])('starts nothing: %s', async (_, more) => {
    const service = await following(TAG);
    const contents = { stratTags: [TAG], ...stamps(at(0)), ...filled, ...more };
    expect(service.account.take(message(3, 1, 2, contents))).toMatch(/^Order 5 is shown as .*, and was .* before/);
    expect(service.news).toEqual([]);
    expect(service.account.take(message(3, 1, 2, { stratTags: [TAG], ...filled, ...stamps(at(0)) }))).toBeUndefined();
    expect(service.news).toEqual([expect.stringMatching(/executed/)]);
  });

  test('starts nothing where only the list has shown the order, and another one has its tag', async () => {
    const service = new Service();
    const [first] = stopLoss('OPEN');
    service.listed = [
      { ...first!, tags: ['mine'] },
      { ...first!, orderId: '6', tags: ['yours'] },
    ];
    await service.account.look(FOREVER);
    expect(service.account.take(message(3, 1, 2, { stratTags: ['yours'], ...filled }))).toMatch(/^Order 5 is shown/);
    expect(service.account.take(message(3, 1, 2, { stratTags: ['theirs'], ...filled }))).toBeUndefined();
  });

  test('starts nothing for an id that nobody knows, where its tag is that of a known order', async () => {
    const service = await following(TAG);
    const contents = { intentOrderId: '77', ...filled, ...stamps(at(0)) };
    expect(service.account.take(message(3, 1, 2, { ...contents, stratTags: [TAG] }))).toMatch(
      /^Order 5 is shown as order 77/,
    );
    expect(service.news).toEqual([]);
    // A label of the user may be on many orders, and an order may be placed again under a key.
    expect(service.account.take(message(3, 1, 2, { ...contents, stratTags: ['mine'] }))).toBeUndefined();
    const later = { intentOrderId: '78', stratTags: [TAG], ...stamps(at(9)) };
    expect(service.account.take(message(1, 1, 1, later))).toBeUndefined();
  });

  test('is not what a modification is, whose message may have been lost', async () => {
    const service = await following(TAG);
    const modified = { stratTags: [TAG], orderQty: 20, ...stamps(at(0), at(5)) };
    expect(service.account.take(message(3, 1, 2, { ...modified, filledQty: 20 }))).toBeUndefined();
    expect(service.news).toEqual([expect.stringMatching(/^update modified recovered .*executed/)]);
    const untimed = await following(TAG);
    expect(untimed.account.take(message(1, 2, 1, { stratTags: [TAG], orderQty: 20 }))).toBeUndefined();
    expect(untimed.news).toEqual(['update modified']);
  });
});
