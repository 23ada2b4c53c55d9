import type { AccountState } from '../accounts/state';
import type { SimulatedBrokerageState } from './types';

/**
 * The long lists of a world's state: their elements never change, so that they can be written later, a little at a time, while
 * the world goes on. All else is little, and is written at once.
 */

/** A state without its long lists, and these, in an order that `attachLists` knows. */
export function detachLists(state: SimulatedBrokerageState): { rest: SimulatedBrokerageState; lists: unknown[][] } {
  const lists: unknown[][] = [];
  const rest = changedLists(state, (list) => {
    lists.push(list);
    return [];
  });
  return { rest, lists };
}

/** The state from which `detachLists` made these parts. */
export function attachLists(rest: SimulatedBrokerageState, lists: readonly unknown[][]): SimulatedBrokerageState {
  let next = 0;
  return changedLists(rest, () => lists[next++] ?? []);
}

/** A state with each of its long lists replaced by what `change` makes of it. */
function changedLists(state: SimulatedBrokerageState, change: (list: unknown[]) => unknown[]): SimulatedBrokerageState {
  const to = <T>(list: readonly T[]): T[] => change([...list]) as T[];
  const account = (accountState: AccountState): AccountState => ({
    ...accountState,
    ledger: to(accountState.ledger),
    trades: to(accountState.trades),
    closures: to(accountState.closures),
    charged: new Map(to([...accountState.charged])),
  });
  const accounts = new Map([...state.accounts.accounts].map(([id, accountState]) => [id, account(accountState)]));
  const { exchange } = state;
  return {
    ...state,
    accounts: { ...state.accounts, accounts },
    exchange: { ...exchange, store: { ...exchange.store, orders: to(exchange.store.orders) } },
  };
}
