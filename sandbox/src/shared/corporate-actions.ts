/**
 * Corporate actions of companies: a split, a bonus issue, a dividend. Each takes effect at midnight in India on its ex-date; who held the
 * share at the close before is entitled. Money is paise.
 */

/** Terms of a new corporate action. */
export type NewCorporateAction = {
  /** Of the share, on any exchange. */
  refId: number;
  /** YYYY-MM-DD, a trading day. */
  exDate: string;
} & CorporateActionTerms;

export type CorporateActionTerms =
  /** Each share of a face value (rupees) becomes several of a smaller one. */
  | { kind: 'split'; from: number; to: number }
  /** Numbers of new shares and of the held shares for which they come. */
  | { kind: 'bonus'; issued: number; held: number }
  /** Paise a share. */
  | { kind: 'dividend'; perShare: number };

export interface CorporateAction {
  id: number;
  kind: CorporateActionTerms['kind'];
  /** Trading symbol of the share, the same on all exchanges. */
  symbol: string;
  /** Of the share, on every exchange that lists it. */
  refIds: readonly number[];
  /** YYYY-MM-DD. */
  exDate: string;
  /** Midnight in India on the ex-date, milliseconds. */
  from: number;
  /** Instant when it was announced, milliseconds. */
  announced: number;
  /** Numbers of shares before and after: 1 and 1 for a dividend. */
  before: number;
  after: number;
  /** Paise a share; 0 where it is no dividend. */
  dividend: number;
  /** True if a dividend is so large that contracts and the previous close are adjusted by it. */
  extraordinary: boolean;
  /** The close before the ex-date (paise), by which the price falls for a dividend; undefined until it takes effect. */
  close?: number;
}

/** One that has taken effect. */
export type EffectiveAction = CorporateAction & { close: number };

/** All of them, as plain data. */
export interface CorporateActionsState {
  actions: CorporateAction[];
  last: number;
}
