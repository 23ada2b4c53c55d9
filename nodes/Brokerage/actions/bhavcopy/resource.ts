import type { Resource } from '../../common/operation';
import { download } from './download.operation';
import { getRows } from './getRows.operation';

export const bhavcopy: Resource = {
  name: 'Bhavcopy',
  first: 'getRows',
  operations: { download, getRows },
};
