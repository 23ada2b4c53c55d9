/** Names as alerts and people write them, as names of replay files: the shares and indices of the table, and contracts, which are none. */
import { readFileName } from '../../../../sandbox/src/market/recordings/file-names';
import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';

const catalog = new AssetCatalog();

it.each([
  ['M_M.csv', 'NSE M&M'],
  ['M%26M.csv', 'NSE M&M'],
  ['BAJAJ_AUTO.csv', 'NSE BAJAJ-AUTO'],
  ['J_KBANK.csv', 'NSE J&KBANK'],
  ['NAM_INDIA.csv', 'NSE NAM-INDIA'],
  ['INFY-EQ.csv', 'NSE INFY'],
  ['INFY.NS.csv', 'NSE INFY'],
  ['INFY.BO.csv', 'BSE INFY'],
  ['NSE_INFY.csv', 'NSE INFY'],
  ['INE009A01021.csv', 'NSE INFY'],
  ['NIFTY 50.csv', 'NSE NIFTY'],
  ['NIFTY50.csv', 'NSE NIFTY'],
  ['NIFTY BANK_minute.csv', 'NSE BANKNIFTY'],
  ['BANK NIFTY.csv', 'NSE BANKNIFTY'],
  ['NIFTY MID SELECT.csv', 'NSE MIDCPNIFTY'],
  ['NIFTY FIN SERVICE.csv', 'NSE FINNIFTY'],
  ['S&P BSE SENSEX.csv', 'BSE SENSEX'],
  ['NSE_INDEX_NIFTY.csv', 'NSE NIFTY'],
  ['NIFTY IT.csv', 'NSE NIFTYIT'],
  ['RELIANCE_M1_202601050915_202601051529.csv', 'NSE RELIANCE'],
  ['INFY_20260105091500.csv', 'NSE INFY'],
  ['INFY_2025-11-01_2025-11-27.csv', 'NSE INFY'],
  ['INFY_2025-11-01_to_2025-11-27_1min.csv', 'NSE INFY'],
  ['INFY_2025_11_01_2025_11_27.csv', 'NSE INFY'],
  ['INFY_01-11-2025_27-11-2025.csv', 'NSE INFY'],
  ['INFY_01_11_2025_10_11_2025.csv', 'NSE INFY'],
  ['INFY.NS_1d_5y.csv', 'NSE INFY'],
  ['NSE_INFY - Sheet1.csv', 'NSE INFY'],
  ['Copy of INFY.csv', 'NSE INFY'],
  ['INFY_cleaned_final.csv', 'NSE INFY'],
])('%s is %s', (file, expected) => {
  const { named, why } = readFileName(catalog, file);
  expect([named && `${named.exchange} ${named.symbol}`, why]).toEqual([expected, '']);
});

it.each([
  'NIFTY1!.csv',
  'NIFTY2!.csv',
  'NIFTY-I.csv',
  'NIFTY261123C25850.csv',
  'NIFTY23NOV2625850CE.csv',
  'NIFTY26NOV25850CE.csv',
  'NIFTY26N2325850CE.csv',
  'NIFTY29DEC26FUT.csv',
  'NFO_NIFTY26DECFUT.csv',
])('%s is no share or index', (file) => {
  expect(readFileName(catalog, file).named).toBeUndefined();
});

it.each(['NIFTY 51.csv', 'NIFTY NEXT.csv', 'NIFTY MIDCAP BANK.csv', 'INFY XYZ.csv', 'SENSEX IT.csv'])(
  '%s is nothing, as not all of it is understood',
  (file) => {
    expect(readFileName(catalog, file).named).toBeUndefined();
  },
);

it.each([
  ['INFY.NS_1mo_1d.csv', 86_400],
  ['INFY_1d_5m.csv', 300],
  ['INFY_5minute_1y.csv', 300],
  ['INFY_weekly.csv', 'week'],
])('%s has bars of %s, the shorter of a period and an interval', (file, bars) => {
  expect(readFileName(catalog, file).bars).toBe(bars);
});
