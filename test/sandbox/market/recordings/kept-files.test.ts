/** Files as people keep them: of exchanges, charts, portals, brokers and vendors. Each is taken right, or refused in words. */
import { createCalendar } from '../../../../sandbox/src/market/reference/calendar';
import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';
import { buildRecordings } from '../../../../sandbox/src/market/recordings/build-recordings';
import { checkTable } from '../../../../sandbox/src/market/recordings/check-table';
import { readCandles } from '../../../../sandbox/src/market/recordings/csv';
import type { FileConfig } from '../../../../sandbox/src/market/recordings/replay-config';
import { formatDate } from '../../../../sandbox/src/shared/dates';

const catalog = new AssetCatalog();
const recordings = (files: Record<string, string>, terms: FileConfig = {}) =>
  buildRecordings(
    Object.entries(files).map(([file, text]) => readCandles(file, text, terms, catalog)),
    catalog,
    createCalendar().days.equity,
  );

/**
 * Reads a file. @returns what it was taken for: instrument, date, interval, and of each bar where it begins, its close
 * and its volume
 */
function taken(file: string, text: string, terms: FileConfig = {}): string[] {
  const { instruments } = recordings({ [file]: text }, terms);
  return [...instruments].flatMap(([name, { days, interval }]) =>
    [...days].flatMap(([day, recorded]) =>
      recorded
        .bars()
        .map(({ from, close, volume }) =>
          [name, formatDate(day), `${interval}s`, interval === 86_400 ? '' : from, close / 100, volume || ''].join(' '),
        ),
    ),
  );
}

type Kept = [what: string, file: string, text: string, taken: string[]];

const MINUTES_OF_BANKS =
  'date,open,high,low,close,volume\n2025-11-27 09:15:00,59762.60,59765.60,59747.85,59750.85,0\n2025-11-27 09:16:00,59750.85,59753.85,59740.80,59743.80,0';
const NAMES_OF_BANKS = [
  'NIFTY BANK_minute.csv',
  'NIFTY_BANK.csv',
  'NSEBANK_1min.csv',
  '^NSEBANK.csv',
  'NSE-BANKNIFTY-1m.csv',
];
const BANKS = NAMES_OF_BANKS.map((file): Kept => {
  const rows = ['NSE BANKNIFTY 2025-11-27 60s 0 59750.85 ', 'NSE BANKNIFTY 2025-11-27 60s 60 59743.8 '];
  return ['minutes of the banks', file, MINUTES_OF_BANKS, rows];
});

const MINUTES = ['NSE INFY 2025-11-10 60s 0 1500.5 10', 'NSE INFY 2025-11-10 60s 60 1501 20'];
/** The same two minutes, as ten programs write their times. */
const TIMES = [
  ['1762746300.0', '1762746360.0', 'timestamp'],
  ['20251110091500', '20251110091600', 'datetime'],
  ['202511100915', '202511100916', 'datetime'],
  ['20251110 091500', '20251110 091600', 'datetime'],
  ['Mon Nov 10 09:15:00 IST 2025', 'Mon Nov 10 09:16:00 IST 2025', 'Date'],
  [
    'Mon Nov 10 2025 09:15:00 GMT+0530 (India Standard Time)',
    'Mon Nov 10 2025 09:16:00 GMT+0530 (India Standard Time)',
    'time',
  ],
  ['10.11.2025 03:45:00.000', '10.11.2025 03:46:00.000', 'Gmt time'],
  ['2025-11-10 03:45:00', '2025-11-10 03:46:00', 'timestamp_utc'],
  ['10.11.2025 09:15:00.000 GMT+0530', '10.11.2025 09:16:00.000 GMT+0530', 'Local time'],
].map(([first, second, heading]): Kept => [
  `minutes whose times are written as ${first}`,
  'INFY.csv',
  `${heading},open,high,low,close,volume\n${first},1500,1501,1499,1500.5,10\n${second},1500.5,1502,1500,1501,20`,
  MINUTES,
]);

