import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';
import { createCalendar } from '../../../../sandbox/src/market/reference/calendar';
import { buildRecordings } from '../../../../sandbox/src/market/recordings/build-recordings';
import { equities } from '../../../../sandbox/src/market/reference/dated-tables';
import { readCandles } from '../../../../sandbox/src/market/recordings/csv';
import { fileInZip } from '../../../../sandbox/src/market/recordings/zip';
import { dayOf } from '../../../../sandbox/src/shared/dates';
import { describeWith, SHARED_DATA } from '../../../support/needs';
import { unpacked } from '../../../support/recorded-rows';

const catalog = new AssetCatalog();
const read = (file: string, text: string) => unpacked(readCandles(file, text, {}, catalog));
const recordingsOf = (...files: [string, string][]) =>
  buildRecordings(
    files.map(([file, text]) => readCandles(file, text, {}, catalog)),
    catalog,
    createCalendar().days.equity,
  );
const at = (date: string): number => Date.parse(`${date}T00:00:00+05:30`);
const UDIFF =
  'TradDt,BizDt,Sgmt,Src,FinInstrmTp,FinInstrmId,ISIN,TckrSymb,SctySrs,XpryDt,FininstrmActlXpryDt,StrkPric,OptnTp,FinInstrmNm,OpnPric,HghPric,LwPric,ClsPric,LastPric,PrvsClsgPric,UndrlygPric,SttlmPric,OpnIntrst,ChngInOpnIntrst,TtlTradgVol';
const row = (symbol: string, { series = 'EQ', src = 'NSE', close = '1515.25', volume = 900, type = 'STK' } = {}) =>
  `2025-08-29,2025-08-29,CM,${src},${type},1,INE,${symbol},${series},,,,,NAME,1500.00,1520.00,1499.50,${close},1516.00,1498.00,,1515.25,,,${volume}`;
const udiff = (...rows: string[]) => [UDIFF, ...rows].join('\n');
const INFY = { exchange: 'NSE', symbol: 'INFY', open: 150000, high: 152000, low: 149950, close: 151525, volume: 900 };

