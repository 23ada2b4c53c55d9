import { UnreadableReplyError } from '../../../client/base/errors';
import { getOptionChain } from '../../../client/market/option-chain';
import { scriptedTransport } from '../../support/wire';

const leg = (sp: number, more = {}) => ({
  ref_id: sp + 1,
  inst_id: 1,
  ts: 1763712345678901200,
  sp,
  ls: 65,
  ltp: 10050,
  ltpchg: -1.5,
  iv: 0.2037,
  delta: 0.5,
  oi: 130,
  prev_oi: 100,
  volume: 9,
  ...more,
});
const chain = (more = {}) => ({
  json: {
    message: 'option chains',
    chain: {
      asset: 'NIFTY',
      exchange: 'NSE',
      expiry: 20261124,
      ce: [leg(2450000), leg(2445000)],
      pe: [leg(2450000, { ref_id: 2450002, delta: -0.5, oi: null })],
      atm: 2450000,
      cp: 2448015,
      all_expiries: [20261201, 20261124],
      ...more,
    },
  },
});

it('gives one row a strike, in rupees, with the money marked', async () => {
  const { transport, requests } = scriptedTransport([chain()]);
  const result = await getOptionChain(transport, {
    underlying: 'nifty',
    exchange: 'NSE',
    expiry: '2026-11-24',
    unit: 'rupees',
  });
  expect(requests[0]!.url).toMatch(/\/optionchains\/NIFTY\?exchange=NSE&expiry=20261124$/);
  expect(result).toMatchObject({
    asset: 'NIFTY',
    expiry: '2026-11-24',
    spot: 24480.15,
    at_the_money: 24500,
    expiries: ['2026-11-24', '2026-12-01'],
  });
  expect(
    result.strikes.map(({ strike_price, at_the_money, ce, pe }) => [
      strike_price,
      at_the_money,
      ce?.option_type,
      pe?.option_type,
    ]),
  ).toEqual([
    [24450, false, 'CE', undefined],
    [24500, true, 'CE', 'PE'],
  ]);
  expect(result.strikes[1]!.ce).toMatchObject({
    last_price: 100.5,
    iv: 0.2037,
    open_interest_change: 30,
    strike_price: 24500,
    ref_id: 2450001,
  });
  expect(result.strikes[1]!.pe).toMatchObject({ open_interest: null, open_interest_change: null });
});

it('takes the nearest expiry where none is given, and lists that are null for empty ones', async () => {
  const { transport, requests } = scriptedTransport([chain({ ce: null, pe: null, all_expiries: null })]);
  expect(await getOptionChain(transport, { underlying: 'NIFTY', exchange: 'NSE', unit: 'paise' })).toMatchObject({
    strikes: [],
    expiries: [],
    spot: 2448015,
  });
  expect(requests[0]!.url).not.toContain('expiry');
});

it('takes no other expiry than the one that was asked for, and nothing broken for a chain', async () => {
  const { transport } = scriptedTransport([chain(), { json: { chain: null } }, chain({ ce: [{ sp: '1' }] })]);
  const ask = (expiry?: string) =>
    getOptionChain(transport, {
      underlying: 'NIFTY',
      exchange: 'NSE',
      unit: 'rupees',
      ...(expiry === undefined ? {} : { expiry }),
    });
  await expect(ask('2026-12-01')).rejects.toThrow(/option chain of 2026-11-24, but n8n asked for that of 2026-12-01/);
  await expect(ask()).rejects.toThrow(UnreadableReplyError);
  await expect(ask()).rejects.toThrow(UnreadableReplyError);
});

it.each([0, -65, 65.5, null])('has no lot where the service gives %j, and each expiry once', async (ls) => {
  const odd = chain({ ce: [leg(2450000, { ls })], all_expiries: [20261124, 20261124] });
  const { transport } = scriptedTransport([odd]);
  const read = await getOptionChain(transport, { underlying: 'NIFTY', exchange: 'NSE', unit: 'rupees' });
  expect(read.strikes[0]!.ce!.lot_size).toBeNull();
  expect(read.expiries).toEqual(['2026-11-24']);
});

