/** Memory of a trigger. */
import { describe, expect, test } from '@jest/globals';
import { Checkpoint, type DeliveryCheckpointData } from '../../../../client/stream/delivery/checkpoint';
import {
  canReplace,
  nothingDelivered,
  type OrderAsDelivered,
} from '../../../../client/stream/reconciliation/order-as-delivered';
import { packState, unpackState } from '../../../../client/stream/reconciliation/state-codec';

describe('a checkpoint', () => {
  const known = {
    ...nothingDelivered(),
    accepted: true,
    end: 'executed' as const,
    modified: '17',
    streamTerms: '1@2@',
    legs: [{ refId: 7, filled: 3, value: 9 }],
    recent: ['a:b'],
  };

  test('keeps what is known of an order as text', () => {
    expect(unpackState(packState(known))).toEqual(known);
    expect(unpackState('nonsense')).toBeUndefined();
    expect(unpackState(5)).toBeUndefined();
  });
  test('starts from what was stored, unless this process remembers something newer', () => {
    const stored: DeliveryCheckpointData = {};
    Checkpoint.fresh(stored, [], undefined, 'a').commit('1', packState(known));
    const newer = Checkpoint.resume({ ...stored }, undefined, 'a') as Checkpoint;
    newer.commit('2', packState(known));
    const ids = (checkpoint: Checkpoint | undefined): string[] =>
      [...(checkpoint as Checkpoint).states()].map(([id]) => id);
    expect(ids(Checkpoint.resume(stored, undefined, 'a'))).toEqual(['1']);
    expect(ids(Checkpoint.resume(stored, newer.data(), 'a'))).toEqual(['1', '2']);
    expect(Checkpoint.resume({}, undefined, 'a')).toBeUndefined();
  });
  const resumed = (stored: DeliveryCheckpointData): Map<string, OrderAsDelivered> =>
    new Map(
      (
        Checkpoint.resume(JSON.parse(JSON.stringify(stored)) as DeliveryCheckpointData, undefined, 'a') as Checkpoint
      ).states(),
    );

  test('drops the orders of an earlier day that are gone', () => {
    const stored: DeliveryCheckpointData = {};
    const checkpoint = Checkpoint.fresh(stored, [], undefined, 'a');
    const open = packState({ ...known, end: '' });
    for (let id = 1; id <= 100; id++) checkpoint.commit(String(id), id % 2 === 0 ? open : packState(known));
    checkpoint.startDay('2026-11-23', (id) => id === '50' || id === '51');
    expect([...resumed(stored).keys()].sort()).toEqual(['50', '51']);
  });
  test('holds a day of 50,000 orders in less than a megabyte, and forgets none', () => {
    const stored: DeliveryCheckpointData = {};
    const checkpoint = Checkpoint.fresh(stored, [], undefined, 'a');
    let id = 1_795_165_545_678_901_234n;
    const ids: string[] = [];
    for (let n = 0; n < 50_000; n++) {
      // Times of a trading day in nanoseconds, and not one after the other.
      id += BigInt(Math.floor(((n * 7_919) % 1_000) * 900_000) - 30_000_000 * (n % 7));
      ids.push(id.toString());
      const end = (['executed', 'cancelled', 'rejected'] as const)[n % 3];
      const legs =
        end === 'executed' ? [{ refId: 1_239_959_629 + (n % 50), filled: 1 + (n % 500), value: 150_000 * n }] : [];
      checkpoint.commit(id.toString(), packState({ ...known, end: end ?? '', legs, modified: id.toString() }));
    }
    expect(JSON.stringify(stored).length).toBeLessThan(1_000_000);
    const states = resumed(stored);
    expect(new Set(states.keys())).toEqual(new Set(ids));
    expect(states.get(ids[3] as string)).toMatchObject({ accepted: true, end: 'executed', legs: [{ filled: 4 }] });
    expect(states.get(ids[4] as string)).toMatchObject({ end: 'cancelled', legs: [] });
  });
  test('knows enough of an order that has ended to return nothing of it again, and to fall in step with the account', () => {
    const stored: DeliveryCheckpointData = {};
    Checkpoint.fresh(stored, [['5', packState(known)]], undefined, 'a');
    const state = resumed(stored).get('5') as OrderAsDelivered;
    expect(canReplace(state, { ...known, modified: '18' })).toBe(true);
    expect(canReplace(state, { ...known, legs: [{ refId: 7, filled: 4, value: 9 }] })).toBe(false);
    expect(unpackState(packState(state))).toEqual(state);
  });
  test('keeps all that is known of a cancelled order with fills, of which more may come to light', () => {
    const stored: DeliveryCheckpointData = {};
    const cancelled = { ...known, end: 'cancelled' as const };
    Checkpoint.fresh(stored, [['5', packState(cancelled)]], undefined, 'a');
    expect(resumed(stored).get('5')).toEqual(cancelled);
  });
  test('keeps in short what is known of orders that have ended, and whole what may be needed of the others', () => {
    const state = (more: Partial<OrderAsDelivered>): OrderAsDelivered => ({
      ...nothingDelivered(),
      accepted: true,
      ...more,
    });
    const leg = (refId: number, filled: number, value = 0) => ({ refId, filled, value });
    const short: Record<string, OrderAsDelivered> = {
      '50': state({ end: 'executed', legs: [leg(7, 3)] }),
      '60': state({ end: 'rejected', accepted: false }),
      '40': state({ end: 'executed', legs: [leg(7, 36)], triggered: true }),
      '41': state({ end: 'cancelled', legs: [leg(9, 0)] }),
      '1758012345678901234': state({ end: 'executed', legs: [leg(1_239_959_629, 5)] }),
    };
    const whole: Record<string, OrderAsDelivered> = {
      '70': state({ legs: [leg(7, 3, 30)] }),
      '71': state({ end: 'executed', legs: [leg(7, 3, 30), leg(8, 3, 30)] }),
      '72': state({ end: 'executed', marks: new Set(['basket']) }),
      '73': state({ end: 'executed', legs: [{ ...leg(7, 3, 30), unstreamed: { quantity: 1, until: '5' } }] }),
      '74': state({
        ...{ end: 'executed', legs: [leg(7, 3, 30)] },
        exits: [{ kind: 'stop', status: 'OPEN', trigger: 5, filled: 0, unstreamed: 0, value: 0, round: 0 }],
      }),
      'no number': state({ end: 'executed' }),
    };
    const stored: DeliveryCheckpointData = {};
    // Not one after the other.
    const all = ['60', '50', '40', '41', '1758012345678901234', ...Object.keys(whole)].map((id): [string, string] => [
      id,
      packState((short[id] ?? whole[id])!),
    ]);
    const checkpoint = Checkpoint.fresh(stored, all, undefined, 'a');
    expect(Object.keys(stored.orders ?? {}).sort()).toEqual(Object.keys(whole).sort());
    const inShort = ({ accepted, triggered, end, legs }: OrderAsDelivered) => ({
      ...{ accepted, triggered, end },
      legs: legs.map(({ refId, filled }) => [refId, filled]),
    });
    const check = (expected: Record<string, OrderAsDelivered>): void => {
      const known = resumed(stored);
      expect([...known.keys()].sort()).toEqual([...Object.keys(expected), ...Object.keys(whole)].sort());
      for (const [id, deliveredState] of Object.entries(expected))
        expect(inShort(known.get(id)!)).toEqual(inShort(deliveredState));
      for (const [id, deliveredState] of Object.entries(whole)) expect(known.get(id)).toEqual(deliveredState);
    };
    check(short);
    const text = stored.ended;
    for (const [id, name] of all) checkpoint.commit(id, name);
    checkpoint.forget(['99']);
    expect(stored.ended).toBe(text);
    expect(Object.keys(stored.orders ?? {}).sort()).toEqual(Object.keys(whole).sort());
    checkpoint.forget(['40', '50']);
    const { '40': _first, '50': _second, ...others } = short;
    check(others);
  });
  test('knows one thing of an order, whether it ended before or after', () => {
    const stored: DeliveryCheckpointData = {};
    const open = packState({ ...known, end: '' });
    const checkpoint = Checkpoint.fresh(
      stored,
      [
        ['1', open],
        ['2', packState(known)],
      ],
      undefined,
      'a',
    );
    checkpoint.commit('1', packState(known));
    checkpoint.commit('2', open);
    expect([...checkpoint.states()].map(([id, { end }]) => [id, end])).toEqual([
      ['1', 'executed'],
      ['2', ''],
    ]);
    expect(checkpoint.data()).toMatchObject({ orders: { '2': open } });
    expect(Object.keys(checkpoint.data().orders ?? {})).toEqual(['2']);
  });
  test('passes by what it cannot read', () => {
    const checkpoint = Checkpoint.resume({ orders: { '1': 'nonsense' }, ended: '1.z;1.5' }, undefined, 'a');
    expect([...checkpoint!.states()].map(([id]) => id)).toEqual(['2']);
  });
  test('is not gone on from by another account; one that an earlier version stored is of this one', () => {
    const stored: DeliveryCheckpointData = {};
    Checkpoint.fresh(stored, [['1', packState(known)]], '5', 'a');
    expect(Checkpoint.resume({ ...stored }, undefined, 'b')).toBeUndefined();
    const { scope: _scope, ...earlierFormat } = stored;
    expect(Checkpoint.resume(earlierFormat, undefined, 'b')).toBeDefined();
    expect((earlierFormat as DeliveryCheckpointData).scope).toBe('b');
  });
  test('goes on from what is stored where this process remembers nothing newer', () => {
    const at = (revision: number, id: string): DeliveryCheckpointData => ({
      revision,
      orders: { [id]: packState({ ...known, end: '' }) },
    });
    const from = (stored: DeliveryCheckpointData, remembered: DeliveryCheckpointData) =>
      [...Checkpoint.resume(stored, remembered, 'a')!.states()].map(([id]) => id);
    expect([from(at(5, '1'), at(4, '2')), from(at(5, '1'), at(5, '2')), from(at(5, '1'), at(6, '2'))]).toEqual([
      ['1'],
      ['1'],
      ['2'],
    ]);
  });
  test('remembers since when baskets matter, and whether they were seen', () => {
    const stored: DeliveryCheckpointData = { revision: 3 };
    const checkpoint = Checkpoint.fresh(stored, [], '17', 'a');
    expect([checkpoint.basketsPast, stored.revision]).toEqual([{ since: '17', isSeen: false }, 4]);
    checkpoint.seeBaskets();
    expect(stored.revision).toBe(5);
    const again = Checkpoint.resume(JSON.parse(JSON.stringify(stored)) as DeliveryCheckpointData, undefined, 'a');
    expect(again?.basketsPast).toEqual({ since: '17', isSeen: true });
  });
  test('clears a day once, and not again', () => {
    const stored: DeliveryCheckpointData = {};
    const basket = packState({ ...known, marks: new Set(['basket']) });
    const checkpoint = Checkpoint.fresh(stored, [['1', basket]], undefined, 'a');
    expect(checkpoint.startDay('2026-11-23', () => false)).toEqual(['1']);
    expect(checkpoint.startDay('2026-11-23', () => false)).toEqual([]);
    expect([...checkpoint.states()]).toHaveLength(1);
  });
  test('holds 100,000 orders, and beyond it forgets the 10,000 oldest', () => {
    const open = packState({ ...known, end: '' });
    const stored: DeliveryCheckpointData = {
      orders: Object.fromEntries(Array.from({ length: 99_998 }, (_, n) => [n + 2, open])),
      ended: '1.5',
    };
    const checkpoint = Checkpoint.resume(stored, undefined, 'a')!;
    const held = (): number => Object.keys(stored.orders ?? {}).length;
    checkpoint.commit('200001', open);
    checkpoint.forget(['200001']);
    checkpoint.commit('200002', open);
    expect([stored.ended, held()]).toEqual(['1.5', 99_999]);
    checkpoint.commit('200003', open);
    // The one that has ended was the oldest.
    expect([stored.ended, held()]).toEqual(['', 90_001]);
    expect(Object.keys(stored.orders ?? {})[0]).toBe('10001');
  });
  test('says at its top that it has changed, which is what n8n looks at', () => {
    const stored: DeliveryCheckpointData = {};
    const checkpoint = Checkpoint.fresh(stored, [], undefined, 'a');
    const before = stored.revision;
    checkpoint.commit('1', packState(known));
    expect(stored.revision).not.toBe(before);
  });
});
