/**
 * Rounds in a real n8n that is killed while orders are in progress, and retried; and in one whose clock is set meanwhile. `ROUNDS=300` for
 * more of them: each kill has ten rounds.
 */
import { after, before, describe, it } from 'node:test';
import { TIMEOUT_MS } from './support/limits.mjs';
import {
  Tally,
  among,
  below,
  keyedOrder,
  listening,
  pause,
  retried,
  spoilReplies,
  twoOrders,
} from './support/rounds.mjs';
import { deliver } from './support/workflows.mjs';
import { openWorld } from './support/world.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 10);
/** Rounds in progress when n8n is killed. */
const TOGETHER = 10;
const KILLED_WITHIN_MS = 3_000;
/** By so much the clock of the machine is ahead, or behind. */
const STEPS_MS = [0, 1_000, -1_000, 12_000, -12_000, 61_000, -61_000, 900_000, -900_000, 7_200_000, -7_200_000];
const timeout = TIMEOUT_MS + ROUNDS * 30_000;

describe('Rounds in a real n8n', { timeout }, () => {
  let world;
  let credential;

  before(
    async () => {
      world = await openWorld({ start: '2026-11-18T10:00:00+05:30' });
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      await spoilReplies(world.sandbox);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  it(
    'n8n is killed with orders in progress, then each is retried one to three times, also at once',
    { timeout },
    async () => {
      const { n8n, sandbox } = world;
      const workflow = await n8n.createWorkflow(twoOrders('killed', credential));
      await n8n.activate(workflow);
      const tally = new Tally();
      const seen = new Set();
      for (let from = 0; from < ROUNDS; from += TOGETHER) {
        await listening(n8n, 'killed');
        const before = (await sandbox.stats()).orders_received;
        const rounds = Array.from({ length: TOGETHER }, (_, at) => from + at);
        const delivered = rounds.map(async (round) => {
          await pause(below(800));
          await fetch(`${n8n.url}/webhook/killed`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ round: `${round}x` }),
          }).catch(() => undefined);
        });
        // On a busy machine the first one begins late.
        await n8n.child.until(async () => (await sandbox.stats()).orders_received > before, 120_000);
        await pause(below(KILLED_WITHIN_MS));
        n8n.child.signal('SIGKILL');
        await n8n.child.ended;
        await Promise.all(delivered);
        await n8n.start();
        await n8n.signIn();
        const begun = (await n8n.executions(workflow.id)).filter(({ id }) => !seen.has(id));
        const ended = await Promise.all(begun.map(async ({ id }) => await n8n.finished(id)));
        const tries = await Promise.all(
          ended.map(async (first) => (first.status === 'success' ? [first] : await retried(n8n, first, workflow))),
        );
        for (const { id } of tries.flat()) seen.add(id);
        const journal = await sandbox.journal('order');
        for (const round of rounds)
          tally.judge(`${round}x`, journal, tries.find((all) => roundOf(all[0]) === `${round}x`) ?? []);
        console.log(`${tally.rounds} rounds, ${tally.doubled.length} doubled, ${tally.lost.length} lost`);
      }
      tally.end('Killed and retried');
    },
  );

  it('the clock of the machine is set while orders are in progress', { timeout }, async () => {
    const { n8n, sandbox } = world;
    await n8n.activate(await n8n.createWorkflow(keyedOrder('keyed', credential)));
    await listening(n8n, 'keyed');
    const tally = new Tally();
    for (let round = 0; round < ROUNDS; round++) {
      const sets = async () => {
        await pause(below(1_500));
        world.setMachine(among(STEPS_MS));
        await pause(below(2_000));
        world.setMachine(among(STEPS_MS));
      };
      const name = `${round}y`;
      const [, ...replies] = await Promise.all([
        sets(),
        ...[0, 1].map(async () => {
          await pause(below(600));
          return await deliver(n8n, 'keyed', { round: name });
        }),
      ]);
      tally.judgeKey(
        name,
        await sandbox.journal('order'),
        replies.flatMap(({ json }) => (json === undefined ? [] : [json.order_id])),
      );
      tally.unknown += replies.filter(({ json }) => json === undefined).length;
    }
    world.setMachine(0);
    tally.end('With the clock set');
  });
});

/** The round of an execution, as its webhook was told; of one that died before it was stored, none. */
function roundOf(execution) {
  const [{ body } = {}] = (execution.data?.resultData?.runData?.Webhook ?? []).flatMap(
    (run) => run.data?.main?.[0]?.map(({ json }) => json) ?? [],
  );
  return body?.round ?? execution.data?.executionData?.nodeExecutionStack?.[0]?.data?.main?.[0]?.[0]?.json?.body?.round;
}
