import { closeAtFields } from '../../trading/closePriceFields';
import type { ItemOperation } from '../../common/operation';
import { moneyNotice } from '../../trading/orderFields';
import { safetyField } from '../../trading/safetyLimits';
import { exitPositions } from '../../trading/exitPositions';
import { exitAllFilters, exitOptions } from '../../trading/exitPositionFields';

export const exitAll: ItemOperation = {
  name: 'Exit All',
  action: 'Exit all positions',
  description:
    'Close (square off) all open positions that match the filters, one item each. Open orders on them are cancelled first, with every stop loss and target. It never closes more than is there, and never twice. On Live this trades real money.',
  nothing: 'There was no open position that matches your filters. Nothing was cancelled or sent.',
  properties: [
    moneyNotice,
    ...closeAtFields('Close At', 'How far below the last price it may sell, or above it buy back, such as 0.5'),
    exitAllFilters,
    exitOptions,
    safetyField,
  ],
  async execute(item) {
    return await exitPositions(item);
  },
};
