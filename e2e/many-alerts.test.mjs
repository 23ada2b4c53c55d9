/**
 * Two hundred price alerts on fifty instruments in one n8n, while hours of the market pass: one socket, no requests, level memory.
 * `MANY_ALERTS_MINUTES=60` watches for an hour; the market runs so fast that its session does not end meanwhile.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { withCredential } from '../scripts/n8n.mjs';
import { openWorld } from './support/world.mjs';

const MINUTES = Number(process.env.MANY_ALERTS_MINUTES ?? 1);
/** Hours of the market, at most: a session lasts for seven. */
const MARKET_HOURS = 5;
const SPEED = Math.min(60, Math.max(2, Math.floor((MARKET_HOURS * 60) / MINUTES)));
const TIMEOUT_MS = (MINUTES + 15) * 60_000;
const WORKFLOWS = 25;
/** Of a long run the first part is not counted: n8n makes its own caches meanwhile. */
const SAMPLES = 30;
const WARM_UP = 10;
/** The last samples may be higher than those after the warm-up by so much; what each tick or alert left behind would be more. */
const MAX_GROWTH = 1.1;

const SYMBOLS = (
  'ADANIENT ADANIPORTS APOLLOHOSP ASIANPAINT AXISBANK BAJAJ-AUTO BAJAJFINSV BAJFINANCE BEL BHARTIARTL CIPLA COALINDIA DRREDDY ' +
  'EICHERMOT GRASIM HCLTECH HDFCBANK HDFCLIFE HINDALCO HINDUNILVR ICICIBANK INDUSINDBK INFY ITC JIOFIN JSWSTEEL KOTAKBANK LT M&M ' +
  'MARUTI NESTLEIND NTPC ONGC POWERGRID RELIANCE SBILIFE SBIN SHRIRAMFIN SUNPHARMA TATACONSUM TATASTEEL TCS TECHM TITAN TRENT ' +
  'ULTRACEMCO WIPRO BPCL BRITANNIA HEROMOTOCO'
).split(' ');

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Four alerts of a share that the market does not reach by itself within hours. @param last paise */
function conditionsOf(last) {
  const rupees = (share) => Math.round((last * share) / 100);
  return [
    { condition: 'crossesAbove', level: rupees(1.12) },
    { condition: 'crossesBelow', level: rupees(0.88) },
    { condition: 'leavesBand', low: rupees(0.87), high: rupees(1.13) },
    { condition: 'moves', percent: 14, measuredFrom: 'previousClose' },
  ];
}

/** A workflow with an alert for each condition of each share. */
function workflowOf(name, shares, credential) {
  const nodes = shares.flatMap(({ symbol, last }) =>
    conditionsOf(last).map((parameters, at) => ({
      id: `${symbol}-${at}`,
      name: `${symbol} ${at}`,
      type: 'n8n-nodes-brokerage.brokerageTrigger',
      typeVersion: 1.1,
      position: [0, 0],
      parameters: { watch: 'price', instrument: { __rl: true, mode: 'symbol', value: `NSE:${symbol}` }, ...parameters },
    })),
  );
  const done = {
    id: 'done',
    name: 'Done',
    type: 'n8n-nodes-base.noOp',
    typeVersion: 1,
    position: [220, 0],
    parameters: {},
  };
  const connections = Object.fromEntries(
    nodes.map((node) => [node.name, { main: [[{ node: 'Done', type: 'main', index: 0 }]] }]),
  );
  return withCredential({ name, nodes: [...nodes, done], connections }, credential);
}

describe('Two hundred alerts on fifty instruments in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let shares;
  const workflows = [];

  before(
    async () => {
      world = await openWorld();
      const { n8n, sandbox } = world;
      const credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      const names = encodeURIComponent(SYMBOLS.map((symbol) => `NSE:${symbol}`).join(','));
      const quotes = await sandbox.control('GET', `page/quotes?names=${names}`);
      shares = quotes.map(({ symbol, ref_id: refId, last_price: last }) => ({ symbol, refId, last }));
      assert.equal(shares.length, SYMBOLS.length);
      const each = SYMBOLS.length / WORKFLOWS;
      for (let number = 0; number < WORKFLOWS; number++) {
        const some = shares.slice(number * each, (number + 1) * each);
        const workflow = await n8n.createWorkflow(workflowOf(`Alerts ${number}`, some, credential));
        await n8n.activate(workflow, 240_000);
        workflows.push(workflow);
      }
      // Not before: the code of a login counts for seconds of the market.
      await sandbox.control('POST', 'clock', { speed: SPEED });
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());

  /** Returns the number of runs of each workflow. */
  const runs = async () => {
    const counts = [];
    for (const { id } of workflows) counts.push((await world.n8n.executions(id)).length);
    return counts;
  };

  /** Megabytes that n8n's process holds. */
  const resident = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${world.n8n.child.process.pid}/status`, 'utf8'))?.[1]) / 1024;

  it(`need one socket and no request for ${MINUTES} min at ${SPEED}x, and n8n's memory stays level`, async (context) => {
    const { sandbox } = world;
    // What is read at the start (instruments, what was missed) has been read.
    await pause(5_000);
    const before = await sandbox.stats();
    const memory = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      await pause((MINUTES * 60_000) / SAMPLES);
      memory.push(resident());
    }
    const after = await sandbox.stats();
    const [early, late] = [median(memory.slice(WARM_UP, WARM_UP + 10)), median(memory.slice(-10))];
    context.diagnostic(
      `memory ${memory.map((one) => one.toFixed(0)).join(' ')} MB; frames ${after.frames_sent - before.frames_sent}; requests ${after.requests - before.requests - 1}`,
    );
    assert.equal(after.streams_open, 1);
    // The one request is that of the second count.
    assert.equal(after.requests - before.requests, 1);
    assert.ok(after.frames_sent - before.frames_sent >= MINUTES * 30, 'the market was told');
    assert.deepEqual(
      await runs(),
      workflows.map(() => 0),
    );
    assert.ok(late <= early * MAX_GROWTH, `n8n's memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MB`);
  });

  it('start exactly the runs that somebody asked for when one share rises', async () => {
    const { n8n, sandbox } = world;
    const [{ refId, last }] = shares;
    // Above its level, beyond its band, and by more than its percentage.
    await sandbox.control('POST', 'market', { ref_id: refId, price: Math.round((last * 1.18) / 100) * 100 });
    await n8n.child.until(async () => (await runs())[0] >= 3, 120_000);
    assert.deepEqual(await runs(), [3, ...workflows.slice(1).map(() => 0)]);
  });
});
