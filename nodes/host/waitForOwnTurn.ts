import { sleep } from 'n8n-workflow';

let latest: Promise<void> = Promise.resolve();

/**
 * Resolves in a separate turn of the event loop, a millisecond later at the earliest. Executions that begin together would otherwise
 * prepare their items in turns, and all send their requests at the end: so the first sends while the next one prepares.
 */
export async function waitForOwnTurn(): Promise<void> {
  latest = latest.then(async () => await sleep(0));
  await latest;
}
