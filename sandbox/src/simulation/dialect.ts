/**
 * Differences of the live service from the specification (docs/service/differences.md): each difference is a switch, and the first value of
 * each is what the specification says (of intent orders: what is told of them).
 */
export const SERVICE_DIALECTS = {
  multi_response: ['array', 'object'],
  order_book_names: ['short', 'long'],
  empty_list: ['array', 'null'],
  otp_first_next: ['VERIFY_MOBILE', 'VERIFY_TOTP'],
  monthly_interval: ['1mth', '1mt'],
  second_bars: ['three_months', 'seven_days'],
  refused_question: ['400', '500'],
  verify_status: ['201', '200'],
  order_service_ws_url: ['full', 'empty'],
  basket_reply: ['clean', 'trailing'],
  pending_order_time: ['real', 'garbage'],
  totp_number: ['refused', 'accepted', 'required'],
  otp_first_call: ['sends', 'silent'],
  intent_status: ['201', '200'],
  intent_cancel_status: ['200', '201', '204'],
  intent_modify_reply: ['message', 'orders'],
  intent_ids: ['long', 'short'],
  intent_single: ['plain', 'multi'],
  intent_configs: ['object', 'list'],
  intent_order_price: ['shown', 'missing'],
  intent_empty_bucket: ['list', 'null', 'missing'],
  intent_portfolio: ['camel', 'snake'],
  intent_position_names: ['long', 'short', 'both'],
  qty_multiplier: ['told', 'missing'],
  mcx_stock_name: ['symbol', 'full'],
  strat_tags: ['required', 'optional'],
  position_status: ['missing', 'told'],
  candle_history: ['full', 'seven_months'],
} as const;

export type DialectName = keyof typeof SERVICE_DIALECTS;
export type ServiceDialect = { [Name in DialectName]: (typeof SERVICE_DIALECTS)[Name][number] };

/** Returns the dialect of the specification. */
export function specifiedDialect(): ServiceDialect {
  return Object.fromEntries(
    Object.entries(SERVICE_DIALECTS).map(([name, values]) => [name, values[0]]),
  ) as ServiceDialect;
}

/** The dialect with one variant chosen, or in words what is wrong with the choice. */
export function withVariant<T extends Partial<ServiceDialect>>(dialect: T, name: string, value: unknown): T | string {
  if (!Object.hasOwn(SERVICE_DIALECTS, name)) {
    return `there is no dialect switch "${name}"; there are ${Object.keys(SERVICE_DIALECTS).join(', ')}`;
  }
  const values: readonly string[] = SERVICE_DIALECTS[name as DialectName];
  const chosen = String(value);
  if (!values.includes(chosen)) return `${name} must be ${values.join(' or ')}, not ${JSON.stringify(value)}`;
  return { ...dialect, [name]: chosen };
}
