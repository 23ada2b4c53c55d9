import { Type, type TSchema } from '@sinclair/typebox';
import { SERVICE_DIALECTS } from '../simulation/dialect';
import type { BrandWords } from '../web/reply-parts';
import { int, nullable, number, paise, record, refusalSchema, text } from '../web/reply-parts';

/** The heading of the control plane in the API's description. */
export const CONTROL_TAGS = ['Control plane'];

const instant = Type.String({ description: 'ISO instant in India' });
const clock = record({
  now: instant,
  mode: Type.String({ description: 'real, manual, fastest or accelerated' }),
  speed: number,
  going_to: nullable(
    Type.String({ description: 'ISO instant in India to which it was moved, while a client makes it wait on the way' }),
  ),
});
const fault = Type.Object(
  {
    id: int,
    used: Type.Integer({ description: 'How often it was applied' }),
    match: Type.Record(text, Type.Unknown()),
    action: text,
  },
  { additionalProperties: true, description: 'The rule as it was given' },
);
const account = record({
  phone: text,
  client_code: text,
  name: text,
  funds: Type.Record(text, paise),
  holdings: Type.Array(
    record({
      ref_id: int,
      symbol: Type.Optional(text),
      qty: int,
      t1_qty: int,
      pledged_qty: int,
      cost: paise,
    }),
  ),
  static_ip: record({ enabled: Type.Boolean(), primary: text, secondary: text }),
  totp_enabled: Type.Boolean(),
  order_system: Type.Boolean(),
  order_interface: text,
  sales: text,
});
const day = record({
  date: text,
  result: paise,
  trades: int,
  market: nullable(number),
  index: nullable(record({ open: paise, high: paise, low: paise, close: paise, previous_close: paise })),
});
const group = record({
  name: text,
  trades: Type.Integer({ description: 'Closed' }),
  open: int,
  won: int,
  gross: paise,
  costs: paise,
  net: paise,
  slippage: paise,
});
const placedBy = nullable(record({ workflow: text, workflow_name: text, execution: text, node: text }));
const roundTrip = record({
  symbol: text,
  ref_id: int,
  product: text,
  side: Type.String({ description: 'LONG or SHORT' }),
  quantity: int,
  open: Type.Boolean({ description: 'Valued at the last price' }),
  entry_at: instant,
  entry_price: paise,
  exit_at: nullable(instant),
  exit_price: paise,
  settled: Type.Boolean({ description: 'Closed at the end of a day without a trade' }),
  gross: paise,
  costs: paise,
  net: paise,
  slippage: nullable(paise),
  holding_seconds: nullable(int),
  tag: text,
  entry_order_id: text,
  exit_order_id: text,
  placed_by: placedBy,
  exit_placed_by: placedBy,
});
const performance = record({
  from: text,
  to: text,
  unit: text,
  verdict: Type.String({ description: 'Whether the trades say anything at all, in plain words' }),
  result: Type.Integer({ description: 'Paise, of the trades of the period after costs' }),
  gross: paise,
  costs: paise,
  slippage: paise,
  equity: Type.Object(
    { start: paise, end: paise, result: paise, held_before: paise, external: paise, set_by_hand: paise },
    { description: 'end − start = result + held_before + external + set_by_hand' },
  ),
  drawdown: nullable(record({ amount: paise, percent: number, from: instant, to: instant })),
  trades: record({
    closed: int,
    open: int,
    won: int,
    lost: int,
    win_rate: nullable(number),
    profit_factor: nullable(number),
    average: nullable(paise),
    average_holding_seconds: nullable(int),
  }),
  sharpe: nullable(record({ value: number, error: number, days: int })),
  best_day: nullable(day),
  worst_day: nullable(day),
  market: nullable(record({ symbol: text, start: paise, end: paise, change: number })),
  days: Type.Array(day),
  by_tag: Type.Array(group),
  by_workflow: Type.Array(group),
  round_trips: Type.Array(roundTrip),
  held_before: Type.Array(roundTrip),
  curve: Type.Array(
    record({
      at: instant,
      result: paise,
      drawdown: paise,
      net_exposure: paise,
      gross_exposure: paise,
      market: nullable(paise),
    }),
  ),
});
const message = Type.Object({
  id: int,
  kind: Type.String({ description: 'sms or email' }),
  to: text,
  from: Type.Optional(text),
  subject: Type.Optional(text),
  text,
  html: Type.Optional(text),
  at: instant,
  attachments: Type.Optional(Type.Array(record({ filename: text, contentType: text }))),
});
const counters = [
  'logins',
  'logins_refused',
  'requests',
  'orders_received',
  'orders_accepted',
  'orders_rejected',
  'trades',
  'streams_open',
  'frames_sent',
];
const named = (names: readonly string[], schema: TSchema) =>
  record(Object.fromEntries(names.map((name) => [name, schema])));

const taken = Type.Union([record({ usual: number, least: number, most: number }), Type.Null()]);
const begun = record({
  id: int,
  name: text,
  from: instant,
  to: instant,
  story: text,
  outage: Type.Optional(record({ from: instant, to: instant })),
});

const corporateAction = record({
  id: int,
  kind: Type.String({ description: 'split, bonus or dividend' }),
  symbol: text,
  ref_ids: Type.Array(int),
  ex_date: text,
  announced_at: instant,
  effective: Type.Boolean({ description: 'Whether it has taken effect' }),
  before: Type.Integer({ description: 'So many shares become' }),
  after: Type.Integer({ description: 'so many' }),
  dividend: paise,
  extraordinary: Type.Boolean({ description: 'Whether contracts and the previous close are adjusted by the dividend' }),
  story: text,
});

/** Models by which orders meet the market, in words. */
const models = record({ fill: text, impact: text, latency: text, charges: text });

/** Replies of the control plane as the description tells them. What is sent is not made from them: a test compares both. */
export function controlSchemas(words: BrandWords) {
  const refusal = refusalSchema(words);
  const of = (schema: TSchema) => ({ 200: schema, '4xx': refusal });
  return {
    health: of(record({ status: text, version: text, as: text, seed: int, clock, phase: text, models })),
    inbox: of(Type.Array(message)),
    attachment: { 200: { content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } } } },
    clock: of(clock),
    faults: of(Type.Array(fault)),
    journal: of(
      Type.Array(
        Type.Object(
          { seq: int, at: instant, kind: text },
          { additionalProperties: true, description: 'And what its kind has' },
        ),
      ),
    ),
    mirror: of(
      record({
        of: text,
        state: text,
        since: text,
        behind: int,
        text,
        watched: int,
        unseen: int,
        frames: int,
        unreadable: int,
      }),
    ),
    stats: of(named(counters, int)),
    dialect: of(named(Object.keys(SERVICE_DIALECTS), text)),
    scenarios: of(
      record({
        scenarios: Type.Array(
          record({
            name: text,
            title: text,
            text,
            instrument: Type.Union([text, Type.Null()]),
            percent: taken,
            minutes: taken,
          }),
        ),
        running: Type.Array(begun),
      }),
    ),
    scenario: of(begun),
    corporateActions: of(Type.Array(corporateAction)),
    corporateAction: of(corporateAction),
    done: of(record({ message: text })),
    account: of(account),
    performance: {
      200: {
        content: {
          'application/json': { schema: performance },
          'text/csv': { schema: Type.String() },
          'application/pdf': { schema: Type.String({ format: 'binary' }) },
        },
      },
      '4xx': refusal,
    },
    reset: of(record({ seed: int, clock })),
  };
}
