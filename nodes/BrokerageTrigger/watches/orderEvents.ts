/** Starts the workflow when something happens to an order. */
import { createHash } from 'crypto';
import type { ITriggerFunctions } from 'n8n-workflow';
import { InputError } from '../../../client/base/errors';
import type { FeedEvent } from '../../../client/stream/account-feed/types';
import type { ConnectionEvent } from '../../../client/stream/connection/outage';
import type { BatchOptions } from '../../../client/stream/delivery/outbox';
import type { DeliveryCheckpointData } from '../../../client/stream/delivery/checkpoint';
import { Consumer } from '../../../client/stream/delivery/consumer';
import type { EventFilter } from '../../../client/stream/delivery/filter';
import { connectionOutput, orderOutput, type OutputOptions } from '../../../client/stream/delivery/order-output';
import { END_EVENTS, ORDER_EVENTS } from '../../../client/orders/model/order-snapshot';
import { type OrderEvent } from '../../../client/stream/reconciliation/types';
import { oneOf, wholeNumber } from '../../../client/values/input';
import { rupeesToPaise, type MoneyUnit } from '../../../client/values/money';
import { clock } from '../../host/clock';
import { sharedFeeds } from '../../shared/feeds';
import {
  chosenNames,
  readGroup,
  filterWords,
  instrumentNames,
  parameterOf,
  readSeconds,
  unitOf,
  splitWords,
} from './parameters';
import { orderEventsFields } from './orderEvents.fields';
import { hasLabels } from './summaries';
import type { Watch } from './watch';

const CONNECTION_EVENTS = ['connectionLost', 'connectionRestored'] as const;

export interface OrderSettings {
  filter: EventFilter;
  connectionEvents: readonly ConnectionEvent['type'][];
  batches: BatchOptions;
  checkEveryMs: number;
  raw: boolean;
  unit: MoneyUnit;
}

/** The version of the trigger from which on a price that is not known is null. */
const NULLS_VERSION = 1.1;

/** Checkpoints of triggers that have ended in this process, by trigger. */
const remembered = new Map<string, DeliveryCheckpointData>();

export const orderEvents: Watch = {
  start: async (context, open) => {
    const activated = clock.moment();
    const { filter, batches, connectionEvents, checkEveryMs, raw, unit } = readOrderSettings(context.n8n);
    const { connection, account, scope, deps, transport } = await open();
    const { environment } = connection;
    const unknownIsNull = context.n8n.getNode().typeVersion >= NULLS_VERSION;
    const output: OutputOptions = { environment, unit, raw, unknownIsNull, hasLabels: hasLabels(context.n8n) };
    const deliver = (events: OrderEvent[]): Promise<void> | undefined =>
      context.emit(
        events.map((event) => orderOutput(event, output)),
        batchKey(events),
      );
    const marketNow = (): number => transport.marketClock.now();
    const consumer = new Consumer({ clock, marketNow, filter, batches, raw, deliver, onLag: context.lag });
    const listener = (event: FeedEvent): void => {
      if (event.type === 'connectionLost' || event.type === 'connectionRestored') {
        if (connectionEvents.includes(event.type)) void context.emit([connectionOutput(event, output)], event.key);
      } else consumer.take(event);
      context.report(event);
    };
    const { feed, leave } = await sharedFeeds.join(
      `${account}:orders:${checkEveryMs}`,
      deps,
      { environment, subscriptions: ['orders'], checkEveryMs },
      listener,
      context.signal,
    );

    const stored: DeliveryCheckpointData = context.manual ? {} : context.n8n.getWorkflowStaticData('node');
    if (context.isAfresh || !consumer.resume(stored, remembered.get(context.id), scope, feed.reconciler))
      consumer.begin(stored, feed.serviceInstant(activated), scope, feed.reconciler);
    if (!context.manual) remembered.delete(context.id);

    return {
      stop: async () => {
        const data = consumer.close();
        if (data && !context.manual) remembered.set(context.id, data);
        await leave();
      },
    };
  },
  waitsFor: (n8n) => chosenNames(n8n, orderEventsFields, 'events'),
};

function batchKey(events: readonly OrderEvent[]): string {
  const keys = events.map(({ key }) => key);
  return keys.length === 1 ? (keys[0] as string) : createHash('sha256').update(keys.join(' ')).digest('base64url');
}

/** @throws InputError that names the parameter. */
export function readOrderSettings(n8n: ITriggerFunctions): OrderSettings {
  const events = splitWords(parameterOf(n8n, 'events', []));
  const filters = readGroup(n8n, 'filters');
  const options = readGroup(n8n, 'options');
  if (events.length === 0) {
    throw new InputError('No event is chosen.', {
      parameter: 'events',
      hint: 'Choose at least one event that starts the workflow.',
    });
  }
  const known = [...ORDER_EVENTS, ...CONNECTION_EVENTS];
  const chosen = events.map((event) => oneOf(event, known, 'events', 'Events'));
  const types = ORDER_EVENTS.filter((event) => chosen.includes(event));
  if (filters.onlyEnds === true && types.length > 0 && !types.some((type) => END_EVENTS.includes(type))) {
    throw new InputError('None of the chosen events is the end of an order.', {
      parameter: 'events',
      hint: 'Choose Order Completed, Cancelled, Cancelled by the Exchange, Expired or Rejected as well, or remove the filter "Only the End of an Order".',
    });
  }
  return {
    filter: {
      types,
      instruments: instrumentNames(filters),
      sides: splitWords(filters.sides).map((side) =>
        oneOf(side.trim().toUpperCase(), ['BUY', 'SELL'] as const, 'sides', 'Sides'),
      ),
      products: splitWords(filters.products).map((product) =>
        oneOf(product.trim().toUpperCase(), ['CNC', 'IDAY'] as const, 'products', 'Products'),
      ),
      tags: filterWords(filters, 'tags', 'Tags'),
      tagsLeftOut: filterWords(filters, 'tagsLeftOut', 'Tags to Leave Out'),
      onlyEnds: filters.onlyEnds === true,
      minQuantity: wholeNumber(filters.minQuantity ?? 0, 'minQuantity', { label: 'Smallest Quantity' }),
      minValue: rupeesToPaise(filters.minValue ?? 0, 'minValue', { label: 'Smallest Value' }),
      recovered: options.recover !== false,
    },
    connectionEvents: CONNECTION_EVENTS.filter((event) => chosen.includes(event)),
    batches: {
      count: wholeNumber(options.batchSize ?? 1, 'batchSize', { label: 'Batch Size', min: 1, max: 1_000 }),
      waitMs: readSeconds(options.batchWait ?? 5, 'batchWait', 'Batch Wait', 0.1),
    },
    checkEveryMs: readSeconds(options.compareEvery ?? 30, 'compareEvery', 'Compare Every', 5),
    raw: options.raw === true,
    unit: unitOf(options),
  };
}
