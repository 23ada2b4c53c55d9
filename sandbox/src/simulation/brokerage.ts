import type { Accounts } from '../accounts/types';
import { apiRules } from './data/api-order-rules';
import { usersOf } from './data/first-users';
import type { Basket, BasketChange, Baskets, NewBasket } from '../exchange/strategies/v2-basket-types';
import { asBasket, strategyProfit } from '../exchange/strategies/as-v2-basket';
import { asOrder, changeOf } from '../exchange/strategies/as-v2-order';
import type { IntentChange, IntentOrder, IntentOrders, NewIntent } from '../exchange/strategies/types';
import type { ExitSlot } from '../exchange/strategies/exit-types';
import { isTerminal } from '../exchange/working-order';
import { orderRefusal, refuse, tradableRefusal } from '../exchange/rules';
import { exchangeListings } from '../market/reference/exchange-listings';
import type { ExchangeEvent, OrderChange } from '../exchange/types';
import type { NewOrder, Order, Refusal } from '../shared/orders';
import { Scenarios } from './scenarios/scenarios';
import type { ScenarioPlan, ScenarioTerms, StartedScenario } from './scenarios/types';
import type { Instrument, TradingSession, Universe } from '../market/reference/types';
import type { PriceOverrides } from '../market/prices/price-overrides';
import type { Market } from '../market/prices/types';
import type { SandboxOptions } from './options';
import { Logins } from '../sessions/logins';
import { Users } from '../sessions/users';
import { Tokens } from '../sessions/tokens';
import type { CorporateActions } from '../market/corporate-actions/corporate-actions';
import type { CorporateAction, NewCorporateAction } from '../shared/corporate-actions';
import { announce, applyDueCorporateActions } from './corporate-actions';
import { SandboxCommands } from './commands';
import { istDate, istMidnight, millisOf } from '../shared/time';
import { openAccounts, openWithMoney } from './first-accounts';
import { journalOrderEvent } from './journal-entries';
import { loginCommands, type LoginCommands } from './login-commands';
import { createParts } from './composition';
import { plainForm, tradeCommands, type TradeCommands } from './trade-commands';
import type { Exchange } from '../exchange/contract';
import type { SimulatedBrokerageDeps, SimulatedBrokerageState } from './types';

const DAY_MS = 86_400_000;
/** Length of sessions in a replay, milliseconds, also under rules that end them each morning. */
const REPLAY_SESSION_MS = 36_525 * DAY_MS;
const actionForm = plainForm<[asked: NewCorporateAction]>();
const scenarioForm = plainForm<[name: string, terms: ScenarioTerms]>();

/** Everything that the event log can make again: people, market, exchange, accounts; in virtual time only. */
export class SimulatedBrokerage {
  readonly commands: SandboxCommands;
  readonly users: Users;
  readonly logins: LoginCommands;
  /** The market as everybody sees it: in a halt nothing of it moves. */
  readonly market: Market;
  readonly marketAlone: Market;
  /** Moves of the market's prices, and trades of users. */
  readonly priceOverrides: PriceOverrides;
  readonly exchange: Exchange;
  readonly accounts: Accounts;
  readonly baskets: Baskets;
  readonly intents: IntentOrders;
  readonly scenarios: Scenarios;
  /** Starts a scenario. @throws ScenarioRefusal when it cannot happen now; ask `planScenario` first */
  readonly startScenario: (name: string, terms: ScenarioTerms) => StartedScenario;
  readonly corporateActions: CorporateActions;
  /** Announces a corporate action. @throws CorporateActionRefusal when it cannot be; ask `planCorporateAction` first */
  readonly announceCorporateAction: (requested: NewCorporateAction) => CorporateAction;
  /** Issues the commands of trading; see `SandboxCommands`. */
  readonly trade: TradeCommands;
  private at: number;
  private dayEnd: number;

