import type { Resource } from '../operation';
import { getFunds } from './getFunds.operation';
import { getHoldings } from './getHoldings.operation';
import { getPositions } from './getPositions.operation';
import { getSummary } from './getSummary.operation';

export const portfolio: Resource = {
  name: 'Portfolio',
  first: 'getHoldings',
  operations: { getFunds, getHoldings, getPositions, getSummary },
};
