import { ClosingOrderRegistry } from '../../client/closing/closing-order-registry';
import { ShownPositions } from '../../client/closing/shown-positions';
import { AccountScopes } from '../../client/orders/account/account-scope';
import { StaticIpChecks } from '../../client/orders/guards/static-ip-check';
import { PlacementRegistry } from '../../client/orders/account/placement-registry';
import { machineTime, sharedMarketClock } from '../../client/market-clock';
import { placeOfScope } from '../../client/orders/model/tags';
import { clock } from '../host/clock';

/** Placements of this process: one registry for all nodes and executions, so that none places another's order again. */
export const placements = new PlacementRegistry(clock, (scope) => {
  const { environment, baseUrl } = placeOfScope(scope);
  return environment === 'sandbox' ? sharedMarketClock(baseUrl, clock) : machineTime(clock);
});

/** The orders by which this process closed positions: one for all nodes and executions. */
export const sentExits = new ClosingOrderRegistry(clock);

/** The positions that the service has shown today: one for all nodes and executions. */
export const shownPositions = new ShownPositions(clock);

/** Account of each credential, as the service names it. */
export const accountScopes = new AccountScopes();

/** Accounts for which this machine was seen to be registered. */
export const addressChecks = new StaticIpChecks();
