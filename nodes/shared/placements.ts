import { SentExits } from '../../client/closing/sent-exits';
import { AccountScopes } from '../../client/orders/account-scope';
import { AddressChecks } from '../../client/orders/address-check';
import { Placements } from '../../client/orders/placements';
import { clock } from '../host/clock';

/** What this process has placed: one for all nodes and executions, so that none places what another has placed. */
export const placements = new Placements(clock);

/** The orders by which this process closed positions: one for all nodes and executions. */
export const sentExits = new SentExits(clock);

/** Which account each credential trades for, as the service says. */
export const accountScopes = new AccountScopes();

/** On which accounts this machine was seen to be registered. */
export const addressChecks = new AddressChecks();
