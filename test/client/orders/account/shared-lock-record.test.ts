/** The lock of keyed orders by itself, in virtual time: who may begin, who may send, and what stays in n8n's record. */
import { NetworkError } from '../../../../client/base/errors';
import type { SharedEntries } from '../../../../client/base/ports';
import { SharedLock, type LockHold } from '../../../../client/orders/account/shared-lock';
import { ProcessedData } from '../../../support/processed-data';
import { VirtualTime, seededRandom } from '../../../support/virtual-time';

function setUp() {
  const time = new VirtualTime();
  const data = new ProcessedData(async () => await time.sleep(1));
  const since = time.now();
  const lock = (seed = 1, entries: SharedEntries = data): SharedLock =>
    new SharedLock(entries, time.clock, seededRandom(seed));
  const after = (): number => time.now() - since;
  const isThere = async (): Promise<boolean> => (await time.run(data.count())) > 0;
  return { time, data, lock, after, isThere };
}

/** Work that takes so long, and when it began. */
const working = (time: VirtualTime, ms: number, begun: number[]) => async (): Promise<string> => {
  begun.push(time.now());
  await time.sleep(ms);
  return 'done';
};

it('work of one process goes side by side for three seconds; what comes later acquires the lock again', async () => {
  const { time, data, lock, isThere } = setUp();
  const mine = lock();
  const begun: number[] = [];
  const first = mine.hold(working(time, 5_000, begun));
  await time.run(time.sleep(2_900));
  const second = mine.hold(working(time, 100, begun));
  await time.run(time.sleep(200));
  const third = mine.hold(working(time, 100, begun));
  expect(await time.run(Promise.all([first, second, third]))).toEqual(['done', 'done', 'done']);
  expect(begun[1]! - begun[0]!).toBeLessThan(3_000);
  expect(begun[2]! - begun[0]!).toBeGreaterThanOrEqual(5_000);
  expect(data.made).toBe(2);
  await time.run(time.sleep(600));
  expect(await isThere()).toBe(false);
});

it('the lock keeps its record until its last work has ended, and removes it soon after', async () => {
  const { time, lock, isThere } = setUp();
  const mine = lock();
  const both = [mine.hold(working(time, 1_000, [])), mine.hold(working(time, 2_000, []))];
  await time.run(time.sleep(1_900));
  expect(await isThere()).toBe(true);
  await time.run(Promise.all(both));
  await time.run(time.sleep(600));
  expect(await isThere()).toBe(false);
});

it('the lock is released by work that fails', async () => {
  const { time, lock, isThere } = setUp();
  await expect(time.run(lock().hold(async () => await Promise.reject(new Error('no'))))).rejects.toThrow('no');
  await time.run(time.sleep(600));
  expect(await isThere()).toBe(false);
});

it('a holder whose work takes long changes its record, stays sure, and is not broken by one that waits', async () => {
  const { time, lock } = setUp();
  let held: LockHold | undefined;
  let began = 0;
  const long = lock(1).hold(async (hold) => {
    held = hold;
    await time.sleep(70_000);
  });
  await time.run(time.sleep(1_000));
  const other = lock(2).hold(async () => void (began = time.now()));
  const from = time.now();
  await time.run(time.sleep(60_000));
  expect(held!.isSure()).toBe(true);
  expect(began).toBe(0);
  await time.run(Promise.all([long, other]));
  expect(began - from).toBeGreaterThan(68_000);
});

it.each([
  ['its own is removed', async () => undefined, false],
  [
    'one that another process made since stays',
    async (data: ProcessedData) => {
      await data.clear();
      await data.add(['held', 'by another']);
    },
    true,
  ],
] satisfies [string, (data: ProcessedData) => Promise<void>, boolean][])(
  'a holder is sure for twenty-five seconds after it last changed its record; then %s',
  async (_, meanwhile, stays) => {
    const { time, data, lock } = setUp();
    let held: LockHold | undefined;
    const long = lock().hold(async (hold) => {
      held = hold;
      data.isDown = true;
      await time.sleep(60_000);
    });
    await time.run(time.sleep(24_500));
    expect(held!.isSure()).toBe(true);
    await time.run(time.sleep(1_000));
    expect(held!.isSure()).toBe(false);
    data.isDown = false;
    await time.run(meanwhile(data));
    await time.run(long);
    await time.run(time.sleep(1_000));
    expect((await time.run(data.count())) > 0).toBe(stays);
  },
);

it('a process that is still at it lets others in before it takes the lock again', async () => {
  const { time, lock } = setUp();
  const order: string[] = [];
  const [keyLock, two] = [lock(1), lock(2)];
  const works = [keyLock.hold(async () => await time.sleep(3_500))];
  await time.run(time.sleep(3_200));
  works.push(keyLock.hold(async () => void order.push('the same')));
  works.push(two.hold(async () => void order.push('another')));
  await time.run(Promise.all(works));
  expect(order).toEqual(['another', 'the same']);
});

it('gives up after two minutes of others, says so, and has sent nothing', async () => {
  const { time, data, lock, after } = setUp();
  let isOver = false;
  const busy = (async () => {
    for (let mark = 0; !isOver; mark++) {
      await data.add(['held', `${mark}`]);
      await time.sleep(5_000);
    }
  })();
  const begun: number[] = [];
  const error: unknown = await time.run(lock().hold(working(time, 1, begun))).catch((item: unknown) => item);
  isOver = true;
  await time.run(busy);
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({
    message: expect.stringMatching(/^Other processes of n8n/) as string,
    maySent: false,
    hint: expect.stringContaining('Nothing was sent') as string,
  });
  expect(after()).toBeGreaterThanOrEqual(120_000);
  expect(after()).toBeLessThan(130_000);
  expect(begun).toEqual([]);
});

