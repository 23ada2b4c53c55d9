/** Files of portals and of Python and R libraries, as people keep them. */
import { recordingsOf, taken, type Kept } from '../../../support/kept-files';

/** Two days of one share, in the order open, high, low, close, volume. */
const DAYS = ['NSE RELIANCE 2025-11-27 86400s  1563.5 6811204', 'NSE RELIANCE 2025-11-28 86400s  1567.5 7154321'];
const ROWS = '2025-11-27,1569,1572,1558.2,1563.5,6811204\n2025-11-28,1563,1571.6,1560.1,1567.5,7154321\n';
/** The same under headings in which programs name column and ticker in one, or in two lines of another kind. */
const HEADINGS = [
  'Date,Open_RELIANCE.NS,High_RELIANCE.NS,Low_RELIANCE.NS,Close_RELIANCE.NS,Volume_RELIANCE.NS',
  'Date,Open_RELIANCE.NS,High_RELIANCE.NS,Low_RELIANCE.NS,Close_RELIANCE.NS,Volume',
  'Date_,RELIANCE.NS_Open,RELIANCE.NS_High,RELIANCE.NS_Low,RELIANCE.NS_Close,RELIANCE.NS_Volume',
  'date,open_reliance.ns,high_reliance.ns,low_reliance.ns,close_reliance.ns,volume_reliance.ns',
  'Date,Open RELIANCE.NS,High RELIANCE.NS,Low RELIANCE.NS,Close RELIANCE.NS,Volume RELIANCE.NS',
  `"('Date', '')","('Open', 'RELIANCE.NS')","('High', 'RELIANCE.NS')","('Low', 'RELIANCE.NS')","('Close', 'RELIANCE.NS')","('Volume', 'RELIANCE.NS')"`,
  `Date,"('RELIANCE.NS', 'Open')","('RELIANCE.NS', 'High')","('RELIANCE.NS', 'Low')","('RELIANCE.NS', 'Close')","('RELIANCE.NS', 'Volume')"`,
  '"","RELIANCE.NS.Open","RELIANCE.NS.High","RELIANCE.NS.Low","RELIANCE.NS.Close","RELIANCE.NS.Volume"',
  'Date,Open,High,Low,Close,Volume\n,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS',
].map((heading): Kept => [`days under the heading ${heading}`, 'data.csv', `${heading}\n${ROWS}`, DAYS]);
const NUMBERED = ROWS.trim()
  .split('\n')
  .map((row, at) => `${at},${row}`)
  .join('\n');

const KEPT: Kept[] = [
  ...HEADINGS,
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
    'a portal',
    'Nifty 50 Historical Data.csv',
    '\uFEFF"Date","Price","Open","High","Low","Vol.","Change %"\n"20-02-2025","22,881.10","22,821.10","22,908.25","22,814.20","78.42M","-0.23%"\n"19-02-2025","22,932.90","22,847.25","23,049.95","22,814.85","207.00M","-0.05%"',
    ['NSE NIFTY 2025-02-19 86400s  22932.9 207000000', 'NSE NIFTY 2025-02-20 86400s  22881.1 78420000'],
  ],
  [
    'days of that library whose rows are numbered, with two lines of names',
    'data.csv',
    `Price,Date,Open,High,Low,Close,Volume\nTicker,,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS\n${NUMBERED}`,
    DAYS,
  ],
  [
    'the same without the names of the lines',
    'data.csv',
    `,Date,Open,High,Low,Close,Volume\n,,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS\n${NUMBERED}`,
    DAYS,
  ],
  [
    'days of that library with an indicator that has no ticker',
    'data.csv',
    'Price,Close,High,Low,Open,Volume,SMA_20\nTicker,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS,RELIANCE.NS,\nDate,,,,,,\n2025-11-27,1563.5,1572,1558.2,1569,6811204,1500',
    DAYS.slice(0, 1),
  ],
  [
    'two indices side by side under headings of one line',
    'data.csv',
    'datetime,nifty_open,nifty_high,nifty_low,nifty_close,banknifty_open,banknifty_high,banknifty_low,banknifty_close,vix_close\n2025-11-27 09:15:00,26215,26224,26201,26213,59762.6,59765.6,59747.85,59750.85,12\n2025-11-27 09:16:00,26213,26224,26201,26214,59750,59765.6,59747.85,59752,12',
    [
      'NSE NIFTY 2025-11-27 60s 0 26213 ',
      'NSE NIFTY 2025-11-27 60s 60 26214 ',
      'NSE BANKNIFTY 2025-11-27 60s 0 59750.85 ',
      'NSE BANKNIFTY 2025-11-27 60s 60 59752 ',
    ],
  ],
  [
    'days of an interface that numbers its columns, newest first',
    'daily_adjusted_RELIANCE.BSE.csv',
    'date,1. open,2. high,3. low,4. close,5. adjusted close,6. volume\n2025-11-28,1563,1571.6,1560.1,1567.5,1500,7154321\n2025-11-27,1569,1572,1558.2,1563.5,1500,6811204',
    DAYS,
  ],
  [
    'a German portal',
    'RELIANCE.csv',
    'Datum;Eröffnung;Hoch;Tief;Schluss;Volumen\n28.11.2025;1.563,00;1.571,60;1.560,10;1.567,50;7.154.321\n27.11.2025;1.569,00;1.572,00;1.558,20;1.563,50;6.811.204',
    DAYS,
  ],
  [
    'a German portal that has the pieces beside the turnover',
    'RELIANCE.csv',
    'Datum;Erster;Hoch;Tief;Schlusskurs;Stuecke;Volumen\n2025-11-28;1.563,00;1.571,60;1.560,10;1.567,50;7.154.321;11.214.398.168\n2025-11-27;1.569,00;1.572,00;1.558,20;1.563,50;6.811.204;10.649.317.454',
    DAYS,
  ],
  [
    'a portal in German',
    'RELIANCE.csv',
    '\uFEFF"Datum","Zuletzt","Eröffn.","Hoch","Tief","Vol.","+/- %"\n"28.11.2025","1.567,50","1.563,00","1.571,60","1.560,10","7,15M","0,26%"',
    ['NSE RELIANCE 2025-11-28 86400s  1567.5 7150000'],
  ],
];

describe('Files of portals and libraries', () => {
  it.each(KEPT)('are read where they are %s: %s', (_what, file, text, rows) => {
    expect(taken(file, text)).toEqual(rows);
  });

  it('name the tickers whose columns are not all there', () => {
    const [, , text] = KEPT.find(([what]) => what.startsWith('two indices side by side under'))!;
    expect(recordingsOf({ 'data.csv': text }).notes).toContain(
      'data.csv: without open, high, low and close, and therefore not read: vix.',
    );
  });
});
