/** Result of an attempt: the value, or the error that it ended with. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** Waits for a promise. @returns its value, or its error: the caller decides which errors it can go on from. */
export async function attempt<T>(promise: PromiseLike<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await promise };
  } catch (error) {
    return { ok: false, error };
  }
}
