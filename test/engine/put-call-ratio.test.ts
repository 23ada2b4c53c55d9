/**
 * Alerts on the put-call ratio in n8n's engine: each comes with the frame of the stream that makes its condition true, as an independent reader
 * of the same frames (protobufjs) finds it, and the run starts within 100 ms of the frame.
 */
import path from 'node:path';
import { loadSync } from 'protobufjs';
import { startSandbox, type RunningSandbox } from '../../sandbox/src';
import { Engine } from '../support/engine';
import { startRelay, type Relay } from '../support/relay';
import { credentialFor, is, json } from '../support/trigger-bench';

const ALERTS = 20;
/** The smallest move that may be asked for, percent: a ratio near 1 has moved so far when its fourth decimal changes. */
const PERCENT = 0.01;
const WITHIN_MS = 100;
const folder = path.resolve(__dirname, '..', '..', 'proto');
const messages = loadSync(['envelope', 'market'].map((name) => path.join(folder, `${name}.proto`)));

/** The put-call ratio in ten-thousandths that a frame tells; undefined if it tells of something else. */
function ratioIn(frame: Buffer): number | undefined {
  const { data } = messages.lookupType('brokerage.stream.GenericData').decode(frame) as unknown as {
    data?: { typeUrl: string; value: Buffer };
  };
  if (data?.typeUrl.endsWith('WebSocketMsgOptionChainUpdate') !== true) return undefined;
  const chain = messages.lookupType('brokerage.stream.WebSocketMsgOptionChainUpdate').decode(data.value);
  const { ce, pe } = chain as unknown as Record<'ce' | 'pe', { oi: unknown }[]>;
  const open = (legs: readonly { oi: unknown }[]): number => legs.reduce((sum, { oi }) => sum + Number(oi), 0);
  return Math.round((open(pe) / open(ce)) * 10_000);
}

let sandbox: RunningSandbox;
let relay: Relay;
const frames: { at: number; ratio: number }[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, rateLimit: 'off', start: '2026-11-20T10:00:00+05:30', clock: '240x' });
  relay = await startRelay(Number(new URL(sandbox.url).port), (frame) => {
    const ratio = ratioIn(frame);
    if (ratio !== undefined) frames.push({ at: performance.now(), ratio });
  });
});
afterAll(async () => {
  await relay.close();
  await sandbox.close();
});

/** The frames that move the ratio so far since the alert before. */
function moving(): { at: number; ratio: number }[] {
  const found: { at: number; ratio: number }[] = [];
  let from: number | undefined;
  for (const frame of frames) {
    if (from !== undefined && Math.abs(frame.ratio - from) * 100 < from * PERCENT) continue;
    if (from !== undefined) found.push(frame);
    from = frame.ratio;
  }
  return found;
}

it('an alert on the put-call ratio starts its run with the frame that moves it, each once', async () => {
  const engine = await Engine.start({ ...credentialFor(sandbox), sandboxBaseUrl: relay.url });
  const trigger = await engine.trigger(
    {
      watch: 'optionChain',
      underlying: 'NIFTY',
      exchange: 'NSE',
      expiry: 'date',
      expiryDate: '2026-12-08',
      chainFigure: 'putCallRatio',
      chainCondition: 'moves',
      chainPercent: PERCENT,
      chainFrom: 'lastAlert',
      chainDirection: 'both',
      chainRepeat: 'always',
    },
    { typeVersion: 1.2 },
  );
  const started: { at: number; value: number }[] = [];
  const enough = trigger.waitFor((emitted) => {
    if (is('optionChainAlert')(emitted))
      started.push({ at: performance.now(), value: Math.round(Number(json(emitted).value) * 10_000) });
    return started.length >= ALERTS;
  });
  await enough;
  await trigger.close();
  const expected = moving().slice(0, ALERTS);
  expect(started.map(({ value }) => value)).toEqual(expected.map(({ ratio }) => ratio));
  const waits = started.map(({ at }, index) => at - expected[index]!.at).sort((a, b) => a - b);
  expect(waits[ALERTS >> 1]).toBeLessThan(WITHIN_MS);
});
