/** A sandbox's clock and the looks of a keeper: it waits for those that a change has asked for, and for no others. */
import type { Moment } from '../../../client/base/ports';
import { EmulationClock } from '../../../client/exit-emulation/emulation-clock';
import { EmulationLoop } from '../../../client/exit-emulation/emulation-loop';
import { InputError } from '../../../client/base/errors';
import { realClock } from '../../support/real-clock';

function bench() {
  const passes: { end: (isStep: boolean) => void; fail: () => void }[] = [];
  const stop = new AbortController();
  const held: boolean[] = [];
  const loop = new EmulationLoop(realClock, stop.signal, (work) => {
    const at = held.push(true) - 1;
    void work.then(() => (held[at] = false));
  });
  const run = loop.run(
    async () =>
      await new Promise<boolean>((resolve, reject) =>
        passes.push({ end: resolve, fail: () => reject(new InputError('refused')) }),
      ),
    () => 10_000,
    (isStep) => isStep,
  );
  return {
    loop,
    passes,
    held,
    stop,
    run,
    settle: async () => await new Promise((resolve) => setImmediate(resolve)),
  };
}

it('the clock waits for the look that begins after a change, not for one that has begun', async () => {
  const { loop, passes, held, settle, stop, run } = bench();
  loop.wake();
  await settle();
  expect([passes.length, held]).toEqual([1, [true]]);
  passes[0]!.end(false);
  await settle();
  expect([passes.length, held]).toEqual([2, [true]]);
  passes[1]!.end(false);
  await settle();
  expect(held).toEqual([false]);
  stop.abort();
  await run;
});

it('the clock waits for all steps of a closing, and no longer than the keeper lives', async () => {
  const { loop, passes, held, settle, stop, run } = bench();
  passes[0]!.end(false);
  await settle();
  loop.wake();
  await settle();
  passes[1]!.end(true);
  await settle();
  expect(held).toEqual([true]);
  stop.abort();
  await run;
  expect(held).toEqual([false]);
  loop.wake();
  expect(held).toEqual([false]);
});

it('a price wakes it for the next try, but not after a look that has failed', async () => {
  const { loop, passes, settle, stop, run } = bench();
  passes[0]!.fail();
  await settle();
  loop.retry();
  await settle();
  expect(passes).toHaveLength(1);
  loop.wake();
  await settle();
  passes[1]!.end(false);
  await settle();
  loop.retry();
  await settle();
  expect(passes).toHaveLength(3);
  stop.abort();
  passes[2]!.end(false);
  await run;
});

it.each([
  ['the market', 'in a sandbox', '0123456789abcdef 2026-11-23', 60_000],
  ['the machine', 'elsewhere', undefined, 1_000],
])('a duration of a keeper passes by the clock of %s %s', (_clock, _where, run, passed) => {
  let [machine, market] = [0, 0];
  const clock = {
    moment: (inMs = 0) => (machine + inMs) as unknown as Moment,
    since: (at: Moment) => machine - Number(at),
  };
  const keeping = new EmulationClock({
    clock,
    marketClock: { now: () => market, run },
  } as unknown as ConstructorParameters<typeof EmulationClock>[0]);
  const begun = keeping.moment();
  machine = 1_000;
  market = 2_000;
  keeping.onPrice(60_000);
  expect(keeping.since(begun)).toBe(passed);
});
