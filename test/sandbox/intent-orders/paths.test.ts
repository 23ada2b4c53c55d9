import { item, limit, startIntents, type IntentBench, type IntentRecord } from './support';

describe('Intent orders: paths', () => {
  let b: IntentBench;
  beforeAll(async () => {
    b = await startIntents();
  });
  afterAll(() => b.close());

  it('Place one, several: 201 comes with the message, and the records in the order of the request', async () => {
    const low = await b.near(-500);
    const { status, data } = await b.post('/sentinel/orders/create', {
      orders: [limit(b, low, { stratTags: ['first'] }), limit(b, low, { stratTags: ['second'], qty: 7 })],
    });
    expect([status, data.message]).toEqual([201, 'order creation request pushed successfully']);
    const records = data.orders as IntentRecord[];
    expect(records.map(({ stratTags, orderQty, status: is }) => [stratTags[0], orderQty, is])).toEqual([
      ['first', 10, 'OPEN'],
      ['second', 7, 'OPEN'],
    ]);
    expect(records[0]!.intentOrderId).toMatch(/^\d{19}$/);
  });

  it('Place acknowledges first: the order shows in the list a moment later', async () => {
    const { intentOrderId: id } = await b.place(limit(b, await b.near(-500)));
    await expect(b.find(id)).rejects.toThrow('not in the list');
    await b.advance('PT3S');
    expect((await b.find(id)).bucket).toBe('open');
  });

  it('a market order is executed, with its average price and what the exchange calls it', async () => {
    const { intentOrderId: id } = await b.place(item(b));
    await b.advance('PT3S');
    const record = await b.find(id);
    expect(record).toMatchObject({ bucket: 'executed', status: 'EXECUTED', filledQty: 10, rejectionMsg: '' });
    expect(record.filledPrice).toBeGreaterThan(0);
    expect(record['exchangeOrderIds']).toEqual({ [b.refId]: [expect.stringMatching(/^\d{19}$/)] });
    expect(record.timestamps['filledAt']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
  });

  it('Cancel: the message comes, and the list shows it cancelled a moment later', async () => {
    const { intentOrderId: id } = await b.place(limit(b, await b.near(-500)));
    await b.advance('PT3S');
    const { status, data } = await b.cancel(id);
    expect([status, data.message]).toEqual([200, 'order cancellation request pushed successfully']);
    await b.advance('PT3S');
    expect(await b.find(id)).toMatchObject({ bucket: 'cancelled', status: 'CANCELLED' });
    expect((await b.cancel(id)).data.error).toContain('CANCELLED');
  });

  it('Cancel takes at most 20 orders', async () => {
    const { status, data } = await b.post('/sentinel/orders/cancel', {
      orders: Array.from({ length: 21 }, () => ({ orderId: '1' })),
    });
    expect([status, data.error]).toEqual([400, 'at most 20 orders in one cancel, not 21']);
  });
});
