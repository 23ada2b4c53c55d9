/** Files that people keep and that cannot be replayed: each is refused in words. */
import type { FileConfig } from '../../../../sandbox/src/market/recordings/replay-config';
import { recordingsOf } from '../../../support/kept-files';

describe('Files that people keep', () => {
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
    [
      'dividends alone',
      'INFY.csv',
      'Date,Dividends\n2025-10-27,23.0',
      'INFY.csv, line 1: it holds dividends or splits and no prices: take it out of the folder',
    ],
    [
      'dividends and splits of a library',
      'INFY.NS.csv',
      'Date,Dividends,Stock Splits\n2025-10-27 00:00:00+05:30,23.0,0.0',
      'INFY.NS.csv, line 1: it holds dividends or splits and no prices: take it out of the folder',
    ],
    [
      'prices in another currency',
      'INFY.csv',
      'Datum;Eröffnung;Hoch;Tief;Schluss;Währung;Volumen\n28.11.2025;1.560,00;1.562,00;1.559,00;1.561,00;EUR;7.000',
      'INFY.csv, line 2: its prices are in EUR; download those of NSE or BSE, in rupees',
    ],
    [
      'closes of several shares side by side',
      'data.csv',
      'Date,Close_TCS.NS,Close_INFY.NS\n2025-11-27,3000,1560',
      'data.csv, line 1: no column for open, high, low, close among Date, ',
    ],
    [
      'two columns of one meaning for one ticker',
      'data.csv',
      'Date,Open_INFY.NS,High_INFY.NS,Low_INFY.NS,Close_INFY.NS,INFY.NS_Close\n2025-11-27,1560,1562,1559,1561,1500',
      'data.csv, line 1: no column for open, high, low, close among Date, ',
    ],
    [
      'quotes with the open, high and low of their day',
      'quotes.csv',
      [
        'timestamp,symbol,last_price,open,high,low,close,volume',
        '2025-11-27 09:15:00,INFY,1556,1555,1556,1555,1556,100',
        '2025-11-27 09:16:00,INFY,1558,1555,1558,1555,1558,200',
        '2025-11-27 09:17:00,INFY,1552,1555,1558,1552,1552,300',
        '2025-11-27 09:18:00,INFY,1554,1555,1558,1552,1554,400',
        '2025-11-27 09:19:00,INFY,1556,1555,1558,1552,1556,500',
      ].join('\n'),
      'quotes.csv, line 3: its open, high and low are those of the day until then, as quotes show them, and not of a bar',
    ],
    [
      'years of BSE',
      '500325.csv',
      'Year,Open Price,High Price,Low Price,Close Price,No.of Shares,No. of Trades,Total Turnover (Rs.)\n2007,451.00,809.90,370.00,794.25,31396110,439301,16296443525.00,',
      '500325.csv, line 1: its rows are of a month or a year each, and days are the longest that can be replayed; download days',
    ],
    [
      'the market watch of NSE',
      'MW-NIFTY-50-27-Nov-2025.csv',
      '\uFEFF"SYMBOL \n","OPEN \n","HIGH \n","LOW \n","PREV. CLOSE \n","LTP \n"\n"RELIANCE","1,569.00","1,572.00","1,558.20","1,569.90","1,563.50"',
      'MW-NIFTY-50-27-Nov-2025.csv, line 1: it is a market watch, which shows one moment and no candles; take it out',
    ],
    [
      'a web page',
      'INFY.csv',
      '<!DOCTYPE html>\n<html><body>Access Denied</body></html>',
      'INFY.csv, line 1: it is a web page, perhaps with an error of the site; download it again',
    ],
    [
      'JSON that is called CSV',
      'INFY.csv',
      '[{"time":"2025-11-27","open":1560}]',
      'INFY.csv, line 1: it is JSON; give it a name that ends in .json',
    ],
  ] as [string, string, string, string, FileConfig?][])(
    'are refused where they are %s: %s',
    (_what, file, text, says, terms = {}) => {
      expect(() => recordingsOf({ [file]: text }, terms)).toThrow(says);
    },
  );
});
