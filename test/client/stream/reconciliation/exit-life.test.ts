/**
 * The life of exits over disconnects and restarts: the sandbox's intent orders report by frames, some lost, and by the
 * day's list, which is read at each new connection. Each step of an exit is given once, and in order.
 */
import { expect, test } from '@jest/globals';
import type { ExitSlot } from '../../../../sandbox/src/exchange/strategies/exit-types';
import type { IntentEvent, IntentOrder } from '../../../../sandbox/src/exchange/strategies/types';
import { kindOf } from '../../../../sandbox/src/web/intent-records';
import { IntentFrames } from '../../../../sandbox/src/stream/strategy-frames';
import { Messages } from '../../../../sandbox/src/stream/messages';
import { UpdateFrames } from '../../../../sandbox/src/stream/update-frame';
import { readFrame } from '../../../../client/stream/account-feed/frames';
import { readOrderMessage } from '../../../../client/stream/reconciliation/order-message';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import { OrderReconciler } from '../../../../client/stream/reconciliation/order-reconciler';
import { packState, unpackState } from '../../../../client/stream/reconciliation/state-codec';
import type { ExitKind } from '../../../../client/orders/model/order-snapshot';
import type { OrderEvent } from '../../../../client/stream/reconciliation/types';
import type { JsonObject } from '../../../../client/values/json';
import { intending, type Intending } from '../../../support/intents';
import { seedsOf } from '../../../support/seeds';
import { seededRandom } from '../../../support/virtual-time';

const SEEDS = seedsOf('EXITS', 100);
const TICK = 10;
const START = 150_000;

const frames = new IntentFrames(
  new UpdateFrames(new Messages({ platformWord: 'plat', serviceWord: 'acme' }), {
    options: { serviceWord: 'acme' },
    dialect: { mcx_stock_name: 'symbol' },
  }),
);

const STATUSES: Record<IntentOrder['status'], string> = {
  OPEN: 'OPEN',
  EXECUTED: 'FILLED',
  CANCELLED: 'CANCELLED',
  REJECTED: 'REJECTED',
  EXPIRED: 'EXPIRED',
};

/** An order as the client reads it from the list. */
function recordOf(intent: IntentOrder): JsonObject {
  const isPart = intent.status === 'OPEN' && intent.filledQuantity > 0;
  return {
    order_id: intent.id.toString(),
    basket_id: '0',
    ref_id: intent.legs[0]!.refId,
    order_side: `ORDER_SIDE_${intent.side}`,
    order_status: `ORDER_STATUS_${isPart ? 'PARTIAL_FILLED' : STATUSES[intent.status]}`,
    order_qty: intent.quantity,
    filled_qty: intent.filledQuantity,
    avg_filled_price: intent.filledPrice,
    order_time: intent.createdAt.toString(),
    ack_time: intent.acceptedAt.toString(),
    filled_time: intent.filledAt.toString(),
    last_modified: intent.modifiedAt.toString(),
    exits: intent.exits
      .filter(({ slot }) => slot !== 'request')
      .map((exit) => ({
        kind: kindOf(exit),
        status: exit.status,
        filled_qty: exit.filledQuantity,
        trigger_price: exit.trigger,
      })),
  };
}

/** One order with exits, and the events that a trigger returned about it. */
function live(seed: number): { t: Intending; id: bigint; given: OrderEvent[]; isAlwaysOnline: boolean } {
  const random = seededRandom(seed);
  const chance = (p: number): boolean => random() < p;
  const between = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  const isAlwaysOnline = seed % 3 === 0;
  let t = intending({ seed });
  const side = chance(0.5) ? ('BUY' as const) : ('SELL' as const);
  const d = side === 'BUY' ? 1 : -1;
  const stop = START - d * TICK * between(3, 12);
  const target = START + d * TICK * between(4, 14);
  const id = t.enter({
    side,
    quantity: between(1, 300),
    exits: {
      stop: chance(0.8)
        ? { trigger: stop, limit: stop - d * TICK * between(0, 3), jump: chance(0.5) ? TICK * between(1, 3) : null }
        : null,
      target: chance(0.8) ? { trigger: target, limit: target - d * TICK * between(0, 2) } : null,
      time: chance(0.4) ? t.now() + between(31, 200) * 1_000 : null,
    },
    product: 'IDAY',
  });
  let reconciler = new OrderReconciler();
  const given: OrderEvent[] = [];
  let read = 0;
  let isOnline = true;
  /** Passes on what happened since: given while there is a connection, lost without one. */
  const receive = (): void => {
    for (const event of t.strategyEvents.slice(read)) {
      const update = frames.of(event, (refId) => t.market.universe(t.now()).byRefId(refId), START);
      if (update === undefined || !isOnline) continue;
      const frame = readFrame(update.frame);
      if (frame.kind !== 'order') throw new Error(`a frame of the kind ${frame.kind}`);
      const message = readOrderMessage(frame.update);
      if (message !== undefined) given.push(...reconciler.update(message));
    }
    read = t.strategyEvents.length;
  };
  const compare = (): void => void given.push(...reconciler.recover(readDayOrders([recordOf(t.get(id))])));
  compare();
  for (let step = 0; step < 40; step += 1) {
    const what = random();
    if (what < 0.5) t.price(START + TICK * between(-18, 18));
    else if (what < 0.6) t.market.shown = between(1, 120);
    else if (what < 0.75) t.pass(between(1, 20_000));
    else if (what < 0.8) t.intents.cancel(id, chance(0.5) ? (chance(0.5) ? 'stop' : 'target') : null, t.now());
    else if (what < 0.85) t = t.revived();
    receive();
    if (!isAlwaysOnline && chance(0.25)) {
      isOnline = !isOnline;
      if (isOnline) compare();
    }
    if (!isAlwaysOnline && chance(0.1)) {
      const state = reconciler.stateOf(id.toString());
      reconciler = new OrderReconciler();
      if (state !== undefined) reconciler.resume(id.toString(), unpackState(packState(state))!);
    }
    if (isOnline && chance(0.2)) compare();
  }
  t.pass(60_000);
  receive();
  isOnline = true;
  compare();
  compare();
  return { t, id, given, isAlwaysOnline };
}

