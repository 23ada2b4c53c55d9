import { Type, type TSchema } from '@sinclair/typebox';
import { DIALECT_DEFAULTS } from '../simulation/dialect';
import type { BrandWords } from '../web/reply-parts';
import { int, number, paise, record, refusalSchema, text } from '../web/reply-parts';

const instant = Type.String({ description: 'ISO instant in India' });
const clock = record({
  now: instant,
  mode: Type.String({ description: 'real, manual, fastest or accelerated' }),
  speed: number,
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

/** Replies of the control plane as the description tells them. What is sent is not made from them: a test compares both. */
export function controlSchemas(words: BrandWords) {
  const refusal = refusalSchema(words);
  const of = (schema: TSchema) => ({ 200: schema, '4xx': refusal });
  return {
    health: of(record({ status: text, version: text, seed: int, clock, phase: text })),
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
    stats: of(named(counters, int)),
    dialect: of(named(Object.keys(DIALECT_DEFAULTS), text)),
    done: of(record({ message: text })),
    account: of(account),
    reset: of(record({ seed: int, clock })),
  };
}
