/**
 * Company figures (docs/service/market-data.md#company-figures). `companyFundamentals` is seen; of the others only the names are known.
 * They are asked as
 * the maker's library would, at the form of the path that is seen, and then at a path below it.
 */
import type { Json } from '../values/json';
import { asRecord, recordIn } from '../values/record';
import { readEndpoint } from './endpoint';

/** Whole group, or the company alone. */
export type FundamentalsType = 'CONSOLIDATED' | 'STANDALONE';

/** Key ratios and holders. Names of figures are open; values are numbers, texts or null. */
export interface KeyRatiosFields {
  symbol?: string | null;
  /** The number by which `shareholdingPattern` knows the company. */
  fincode?: number | null;
  /** For example `p_e_ratio`, `roe`, `eps`, `market_cap`. */
  key_ratios?: object | null;
  /** Percent by holder, such as `promoter`, `fiis`. */
  shareholding_keys?: object | null;
  /** For example `macd`, `rsi`. */
  technical_indicators?: object | null;
}

/** A part of a figure. */
export interface FigurePartFields {
  label?: string | null;
  value?: number | null;
}

/** A figure of one period. */
export interface FigureValueFields {
  /** For example "202603" or "2026Q1". */
  date?: string | number | null;
  /** Paise in statements, a plain number in rows of ratios, percent in holdings. */
  value?: number | null;
  children?: FigurePartFields[] | null;
  shareholding_children?: FigurePartFields[] | null;
}

/** One row of a table over periods. */
export interface FigureRowFields {
  label?: string | null;
  /** True if its values are ratios, not money. */
  is_key_ratio?: boolean | null;
  values?: FigureValueFields[] | null;
}

/** Rows over periods. */
export interface FigureTableFields {
  dates?: (string | number)[] | null;
  data?: FigureRowFields[] | null;
}

/** One corporate action or meeting. The units of `amount` and the ratios are not told. */
export interface CorporateActionFields {
  corp_action_name?: string | null;
  action_type?: string | null;
  upcoming_event?: boolean | null;
  record_date?: string | null;
  execution_date?: string | null;
  ratio1?: number | null;
  ratio2?: number | null;
  dividend_type?: string | null;
  amount?: number | null;
}

/** Result of a statement, under its own name. */
export interface StatementsResult {
  balance_sheet?: FigureTableFields;
  cash_flow?: FigureTableFields;
  profit_loss?: FigureTableFields;
}
export type StatementName = keyof StatementsResult;

interface KeyRatiosReply {
  message?: string;
  result: { keyratios_shareholding: KeyRatiosFields };
}

export const companyEndpoints = {
  /** Without a symbol 400. */
  companyFundamentals: readEndpoint<
    { query: { symbol: string; exchange?: string; fundamentals_type?: FundamentalsType } },
    KeyRatiosReply
  >('GET', '/screener/fetch_company_fundamentals', {
    proves: [
      {
        reply: 'company',
        what: 'symbol',
        asked: ({ query }) => query.symbol,
        answered: (reply) => [ratiosIn(reply)?.symbol],
        parameter: 'instrument',
      },
    ],
  }),
  /** `statement` is `balance_sheet`, `cash_flow` or `profit_loss`. */
  companyStatement: readEndpoint<
    {
      path: { statement: StatementName };
      query: {
        symbol: string;
        exchange?: string;
        fundamentals_type?: FundamentalsType;
        result_type?: 'ANNUAL' | 'QUARTERLY';
        limit?: number;
      };
    },
    { message?: string; result: StatementsResult }
  >('GET', '/screener/fetch_{statement}', {
    alternative: '/screener/fetch_company_fundamentals/{statement}',
    proves: 'names nothing',
  }),
  corporateActions: readEndpoint<
    { query: { symbol: string; exchange?: string } },
    { message?: string; result: { corporate_actions: CorporateActionFields[] | null } }
  >('GET', '/screener/fetch_corporate_actions', {
    alternative: '/screener/fetch_company_fundamentals/corporate_actions',
    proves: 'names nothing',
  }),
  /** By the `fincode` of the key ratios. */
  shareholdingPattern: readEndpoint<
    { query: { fincode: number; limit?: number } },
    { message?: string; result: { shareholding_pattern: FigureTableFields } }
  >('GET', '/screener/fetch_shareholding_pattern', {
    alternative: '/screener/fetch_company_fundamentals/shareholding_pattern',
    proves: 'names nothing',
  }),
};

const ratiosIn = (reply: Json) =>
  recordIn(recordIn(asRecord<KeyRatiosReply>(reply), 'result'), 'keyratios_shareholding');
