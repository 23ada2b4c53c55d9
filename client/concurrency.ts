/** Several pieces of work under way at the same time, with their results in order. */

/**
 * Does the work for each value, at most so many at the same time. After a failure nothing new is begun.
 * @returns the results in the order of the values, whatever the order in which they came.
 * @throws of the failures the one whose value stands first, when nothing is under way any more.
 */
export async function concurrently<T, R>(
  values: readonly T[],
  max: number,
  work: (value: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: Promise<R>[] = [];
  let next = 0;
  const stop = (): void => void (next = values.length);
  const lane = async (): Promise<void> => {
    while (next < values.length) {
      const at = next++;
      const result = work(values[at]!, at);
      results[at] = result;
      await result.then(() => undefined, stop);
    }
  };
  await Promise.all(Array.from({ length: Math.min(max, values.length) }, lane));
  return await Promise.all(results);
}
