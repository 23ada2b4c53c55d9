/** Follows the option chain of an underlying, whose nearest expiry is another one from time to time. */
import { attempt } from '../../../client/attempt';
import type { ITriggerFunctions } from 'n8n-workflow';
import { chosenExpiry, type ExpiryChoice } from '../../../client/instruments/expiries';
import { readUnderlying, underlyingSymbol } from '../../../client/instruments/underlying';
import { EXCHANGES } from '../../../client/instruments/instrument';
import type { InstrumentStore } from '../../../client/instruments/store';
import type { MarketChain, MarketEvent, MarketListener } from '../../../client/stream/market-data/market-data';
import { filledText, oneOf } from '../../../client/values/input';
import { addDays, istInstant, parseDate } from '../../../client/values/time';
import { pauseUnlessAborted } from '../../../client/abortable';
import type { Transport } from '../../../client/transport';
import { EXPIRY_CHOICES } from '../../shared/contractFields';
import { findInList, listOf, listContaining } from '../../shared/lists';
import { marketDate } from '../../shared/lookup';
import { clock } from '../../host/clock';
import type { TriggerContext } from '../context/triggerContext';
import type { TriggerService } from '../context/triggerService';
import { parameterOf } from './parameters';

/** Time at which the instruments of a new day are known, IST. */
const NEW_DAY = '08:30';
/** The longest wait at a stretch, milliseconds: the market's clock may be moved, and the wall clock set. */
const LOOKS_AGAIN_MS = 30_000;

/** Returns the time at which the next day's instruments are known, by the market's clock, milliseconds since the epoch. */
const newDayAfter = (transport: Transport): number => istInstant(addDays(marketDate(transport), 1), NEW_DAY);

export interface ChainChoice {
  exchange: (typeof EXCHANGES)[number];
  /** The underlying as written. */
  underlying: string;
  expiry: ExpiryChoice;
}

/** @throws InputError that names the parameter. */
export function readChain(n8n: ITriggerFunctions): ChainChoice {
  const expiry = oneOf(parameterOf(n8n, 'expiry', 'nearest'), EXPIRY_CHOICES, 'expiry', 'Expiry');
  return {
    exchange: oneOf(parameterOf(n8n, 'exchange', 'NSE'), EXCHANGES, 'exchange', 'Exchange'),
    underlying: readUnderlying(filledText(parameterOf(n8n, 'underlying', ''), 'underlying', { label: 'Underlying' })),
    expiry:
      expiry === 'date'
        ? { date: parseDate(parameterOf(n8n, 'expiryDate', ''), 'expiryDate', 'Expiry Date', n8n.getTimezone()) }
        : expiry,
  };
}

/**
 * Follows a chain; each morning that of the expiry that is meant then.
 * @param paceMs as in `MarketSubscription`
 * @returns ends it.
 * @throws as `chosenExpiry` and `MarketData.subscribe`
 */
export async function followChain(
  context: TriggerContext,
  service: TriggerService,
  { exchange, underlying, expiry }: ChainChoice,
  paceMs: number,
  listener: MarketListener,
): Promise<() => void> {
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal]);
  let followed = '';
  let leave = (): void => undefined;
  const roll = async (): Promise<void> => {
    const choose = (list: InstrumentStore) => ({
      asset: underlyingSymbol(list, underlying),
      date: chosenExpiry(list, underlying, expiry, service.transport.marketClock.now()),
    });
    const { asset, date } = await findInList(service, exchange, choose, signal);
    if (date === followed) return;
    const next = await service.market.subscribe(
      [{ kind: 'chain', exchange, asset, expiry: date, paceMs }],
      onEvent,
      signal,
    );
    leave();
    leave = next;
    followed = date;
  };
  const onEvent = (event: MarketEvent): void => {
    listener(event);
    if (event.kind === 'chain') void lookUp(event.chain);
  };
  /** An option that is not in the list has been listed since: whoever looks for it next finds it. */
  const lookUp = async ({ calls, puts }: MarketChain): Promise<void> => {
    const refIds = [...calls, ...puts].map((option) => option.refId);
    await attempt(
      listOf(service, exchange, signal).then((list) => listContaining(service, exchange, list, refIds, signal)),
    );
  };
  const goOn = async (): Promise<void> => {
    while (await untilNewDay(service.transport, signal)) {
      const rolled = await attempt(roll());
      if (!rolled.ok && !signal.aborted)
        context.warn("today's option chain could not be read; yesterday's is kept", rolled.error);
    }
  };
  await roll();
  void goOn();
  return () => {
    over.abort();
    leave();
  };
}

/** Waits until the instruments of the next day are known. @returns false when the signal cut it short */
async function untilNewDay(transport: Transport, signal: AbortSignal): Promise<boolean> {
  const at = newDayAfter(transport);
  for (;;) {
    const leftMs = at - transport.marketClock.now();
    if (leftMs <= 0) return !signal.aborted;
    if (!(await pauseUnlessAborted(clock, Math.min(leftMs, LOOKS_AGAIN_MS), signal))) return false;
  }
}
