/** Order and moment in which events are handed to n8n. */
import { describe, expect, test } from '@jest/globals';
import { Outbox, type DeliveryLag, type OutboxEntry } from '../../../../client/stream/delivery/outbox';
import type { OrderEvent } from '../../../../client/stream/reconciliation/types';
import { VirtualClock } from '../../../support/clock';

/** n8n, which is done with a run when the test says so. */
class Bench {
  readonly clock = new VirtualClock();
  readonly given: string[][] = [];
  readonly committed: string[] = [];
  readonly lags: DeliveryLag[] = [];
  private readonly runs: (() => void)[] = [];
  readonly outbox: Outbox;

  constructor(count = 1, waitMs = 0) {
    this.outbox = new Outbox({
      clock: this.clock,
      batches: { count, waitMs },
      commit: ({ after }) => void this.committed.push(after),
      deliver: async (events) => {
        this.given.push(events.map(({ key }) => key));
        await new Promise<void>((resolve) => this.runs.push(resolve));
      },
      onLag: (lag) => void this.lags.push(lag),
    });
  }

  /** One event for each name; the order is its first letter. In small letters it is not wanted. */
  add(...names: string[]): void {
    for (const name of names) {
      const orderId = (name[0] as string).toUpperCase();
      const event = { key: name } as OrderEvent;
      this.outbox.add({ orderId, after: name, event: name === name.toLowerCase() ? undefined : event } as OutboxEntry);
    }
  }

  /** Ends the oldest run in progress. */
  async done(): Promise<void> {
    this.runs.shift()?.();
    for (let n = 0; n < 10; n++) await Promise.resolve();
  }
}

describe('what waits for n8n', () => {
  test('is handed over a few runs at a time, and recorded as delivered only then', async () => {
    const bench = new Bench();
    bench.add('A1', 'B1', 'C1', 'D1', 'E1', 'F1', 'G1');
    expect(bench.given.flat()).toEqual(['A1', 'B1', 'C1', 'D1', 'E1']);
    expect(bench.committed).toEqual(bench.given.flat());
    await bench.done();
    expect(bench.given.flat()).toEqual(['A1', 'B1', 'C1', 'D1', 'E1', 'F1']);
    bench.outbox.close();
  });
  test('is handed over one after the other for one order, and does not hold up others', async () => {
    const bench = new Bench();
    bench.add('A1', 'A2', 'B1', 'A3', 'a4');
    expect(bench.given).toEqual([['A1'], ['B1']]);
    await bench.done();
    await bench.done();
    expect(bench.given).toEqual([['A1'], ['B1'], ['A2']]);
    await bench.done();
    await bench.done();
    expect(bench.given).toEqual([['A1'], ['B1'], ['A2'], ['A3']]);
    // What is not wanted is recorded in its turn.
    expect(bench.committed).toEqual(['A1', 'B1', 'A2', 'A3', 'a4']);
    bench.outbox.close();
  });
  test('goes on after three seconds where a run takes long, up to fifty such runs', async () => {
    const bench = new Bench();
    const start = bench.clock.now();
    bench.add(...Array.from({ length: 120 }, (_, n) => `${String.fromCharCode(65 + (n % 26))}${n}`));
    expect(bench.given).toHaveLength(5);
    await bench.clock.sleep(3_100);
    expect(bench.given).toHaveLength(10);
    await bench.clock.sleep(60_000);
    expect(bench.given).toHaveLength(50);
    // A run that hangs is not waited for any more.
    await bench.clock.sleep(start + 10 * 60_000 - 1_000 - bench.clock.now());
    expect(bench.given).toHaveLength(50);
    await bench.clock.sleep(2_000);
    expect(bench.given).toHaveLength(55);
    bench.outbox.close();
  });
  test('makes larger batches where n8n is behind, up to the size that is allowed', async () => {
    const bench = new Bench(3, 1_000);
    bench.add('A1');
    expect(bench.given).toEqual([]);
    await bench.clock.sleep(1_100);
    expect(bench.given).toEqual([['A1']]);
    bench.add('B1', 'B2', 'C1', 'A2');
    expect(bench.given).toEqual([['A1'], ['B1', 'B2', 'C1']]);
    bench.outbox.close();
  });
  test('is recorded at once where it is not wanted and nothing of its order waits, and is no separate run', async () => {
    const bench = new Bench();
    bench.add('a0', 'A1', 'A2', 'B1', 'B2', 'c1', 'a3');
    expect(bench.committed).toEqual(['a0', 'A1', 'B1', 'c1']);
    for (let n = 0; n < 4; n++) await bench.done();
    expect(bench.given).toEqual([['A1'], ['B1'], ['A2'], ['B2']]);
    bench.outbox.close();
  });
  test('fills batches with what is wanted, and hands over each in its time', async () => {
    const bench = new Bench(2, 1_000);
    bench.add('A1', 'a2');
    expect(bench.given).toEqual([]);
    bench.add('B1');
    expect(bench.given).toEqual([['A1', 'B1']]);
    await bench.done();
    for (const name of ['C1', 'D1']) {
      bench.add(name);
      await bench.clock.sleep(1_001);
      await bench.done();
    }
    expect(bench.given.slice(1)).toEqual([['C1'], ['D1']]);
    bench.outbox.close();
  });
  test('stays where it is when the trigger has ended', async () => {
    const bench = new Bench();
    bench.add('A1', 'B1', 'C1', 'D1', 'E1', 'F1');
    bench.outbox.close();
    await bench.done();
    bench.add('G1');
    expect(bench.given.flat()).toEqual(['A1', 'B1', 'C1', 'D1', 'E1']);
    expect(bench.committed).toEqual(bench.given.flat());
  });
  test('is handed over at the end as far as n8n takes it, and the rest is not recorded', () => {
    const bench = new Bench(2, 60_000);
    bench.add('A1');
    bench.outbox.close();
    expect(bench.given).toEqual([['A1']]);
    bench.add('B1');
    expect(bench.committed).toEqual(['A1']);
  });
  test('is not behind while its batch has time, and behind without batches whatever time they would have', async () => {
    const batches = new Bench(3, 10_000);
    batches.add('A1');
    await batches.clock.sleep(6_000);
    batches.add('B1');
    expect(batches.lags).toEqual([]);
    batches.outbox.close();
    const single = new Bench(1, 60_000);
    single.add('A1', 'A2', 'A3', 'a4', 'A5');
    await single.clock.sleep(5_000);
    expect(single.lags).toEqual([]);
    single.add('B1');
    expect(single.lags).toEqual([{ waiting: 3, oldestMs: 5_000 }]);
    single.outbox.close();
  });
  test('is told of when n8n is behind, and when it has caught up', async () => {
    const bench = new Bench();
    bench.add('A1', 'A2', 'A3', 'A4');
    await bench.clock.sleep(4_900);
    expect(bench.lags).toEqual([]);
    await bench.clock.sleep(1_200);
    expect(bench.lags).toEqual([{ waiting: 2, oldestMs: 6_000 }]);
    await bench.clock.sleep(3_000);
    expect(bench.lags.slice(1)).toEqual([{ waiting: 0, oldestMs: 9_000 }]);
    bench.outbox.close();
  });
});
