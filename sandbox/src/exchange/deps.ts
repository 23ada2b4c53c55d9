import type { Accounts } from '../accounts/types';
import type { Market } from '../market/prices/types';
import type { Chance } from '../shared/random';
import type { Delays } from './latency-model';
import type { Moves } from '../market/prices/price-overrides';

/** Cash, margin and holdings: asked at placement and right before a change takes effect. */
export type Risk = Pick<Accounts, 'hold' | 'amend'>;

/** What an exchange is handed. */
export interface ExchangeDeps {
  market: Market;
  /** Where moved prices are kept, for whoever shows what is not the exchange's (candles, greeks); its own when left out. */
  moves?: Moves;
  chance: Chance;
  /** Without it every order is affordable. */
  risk?: Risk;
  options: {
    hours: 'always' | 'exchange';
    delays?: Delays;
    /** Length of a time step of others' liquidity, milliseconds; 1000 when left out. */
    stepMs?: number;
  };
  /** Where virtual time begins, milliseconds since the epoch. */
  startAt: number;
}
