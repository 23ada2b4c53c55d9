import type { Json, JsonObject } from '../../../../client/values/json';
import { paiseTo, type MoneyUnit } from '../../../../client/values/money';
import { marketHours, waitSentence } from '../../../../client/orders/account/market-closed-advice';
import { previewOrder } from '../../../../client/orders/placing/preview';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { isSince12 } from '../../common/version';
import { entryField, exitsField, goodTillDateField, slicesField } from '../../trading/exitFields';
import { orderFields, splitAboveField, validityField } from '../../trading/orderFields';
import { orderContext } from '../../trading/placement';
import { roundQuantityDownField, roundToTickField } from '../../trading/priceFields';
import { orderTerms } from '../../trading/orderForm';
import { previewWords } from '../../trading/previewSummary';

const NO_MONEY: ReadonlySet<string> = new Set([
  'max_quantity',
  'code',
  'quantity',
  'order_qty',
  'ref_id',
  'qty',
  'parts',
  'sellable_quantity',
  'available_quantity',
  'authorised_quantity',
  'unauthorised_quantity',
  'open_orders',
  'number_of_legs',
  'max_qty_per_leg',
]);

/** Margins and premiums in the chosen unit, at every depth, within lists too; quantities and ids stay. */
function inUnit(record: JsonObject, unit: MoneyUnit): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, valueInUnit(key, value, unit)]));
}

function valueInUnit(key: string, value: Json, unit: MoneyUnit): Json {
  if (typeof value === 'number') return NO_MONEY.has(key) ? value : paiseTo(unit, value);
  if (Array.isArray(value)) return value.map((value) => valueInUnit(key, value, unit));
  return typeof value === 'object' && value !== null ? inUnit(value, unit) : value;
}

export const preview: ItemOperation = {
  name: 'Preview',
  action: 'Preview an order',
  description: 'Get the margin that an order needs, and run the same checks as "Place". Nothing is placed.',
  properties: [
    ...orderFields,
    exitsField,
    entryField,
    collection('Options', 'options', [
      {
        displayName: 'Count the Portfolio',
        name: 'withPortfolio',
        type: 'boolean',
        default: true,
        description: 'Whether your existing positions and holdings count, which can lower the margin',
      },
      goodTillDateField,
      priceUnitField,
      roundQuantityDownField,
      roundToTickField,
      slicesField,
      splitAboveField,
      validityField,
    ]),
  ],
  concurrent: true,
  async execute(item) {
    const unit = priceUnitOf(item);
    const options = item.group('options');
    const withPortfolio = options.has('withPortfolio') ? options.flag('withPortfolio') : true;
    const service = await item.service();
    const terms = await orderTerms(item, service);
    const context = await orderContext(item.run);
    const max = options.optionalWhole('splitAbove', { min: 1 });
    const margin = await previewOrder(terms, { withPortfolio, maxUnits: max, unit }, context);
    const { symbol, exchange } = terms.instrument;
    const waits = margin.waits_for_next_session === true;
    const hours = await marketHours(terms.instrument, waits, context);
    const environment = context.environment;
    const words = isSince12(item)
      ? previewWords(terms, margin, waits ? ` ${waitSentence(hours.next_session)}` : '')
      : {};
    return [
      item.output({
        symbol,
        exchange,
        order_qty: terms.quantity,
        ...inUnit(margin, unit),
        ...hours,
        ...words,
        environment,
      }),
    ];
  },
};
