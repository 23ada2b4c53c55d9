import type { FollowOrder } from '../../../client/orders/placing/wait-for-status';
import { accountKey, sharedFeeds } from '../../shared/feeds';
import type { Service } from '../../shared/service';

/** Listens to the stream of a trigger of this process, where one runs on the account; a partial fill decides nothing. */
export function followOrder({ credential }: Service): FollowOrder {
  return (orderId, onChange) =>
    sharedFeeds.follow(accountKey(credential), ({ order, trade }) => {
      if (order.orderId === orderId && (trade === undefined || order.end !== '')) onChange();
    });
}
