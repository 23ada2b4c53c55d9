/**
 * The neutral names of the specification for the fields whose raw names carry the maker's brand (docs/service/README.md#neutral-names),
 * recognised by shape, never by a list of brands.
 */
import type { Json, JsonObject } from './json';

/** The neutral word of a platform name: `svc_name` in holdings, `plat_name` everywhere else. */
export type NameKey = 'plat_name' | 'svc_name';

const PLAIN_NAMES = new Set(['stock_name', 'display_name', 'basket_name', 'client_name', 'company_name']);
const PLAIN_IDS = new Set([
  'ref_id',
  'order_id',
  'basket_id',
  'user_id',
  'exchange_order_id',
  'inst_id',
  'client_id',
  'position_id',
  'intent_order_id',
  'algo_id',
]);

/** The neutral name of a raw key of an instrument record; the key itself when it carries no brand. */
export function neutralKey(key: string, nameKey: NameKey = 'plat_name'): string {
  if (key.endsWith('_name') && !PLAIN_NAMES.has(key)) return nameKey;
  if (key.endsWith('_id') && !PLAIN_IDS.has(key)) return 'plat_id';
  if (key.endsWith('_timestamps')) return 'svc_timestamps';
  if (key.endsWith('Timestamps')) return 'svcTimestamps';
  return key;
}

/** Only records about an instrument hold branded names; elsewhere `…_name` and `…_id` are what they say. */
function isInstrumentRecord(record: JsonObject): boolean {
  return (
    Object.hasOwn(record, 'ref_id') &&
    (Object.hasOwn(record, 'stock_name') || Object.hasOwn(record, 'derivative_type') || Object.hasOwn(record, 'symbol'))
  );
}

function renameKeys(record: JsonObject, nameKey: NameKey): JsonObject {
  const keys = Object.keys(record);
  if (keys.every((key) => neutralKey(key, nameKey) === key)) return record;
  const renamed: JsonObject = {};
  for (const key of keys) {
    const neutral = neutralKey(key, nameKey);
    const taken = neutral !== key && (Object.hasOwn(record, neutral) || Object.hasOwn(renamed, neutral));
    renamed[taken ? key : neutral] = record[key]!;
  }
  return renamed;
}

const DEEPEST = 64;

/** A reply with the neutral names in every instrument record, at any depth; values are not copied where nothing changes. */
export function withNeutralNames(value: Json, nameKey: NameKey = 'plat_name', depth = 0): Json {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = withNeutralNames(value[at]!, nameKey, depth + 1);
    return value;
  }
  const record = isInstrumentRecord(value) ? renameKeys(value, nameKey) : value;
  for (const key of Object.keys(record)) {
    const inner = record[key]!;
    if (typeof inner === 'object' && inner !== null) record[key] = withNeutralNames(inner, nameKey, depth + 1);
  }
  return record;
}
