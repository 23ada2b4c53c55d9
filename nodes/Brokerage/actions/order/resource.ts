import type { Resource } from '../../common/operation';
import { cancel } from './cancel.operation';
import { cancelAll } from './cancelAll.operation';
import { cancelExit } from './cancelExit.operation';
import { cancelMany } from './cancelMany.operation';
import { get } from './get.operation';
import { getMany } from './getMany.operation';
import { modify } from './modify.operation';
import { place } from './place.operation';
import { placeMany } from './placeMany.operation';
import { preview } from './preview.operation';
import { setTargetPosition } from './setTargetPosition.operation';
import { waitForStatus } from './waitForStatus.operation';

export const order: Resource = {
  name: 'Order',
  first: 'place',
  firstForAgents: 'getMany',
  operations: {
    cancel,
    cancelAll,
    cancelExit,
    cancelMany,
    get,
    getMany,
    modify,
    place,
    placeMany,
    preview,
    setTargetPosition,
    waitForStatus,
  },
};
