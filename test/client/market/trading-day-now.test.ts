import type { WireRequest } from '../../../client/base/ports';
import { isTradingDayNow } from '../../../client/market/trading-day-now';
import { createTransport } from '../../../client/transport';
import { VirtualClock } from '../../support/clock';

const at = (text: string): number => Date.parse(`${text}+05:30`);
let services = 0;

/** A service whose candles are of some times. */
function service(...times: string[]) {
  const requested: string[] = [];
  const values = times.map((time) => `{"ts":${at(time)}000000,"v":2500000}`).join(',');
  const series = times.length === 0 ? '' : `{"NIFTY":{"close":[${values}]}}`;
  const transport = createTransport({
    http: (request: WireRequest) => {
      requested.push(String(request.body));
      const text = `{"message":"charts","result":[{"exchange":"NSE","type":"INDEX","values":[${series}]}]}`;
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(text) });
    },
    clock: new VirtualClock(),
    random: () => 0.5,
    baseUrl: `https://days-${services++}.example`,
    deviceId: 'd',
  });
  return { transport, asked: requested };
}

describe('whether NSE and BSE trade on a day', () => {
  it('is told by the candles once the first minutes are over, also on a Sunday with a session', async () => {
    const open = service('2026-02-01T09:15:00');
    expect(await isTradingDayNow(open.transport, at('2026-02-01T09:20:00'))).toBe(true);
    expect(JSON.parse(open.asked[0]!)).toMatchObject({
      query: [{ exchange: 'NSE', type: 'INDEX', values: ['NIFTY'], interval: '1m' }],
    });
    // A Monday on which the exchanges stay closed, whatever the table knows.
    expect(await isTradingDayNow(service().transport, at('2026-11-23T09:20:00'))).toBe(false);
  });

  it('is told by weekday and holidays before', async () => {
    const { transport, asked: requested } = service();
    expect(await isTradingDayNow(transport, at('2026-11-08T18:00:00'))).toBe(true);
    const days = ['2026-11-23', '2026-11-24', '2026-11-28', '2026-11-29', '2026-12-25'];
    const reported = await Promise.all(
      days.map(async (day) => await isTradingDayNow(transport, at(`${day}T09:00:00`))),
    );
    expect(reported).toEqual([true, false, false, false, false]);
    expect(requested).toEqual([]);
  });
});
