/** Runs several tasks at the same time, with their results in order. */

/**
 * Runs a task for each value, `max` at the same time. After a failure no new task begins.
 * @returns the results in the order of the values, whatever the order in which they came.
 * @throws the failure of the first such value in order, after every running task has ended.
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
