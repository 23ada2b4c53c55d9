/** Keeps stop loss and target of orders on the older interface, and starts the workflow with each step. */
import { instrumentName } from '../../../client/instruments/contract-name';
import { InputError } from '../../../client/base/errors';
import { ExitEmulator, type ExitEmulatorEvent } from '../../../client/exit-emulation/exit-emulator';
import { closingTags, emulatedOrders, type EmulatedOrder } from '../../../client/exit-emulation/emulated-exits';
import type { Instrument } from '../../../client/instruments/instrument';
import { requireOrdersAllowed, requireSending } from '../../../client/orders/guards/guards';
import { readGuards } from '../../../client/orders/model/guard-settings';
import type { PlacementContext } from '../../../client/orders/account/placement-context';
import { paiseTo, type MoneyUnit } from '../../../client/values/money';
import { toIst } from '../../../client/values/time';
import { instrumentOfRefId, marketDate, tradedInstrument } from '../../shared/lookup';
import { storeOf } from '../../host/http';
import type { TriggerContext } from '../context/triggerContext';
import { eventWords } from './exitItems';
import { runEmulator, placementContext, claimExits } from './exitKeeping';
import { EmulatedExitPrices } from './emulatedExitPrices';
import { keepHeldExits } from './heldExits';
import { readExitsOf } from './heldExits.settings';
import { readGroup, unitOf } from './parameters';
import { keepStrategyExits } from './strategyExits';
import type { Watch } from './watch';

export const orderExits: Watch = {
  start: async (context, open) => {
    const exitsOf = readExitsOf(context.n8n);
    if (exitsOf === 'strategy') return await keepStrategyExits(context, open);
    if (exitsOf !== 'orders') return await keepHeldExits(context, open, exitsOf);
    const unit = unitOf(readGroup(context.n8n, 'options'));
    const service = await open();
    const { environment } = service.connection;
    requireOrdersAllowed(environment, readGuards(service.credential));
    const over = new AbortController();
    const store = storeOf(context.n8n, context.secrets);
    const placing = await placementContext(service, store, over.signal);
    const names = new Map<number, Instrument>();
    const instrumentOf = async ({ refId }: EmulatedOrder): Promise<Instrument> => {
      const instrument = names.get(refId) ?? (await instrumentOfRefId(service, refId, undefined, over.signal));
      if (instrument === undefined)
        throw new InputError(`No exchange has the instrument ${refId} today.`, {
          hint: 'Close the position yourself.',
        });
      names.set(refId, instrument);
      return instrument;
    };
    const subjectOf = ({ refId, id }: EmulatedOrder): string => {
      const instrument = names.get(refId);
      return instrument === undefined
        ? `order ${id}`
        : `${instrumentName(instrument, marketDate(service.transport))} order ${id}`;
    };
    const output = (event: string, order: EmulatedOrder, more: object): Record<string, unknown> => ({
      event,
      ...eventWords(context, event, subjectOf(order), more),
      ...orderOutput(order, names.get(order.refId), unit),
      ...more,
      event_time_ist: toIst(service.transport.marketClock.now()),
      environment,
    });
    if (context.manual) {
      await showKept(context, placing, instrumentOf, output);
      return { stop: async () => await Promise.resolve(over.abort()) };
    }
    const giveBack = claimExits(placing.scope, 'orders', context.id);
    const prices = new EmulatedExitPrices(context, service.market, over.signal, ({ instrument, lastPrice, source }) => {
      if (source !== 'history') emulator.onPrice(instrument.refId, lastPrice);
    });
    const emulator = new ExitEmulator({
      context: placing,
      requireSending: async () => requireSending(environment, readGuards(await store.readStored())),
      instrument: async (order) => tradedInstrument(await instrumentOf(order), 'instrument'),
      price: ({ refId }, day) => prices.of(names.get(refId), day),
      notify: (event) => report(context, event, output),
      ...(service.holdClock && { holdClock: service.holdClock }),
    });
    return runEmulator(context, service, emulator, { prices, over, end: giveBack });
  },
  waitsFor: (n8n) =>
    readExitsOf(n8n) === 'orders'
      ? 'an order whose exits are kept by the trigger'
      : 'a position or holding whose exits it would keep',
};

type Output = (event: string, order: EmulatedOrder, more: object) => Record<string, unknown>;

/** In the editor nothing is sent: an item for each order that a published trigger would keep. */
async function showKept(
  context: TriggerContext,
  { orders, scope }: PlacementContext,
  instrumentOf: (order: EmulatedOrder) => Promise<Instrument>,
  output: Output,
): Promise<void> {
  const emulated = emulatedOrders(await orders.list(context.signal), (id) => closingTags(id, scope));
  const shown: Record<string, unknown>[] = [];
  for (const order of emulated.filter(({ left }) => left > 0)) {
    await instrumentOf(order);
    shown.push(output('exitsKept', order, {}));
  }
  if (shown.length > 0) void context.emit(shown);
}

const EVENTS = { closed: 'positionClosed', byHand: 'closedByHand', dayOver: 'dayOver', notFilled: undefined } as const;

function report(context: TriggerContext, event: ExitEmulatorEvent, output: Output): void {
  if (event.what === 'unread')
    return context.saveFailure(
      `The orders of the day could not be read for ${Math.round(event.forMs / 60_000)} minutes: ${event.error.message}`,
      'A stop loss that was placed still rests at the exchange. Targets are not watched until the orders can be read again.',
    );
  const { order } = event;
  if (event.what === 'failed') {
    const item = output('exitFailed', order, {
      error_message: event.error.message,
      advice: event.error.hint,
      given_up: event.isFinal,
    });
    context.warn(`the exits of order ${order.id} could not be kept`, event.error);
    void context.emit([item]);
    return;
  }
  if (event.what === 'ended') {
    const name = EVENTS[event.why];
    if (name !== undefined) void context.emit([output(name, order, {})], `exits:${order.id}:${name}`);
    return;
  }
  const more = { order_qty: event.quantity, ...(event.orderId === undefined ? {} : { stop_order_id: event.orderId }) };
  void context.emit([output(event.what, order, more)], `exits:${order.id}:${event.what}:${event.orderId ?? ''}`);
}

function orderOutput(
  { id, side, refId, product, exits, left }: EmulatedOrder,
  instrument: Instrument | undefined,
  unit: MoneyUnit,
): object {
  return {
    order_id: id,
    symbol: instrument?.symbol ?? null,
    exchange: instrument?.exchange ?? null,
    ref_id: refId,
    order_side: side,
    order_delivery_type: product,
    held_qty: left,
    stop_loss: paiseTo(unit, exits.stop),
    target: exits.target === undefined ? null : paiseTo(unit, exits.target),
  };
}
