/** What a trigger remembers. */
import { describe, expect, test } from '@jest/globals';
import { Checkpoint, type CheckpointData } from '../../../../client/stream/delivery/checkpoint';
import {
  canReplace,
  nothingDelivered,
  type DeliveredState,
} from '../../../../client/stream/reconciliation/delivered-state';
import { packState, unpackState } from '../../../../client/stream/reconciliation/stored-state';

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
    const stored: CheckpointData = {};
    Checkpoint.fresh(stored, [], undefined, 'a').commit('1', packState(known));
    const newer = Checkpoint.resume({ ...stored }, undefined, 'a') as Checkpoint;
    newer.commit('2', packState(known));
    const ids = (checkpoint: Checkpoint | undefined): string[] =>
      [...(checkpoint as Checkpoint).states()].map(([id]) => id);
    expect(ids(Checkpoint.resume(stored, undefined, 'a'))).toEqual(['1']);
    expect(ids(Checkpoint.resume(stored, newer.data(), 'a'))).toEqual(['1', '2']);
    expect(Checkpoint.resume({}, undefined, 'a')).toBeUndefined();
  });
  const resumed = (stored: CheckpointData): Map<string, DeliveredState> =>
    new Map(
      (Checkpoint.resume(JSON.parse(JSON.stringify(stored)) as CheckpointData, undefined, 'a') as Checkpoint).states(),
    );

  test('drops the orders of an earlier day that are gone', () => {
    const stored: CheckpointData = {};
    const checkpoint = Checkpoint.fresh(stored, [], undefined, 'a');
    const open = packState({ ...known, end: '' });
    for (let id = 1; id <= 100; id++) checkpoint.commit(String(id), id % 2 === 0 ? open : packState(known));
    checkpoint.startDay('2026-11-23', (id) => id === '50' || id === '51');
    expect([...resumed(stored).keys()].sort()).toEqual(['50', '51']);
  });
  test('holds a day of 50,000 orders in less than a megabyte, and forgets none', () => {
    const stored: CheckpointData = {};
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
  test('of an order that has ended knows enough to give out nothing of it again, and to fall in step with the account', () => {
    const stored: CheckpointData = {};
    Checkpoint.fresh(stored, [['5', packState(known)]], undefined, 'a');
    const state = resumed(stored).get('5') as DeliveredState;
    expect(canReplace(state, { ...known, modified: '18' })).toBe(true);
    expect(canReplace(state, { ...known, legs: [{ refId: 7, filled: 4, value: 9 }] })).toBe(false);
    expect(unpackState(packState(state))).toEqual(state);
  });
  test('keeps all that is known of a cancelled order with fills, of which more may come to light', () => {
    const stored: CheckpointData = {};
    const cancelled = { ...known, end: 'cancelled' as const };
    Checkpoint.fresh(stored, [['5', packState(cancelled)]], undefined, 'a');
    expect(resumed(stored).get('5')).toEqual(cancelled);
  });
  test('says at its top that it has changed, which is what n8n looks at', () => {
    const stored: CheckpointData = {};
    const checkpoint = Checkpoint.fresh(stored, [], undefined, 'a');
    const before = stored.revision;
    checkpoint.commit('1', packState(known));
    expect(stored.revision).not.toBe(before);
  });
});
