import { UnreadableReplyError } from '../../../client/base/errors';
import { getChainMoments } from '../../../client/market/chain-moments';
import { scriptedTransport } from '../../support/wire';

const AT = Date.parse('2026-11-20T05:00:00.000Z');
const ask = (times: Record<string, unknown>, moments = [{ at: AT, strikes: [2_450_000, 2_455_000] }]) => {
  const { transport, requests } = scriptedTransport([
    { json: { message: 'charts', result: { NSE: { NIFTY: times } } } },
    { json: { message: 'charts', result: { NSE: { NIFTY: {} } } } },
  ]);
  const found = getChainMoments(transport, {
    exchange: 'NSE',
    asset: 'NIFTY',
    expiry: '2026-11-24',
    field: 'cumulative_oi',
    moments,
  });
  return { found, requests };
};
const strikes = { '20261124': { '2450000': { cumulative_oi: { CE: 130, PE: 65 } } } };

it('asks for moments in the form of the service, and reads what it tells', async () => {
  const { found, requests } = ask({ '2026-11-20T05:00:00.000Z': strikes });
  expect(await found).toEqual([{ at: AT, strikes: new Map([[2_450_000, { ce: 130, pe: 65 }]]) }]);
  expect(requests[0]!.url).toMatch(/\/charts\/multistrike\?chart=Open_Interest_Change$/);
  expect(JSON.parse(String(requests[0]!.body))).toEqual({
    query: [
      {
        exchange: 'NSE',
        asset: 'NIFTY',
        expiries: ['20261124'],
        minStrike: 2_450_000,
        maxStrike: 2_455_000,
        strikes: [2_450_000, 2_455_000],
        fields: ['cumulative_oi'],
        time: '2026-11-20T05:00:00.000Z',
      },
    ],
  });
});

it('takes the nearest moment that is told, and none that is minutes away', async () => {
  const { found } = ask({ '2026-11-20T05:01:00Z': strikes, '2026-11-20T05:03:00Z': {}, '2026-11-20T06:00:00Z': {} });
  expect(await found).toEqual([{ at: AT + 60_000, strikes: expect.objectContaining({ size: 1 }) }]);
  const far = ask({ '2026-11-20T06:00:00Z': strikes });
  expect(await far.found).toEqual([{ at: AT, strikes: new Map() }]);
});

it('ten moments take one request, and the eleventh another', async () => {
  const moments = Array.from({ length: 11 }, (_, index) => ({ at: AT - index * 60_000, strikes: [1] }));
  const { found, requests } = ask({}, moments);
  expect((await found).map(({ at }) => at)).toEqual(moments.map(({ at }) => at));
  expect(requests).toHaveLength(2);
});

it.each([
  ['a chain without a moment', { now: strikes }],
  ['a moment as long as a page', { ['2'.repeat(500)]: strikes }],
])('%s is unreadable', async (_name, times) => {
  await expect(ask(times).found).rejects.toThrow(UnreadableReplyError);
});

it('a value that is no number is null', async () => {
  const odd = { '20261124': { '2450000': { cumulative_oi: { CE: '5', PE: -1 } }, x: { cumulative_oi: { CE: 1 } } } };
  const { found } = ask({ '2026-11-20T05:00:00.000Z': odd });
  expect((await found)[0]!.strikes).toEqual(new Map([[2_450_000, { ce: null, pe: null }]]));
});

it('refuses the chain of another underlying', async () => {
  const { transport } = scriptedTransport([{ json: { result: { NSE: { BANKNIFTY: {} } } } }]);
  const moments = [{ at: AT, strikes: [1] }];
  await expect(
    getChainMoments(transport, { exchange: 'NSE', asset: 'NIFTY', expiry: '2026-11-24', field: 'iv_mid', moments }),
  ).rejects.toThrow(/BANKNIFTY/);
});
