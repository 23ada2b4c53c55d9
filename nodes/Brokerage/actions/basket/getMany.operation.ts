import { collection, limitOf, priceUnitField, returnAllFields, simplifyField } from '../../common/fields';
import type { ItemOperation } from '../../common/operation';
import { outputOptions } from '../order/output';
import { orderContext } from '../order/placement';
import { tagFilterOf, tagsFilter } from '../../common/selection';
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
    collection('Filters', 'filters', [tagsFilter]),
    collection('Options', 'options', [priceUnitField]),
  ],
  async execute(item) {
    const limit = limitOf(item);
    const output = await outputOptions(item);
    const isTagged = tagFilterOf(item.group('filters'));
    const { baskets, signal } = await orderContext(item.run);
    const found = (await baskets.list(signal)).filter(isTagged);
    return firstOf(found, limit).map((basket) => item.output(basketOutput(basket, output)));
  },
};
