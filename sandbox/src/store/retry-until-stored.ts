import type { EventLog } from './event-log';

/** Real milliseconds after which a failed write is tried again. */
const AGAIN_MS = 1_000;

/** Tells once all that waits to be stored is stored; it is tried again and again. */
export function callWhenStored(store: EventLog, onStored: () => void): void {
  const again = setInterval(() => {
    if (!store.triesToCatchUp()) return;
    clearInterval(again);
    onStored();
  }, AGAIN_MS);
  again.unref();
}
