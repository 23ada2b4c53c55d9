/** Two processes of one n8n that do something with one position, in virtual time. */
import { expect, it } from '@jest/globals';
import { aloneOnPosition } from '../../../client/closing/sending-turn';
import { openAccountApi, KnownOrderApis } from '../../../client/orders/account/account-api';
import type { PlacementContext } from '../../../client/orders/account/placement-context';
import { PlacementRegistry } from '../../../client/orders/account/placement-registry';
import { POSITION_LOCK, SharedLock } from '../../../client/orders/account/shared-lock';
import { tagOf } from '../../../client/orders/model/order-record';
import { placeOrder } from '../../../client/orders/placing/place';
import { CredentialEntries } from '../../../client/session/credential-entries';
import { createTransport } from '../../../client/transport';
import { OrderModel } from '../../support/order-service';
import { ProcessLife } from '../../support/process-life';
import { StoredLock } from '../../support/stored-lock';
import { seededRandom, VirtualTime } from '../../support/virtual-time';
import { INFY, orderRequest } from '../orders/support';

/** Seconds after which the day's list shows an order. */
const LIST_DELAY_MS = 6_000;

/** @returns the tags that the list showed to each process when its turn had come. */
async function bothAtOnce(hasLock: boolean): Promise<string[][]> {
  const random = seededRandom(7);
  const time = new VirtualTime();
  const model = new OrderModel(time, {
    fault: () => undefined,
    latency: () => 20,
    listDelay: () => LIST_DELAY_MS,
    life: () => [],
    exitDelay: () => undefined,
    changeDelay: () => 0,
    has: () => 'both',
  });
  const credential = new StoredLock(time, random);
  const work = async (name: string): Promise<string[]> => {
    const { clock } = time;
    const transport = createTransport({
      ...{ http: model.http, clock, random, baseUrl: 'https://alone.broker.example', deviceId: 'n8n' },
    });
    const context: PlacementContext = {
      ...openAccountApi(transport, { choice: 'automatic', known: new KnownOrderApis(), scope: 'sandbox/me' }),
      environment: 'sandbox',
      placements: new PlacementRegistry(clock),
      scope: 'sandbox/me',
    };
    const entries = new CredentialEntries(() => credential.usedBy(new ProcessLife(time)), clock, random);
    const lock = hasLock ? new SharedLock(entries, clock, random, POSITION_LOCK) : undefined;
    return await aloneOnPosition(INFY.refId, context, lock, async (alone, turn) => {
      const listed = (await alone.orders.list()).map(tagOf);
      await placeOrder(orderRequest(name, { keyed: false, isRepeat: false }), alone);
      turn.sent(name);
      return listed;
    });
  };
  return await time.run(Promise.all([work('one'), work('other')]));
}

it('the second one begins once the list shows what the first has sent', async () => {
  const [one, other] = await bothAtOnce(true);
  expect([one, other].sort((a, b) => a!.length - b!.length)).toEqual([[], [expect.stringMatching(/^(one|other)$/)]]);
});

it('both would send on the same list without the lock in their credential', async () => {
  expect(await bothAtOnce(false)).toEqual([[], []]);
});
