import { closeAtFields } from '../../trading/closePriceFields';
import { instrumentField } from '../../../shared/instrumentField';
import { tradedInstrument } from '../../../shared/lookup';
import type { ItemOperation } from '../../common/operation';
import { moneyNotice } from '../../trading/orderFields';
import { safetyField } from '../../trading/safetyLimits';
import { exitPositions } from '../../trading/exitPositions';
import { exitOptions, exitPositionFilters } from '../../trading/exitPositionFields';
import { instrumentOf } from '../../common/itemInstrument';

export const exitPosition: ItemOperation = {
  name: 'Exit Position',
  action: 'Exit a position',
  description:
    'Close (square off) the open position in one instrument. Open orders on it are cancelled first, with every stop loss and target. It never closes more than is there, and never twice. On Live this trades real money.',
  nothing: 'There was no open position in this instrument that matches your filters. Nothing was cancelled or sent.',
  properties: [
    moneyNotice,
    instrumentField,
    ...closeAtFields('Close At', 'How far below the last price it may sell, or above it buy back, such as 0.5'),
    exitPositionFilters,
    exitOptions,
    safetyField,
  ],
  async execute(item) {
    const instrument = await instrumentOf(item, await item.service());
    return await exitPositions(item, tradedInstrument(instrument, 'instrument').refId);
  },
};
