import { TriggerRuns } from '../../nodes/BrokerageTrigger/context/runs';

describe('the runs of an account', () => {
  it('are settled when all that were started by then are done, with how many a message has started', async () => {
    const runs = TriggerRuns.of('one account');
    const [first, second] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    runs.add(first.promise);
    runs.add(second.promise);
    let reported: number | undefined;
    const confirmed = runs.allDone().then((count) => (reported = count));
    first.resolve(undefined);
    await first.promise;
    await Promise.resolve();
    expect(reported).toBeUndefined();
    second.resolve(undefined);
    await confirmed;
    expect(reported).toBe(2);
    expect(await runs.allDone()).toBe(0);
    expect(await TriggerRuns.of('another account').allDone()).toBe(0);
    expect(TriggerRuns.of('one account')).toBe(runs);
  });

  it('include those that a request starts which holds the clock', async () => {
    const runs = TriggerRuns.of('a third account');
    const run = Promise.withResolvers<undefined>();
    let reported: number | undefined;
    runs.holdClock(Promise.resolve().then(() => runs.add(run.promise)));
    const confirmed = runs.allDone().then((count) => (reported = count));
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    expect(reported).toBeUndefined();
    run.resolve(undefined);
    await confirmed;
    expect(reported).toBe(1);
  });
});