const SLOTS: Record<ExitKind, ExitSlot> = { stop: 'stop', target: 'target', time: 'time' };
const REACHED: Record<ExitKind, string> = {
  stop: 'stopLossTriggered',
  target: 'targetTriggered',
  time: 'exitTimeReached',
};

/** Every difference between what happened to an exit and what was given of it, in words. */
function differences(kind: ExitKind, { t, id, given, isAlwaysOnline }: ReturnType<typeof live>): string[] {
  const wrong: string[] = [];
  const occurred = (of: (event: IntentEvent) => boolean): number => t.strategyEvents.filter(of).length;
  const slot = SLOTS[kind];
  const own = given.filter(({ exit }) => exit?.kind === kind);
  const count = (type: string): number => own.filter((event) => event.type === type && event.fill === undefined).length;
  const triggered = occurred((event) => event.type === 'exit_triggered' && event.slot === slot);
  const filled = occurred((event) => event.type === 'exit_filled' && event.slot === slot);
  const exit = t.get(id).exits.find((exit) => exit.slot === slot);
  const closed = t.strategyEvents.reduce(
    (sum, event) => sum + (event.type === 'trade' && event.of === slot ? event.trade.quantity : 0),
    0,
  );
  const requested = exit !== undefined && t.get(id).filledQuantity > 0;
  // One that was armed and taken off while nobody listened is not shown as one that has lived.
  const mayBeHidden = !isAlwaysOnline && exit?.status === 'CANCELLED' && closed === 0;
  const exactly = (name: string, should: number): void => {
    const was = count(name);
    if (was !== should && !(mayBeHidden && was < should))
      wrong.push(`${name} ${was} times, and happened ${should} times`);
  };
  if (requested && exit.status !== 'CANCELLED') exactly('exitArmed', 1);
  exactly(REACHED[kind], triggered);
  exactly('exitFilled', filled);
  if (count('exitArmed') > 1) wrong.push('armed twice');
  if (count('exitCancelled') > 1) wrong.push('cancelled twice');
  if (count('exitArmed') === 1 && exit?.status === 'CANCELLED') exactly('exitCancelled', 1);
  if (count('exitCancelled') === 1 && exit?.status !== 'CANCELLED') wrong.push('cancelled, and it was not');
  const reported = own.reduce((sum, { fill }) => sum + (fill?.quantity ?? 0), 0);
  if (reported !== closed) wrong.push(`closed ${reported} instead of ${closed}`);
  const order = own.map(({ type, fill }) =>
    fill !== undefined ? 3 : ['exitArmed', 'trailUpdated', REACHED[kind]].indexOf(type),
  );
  const ranks = order.map((rank) => (rank === -1 ? 4 : rank));
  if (ranks.some((rank, index) => index > 0 && rank < ranks[index - 1]!))
    wrong.push(`out of order: ${own.map(({ type }) => type).join(', ')}`);
  const moves = own.filter(({ type }) => type === 'trailUpdated').map((event) => event.exit!.trigger);
  const direction = t.get(id).side === 'BUY' ? 1 : -1;
  if (moves.some((move, index) => index > 0 && direction * (move - moves[index - 1]!) <= 0))
    wrong.push(`the trail moved back or twice: ${moves.join(', ')}`);
  const trails = occurred((event) => event.type === 'trail_updated');
  if (kind === 'stop' && (moves.length > trails || (isAlwaysOnline && moves.length !== trails)))
    wrong.push(`the trail moved ${moves.length} times, and happened ${trails} times`);
  return wrong;
}

test(`each step of an exit comes once and in order, over disconnects and restarts (${SEEDS.schedules})`, async () => {
  const seen = await SEEDS.run((seed) => {
    const life = live(seed);
    const keys = life.given.map(({ key }) => key);
    const wrong = (['stop', 'target', 'time'] as const).flatMap((kind) =>
      differences(kind, life).map((text) => `${kind}: ${text}`),
    );
    if (new Set(keys).size !== keys.length) wrong.push('a key was given twice');
    expect(wrong).toEqual([]);
    return life.given.flatMap(({ type, exit }) => (exit === undefined ? [] : [`${type} ${exit.kind}`]));
  });
  if (SEEDS.isRepeat || SEEDS.count < 100) return;
  for (const step of ['exitArmed', 'exitCancelled', 'exitFilled', 'fill'])
    for (const kind of ['stop', 'target', 'time']) expect(seen).toContain(`${step} ${kind}`);
  for (const step of ['stopLossTriggered stop', 'targetTriggered target', 'exitTimeReached time', 'trailUpdated stop'])
    expect(seen).toContain(step);
});
