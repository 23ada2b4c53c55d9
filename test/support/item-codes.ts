/** Finds codes of an item that have no plain words beside them: which the user would have to look up. */

/** Words of the service and of this package: ORDER_SIDE_BUY, partly_closed, crossesAbove, OPEN, done. */
const CODE = /^(?:[A-Za-z]+(?:_[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+|[A-Z]{2,})$/;

/** Fields of lower-case words that are codes too. */
const LOWER_CASE = new Set([
  'event',
  'exit_kind',
  'fill_of',
  'outcome',
  'price_source',
  'result',
  'segment',
  'strategy',
]);

/** Fields that hold a code and need no label, with the reason. */
const NAMES: Readonly<Record<string, string>> = {
  asset: 'the name of an underlying',
  basket_name: 'the user gave it',
  client_code: "the account's id",
  exchange: 'people say NSE and BSE',
  file_name: 'a name',
  format: 'people say PDF',
  order_tag: 'the user gave it',
  plat_name: 'an id',
  password: 'people say PAN',
  series: "the exchange's name: EQ, BE",
  stock_name: 'the name of an instrument',
  symbol: 'the name of an instrument',
  tag: 'the user gave it',
  underlying: 'the name of an underlying',
};

/** Parts of an item as they were sent or came in. */
const EXACT = new Set(['intent', 'raw', 'would_send', 'would_send_orders']);

/** Labels whose name is not that of the field. */
const LABELS: Readonly<Record<string, string>> = {
  basket_status: 'status_label',
  order_delivery_type: 'product_label',
  order_side: 'side_label',
  order_status: 'status_label',
};

/** Returns the codes without a label, such as `legs[].order_side = BUY`. */
export function codesWithoutLabel(item: unknown, path = '', fields: object = {}): string[] {
  if (Array.isArray(item)) {
    // A list of codes has a list of labels beside it.
    if (Array.isArray((fields as Record<string, unknown>)[`${path.split('.').at(-1) ?? ''}_label`])) return [];
    return item.flatMap((entry) => codesWithoutLabel(entry, `${path}[]`, fields));
  }
  if (typeof item === 'object' && item !== null)
    return Object.entries(item).flatMap(([name, inner]) =>
      EXACT.has(name) ? [] : codesWithoutLabel(inner, path === '' ? name : `${path}.${name}`, item),
    );
  const name = path.replaceAll('[]', '').split('.').at(-1) ?? '';
  // A report has its title beside its type.
  if (name === 'type' && 'title' in fields) return [];
  if (typeof item !== 'string' || name in NAMES || name.endsWith('_label')) return [];
  if (!CODE.test(item) && !LOWER_CASE.has(name)) return [];
  const label = LABELS[name] ?? `${name}_label`;
  const words = (fields as Record<string, unknown>)[label];
  return typeof words === 'string' && words !== '' && words !== item ? [] : [`${path} = ${item}`];
}
