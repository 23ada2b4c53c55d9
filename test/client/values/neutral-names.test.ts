import type { Json } from '../../../client/values/json';
import { neutralKey, withNeutralNames } from '../../../client/values/neutral-names';

it('gives the neutral names wherever a record of an instrument is, and nowhere else', () => {
  expect(
    withNeutralNames({
      orders: [
        {
          ref_id: 1,
          algo_id: 3,
          user_id: 4,
          display_name: 'x',
          ref_data: { ref_id: 1, acme_id: 9, acme_name: 'STOCK_A.NSECM', stock_name: 'A' },
        },
      ],
      account_name: 'kept',
      account_id: 'kept',
    }),
  ).toEqual({
    orders: [
      {
        ref_id: 1,
        algo_id: 3,
        user_id: 4,
        display_name: 'x',
        ref_data: { ref_id: 1, plat_id: 9, plat_name: 'STOCK_A.NSECM', stock_name: 'A' },
      },
    ],
    account_name: 'kept',
    account_id: 'kept',
  });
});

it('calls the name svc_name in holdings, whichever brand word is in it', () => {
  for (const raw of ['acme_name', 'plat_name', 'svc_name']) {
    expect(withNeutralNames({ ref_id: 1, symbol: 'A', [raw]: 'STOCK_A.NSECM' }, 'svc_name')).toEqual({
      ref_id: 1,
      symbol: 'A',
      svc_name: 'STOCK_A.NSECM',
    });
  }
});

it('loses no value where two keys would get the same name', () => {
  expect(withNeutralNames({ ref_id: 1, symbol: 'A', a_name: 1, b_name: 2 })).toEqual({
    ref_id: 1,
    symbol: 'A',
    plat_name: 1,
    b_name: 2,
  });
});

it('knows the lists of times by their shape', () => {
  expect(
    ['acme_timestamps', 'acmeTimestamps', 'timestamps', 'acme_timestamps_x'].map((key) => neutralKey(key)),
  ).toEqual(['svc_timestamps', 'svcTimestamps', 'timestamps', 'acme_timestamps_x']);
  expect(neutralKey('acme_name')).toBe('plat_name');
  expect(neutralKey('acme_name', 'svc_name')).toBe('svc_name');
});

it('takes a record for one of an instrument by its id beside what describes it', () => {
  for (const mark of ['stock_name', 'derivative_type', 'symbol'])
    expect(withNeutralNames({ ref_id: 1, [mark]: 'A', acme_id: 9 })).toEqual({ ref_id: 1, [mark]: 'A', plat_id: 9 });
  expect(withNeutralNames({ ref_id: 1, acme_id: 9 })).toEqual({ ref_id: 1, acme_id: 9 });
  expect(withNeutralNames({ symbol: 'A', acme_id: 9 })).toEqual({ symbol: 'A', acme_id: 9 });
});

it('leaves values that are no records unchanged, and copies nothing where no name changes', () => {
  expect([null, 'x_name', 5, true].map((value) => withNeutralNames(value))).toEqual([null, 'x_name', 5, true]);
  const record = { ref_id: 1, symbol: 'A', note: null, list: [null, 1] };
  expect(withNeutralNames(record)).toBe(record);
  expect(record).toEqual({ ref_id: 1, symbol: 'A', note: null, list: [null, 1] });
});

it('looks 64 levels deep, in lists and in objects, and no deeper', () => {
  const instrument = () => ({ ref_id: 1, symbol: 'A', acme_id: 9 });
  for (const wrap of [(inner: Json): Json => [inner], (inner: Json): Json => ({ inner })]) {
    const nested = (levels: number) =>
      Array.from({ length: levels }).reduce<Json>((inner) => wrap(inner), instrument());
    expect(JSON.stringify(withNeutralNames(nested(64)))).toContain('plat_id');
    expect(JSON.stringify(withNeutralNames(nested(65)))).toContain('acme_id');
  }
});
