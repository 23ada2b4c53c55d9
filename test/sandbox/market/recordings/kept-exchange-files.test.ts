/** Files of exchanges and of those who publish indices, as people keep them. */
import { formatCheck } from '../../../../sandbox/src/market/recordings/format-check';
import { recordingsOf, taken, type Kept } from '../../../support/kept-files';

const KEPT: Kept[] = [
  [
    'an index as NSE offers it, newest first',
    'NIFTY BANK-26-11-2025-to-28-11-2025.csv',
    '\uFEFFDate ,Open ,High ,Low ,Close ,Shares Traded ,Turnover (₹ Cr)\n28-NOV-2025,59762.60,59897.50,59626.75,59752.70,118224680,7000.11\n27-NOV-2025,59605.90,59866.60,59557.55,59737.30,152224680,8000.22',
    ['NSE BANKNIFTY 2025-11-27 86400s  59737.3 152224680', 'NSE BANKNIFTY 2025-11-28 86400s  59752.7 118224680'],
  ],
  [
    'a share as NSE offers it, in quotation marks and lakhs',
    'Quote-Equity-RELIANCE-EQ-27-11-2025-to-28-11-2025.csv',
    '\uFEFF"Date ","series ","OPEN ","HIGH ","LOW ","PREV. CLOSE ","ltp ","close ","vwap ","52W H ","52W L ","VOLUME ","VALUE ","No of trades "\n"28-Nov-2025","EQ","1,563.00","1,571.60","1,560.10","1,563.50","1,568.00","1,567.50","1,566.84","1,581.30","1,114.85","71,54,321","11,20,96,78,543.10","1,54,321"\n"27-Nov-2025","EQ","1,569.00","1,572.00","1,558.20","1,569.90","1,563.00","1,563.50","1,563.87","1,581.30","1,114.85","68,11,204","10,65,14,35,120.55","1,49,876"',
    ['NSE RELIANCE 2025-11-27 86400s  1563.5 6811204', 'NSE RELIANCE 2025-11-28 86400s  1567.5 7154321'],
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
    'SENSEX as BSE offers it, with a comma at the ends of rows',
    'SENSEX.csv',
    'Date,Open,High,Low,Close\n23-January-2019,36494.12,36521.47,36037.90,36108.47,\n24-January-2019,36146.55,36258.28,35996.68,36195.10,',
    ['BSE SENSEX 2019-01-23 86400s  36108.47 ', 'BSE SENSEX 2019-01-24 86400s  36195.1 '],
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

describe('Files of exchanges', () => {
  it.each(KEPT)('are read where they are %s: %s', (_what, file, text, rows) => {
    expect(taken(file, text)).toEqual(rows);
  });

  it('are listed with instrument, interval, first and last bar, and all that is left out', () => {
    const [, file, text] = KEPT.find(([what]) => what === 'the indices of a day')!;
    expect(formatCheck(recordingsOf({ [file]: text })).split('\n')).toEqual([
      'File                        Instrument     Bars  Rows  First                Last',
      'ind_close_all_26032025.csv  NSE NIFTY      1d    1     2025-03-26 23700.95  2025-03-26 23486.85',
      'ind_close_all_26032025.csv  NSE BANKNIFTY  1d    1     2025-03-26 51641.60  2025-03-26 51209.00',
      '',
      '- ind_close_all_26032025.csv: left out 1 row of shares and indices that this market does not have: India VIX.',
      '- NSE NIFTY, NSE BANKNIFTY: without volumes; they are those of the made-up market.',
      '- NSE NIFTY, NSE BANKNIFTY: what happens within its bars of a day is made up.',
    ]);
  });

  it("have futures and options under the names of NSE's own interface", () => {
    const row = {
      FH_INSTRUMENT: 'FUTIDX',
      FH_SYMBOL: 'NIFTY',
      FH_EXPIRY_DT: '26-Mar-2020',
      FH_STRIKE_PRICE: '0.00',
      FH_OPTION_TYPE: 'XX',
      FH_OPENING_PRICE: '9000',
      FH_TRADE_HIGH_PRICE: '9100',
      FH_TRADE_LOW_PRICE: '8900',
      FH_CLOSING_PRICE: '9050',
      FH_LAST_TRADED_PRICE: '9050',
      FH_TOT_TRADED_QTY: '1000',
      FH_OPEN_INT: '1000',
      FH_TIMESTAMP: '13-Mar-2020',
    };
    const read = recordingsOf({
      'fo.json': JSON.stringify({ data: [row] }),
      'NIFTY.csv': 'Date,Open,High,Low,Close\n2020-03-13,9107.6,10159.4,8555.15,9955.2',
    });
    expect(read.taken.map(({ instrument, last }) => [instrument, last.close])).toEqual([
      ['NSE NIFTY20MARFUT', 905_000],
      ['NSE NIFTY', 995_520],
    ]);
  });
});
