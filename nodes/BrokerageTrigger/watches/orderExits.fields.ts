/** The fields of the trigger that keeps exits. */
import type { INodeProperties } from 'n8n-workflow';
import { notice } from '../../shared/fields';
import { collection, priceUnitOption, shownFor } from './fields';

export const orderExitsFields: INodeProperties[] = [
  {
    ...notice(
      'orderExitsNotice',
      'Once published, this trigger places a stop loss for each order that was placed with Exits Kept By set to Trigger, and sells when its target is reached. It works only while n8n runs: while n8n is off, a stop loss that was placed rests at the exchange, an order that fills gets none, and no target is watched. Between cancelling the stop loss and selling, nothing guards the position for a moment. One such trigger serves the whole account. On Live it trades real money.',
    ),
    ...shownFor('orderExits'),
  },
];

export const orderExitsCollections: INodeProperties[] = [
  collection('Options', 'options', 'Add option', [priceUnitOption], 'orderExits'),
];
