import { concurrently } from '../../client/concurrency';

/** Work that ends when the test says so. */
function held() {
  const begun: number[] = [];
  const ends = new Map<number, { resolve: (value: string) => void; reject: (error: Error) => void }>();
  const work = (value: number): Promise<string> => {
    begun.push(value);
    return new Promise((resolve, reject) => ends.set(value, { resolve, reject }));
  };
  const waitForTurn = async (): Promise<void> => void (await new Promise((resolve) => setImmediate(resolve)));
  return { begun, ends, work, settle: waitForTurn };
}

it('runs a bounded number at once, and keeps the order of the values whatever comes first', async () => {
  const { begun, ends, work, settle: waitForTurn } = held();
  const results = concurrently([0, 1, 2, 3], 2, work);
  expect(begun).toEqual([0, 1]);
  ends.get(1)?.resolve('b');
  await waitForTurn();
  expect(begun).toEqual([0, 1, 2]);
  ends.get(2)?.resolve('c');
  ends.get(0)?.resolve('a');
  await waitForTurn();
  ends.get(3)?.resolve('d');
  expect(await results).toEqual(['a', 'b', 'c', 'd']);
});

it('begins nothing after a failure, waits for what has begun, and throws the failure that is first in order', async () => {
  const { begun, ends, work, settle: waitForTurn } = held();
  const results = concurrently([0, 1, 2, 3], 2, work);
  let over = false;
  const failure = results.then(
    () => undefined,
    (error: Error) => {
      over = true;
      return error.message;
    },
  );
  ends.get(1)?.reject(new Error('the second'));
  await waitForTurn();
  expect([begun, over]).toEqual([[0, 1], false]);
  ends.get(0)?.reject(new Error('the first'));
  expect(await failure).toBe('the first');
  expect(begun).toEqual([0, 1]);
});

it('does one after another when one is the most, and nothing for no values', async () => {
  const { begun, ends, work, settle: waitForTurn } = held();
  const results = concurrently([0, 1], 1, work);
  expect(begun).toEqual([0]);
  ends.get(0)?.resolve('a');
  await waitForTurn();
  ends.get(1)?.resolve('b');
  expect(await results).toEqual(['a', 'b']);
  expect(await concurrently([], 4, work)).toEqual([]);
});
