import { UnknownOutcomeError } from '../../../client/errors';
import type { Guards } from '../../../client/orders/guard-settings';
import { placeOrder, placeOrders } from '../../../client/orders/place';
import { LIMIT_BUY, market, wanted } from './support';

const posts = ({ requests }: { requests: { method: string; url: string }[] }): number =>
  requests.filter(({ method }) => method === 'POST').length;

describe('placing one order', () => {
  it('confirms, with the id as exact text', async () => {
    const { time, model, context } = market();
    const outcome = await time.run(placeOrder(wanted('a'), context));
    expect(outcome).toMatchObject({ outcome: 'confirmed', tag: 'a', alreadyPlaced: false });
    expect(outcome.outcome === 'confirmed' && outcome.id).toBe(model.journal[0]!.id);
  });

  it('finds the order whose reply was lost, and places nothing more on a retry', async () => {
    let faults = 1;
    const { time, model, context } = market({
      fault: ({ method }) => (method === 'POST' && faults-- > 0 ? 'no_reply' : undefined),
    });
    expect(await time.run(placeOrder(wanted('a'), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: false,
    });
    expect(await time.run(placeOrder(wanted('a'), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
    });
    expect(posts(model)).toBe(1);
  });

  it('is unknown while nothing shows, says so, and is never sent again', async () => {
    const { time, model, context } = market({
      listDelay: () => 60_000,
      fault: ({ method }) => (method === 'POST' ? 'no_reply' : undefined),
    });
    const outcome = await time.run(placeOrder(wanted('mine-abc'), context));
    expect(outcome.outcome).toBe('unknown');
    const error = outcome.outcome === 'unknown' ? outcome.error : undefined;
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(`${error?.message} ${error?.hint}`).toMatch(
      /not known whether the order was placed.*Do not send it again.*mine-abc/,
    );
    expect(`${error?.message} ${error?.hint}`).not.toMatch(/fail/i);
    expect((await time.run(placeOrder(wanted('mine-abc'), context))).outcome).toBe('unknown');
    await time.run(time.sleep(60_000));
    expect(await time.run(placeOrder(wanted('mine-abc'), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
    });
    expect(posts(model)).toBe(1);
  });

  it('rejects with the reason of the service, and can be placed after that', async () => {
    const { time, context } = market({ refuse: (body) => (body.order_qty === 13 ? 'INSUFFICIENT_MARGIN' : undefined) });
    const outcome = await time.run(placeOrder(wanted('a', { terms: { ...LIMIT_BUY, quantity: 13 } }), context));
    expect(outcome).toMatchObject({ outcome: 'rejected', error: { serviceText: 'INSUFFICIENT_MARGIN', status: 400 } });
    expect(await time.run(placeOrder(wanted('a'), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: false,
    });
  });

  it('two executions with one key at the same moment place one order', async () => {
    const { time, model, context } = market();
    const both = await time.run(
      Promise.all([
        placeOrder(wanted('k', { keyed: true }), context),
        placeOrder(wanted('k', { keyed: true }), context),
      ]),
    );
    expect(both).toMatchObject([{ alreadyPlaced: false }, { alreadyPlaced: true }]);
    expect(model.journal).toHaveLength(1);
  });

  it('refuses a key that was used for another instrument', async () => {
    const { time, model, context } = market();
    await time.run(placeOrder(wanted('k', { keyed: true }), context));
    const outcome = await time.run(
      placeOrder(
        wanted('k', { keyed: true, terms: { ...LIMIT_BUY, instrument: { ...LIMIT_BUY.instrument, refId: 99 } } }),
        context,
      ),
    );
    expect(outcome).toMatchObject({ outcome: 'refused', error: { parameter: 'idempotencyKey' } });
    expect(model.journal).toHaveLength(1);
  });

  it('asks the guards only for what was not placed before', async () => {
    const { time, model, context } = market();
    const guards: Guards[] = [{ allowLiveOrders: true, dryRun: false, marketHoursOnly: false, maxQuantity: 1 }];
    expect(await time.run(placeOrder(wanted('a', { guards }), context))).toMatchObject({ outcome: 'refused' });
    expect(model.requests.filter(({ method }) => method === 'POST')).toHaveLength(0);
    expect((await time.run(placeOrder(wanted('a'), context))).outcome).toBe('confirmed');
    expect(await time.run(placeOrder(wanted('a', { guards }), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
    });
  });

  it('sends nothing when the execution is stopped before, and waits for the answer when it is stopped after', async () => {
    const { time, model, context } = market();
    const stop = new AbortController();
    const during = placeOrder(wanted('a'), { ...context, signal: stop.signal });
    await time.run(time.sleep(70));
    stop.abort(new Error('stopped'));
    expect(model.journal).toHaveLength(1);
    expect((await time.run(during)).outcome).toBe('confirmed');
    await expect(time.run(placeOrder(wanted('b'), { ...context, signal: stop.signal }))).rejects.toThrow('stopped');
    expect(model.journal).toHaveLength(1);
  });
});

describe('placing several orders', () => {
  it('keeps the results apart: one was placed before, one is rejected by the exchange, one is found by its tag', async () => {
    const { time, model, context } = market({
      fault: ({ url, method }) => (method === 'POST' && url.endsWith('/multi') ? 'partial' : undefined),
    });
    await time.run(placeOrder(wanted('a'), context));
    const outcomes = await time.run(placeOrders([wanted('a'), wanted('b'), wanted('c')], context));
    expect(outcomes).toMatchObject([
      { outcome: 'confirmed', tag: 'a', alreadyPlaced: true },
      { outcome: 'confirmed', tag: 'b', alreadyPlaced: false },
      { outcome: 'confirmed', tag: 'c', alreadyPlaced: false },
    ]);
    expect(model.journal.map(({ tag }) => tag)).toEqual(['a', 'b', 'c']);
  });

  it('is unknown, not a success, for the one that is missing in the reply and in the list', async () => {
    const { time, context } = market({
      listDelay: () => 90_000,
      fault: ({ url, method }) => (method === 'POST' && url.endsWith('/multi') ? 'partial' : undefined),
    });
    const outcomes = await time.run(placeOrders([wanted('a'), wanted('b')], context));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['confirmed', 'unknown']);
  });
});