  /**
   * @param key signs the tokens. @param startAt where its time begins, milliseconds.
   * @param from where another world of the same options, key and start has come to: it goes on from there.
   */
  constructor(
    readonly options: SandboxOptions,
    key: string,
    readonly startAt: number,
    private readonly deps: SimulatedBrokerageDeps,
    from?: SimulatedBrokerageState,
  ) {
    this.at = from?.at ?? startAt;
    this.dayEnd = from?.dayEnd ?? istMidnight(istDate(startAt)) + DAY_MS;
    this.commands = new SandboxCommands(deps.instant, deps.log, deps.changed);
    // In a replay a day passes in seconds: who had to log in for each would wait for codes of the machine's time, and take himself for
    // displaced by another. A token that is over by the machine's time, as one of 2020 would be, is renewed by its owner again and again.
    const sessionLifeMs = deps.recordings && REPLAY_SESSION_MS;
    const appliedRules = apiRules(options.rules);
    const rules = appliedRules && {
      ...appliedRules,
      sessionsEndAt: deps.recordings ? undefined : appliedRules.sessionsEndAt,
    };
    this.users = new Users(usersOf(options.accounts), new Tokens(key), options.seed, rules, sessionLifeMs);
    this.logins = loginCommands(this.commands, new Logins({ users: this.users, ...deps }));
    const parts = createParts(
      options,
      { ...deps, startAt, at: this.at, orderEvent: (event) => this.onExchangeEvent(event) },
      from,
    );
    this.market = parts.market;
    this.marketAlone = parts.marketAlone;
    this.corporateActions = parts.corporateActions;
    this.priceOverrides = parts.priceOverrides;
    this.exchange = parts.exchange;
    this.accounts = parts.accounts;
    this.baskets = parts.baskets;
    this.intents = parts.intents;
    this.trade = tradeCommands(this);
    this.scenarios = new Scenarios(from?.scenarios);
    this.startScenario = this.commands.defineTyped('scenario.start', scenarioForm, (at, name, terms) =>
      this.beginScenario(at, name, terms),
    );
    this.announceCorporateAction = this.commands.defineTyped('corporate_action.announce', actionForm, (at, requested) =>
      announce(this, requested, at),
    );
    if (from === undefined && deps.live !== undefined) openWithMoney(this, startAt);
    else if (from === undefined) openAccounts(this, startAt);
    else this.users.restore(from.logins);
  }

  /** Returns the state. Take it between two commands, and use or write it before the next. */
  state(): SimulatedBrokerageState {
    const { at, dayEnd, users, accounts, exchange, baskets, intents, scenarios, corporateActions } = this;
    return {
      at,
      dayEnd,
      logins: users.state(),
      accounts: accounts.state(),
      exchange: exchange.state(),
      baskets: baskets.state(),
      intents: intents.state(),
      scenarios: scenarios.state(),
      corporateActions: corporateActions.state(),
    };
  }

  /** Runs everything that is due up to an instant, the ends of the days in between included. */
  advance(to: number): void {
    while (this.dayEnd <= to) {
      const last = this.dayEnd - 1;
      this.exchange.advance(last);
      this.accounts.endOfDay(istDate(last), last);
      this.deps.journal.write(last, 'day_end', { date: istDate(last) });
      this.deps.dayEnded(istDate(last), last);
      applyDueCorporateActions(this, this.deps.journal, this.dayEnd);
      this.dayEnd += DAY_MS;
    }
    this.exchange.advance(to);
    this.accounts.showAt(to);
    this.at = Math.max(this.at, to);
  }

  /** The instant (milliseconds) at which something is due by itself. */
  nextDue(): number {
    return Math.min(this.exchange.nextDue() ?? this.dayEnd, this.dayEnd);
  }

  /** The phase of the day on the exchange's cash market. */
  phase(): TradingSession['phase'] | 'CLOSED' {
    if (this.options.hours === 'always') return 'OPEN';
    const session = this.market.calendar
      .sessions('NSE', false, istDate(this.at))
      .find(({ from, to }) => from <= this.at && this.at < to);
    return session?.phase ?? 'CLOSED';
  }

  /** Returns the instruments that can be traded now. */
  universe(): Universe {
    return this.market.universe(this.at);
  }

