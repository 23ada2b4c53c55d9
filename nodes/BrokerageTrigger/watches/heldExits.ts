/** Keeps the exits of what is held, and starts the workflow with each step. */
import { instrumentName } from '../../../client/instruments/contract-name';
import { InputError } from '../../../client/base/errors';
import { heldQuantities } from '../../../client/closing/held';
import {
  HeldExitEmulator,
  type HeldExitEvent,
  type HeldExitStates,
  type EmulatedPosition,
  type Portfolio,
} from '../../../client/exit-emulation/held-exit-emulator';
import { heldExitLevels, trailLevel, type ExitTime } from '../../../client/exit-emulation/held-exits';
import { getExtremeSince } from '../../../client/market/day-prices';
import { requireOrdersAllowed } from '../../../client/orders/guards/guards';
import { readGuards } from '../../../client/orders/model/guard-settings';
import { getHoldings, getPositions, type Positions } from '../../../client/portfolio/portfolio';
import type { Transport } from '../../../client/transport';
import { quantityText, rupeesText } from '../../../client/values/amounts';
import { productLabel } from '../../../client/values/labels';
import { paiseTo, type MoneyUnit } from '../../../client/values/money';
import { toIst } from '../../../client/values/time';
import { accountOf } from '../../shared/accountApi';
import { marketDate } from '../../shared/lookup';
import type { TriggerContext } from '../context/triggerContext';
import type { TriggerService } from '../context/triggerService';
import { EmulatedExitPrices } from './emulatedExitPrices';
import {
  closedOutput,
  closedWords,
  earnedBy,
  EVENT_BY_REASON,
  eventWords,
  failureOutput,
  levelWords,
  reportUnknown,
} from './exitItems';
import { claimExits, closingAccount, runEmulator } from './exitKeeping';
import { HeldInstruments } from './heldInstruments';
import { readHeldExits, type HeldExitSettings } from './heldExits.settings';
import { watchedInstruments } from './instruments';
import { StoredExits } from './storedExits';
import { hasLabels } from './summaries';
import type { RunningWatch } from './watch';

const storedExits = new StoredExits<HeldExitStates>('heldExits');

/** @throws BrokerageError if it cannot be started, or the settings are wrong */
export async function keepHeldExits(
  context: TriggerContext,
  open: () => Promise<TriggerService>,
  exitsOf: 'held' | 'all',
): Promise<RunningWatch> {
  const settings = readHeldExits(context.n8n);
  const service = await open();
  const { environment } = service.connection;
  const { transport } = service;
  requireOrdersAllowed(environment, readGuards(service.credential));
  requireToCome(settings.exits.time, service);
  const named = exitsOf === 'held' ? await watchedInstruments(context, service) : undefined;
  const over = new AbortController();
  const positions = async (by: Transport): Promise<Positions> =>
    await getPositions(by, over.signal, await accountOf(service).apiKind(over.signal));
  const portfolio = async (): Promise<Portfolio> => {
    const paths = await accountOf(service).apiKind(over.signal);
    const holdings = await getHoldings(transport, over.signal, paths);
    return { holdings, positions: await positions(transport) };
  };
  const output: Output = (event, position, more, details) => ({
    event,
    ...eventWords(context, event, nameOf(position, marketDate(transport)), more, details),
    ...keptOutput(position, settings.unit),
    ...more,
    event_time_ist: toIst(transport.marketClock.now()),
    environment,
  });
  const instruments = new HeldInstruments(service, named, over.signal, (refId, name, error) =>
    reportUnknown(context, { refId, ...name, environment }, error),
  );
  if (context.manual) {
    await showHeld(context, instruments, settings, await portfolio(), output);
    return { stop: async () => await Promise.resolve(over.abort()) };
  }
  const account = await closingAccount(context, service, positions, over.signal);
  const giveBack = claimExits(account.context.scope, named?.map(({ refId }) => refId) ?? 'all', context.id);
  const purpose = JSON.stringify([service.scope, environment, settings.exits, settings.products]);
  const stored = storedExits.open(context, purpose, {});
  const emulator = new HeldExitEmulator({
    ...account,
    exits: settings.exits,
    products: settings.products,
    instruments: async (held) => {
      const selected = await instruments.of(held);
      await prices.followAll(
        selected.map(({ refId }) => instruments.known(refId)),
        (refId) => emulator.keeps(refId),
      );
      return selected;
    },
    states: stored.state,
    portfolio,
    bestSince: async ({ refId }, direction, since) => {
      const instrument = instruments.known(refId);
      const now = transport.marketClock.now();
      return await getExtremeSince(transport, instrument, direction === 1 ? 'high' : 'low', {
        since,
        now,
        signal: over.signal,
      });
    },
    notify: (event) => report(context, event, output, settings.unit),
    ...(service.holdClock && { holdClock: service.holdClock }),
  });
  const prices = new EmulatedExitPrices(context, service.market, over.signal, (tick) =>
    emulator.onPrice(tick.instrument.refId, tick),
  );
  const end = (): void => {
    stored.remember();
    giveBack();
  };
  return runEmulator(context, service, emulator, { prices, over, end });
}