const KEPT: Kept[] = [
  ...TIMES,
  [
    'minutes of a terminal, whose name has its interval',
    'INFY_M1.csv',
    '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n2025.11.10\t09:15:00\t1500\t1501\t1499\t1500.5\t3\t10\t1\n2025.11.10\t09:16:00\t1500.5\t1502\t1500\t1501\t3\t20\t1',
    MINUTES,
  ],
  [
    'minutes with the names of an interface',
    'INFY.csv',
    'time,into,inth,intl,intc,intv,v\n10-11-2025 09:15:00,1500,1501,1499,1500.5,10,7\n10-11-2025 09:16:00,1500.5,1502,1500,1501,20,27',
    MINUTES,
  ],
  [
    'days of a chart, with an indicator',
    'NSE_NIFTY, 1D.csv',
    'time,open,high,low,close,EMA,Volume\n2010-06-01,5086.25,5086.9501953125,4961.0498046875,4970.2001953125,0,0\n2010-06-02,4970.75,5031.2001953125,4967.0498046875,5019.85009765625,0,0',
    ['NSE NIFTY 2010-06-01 86400s  4970.2 ', 'NSE NIFTY 2010-06-02 86400s  5019.85 '],
  ],
  [
    'quarters of an hour of a chart, in seconds since 1970',
    'NSE_RELIANCE, 15.csv',
    'time,open,high,low,close,Volume,Volume MA\n1763610300,1520.0,1521.20,1517.40,1518.2,15000,NaN\n1763611200,1518.2,1519.40,1517.40,1518.2,15010,NaN',
    ['NSE RELIANCE 2025-11-20 900s 0 1518.2 15000', 'NSE RELIANCE 2025-11-20 900s 900 1518.2 15010'],
  ],
  [
    'an index as NSE offers it, newest first',
    'NIFTY BANK-26-11-2025-to-28-11-2025.csv',
    '\uFEFFDate ,Open ,High ,Low ,Close ,Shares Traded ,Turnover (₹ Cr)\n28-NOV-2025,59762.60,59897.50,59626.75,59752.70,118224680,7000.11\n27-NOV-2025,59605.90,59866.60,59557.55,59737.30,152224680,8000.22',
    ['NSE BANKNIFTY 2025-11-27 86400s  59737.3 152224680', 'NSE BANKNIFTY 2025-11-28 86400s  59752.7 118224680'],
  ],
  ...BANKS,
  [
    'a share as NSE offers it, in quotation marks and lakhs',
    'Quote-Equity-RELIANCE-EQ-27-11-2025-to-28-11-2025.csv',
    '\uFEFF"Date ","series ","OPEN ","HIGH ","LOW ","PREV. CLOSE ","ltp ","close ","vwap ","52W H ","52W L ","VOLUME ","VALUE ","No of trades "\n"28-Nov-2025","EQ","1,563.00","1,571.60","1,560.10","1,563.50","1,568.00","1,567.50","1,566.84","1,581.30","1,114.85","71,54,321","11,20,96,78,543.10","1,54,321"\n"27-Nov-2025","EQ","1,569.00","1,572.00","1,558.20","1,569.90","1,563.00","1,563.50","1,563.87","1,581.30","1,114.85","68,11,204","10,65,14,35,120.55","1,49,876"',
    ['NSE RELIANCE 2025-11-27 86400s  1563.5 6811204', 'NSE RELIANCE 2025-11-28 86400s  1567.5 7154321'],
  ],
  [
    'minutes of several shares, named by their last seconds',
    'GFDLCM_STOCK_28112025.csv',
    'Ticker,Date,Time,Open,High,Low,Close,Volume,Open Interest\nRELIANCE.NSE,28/11/2025,09:15:59,1563.00,1563.35,1561.25,1561.60,1500,0\nRELIANCE.NSE,28/11/2025,09:16:59,1561.60,1561.95,1560.55,1560.90,1503,0\nINFY.NSE,28/11/2025,09:15:59,1560.00,1560.30,1558.50,1558.80,900,0',
    [
      'NSE RELIANCE 2025-11-28 60s 0 1561.6 1500',
      'NSE RELIANCE 2025-11-28 60s 60 1560.9 1503',
      'NSE INFY 2025-11-28 60s 0 1558.8 900',
    ],
  ],
  [
    'days of a Python library, with three lines of names',
    'RELIANCE.NS.csv',
    'Price,Close,High,Low,Open,Volume\nTicker,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS\nDate,,,,,\n2024-10-11,1372.0999755859375,1383.2750244140625,1368.824951171875,1370.0,7980122\n2024-10-14,1372.5250244140625,1380.074951171875,1368.25,1379.449951171875,12221432',
    ['NSE RELIANCE 2024-10-11 86400s  1372.1 7980122', 'NSE RELIANCE 2024-10-14 86400s  1372.53 12221432'],
  ],
  [
    'two shares of that library side by side',
    'download.csv',
    'Ticker,TCS.NS,TCS.NS,TCS.NS,TCS.NS,TCS.NS,INFY.NS,INFY.NS,INFY.NS,INFY.NS,INFY.NS\nPrice,Open,High,Low,Close,Volume,Open,High,Low,Close,Volume\nDate,,,,,,,,,,\n2024-10-11,4200,4210,4190,4205,10,1900,1910,1890,1905,20\n2024-10-14,4205,4210,4190,4200,10,,,,,',
    ['NSE TCS 2024-10-11 86400s  4205 10', 'NSE TCS 2024-10-14 86400s  4200 10', 'NSE INFY 2024-10-11 86400s  1905 20'],
  ],
  [
    'five minutes of that library, in UTC, with two lines of names',
    'NIFTY50.csv',
    'DateTime,Adj Close,Close,High,Low,Open,Volume\n,^NSEI,^NSEI,^NSEI,^NSEI,^NSEI,^NSEI\n2025-11-10 03:45:00+00:00,25554.599609375,25554.599609375,25590.349609375,25515.80078125,25515.80078125,0\n2025-11-10 03:50:00+00:00,25526.55078125,25526.55078125,25565.69921875,25521.5,25551.650390625,0',
    ['NSE NIFTY 2025-11-10 300s 0 25554.6 ', 'NSE NIFTY 2025-11-10 300s 300 25526.55 '],
  ],
  [
    'BSE, whose day only the name tells',
    'EQ010124.CSV',
    'SC_CODE,SC_NAME,SC_GROUP,SC_TYPE,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,NO_TRADES,NO_OF_SHRS,NET_TURNOV,TDCLOINDI\n500002,ABB LTD.    ,A ,Q,4675.00,4713.95,4636.05,4684.15,4684.15,4674.75,1218,4013,18776543.00,',
    ['NSE ABB 2024-01-01 86400s  4684.15 4013'],
  ],
  [
    'the indices of a day',
    'ind_close_all_26032025.csv',
    'Index Name,Index Date,Open Index Value,High Index Value,Low Index Value,Closing Index Value,Points Change,Change(%),Volume,Turnover (Rs. Cr.),P/E,P/B,Div Yield\nNifty 50,26-03-2025,23700.95,23736.5,23451.7,23486.85,-181.8,-.77,278590831,26877.28,20.88,3.5,1.37\nNifty Bank,26-03-2025,51641.60,51813.45,51163.95,51209.00,-398.95,-.77,134590831,9877.28,13.9,2.1,1.01\nIndia VIX,26-03-2025,13.655,13.91,12.95,13.47,-.17,-1.25,-,-,-,-,-',
    ['NSE NIFTY 2025-03-26 86400s  23486.85 ', 'NSE BANKNIFTY 2025-03-26 86400s  51209 '],
  ],
  [
    'the indices of a day of 2013, under their names of then',
    'ind_close_all_15012013.csv',
    'Index Name,Index Date,Open Index Value,High Index Value,Low Index Value,Closing Index Value,Points Change,Change(%),Volume,Turnover (Rs. Cr.),P/E,P/B,Div Yield\nS&P CNX Nifty,15-01-2013,6037.85,6068.5,6018.6,6056.6,32.55,.54,138364003,6978.26,19.12,3.21,1.36\nCNX Bank,15-01-2013,12800,12900,12700,12850,1,1,1,1,1,1,1',
    ['NSE NIFTY 2013-01-15 86400s  6056.6 ', 'NSE BANKNIFTY 2013-01-15 86400s  12850 '],
  ],
  [
    'a portal',
    'Nifty 50 Historical Data.csv',
    '\uFEFF"Date","Price","Open","High","Low","Vol.","Change %"\n"20-02-2025","22,881.10","22,821.10","22,908.25","22,814.20","78.42M","-0.23%"\n"19-02-2025","22,932.90","22,847.25","23,049.95","22,814.85","207.00M","-0.05%"',
    ['NSE NIFTY 2025-02-19 86400s  22932.9 207000000', 'NSE NIFTY 2025-02-20 86400s  22881.1 78420000'],
  ],
  [
    'SENSEX as BSE offers it, with a comma at the ends of rows',
    'SENSEX.csv',
    'Date,Open,High,Low,Close\n23-January-2019,36494.12,36521.47,36037.90,36108.47,\n24-January-2019,36146.55,36258.28,35996.68,36195.10,',
    ['BSE SENSEX 2019-01-23 86400s  36108.47 ', 'BSE SENSEX 2019-01-24 86400s  36195.1 '],
  ],
  [
    'headings in angle brackets',
    'RELIANCE.txt',
    '<TICKER>,<DTYYYYMMDD>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\nRELIANCE,20251128,091500,1563.00,1564.10,1561.20,1563.55,15021,0\nRELIANCE,20251128,091600,1563.55,1565.00,1563.10,1564.80,13211,0',
    ['NSE RELIANCE 2025-11-28 60s 0 1563.55 15021', 'NSE RELIANCE 2025-11-28 60s 60 1564.8 13211'],
  ],
  [
    'a broker, with shares and indices in one file',
    'history.csv',
    'symbol,timestamp,open,high,low,close,volume\nNSE:NIFTY50-INDEX,1764301500,26215.00,26224.10,26201.20,26213.55,0\nNSE:NIFTY50-INDEX,1764301560,26213.55,26230.00,26210.10,26228.80,0\nNSE:RELIANCE-EQ,1764301500,1563.00,1564.10,1561.20,1563.55,15021\nNSE:NIFTYBANK-INDEX,1764301500,59737.00,59744.10,59701.20,59713.55,0',
    [
      'NSE NIFTY 2025-11-28 60s 0 26213.55 ',
      'NSE NIFTY 2025-11-28 60s 60 26228.8 ',
      'NSE RELIANCE 2025-11-28 60s 0 1563.55 15021',
      'NSE BANKNIFTY 2025-11-28 60s 0 59713.55 ',
    ],
  ],
  [
    'numbered columns of a broker, newest first',
    'INFY.csv',
    ',0,1,2,3,4,5\n0,2025-11-28T09:16:00+05:30,1560,1561,1559,1560.5,5\n1,2025-11-28T09:15:00+05:30,1560,1562,1559,1560,7',
    ['NSE INFY 2025-11-28 60s 0 1560 7', 'NSE INFY 2025-11-28 60s 60 1560.5 5'],
  ],
  [
    'a clock of twelve hours',
    'RELIANCE.csv',
    'Date,Time,Open,High,Low,Close,Volume\n28-11-2025,9:15:00 AM,1563.00,1564.10,1561.20,1563.55,15021\n28-11-2025,9:16:00 AM,1563.55,1565.00,1563.10,1564.80,13211\n28-11-2025,3:29:00 PM,1566.55,1567.00,1565.10,1566.80,23211',
    [
      'NSE RELIANCE 2025-11-28 60s 0 1563.55 15021',
      'NSE RELIANCE 2025-11-28 60s 60 1564.8 13211',
      'NSE RELIANCE 2025-11-28 60s 22440 1566.8 23211',
    ],
  ],
  [
    'months before days, as its dates tell',
    'INFY.csv',
    'Date,Open,High,Low,Close,Volume\n11/27/2025 15:30:00,1560,1562,1559,1560,7\n11/28/2025 15:30:00,1560,1562,1559,1561,7',
    ['NSE INFY 2025-11-27 86400s  1560 7', 'NSE INFY 2025-11-28 86400s  1561 7'],
  ],
  [
    'decimal commas, semicolons and a line for the spreadsheet',
    'TCS.csv',
    'sep=;\nDatum;Date;Open;High;Low;Close\nx;28.11.2025;3.100,00;3.120,5;3.090;3.110,25\n------;;;;;\nx;27.11.2025;3.100;3.120;3.090;3.111',
    ['NSE TCS 2025-11-27 86400s  3111 ', 'NSE TCS 2025-11-28 86400s  3110.25 '],
  ],
  [
    'shares of 2019 under their names of today, by ISIN or the table of former symbols',
    'cm28JUN2019bhav.csv',
    'SYMBOL,SERIES,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,TOTTRDQTY,TOTTRDVAL,TIMESTAMP,TOTALTRADES,ISIN,\nMCDOWELL-N,EQ,572,584.6,570.3,583.35,583.2,571.2,1823456,1056789012.3,28-JUN-2019,45123,INE854D01024,\nINFRATEL,EQ,265.5,269.6,263.3,267.3,267.1,265.2,1923456,513789012.3,28-JUN-2019,35123,,\nHDFC,EQ,2205,2216.6,2180.3,2191.35,2190.2,2203.2,2823456,6189789012.3,28-JUN-2019,95123,INE001A01036,',
    ['NSE UNITDSPR 2019-06-28 86400s  583.35 1823456', 'NSE INDUSTOWER 2019-06-28 86400s  267.3 1923456'],
  ],
  [
    'NIFTY IT',
    'NIFTY IT-27-11-2025-to-28-11-2025.csv',
    'Date ,Open ,High ,Low ,Close \n28-NOV-2025,37446.30,37560.10,37301.25,37405.50\n27-NOV-2025,37300.30,37510.10,37201.25,37446.30',
    ['NSE NIFTYIT 2025-11-27 86400s  37446.3 ', 'NSE NIFTYIT 2025-11-28 86400s  37405.5 '],
  ],
  [
    'days of an index as its publisher names them',
    'index.csv',
    'INDEX_NAME,HistoricalDate,OPEN,HIGH,LOW,CLOSE\nNIFTY 50,02-Jan-2020,12198.55,12289.9,12195.25,12282.2\nNIFTY 50,01-Jan-2020,12202.15,12222.2,12165.3,12182.5',
    ['NSE NIFTY 2020-01-01 86400s  12182.5 ', 'NSE NIFTY 2020-01-02 86400s  12282.2 '],
  ],
  [
    'days of a share with the names of the interface of the NSE page',
    'data.csv',
    '_id,CH_SYMBOL,CH_SERIES,CH_TRADE_HIGH_PRICE,CH_TRADE_LOW_PRICE,CH_OPENING_PRICE,CH_CLOSING_PRICE,CH_LAST_TRADED_PRICE,CH_PREVIOUS_CLS_PRICE,CH_TOT_TRADED_QTY,CH_TIMESTAMP,TIMESTAMP,__v\nx,SBIN,EQ,313.95,307.5,308.1,313.75,313.4,307.7,17388597,2020-01-02,2020-01-01T18:30:00.000Z,0',
    ['NSE SBIN 2020-01-02 86400s  313.75 17388597'],
  ],
  [
    'five minutes of a chart, whose name ends in signs that tell downloads apart',
    'NSE_RELIANCE, 5_1a2b3.csv',
    'time,open,high,low,close,Volume\n2025-11-27T09:15:00+05:30,1569,1570,1568,1569.5,5000\n2025-11-27T09:20:00+05:30,1569.5,1571,1568,1570,4000',
    ['NSE RELIANCE 2025-11-27 300s 0 1569.5 5000', 'NSE RELIANCE 2025-11-27 300s 300 1570 4000'],
  ],
  [
    'delayed days of a chart',
    'NSE_DLY_RELIANCE, 1D.csv',
    'time,open,high,low,close,Volume\n2025-11-27,1569,1570,1568,1569.5,5000\n2025-11-28,1569.5,1571,1568,1570,4000',
    ['NSE RELIANCE 2025-11-27 86400s  1569.5 5000', 'NSE RELIANCE 2025-11-28 86400s  1570 4000'],
  ],
  [
    'minutes with a column of intervals',
    'x.csv',
    'symbol,interval,time,open,high,low,close\nTCS,1m,2025-11-27 09:15,3000,3010,2990,3001\nTCS,1m,2025-11-27 09:20,3000,3010,2990,3002',
    ['NSE TCS 2025-11-27 60s 0 3001 ', 'NSE TCS 2025-11-27 60s 300 3002 '],
  ],
  [
    'bhavcopies of two days that were put together',
    'all.csv',
    'SYMBOL,SERIES,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,TOTTRDQTY,TOTTRDVAL,TIMESTAMP,TOTALTRADES,ISIN\nINFY,EQ,745,745.5,731.25,732.15,731.9,741.45,81,59,27-JUN-2019,18,INE009A01021\nINFY,EQ,732,740.5,730.25,735.15,735.9,732.15,82,59,28-JUN-2019,18,INE009A01021',
    ['NSE INFY 2019-06-27 86400s  732.15 81', 'NSE INFY 2019-06-28 86400s  735.15 82'],
  ],
  [
    'PD of 2017, in which Y marks the shares of NIFTY too',
    'Pd250517.csv',
    'MKT,SERIES,SYMBOL,SECURITY,PREV_CL_PR,OPEN_PRICE,HIGH_PRICE,LOW_PRICE,CLOSE_PRICE,NET_TRDVAL,NET_TRDQTY,IND_SEC,CORP_IND,TRADES,HI_52_WK,LO_52_WK\nY, , ,Nifty 50,      9360.55,      9384.05,      9523.30,      9379.20,      9509.75,351280718832.60,1758456434,Y, ,10664615,      9532.60,      7893.80\nY, , ,Nifty MID100 Free,     17120.55,     17196.20,     17398.70,     17106.75,     17345.35,0,0,Y, ,0,     18511.55,     12921.05\nN,EQ,INFY,INFOSYS LTD,       950,       951,       960,       949,       955.5,1,100,Y, ,9,       1200,       900\nN,EQ,RELCNX100,RELIANCE ETF NIFTY 100,        97.74,        98.88,        99.13,        98.88,        99.13,1,37,N, ,2,       105.50,        73.50',
    [
      'NSE NIFTY 2017-05-25 86400s  9509.75 ',
      'NSE NIFTYMIDCAP100 2017-05-25 86400s  17345.35 ',
      'NSE INFY 2017-05-25 86400s  955.5 100',
      'NSE NIF100BEES 2017-05-25 86400s  99.13 37',
    ],
  ],
];

