import type { Inbox } from './inbox';
import type { Journal } from './journal';
import type { Stats } from './stats';
import type { BasketEvent } from '../exchange/strategies/v2-basket-types';
import type { IntentEvent, StrategiesState } from '../exchange/strategies/types';
import type { ExchangeEvent } from '../exchange/types';
import type { Recordings } from '../market/recordings/types';
import type { Market } from '../market/prices/types';
import type { User, LoginsState } from '../sessions/users';
import type { CommandLog } from './commands';
import type { ExecutionModels } from './models';
import type { AccountsState } from '../accounts/state';
import type { ExchangeState } from '../exchange/state';
import type { ScenariosState } from './scenarios/scenarios';
import type { CorporateActionsState } from '../shared/corporate-actions';

/** Listeners that a world tells. */
export interface SimulatedBrokerageDeps {
  journal: Journal;
  inbox: Inbox;
  stats: Stats;
  models: ExecutionModels;
  /** Recordings of a real market; undefined where all of it is made up. */
  recordings: Recordings | undefined;
  /** The live market that is mirrored; undefined where there is none. */
  live: Market | undefined;
  /** The instant of a command that is issued now, milliseconds. */
  instant(): number;
  log: CommandLog;
  changed(): void;
  sessionEnded(user: User): void;
  /** A day (YYYY-MM-DD) is over, at its last millisecond. */
  dayEnded(date: string, at: number): void;
  /** Told of everything that happens to an order, in order, once. */
  orderEvent(event: ExchangeEvent): void;
  /** The same of baskets. */
  basketEvent(event: BasketEvent): void;
  /** The same of intent orders. */
  intentEvent(event: IntentEvent): void;
}

/** A world as plain data with 64-bit integers. */
export interface SimulatedBrokerageState {
  /** Milliseconds. */
  at: number;
  dayEnd: number;
  logins: LoginsState;
  accounts: AccountsState;
  exchange: ExchangeState;
  baskets: StrategiesState;
  intents: StrategiesState;
  scenarios: ScenariosState;
  corporateActions: CorporateActionsState;
}
