import type { Resource } from '../../common/operation';
import { getCorporateActions } from './getCorporateActions.operation';
import { getFinancials } from './getFinancials.operation';
import { getKeyRatios } from './getKeyRatios.operation';
import { getShareholding } from './getShareholding.operation';

export const company: Resource = {
  name: 'Company',
  first: 'getKeyRatios',
  operations: { getCorporateActions, getFinancials, getKeyRatios, getShareholding },
};