describe('a chain that contradicts itself is not used', () => {
  const read = (more: object) =>
    getOptionChain(scriptedTransport([chain(more)]).transport, { underlying: 'NIFTY', exchange: 'NSE', unit: 'paise' });
  const [call, put] = [leg(2450000), leg(2450000, { ref_id: 2450002, delta: -0.5 })];

  it.each<[string, object, RegExp]>([
    ['two of one strike', { ce: [call, leg(2450000, { ref_id: 7 })] }, /it has two of CE 24500/],
    ['two of one strike with other prices', { ce: [call, leg(2450000, { ltp: 5 })] }, /it has two of CE 24500/],
    ['one option at two strikes', { ce: [call, leg(2455000, { ref_id: 2450001 })] }, /have the ref_id 2450001/],
    ['one option as call and put', { ce: [call], pe: [leg(2450000)] }, /have the ref_id 2450001/],
    ['puts as calls', { ce: [put], pe: [call] }, /its CE 24500 has the delta -0.5, which only a put has/],
    ['calls as puts', { pe: [{ ...put, delta: 0.5 }] }, /its PE 24500 has the delta 0.5, which only a call has/],
    [
      'a delta that no option has',
      { ce: [{ ...call, delta: 5 }] },
      /its CE 24500 has the delta 5, which no option has/,
    ],
    ['a part of a ref_id', { ce: [{ ...call, ref_id: 1.5 }] }, /its CE 24500 has the ref_id 1.5/],
    ['a strike of a part of a paisa', { ce: [leg(2450000.5, { ref_id: 9 })] }, /its CE 24500.005 has the ref_id 9/],
    ['an expiry that is no day', { expiry: '2026-13-01' }, /its expiry is "2026-13-01"/],
    ['an option without strike', { pe: [leg(0, { delta: -0.5 })] }, /its PE 0 has the ref_id 1/],
    ['an underlying in rupees', { cp: 24480 }, /its underlying is at ₹244.80, and it has the strike ₹24,500.00/],
    ['one strike in rupees', { ce: [call, leg(24450)] }, /is at ₹24,480.15, and it has the strike ₹244.50/],
    ['an option without ref_id', { ce: [leg(2450000, { ref_id: 0 })] }, /its CE 24500 has the ref_id 0/],
  ])('%s', async (_, more, says) => {
    await expect(read(more)).rejects.toThrow(says);
    await expect(read(more)).rejects.toThrow(UnreadableReplyError);
  });

  it('counts an option once that comes twice unchanged', async () => {
    const { strikes } = await read({ ce: [call, leg(2455000), call, leg(2455000)] });
    expect(strikes.map(({ strike_price, ce }) => [strike_price, ce?.ref_id])).toEqual([
      [2450000, 2450001],
      [2455000, 2455001],
    ]);
  });
});

it.each<[string, object, number | null]>([
  ['listed', { atm: 2445000 }, 2445000],
  ['not listed: the nearest to the price is taken', { atm: 100 }, 2450000],
  ['not listed, and as near below as above: the lower one', { atm: 100, cp: 2447500 }, 2445000],
  ['not listed, without a price', { atm: 100, cp: null }, null],
  ['of an underlying whose price is none', { cp: 0 }, null],
])('the strike at the money is %s', async (_, more, expected) => {
  const { transport } = scriptedTransport([chain(more)]);
  const { at_the_money } = await getOptionChain(transport, { underlying: 'NIFTY', exchange: 'NSE', unit: 'paise' });
  expect(at_the_money).toBe(expected);
});

it('a count or a volatility below 0 is none', async () => {
  const odd = leg(2450000, { oi: -5, prev_oi: 100, volume: -1, iv: -1 });
  const { transport } = scriptedTransport([chain({ ce: [odd] })]);
  const { strikes } = await getOptionChain(transport, { underlying: 'NIFTY', exchange: 'NSE', unit: 'paise' });
  expect(strikes[0]!.ce).toMatchObject({ open_interest: null, open_interest_change: null, volume: null, iv: null });
});

it.each(['20261124', '2026-11-24', '24-Nov-2026', ' 24NOV2026 '])('reads the expiry %s', async (expiry) => {
  const { transport } = scriptedTransport([chain({ expiry, all_expiries: [expiry] })]);
  const read = await getOptionChain(transport, { underlying: 'NIFTY', exchange: 'NSE', unit: 'paise' });
  expect([read.expiry, read.expiries]).toEqual(['2026-11-24', ['2026-11-24']]);
});
