import { collection, limitOf, priceUnitField, returnAllFields, simplifyField } from '../../common/fields';
import type { ItemOperation } from '../../common/operation';
import { outputOptions } from '../order/output';
import { orderContext } from '../order/placement';
import { firstOf } from '../../common/shape';
import { basketOutput } from './output';

export const getMany: ItemOperation = {
  name: 'Get Many',
  action: 'Get many baskets',
  description: "Get today's baskets with their legs, one item each",
  nothing: 'No basket was placed today, or none has the tag that you chose.',
  properties: [
    ...returnAllFields,
    simplifyField,
    collection('Filters', 'filters', [
      {
        displayName: 'Tag',
        name: 'tag',
        type: 'string',
        default: '',
        description: 'Only baskets with exactly this tag. "Place" returns it.',
      },
    ]),
    collection('Options', 'options', [priceUnitField]),
  ],
  async execute(item) {
    const limit = limitOf(item);
    const output = await outputOptions(item);
    const tag = item.group('filters').optionalText('tag');
    const { baskets, signal } = await orderContext(item.run);
    const found = await (tag === undefined ? baskets.list(signal) : baskets.listTagged(tag, signal));
    return firstOf(found, limit).map((basket) => item.output(basketOutput(basket, output)));
  },
};
