/** Trading symbol of a row of the live side: a name in words is not one. */
import { LiveUniverse, type MasterRow } from '../../../../sandbox/src/market/mirror/live-universe';

const SHARE = { ref_id: 7, exchange: 'NSE', derivative_type: 'STOCK', lot_size: 1, tick_size: 5 };
const OPTION = { ...SHARE, derivative_type: 'OPT', option_type: 'CE', asset: 'NIFTY', lot_size: 65, expiry: 20261124 };
const symbolOf = (row: MasterRow): string | undefined => new LiveUniverse('2026-11-20', [row]).byRefId(7)?.symbol;

it.each<[string, MasterRow, string | undefined]>([
  ['its own', { ...SHARE, stock_name: 'INFY', plat_name: 'STOCK_INFY.NSECM' }, 'INFY'],
  ['that of the platform name', { ...SHARE, stock_name: 'Infosys Limited', plat_name: 'STOCK_INFY.NSECM' }, 'INFY'],
  ['the same of BSE', { ...SHARE, stock_name: 'HDFC Bank', plat_name: 'STOCK_HDFCBANK_EQ_A.BSECM' }, 'HDFCBANK'],
  ['none, as nothing tells it', { ...SHARE, stock_name: 'Infosys Limited', plat_name: '' }, undefined],
  ['its name without blanks', { ...OPTION, stock_name: 'NIFTY 24 Nov 26100 CE' }, 'NIFTY24NOV26100CE'],
  ['none, as it is called by its underlying', { ...OPTION, stock_name: 'NIFTY' }, undefined],
])('a row has %s', (_, row, symbol) => {
  expect(symbolOf(row)).toBe(symbol);
});
