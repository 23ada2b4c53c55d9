import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createCalendar } from '../../../../sandbox/src/market/reference/calendar';
import { equityExpiries } from '../../../../sandbox/src/market/reference/contracts';
import { formatDayNumber, parseDayNumber } from '../../../../sandbox/src/shared/dates';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import { fileInZip } from '../../../../sandbox/src/market/recordings/zip';
import { describeWith, SHARED_DATA } from '../../../support/needs';
import { share } from '../../../support/sample';

/** Known on that day as 31 March, which has become a holiday since. */
const MOVED = ['2026-03-30', '2026-03-31'];

describeWith(SHARED_DATA, 'Contracts of 11 September 2025', (data) => {
  it('the contracts of a day expire like those of NSE, with their lots', () => {
    const zip = readFileSync(path.join(data, 'bhavcopy', 'BhavCopy_NSE_FO_0_0_0_20250911_F_0000.csv.zip'));
    const real = new Map<string, number>();
    for (const line of String(fileInZip(zip)).split('\n').slice(1, -1)) {
      const cells = line.split(',');
      real.set([cells[7], cells[4]!.endsWith('F') ? 'FUT' : 'OPT', cells[10]].join(' '), Number(cells[28]));
    }
    const ours = new Map<string, number>();
    const market = createMarket({ seed: 1, universe: 'full' });
    for (const instrument of market.universe(Date.parse('2025-09-11T12:00:00+05:30')).all('NSE', ['FUT', 'OPT'])) {
      const expiry = String(instrument.expiry).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
      ours.set([instrument.asset, instrument.derivativeType, expiry].join(' '), instrument.lotSize);
    }
    const underlyings = (of: Map<string, number>) => new Set([...of.keys()].map((key) => key.split(' ')[0]!));
    const listed = underlyings(real);
    const shared = new Set([...underlyings(ours)].filter((symbol) => listed.has(symbol)));
    const comparable = (of: Map<string, number>) =>
      Object.fromEntries(
        [...of].filter(([key]) => shared.has(key.split(' ')[0]!) && !MOVED.includes(key.split(' ')[2]!)).sort(),
      );
    expect(shared.size).toBeGreaterThan(190);
    expect(comparable(ours)).toEqual(comparable(real));
  });
});

describe('Expiries of indices as of a day', () => {
  const { equity } = createCalendar().days;
  it.each([
    ['2023-10-03', 'NSE', 'BANKNIFTY', '2023-10-04 2023-10-11 2023-10-18 2023-10-26 2023-11-01'],
    ['2024-02-19', 'NSE', 'BANKNIFTY', '2024-02-21 2024-02-29 2024-03-06 2024-03-13 2024-03-20 2024-03-27'],
    ['2021-03-01', 'NSE', 'FINNIFTY', '2021-03-04 2021-03-10 2021-03-18 2021-03-25'],
    ['2021-10-11', 'NSE', 'FINNIFTY', '2021-10-14 2021-10-19 2021-10-26'],
    ['2024-06-03', 'NSE', 'FINNIFTY', '2024-06-04 2024-06-11 2024-06-18 2024-06-25'],
    ['2024-06-03', 'NSE', 'MIDCPNIFTY', '2024-06-03 2024-06-10 2024-06-14 2024-06-24'],
    ['2025-03-03', 'NSE', 'MIDCPNIFTY', '2025-03-27 2025-04-24 2025-05-29'],
    ['2024-11-25', 'NSE', 'NIFTYNXT50', '2024-11-29 2024-12-27 2025-01-30'],
    ['2024-06-03', 'BSE', 'BANKEX', '2024-06-03 2024-06-10 2024-06-14 2024-06-24'],
    ['2024-06-03', 'BSE', 'SENSEX', '2024-06-07 2024-06-14 2024-06-21 2024-06-28'],
    ['2025-01-13', 'BSE', 'BANKEX', '2025-01-28 2025-02-25 2025-03-25'],
  ])('are on %s those of %s %s: %s', (date, exchange, symbol, expected) => {
    const found = equityExpiries(equity, exchange, symbol, parseDayNumber(date)).map(({ day }) => formatDayNumber(day));
    expect(found.slice(0, expected.split(' ').length).join(' ')).toBe(expected);
  });
});

