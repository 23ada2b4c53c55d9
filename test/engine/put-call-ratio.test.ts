/**
 * Alerts on the put-call ratio in n8n's engine: each comes with the frame of the stream that makes its condition true, as an independent reader
 * of the same frames (protobufjs) finds it. How soon, `npm run e2e -- option-chain-alert` measures.
 */
import path from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { loadSync } from 'protobufjs';
import { startSandbox, type RunningSandbox } from '../../sandbox/src';
import { Engine } from '../support/engine';
import { startRelay, type Relay } from '../support/relay';
import { IS_WHOLE } from '../support/sample';
import { credentialFor, is, json } from '../support/trigger-bench';

const ALERTS = IS_WHOLE ? 20 : 5;
/** The smallest move that may be asked for, percent: a ratio near 1 has moved so far when its fourth decimal changes. */
const PERCENT = 0.01;
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
let isOver = false;
/** The ratio that each frame told. */
const ratios: number[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, rateLimit: 'off', start: '2026-11-20T10:00:00+05:30', clock: 'manual' });
  relay = await startRelay(Number(new URL(sandbox.url).port), (frame) => {
    const ratio = ratioIn(frame);
    if (ratio !== undefined) ratios.push(ratio);
  });
});
afterAll(async () => {
  isOver = true;
  await relay.close();
  await sandbox.close();
});

/** Lets the market go on by so many seconds: the stream tells of it at once. */
async function advance(seconds: number): Promise<void> {
  const response = await fetch(`${sandbox.url}/_sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: `PT${seconds}S` }),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Returns the ratios that have moved far enough since the alert before. */
function movedRatios(): number[] {
  const found: number[] = [];
  let from: number | undefined;
  for (const ratio of ratios) {
    if (from !== undefined && Math.abs(ratio - from) * 100 < from * PERCENT) continue;
    if (from !== undefined) found.push(ratio);
    from = ratio;
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
  const started: number[] = [];
  const enough = trigger.waitFor((emitted) => {
    if (is('optionChainAlert')(emitted)) started.push(Math.round(Number(json(emitted).value) * 10_000));
    return started.length >= ALERTS;
  });
  // The next frame comes when the run of this one has begun.
  while (started.length < ALERTS && !isOver) await (started.length < movedRatios().length ? others() : advance(15));
  await enough;
  await trigger.close();
  expect(started).toEqual(movedRatios().slice(0, ALERTS));
});
