import { item, limit, startIntents, type IntentBench } from './support';

const at = (price: number) => ({ value: price });

describe('Intent orders: an item to place', () => {
  let b: IntentBench;
  let low: number;
  beforeAll(async () => {
    b = await startIntents();
    low = await b.near(-500);
  });
  afterAll(() => b.close());

  const stop = (trigger: number, price: number, more = {}) => ({
    stoplossParams: { stoplossTriggerPrice: at(trigger), stoplossLimitPrice: at(price), ...more },
  });
  const target = (trigger: number, price: number) => ({
    targetParams: { targetProfitTriggerPrice: at(trigger), targetProfitLimitPrice: at(price) },
  });
  const withExits = (exitConfig: object, more = {}) =>
    limit(b, low, { executionMode: 'ENTRY_AND_EXIT', exitConfig, ...more });

  it('refId: an unknown one is refused, and a strategy has none', async () => {
    expect(await b.refusal(limit(b, low, { refId: 1 }))).toContain('refId 1 is not an instrument');
    const legs = [{ refId: b.refId, unitQty: 1 }];
    expect(await b.refusal(item(b, { isMultiLeg: true, legs }))).toContain('refId is not of a strategy');
  });

  it('qty: units are taken in whole lots', async () => {
    const future = b.running.sandbox.world.universe().all('NSE');
    const { refId } = [...future].find(({ derivativeType, asset }) => derivativeType === 'FUT' && asset === 'NIFTY')!;
    expect(await b.refusal(item(b, { refId, qty: 1 }))).toContain('not a multiple of current lots size');
    expect(await b.refusal(limit(b, low, { qty: 0 }))).toContain('qty must be a whole number above 0');
  });

  it('priceType: LIMIT is taken with entryPrice on the tick; MARKET without it and with IOC', async () => {
    expect(await b.refusal(limit(b, low + 1))).toContain('tick size');
    expect(await b.refusal(limit(b, 0))).toContain('entryPrice');
    expect(await b.refusal(item(b, { entryPrice: low }))).toContain('entryPrice is not for priceType MARKET');
    expect(await b.refusal(item(b, { validityType: 'DAY' }))).toBe('Use a Limit Order for Day validity.');
  });

  it('goodTillDate: is required by GTE; one year at most for shares; beyond today CNC only; not beyond the expiry', async () => {
    const gte = (date: string | undefined, more = {}) =>
      limit(b, low, { validityType: 'GTE', goodTillDate: date, ...more });
    expect(await b.refusal(gte(undefined))).toContain('GTE needs goodTillDate');
    expect(await b.refusal(gte('2027-12-24T10:00:00.000Z'))).toContain('at most one year');
    expect(await b.refusal(gte('2026-11-22T10:00:00.000Z'))).toContain('in the past');
    expect(await b.refusal(gte('2026-11-25T10:00:00.000Z', { deliveryType: 'IDAY' }))).toBe(
      'Intraday orders cannot have an expiry beyond today. Use Delivery (CNC) instead.',
    );
    const { refId, expiry, tickSize, lotSize } = [...b.running.sandbox.world.universe().all('NSE')].find(
      ({ derivativeType, asset }) => derivativeType === 'FUT' && asset === 'NIFTY',
    )!;
    expect(String(expiry) < '20270301').toBe(true);
    const { data } = await b.post('/sentinel/orders/create', {
      orders: [gte('2027-06-01T10:00:00.000Z', { refId, entryPrice: 1000 * tickSize, qty: lotSize })],
    });
    expect(data).toEqual({ error: 'You cannot place an order beyond the asset expiry', svc_error_code: 'ERR011' });
  });

  it('errors have an empty code otherwise', async () => {
    const { data } = await b.post('/sentinel/orders/create', { orders: [limit(b, low + 1)] });
    expect(data).toEqual({ error: expect.any(String), svc_error_code: '' });
  });

  it('executionMode fits what comes with it', async () => {
    expect(await b.refusal(limit(b, low, { executionMode: 'EXIT' }))).toContain('must be ENTRY or ENTRY_AND_EXIT');
    expect(await b.refusal(limit(b, low, { exitConfig: target(low + 100, low + 100) }))).toContain('ENTRY_AND_EXIT');
  });

  it('entryConfig.triggers.ltp: has one price condition per order, on the tick', async () => {
    const ltp = { above: at(low), below: at(low) };
    expect(await b.refusal(item(b, { entryConfig: { triggers: { ltp } } }))).toContain('one price condition per order');
    const off = { atOrAbove: at(low + 1) };
    expect(await b.refusal(item(b, { entryConfig: { triggers: { ltp: off } } }))).toContain('tick size');
  });

  it('entryConfig: waits until the last price is there; disabled is none', async () => {
    const above = await b.near(200);
    const ltp = { above: { disabled: true }, atOrAbove: at(above) };
    const { intentOrderId: id } = await b.place(item(b, { entryConfig: { triggers: { ltp } } }));
    await b.advance('PT3S');
    expect(await b.find(id)).toMatchObject({ bucket: 'open', intentOrderType: 'TRIGGER', filledQty: 0 });
    await b.move(b.refId, above + 20 * b.tick);
    await b.advance('PT3S');
    expect(await b.find(id)).toMatchObject({ bucket: 'executed', filledQty: 10 });
  });

  it('entryConfig.entryTime: waits until then', async () => {
    const entryTime = new Date(b.running.sandbox.now() + 60_000).toISOString();
    const { intentOrderId: id } = await b.place(item(b, { entryConfig: { entryTime } }));
    await b.advance('PT50S');
    expect((await b.find(id)).bucket).toBe('open');
    await b.advance('PT15S');
    expect((await b.find(id)).bucket).toBe('executed');
  });

  it('exitConfig.stoplossParams: requires limit ≤ trigger < entry for a BUY, mirrored for a SELL', async () => {
    expect(await b.refusal(withExits(stop(low, low)))).toContain('must be below the entry');
    expect(await b.refusal(withExits(stop(low - 100, low - 50)))).toContain('must not be above stoplossTriggerPrice');
    expect(await b.refusal(withExits({ stoplossParams: { stoplossTriggerPrice: at(low - 100) } }))).toContain(
      'needs both',
    );
    const sell = { side: 'SELL', deliveryType: 'IDAY' };
    expect(await b.refusal(withExits(stop(low - 100, low - 100), sell))).toContain('must be above the entry');
  });

  it('exitConfig.targetParams: requires trigger ≥ limit beyond the entry for a BUY, mirrored for a SELL', async () => {
    expect(await b.refusal(withExits(target(low + 100, low)))).toContain('must be above the entry');
    expect(await b.refusal(withExits(target(low + 50, low + 100)))).toContain('must not be above');
    const sell = { side: 'SELL', deliveryType: 'IDAY' };
    expect(await b.refusal(withExits(target(low + 100, low + 100), sell))).toContain('must be below the entry');
  });

  it('exitConfig.exitTime: is 30 s after entryTime, inside the session, not with GTE', async () => {
    const soon = (ms: number) => new Date(b.running.sandbox.now() + ms).toISOString();
    const early = withExits({ exitTime: soon(80_000) }, { entryConfig: { entryTime: soon(60_000) } });
    expect(await b.refusal(early)).toContain('at least 30 seconds after');
    expect(await b.refusal(withExits({ exitTime: soon(40 * 3_600_000) }))).toContain('inside the session');
    const gte = { validityType: 'GTE', goodTillDate: soon(86_400_000) };
    expect(await b.refusal(withExits({ exitTime: soon(80_000) }, gte))).toContain('not for validityType GTE');
  });

  it('icebergInfo: takes maxQtyPerLeg or numberOfLegs, never both', async () => {
    const both = { maxQtyPerLeg: 2, numberOfLegs: 5 };
    expect(await b.refusal(limit(b, low, { icebergInfo: both }))).toContain('never both');
    const placed = await b.place(limit(b, low, { icebergInfo: { numberOfLegs: 5 } }));
    expect(placed).toMatchObject({ intentOrderType: 'ICEBERG', icebergInfo: { maxQtyPerLeg: null, numberOfLegs: 5 } });
  });

  it('legs of a strategy: name each instrument once, on one exchange, always BUY', async () => {
    const { chain } = (await b.get('/optionchains/NIFTY')).data as unknown as { chain: Chain };
    const [call, put] = [chain.ce, chain.pe].map((side) => side.find(({ sp }) => sp === chain.atm)!) as [Leg, Leg];
    const strategy = (legs: object[], more = {}) =>
      item(b, { refId: null, isMultiLeg: true, qty: call.ls, deliveryType: 'IDAY', legs, ...more });
    const leg = ({ ref_id }: Leg, unitQty = 1) => ({ refId: ref_id, unitQty });
    expect(await b.refusal(strategy([leg(call), leg(call)]))).toContain('twice');
    expect(await b.refusal(strategy([leg(call), leg(put)], { side: 'SELL' }))).toContain('always BUY');
    expect(await b.refusal(strategy([leg(call), leg(put, 0)]))).toContain('unitQty');
    const crude = b.running.sandbox.world.universe().bySymbol('MCX', 'CRUDEOIL26DECFUT')!;
    expect(await b.refusal(strategy([{ refId: crude.refId, unitQty: 1 }], { qty: crude.lotSize }))).toBe(
      'Strategy Flexi is not supported in MCX',
    );
    const { intentOrderId: id } = await b.place(strategy([leg(call), leg(put, -1)], { stratTags: ['risk-reversal'] }));
    await b.advance('PT5S');
    expect(await b.find(id)).toMatchObject({
      bucket: 'executed',
      isMulti: true,
      filledQty: call.ls,
      legs: [
        { unitQty: 1, orderQty: call.ls, filledQty: call.ls },
        { unitQty: -1, orderQty: call.ls, filledQty: call.ls },
      ],
    });
    const baskets = (await b.get('/orders/v2/basket')).data as unknown as { basket_id: string; tag: string }[];
    expect(baskets.find(({ basket_id }) => basket_id === id)).toMatchObject({
      tag: 'risk-reversal',
      basket_status: 'BASKET_STATUS_FILLED',
    });
  });

  it.each([[[]], [['a', 'b']], [['a_b']], [['a b']], [['a:b']], [['a+b']], [['']]])(
    'stratTags: takes exactly one of letters, digits and hyphens, so %j is refused',
    async (stratTags) => {
      expect(await b.refusal(limit(b, low, { stratTags }))).toContain('stratTags');
    },
  );

  it('echoFields: comes back unchanged', async () => {
    const echoFields = { note: 'mine', n: [1, null] };
    expect((await b.place(limit(b, low, { echoFields })))['echoFields']).toEqual(echoFields);
  });
});

interface Chain {
  ce: Leg[];
  pe: Leg[];
  atm: number;
}

interface Leg {
  ref_id: number;
  sp: number;
  ls: number;
}
