import { limit, startIntents, type IntentBench } from './support';

/** A share with a fixed band of 20 % around its previous close. */
function shareOf({ running }: IntentBench) {
  const shares = running.sandbox.world.universe().all('NSE', ['STOCK']);
  for (const share of shares) if (share.bandPercent === 20) return share;
  throw new Error('no share has a band of 20 %');
}

it('an order that is good till a date is rejected where its price lies outside the band of a later day', async () => {
  const b = await startIntents({ hours: 'exchange' });
  const { refId, symbol, tickSize } = shareOf(b);
  const { data } = await b.get(`/optionchains/${symbol}/price?exchange=NSE`);
  const close = data.prev_close as unknown as number;
  const part = (percent: number) => Math.round((close * percent) / 100 / tickSize) * tickSize;
  const gte = { refId, validityType: 'GTE', goodTillDate: '2026-12-01T10:00:00.000Z' };
  const [low, near] = [await b.place(limit(b, part(82), gte)), await b.place(limit(b, part(98), gte))];
  await b.move(refId, part(112));
  await b.advance('PT2S');
  for (const { intentOrderId } of [low, near])
    expect(await b.find(intentOrderId)).toMatchObject({ bucket: 'gtt', status: 'GTE' });
  // Tuesday is a holiday.
  await b.advance('PT48H');
  const nextDay = (id: string) => b.running.sandbox.world.intents.intent(BigInt(id));
  expect(nextDay(low.intentOrderId)).toMatchObject({
    status: 'REJECTED',
    reason: expect.stringContaining('PRICE_BAND'),
  });
  expect(nextDay(near.intentOrderId)).toMatchObject({ status: 'OPEN', reason: '' });
  await b.close();
});
