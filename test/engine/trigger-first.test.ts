/** The first triggers of a credential that has just been made, in n8n's engine against the sandbox. */
import { startSandbox, type RunningSandbox } from '../../sandbox/src';
import { Engine } from '../support/engine';
import type { RunningTrigger } from '../support/engine-types';
import { credentialFor } from '../support/trigger-bench';

let sandbox: RunningSandbox;
const triggers: RunningTrigger[] = [];
beforeAll(async () => (sandbox = await startSandbox({ seed: 7, rateLimit: 'off' })));
afterAll(async () => {
  for (const trigger of triggers) await trigger.close();
  await sandbox.close();
});

it('the first triggers share one stream: nobody has logged in before them', async () => {
  const engine = await Engine.start(credentialFor(sandbox));
  const opened = async (): Promise<number> => {
    triggers.push(await engine.trigger({ events: ['fill'] }));
    return sandbox.sandbox.stats.streamsOpen;
  };
  expect([await opened(), await opened()]).toEqual([1, 1]);
});
