import { Type } from '@sinclair/typebox';
import {
  instrumentFields,
  int,
  nanoseconds,
  nullable,
  number,
  paise,
  record,
  repliesWith,
  refusalSchema,
  text,
  type BrandWords,
} from './reply-parts';
import { companySchemas } from './company-schemas';
import { orderSchemas } from './order-schemas';
import { portfolioSchemas } from './portfolio-schemas';

const MESSAGE = record({ message: text });
/** By time, expiry, strike and field. */
const MOMENTS = Type.Record(
  text,
  Type.Record(
    text,
    Type.Record(text, Type.Record(text, Type.Object({ CE: Type.Optional(number), PE: Type.Optional(number) }))),
  ),
);

/** The schemas by the words in them: every sandbox of a process has the same, and each group of paths asks for them. */
const made = new Map<string, ReturnType<typeof schemasOf>>();

/**
 * Replies as the description tells them (docs/service/README.md). What is sent is not made from them: a test
 * compares both.
 */
export function replySchemas(words: BrandWords) {
  const key = JSON.stringify([words.platformWord, words.serviceWord]);
  const schemas = made.get(key) ?? schemasOf(words);
  made.set(key, schemas);
  return schemas;
}

function schemasOf(words: BrandWords) {
  const of = repliesWith(words);
  const instrument = record({
    ...instrumentFields(words),
    strike_price: paise,
    expiry: Type.Integer({ description: 'YYYYMMDD; 0 for none' }),
    isin: text,
    asset_type: text,
    tick_size: paise,
    underlying_prev_close: paise,
  });
  const level = record({ p: paise, q: int, o: int });
  const leg = record({
    ref_id: int,
    inst_id: int,
    ts: nanoseconds,
    sp: paise,
    ls: int,
    ltp: paise,
    ltpchg: number,
    iv: Type.Number({ description: 'A fraction' }),
    delta: number,
    gamma: number,
    theta: number,
    vega: number,
    oi: int,
    volume: int,
    prev_oi: int,
  });
  const row = Type.Record(text, Type.Union([text, number, Type.Null()]));
  return {
    ...orderSchemas(words),
    ...portfolioSchemas(words),
    ...companySchemas(of),
    error: { '4xx': refusalSchema(words) },
    message: of(MESSAGE),
    secret: of(record({ data: record({ secret_key: text, qr_image: text }), message: text })),
    user: of(
      record({
        client_code: text,
        email: text,
        env_info: record({ market_ws_url: text, order_service_ws_url: text, user_ws_url: text }),
        message: text,
        name: text,
        phone: text,
        userId: int,
        version_info: record({ status: text, version: text }),
      }),
    ),
    address: of(
      record({
        is_matched: Type.Boolean(),
        current_ip_address: text,
        primary_ip_address: text,
        secondary_ip_address: text,
      }),
    ),
    master: of(
      record({ exchange: text, is_trading_on: Type.Boolean(), message: text, refdata: Type.Array(instrument) }),
    ),
    book: of(
      record({
        orderBook: record({
          inst_id: int,
          ref_id: int,
          ts: nanoseconds,
          bid: Type.Array(level),
          ask: Type.Array(level),
          ltp: paise,
          ltq: int,
          volume: int,
          prev_close: paise,
        }),
      }),
    ),
    price: of(
      Type.Object({
        message: text,
        exchange: text,
        price: paise,
        prev_close: paise,
        change: Type.Number({ description: 'Percent' }),
        indicative_close_price: Type.Optional(paise),
      }),
    ),
    chain: of(
      record({
        chain: record({
          asset: text,
          exchange: text,
          expiry: text,
          ce: Type.Array(leg),
          pe: Type.Array(leg),
          atm: paise,
          cp: paise,
          all_expiries: Type.Array(text),
        }),
        message: text,
      }),
    ),
    candles: of(
      record({
        market_time: text,
        message: text,
        result: nullable(
          Type.Array(
            record({
              exchange: text,
              type: text,
              values: Type.Array(
                Type.Record(text, Type.Record(text, Type.Array(record({ ts: nanoseconds, v: number })))),
              ),
            }),
          ),
        ),
      }),
    ),
    moments: of(
      record({
        message: text,
        result: Type.Record(text, Type.Record(text, MOMENTS), { description: 'By exchange, then by asset' }),
      }),
    ),
    /** Of an e-mail that was sent, only the message is there. */
    view: record({
      message: text,
      res: Type.Optional(
        record({
          type: text,
          title: text,
          client_code: text,
          from_date: text,
          to_date: text,
          unit: text,
          summary: row,
          sections: Type.Array(record({ title: text, rows: Type.Array(row), totals: nullable(row) })),
          notes: Type.Array(text),
        }),
      ),
    }),
    bhavcopy: {
      200: {
        content: {
          'application/json': { schema: record({ message: text, type: text, data: Type.Array(row) }) },
          'text/csv': { schema: text },
        },
      },
      '4xx': refusalSchema(words),
    },
    reports: of(
      record({
        message: text,
        res: record({
          categories: Type.Array(text),
          reports: Type.Array(
            record({
              category: text,
              title: text,
              type: text,
              downloadFileTypes: Type.Array(text),
              actionTypes: Type.Array(text),
              dateRangeOptions: Type.Array(text),
              passwordProtected: Type.Boolean(),
              password: text,
              minDate: text,
              maxDate: text,
            }),
          ),
        }),
      }),
    ),
  };
}
