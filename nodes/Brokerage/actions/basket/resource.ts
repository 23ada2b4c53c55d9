import type { Resource } from '../../common/operation';
import { cancel } from './cancel.operation';
import { getMany } from './getMany.operation';
import { place } from './place.operation';

export const basket: Resource = {
  name: 'Basket',
  first: 'place',
  operations: { cancel, getMany, place },
};