describe('Files that people keep', () => {
  it.each(KEPT)('are read where they are %s: %s', (_what, file, text, rows) => {
    expect(taken(file, text)).toEqual(rows);
  });

  const MINUTES = (open: string) =>
    `date,open,high,low,close,volume\n2025-11-27 09:15:00,${open}\n2025-11-27 09:16:00,${open}\n`;
  const WEEKS = ['04', '11', '18', '25'].map((day) => `2021-01-${day},31485,32298,30893,32084`).join('\n');
  it.each([
    [
      'an index that this market does not have',
      'INDIA VIX_minute.csv',
      MINUTES('11.7875,11.7900,11.7200,11.7325,0'),
      'INDIA VIX_minute.csv, line 2: this market has no share or index "INDIA VIX": write {"files": {"INDIA VIX_minute.csv": {"skip": true}}} in replay.json',
    ],
    [
      'candles of an option',
      'NIFTY_26200_CE.csv',
      MINUTES('152.10,158.00,149.50,155.20,150000'),
      'NIFTY_26200_CE.csv, line 2: its name is that of a future or option, which can be replayed only under its whole name, such as NIFTY25N2526200CE or NIFTY25NOVFUT: write',
    ],
    [
      'candles of an option that replay.json calls by its underlying',
      'data.csv',
      MINUTES('152.10,158.00,149.50,155.20,150000'),
      'data.csv, line 2: close is 155.2 rupees, where NSE NIFTY was between',
      { symbol: 'NIFTY' },
    ],
    [
      'weeks',
      'BANKNIFTY.csv',
      `Date,Open,High,Low,Close\n${WEEKS}`,
      'BANKNIFTY.csv, line 3: its rows are a week apart, and weeks cannot be replayed; download days, or say {"files": {"BANKNIFTY.csv": {"interval": "1d"}}}',
    ],
    [
      'weeks by a column of intervals',
      'x.csv',
      'symbol,interval,time,open,high,low,close\nRELIANCE,1wk,2025-11-24,1569,1572,1558,1563',
      'x.csv, line 2: its bars are weeks or months, and days are the longest that can be replayed; download days',
    ],
    [
      "weeks by an interface's name of them",
      'x.csv',
      'symbol,interval,time,open,high,low,close\nRELIANCE,ONE_WEEK,2025-11-24,1569,1572,1558,1563',
      'x.csv, line 2: its bars are weeks or months, and days are the longest that can be replayed; download days',
    ],
    [
      'weeks in minutes by a column of intervals',
      'x.csv',
      'symbol,timeframe,time,open,high,low,close\nRELIANCE,10080,2025-11-24,1569,1572,1558,1563',
      'x.csv, line 2: its bars are of 10080, and days are the longest that can be replayed; download days',
    ],
    [
      'bars of two lengths by a column of intervals',
      'x.csv',
      'symbol,timeframe,time,open,high,low,close\nTCS,5m,2025-11-27 09:15,3000,3010,2990,3001\nTCS,1minute,2025-11-27 09:16,3000,3010,2990,3001',
      'x.csv, line 3: its bar has another length than those before it; give each interval in a file of its own',
    ],
    [
      'a bhavcopy in paise',
      'cm27NOV2025bhav.csv',
      'SYMBOL,SERIES,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,TOTTRDQTY,TOTTRDVAL,TIMESTAMP,TOTALTRADES,ISIN\nINFY,EQ,155500,156500,153200,156000,156000,156000,81,59,27-NOV-2025,18,INE009A01021',
      'cm27NOV2025bhav.csv, line 2: close of NSE INFY is 156000 rupees, and 1 of 1 rows are as far from what is known of that time; say {"files": {"cm27NOV2025bhav.csv": {"prices": "paise"}}} in replay.json, or "rupees"',
    ],
    [
      'a month, as charts name it',
      'NSE_RELIANCE, 1M.csv',
      'time,open,high,low,close\n2025-11-03,1569,1570,1568,1569.5',
      'NSE_RELIANCE, 1M.csv, line 2: its rows are a month apart, and months cannot be replayed',
    ],
    [
      'two weeks, each on its Sunday',
      'NIFTY.csv',
      'Date,Open,High,Low,Close\n16-11-2025,25948.20,26246.65,25876.50,26068.15\n23-11-2025,26122.80,26310.45,25842.95,26202.95',
      'NIFTY.csv, line 2: 2 of 2 rows of NSE NIFTY are on days without trading, as weekly and monthly bars are',
    ],
    [
      'days by a clock of UTC, which would be those before',
      'RELIANCE.NS.csv',
      'Date,Open,High,Low,Close\n2025-11-26 18:30:00,1569,1572,1558,1563.5\n2025-11-27 18:30:00,1563,1571,1560,1567.5',
      'RELIANCE.NS.csv, line 2: its rows are at 18:30, which is midnight in India by a clock of UTC, and their days would be those before: say {"files": {"RELIANCE.NS.csv": {"zone": "UTC"}}} in replay.json',
    ],
    [
      'days as a spreadsheet counts them',
      'INFY.csv',
      'Date,Open,High,Low,Close\n45988.3854,1569,1572,1558,1563.5',
      'INFY.csv, line 2: "45988.3854" counts days as a spreadsheet does, as of 2025-11-27; format the column as dates',
    ],
    [
      'a date of two readings',
      'INFY.csv',
      'date,open,high,low,close\n03/12/2020,600,601,599,600',
      'INFY.csv, line 2: "03/12/2020" may be 2020-12-03 or 2020-03-12: say {"files": {"INFY.csv": {"dates": "day-month-year"}}} in replay.json, or "month-day-year"',
    ],
    [
      'minutes of which nothing tells the end',
      'INFY.csv',
      'date,open,high,low,close\n2020-03-13 11:15,600,601,599,600\n2020-03-13 11:16,600,601,599,600',
      'INFY.csv, line 2: nothing tells whether its bar of 1m begins at 11:15 or at 11:14: say {"files": {"INFY.csv": {"time": "begin"}}} in replay.json, or "end"',
    ],
    [
      'minutes on one day and five minutes on another',
      'INFY.csv',
      [
        'date,open,high,low,close',
        ...[15, 16, 17, 18, 19, 20].map((minute) => `2020-03-12 09:${minute},600,601,599,600`),
        ...[15, 20, 25, 30, 35].map((minute) => `2020-03-13 09:${minute},600,601,599,600`),
      ].join('\n'),
      'INFY.csv, line 8: on 2020-03-13 its rows are 5m apart, and 1m on other days; give each interval in a file of its own',
    ],
    [
      'one of two shares that replay.json calls one',
      'data.csv',
      'ticker,date,open,high,low,close\nINFY,2020-03-13,600,601,599,600\nTCS,2020-03-16,600,601,599,600',
      'data.csv, line 3: the row is of "TCS" where replay.json says that the file holds INFY',
      { symbol: 'INFY' },
    ],
  ] as [string, string, string, string, FileConfig?][])(
    'are refused where they are %s: %s',
    (_what, file, text, says, terms = {}) => {
      expect(() => recordings({ [file]: text }, terms)).toThrow(says);
    },
  );

  it('are listed by the times at which their bars begin, where the rows name the ends', () => {
    const [, file, text] = KEPT.find(([what]) => what === 'minutes of several shares, named by their last seconds')!;
    expect(checkTable(recordings({ [file]: text })).split('\n')[1]).toBe(
      'GFDLCM_STOCK_28112025.csv  NSE RELIANCE  1m    2     2025-11-28 09:15 1563.00  2025-11-28 09:16 1560.90',
    );
  });

  it('are listed with instrument, interval, first and last bar, and all that is left out', () => {
    const [, file, text] = KEPT.find(([what]) => what === 'the indices of a day')!;
    expect(checkTable(recordings({ [file]: text })).split('\n')).toEqual([
      'File                        Instrument     Bars  Rows  First                Last',
      'ind_close_all_26032025.csv  NSE NIFTY      1d    1     2025-03-26 23700.95  2025-03-26 23486.85',
      'ind_close_all_26032025.csv  NSE BANKNIFTY  1d    1     2025-03-26 51641.60  2025-03-26 51209.00',
      '',
      '- ind_close_all_26032025.csv: left out 1 row of shares and indices that this market does not have: India VIX.',
      '- NSE NIFTY, NSE BANKNIFTY: without volumes; they are those of the made-up market.',
      '- NSE NIFTY, NSE BANKNIFTY: what happens within its bars of a day is made up.',
    ]);
  });

  it('take the bars of a long day until its end at 17:00', () => {
    const rows = [
      '09:15:00+05:30,35205.4,35350.55,35106.9,35317.35',
      '09:30:00+05:30,35316.95,35452.05,35313.35,35342',
      '16:45:00+05:30,36521.4,36563.9,36348.7,36538.55',
    ];
    expect(
      taken('banknifty.csv', ['date,open,high,low,close', ...rows.map((row) => `2021-02-24 ${row}`)].join('\n')),
    ).toEqual([
      'NSE BANKNIFTY 2021-02-24 900s 0 35317.35 ',
      'NSE BANKNIFTY 2021-02-24 900s 900 35342 ',
      'NSE BANKNIFTY 2021-02-24 900s 27000 36538.55 ',
    ]);
  });

  it('take a share that trades seldom in bars as long as those of the others', () => {
    const rows = [15, 16, 17].map((minute) => `INFY,2020-03-13 09:${minute},600,601,599,600,1`);
    const { instruments } = recordings({
      'all.csv': ['symbol,date,open,high,low,close,volume', ...rows, 'TCS,2020-03-13 09:20,1800,1801,1799,1800,1'].join(
        '\n',
      ),
    });
    expect(instruments.get('NSE TCS')!.days.values().next().value!.bars()).toMatchObject([{ from: 300, to: 360 }]);
  });
});