describe('Bhavcopies', () => {
  it.each([
    ['of NSE since 2024', 'BhavCopy_NSE_CM_0_0_0_20250829_F_0000.csv', udiff(row('INFY'))],
    [
      'with deliveries',
      'sec_bhavdata_full_29082025.csv',
      'SYMBOL, SERIES, DATE1, PREV_CLOSE, OPEN_PRICE, HIGH_PRICE, LOW_PRICE, LAST_PRICE, CLOSE_PRICE, AVG_PRICE, TTL_TRD_QNTY, TURNOVER_LACS, NO_OF_TRADES, DELIV_QTY, DELIV_PER\nINFY, EQ, 29-Aug-2025, 1498.00, 1500.00, 1520.00, 1499.50, 1516.00, 1515.25, 1510.00, 900, 0.37, 3, 350, 100.00',
    ],
    [
      'of NSE until 2024',
      'cm29AUG2025bhav.csv',
      'SYMBOL,SERIES,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,TOTTRDQTY,TOTTRDVAL,TIMESTAMP,TOTALTRADES,ISIN,\nINFY,EQ,1500,1520,1499.5,1515.25,1516,1498,900,1350000,29-AUG-2025,38,INE,',
    ],
    [
      'PD, whose name tells the day',
      'Pd290825.csv',
      'MKT,SERIES,SYMBOL,SECURITY,PREV_CL_PR,OPEN_PRICE,HIGH_PRICE,LOW_PRICE,CLOSE_PRICE,NET_TRDVAL,NET_TRDQTY,IND_SEC,CORP_IND,TRADES,HI_52_WK,LO_52_WK\nN,EQ,INFY,INFOSYS,   1498.00,   1500.00,   1520.00,   1499.50,  1515.25,13,900,N, ,3,1,1',
    ],
  ])('are read: %s', (_what, file, text) => {
    const { rows, interval, kind } = read(file, text);
    expect(rows).toEqual([{ ...INFY, file, line: 2, at: at('2025-08-29') }]);
    expect([interval, kind]).toEqual([86_400, 'bhavcopy']);
  });

  it('give the shares of BSE, and those that trade on NSE too where no file has them there', () => {
    const own = [...catalog.bseRowOf.keys()].find((symbol) => !catalog.equityRowOf.has(symbol))!;
    const rows = [row(own, { src: 'BSE', series: 'X' }), row('INFY', { src: 'BSE', series: 'A' })];
    const found = read('BhavCopy_BSE_CM_0_0_0_20250829_F_0000.CSV', udiff(...rows));
    expect(found.rows).toMatchObject([
      { exchange: 'BSE', symbol: own, close: 151525, line: 2 },
      { exchange: 'BSE', symbol: 'INFY', close: 151525, line: 3 },
    ]);
    const bse: [string, string] = ['BhavCopy_BSE_CM_0_0_0_20250829_F_0000.CSV', udiff(...rows)];
    const alone = recordingsOf(bse).instruments.get('NSE INFY');
    expect(alone).toMatchObject({ seenOn: 'BSE' });
    const { instruments, notes } = recordingsOf(bse, ['b.csv', udiff(row('INFY', { close: '1510' }))]);
    expect(instruments.get('NSE INFY')).toMatchObject({ seenOn: 'NSE' });
    expect([...instruments.get('NSE INFY')!.days.values()]).toMatchObject([{ officialClose: 151000 }]);
    expect(notes).toContain(
      'BhavCopy_BSE_CM_0_0_0_20250829_F_0000.CSV: left out 1 row of BSE, of shares whose rows of NSE are there, which BSE follows: INFY.',
    );
  });

  it('name the shares of BSE until 2024 by code', () => {
    const head =
      'SC_CODE,SC_NAME,SC_GROUP,SC_TYPE,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,NO_TRADES,NO_OF_SHRS,NET_TURNOV,TDCLOINDI,ISIN_CODE,TRADING_DATE';
    const text = `${head}\n500209,INFOSYS LTD.,A ,Q,1500,1520,1499.5,1515.25,1516,1498,38,900,1,,INE,29-Aug-25`;
    const own = equities().find(({ symbol }) => symbol === '')!;
    const found = read(
      'EQ_ISINCODE_290825.CSV',
      `${text}\n${own.bseCode},OWN,X ,Q,10,12,9,11,11,10,3,90,1,,INE,29-Aug-25`,
    );
    expect(found.rows).toMatchObject([
      { exchange: 'BSE', symbol: 'INFY', close: 151525 },
      { exchange: 'BSE', symbol: own.bseSymbol, at: at('2025-08-29'), close: 1100 },
    ]);
  });

  it('give the usual series of a share, and say what they leave out', () => {
    const { rows, leftOut } = read(
      'b.csv',
      udiff(
        row('INFY', { series: 'BE', close: '1510' }),
        row('INFY'),
        row('INFY', { series: 'BZ', close: '1510' }),
        row('NOSUCH'),
        row('TCS', { volume: 0 }),
        row('TCS', { series: 'GB' }),
        row('TCS', { type: 'IDX' }),
      ),
    );
    expect(rows).toMatchObject([{ symbol: 'INFY', close: 151525, line: 3 }]);
    expect(leftOut).toEqual([
      { why: 'of other series of the same shares', names: ['INFY'], count: 2 },
      { why: 'of shares and indices that this market does not have', names: ['NOSUCH'], count: 1 },
      { why: 'in which nothing was traded', names: ['TCS'], count: 1 },
      { why: 'of other securities than shares', names: ['TCS GB', 'TCS IDX'], count: 2 },
    ]);
  });

  it.each([
    [
      'b.csv',
      udiff(row('INFY'), row('TCS', { close: '-' })),
      'b.csv, line 3: close must be a price such as 1234.50, not "-"',
    ],
    ['b.csv', udiff(row('INFY', { close: '1521' })), 'b.csv, line 2: close is not between low and high'],
    ['b.csv', udiff(row('INFY').slice(0, -4)), 'b.csv, line 2: 24 cells where the first line has 25'],
    ['b.csv', UDIFF.replace('ClsPric', 'Close'), 'b.csv, line 1: this bhavcopy has no column clspric; download it'],
    [
      'pd.csv',
      'MKT,SERIES,SYMBOL,SECURITY,OPEN_PRICE,HIGH_PRICE,LOW_PRICE,CLOSE_PRICE,NET_TRDQTY,IND_SEC',
      'of which day',
    ],
  ])('%s are refused with their line: %#', (file, text, says) => {
    expect(() => read(file, text)).toThrow(says);
  });

  const option = (
    type: string,
    kind: string,
    strike: string,
    close: string,
    { expiry = '2025-09-30', volume = 75 } = {},
  ) =>
    `2025-08-29,2025-08-29,FO,NSE,${type},1,,NIFTY,,${expiry},${expiry},${strike},${kind},N,100,110,90,${close},100,100,24500,100,,,${volume}`;

  it('give for derivatives the closes of the options nearest the money', () => {
    const { rows, straddles, notes, leftOut } = read(
      'fo.csv',
      udiff(
        option('IDF', '', '', '24600.00'),
        option('IDO', 'CE', '24500.00', '300.00'),
        option('IDO', 'PE', '24500.00', '180.00'),
        option('IDO', 'CE', '24600.00', '245.50'),
        option('IDO', 'PE', '24600.00', '225.05'),
        option('IDO', 'CE', '24650.00', '220.00'),
        option('IDO', 'PE', '24650.00', '221.00', { volume: 0 }),
        option('IDO', 'CE', '24500.00', '5', { expiry: '2025-08-29' }),
        option('IDO', 'PE', '24500.00', '5', { expiry: '2025-08-29' }),
      ),
    );
    const day = dayOf(at('2025-08-29'));
    expect(rows).toEqual([]);
    expect(straddles).toEqual([
      { exchange: 'NSE', symbol: 'NIFTY', day, expiry: day + 32, strike: 2460000, call: 24550, put: 22505 },
    ]);
    expect(notes).toEqual(['fo.csv: volatilities of options after 2025-08-29 go on from those that it shows.']);
    expect(leftOut).toEqual([
      { why: 'of futures, which follow their underlying', names: ['NIFTY'], count: 1 },
      { why: 'in which nothing was traded', names: ['NIFTY'], count: 1 },
    ]);
  });

  it.each([
    [option('IDO', 'CE', 'x', '300'), 'fo.csv, line 2: strike must be a price above 0, not "x"'],
    [option('IDO', 'CE', '24500', '0'), 'fo.csv, line 2: close must be a price above 0, not "0"'],
    [option('IDO', 'CE', '24500', '3', { expiry: '2025-02-30' }), 'fo.csv, line 2: "2025-02-30" is not a date'],
    [
      [option('IDO', 'CE', '24500', '3'), option('IDO', 'CE', '24500', '4')].join('\n'),
      'fo.csv, line 3: this option has a row already',
    ],
  ])('are refused for derivatives with their line: %#', (text, says) => {
    expect(() => read('fo.csv', udiff(text))).toThrow(says);
  });

  it('are refused with file, line and what to do wherever a cell is wrong: three hundred of them', () => {
    const symbols = [...catalog.equityRowOf.keys()].slice(0, 12);
    const wrong: [column: string, at: number, texts: string[]][] = [
      ['open', 14, ['', '-', 'x', '1,5', '-1500', '0', '1e3', '1499.49', '1520.01', '9'.repeat(30)]],
      ['high', 15, ['', '-', 'NaN', '0', '1499.00', '1510']],
      ['low', 16, ['', 'low', '-0.5', '0', '1500.01', '1516']],
      ['close', 17, ['', 'x', '∞', '0', '1520.05', '1499']],
      ['date', 0, ['', '2025-08-32', '29-13-2025', '1999-08-29', 'today', '2040-01-01']],
      ['volume', 24, ['x', '10.5', '-3', '9'.repeat(30)]],
    ];
    let refused = 0;
    for (const [, at, texts] of wrong)
      for (const text of texts)
        for (const line of [1, 2, 3, 6, 8, 9, 11, 12]) {
          const rows = symbols.map((symbol) => row(symbol));
          rows[line - 1] = rows[line - 1]!.split(',').with(at, `"${text}"`).join(',');
          refused += 1;
          expect(() => read('b.csv', udiff(...rows))).toThrow(
            new RegExp(`^b\\.csv, line ${line + 1}: .*; (correct|delete)`, 's'),
          );
        }
    expect(refused).toBeGreaterThan(300);
  });

  it('rank behind candles of the same day, to which they give the official close', () => {
    const candles = (close: number) =>
      `time,open,high,low,close,volume\n2025-08-29 09:15,1500,1520,1499.5,1510,10\n2025-08-29 15:29,1510,1600,1400,${close},10\n`;
    const { instruments } = recordingsOf(['b.csv', udiff(row('INFY'), row('TCS'))], ['INFY.csv', candles(1516)]);
    const day = (name: string) => [...instruments.get(name)!.days.values()][0]!;
    expect([day('NSE INFY').barCount, day('NSE INFY').officialClose]).toEqual([2, 151525]);
    expect(day('NSE TCS').bars()).toMatchObject([
      { open: 150000, high: 152000, low: 149950, close: 151525, volume: 900 },
    ]);
    expect(() => recordingsOf(['b.csv', udiff(row('INFY'))], ['INFY.csv', candles(1420)])).toThrow(
      'b.csv, line 2: NSE INFY closed at 1515.25 where its candles end at 1420 (INFY.csv, line 3)',
    );
  });
});

