import { InputError, UnknownOutcomeError } from '../../../client/errors';
import { cancelBasket } from '../../../client/orders/basket';
import { cancelOrder, cancelOrders, modifyBody } from '../../../client/orders/change';
import { orderIdOf } from '../../../client/orders/order';
import { placeOrder, placeOrders, type OrderRequest } from '../../../client/orders/place';
import { waitForStatus } from '../../../client/orders/wait';
import { LIMIT_BUY, market } from './support';

const request = (tag: string, changes: Partial<OrderRequest> = {}): OrderRequest => ({
  terms: LIMIT_BUY,
  tag,
  keyed: false,
  ...changes,
});
const posts = ({ requests }: { requests: { method: string; url: string }[] }): number =>
  requests.filter(({ method }) => method === 'POST').length;

describe('placing one order', () => {
  it('confirms, with the id as exact text', async () => {
    const { time, model, context } = market();
    const outcome = await time.run(placeOrder(request('a'), context));
    expect(outcome).toMatchObject({ outcome: 'confirmed', tag: 'a', alreadyPlaced: false });
    expect(outcome.outcome === 'confirmed' && orderIdOf(outcome.order)).toBe(model.journal[0]!.id);
  });

  it('finds the order whose reply was lost, and places nothing more on a retry', async () => {
    let faults = 1;
    const { time, model, context } = market({
      fault: ({ method }) => (method === 'POST' && faults-- > 0 ? 'no_reply' : undefined),
    });
    expect(await time.run(placeOrder(request('a'), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: false,
    });
    expect(await time.run(placeOrder(request('a'), context))).toMatchObject({
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
    const outcome = await time.run(placeOrder(request('mine-abc'), context));
    expect(outcome.outcome).toBe('unknown');
    const error = outcome.outcome === 'unknown' ? outcome.error : undefined;
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(`${error?.message} ${error?.hint}`).toMatch(
      /not known whether the order was placed.*Do not send it again.*mine-abc/,
    );
    expect(`${error?.message} ${error?.hint}`).not.toMatch(/fail/i);
    expect((await time.run(placeOrder(request('mine-abc'), context))).outcome).toBe('unknown');
    await time.run(time.sleep(60_000));
    expect(await time.run(placeOrder(request('mine-abc'), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
    });
    expect(posts(model)).toBe(1);
  });

  it('rejects with the reason of the service, and can be placed after that', async () => {
    const { time, context } = market({ refuse: (body) => (body.order_qty === 13 ? 'INSUFFICIENT_MARGIN' : undefined) });
    const outcome = await time.run(placeOrder(request('a', { terms: { ...LIMIT_BUY, quantity: 13 } }), context));
    expect(outcome).toMatchObject({ outcome: 'rejected', error: { serviceText: 'INSUFFICIENT_MARGIN', status: 400 } });
    expect(await time.run(placeOrder(request('a'), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: false,
    });
  });

  it('two executions with one key at the same moment place one order', async () => {
    const { time, model, context } = market();
    const both = await time.run(
      Promise.all([
        placeOrder(request('k', { keyed: true }), context),
        placeOrder(request('k', { keyed: true }), context),
      ]),
    );
    expect(both).toMatchObject([{ alreadyPlaced: false }, { alreadyPlaced: true }]);
    expect(model.journal).toHaveLength(1);
  });

  it('refuses a key that was used for another instrument', async () => {
    const { time, model, context } = market();
    await time.run(placeOrder(request('k', { keyed: true }), context));
    const outcome = await time.run(
      placeOrder(request('k', { keyed: true, terms: { ...LIMIT_BUY, refId: 99 } }), context),
    );
    expect(outcome).toMatchObject({ outcome: 'refused', error: { parameter: 'idempotencyKey' } });
    expect(model.journal).toHaveLength(1);
  });

  it('asks the guards only for what was not placed before', async () => {
    const { time, model, context } = market();
    const no = async (): Promise<number> => {
      throw new InputError('Refused by the guard "Largest Quantity"');
    };
    expect(await time.run(placeOrder(request('a', { guard: no }), context))).toMatchObject({ outcome: 'refused' });
    expect(model.requests.filter(({ method }) => method === 'POST')).toHaveLength(0);
    expect((await time.run(placeOrder(request('a'), context))).outcome).toBe('confirmed');
    expect(await time.run(placeOrder(request('a', { guard: no }), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
    });
  });

  it('sends nothing when the execution is stopped before, and waits for the answer when it is stopped after', async () => {
    const { time, model, context } = market();
    const stop = new AbortController();
    const during = placeOrder(request('a'), { ...context, signal: stop.signal });
    await time.run(time.sleep(70));
    stop.abort(new Error('stopped'));
    expect(model.journal).toHaveLength(1);
    expect((await time.run(during)).outcome).toBe('confirmed');
    await expect(time.run(placeOrder(request('b'), { ...context, signal: stop.signal }))).rejects.toThrow('stopped');
    expect(model.journal).toHaveLength(1);
  });
});

describe('placing several orders', () => {
  it('keeps the results apart: one was placed before, one is rejected by the exchange, one is found by its tag', async () => {
    const { time, model, context } = market({
      fault: ({ url, method }) => (method === 'POST' && url.endsWith('/multi') ? 'partial' : undefined),
    });
    await time.run(placeOrder(request('a'), context));
    const outcomes = await time.run(placeOrders([request('a'), request('b'), request('c')], context));
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
    const outcomes = await time.run(placeOrders([request('a'), request('b')], context));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['confirmed', 'unknown']);
  });
});

describe('cancelling', () => {
  it('follows a cancel to its end, or only to the acknowledgement', async () => {
    const { time, model, context } = market();
    await time.run(placeOrder(request('a'), context));
    const id = model.journal[0]!.id;
    await time.run(time.sleep(2_000));
    expect(await time.run(cancelOrder(context.transport, id, { waitMs: 0 }))).toEqual({
      orderId: id,
      result: 'requested',
    });
    expect(await time.run(cancelOrder(context.transport, id, { waitMs: 10_000 }))).toMatchObject({
      result: 'done',
      order: { order_status: 'ORDER_STATUS_CANCELLED' },
    });
  });

  it('says that it is not known, and what the order is now, when no clear answer came and the order lives on', async () => {
    const { time, model, context } = market({
      fault: ({ method, url }) => (method === 'DELETE' || url.includes('/basket/') ? 'lost' : undefined),
    });
    await time.run(placeOrder(request('mine'), context));
    await time.run(time.sleep(2_000));
    const changed = await time.run(cancelOrder(context.transport, model.journal[0]!.id, { waitMs: 0 }));
    expect(changed).toMatchObject({ result: 'unknown', error: { tag: 'mine' } });
    expect(changed.error).toBeInstanceOf(UnknownOutcomeError);
    expect(changed.error?.message).toMatch(
      /^It is not known whether order \d+ is cancelled: no clear answer came \(.+\)\. It is open\.$/,
    );
    const basket = time.run(cancelBasket(context.transport, '77', 'NSE'));
    await expect(basket).rejects.toThrow(/^It is not known whether basket 77 is cancelled: no clear answer came/);
    await expect(basket).rejects.toBeInstanceOf(UnknownOutcomeError);
  });

  it('says that the order was filled before that', async () => {
    const { time, model, context } = market({ life: () => [{ after: 100, status: 'FILLED' }] });
    await time.run(placeOrder(request('a'), context));
    await time.run(time.sleep(2_000));
    const result = await time.run(cancelOrder(context.transport, model.journal[0]!.id, { waitMs: 5_000 }));
    expect(result).toMatchObject({
      result: 'too_late',
      error: { message: expect.stringMatching(/could not be cancelled: it was filled before that/) as string },
    });
    expect(result.error).toBeInstanceOf(InputError);
  });

  it('looks what became of a cancel whose reply was lost', async () => {
    const { time, model, context } = market({ fault: ({ method }) => (method === 'DELETE' ? 'no_reply' : undefined) });
    await time.run(placeOrder(request('a'), context));
    await time.run(time.sleep(2_000));
    expect(await time.run(cancelOrder(context.transport, model.journal[0]!.id, { waitMs: 0 }))).toMatchObject({
      result: 'done',
    });
  });

  it('tells for each of several why', async () => {
    const { time, model, context } = market({ life: () => [{ after: 100, status: 'FILLED' }] });
    await time.run(placeOrders([request('a'), request('b')], context));
    await time.run(time.sleep(2_000));
    const results = await time.run(
      cancelOrders(
        context.transport,
        model.journal.map(({ id }) => id),
        { waitMs: 1_000 },
      ),
    );
    expect(results.map(({ result }) => result)).toEqual(['too_late', 'too_late']);
  });
});

describe('modifying', () => {
  it('sends the whole order, with what stays as it is', () => {
    const order = {
      order_qty: 10,
      order_price: 150_005,
      order_type: 'ORDER_TYPE_STOPLOSS',
      algo_params: { trigger_price: 150_000, leg_size: 0 },
    };
    expect(modifyBody(order, { price: 150_010 }, 'NSE')).toEqual({
      order_qty: 10,
      order_price: 150_010,
      exchange: 'NSE',
      order_type: 'ORDER_TYPE_STOPLOSS',
      algo_params: { trigger_price: 150_000, leg_size: 0 },
    });
  });
});

describe('waiting for a status', () => {
  it('reads at a slowing pace until it comes', async () => {
    const { time, model, context } = market({
      life: () => [
        { after: 200, status: 'OPEN' },
        { after: 30_000, status: 'FILLED' },
      ],
    });
    await time.run(placeOrder(request('a'), context));
    const before = model.requests.length;
    const waited = await time.run(waitForStatus(context.transport, model.journal[0]!.id, 'filled', 60_000));
    expect(waited).toMatchObject({ reached: true, timedOut: false });
    expect(model.requests.length - before).toBeLessThan(14);
  });

  it('ends at the deadline, at the end of the order, and at once when stopped', async () => {
    const { time, model, context } = market({
      life: () => [
        { after: 200, status: 'OPEN' },
        { after: 30_000, status: 'CANCELLED' },
      ],
    });
    await time.run(placeOrder(request('a'), context));
    const id = model.journal[0]!.id;
    expect(await time.run(waitForStatus(context.transport, id, 'accepted', 9_000))).toMatchObject({ reached: true });
    const started = time.now();
    expect(await time.run(waitForStatus(context.transport, id, 'filled', 5_000))).toMatchObject({
      reached: false,
      timedOut: true,
    });
    expect(time.now() - started).toBeLessThan(6_000);
    expect(await time.run(waitForStatus(context.transport, id, 'filled', 90_000))).toMatchObject({
      reached: false,
      timedOut: false,
      order: { order_status: 'ORDER_STATUS_CANCELLED' },
    });
    const stop = new AbortController();
    const waiting = waitForStatus(context.transport, '1', 'filled', 600_000, stop.signal);
    await time.run(time.sleep(1_000));
    const stoppedAt = time.now();
    stop.abort(new Error('stopped'));
    await expect(time.run(waiting)).rejects.toThrow('stopped');
    expect(time.now() - stoppedAt).toBeLessThan(100);
  });
});