it("gives up after ten failures of n8n's database, each a pause apart", async () => {
  const { time, data, lock, after } = setUp();
  data.isDown = true;
  await expect(time.run(lock().hold(async () => undefined))).rejects.toMatchObject({
    message: expect.stringMatching(/^n8n's database did not take the lock/) as string,
    maySent: false,
  });
  expect(after()).toBeGreaterThan(2_000);
  expect(after()).toBeLessThan(4_500);
  data.isDown = false;
  expect(await time.run(lock().hold(async () => 'done'))).toBe('done');
});

it('failures that are not in a row do not add up', async () => {
  const { time, data, lock } = setUp();
  await time.run(data.add(['held']));
  const waiting = lock().hold(async () => 'done');
  for (let outage = 0; outage < 4; outage++) {
    data.isDown = true;
    await time.run(time.sleep(1_200));
    data.isDown = false;
    await time.run(time.sleep(1_000));
  }
  await time.run(data.clear());
  expect(await time.run(waiting)).toBe('done');
});

it('tries to remove its record three times', async () => {
  const { time, data, lock, isThere } = setUp();
  let failures = 2;
  const entries: SharedEntries = {
    add: data.add,
    count: data.count,
    clear: async () => {
      if (failures-- > 0) throw new Error('busy');
      await data.clear();
    },
  };
  await time.run(lock(1, entries).hold(async () => undefined));
  await time.run(time.sleep(2_000));
  expect(await isThere()).toBe(false);
  expect(failures).toBe(-1);
});

describe('what was sent', () => {
  /** A holder that has sent these, and a list that shows them later. */
  function sending(listed: () => readonly string[], kind = 'order') {
    const item = setUp();
    let reads = 0;
    const read = async (): Promise<readonly string[]> => {
      reads += 1;
      return listed();
    };
    const held = item.lock().hold(async ({ untilListed }) => untilListed(kind, ['mine-abcdefghijkl', 'b'], read));
    return { ...item, held, reads: () => reads };
  }

  it('keeps the lock until the list shows all of it, whatever its label there', async () => {
    let listed: string[] = [];
    const { time, held, isThere } = sending(() => listed);
    await time.run(held);
    listed = ['other-abcdefghijkl'];
    await time.run(time.sleep(3_000));
    expect(await isThere()).toBe(true);
    listed = ['other-abcdefghijkl', 'b'];
    await time.run(time.sleep(1_500));
    expect(await isThere()).toBe(false);
  });

  it('keeps the lock for twenty seconds where the list never shows it, or cannot be read', async () => {
    for (const bad of [[], undefined]) {
      const { time, held, isThere, reads } = sending(
        () =>
          bad ??
          (() => {
            throw new Error('busy');
          })(),
      );
      await time.run(held);
      await time.run(time.sleep(19_500));
      expect(await isThere()).toBe(true);
      await time.run(time.sleep(2_000));
      expect(await isThere()).toBe(false);
      expect(reads()).toBeGreaterThan(15);
      expect(reads()).toBeLessThan(35);
    }
  });

  it('keeps the lock by its own list: a basket of the same tag is not the order', async () => {
    const { time, lock, isThere } = setUp();
    const held = lock().hold(async ({ untilListed }) => {
      untilListed('order', ['a'], async () => []);
      untilListed('basket', ['a'], async () => ['a']);
    });
    await time.run(held);
    await time.run(time.sleep(3_000));
    expect(await isThere()).toBe(true);
  });
});

describe('one that is stopped', () => {
  it('begins nothing, whether it waits for the lock or for its own process', async () => {
    const { time, data, lock } = setUp();
    const begun: number[] = [];
    await expect(
      time.run(lock().hold(working(time, 1, begun), AbortSignal.abort(new Error('stopped')))),
    ).rejects.toThrow('stopped');
    expect(data.made).toBe(0);
    const mine = lock();
    const first = mine.hold(async () => await time.sleep(10_000));
    await time.run(time.sleep(4_000));
    const stop = new AbortController();
    const second = mine.hold(working(time, 1, begun), stop.signal);
    void time.sleep(1_000).then(() => stop.abort(new Error('stopped')));
    const from = time.now();
    await expect(time.run(second)).rejects.toThrow('stopped');
    expect(time.now() - from).toBeLessThan(1_300);
    await time.run(first);
    expect(begun).toEqual([]);
  });
});

it('one of several that break the record of a dead holder at the same moment holds it, though the database is slow', async () => {
  for (let seed = 30; seed < 36; seed++) {
    const time = new VirtualTime();
    const random = seededRandom(seed);
    const data = new ProcessedData(async () => await time.sleep(random() * 400));
    await time.run(data.add(['held', 'by a process that was killed']));
    let holders = 0;
    let max = 0;
    // All take it for dead at the same moment.
    const locks = Array.from({ length: 4 }, () => new SharedLock(data, time.clock, seededRandom(seed)));
    const works = locks.map((lock) =>
      lock.hold(async () => {
        max = Math.max(max, ++holders);
        await time.sleep(800);
        holders -= 1;
      }),
    );
    await time.run(Promise.all(works));
    expect([seed, max]).toEqual([seed, 1]);
  }
});