/** @throws InputError if the exit time is over */
export function requireToCome(time: ExitTime | undefined, { transport }: TriggerService): void {
  if (time === undefined || !('at' in time) || time.at > transport.marketClock.now()) return;
  throw new InputError(`Exit Time ${toIst(time.at)} has passed.`, {
    parameter: 'exitTime',
    hint: 'Enter a time that is yet to come, or only a time of day such as 15:10 for each day.',
  });
}

type Output = (
  event: string,
  position: EmulatedPosition,
  more: object,
  details?: readonly string[],
) => Record<string, unknown>;

/** In the editor nothing is sent: an item for each that a published trigger would keep. */
async function showHeld(
  context: TriggerContext,
  instruments: HeldInstruments,
  { exits, products }: HeldExitSettings,
  portfolio: Portfolio,
  output: Output,
): Promise<void> {
  const { positions, holdings } = portfolio;
  const heldInstruments = heldQuantities(await instruments.of(portfolio), positions, holdings, products);
  const shown = heldInstruments.map(({ instrument, held }) => {
    const direction = held.units > 0 ? 1 : -1;
    const levels = heldExitLevels(exits, { entry: held.price, direction, tickSize: instrument.tickSize });
    const position: EmulatedPosition = { instrument, held, levels, state: { since: 0, direction } };
    return output('exitsKept', position, {}, keptWords(position));
  });
  if (shown.length > 0) void context.emit(shown);
}

function report(context: TriggerContext, event: HeldExitEvent, output: Output, unit: MoneyUnit): void {
  if (event.what === 'unread')
    return context.saveFailure(
      `What you hold could not be read for ${Math.round(event.forMs / 60_000)} minutes: ${event.error.message}`,
      'An exit that is reached meanwhile is placed when your positions can be read again.',
    );
  const { position } = event;
  const key = `held:${position.instrument.refId}:${position.held.position.product}:${position.state.since}`;
  switch (event.what) {
    case 'kept':
      return void context.emit([output('exitsKept', position, {}, keptWords(position))], `${key}:kept`);
    case 'reached': {
      const { price, reason } = event.reached;
      const more = { price: price === null ? null : paiseTo(unit, price) };
      const best = reason === 'trail' ? position.state.prices?.best : undefined;
      const details = levelWords({ price: price ?? undefined, 'best price': best });
      return void context.emit([output(EVENT_BY_REASON[reason], position, more, details)], `${key}:reached`);
    }
    case 'closed': {
      const { direction } = position.state;
      const earned = earnedBy(event.closed, position.held.price, direction);
      const result = hasLabels(context.n8n) ? { realised_result: paiseTo(unit, earned ?? null) } : {};
      const more = { reason: event.reason, ...closedOutput(event.closed, unit), ...result, held_qty: 0 };
      const details = closedWords(event.closed, direction, earned);
      return void context.emit([output('positionClosed', position, more, details)], `${key}:closed`);
    }
    case 'closedByHand':
      return void context.emit([output('closedByHand', position, { held_qty: 0 })], `${key}:byHand`);
    case 'failed': {
      const { error, isFinal } = event;
      context.warn(`the exits of ${position.instrument.symbol} could not be kept`, error);
      return void context.emit([output('exitFailed', position, failureOutput(error, isFinal))]);
    }
  }
}

const nameOf = ({ instrument, held }: EmulatedPosition, today: string): string =>
  `${instrumentName(instrument, today)} (${productLabel({ product: held.position.product, derivative_type: instrument.derivative ? 'FUT' : '' })})`;

/** Returns the quantity that is held, and the prices at which it is closed. */
function keptWords({ held, levels, state }: EmulatedPosition): string[] {
  const best = state.prices?.best;
  const trail = best === undefined ? undefined : trailLevel(levels, best);
  const { stop, target } = levels;
  const prices = { 'stop loss at': stop, 'target at': target, 'trailing stop at': trail };
  return [
    `${held.units > 0 ? 'bought' : 'sold'} ${quantityText(Math.abs(held.units))}`,
    ...levelWords(prices),
    ...(trail === undefined ? trailToComeWords(levels) : []),
  ];
}

/** Returns how a trailing stop follows that has no level yet: no price has come, or not the one from which it works. */
function trailToComeWords({ direction, trail, trailFrom }: EmulatedPosition['levels']): string[] {
  if (trail === undefined) return [];
  const away = 'points' in trail ? rupeesText(trail.points) : `${trail.hundredths / 100} %`;
  const start = trailFrom === undefined ? '' : ` from ${rupeesText(trailFrom)} on`;
  return [`trailing stop ${away} ${direction === 1 ? 'below' : 'above'} the best price${start}`];
}

function keptOutput({ instrument, held, levels, state }: EmulatedPosition, unit: MoneyUnit): object {
  const money = (paise: number | undefined): number | null => (paise === undefined ? null : paiseTo(unit, paise));
  const best = state.prices?.best;
  return {
    symbol: instrument.symbol,
    exchange: instrument.exchange,
    ref_id: instrument.refId,
    product: held.position.product,
    held_qty: held.units,
    average_price: money(held.price),
    stop_loss: money(levels.stop),
    target: money(levels.target),
    trailing_stop: best === undefined ? null : money(trailLevel(levels, best)),
    ...(levels.trailFrom === undefined ? {} : { trailing_starts_at: money(levels.trailFrom) }),
    best_price: money(best),
  };
}