  /** An instrument that can be traded now, or one that an account has had to do with. */
  instrument(refId: number): Instrument | undefined {
    return this.universe().byRefId(refId) ?? this.accounts.instrument(refId);
  }

  /** The ref_id of the same share on each exchange that lists it. */
  listings(instrument: Instrument): Record<string, number> {
    return exchangeListings(this.universe(), instrument);
  }

  /** Last traded price, paise. */
  lastPrice(instrument: Instrument): number {
    return this.exchange.lastPrice(instrument, this.at);
  }

  /** Returns the price that the closing auction would find now, paise; undefined outside of it. */
  indicativeClose(instrument: Instrument): number | undefined {
    return this.market.indicativeClose(instrument, this.at) ?? undefined;
  }

  /** The reason why a cancel would be refused now; undefined when it would be taken. */
  checkCancel(id: bigint): Refusal | undefined {
    if (this.intents.intent(id) !== undefined) return this.intents.checkCancel(id, null, this.at);
    const order = this.exchange.order(id);
    if (order === undefined || !isTerminal(order.status)) return undefined;
    return refuse('ORDER_NOT_PENDING', `order ${id} is ${order.status}: only a pending order can be cancelled`);
  }

  /** Orders of the day that the older list of an account shows by now, oldest first: of intent orders their entries. */
  ordersOf(account: string): Order[] {
    const entries = this.intents
      .intents(account, this.at)
      .filter(({ multi }) => !multi)
      .map(asOrder);
    const own = this.ownOrdersOf(account);
    return entries.length === 0 ? own : [...own, ...entries].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  }

  /** The same without intent orders. */
  ownOrdersOf(account: string): Order[] {
    return this.exchange.orders(account, this.at).filter(({ intentId }) => intentId === undefined);
  }

  /** An order in the older interface's form: one placed there, or the entry of an intent order. */
  order(id: bigint): Order | undefined {
    const intent = this.intents.intent(id);
    if (intent !== undefined) return intent.multi ? undefined : asOrder(intent);
    const order = this.exchange.order(id);
    return order?.intentId === undefined ? order : undefined;
  }

  /** A basket in the older interface's form: one placed there, or a strategy. */
  basket(id: bigint): Basket | undefined {
    const intent = this.intents.intent(id);
    return intent?.multi === true ? this.strategyAsBasket(intent) : this.baskets.basket(id);
  }

  /** Profit of a basket or strategy so far, paise. */
  profitOf(basket: Basket): number {
    const intent = this.intents.intent(basket.id);
    if (intent === undefined) return this.baskets.profit(basket, this.at);
    const instrument = (refId: number): Instrument => this.instrument(refId)!;
    return strategyProfit(intent, instrument, (refId) => this.exchange.lastPrice(instrument(refId), this.at));
  }

  /** Net price of a basket or strategy now, paise. */
  netPriceOf(basket: Basket): number {
    const intent = this.intents.intent(basket.id);
    return intent === undefined ? this.baskets.netPrice(basket, this.at) : this.intents.netPrice(intent, this.at);
  }

  /** Baskets that were placed as such, oldest first, as the intent interface shows them. */
  ownStrategiesOf(account: string): IntentOrder[] {
    return this.baskets.strategies(account, this.at);
  }

  /** Intent orders of an account that its list shows by now, oldest first. */
  intentsOf(account: string): IntentOrder[] {
    return this.intents.intents(account, this.at);
  }

  /** Number of those that a test is true of: a preview counts them for each order of a busy day. */
  countIntents(account: string, test: (intent: Readonly<IntentOrder>) => boolean): number {
    return this.intents.countIntents(account, this.at, test);
  }

  placeIntent(order: NewIntent, smallId: boolean): { ok: true; intent: IntentOrder } | Refusal {
    return this.trade.placeIntent(order, smallId);
  }

  modifyIntent(id: bigint, change: IntentChange): { ok: true } | Refusal {
    return this.trade.modifyIntent(id, change);
  }

