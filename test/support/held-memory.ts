import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const PATIENCE_MS = 20_000;

/** Bytes in use when everything that nobody holds is gone. */
export function heldMemory(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage();
}

/**
 * Waits until no more than so many bytes are held: V8 frees buffers beside the program, so that one look is too early on
 * a busy machine. What somebody holds stays, however long one waits.
 * @returns the bytes seen last, more than `most` where they stay
 */
export async function heldAtMost(max: number, read: (memory: NodeJS.MemoryUsage) => number): Promise<number> {
  const end = Date.now() + PATIENCE_MS;
  for (let held = read(heldMemory()); ; held = read(heldMemory())) {
    if (held <= max || Date.now() > end) return held;
    await pause(50);
  }
}
