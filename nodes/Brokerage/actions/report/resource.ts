import type { Resource } from '../../common/operation';
import { download } from './download.operation';
import { email } from './email.operation';
import { getAvailable } from './getAvailable.operation';
import { view } from './view.operation';

export const report: Resource = {
  name: 'Report',
  first: 'download',
  operations: { download, email, getAvailable, view },
};
