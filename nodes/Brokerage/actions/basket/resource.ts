import type { Resource } from '../../common/operation';
import { cancel } from './cancel.operation';
import { close } from './close.operation';
import { get } from './get.operation';
import { getMany } from './getMany.operation';
import { modify } from './modify.operation';
import { place } from './place.operation';
import { waitForStatus } from './waitForStatus.operation';

export const basket: Resource = {
  name: 'Basket',
  first: 'place',
  firstForAgents: 'getMany',
  operations: { cancel, close, get, getMany, modify, place, waitForStatus },
};
