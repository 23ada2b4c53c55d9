import { setImmediate as turn } from 'node:timers/promises';
import type { FrameBatch } from '../../../sandbox/src/stream/frame-batch';
import { Listeners, type Listener, type StreamTopic } from '../../../sandbox/src/stream/listeners';

const ACCOUNT = 'A1';

/** A listener that notes the numbers of its frames, one list for each time it is sent something. */
class Noting implements Listener {
  readonly received: number[][] = [];

  constructor(readonly mayHoldClock = false) {}

  sendTogether({ frames }: FrameBatch): boolean {
    if (frames.length > 0) this.received.push(frames.map(({ at }) => at));
    return !this.mayHoldClock;
  }
}

function send(listeners: Listeners, from: number, to: number, topic: StreamTopic = 'orders', account = ACCOUNT): void {
  for (let at = from; at <= to; at++)
    listeners.send(account, topic, { frame: new Uint8Array(1), about: undefined, at });
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Lets all that waits go out: a slow machine may give each listener a separate turn. */
async function delivered(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await turn();
}

describe('frames on their way to listeners', () => {
  it('go to each together after the turn in which they were made, in order', async () => {
    const listeners = new Listeners(() => undefined);
    const [noting, other] = [new Noting(), new Noting()];
    listeners.add(ACCOUNT, noting, 'orders');
    listeners.add(ACCOUNT, other, 'orders');
    send(listeners, 1, 3);
    expect(noting.received).toEqual([]);
    await delivered();
    expect([noting.received, other.received]).toEqual([[[1, 2, 3]], [[1, 2, 3]]]);
  });

  it('reach each listener once and in order, however many there are, and whatever comes meanwhile', async () => {
    const listeners = new Listeners(() => undefined);
    const all = Array.from({ length: 100 }, () => new Noting());
    for (const noting of all) listeners.add(ACCOUNT, noting, 'orders');
    send(listeners, 1, 1_000);
    await turn();
    send(listeners, 1_001, 1_500);
    listeners.flush();
    for (const { received } of all) expect(received.flat()).toEqual(numbers(1, 1_500));
  });

  it('go at once to one who holds the clock, and to all others of the account with it', () => {
    const listeners = new Listeners(() => undefined);
    const [holder, other] = [new Noting(true), new Noting()];
    listeners.add(ACCOUNT, other, 'orders');
    listeners.add(ACCOUNT, holder, 'orders');
    send(listeners, 1, 2);
    expect([holder.received, other.received]).toEqual([
      [[1], [2]],
      [[1], [2]],
    ]);
  });

  it('do not reach who comes after them, and reach who leaves after them', async () => {
    const listeners = new Listeners(() => undefined);
    const [early, late] = [new Noting(), new Noting()];
    listeners.add(ACCOUNT, early, 'orders');
    send(listeners, 1, 1);
    listeners.add(ACCOUNT, late, 'orders');
    send(listeners, 2, 2);
    listeners.remove(early, 'orders');
    send(listeners, 3, 3);
    await delivered();
    expect([early.received.flat(), late.received.flat()]).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it('reach those only who listen to their topic and account, topics in the order of what happened', async () => {
    const listeners = new Listeners(() => undefined);
    const [both, orders, stranger] = [new Noting(), new Noting(), new Noting()];
    listeners.add(ACCOUNT, both, 'orders');
    listeners.add(ACCOUNT, both, 'portfolio');
    listeners.add(ACCOUNT, orders, 'orders');
    listeners.add('B2', stranger, 'orders');
    send(listeners, 1, 1);
    send(listeners, 2, 2, 'portfolio');
    send(listeners, 3, 3);
    send(listeners, 4, 4, 'orders', 'B2');
    await delivered();
    expect([both.received, orders.received, stranger.received]).toEqual([[[1, 2, 3]], [[1, 3]], [[4]]]);
    expect(listeners.accounts('portfolio')).toEqual([ACCOUNT]);
  });

  it('are not kept for who has ended', async () => {
    const listeners = new Listeners(() => undefined);
    const [gone, stays] = [new Noting(), new Noting()];
    listeners.add(ACCOUNT, gone, 'orders');
    listeners.add(ACCOUNT, stays, 'orders');
    send(listeners, 1, 1);
    listeners.forget(gone);
    await delivered();
    expect([gone.received, stays.received]).toEqual([[], [[1]]]);
    listeners.forget(stays);
    expect(listeners.has(ACCOUNT, 'orders')).toBe(false);
  });

  it('are noted once for all who got them unchanged, and by themselves for others', async () => {
    const noted: [account: string, at: number, listeners: number][] = [];
    const listeners = new Listeners((account, { at }, count) => noted.push([account, at, count]));
    const gone = new Noting();
    for (const noting of [new Noting(), new Noting(), gone]) listeners.add(ACCOUNT, noting, 'orders');
    listeners.add(ACCOUNT, new Noting(), 'portfolio');
    listeners.add('B2', new Noting(true), 'orders');
    send(listeners, 1, 2);
    send(listeners, 3, 3, 'portfolio');
    listeners.forget(gone);
    send(listeners, 4, 4, 'orders', 'B2');
    await delivered();
    expect(noted).toEqual([
      [ACCOUNT, 1, 2],
      [ACCOUNT, 2, 2],
      [ACCOUNT, 3, 1],
    ]);
  });
});
