import type { Accounts } from '../accounts/types';
import type { BasketChange, Baskets, NewBasket } from '../exchange/strategies/v2-basket-types';
import type { ExitSlot } from '../exchange/strategies/exit-types';
import type { IntentChange, IntentOrders, NewIntent } from '../exchange/strategies/types';
import type { OrderChange } from '../exchange/types';
import type { Json } from '../shared/json';
import type { NewOrder } from '../shared/orders';
import type { SandboxCommands, LogForm } from './commands';
import type { Exchange } from '../exchange/contract';

/** The same type if no bigint is anywhere in it; then JSON keeps all of it. */
type Plain<T> = T extends bigint ? never : T extends object ? { [Name in keyof T]: Plain<T[Name]> } : T;

function plain<T>(value: T & Plain<T>): Json {
  return value as unknown as Json;
}

/** Form of arguments without 64-bit identifiers, which are JSON already. */
export function plainForm<A extends unknown[]>(): LogForm<A> {
  return { write: (args) => args as unknown as Json[], read: (json) => json as unknown as A };
}

/** An order in the log: unchanged, but for the 64-bit identifier, which is text. */
type LoggedOrder = Omit<NewOrder, 'basketId' | 'intentId'> & { basketId: string };

const orderForm: LogForm<[order: NewOrder]> = {
  write: ([{ basketId, intentId: _own, ...order }]) => [plain({ ...order, basketId: basketId.toString() })],
  read(json) {
    const { basketId, ...order } = json[0] as unknown as LoggedOrder;
    return [{ ...order, basketId: BigInt(basketId) }];
  },
};

const changeForm: LogForm<[orderId: bigint, change: OrderChange]> = {
  write: ([orderId, change]) => [orderId.toString(), plain(change)],
  read: ([orderId, change]) => [BigInt(orderId as string), change as OrderChange],
};

const idForm: LogForm<[id: bigint]> = {
  write: ([id]) => [id.toString()],
  read: ([id]) => [BigInt(id as string)],
};

const basketForm: LogForm<[basket: NewBasket]> = {
  write: ([basket]) => [plain(basket)],
  read: ([basket]) => [basket as unknown as NewBasket],
};

const basketChangeForm: LogForm<[basketId: bigint, change: BasketChange]> = {
  write: ([basketId, change]) => [basketId.toString(), plain(change)],
  read: ([basketId, change]) => [BigInt(basketId as string), change as unknown as BasketChange],
};

const intentForm: LogForm<[order: NewIntent, smallId: boolean]> = {
  write: ([order, smallId]) => [plain(order), smallId],
  read: ([order, smallId]) => [order as unknown as NewIntent, smallId as boolean],
};

const intentChangeForm: LogForm<[id: bigint, change: IntentChange]> = {
  write: ([id, change]) => [id.toString(), plain(change)],
  read: ([id, change]) => [BigInt(id as string), change as unknown as IntentChange],
};

const intentCancelForm: LogForm<[id: bigint, slot: ExitSlot | null, close: boolean]> = {
  write: ([id, slot, close]) => [id.toString(), slot, close],
  read: ([id, slot, close]) => [BigInt(id as string), slot as ExitSlot | null, close as boolean],
};

export interface TradeCommandDeps {
  commands: SandboxCommands;
  exchange: Exchange;
  baskets: Baskets;
  intents: IntentOrders;
  accounts: Accounts;
}

/** The commands that change orders, baskets, prices and accounts. Money and prices are paise. */
export function tradeCommands({ commands, exchange, baskets, intents, accounts }: TradeCommandDeps) {
  return {
    placeOrder: commands.defineTyped('order.place', orderForm, (at, order) => exchange.place(order, at)),
    modifyOrder: commands.defineTyped('order.modify', changeForm, (at, orderId, change) =>
      exchange.modify(orderId, change, at),
    ),
    cancelOrder: commands.defineTyped('order.cancel', idForm, (at, orderId) => exchange.cancel(orderId, at)),
    placeBasket: commands.defineTyped('basket.place', basketForm, (at, basket) => baskets.place(basket, at)),
    modifyBasket: commands.defineTyped('basket.modify', basketChangeForm, (at, basketId, change) =>
      baskets.modify(basketId, change, at),
    ),
    cancelBasket: commands.defineTyped('basket.cancel', idForm, (at, basketId) => baskets.cancel(basketId, at)),
    placeIntent: commands.defineTyped('intent.place', intentForm, (at, order, smallId) =>
      intents.place(order, smallId, at),
    ),
    modifyIntent: commands.defineTyped('intent.modify', intentChangeForm, (at, id, change) =>
      intents.modify(id, change, at),
    ),
    /** Cancels the rest of the entry and the exits, or one exit; with `close` also what is entered is closed. */
    cancelIntent: commands.defineTyped('intent.cancel', intentCancelForm, (at, id, slot, close) =>
      close ? intents.close(id, at) : intents.cancel(id, slot, at),
    ),
    movePrice: commands.define('market.price', (at, refId: number, price: number) =>
      exchange.movePrice(refId, price, at),
    ),
    halt: commands.define('market.halt', (at, halted: boolean) => exchange.halt(halted, at)),
    addFunds: commands.define('account.funds', (at, account: string, amount: number) =>
      accounts.addFunds(account, amount, at),
    ),
    setHolding: commands.define(
      'account.holding',
      (at, account: string, refId: number, quantity: number, averagePrice: number) =>
        accounts.setHolding(account, { refId, quantity, averagePrice }, at),
    ),
    authoriseSales: commands.define('account.authorise_sales', (at, account: string, how: 'ddpi' | 'today' | 'none') =>
      accounts.authoriseSales(account, how, at),
    ),
    /** Pledges a quantity of a holding, or takes it back when the quantity is negative. */
    pledge: commands.define('account.pledge', (at, account: string, refId: number, quantity: number) =>
      quantity < 0 ? accounts.unpledge(account, refId, -quantity, at) : accounts.pledge(account, refId, quantity, at),
    ),
  };
}

export type TradeCommands = ReturnType<typeof tradeCommands>;
