/**
 * Alerts on the put-call ratio in a real n8n: each comes with the frame of the stream that makes its condition true, as an independent reader of
 * the same frames finds it. Tells how long after its frame each run has started.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import { outputOf } from '../scripts/n8n.mjs';
import { root } from '../scripts/support.mjs';
import { openExamples } from './support/examples.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { startRelay } from './support/relay.mjs';
import { brokerageNode, chain } from './support/workflows.mjs';

const { loadSync } = createRequire(import.meta.url)('protobufjs');

const ALERTS = Number(process.env.CHAIN_ALERTS ?? 20);
/** Time for a run to start before it is asked for, milliseconds. */
const PAUSE_MS = 500;
/** The least that can be asked for: a ratio below 1 has moved so far when its fourth decimal changes. */
const PERCENT = 0.01;
const messages = loadSync(['envelope', 'market'].map((name) => path.join(root, 'proto', `${name}.proto`)));

/** The put-call ratio that a frame tells, or undefined where it tells something else. */
function ratioIn(frame) {
  const { data } = messages.lookupType('brokerage.stream.GenericData').decode(frame);
  if (!data?.typeUrl.endsWith('WebSocketMsgOptionChainUpdate')) return undefined;
  const { ce, pe } = messages.lookupType('brokerage.stream.WebSocketMsgOptionChainUpdate').decode(data.value);
  const open = (options) => options.reduce((sum, { oi }) => sum + Number(oi), 0);
  return open(pe) / open(ce);
}

describe('An alert on the put-call ratio in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let relay;
  let workflow;
  /** Each ratio that was sent, with the machine's time, milliseconds. */
  const ratios = [];

  before(
    async () => {
      world = await openExamples({ sandboxOptions: ['--start', '2026-11-20T10:00:00+05:30', '--clock', 'manual'] });
      relay = await startRelay(world.sandbox.port, (data) => {
        const at = Date.now();
        const ratio = ratioIn(data);
        if (ratio !== undefined) ratios.push({ at, ratio });
      });
      const { n8n, credentialData } = world;
      const credential = await n8n.saveCredential(
        'By Way of the Relay',
        'brokerageApi',
        credentialData({ sandboxBaseUrl: relay.url }),
      );
      const trigger = brokerageNode(
        'Put-Call Ratio',
        {
          watch: 'optionChain',
          underlying: 'NIFTY',
          // Open interest of a later expiry grows within a day, so that the ratio moves from minute to minute.
          expiry: 'date',
          expiryDate: '2026-12-08',
          chainFigure: 'putCallRatio',
          chainCondition: 'moves',
          chainPercent: PERCENT,
          chainFrom: 'lastAlert',
          chainDirection: 'both',
          chainRepeat: 'always',
        },
        { type: 'n8n-nodes-brokerage.brokerageTrigger', typeVersion: 1.2 },
      );
      workflow = await n8n.createWorkflow(chain('Put-call ratio', [trigger], credential));
      await n8n.activate(workflow);
      await n8n.child.until(async () => ratios.length > 0, 60_000);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
    await relay?.close();
  });

  /** The frames that make the condition true, by the independent reader. */
  function expected() {
    const found = [];
    let from;
    for (const { at, ratio } of ratios) {
      const value = Math.round(ratio * 10_000);
      if (from === undefined) from = value;
      else if (Math.abs(value - from) * 100 >= from * PERCENT) {
        found.push({ at, value: value / 10_000 });
        from = value;
      }
    }
    return found;
  }

  it('comes with the frame that moves it, each once', async (context) => {
    const { n8n, sandbox } = world;
    const runsOf = async (count) =>
      await n8n.child.until(async () => {
        const all = await n8n.executions(workflow.id);
        return all.length >= count && all.every(({ status }) => status === 'success') && all;
      }, 60_000);
    while (expected().length < ALERTS) {
      const before = ratios.length;
      await sandbox.control('POST', 'clock', { advance: 'PT1M' });
      await n8n.child.until(async () => ratios.length > before, 60_000);
      // One run after the other, and no question to n8n while it starts: else the starts would wait.
      await pause(PAUSE_MS);
      await runsOf(expected().length);
    }
    const frames = expected();
    const runs = await runsOf(frames.length);
    // Two runs that start at the same moment may have their ids the other way round.
    const alerts = [];
    for (const { id } of runs) {
      const run = await n8n.finished(id);
      alerts.push({ ...outputOf(run, 'Put-Call Ratio')[0], startedAt: Date.parse(run.startedAt) });
    }
    alerts.sort((one, other) => one.alert_number - other.alert_number);
    assert.deepEqual(
      alerts.map(({ event, value }) => [event, value]),
      frames.map(({ value }) => ['optionChainAlert', value]),
    );
    const waits = alerts.map(({ startedAt }, at) => startedAt - frames[at].at).sort((a, b) => a - b);
    const [median, most] = [0.5, 0.95].map((share) => waits[Math.floor((waits.length - 1) * share)]);
    context.diagnostic(
      `From frame to start of the run, ${waits.length} alerts: median ${median} ms, 95 % within ${most} ms, longest ${waits.at(-1)} ms; load of the machine ${loadavg()[0].toFixed(1)}`,
    );
  });
});
