import { getBaskets } from '../../../../client/orders/basket';
import { collection, limitOf, priceUnitField, priceUnitOf, returnAllFields, simplifyField } from '../fields';
import type { ItemOperation } from '../operation';
import { firstOf } from '../shape';
import { basketOutput } from './output';

export const getMany: ItemOperation = {
  name: 'Get Many',
  action: 'Get many baskets',
  description: 'Get the baskets of today with their legs, one item each',
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
        description: 'Only baskets with exactly this tag, as placing gave it out',
      },
    ]),
    collection('Options', 'options', [priceUnitField]),
  ],
  async execute(item) {
    const unit = priceUnitOf(item);
    const limit = limitOf(item);
    const simplify = item.flag('simplify');
    const tag = item.group('filters').optionalText('tag');
    const { transport, connection } = await item.service();
    const baskets = await getBaskets(transport, tag, item.run.signal);
    return firstOf(baskets, limit).map((basket) =>
      item.output(basketOutput(basket, { unit, simplify, environment: connection.environment })),
    );
  },
};
