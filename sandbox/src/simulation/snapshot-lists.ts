import type { AccountState } from '../accounts/state';
import type { WorldState } from './types';

/**
 * The long lists of a world's state: their elements never change, so that they can be written later, a little at a time, while
 * the world goes on. All else is little, and is written at once.
 */

/** A state without its long lists, and these, in an order that `attached` knows. */
export function detached(state: WorldState): { rest: WorldState; lists: unknown[][] } {
  const lists: unknown[][] = [];
  const rest = changedLists(state, (list) => {
    lists.push(list);
    return [];
  });
  return { rest, lists };
}

/** The state of which `detached` made these parts. */
export function attached(rest: WorldState, lists: readonly unknown[][]): WorldState {
  let next = 0;
  return changedLists(rest, () => lists[next++] ?? []);
}

/** A state with each of its long lists replaced by what `change` makes of it. */
function changedLists(state: WorldState, change: (list: unknown[]) => unknown[]): WorldState {
  const to = <T>(list: readonly T[]): T[] => change([...list]) as T[];
  const account = (one: AccountState): AccountState => ({
    ...one,
    ledger: to(one.ledger),
    trades: to(one.trades),
    closures: to(one.closures),
    charged: new Map(to([...one.charged])),
  });
  const accounts = new Map([...state.accounts.accounts].map(([id, one]) => [id, account(one)]));
  const { exchange } = state;
  return {
    ...state,
    accounts: { ...state.accounts, accounts },
    exchange: { ...exchange, store: { ...exchange.store, orders: to(exchange.store.orders) } },
  };
}
