/** Replies other than the answer to an order: each row of the table "The answer" in docs/order-safety.md. */
import { placeOrder } from '../../../../client/orders/placing/place';
import { FAULTS, GATEWAY_FAULTS, ODD_SUCCESSES, type Fault } from '../../../support/order-service-faults';
import { market, orderRequest } from '../support';

/** The answer to the first order is the fault; what is read, and what is sent again, is answered as usual. */
async function answered(fault: Fault, listDelay = 0) {
  let sent = 0;
  const { time, model, context } = market({
    listDelay: () => listDelay,
    fault: ({ method }) => (method === 'POST' && ++sent === 1 ? fault : undefined),
  });
  const since = time.now();
  const outcome = await time.run(placeOrder(orderRequest('a'), context));
  // Whatever came in place of the answer, the order is the one that was taken.
  if (outcome.outcome === 'confirmed') expect(outcome.id).toBe(model.journal[0]!.id);
  return { outcome: outcome.outcome, taken: model.journal.length, sent, ms: time.now() - since };
}

const gateways = GATEWAY_FAULTS.filter(({ status }) => status !== 429);
const named = (faults: readonly Extract<Fault, object>[]) =>
  faults.map((fault) => [`${fault.status} ${(fault.text ?? '').slice(0, 30)}`, fault] as const);

describe('when somebody else answers', () => {
  it.each(named(gateways.filter(({ processed }) => processed)))(
    'finds an order that was taken after %s, and does not send it again',
    async (_, fault) => {
      expect(await answered(fault, 9_000)).toMatchObject({ outcome: 'confirmed', taken: 1, sent: 1 });
    },
  );

  it.each(named(gateways.filter(({ processed }) => !processed)))(
    'looks for an order that was not taken after %s, and never calls it placed nor sends it twice',
    async (_, fault) => {
      const { outcome, taken, sent, ms } = await answered(fault);
      expect(taken).toBeLessThanOrEqual(1);
      expect([outcome, sent]).toEqual(
        taken === 1 ? ['confirmed', 2] : [expect.stringMatching(/^re(fused|jected)$/), 1],
      );
      expect(ms).toBeGreaterThanOrEqual(12_000);
    },
  );
});

it.each(named(GATEWAY_FAULTS.filter(({ status }) => status === 429)))(
  'a 429 (%s) is looked at for as long as the list may lag, and leads to one order',
  async (_, fault) => {
    const { outcome, taken, ms } = await answered(fault, 9_000);
    expect([outcome, taken]).toEqual(['confirmed', 1]);
    expect(ms).toBeGreaterThanOrEqual(fault.processed ? 9_000 : 12_000);
  },
);

it.each(named(ODD_SUCCESSES))(
  'a success that is not about the order (%s): "placed" is what the list shows',
  async (_, fault) => {
    expect(await answered(fault)).toMatchObject({ outcome: 'confirmed', taken: 1, sent: 1 });
  },
);

it.each(FAULTS.filter((fault) => typeof fault !== 'object' && fault !== 429).map((fault) => [fault] as const))(
  'an order without a clear answer (%s) is found where it was taken, else unknown or certainly not sent, and sent once',
  async (fault) => {
    const { outcome, taken, sent } = await answered(fault);
    const missing = fault === 'refused' ? 'refused' : 'unknown';
    expect([outcome, sent]).toEqual([taken === 1 ? 'confirmed' : missing, 1]);
  },
);
