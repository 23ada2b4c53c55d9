import type { Resource } from '../../common/operation';
import { get } from './get.operation';

export const candle: Resource = {
  name: 'Candle',
  first: 'get',
  operations: { get },
};
