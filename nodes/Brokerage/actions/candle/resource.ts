import type { Resource } from '../../common/operation';
import { addIndicators } from './addIndicators.operation';
import { get } from './get.operation';

export const candle: Resource = {
  name: 'Candle',
  first: 'get',
  operations: { addIndicators, get },
};
