/** Words and figures of the wire in those of the panel, for the sentences of refusals. */

/** Words of the wire for fields, by what the panel calls them; the longer ones stand first. `isPrice`: what follows is paise. `isFirst`:
 * a word of other sentences too, it is the field where the text begins with it. */
export const REFUSED_FIELDS: readonly { name: string; label: string; isPrice?: true; isFirst?: true }[] = [
  { name: 'basket_params.momentum_trigger_price', label: 'Trigger Price', isPrice: true },
  { name: 'basket_params.stoploss_price', label: 'Stop Loss', isPrice: true },
  { name: 'basket_params.entry_price', label: 'Price', isPrice: true },
  { name: 'basket_params.exit_price', label: 'Target', isPrice: true },
  { name: 'basket_params.trail_jump', label: 'Trailing Jump', isPrice: true },
  { name: 'basket_params.entry_time', label: 'Entry Time' },
  { name: 'basket_params.exit_time', label: 'Exit Time' },
  { name: 'basket_params.multiplier', label: 'Multiplier' },
  { name: 'algo_params.trigger_price', label: 'Trigger Price', isPrice: true },
  { name: 'algo_params.leg_size', label: 'Leg Size' },
  { name: 'icebergInfo.numberOfLegs', label: 'Number of Slices' },
  { name: 'icebergInfo.maxQtyPerLeg', label: 'Leg Size' },
  { name: 'entryConfig.entryTime', label: 'Entry Time' },
  { name: 'exitConfig.exitTime', label: 'Exit Time' },
  { name: 'targetProfitTriggerPrice', label: 'Target', isPrice: true },
  { name: 'targetProfitLimitPrice', label: 'limit of the Target', isPrice: true },
  { name: 'stoplossTriggerPrice', label: 'Stop Loss', isPrice: true },
  { name: 'stoplossLimitPrice', label: 'limit of the Stop Loss', isPrice: true },
  { name: 'stoplossTrailJump', label: 'Trailing Jump', isPrice: true },
  { name: 'stoploss_price', label: 'Stop Loss', isPrice: true },
  { name: 'trigger_price', label: 'Trigger Price', isPrice: true },
  { name: 'entryPrice', label: 'Price', isPrice: true },
  { name: 'order_price', label: 'Price', isPrice: true },
  { name: 'exit_price', label: 'Target', isPrice: true },
  { name: 'validity_type', label: 'Validity' },
  { name: 'validityType', label: 'Validity' },
  { name: 'goodTillDate', label: 'Good Till Date' },
  { name: 'icebergInfo', label: 'the iceberg' },
  { name: 'entryConfig', label: 'the entry' },
  { name: 'exitConfig', label: 'the exits' },
  { name: 'price_type', label: 'Price Type' },
  { name: 'order_type', label: 'Order Type' },
  { name: 'stratTags', label: 'Tag' },
  { name: 'priceType', label: 'Price Type' },
  { name: 'order_qty', label: 'Quantity' },
  { name: 'leg_size', label: 'Leg Size' },
  { name: 'exit_time', label: 'Exit Time' },
  { name: 'unitQty', label: 'Quantity of the leg' },
  { name: 'ref_id', label: 'ref_id' },
  { name: 'refId', label: 'ref_id' },
  { name: 'orders', label: 'Legs', isFirst: true },
  { name: 'legs', label: 'Legs', isFirst: true },
  { name: 'side', label: 'Side', isFirst: true },
  { name: 'qty', label: 'Quantity', isFirst: true },
  { name: 'below qty', label: 'below Quantity' },
  { name: 'the entry', label: 'the entry', isPrice: true },
];

/** Words of the wire for values. */
export const REFUSED_VALUES: Readonly<Record<string, string>> = {
  ORDER_TYPE_STOPLOSS: 'stop-loss orders',
  ORDER_TYPE_ICEBERG: 'iceberg orders',
  ORDER_DELIVERY_TYPE_IDAY: 'Intraday',
  ORDER_DELIVERY_TYPE_CNC: 'Delivery',
  LIMIT: 'Limit',
  MARKET: 'Market',
  IOC: 'Immediate or Cancel',
  DAY: 'Day',
  GTE: 'Good Till Date',
};

const amount = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });
const whole = new Intl.NumberFormat('en-IN');

/** Paise, as digits, in rupees: ₹1,065.50. */
export const paiseDigitsInRupees = (paise: string): string => amount.format(Number(paise) / 100);
export const groupedDigits = (digits: string): string => whole.format(Number(digits));
/** Rupees with or without separators, as the risk check writes them. */
export const groupedRupees = (text: string): string => amount.format(Number(text.replaceAll(',', '')));

/** A text that begins with a capital. */
export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const refusedFieldLabel = (name: string): string =>
  REFUSED_FIELDS.find((field) => name.endsWith(field.name))?.label ?? name;
