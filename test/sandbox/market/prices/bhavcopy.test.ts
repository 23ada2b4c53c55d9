import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import {
  bhavcopy,
  bhavcopyCsv,
  bhavcopyTypes,
  type BhavcopyType,
} from '../../../../sandbox/src/market/prices/bhavcopy';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { describeWith, SHARED_DATA } from '../../../support/needs';
import { IS_WHOLE } from '../../../support/sample';

const market = createMarket({ seed: 5, universe: 'demo' });
const DATE = 20261119;
const day = Date.parse('2026-11-19T00:00:00+05:30');
const NEXT_MORNING = Date.parse('2026-11-20T08:00:00+05:30');
const universe = market.universe(day);
const rupees = (paise: number) => (paise / 100).toFixed(2);

function file(type: BhavcopyType): Record<string, string>[] {
  const made = bhavcopy(market, type, DATE);
  if (!made) throw new Error('no file');
  return parse([...bhavcopyCsv(made)].join(''), { columns: true, trim: true });
}
function barOf(instrument: Instrument | undefined) {
  if (!instrument) throw new Error('not in the universe');
  const [bar] = market.bars(instrument, '1d', day, day + 86_400_000);
  if (!bar) throw new Error('no bar');
  return bar;
}

describe('End-of-day files', () => {
  it.each(['BhavcopyCM', 'BhavcopySec', 'PD'] as const)('%s holds every share once, as its day bar has it', (type) => {
    const rows = file(type);
    const shares = [...universe.all('NSE')].filter((instrument) => instrument.derivativeType === 'STOCK');
    const bySymbol = new Map(rows.map((row) => [row['TckrSymb'] ?? row['SYMBOL'], row]));
    expect(bySymbol.size - shares.length).toBe(type === 'PD' ? 1 : 0);
    for (const share of shares) {
      const bar = barOf(share);
      const row = bySymbol.get(share.symbol) ?? {};
      const pick = (...names: string[]) => names.map((name) => row[name]).find((cell) => cell !== undefined);
      expect([
        pick('OpnPric', 'OPEN_PRICE'),
        pick('HghPric', 'HIGH_PRICE'),
        pick('LwPric', 'LOW_PRICE'),
        pick('ClsPric', 'CLOSE_PRICE'),
        type === 'PD' ? rupees(bar.close) : pick('LastPric', 'LAST_PRICE'),
        pick('PrvsClsgPric', 'PREV_CLOSE', 'PREV_CL_PR'),
        pick('TtlTradgVol', 'TTL_TRD_QNTY', 'NET_TRDQTY'),
      ]).toEqual([
        ...[bar.open, bar.high, bar.low, market.previousClose(share, NEXT_MORNING), bar.close].map(rupees),
        rupees(market.previousClose(share, day + 36_000_000)),
        String(bar.volume),
      ]);
    }
  });

  it('the official close of most shares without a closing auction is not the price of their last trade', () => {
    const symbols = new Set(
      [...universe.all('NSE')]
        .filter((instrument) => !instrument.closingAuction && instrument.series === 'EQ')
        .map(({ symbol }) => symbol),
    );
    const rows = file('BhavcopySec').filter(({ SYMBOL }) => symbols.has(SYMBOL ?? ''));
    expect(rows.length).toBeGreaterThan(20);
    const apart = rows.filter((row) => row['CLOSE_PRICE'] !== row['LAST_PRICE']);
    expect(apart.length / rows.length).toBeGreaterThan(0.75);
  });

  it('BhavcopyFO holds every contract with its open interest', () => {
    const rows = file('BhavcopyFO');
    const contracts = [...universe.all('NSE')].filter(
      (instrument) => instrument.derivativeType === 'FUT' || instrument.derivativeType === 'OPT',
    );
    expect(rows).toHaveLength(contracts.length);
    const byName = new Map(rows.map((row) => [row['FinInstrmNm'], row]));
    for (const contract of contracts.filter((_, i) => i % (IS_WHOLE ? 20 : 200) === 0)) {
      const bar = barOf(contract);
      const row = byName.get(contract.symbol);
      expect([row?.['OpnPric'], row?.['HghPric'], row?.['LwPric'], row?.['ClsPric'], row?.['LastPric']]).toEqual(
        [bar.open, bar.high, bar.low, market.previousClose(contract, NEXT_MORNING), bar.close].map(rupees),
      );
      expect(Number(row?.['OpnIntrst'])).toBe(bar.openInterest);
      const before = market.openInterest(contract, day);
      expect(Number(row?.['ChngInOpnIntrst'])).toBe(bar.openInterest - before);
    }
  });

  it.each(bhavcopyTypes)('%s does not exist on a holiday or a Sunday', (type) => {
    expect(bhavcopy(market, type, 20261124)).toBeUndefined();
    expect(bhavcopy(market, type, 20261122)).toBeUndefined();
  });

  it('PR is PD without symbol and series', () => {
    const prices = bhavcopy(market, 'PD', DATE);
    const ranges = bhavcopy(market, 'PR', DATE);
    expect(ranges?.columns).toEqual(prices?.columns.filter((name) => name !== 'SYMBOL' && name !== 'SERIES'));
    expect([...(ranges?.rows ?? [])][30]).toEqual([...(prices?.rows ?? [])][30]?.filter((_, i) => i !== 1 && i !== 2));
  });
});

describeWith(SHARED_DATA, 'Headings against the real files', (data) => {
  const folder = resolve(data, 'bhavcopy');
  const heading = (start: string): string => {
    const name = readdirSync(folder).find((name) => name.startsWith(start) && name.endsWith('.csv'));
    return readFileSync(resolve(folder, name ?? ''), 'latin1').split(/\r?\n/, 1)[0] ?? '';
  };
  it.each([
    ['BhavcopyCM', 'BhavCopy_NSE_CM'],
    ['BhavcopyFO', 'BhavCopy_NSE_CM'],
    ['BhavcopySec', 'sec_bhavdata_full'],
    ['PD', 'Pd'],
  ] as const)('%s has the heading of the real file', (type, start) => {
    const made = bhavcopy(market, type, DATE);
    expect(made && [...bhavcopyCsv({ ...made, rows: [] })].join('').trimEnd()).toBe(heading(start));
  });
});