/** Lots by date. The full universe of each day takes a fourth of a second to make. */
const LOTS: readonly [date: string, exchange: string, symbol: string, expected: string][] = [
  ['2021-05-03', 'NSE', 'NIFTY', '20210506:75 20210527:75 20210624:75 20210729:50 20210930:75'],
  ['2021-07-19', 'NSE', 'NIFTY', '20210722:75 20210729:50 20210805:50 20210930:50'],
  ['2023-07-24', 'NSE', 'BANKNIFTY', '20230727:15 20230803:15 20230831:15'],
  ['2023-07-10', 'NSE', 'BANKNIFTY', '20230713:25 20230720:25 20230727:15 20230803:15'],
  ['2024-04-25', 'NSE', 'NIFTY', '20240425:50 20240502:25 20240530:25 20240926:50'],
  ['2024-07-22', 'NSE', 'FINNIFTY', '20240723:40 20240730:25 20240806:25 20240827:25'],
  ['2024-12-02', 'NSE', 'NIFTY', '20241205:25 20241226:25 20250102:75 20250130:25 20250227:75 20250327:25'],
  ['2025-01-06', 'NSE', 'NIFTY', '20250109:75 20250130:25 20250227:75 20250327:75'],
  ['2025-01-06', 'NSE', 'BANKNIFTY', '20250130:15 20250227:30 20250327:30'],
  ['2025-05-05', 'NSE', 'BANKNIFTY', '20250529:30 20250626:30 20250731:35 20250930:35'],
  ['2025-11-28', 'NSE', 'NIFTY', '20251202:75 20251230:75 20260127:65 20260224:65 20260330:75'],
  ['2025-12-31', 'NSE', 'NIFTY', '20260106:65 20260127:65 20260330:65'],
  ['2023-05-12', 'BSE', 'BANKEX', '20230526:20'],
  ['2025-01-02', 'BSE', 'SENSEX', '20250107:20 20250128:10 20250225:20'],
];

describe('Lots of contracts that are listed together', () => {
  it.each(share(LOTS, 5, 3))('are on %s at %s those of %s %s', (date, exchange, symbol, expected) => {
    const universe = createMarket({ seed: 1, universe: 'full' }).universe(Date.parse(`${date}T12:00:00+05:30`));
    const lots = new Map<number, Set<number>>();
    for (const { asset, expiry, lotSize } of universe.all(exchange as 'NSE' | 'BSE', ['FUT', 'OPT']))
      if (asset === symbol) lots.set(expiry, (lots.get(expiry) ?? new Set()).add(lotSize));
    const expiries = expected.split(' ').map((entry) => Number(entry.slice(0, 8)));
    expect(expiries.map((expiry) => `${expiry}:${[...(lots.get(expiry) ?? [])].join('/')}`).join(' ')).toBe(expected);
  });
});

describe('Freeze quantities as of a day', () => {
  it.each([
    ['2023-10-03', 'BANKNIFTY', 900],
    ['2025-06-30', 'BANKNIFTY', 900],
    ['2025-07-01', 'BANKNIFTY', 600],
    ['2025-09-10', 'BANKNIFTY', 900],
    ['2025-11-03', 'BANKNIFTY', 600],
    ['2025-09-10', 'FINNIFTY', 1_800],
    ['2025-12-01', 'FINNIFTY', 1_200],
    ['2026-02-01', 'FINNIFTY', 1_800],
    ['2023-10-03', 'MIDCPNIFTY', 5_500],
    ['2025-03-03', 'MIDCPNIFTY', 4_200],
    ['2026-08-03', 'MIDCPNIFTY', 2_800],
    ['2023-10-03', 'NIFTY', 1_800],
  ])('is on %s that of %s by the circular in force: %i', (date, symbol, freeze) => {
    const universe = createMarket({ seed: 1, universe: 'demo' }).universe(Date.parse(`${date}T12:00:00+05:30`));
    const [first] = universe.expiries('NSE', symbol);
    expect(universe.options('NSE', symbol, first!).ce[0]!.freezeQty).toBe(freeze);
  });
});

