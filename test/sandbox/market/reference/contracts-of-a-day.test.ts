import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import { fileInZip } from '../../../../sandbox/src/market/recordings/zip';
import { describeWith, SHARED_DATA } from '../../../support/needs';

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

describe('Options of indices as of a day', () => {
  it.each([
    ['2020-03-11', 'NIFTY', 75, [20200312, 20200319, 20200326, 20200401]],
    ['2020-03-11', 'BANKNIFTY', 20, [20200312, 20200319]],
    ['2018-06-04', 'NIFTY', 75, [20180628, 20180726]],
    ['2018-06-04', 'BANKNIFTY', 40, [20180607, 20180614]],
    ['2021-09-06', 'NIFTY', 50, [20210909, 20210916]],
    ['2021-09-06', 'BANKNIFTY', 25, [20210909, 20210916]],
    ['2023-10-03', 'BANKNIFTY', 15, [20231004, 20231011]],
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
});
