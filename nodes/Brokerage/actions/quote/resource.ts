import type { Resource } from '../../common/operation';
import { buildOptionStrategy } from './buildOptionStrategy.operation';
import { getCurrentPrice } from './getCurrentPrice.operation';
import { getIvSkewOverTime } from './getIvSkewOverTime.operation';
import { getLiveSnapshot } from './getLiveSnapshot.operation';
import { getOpenInterestChange } from './getOpenInterestChange.operation';
import { getOptionChain } from './getOptionChain.operation';
import { getOrderBook } from './getOrderBook.operation';

export const quote: Resource = {
  name: 'Quote',
  first: 'getCurrentPrice',
  operations: {
    buildOptionStrategy,
    getCurrentPrice,
    getIvSkewOverTime,
    getLiveSnapshot,
    getOpenInterestChange,
    getOptionChain,
    getOrderBook,
  },
};
