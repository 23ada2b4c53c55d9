/** What a trigger remembers. */
import { describe, expect, test } from '@jest/globals';
import { Checkpoint, type CheckpointData } from '../../../../client/stream/delivery/checkpoint';
import { nothingDelivered } from '../../../../client/stream/reconciliation/delivered-state';
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
  test('stays bounded, and drops the orders of an earlier day that are gone', () => {
    const stored: CheckpointData = {};
    const checkpoint = Checkpoint.fresh(stored, [], undefined, 'a');
    for (let id = 1; id <= 5_100; id++) checkpoint.commit(`x${id}`, packState(known));
    expect(Object.keys(stored.orders ?? {})).toHaveLength(5_000);
    checkpoint.startDay('2026-11-23', (id) => id === 'x5000');
    expect(Object.keys(stored.orders ?? {})).toEqual(['x5000']);
  });
  test('says at its top that it has changed, which is what n8n looks at', () => {
    const stored: CheckpointData = {};
    const checkpoint = Checkpoint.fresh(stored, [], undefined, 'a');
    const before = stored.revision;
    checkpoint.commit('1', packState(known));
    expect(stored.revision).not.toBe(before);
  });
});
