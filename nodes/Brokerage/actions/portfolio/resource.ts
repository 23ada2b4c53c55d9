import type { Resource } from '../../common/operation';
import { exitAll } from './exitAll.operation';
import { exitPosition } from './exitPosition.operation';
import { getChart } from './getChart.operation';
import { getFunds } from './getFunds.operation';
import { getHoldings } from './getHoldings.operation';
import { getPerformance } from './getPerformance.operation';
import { getPositions } from './getPositions.operation';
import { getSummary } from './getSummary.operation';
import { protectPosition } from './protectPosition.operation';

export const portfolio: Resource = {
  name: 'Portfolio',
  first: 'getHoldings',
  operations: {
    exitAll,
    exitPosition,
    getChart,
    getFunds,
    getHoldings,
    getPerformance,
    getPositions,
    getSummary,
    protectPosition,
  },
};
