import type { Refusal } from '../../shared/orders';
import { refuse } from '../rules';
import type { ExitTerms } from './exit-types';

/** Facts that the rules need of the order to which the exits belong. */
export interface ExitedEntry {
  /** 1 where a higher price is better for the owner: a purchase, and every strategy. */
  direction: 1 | -1;
  /** Refuses an invalid price of the order; undefined for a valid one. */
  price(name: string, price: number): Refusal | undefined;
  /** The price that exits are measured against, paise; undefined once there are fills: then a stop may be on either side. */
  reference: number | undefined;
}

/** Rules on stop and target: each on its side of the entry, trigger and limit in order (docs/service/intent-orders.md#exits). */
export function exitsRefusal(
  { stop, target }: ExitTerms,
  { direction, price, reference }: ExitedEntry,
): Refusal | undefined {
  const below = (a: number, b: number): boolean => direction * (b - a) > 0;
  const [under, over] = direction === 1 ? ['below', 'above'] : ['above', 'below'];
  if (stop !== null) {
    const { trigger, limit, jump } = stop;
    const wrong = price('stoplossTriggerPrice', trigger) ?? price('stoplossLimitPrice', limit);
    if (wrong !== undefined) return wrong;
    if (below(trigger, limit))
      return refuse(
        'STOPLOSS_LIMIT',
        `stoplossLimitPrice ${limit} must not be ${over} stoplossTriggerPrice ${trigger}`,
      );
    if (reference !== undefined && !below(trigger, reference))
      return refuse('STOPLOSS', `stoplossTriggerPrice ${trigger} must be ${under} the entry (${reference})`);
    // Seen on UAT: it need not be a multiple of the tick (docs/service/intent-orders.md#exits).
    if (jump !== null && !(Number.isSafeInteger(jump) && jump > 0))
      return refuse('TRAIL', `stoplossTrailJump must be a whole number of paise above 0, not ${jump}`);
  }
  if (target !== null) {
    const { trigger, limit } = target;
    const wrong = price('targetProfitTriggerPrice', trigger) ?? price('targetProfitLimitPrice', limit);
    if (wrong !== undefined) return wrong;
    if (below(trigger, limit))
      return refuse(
        'TARGET_LIMIT',
        `targetProfitLimitPrice ${limit} must not be ${over} targetProfitTriggerPrice ${trigger}`,
      );
    if (reference !== undefined && !below(reference, limit))
      return refuse('TARGET', `targetProfitLimitPrice ${limit} must be ${over} the entry (${reference})`);
  }
  if (stop !== null && target !== null && !below(stop.trigger, target.trigger))
    return refuse('EXITS', `stop loss ${stop.trigger} must be ${under} target ${target.trigger}`);
  return undefined;
}
