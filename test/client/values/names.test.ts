import { withNeutralNames } from '../../../client/values/names';

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
