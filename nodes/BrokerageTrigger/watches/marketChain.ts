/** Follows the option chain of an underlying, whose nearest expiry is another one from time to time. */
import type { ITriggerFunctions } from 'n8n-workflow';
import { instrumentsOf } from '../../../client/instruments/catalogue';
import { chosenExpiry, type ExpiryChoice } from '../../../client/instruments/expiries';
import { EXCHANGES } from '../../../client/instruments/instrument';
import type { MarketListener } from '../../../client/stream/market-data/market-data';
import { oneOf, plainText } from '../../../client/values/input';
import { addDays, istInstant, parseDate } from '../../../client/values/time';
import { pauseUnlessAborted } from '../../../client/abortable';
import type { Transport } from '../../../client/transport';
import { today } from '../../shared/lookup';
import { clock } from '../../host/clock';
import type { TriggerContext } from '../context/triggerContext';
import type { TriggerService } from '../context/triggerService';
import { parameterOf } from './parameters';

/** When the instruments of a new day are known, IST. */
const NEW_DAY = '08:30';
/** The longest wait at a stretch, milliseconds: the market's clock may be moved, and the wall clock set. */
const LOOKS_AGAIN_MS = 30_000;

/** When the next day's instruments are known, by the market's clock, milliseconds since the epoch. */
const newDayAfter = (transport: Transport): number => istInstant(addDays(today(transport), 1), NEW_DAY);

export interface ChainChoice {
  exchange: (typeof EXCHANGES)[number];
  asset: string;
  expiry: ExpiryChoice;
}

/** @throws InputError that names the parameter. */
export function readChain(n8n: ITriggerFunctions): ChainChoice {
  const expiry = oneOf(
    parameterOf(n8n, 'expiry', 'nearest'),
    ['date', 'monthly', 'nearest', 'next'] as const,
    'expiry',
    'Expiry',
  );
  return {
    exchange: oneOf(parameterOf(n8n, 'exchange', 'NSE'), EXCHANGES, 'exchange', 'Exchange'),
    asset: plainText(parameterOf(n8n, 'underlying', ''), 'underlying', { label: 'Underlying' }).toUpperCase(),
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
  { transport, market }: TriggerService,
  { exchange, asset, expiry }: ChainChoice,
  paceMs: number,
  listener: MarketListener,
): Promise<() => void> {
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal]);
  let followed = '';
  let leave = (): void => undefined;
  const roll = async (): Promise<void> => {
    const date = chosenExpiry(await instrumentsOf(transport, exchange, signal), asset, expiry, today(transport));
    if (date === followed) return;
    const next = await market.subscribe([{ kind: 'chain', exchange, asset, expiry: date, paceMs }], listener, signal);
    leave();
    leave = next;
    followed = date;
  };
  const goOn = async (): Promise<void> => {
    while (await untilNewDay(transport, signal)) {
      const [rolled] = await Promise.allSettled([roll()]);
      if (rolled.status === 'rejected' && !signal.aborted)
        context.warn("the day's option chain could not be begun; that of before is kept", rolled.reason);
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
