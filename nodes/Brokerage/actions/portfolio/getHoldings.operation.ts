import type { HoldingFields } from '../../../../client/endpoints/portfolio';
import { EXCHANGES } from '../../../../client/instruments/instrument';
import { quantityText, rupeesText, signedRupees } from '../../../../client/values/amounts';
import type { Json } from '../../../../client/values/json';
import { numberIn, textFrom, type WireRecord } from '../../../../client/values/record';
import { sellableShares } from '../../../../client/orders/guards/sellable-shares';
import { convertMoney, dayChangePercent, sharesIn, unpricedFields } from '../../../../client/portfolio/portfolio';
import {
  collection,
  limitOf,
  priceUnitField,
  priceUnitOf,
  returnAllFields,
  simplifyField,
} from '../../../shared/fields';
import { listsOf } from '../../../shared/lists';
import { tradedInstrument } from '../../../shared/lookup';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';
import { firstOf, pickKeys } from '../../common/pick';
import { isSince12 } from '../../common/version';
import { portfolioSource } from '../../common/portfolioSource';
import { orderContext } from '../../trading/placement';

const SIMPLE = [
  'symbol',
  'exchange',
  'qty',
  't1_qty',
  'pledged_qty',
  'avg_price',
  'ltp',
  'ltp_chg',
  'invested_value',
  'current_value',
  'net_pnl',
  'net_pnl_chg',
  'day_pnl',
  'ref_id',
  'supported_exchanges',
] as const satisfies readonly (keyof HoldingFields)[];

export const getHoldings: ItemOperation = {
  name: 'Get Holdings',
  action: 'Get holdings',
  description: 'Get the shares in your account, one item each, with value, profit and loss',
  nothing: 'This account holds no shares. Shares bought today are in Get Positions until the day ends.',
  properties: [
    ...returnAllFields,
    simplifyField,
    collection('Options', 'options', [
      {
        displayName: 'Include Sellable Quantity',
        name: 'sellableQuantity',
        type: 'boolean',
        default: false,
        description:
          'Whether to add how many shares may be sold now, and how many wait for your authorisation at the depository. Asks once more for each holding. Needs intent orders; else both are null.',
      },
      priceUnitField,
    ]),
  ],
  async execute(item) {
    const unit = priceUnitOf(item);
    const limit = limitOf(item);
    const simplify = item.flag('simplify');
    const { connection } = await item.service();
    const { holdings } = await (await portfolioSource(item)).holdings();
    const shown = firstOf(holdings, limit);
    const sellable = item.group('options').flag('sellableQuantity') ? await sellableOf(item, shown) : undefined;
    return shown.map((holding, index) => {
      const converted = convertMoney(unit, holding);
      const record = isSince12(item) ? { ...converted, ltp_chg: dayChangePercent(holding) } : converted;
      return item.output({
        ...(simplify ? pickKeys(record, SIMPLE) : record),
        ...unpricedFields(holding),
        ...(isSince12(item) ? { summary: summaryOf(holding) } : {}),
        ...(sellable && {
          sellable_quantity: sellable[index]?.sellable ?? null,
          unauthorised_quantity: sellable[index]?.waiting ?? null,
        }),
        environment: connection.environment,
      });
    });
  },
};

/** Returns a holding in a sentence: `INFY: 40 held, bought at ₹1,420.50, last price ₹1,502.30, result +₹3,272.00.` */
function summaryOf(holding: WireRecord<HoldingFields>): string {
  const isPriced = unpricedFields(holding).no_price_reason === undefined;
  const [last, result, average] = [
    numberIn(holding, 'ltp'),
    numberIn(holding, 'net_pnl'),
    numberIn(holding, 'avg_price'),
  ];
  const units = sharesIn(holding);
  const price = isPriced && last !== null ? rupeesText(last) : 'not known';
  const earned = isPriced && result !== null ? signedRupees(result) : 'not known';
  const name = `${textFrom(holding.symbol)}: ${units === null ? 'quantity not known' : `${quantityText(units)} held`}`;
  const bought = average === null ? 'a price that is not known' : rupeesText(average);
  return `${name}, bought at ${bought}, last price ${price}, result ${earned}.`;
}

/** Returns the sellable quantity of each holding; undefined if the service does not say. */
async function sellableOf(item: ItemContext, holdings: readonly { ref_id?: Json }[]) {
  const stores = await listsOf(await item.service(), EXCHANGES, item.run.signal);
  const instruments = holdings.map(({ ref_id }) => {
    const storeRow = stores
      .map((store) => ({ store, row: store.rowOfRefId(Number(ref_id)) }))
      .find(({ row }) => row >= 0);
    return storeRow && tradedInstrument(storeRow.store.instrument(storeRow.row), 'instrument');
  });
  return await sellableShares(instruments, await orderContext(item.run));
}
