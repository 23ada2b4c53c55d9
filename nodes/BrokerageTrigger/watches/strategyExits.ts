/** Keeps the exits of a strategy by its net profit, and starts the workflow with each step. */
import { heldQuantities } from '../../../client/closing/held';
import {
  StrategyExitEmulator,
  type StrategyExitEvent,
  type StrategyState,
  type StrategyView,
} from '../../../client/exit-emulation/strategy-exit-emulator';
import {
  premiumOf,
  strategyLevels,
  trailProfit,
  type StrategyLeg,
} from '../../../client/exit-emulation/strategy-exits';
import { requireOrdersAllowed } from '../../../client/orders/guards/guards';
import { readGuards } from '../../../client/orders/model/guard-settings';
import type { TradedInstrument } from '../../../client/orders/model/order-terms';
import { getPositions, type Positions } from '../../../client/portfolio/portfolio';
import type { Transport } from '../../../client/transport';
import { signedRupees } from '../../../client/values/amounts';
import { paiseTo, type MoneyUnit } from '../../../client/values/money';
import { toIst } from '../../../client/values/time';
import { accountOf } from '../../shared/accountApi';
import type { TriggerContext } from '../context/triggerContext';
import type { TriggerService } from '../context/triggerService';
import { claimExits, closingAccount, runEmulator } from './exitKeeping';
import { EmulatedExitPrices } from './emulatedExitPrices';
import { closedOutput, EVENT_BY_REASON, eventWords, failureOutput, levelWords, reportUnknown } from './exitItems';
import { requireToCome } from './heldExits';
import { HeldInstruments } from './heldInstruments';
import { isNamed, readStrategyExits } from './strategyExits.settings';
import { StoredExits } from './storedExits';
import type { RunningWatch } from './watch';

const storedExits = new StoredExits<StrategyState>('strategyExits');

/** @throws BrokerageError when it cannot be started, or the settings are wrong */
export async function keepStrategyExits(
  context: TriggerContext,
  open: () => Promise<TriggerService>,
): Promise<RunningWatch> {
  const settings = readStrategyExits(context.n8n);
  const { exits, legs, products, unit } = settings;
  const service = await open();
  const { environment } = service.connection;
  const { transport } = service;
  requireOrdersAllowed(environment, readGuards(service.credential));
  requireToCome(exits.time, service);
  const over = new AbortController();
  const positions = async (by: Transport): Promise<Positions> =>
    await getPositions(by, over.signal, await accountOf(service).apiKind(over.signal));
  const output: Output = (event, view, more, details) => ({
    event,
    ...eventWords(context, event, `strategy in ${legs.join(', ')}`, more, details),
    ...viewOutput(view, unit),
    ...more,
    event_time_ist: toIst(transport.marketClock.now()),
    environment,
  });
  const instruments = new HeldInstruments(service, undefined, over.signal, (refId, name, error) =>
    reportUnknown(context, { refId, ...name, environment }, error),
  );
  const named = async (shown: Positions): Promise<TradedInstrument[]> => {
    const open = { positions: shown, holdings: { client_code: '', stats: {}, holdings: [] } };
    return (await instruments.of(open)).filter((instrument) => isNamed(instrument, legs));
  };
  if (context.manual) {
    const shown = await positions(transport);
    const heldInstruments = heldQuantities(await named(shown), shown, { holdings: [] }, products);
    const strategy = { since: 0, legs: {}, premium: premiumOf(heldInstruments) };
    const view = {
      legs: heldInstruments,
      levels: strategyLevels(exits, strategy.premium),
      strategy,
      profit: undefined,
    };
    if (heldInstruments.length > 0) void context.emit([output('exitsKept', view, {})]);
    return { stop: async () => await Promise.resolve(over.abort()) };
  }
  const account = await closingAccount(context, service, positions, over.signal);
  const giveBack = claimExits(account.context.scope, { strategy: legs }, context.id);
  const purpose = JSON.stringify([service.scope, environment, exits, legs, products]);
  const stored = storedExits.open(context, purpose, {});
  const emulator = new StrategyExitEmulator({
    ...account,
    exits,
    products,
    instruments: async (shown) => {
      const selected = await named(shown);
      await prices.followAll(
        selected.map(({ refId }) => instruments.known(refId)),
        (refId) => emulator.keeps(refId),
      );
      return selected;
    },
    state: stored.state,
    positions: async () => await positions(transport),
    notify: (event) => report(context, event, output, unit),
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

type Output = (event: string, view: StrategyView, more: object, details?: readonly string[]) => Record<string, unknown>;

function report(context: TriggerContext, event: StrategyExitEvent, output: Output, unit: MoneyUnit): void {
  if (event.what === 'unread')
    return context.saveFailure(
      `The positions could not be read for ${Math.round(event.forMs / 60_000)} minutes: ${event.error.message}`,
      'The net profit is judged again when they can be read.',
    );
  const { view } = event;
  const key = `strategy:${view.strategy.since}`;
  switch (event.what) {
    case 'kept': {
      const units = Object.values(view.strategy.legs).map((leg) => leg.units);
      const { stop, target } = view.levels;
      const number = view.legs.length === 1 ? '1 position' : `${view.legs.length} positions`;
      const levels = levelWords({ 'stop loss at': stop, 'target at': target });
      const details = [number, ...levels, ...profitWords(view.profit)];
      return void context.emit([output('exitsKept', view, {}, details)], `${key}:kept:${units.join('+')}`);
    }
    case 'reached': {
      const { reason, profit } = event.reached;
      const more = { net_profit: profit === null ? null : paiseTo(unit, profit) };
      return void context.emit([output(EVENT_BY_REASON[reason], view, more, profitWords(profit))], `${key}:reached`);
    }
    case 'closed': {
      const closed = event.closed.map((result) => ({
        symbol: result.request.instrument.symbol,
        ref_id: result.request.position.refId,
        ...closedOutput(result, unit),
      }));
      const more = { reason: event.reason, closed, legs: [] };
      return void context.emit([output('positionClosed', view, more)], `${key}:closed`);
    }
    case 'closedByHand':
      return void context.emit([output('closedByHand', view, { legs: [] })], `${key}:byHand`);
    case 'failed': {
      const { error, isFinal } = event;
      context.warn('the exits of the strategy could not be kept', error);
      return void context.emit([output('exitFailed', view, failureOutput(error, isFinal))]);
    }
  }
}

const profitWords = (paise: number | null | undefined): string[] =>
  typeof paise === 'number' ? [`net profit ${signedRupees(paise)}`] : [];

function viewOutput({ legs, levels, strategy, profit }: StrategyView, unit: MoneyUnit): object {
  const money = (paise: number | undefined): number | null => (paise === undefined ? null : paiseTo(unit, paise));
  const { stop, target, trailFrom } = levels;
  return {
    legs: legs.map((leg) => legOutput(leg, unit)),
    net_premium: money(strategy.premium),
    net_profit: money(profit),
    best_profit: money(strategy.best),
    stop_loss: money(stop),
    target: money(target),
    trailing_stop: strategy.best === undefined ? null : money(trailProfit(levels, strategy.best)),
    ...(trailFrom === undefined ? {} : { trailing_starts_at: money(trailFrom) }),
  };
}

function legOutput({ instrument, held }: StrategyLeg, unit: MoneyUnit): object {
  return {
    symbol: instrument.symbol,
    exchange: instrument.exchange,
    ref_id: instrument.refId,
    product: held.position.product,
    held_qty: held.units,
    average_price: held.price === undefined ? null : paiseTo(unit, held.price),
  };
}