describeWith(SHARED_DATA, 'Bhavcopies as the exchanges served them', (data) => {
  it.each([
    ['BhavCopy_NSE_CM_0_0_0_20250829_F_0000.csv', 7, 2700],
    ['sec_bhavdata_full_21082026.csv', 0, 3300],
    ['cm01APR2021bhav.csv', 0, 1400],
    ['Pd250517.csv', 2, 1100],
  ])('are read from the real file %s', (file, symbolAt, least) => {
    const text = readFileSync(path.join(data, 'bhavcopy', file), 'utf8');
    const { rows, leftOut } = read(file, text);
    const lines = text.split('\n');
    expect(rows.length).toBeGreaterThan(least);
    expect(new Set(rows.map(({ exchange, symbol }) => `${exchange} ${symbol}`)).size).toBe(rows.length);
    const shares = rows.filter(({ volume }) => volume !== undefined);
    const renamed = new Set<string>();
    for (const { line, symbol, close } of shares) {
      const cells = lines[line - 1]!.split(',').map((cell) => cell.trim());
      // Under another name only where the table of former symbols, or the ISIN, says so.
      if (cells[symbolAt] !== symbol) renamed.add(cells[symbolAt]!);
      expect(cells.some((cell) => cell !== '' && Math.round(Number(cell) * 100) === close)).toBe(true);
    }
    expect([...renamed].filter((name) => catalog.equityRowOf.has(name))).toEqual([]);
    expect(renamed.size).toBeLessThan(rows.length / 6);
    expect(leftOut.length).toBeGreaterThan(0);
  });

  it('are read for futures and options from a zip archive', () => {
    const zip = readFileSync(path.join(data, 'bhavcopy', 'BhavCopy_NSE_FO_0_0_0_20250911_F_0000.csv.zip'));
    const { straddles } = read('BhavCopy_NSE_FO_0_0_0_20250911_F_0000.csv.zip', String(fileInZip(zip)));
    const day = dayOf(at('2025-09-11'));
    expect(new Set(straddles.map(({ symbol }) => symbol)).size).toBeGreaterThan(150);
    expect(straddles).toContainEqual({
      exchange: 'NSE',
      symbol: 'NIFTY',
      day,
      expiry: day + 5,
      strike: 2505000,
      call: 9105,
      put: 9255,
    });
  });
});
