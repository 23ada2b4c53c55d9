import { item, startIntents, type IntentBench } from './support';

describe('Intraday square-off with exits that live', () => {
  let b: IntentBench;
  beforeEach(async () => {
    b = await startIntents({ hours: 'exchange' });
  });
  afterEach(() => b.close());

  const netQuantity = async (): Promise<number> => {
    const { data } = await b.get('/sentinel/portfolio/positions');
    const { positions } = (data as unknown as { portfolio: { positions: { refId: number; netQuantity: number }[] } })
      .portfolio;
    return positions.find(({ refId }) => refId === b.refId)!.netQuantity;
  };

  it('ends the exits, closes the position once, and leaves nothing that could sell it again', async () => {
    const last = await b.near(0);
    const value = (percent: number) => ({ value: Math.round((last * percent) / 100 / b.tick) * b.tick });
    const { intentOrderId } = await b.place(
      item(b, {
        qty: 40,
        deliveryType: 'IDAY',
        executionMode: 'ENTRY_AND_EXIT',
        exitConfig: {
          stoplossParams: { stoplossTriggerPrice: value(85), stoplossLimitPrice: value(84) },
          targetParams: { targetProfitTriggerPrice: value(116), targetProfitLimitPrice: value(115) },
        },
      }),
    );
    await b.advance('PT10S');
    expect(await netQuantity()).toBe(40);
    await b.advance('PT5H25M');
    const { exits } = b.running.sandbox.world.intents.intent(BigInt(intentOrderId))!;
    expect(exits.map(({ status, filledQuantity }) => [status, filledQuantity])).toEqual([
      ['CANCELLED', 0],
      ['CANCELLED', 0],
    ]);
    expect(await netQuantity()).toBe(0);
    await b.move(b.refId, value(86).value);
    await b.advance('PT2M');
    expect(await netQuantity()).toBe(0);
  });
});
