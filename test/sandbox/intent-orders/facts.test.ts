import { type IntentBench, item, limit, startIntents } from './support';

/**
 * Requests of clients of other makers, which the page documents: other spellings, fields that are left out or null,
 * both tokens.
 */
describe('Intent orders: odd and documented', () => {
  let b: IntentBench;
  let low: number;
  beforeAll(async () => {
    b = await startIntents();
    low = await b.near(-500);
  });
  afterAll(() => b.close());

  it('isMultiLeg makes a single order where it is missing or null; true needs legs; legs need true', async () => {
    for (const isMultiLeg of [undefined, null])
      expect((await b.place(limit(b, low, { isMultiLeg }))).isMulti).toBe(false);
    expect(await b.refusal(limit(b, low, { isMultiLeg: true, refId: undefined }))).toContain('leg');
    expect(await b.refusal(limit(b, low, { legs: [{ refId: b.refId, unitQty: 1 }] }))).toContain('isMultiLeg');
  });

  it('a field that is not meant may be missing, null or empty', async () => {
    const names = ['goodTillDate', 'entryConfig', 'exitConfig', 'icebergInfo', 'legs', 'executionMode', 'echoFields'];
    await b.place(limit(b, low, Object.fromEntries(names.map((name) => [name, null]))));
    await b.place(limit(b, low, Object.fromEntries(names.map((name) => [name, undefined]))));
    await b.place(limit(b, low, { entryConfig: {}, exitConfig: {}, icebergInfo: {}, legs: [] }));
    const off = { disabled: true };
    const stoplossParams = { stoplossTriggerPrice: off, stoplossLimitPrice: off, stoplossTrailJump: off };
    const targetParams = { targetProfitTriggerPrice: off, targetProfitLimitPrice: off };
    await b.place(limit(b, low, { exitConfig: { stoplossParams, targetParams, exitTime: null } }));
    await b.place(item(b, { entryPrice: null }));
  });

  it('an orderId is a number or text, in modify, cancel and the filter', async () => {
    for (const spell of [(id: string) => id, (id: string) => Number(id)]) {
      const { intentOrderId } = await b.place(limit(b, low));
      const id = String(intentOrderId);
      // A number of 19 digits loses its last ones in JavaScript: it is written as other languages write it.
      const body = (rest: string) =>
        `{"orders":[{"orderId":${typeof spell(id) === 'number' ? id : `"${id}"`}${rest}}]}`;
      const post = async (path: string, text: string) =>
        await b.http.post(path, text, { headers: { ...b.headers, 'content-type': 'application/json' } });
      await b.advance('PT3S');
      expect((await post('/sentinel/orders/modify', body(',"entryPrice":' + String(low - b.tick * 2)))).status).toBe(
        200,
      );
      await b.advance('PT8S');
      expect((await post('/sentinel/orders/cancel', body(''))).status).toBeLessThan(300);
      await b.advance('PT3S');
      expect((await b.list(`?intentOrderId=${id}`))['cancelled']).toHaveLength(1);
    }
  });

  it('a modify may name unchanged fields', async () => {
    const { intentOrderId } = await b.place(limit(b, low));
    await b.advance('PT3S');
    const same = { priceType: 'LIMIT', validityType: 'DAY', deliveryType: 'CNC', qty: 10, refId: b.refId, side: 'BUY' };
    const change = { ...same, entryPrice: low - 2 * b.tick, executionMode: 'ENTRY' };
    expect((await b.modify(String(intentOrderId), change)).status).toBe(200);
  });

  it('a filter that is empty filters nothing; one of an unknown order or tag finds nothing, in buckets that are there', async () => {
    expect((await b.list('?intentOrderId=&stratTags='))['cancelled']!.length).toBeGreaterThan(0);
    for (const query of ['?intentOrderId=17', '?stratTags=nobody'])
      expect(Object.values(await b.list(query)).flatMap((bucket) => bucket ?? [])).toEqual([]);
    expect((await b.get('/sentinel/orders?intentOrderId=nothing')).status).toBeLessThan(500);
  });

  it('times are read with an offset, without decimals, and with up to nine', async () => {
    for (const time of ['2026-12-01T15:30:00+05:30', '2026-12-01T10:00:00Z', '2026-12-01T10:00:00.000000000Z'])
      await b.place(limit(b, low, { validityType: 'GTE', goodTillDate: time }));
    expect(await b.refusal(limit(b, low, { validityType: 'GTE', goodTillDate: 'soon' }))).toContain('goodTillDate');
  });

  it("the service's own headers change nothing: x-app-version, x-device-os, and the device in a cookie", async () => {
    const { 'x-device-id': device, ...others } = b.headers;
    const own = { ...others, 'x-app-version': '2.0.0', 'x-device-os': 'sdk' };
    for (const headers of [
      { ...own, 'x-device-id': device },
      { ...own, 'x-device-id': device, cookie: `deviceId=${device}` },
    ])
      expect((await b.http.get('/sentinel/orders', { headers })).status).toBe(200);
  });
});
