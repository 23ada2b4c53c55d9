import { Type, type TSchema } from '@sinclair/typebox';
import { int, nullable, number, paise, record, text } from './reply-parts';

/** Company figures: ratios as seen, the others by the names of the maker's library (docs/service/market-data.md#company-figures). */
export function companySchemas(of: (schema: TSchema) => Record<string, TSchema>) {
  const ratio = nullable(number);
  const rows = (value: TSchema) =>
    record({
      dates: Type.Array(text),
      data: Type.Array(record({ label: text, is_key_ratio: Type.Boolean(), values: Type.Array(value) })),
    });
  const child = record({ label: text, value: number });
  const statement = rows(record({ date: text, value: ratio, children: nullable(Type.Array(child)) }));
  const day = nullable(text);
  return {
    keyRatios: of(
      record({
        message: text,
        result: record({
          keyratios_shareholding: record({
            symbol: text,
            fincode: int,
            ltp: paise,
            close_price: paise,
            key_ratios: record({
              p_e_ratio: ratio,
              p_b_ratio: ratio,
              roe: ratio,
              roa: ratio,
              roce: ratio,
              eps: ratio,
              market_cap: paise,
            }),
            shareholding_keys: record({
              promoter: number,
              mf: number,
              retail_other: number,
              fiis: number,
              other_domestic_insti: number,
            }),
            technical_indicators: record({ ema12d: ratio, ema26d: ratio, macd: ratio, rsi: ratio }),
          }),
        }),
      }),
    ),
    statements: of(
      record({
        message: text,
        result: Type.Object({
          balance_sheet: Type.Optional(statement),
          cash_flow: Type.Optional(statement),
          profit_loss: Type.Optional(statement),
        }),
      }),
    ),
    corporateEvents: of(
      record({
        message: text,
        result: record({
          corporate_actions: Type.Array(
            record({
              corp_action_name: text,
              action_type: text,
              upcoming_event: Type.Boolean(),
              record_date: day,
              execution_date: day,
              ratio1: nullable(int),
              ratio2: nullable(int),
              dividend_type: nullable(text),
              amount: nullable(paise),
            }),
          ),
        }),
      }),
    ),
    shareholding: of(
      record({
        message: text,
        result: record({
          shareholding_pattern: rows(
            record({ date: text, value: number, shareholding_children: nullable(Type.Array(child)) }),
          ),
        }),
      }),
    ),
  };
}
