import type { Resource } from '../operation';
import { get } from './get.operation';
import { search } from './search.operation';

export const instrument: Resource = {
  name: 'Instrument',
  first: 'search',
  operations: { get, search },
};