  cancelIntent(id: bigint, slot: ExitSlot | null): { ok: true } | Refusal {
    return this.trade.cancelIntent(id, slot, false);
  }

  placeOrder(order: NewOrder): { ok: true; order: Order } | Refusal {
    return this.trade.placeOrder(order);
  }

  modifyOrder(id: bigint, change: OrderChange): { ok: true } | Refusal {
    const intent = this.intents.intent(id);
    if (intent === undefined) return this.trade.modifyOrder(id, change);
    const requested = changeOf(intent, change);
    return 'ok' in requested ? requested : this.modifyIntent(id, requested);
  }

  cancelOrder(id: bigint): { ok: true } | Refusal {
    return this.intents.intent(id) === undefined ? this.trade.cancelOrder(id) : this.cancelIntent(id, null);
  }

  placeBasket(basket: NewBasket): { ok: true; basket: Basket } | Refusal {
    return this.trade.placeBasket(basket);
  }

  /** @param change of a basket; a strategy's exits are modified as those of an intent order. */
  modifyBasket(id: bigint, change: BasketChange): { ok: true } | Refusal {
    if (this.intents.intent(id) === undefined) return this.trade.modifyBasket(id, change);
    return refuse('STRATEGY', `${id} is a strategy of an intent order: modify it at /sentinel/orders/modify`);
  }

  cancelBasket(id: bigint): { ok: true } | Refusal {
    return this.intents.intent(id) === undefined
      ? this.trade.cancelBasket(id)
      : this.trade.cancelIntent(id, null, true);
  }

  /** Baskets of an account that its list shows by now, oldest first. */
  basketsOf(account: string): Basket[] {
    const strategies = this.intentsOf(account).filter(({ multi }) => multi);
    const own = this.baskets.baskets(account, this.at);
    if (strategies.length === 0) return own;
    const all = [...own, ...strategies.map((intent) => this.strategyAsBasket(intent))];
    return all.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  }

  /** Returns the refusal of an order at once; undefined when it would be taken. */
  checkOrder(order: NewOrder): Refusal | undefined {
    const instrument = this.universe().byRefId(order.refId);
    if (instrument === undefined)
      return refuse('UNKNOWN_INSTRUMENT', `ref_id ${order.refId} is not an instrument of this environment today`);
    return tradableRefusal(instrument) ?? orderRefusal(order, instrument);
  }

  /** Returns the plan of a scenario now. @throws ScenarioRefusal when it cannot happen now */
  planScenario(name: string, terms: ScenarioTerms, at: number): ScenarioPlan {
    const { accounts, exchange, market, options } = this;
    exchange.advance(at);
    accounts.showAt(at);
    return this.scenarios.plan(name, terms, {
      at,
      hours: options.hours,
      market,
      universe: market.universe(at),
      isOpen: (instrument) => exchange.isOpen(instrument, at),
      closeOf: (instrument) => exchange.closeOf(instrument, at),
      onMargin: () =>
        accounts.ids().map((account) => ({
          account,
          available: accounts.funds(account).available,
          positions: accounts.marginPositions(account).map(({ refId, quantity, margin }) => ({
            instrument: accounts.instrument(refId)!,
            quantity,
            margin,
          })),
        })),
    });
  }

  private beginScenario(at: number, name: string, terms: ScenarioTerms): StartedScenario {
    const plan = this.planScenario(name, terms, at);
    this.exchange.impose(plan.effects, at);
    const begun = this.scenarios.note(name, plan);
    this.deps.journal.write(at, 'scenario', { scenario_id: begun.id, name, story: begun.story });
    return begun;
  }

  private strategyAsBasket(intent: IntentOrder): Basket {
    return asBasket(intent, this.instrument(intent.legs[0]!.refId));
  }

  private onExchangeEvent(event: ExchangeEvent): void {
    const at = millisOf(event.at);
    this.at = Math.max(this.at, at);
    if (event.type === 'trade') this.accounts.trade(event.trade, at);
    this.accounts.orderChanged(event.order, at);
    journalOrderEvent(this.deps, event, at);
    this.deps.orderEvent(event);
  }
}
