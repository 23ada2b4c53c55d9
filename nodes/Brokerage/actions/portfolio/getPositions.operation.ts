import {
  POSITION_SEGMENTS,
  convertMoney,
  positionName,
  unpricedFields,
  type Position,
} from '../../../../client/portfolio/portfolio';
import { quantityText, rupeesText, signedRupees } from '../../../../client/values/amounts';
import { productLabel, sideLabel } from '../../../../client/values/labels';
import { numberIn, wholeNumberFrom } from '../../../../client/values/record';
import {
  collection,
  limitOf,
  priceUnitField,
  priceUnitOf,
  returnAllFields,
  simplifyField,
} from '../../../shared/fields';
import { marketDate } from '../../../shared/lookup';
import type { ItemOperation } from '../../common/operation';
import { isSince12 } from '../../common/version';
import { firstOf, pickKeys } from '../../common/pick';
import { portfolioSource } from '../../common/portfolioSource';

const SIMPLE = [
  'segment',
  'symbol',
  'display_name',
  'exchange',
  'product',
  'order_side',
  'qty',
  'avg_price',
  'ltp',
  'pnl',
  'pnl_chg',
  'ref_id',
] as const satisfies readonly (keyof Position)[];

export const getPositions: ItemOperation = {
  name: 'Get Positions',
  action: 'Get positions',
  description: 'Get the positions that are open or were closed today, one item each, with profit and loss',
  nothing:
    'There is no open position and none was closed today, at least in the segments that you chose. Shares from earlier days are in Get Holdings.',
  properties: [
    ...returnAllFields,
    simplifyField,
    collection('Filters', 'filters', [
      {
        displayName: 'Segments',
        name: 'segments',
        type: 'multiOptions',
        options: [
          { name: 'Closed', value: 'closed', description: 'Closed today' },
          { name: 'Futures', value: 'future' },
          { name: 'Options', value: 'option' },
          { name: 'Shares', value: 'stock' },
        ],
        default: [],
        description: 'Only positions of these segments. Choose none for all.',
      },
    ]),
    collection('Options', 'options', [priceUnitField]),
  ],
  async execute(item) {
    const unit = priceUnitOf(item);
    const limit = limitOf(item);
    const simplify = item.flag('simplify');
    const segments = item.group('filters').choices('segments', POSITION_SEGMENTS);
    const { connection, transport } = await item.service();
    const day = marketDate(transport);
    const { positions } = await (await portfolioSource(item)).positions();
    const requested = positions.filter(
      ({ segment }) => segments.length === 0 || segments.some((name) => name === segment),
    );
    return firstOf(requested, limit).map((position) => {
      const record = convertMoney(unit, position);
      return item.output({
        ...(simplify ? pickKeys(record, SIMPLE) : record),
        ...(isSince12(item) ? wordsOf(position, day) : {}),
        ...(position.segment === 'closed' ? {} : unpricedFields(position)),
        environment: connection.environment,
      });
    });
  },
};

/** Returns plain words beside those of the service, and a sentence: `INFY (Intraday): bought 10 at ₹1,480.00, result +₹10.00.` */
function wordsOf(position: Position, day: string): object {
  const [product, side] = [productLabel(position), sideLabel(position)];
  const [units, average, pnl] = [
    wholeNumberFrom(position.qty),
    numberIn(position, 'avg_price'),
    numberIn(position, 'pnl'),
  ];
  const bought = units === undefined ? 'quantity not known' : `${side.toLowerCase()} ${quantityText(Math.abs(units))}`;
  const traded =
    position.segment === 'closed' || units === 0
      ? 'closed'
      : `${bought} at ${average === null ? 'a price that is not known' : rupeesText(average)}`;
  const isKnown = pnl !== null && unpricedFields(position).no_price_reason === undefined;
  const result = isKnown ? signedRupees(pnl) : 'not known';
  return {
    product_label: product || null,
    side_label: side || null,
    summary: `${positionName(position, day)} (${product}): ${traded}, result ${result}.`,
  };
}
