import type { Guards } from '../../../../client/orders/model/guard-settings';
import type { GuardFacts } from '../../../../client/orders/guards/guards';
import { PlacementRegistry } from '../../../../client/orders/account/placement-registry';
import { VirtualTime } from '../../../support/virtual-time';
import { knownPrice } from '../../../support/price';

/** A Friday, 11:00 in India. */
export const FRIDAY = Date.parse('2026-11-20T11:00:00+05:30');
/** No guard at all, in the sandbox. */
export const OPEN: Guards = { allowLiveOrders: false, dryRun: false, marketHoursOnly: false };
/** Facts for a check; `changes` take the place of some. */
export const facts = (changes: Partial<GuardFacts> = {}): GuardFacts => ({
  environment: 'sandbox',
  marketTime: async () => FRIDAY,
  unit: 'rupees',
  lastPrice: async () => knownPrice(150_000),
  day: { orders: async () => [], placements: new PlacementRegistry(new VirtualTime().clock), scope: 's', tag: 't' },
  ...changes,
});
