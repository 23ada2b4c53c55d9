import type { Resource } from '../../common/operation';
import { downloadMaster } from './downloadMaster.operation';
import { get } from './get.operation';
import { getExpiries } from './getExpiries.operation';
import { getMany } from './getMany.operation';
import { getOptionByOffset } from './getOptionByOffset.operation';
import { getTradingDay } from './getTradingDay.operation';
import { search } from './search.operation';

export const instrument: Resource = {
  name: 'Instrument',
  first: 'search',
  operations: { downloadMaster, get, getExpiries, getMany, getOptionByOffset, getTradingDay, search },
};
