import { FIRST, logIn, start, type Bench } from '../support';

describe('eDIS: shares leave the demat account only with the authorisation of the holder', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  let refId: number;
  beforeEach(async () => {
    bench = await start({ rateLimit: 'off' });
    headers = await logIn(bench);
    refId = bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId;
    await change({ holdings: [{ ref_id: refId, qty: 20 }], sales: 'unauthorised' });
  });
  afterEach(() => bench.close());

  const change = (body: object) => bench.http.post(`/_sandbox/accounts/${FIRST.phone}`, body);
  const item = (qty: number) => ({
    refId,
    qty,
    side: 'SELL',
    deliveryType: 'CNC',
    priceType: 'MARKET',
    validityType: 'IOC',
    isMultiLeg: false,
    executionMode: 'ENTRY',
    stratTags: ['edis'],
  });
  const ask = async (qty: number) =>
    (await bench.http.post('/sentinel/orders/funds_required', { requestType: 'NEW', orders: [item(qty)] }, { headers }))
      .data;
  const sell = async (qty: number) => {
    await bench.http.post('/sentinel/orders/create', { orders: [item(qty)] }, { headers });
    await bench.advance('PT5S');
    const { orders } = (await bench.http.get('/sentinel/orders', { headers })).data;
    return orders as Record<string, { rejectionMsg?: string }[]>;
  };

  it('tells before how many may be sold and how many wait, and each charge by its name', async () => {
    const { marginInfo, brokerageInfo } = await ask(5);
    expect(marginInfo).toMatchObject({ cncSellAllowedQty: 0, edisDoneQty: 0, edisRemainingQty: 20 });
    const sum = Object.values(brokerageInfo.chargesFloat as Record<string, number>).reduce((a, b) => a + b, 0);
    expect(sum).toBeCloseTo(brokerageInfo.totalChargesFloat);
    const { tradingSlot, icebergInfo, marginInfo: whole } = await ask(5);
    expect(Date.parse(tradingSlot.endTime)).toBeGreaterThan(Date.parse(tradingSlot.startTime));
    expect([icebergInfo, whole.maxAllowedQty]).toEqual([undefined, 20]);
    await change({ sales: 'authorised_today' });
    expect((await ask(5)).marginInfo).toMatchObject({ cncSellAllowedQty: 20, edisDoneQty: 20, edisRemainingQty: 0 });
  });

  it('rejects a sale that is not authorised, and takes it once it is', async () => {
    const rejected = await sell(5);
    expect(rejected['rejected']?.[0]?.rejectionMsg).toMatch(/compliance check.*0 authorised at the depository/);
    await change({ sales: 'authorised_today' });
    expect((await sell(5))['executed']).toHaveLength(1);
    await change({ sales: 'unauthorised' });
    expect((await sell(5))['rejected']).toHaveLength(2);
    await change({ sales: 'ddpi' });
    expect((await sell(5))['executed']).toHaveLength(2);
  });
});
