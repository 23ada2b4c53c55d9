import { collection, limitOf, priceUnitField, returnAllFields, simplifyField } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { outputOptions } from '../../trading/orderOutput';
import { orderContext } from '../../trading/placement';
import { tagFilterOf, tagsFilter } from '../../../shared/selection';
import { firstOf } from '../../common/pick';
import { basketOutput } from '../../trading/basketOutput';

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
    const taggedBaskets = (await baskets.list(signal, 'marked')).filter(isTagged);
    return firstOf(taggedBaskets, limit).map((basket) => item.output(basketOutput(basket, output)));
  },
};
