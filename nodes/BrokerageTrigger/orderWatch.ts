/** Starts the workflow by what happens to orders. */
import { createHash } from 'crypto';
import { Consumer } from '../../client/stream/delivery/consumer';
import type { CursorData } from '../../client/stream/delivery/checkpoint';
import { connectionOutput, orderOutput, type OutputOptions } from '../../client/stream/delivery/order-output';
import type { OrderEvent } from '../../client/stream/reconciliation/types';
import { clock } from '../shared/clock';
import type { TriggerService } from './service';
import { readOrderSettings } from './settings';
import { hub } from '../shared/feeds';
import type { Running, Stage } from './triggerContext';

/** Cursors of triggers that have ended in this process, by trigger. */
const remembered = new Map<string, CursorData>();

/** @throws BrokerageError when it cannot be started. */
export async function watchOrders(stage: Stage, open: () => Promise<TriggerService>): Promise<Running> {
  const activatedAt = clock.now();
  const { filter, batches, connectionEvents, checkEveryMs, raw, unit } = readOrderSettings(stage.context);
  const { connection, account, scope, deps } = await open();
  const output: OutputOptions = { environment: connection.environment, unit, raw };
  const deliver = (events: OrderEvent[]): void =>
    stage.emit(
      events.map((event) => orderOutput(event, output)),
      batchKey(events),
    );
  const consumer = new Consumer({ clock, filter, batches, deliver });
  const listener = stage.listener({
    onBegin: (day) => consumer.look(day),
    onUpdate: (read, message) => consumer.update(read, message),
    onSettled: () => consumer.settled(),
    onDay: (day) => consumer.day(day),
    onForgotten: (orderIds) => consumer.forget(orderIds),
    onConnection: (event) => {
      if (connectionEvents.includes(event.type)) stage.emit([connectionOutput(event, output)], event.key);
    },
  });
  const key = `${account}:orders:${checkEveryMs}`;
  const membership = await hub.join(
    key,
    deps,
    { environment: connection.environment, subscriptions: ['orders'], checkEveryMs },
    listener,
    stage.signal,
  );

  const stored: CursorData = stage.manual ? {} : stage.context.getWorkflowStaticData('node');
  if (stage.isAfresh || !consumer.resume(stored, remembered.get(stage.id), scope))
    consumer.begin(stored, membership.feed.serviceInstant(activatedAt), scope);
  if (!stage.manual) remembered.delete(stage.id);

  return {
    stop: async () => {
      const data = consumer.close();
      if (data && !stage.manual) remembered.set(stage.id, data);
      await membership.leave();
    },
  };
}

function batchKey(events: readonly OrderEvent[]): string {
  const keys = events.map(({ key }) => key);
  return keys.length === 1 ? (keys[0] as string) : createHash('sha256').update(keys.join(' ')).digest('base64url');
}
