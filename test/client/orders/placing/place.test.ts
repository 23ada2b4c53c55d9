import { InputError, UnknownOutcomeError } from '../../../../client/base/errors';
import type { Guards } from '../../../../client/orders/model/guard-settings';
import { placeBasket, placeOrder, placeOrders } from '../../../../client/orders/placing/place';
import { legsOf } from '../../../../client/orders/model/basket-record';
import { LIMIT_BUY, market, posts, orderRequest, basketRequest } from '../support';

const NO_LIMITS: Guards = { allowLiveOrders: true, dryRun: false, marketHoursOnly: false };

describe('placing one order', () => {
  it('confirms, with the id as exact text', async () => {
    const { time, model, context } = market();
    const outcome = await time.run(placeOrder(orderRequest('a'), context));
    expect(outcome).toMatchObject({ outcome: 'confirmed', tag: 'a', alreadyPlaced: false });
    expect(outcome.outcome === 'confirmed' && outcome.id).toBe(model.journal[0]!.id);
  });

  it('finds the order whose reply was lost, and places nothing more on a retry', async () => {
    let faults = 1;
    const { time, model, context } = market({
      fault: ({ method }) => (method === 'POST' && faults-- > 0 ? 'no_reply' : undefined),
    });
    expect(await time.run(placeOrder(orderRequest('a'), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: false,
    });
    expect(await time.run(placeOrder(orderRequest('a'), context))).toMatchObject({
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
    const outcome = await time.run(placeOrder(orderRequest('mine-abc'), context));
    expect(outcome.outcome).toBe('unknown');
    const error = outcome.outcome === 'unknown' ? outcome.error : undefined;
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(`${error?.message} ${error?.hint}`).toMatch(
      /not known whether the order was placed.*Do not send it again.*mine-abc/,
    );
    expect(`${error?.message} ${error?.hint}`).not.toMatch(/fail/i);
    expect((await time.run(placeOrder(orderRequest('mine-abc'), context))).outcome).toBe('unknown');
    await time.run(time.sleep(60_000));
    expect(await time.run(placeOrder(orderRequest('mine-abc'), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
    });
    expect(posts(model)).toBe(1);
  });

  it('rejects with the reason of the service, and can be placed after that', async () => {
    const { time, context } = market({ refuse: (body) => (body.order_qty === 13 ? 'INSUFFICIENT_MARGIN' : undefined) });
    const outcome = await time.run(placeOrder(orderRequest('a', { terms: { ...LIMIT_BUY, quantity: 13 } }), context));
    expect(outcome).toMatchObject({ outcome: 'rejected', error: { serviceText: 'INSUFFICIENT_MARGIN', status: 400 } });
    expect(await time.run(placeOrder(orderRequest('a'), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: false,
    });
  });

  it('two executions with one key at the same moment place one order', async () => {
    const { time, model, context } = market();
    const both = await time.run(
      Promise.all([
        placeOrder(orderRequest('k', { keyed: true }), context),
        placeOrder(orderRequest('k', { keyed: true }), context),
      ]),
    );
    expect(both).toMatchObject([{ alreadyPlaced: false }, { alreadyPlaced: true }]);
    expect(model.journal).toHaveLength(1);
  });

  it('asks the guards only for what was not placed before', async () => {
    const { time, model, context } = market();
    const guards: Guards[] = [{ ...NO_LIMITS, maxQuantity: 1 }];
    expect(await time.run(placeOrder(orderRequest('a', { guards }), context))).toMatchObject({ outcome: 'refused' });
    expect(model.requests.filter(({ method }) => method === 'POST')).toHaveLength(0);
    expect((await time.run(placeOrder(orderRequest('a'), context))).outcome).toBe('confirmed');
    expect(await time.run(placeOrder(orderRequest('a', { guards }), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
    });
  });

  it('asks for the address of this machine only where something is left to send', async () => {
    const { time, model, context } = market();
    let requested = 0;
    const on = { ...context, requireAddress: async () => void (requested += 1) };
    await time.run(placeOrder(orderRequest('a'), on));
    await time.run(placeOrder(orderRequest('a'), on));
    expect(requested).toBe(1);
    const refusal = new InputError('Another address.', { parameter: 'checkStaticIp' });
    const elsewhere = { ...context, requireAddress: async () => await Promise.reject(refusal) };
    expect(await time.run(placeOrder(orderRequest('b'), elsewhere))).toMatchObject({
      outcome: 'refused',
      error: refusal,
    });
    expect(posts(model)).toBe(1);
  });

  it('is not sent where nobody can tell whether trading is stopped', async () => {
    const { time, model, context } = market();
    const on = (error: Error) => ({ ...context, requireTrading: async () => await Promise.reject(error) });
    const stopped = new InputError('Trading is stopped.', { parameter: 'tradingStopped' });
    expect(await time.run(placeOrder(orderRequest('a'), on(stopped)))).toMatchObject({
      outcome: 'refused',
      error: stopped,
    });
    expect(await time.run(placeOrder(orderRequest('a'), on(new TypeError('x'))))).toMatchObject({
      outcome: 'refused',
      error: { maySent: false, message: expect.stringContaining('whether trading is stopped') as string },
    });
    expect(posts(model)).toBe(0);
    expect([...context.placements.values(context.scope)]).toEqual([]);
  });

  it('is not taken for another that a read of it brings', async () => {
    const { time, model, context } = market();
    await time.run(placeOrder(orderRequest('a'), context));
    await time.run(time.sleep(2_000));
    const reread = async () => ({ order_id: '9', tag: 'other' });
    const again = await time.run(placeOrder(orderRequest('a'), { ...context, orders: { ...context.orders, reread } }));
    expect(again).toMatchObject({ outcome: 'confirmed', id: model.journal[0]!.id, tag: 'a', alreadyPlaced: true });
  });

  it('looks an order up whose reply is an odd success, instead of calling it refused', async () => {
    const { time, model, context } = market({
      fault: ({ method }) => (method === 'POST' ? { status: 202, processed: true } : undefined),
    });
    expect(await time.run(placeOrder(orderRequest('a'), context))).toMatchObject({ outcome: 'confirmed', tag: 'a' });
    expect(posts(model)).toBe(1);
  });

  it.each([408, 500])('looks an order up that was taken though the reply was a %i', async (status) => {
    const { time, model, context } = market({
      fault: ({ method }) => (method === 'POST' ? { status, processed: true } : undefined),
    });
    expect(await time.run(placeOrder(orderRequest('a'), context))).toMatchObject({ outcome: 'confirmed', tag: 'a' });
    expect(posts(model)).toBe(1);
  });

  it('shows in a dry run what would be sent, and sends nothing', async () => {
    const { time, model, context } = market();
    const guards: Guards[] = [{ ...NO_LIMITS, dryRun: true, maxQuantity: 10 }];
    const outcome = await time.run(placeOrder(orderRequest('a', { guards }), context));
    expect(outcome).toMatchObject({ outcome: 'dryRun', tag: 'a', request: { body: { order_qty: 10, tag: 'a' } } });
    const tooMany = { ...LIMIT_BUY, quantity: 11 };
    expect(await time.run(placeOrder(orderRequest('a', { guards, terms: tooMany }), context))).toMatchObject({
      outcome: 'refused',
      error: { parameter: 'maxQuantity' },
    });
    expect(model.requests).toEqual([]);
    expect([...context.placements.values(context.scope)]).toEqual([]);
  });
});

describe('an execution that is stopped', () => {
  it('asks for nothing and sends nothing any more', async () => {
    const { time, model, context } = market();
    const stopped = { ...context, signal: AbortSignal.abort(new Error('stopped')) };
    await expect(time.run(placeOrder(orderRequest('a'), stopped))).rejects.toThrow('stopped');
    expect(model.requests).toEqual([]);
  });

  it('sends nothing when it is stopped during the look before sending', async () => {
    const stop = new AbortController();
    const { time, model, context } = market({
      fault: ({ method }) => {
        if (method === 'GET') stop.abort(new Error('stopped'));
        return undefined;
      },
    });
    await expect(time.run(placeOrder(orderRequest('a'), { ...context, signal: stop.signal }))).rejects.toThrow(
      'stopped',
    );
    expect(posts(model)).toBe(0);
    expect(context.placements.get(context.scope, 'a')).toBeUndefined();
  });

  it('sends nothing when it is stopped while it waits for its turn', async () => {
    const stop = new AbortController();
    const { time, model, context } = market();
    const orderTurn = async () => stop.abort(new Error('stopped'));
    const transport = { ...context.transport, orderTurn };
    const placing = placeOrder(orderRequest('a'), { ...context, transport, signal: stop.signal });
    await expect(time.run(placing)).rejects.toThrow('stopped');
    expect(posts(model)).toBe(0);
  });

  it('waits for the answer to what has left', async () => {
    const { time, model, context } = market();
    const stop = new AbortController();
    const during = placeOrder(orderRequest('a'), { ...context, signal: stop.signal });
    await time.run(time.sleep(70));
    stop.abort(new Error('stopped'));
    expect(model.journal).toHaveLength(1);
    expect((await time.run(during)).outcome).toBe('confirmed');
  });
});

describe('placing several orders', () => {
  it.each([400, 409, 422])(
    'looks the list up when a %i finds fault with one, as others may be taken',
    async (status) => {
      const { time, model, context } = market({
        fault: ({ method }) => (method === 'POST' ? { status, processed: true } : undefined),
      });
      const outcomes = await time.run(placeOrders([orderRequest('a'), orderRequest('b')], context));
      expect(outcomes).toMatchObject([{ outcome: 'confirmed' }, { outcome: 'confirmed' }]);
      expect(posts(model)).toBe(1);
    },
  );

  it('is rejected as a whole when the service finds fault and the list shows none of them', async () => {
    const { time, context } = market({ fault: ({ method }) => (method === 'POST' ? 409 : undefined) });
    const outcomes = await time.run(placeOrders([orderRequest('a'), orderRequest('b')], context));
    expect(outcomes).toMatchObject([{ outcome: 'rejected' }, { outcome: 'rejected' }]);
  });

  it('does not look when the service refuses the address from which they come', async () => {
    const refusal = { status: 403, processed: false, text: '{"error":"The request comes from another IP address"}' };
    const { time, model, context } = market({ fault: ({ method }) => (method === 'POST' ? refusal : undefined) });
    const outcomes = await time.run(placeOrders([orderRequest('a'), orderRequest('b')], context));
    expect(outcomes).toMatchObject([{ outcome: 'rejected' }, { outcome: 'rejected' }]);
    expect(model.requests.filter(({ url }) => url.endsWith('/orders'))).toHaveLength(1);
  });

  it('refuses two with one tag: both would be sent', async () => {
    const { time, model, context } = market();
    await expect(time.run(placeOrders([orderRequest('a'), orderRequest('a')], context))).rejects.toThrow(
      /same Idempotency Key/,
    );
    expect(model.requests).toEqual([]);
  });

  it('keeps the results apart: one was placed before, one is in the reply, one is found by its tag', async () => {
    const { time, model, context } = market({
      fault: ({ url, method }) => (method === 'POST' && url.endsWith('/multi') ? 'partial' : undefined),
    });
    await time.run(placeOrder(orderRequest('a'), context));
    const outcomes = await time.run(placeOrders([orderRequest('a'), orderRequest('b'), orderRequest('c')], context));
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
    const outcomes = await time.run(placeOrders([orderRequest('a'), orderRequest('b')], context));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['confirmed', 'unknown']);
  });
});

describe('placing a basket', () => {
  it('returns all of its legs where the reply lacks one', async () => {
    const { time, model, context } = market({ fault: ({ method }) => (method === 'POST' ? 'partial' : undefined) });
    const outcome = await time.run(placeBasket(basketRequest('b'), context));
    expect(outcome).toMatchObject({ outcome: 'confirmed', tag: 'b', alreadyPlaced: false });
    expect(outcome.outcome === 'confirmed' && legsOf(outcome.record)).toHaveLength(2);
    expect(posts(model)).toBe(1);
  });

  it('is confirmed by its id alone, where neither the reply nor the list shows all of its legs', async () => {
    const { time, context } = market({
      listDelay: () => 60_000,
      fault: ({ method }) => (method === 'POST' ? 'partial' : undefined),
    });
    expect(await time.run(placeBasket(basketRequest('b'), context))).toMatchObject({ outcome: 'confirmed' });
  });

  it('is found by its tag when the reply is lost, and never sent again', async () => {
    const { time, model, context } = market({ fault: ({ method }) => (method === 'POST' ? 'no_reply' : undefined) });
    expect(await time.run(placeBasket(basketRequest('b'), context))).toMatchObject({ alreadyPlaced: false });
    expect(await time.run(placeBasket(basketRequest('b'), context))).toMatchObject({ alreadyPlaced: true });
    expect(posts(model)).toBe(1);
  });

  it('two executions with one key at the same moment place one', async () => {
    const { time, model, context } = market();
    const place = async () => await placeBasket(basketRequest('k', { keyed: true }), context);
    expect(await time.run(Promise.all([place(), place()]))).toMatchObject([
      { alreadyPlaced: false },
      { alreadyPlaced: true },
    ]);
    expect(posts(model)).toBe(1);
  });
});
