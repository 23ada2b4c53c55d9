/** Events that n8n was given just before its process ended. */
import { describe, expect, test } from '@jest/globals';
import { Redelivery, type RedeliveryData } from '../../../../client/stream/delivery/redelivery';
import { VirtualClock } from '../../../support/clock';

const outputs = (n: number) => [{ n }];

function given(...ages: number[]): { clock: VirtualClock; stored: RedeliveryData } {
  const clock = new VirtualClock();
  const stored: RedeliveryData = {};
  const handed = new Redelivery(clock, 'first');
  expect(handed.resume(stored)).toEqual([]);
  const end = clock.now() + Math.max(...ages);
  for (const age of ages) {
    clock.set(end - age);
    handed.add(`key-${age}`, outputs(age));
  }
  clock.set(end);
  return { clock, stored: JSON.parse(JSON.stringify(stored)) as RedeliveryData };
}

describe('what n8n may not have stored', () => {
  test('is given again by another process, the oldest first, and kept by that one', () => {
    const { clock, stored } = given(4_000, 20, 10);
    const again = new Redelivery(clock, 'second').resume(stored);
    expect(again.map(({ key, outputs: of }) => [key, of])).toEqual(
      [4_000, 20, 10].map((age) => [`key-${age}`, outputs(age)]),
    );
    expect(stored.handed?.by).toBe('second');
  });
  test('is not lost when that one ends as well, while it gives the first of them', () => {
    const { clock, stored } = given(4_000, 20, 10);
    const second = new Redelivery(clock, 'second');
    const [first] = second.resume(stored);
    second.add(String(first?.key), outputs(1));
    expect(new Redelivery(clock, 'third').resume(stored).map(({ key }) => key)).toEqual([
      'key-4000',
      'key-20',
      'key-10',
    ]);
  });
  test('is not kept where it is not to be given again', () => {
    const { clock, stored } = given(10);
    expect(new Redelivery(clock, 'second').resume(stored, false)).toEqual([]);
    expect(stored.handed).toEqual({ by: 'second', events: [] });
  });
  test('is not given again by the process that gave it', () => {
    const { clock, stored } = given(10);
    const again = new Redelivery(clock, 'first');
    expect(again.resume(stored)).toEqual([]);
    expect(stored.handed?.events).toHaveLength(1);
    again.add('next', outputs(2));
    expect(stored.handed?.events.map(({ key }) => key)).toEqual(['key-10', 'next']);
  });
  test('is only the newest, and not for long', () => {
    const { clock, stored } = given(60_000, 10_000, 9_999, 0);
    expect(stored.handed?.events.map(({ key }) => key)).toEqual(['key-9999', 'key-0']);
    clock.set(clock.now() + 5 * 60_000 - 1);
    expect(new Redelivery(clock, 'second').resume({ ...stored }).map(({ key }) => key)).toEqual(['key-0']);
    clock.set(clock.now() + 1);
    expect(new Redelivery(clock, 'second').resume({ ...stored })).toEqual([]);
  });
  test('is nothing that n8n says it has run', () => {
    const clock = new VirtualClock();
    const stored: RedeliveryData = {};
    const handed = new Redelivery(clock, 'first');
    handed.resume(stored);
    handed.add('a', outputs(1));
    handed.add('b', outputs(2));
    handed.done('a');
    const before = stored.handed;
    handed.done('a');
    // Nothing has changed: n8n need not store it.
    expect(stored.handed).toBe(before);
    expect(stored.handed?.events.map(({ key }) => key)).toEqual(['b']);
  });
  test('has a moment to be stored before the trigger ends, and none when all was long ago', async () => {
    const clock = new VirtualClock();
    const handed = new Redelivery(clock, 'first');
    handed.resume({});
    await handed.lastIsStored();
    handed.add('a', outputs(1));
    clock.set(clock.now() + 400);
    await handed.lastIsStored();
    clock.set(clock.now() + 60_000);
    await handed.lastIsStored();
    expect(clock.sleeps).toEqual([600, 0]);
  });
});
