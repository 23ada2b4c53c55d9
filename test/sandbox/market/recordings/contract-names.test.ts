/** Names of futures and options that tell their expiry, as exchanges, brokers, charts and vendors write them. */
import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';
import { contractNamed } from '../../../../sandbox/src/market/recordings/contract-names';

const catalog = new AssetCatalog();

it.each([
  ['NIFTY2031210450CE', 'NSE NIFTY2031210450CE'],
  ['NFO:NIFTY2031210450CE', 'NSE NIFTY2031210450CE'],
  ['NSE:NIFTY25N2526200CE', 'NSE NIFTY25N2526200CE'],
  ['NIFTY12MAR2010450CE', 'NSE NIFTY2031210450CE'],
  ['NIFTY12MAR2010450CE.NFO', 'NSE NIFTY2031210450CE'],
  ['nifty26mar2010450pe', 'NSE NIFTY20MAR10450PE'],
  ['NIFTY200312C10450', 'NSE NIFTY2031210450CE'],
  ['NIFTY251230P26200', 'NSE NIFTY25DEC26200PE'],
  ['NIFTY20MAR10450PE', 'NSE NIFTY20MAR10450PE'],
  ['NIFTY20MARFUT', 'NSE NIFTY20MARFUT'],
  ['BANKNIFTY26MAR20FUT', 'NSE BANKNIFTY20MARFUT'],
  ['RELIANCE20MAR1300CE', 'NSE RELIANCE20MAR1300CE'],
  ['M&M20MAR500.50CE', 'NSE M&M20MAR500.5CE'],
  ['BFO:SENSEX25NOV85000CE', 'BSE SENSEX25NOV85000CE'],
])('%s is %s', (name, symbol) => {
  const found = contractNamed(catalog, name);
  expect(found && `${found.exchange} ${found.symbol}`).toBe(symbol);
});

it.each([
  'NIFTY',
  'NIFTY_26200_CE',
  'NIFTY26200CE',
  'NIFTY-I',
  'NIFTY1!',
  'NIFTY CE',
  'NOSUCH20MAR100CE',
  'NIFTY209910450CE99',
  'NIFTY201312C10450',
  'INFY.NS',
  `NIFTY2031210450CE${'0'.repeat(60)}`,
])('%s tells no expiry of a contract', (name) => {
  expect(contractNamed(catalog, name)).toBeUndefined();
});
