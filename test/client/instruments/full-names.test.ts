/** Contracts of MCX whose `stock_name` is their full name, as the live service has them. */
import {
  contractSymbol,
  earliestExpiryOf,
  expiryOfName,
  priceName,
  tradingSymbol,
} from '../../../client/instruments/symbol';
import { resolveText } from '../../../client/instruments/resolve';
import { masterJson } from '../../support/master';
import { storeOf } from './support';

const row = (fullName: string, more: object): object => ({
  ref_id: 9_001,
  strike_price: 0,
  option_type: 'N/A',
  token: 1,
  stock_name: fullName,
  series: '',
  plat_name: fullName,
  lot_size: 100,
  asset: 'CRUDEOIL',
  expiry: 20_261_217,
  exchange: 'MCX',
  derivative_type: 'FUT',
  isin: '',
  asset_type: 'COM_FO',
  tick_size: 100,
  ...more,
});
const FUT = 'FUT_CRUDEOIL_20261217';
const OPT = 'OPT_CRUDEOIL_20261215_CE_875050';
const OPTION = { ref_id: 9_002, derivative_type: 'OPT', option_type: 'CE', strike_price: 875_050, expiry: 20_261_215 };

it.each([
  [FUT, 'CRUDEOIL17DEC26FUT'],
  [OPT, 'CRUDEOIL15DEC268750.5CE'],
  ['OPT_NATURALGAS_20261217_PE_30000', 'NATURALGAS17DEC26300PE'],
  ['OPT_CRUDEOIL_20261215', undefined],
  ['FUT_CRUDEOIL_20261215_CE_875000', undefined],
  ['STOCK_INFY.NSECM', undefined],
  ['CRUDEOIL26DECFUT', undefined],
])('%s is %s', (fullName, symbol) => {
  expect(contractSymbol(fullName)).toBe(symbol);
  expect(tradingSymbol(fullName, fullName)).toBe(symbol ?? fullName);
});

it('is known by a trading symbol, found as people write it, and asked for by its full name', () => {
  const store = storeOf(masterJson([row(FUT, {}), row(OPT, OPTION)] as never, { exchange: 'MCX' }));
  const [future, option] = [9_001, 9_002].map((refId) => store.instrument(store.rowOfRefId(refId)));
  expect([future!.symbol, option!.symbol]).toEqual(['CRUDEOIL17DEC26FUT', 'CRUDEOIL15DEC268750.5CE']);
  expect([priceName(future!), priceName(option!)]).toEqual([FUT, OPT]);
  const found = (text: string): number => resolveText([store], text, { today: '2026-11-26' }).refId;
  for (const text of ['CRUDE OIL DEC FUT', 'CRUDEOIL17DEC26FUT']) expect(found(text)).toBe(9_001);
  for (const text of ['CRUDEOIL 15 DEC 8750.5 CE', 'CRUDEOIL15DEC268750.5CE']) expect(found(text)).toBe(9_002);
});

it.each([
  ['FUT_NIFTY_20260127', '2026-01-27'],
  ['OPT_NIFTY_20260113_CE_2450000', '2026-01-13'],
  ['OPT_NIFTY_20260231_CE_2450000', undefined],
  ['STOCK_INFY.NSECM', undefined],
  ['', undefined],
])('the full name %s tells the expiry %s', (name, expiry) => expect(expiryOfName(name)).toBe(expiry));

it.each([
  ['NIFTY26JANFUT', '2026-01-21'],
  ['NIFTY26FEB24500PE', '2026-02-18'],
  ['M&M26JAN3212.5CE', '2026-01-21'],
  ['NIFTY2611324500CE', '2026-01-13'],
  ['NIFTY26D0824500CE', '2026-12-08'],
  ['NIFTY2613324500CE', undefined],
  ['INFY', undefined],
  ['', undefined],
])('the symbol %s expires on %s at the earliest', (symbol, expiry) => expect(earliestExpiryOf(symbol)).toBe(expiry));