describe('Options of indices as of a day', () => {
  it.each([
    ['2020-03-11', 'NIFTY', 75, [20200312, 20200319, 20200326, 20200401]],
    ['2020-03-11', 'BANKNIFTY', 20, [20200312, 20200319]],
    ['2018-06-04', 'NIFTY', 75, [20180628, 20180726]],
    ['2018-06-04', 'BANKNIFTY', 40, [20180607, 20180614]],
    ['2021-09-06', 'NIFTY', 50, [20210909, 20210916]],
    ['2021-09-06', 'BANKNIFTY', 25, [20210909, 20210916]],
    ['2023-10-03', 'BANKNIFTY', 15, [20231004, 20231011]],
    ['2024-06-03', 'FINNIFTY', 40, [20240604]],
    ['2024-08-05', 'FINNIFTY', 25, [20240806]],
    ['2024-12-02', 'FINNIFTY', 25, [20241231]],
    ['2024-06-03', 'MIDCPNIFTY', 75, [20240603]],
    ['2024-08-05', 'MIDCPNIFTY', 50, [20240805]],
    ['2025-03-03', 'MIDCPNIFTY', 120, [20250327]],
    ['2024-06-03', 'NIFTY', 25, [20240606, 20240613]],
    ['2025-03-03', 'BANKNIFTY', 30, [20250327, 20250424]],
    ['2025-09-11', 'NIFTY', 75, [20250916, 20250923]],
    ['2026-08-03', 'NIFTY', 65, [20260804, 20260811]],
  ])('are listed on %s: %s in lots of %i, expiring on %j', (date, symbol, lot, expiries) => {
    const universe = createMarket({ seed: 1, universe: 'demo' }).universe(Date.parse(`${date}T12:00:00+05:30`));
    const found = universe.expiries('NSE', symbol);
    expect(found.slice(0, expiries.length)).toEqual(expiries);
    expect(universe.options('NSE', symbol, found[0]!).ce[0]!.lotSize).toBe(lot);
  });

  it.each([
    ['2024-06-03', 'SENSEX', 10],
    ['2025-03-03', 'SENSEX', 20],
    ['2024-06-03', 'BANKEX', 15],
  ])('have on %s the lots of BSE: %s of %i', (date, symbol, lot) => {
    const universe = createMarket({ seed: 1, universe: 'demo' }).universe(Date.parse(`${date}T12:00:00+05:30`));
    const [nearest] = universe.expiries('BSE', symbol);
    expect(universe.options('BSE', symbol, nearest!).ce[0]!.lotSize).toBe(lot);
  });
});

it.each([
  // Muhurat trading on the day of the week on which contracts expire: it is a holiday.
  ['NSE', 'NIFTY', '2025-10-15', '2025-10-20'],
  ['NSE', 'NIFTY', '2025-10-21', '2025-10-28'],
  ['NSE', 'NIFTY', '2021-11-01', '2021-11-03'],
  ['NSE', 'BANKNIFTY', '2018-11-05', '2018-11-06'],
  ['BSE', 'SENSEX', '2024-10-29', '2024-10-31'],
  // Other holidays, and days on which the weekday changed.
  ['NSE', 'NIFTY', '2025-04-07', '2025-04-09'],
  ['NSE', 'NIFTY', '2025-08-29', '2025-09-02'],
  ['NSE', 'NIFTY', '2026-03-25', '2026-03-30'],
  ['NSE', 'NIFTY', '2023-06-26', '2023-06-28'],
  ['NSE', 'NIFTY', '2022-04-11', '2022-04-13'],
  ['NSE', 'BANKNIFTY', '2024-12-20', '2024-12-24'],
  ['NSE', 'BANKNIFTY', '2023-09-05', '2023-09-06'],
  ['BSE', 'SENSEX', '2025-09-29', '2025-10-01'],
  ['BSE', 'SENSEX', '2025-01-02', '2025-01-07'],
  ['NSE', 'RELIANCE', '2026-03-05', '2026-03-30'],
])('contracts of %s %s that are listed on %s expire first on %s', (exchange, symbol, date, expiry) => {
  const [next] = equityExpiries(createCalendar().days.equity, exchange, symbol, parseDayNumber(date));
  expect(formatDayNumber(next!.day)).toBe(expiry);
});
